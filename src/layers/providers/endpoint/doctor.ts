/** What the command `doctor` shows about a browser to attach to. */
import { Clock, Effect, type Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import type { EndpointDoctor } from "../../../schemas/doctor.ts"
import { within } from "../../../services/Timeouts.ts"
import { connect, resolveEndpoint } from "../../cdp/CdpWebSocket.ts"
import { parseEndpoint } from "../../cdp/Endpoint.ts"

/** ms for asking the address, connecting and the first answers; each of them alone has less */
const budget = 25_000

const howToOffer =
  "Check that the browser runs and listens there: it is started with --remote-debugging-port=9222 (and a --user-data-dir of its own), and then is at http://127.0.0.1:9222. A ws: address ends with an id that changes with each start; http: asks for it."
const notTheBrowser =
  "Give the address of the browser itself (http://host:port, or what its /json/version names), not that of one page."

/**
 * Attaches to the browser as a session would, asks who it is, and leaves; nothing is opened there. Never fails: what is
 * wrong is part of the answer, which holds no more of the address than scheme and host.
 */
export const inspectEndpoint = Effect.fn("Endpoint.inspect")(function* (
  address: Redacted.Redacted<string>
): Effect.fn.Return<EndpointDoctor> {
  const { label } = parseEndpoint(address)
  return yield* Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const connection = yield* connect(yield* resolveEndpoint(address))
    const { product, protocolVersion: protocol } = yield* connection.command("Browser.getVersion")
    const ms = (yield* Clock.currentTimeMillis) - begun
    // a page answers the first question too, but sessions need to open pages of their own
    yield* connection.command("Target.getBrowserContexts")
    return { label, ok: true as const, product, protocol, ms }
  }).pipe(
    Effect.scoped,
    within("attaching to the browser", budget),
    Effect.provide(FetchHttpClient.layer),
    Effect.catch(({ _tag, code, message }) =>
      Effect.succeed({
        label,
        ok: false as const,
        code,
        message,
        next: _tag === "CdpFailed" ? notTheBrowser : howToOffer
      })
    )
  )
})
