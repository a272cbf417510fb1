/** The demo's own site: a small harbour that takes bookings, on two loopback origins. */
import { createServer } from "node:http"
import { extname } from "node:path"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Option, Ref, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { demoPages } from "../../generated/demoPages.ts"

/** Where the site is. `partner` is another site to a browser: the host differs. */
export interface DemoSite {
  /** http://127.0.0.1:port */
  readonly url: string
  /** http://localhost:port */
  readonly partner: string
}

/** The site could not be served. */
export class DemoSiteFailed extends Schema.TaggedError<DemoSiteFailed>()("DemoSiteFailed", { reason: Schema.String }) {
  override get message() {
    return `The demo site could not be served: ${this.reason}.`
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml"
}

/** How long an answer of the booking service takes, so that there is something to wait for. */
const serviceDelay = "120 millis"

const firstBerths = [
  { name: "A3", length: 8, price: 24, quay: "North", held: false },
  { name: "A7", length: 9, price: 26, quay: "North", held: false },
  { name: "B12", length: 11, price: 32, quay: "Old", held: false },
  { name: "B14", length: 12, price: 35, quay: "Old", held: false },
  { name: "C2", length: 14, price: 41, quay: "Mole", held: false },
  { name: "C9", length: 18, price: 58, quay: "Mole", held: false }
]

const HoldRequest = Schema.fromJsonString(Schema.Struct({ name: Schema.String, held: Schema.Boolean }))
const decodeHold = Schema.decodeUnknownOption(HoldRequest)

const json = (value: Schema.Json) => Effect.delay(HttpServerResponse.json(value), serviceDelay)

/** Answers browsers: the files, and the two calls of the booking service. */
const makeApp = (partner: string) => {
  const berths = Ref.makeUnsafe(firstBerths)
  const bookings = Ref.makeUnsafe(1203)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const path = new URL(request.url, "http://site.invalid").pathname
    if (path === "/api/bookings") {
      return yield* json({ reference: `KH-${yield* Ref.updateAndGet(bookings, (last) => last + 1)}` })
    }
    if (path === "/api/berths") {
      const asked = request.method === "POST" ? decodeHold(yield* request.text) : Option.none()
      if (Option.isSome(asked)) {
        const { held, name } = asked.value
        yield* Ref.update(berths, (list) => list.map((berth) => (berth.name === name ? { ...berth, held } : berth)))
      }
      return yield* json(yield* Ref.get(berths))
    }
    const name = path === "/" ? "/index.html" : path
    const page = demoPages[name]
    if (page === undefined) return HttpServerResponse.text("There is no such page.", { status: 404 })
    return HttpServerResponse.text(page.replaceAll("{{partner}}", partner), {
      contentType: contentTypes[extname(name)] ?? "text/plain"
    })
  })
}

/** Serves until the scope closes; yields the port. A browser's idle connections do not hold it up. */
const serve = Effect.fnUntraced(
  function* (partner: string) {
    const server = yield* NodeHttpServer.make(() => createServer(), {
      host: "127.0.0.1",
      port: 0,
      gracefulShutdownTimeout: "100 millis"
    })
    yield* server.serve(makeApp(partner))
    return NetAddress.isInetAddress(server.address) ? server.address.port : 0
  },
  Effect.catchTag("ServeError", (error) => Effect.fail(new DemoSiteFailed({ reason: String(error.cause) })))
)

/** Serves the site until the scope closes. */
export const serveDemoSite = Effect.gen(function* () {
  // Two ports of one address; that one of them is called by its name makes them two sites.
  const partner = `http://localhost:${yield* serve("")}`
  return { url: `http://127.0.0.1:${yield* serve(partner)}`, partner } satisfies DemoSite
})
