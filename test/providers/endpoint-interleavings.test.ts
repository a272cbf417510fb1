import { assert, describe, it } from "@effect/vitest"
import { WebSocketServer } from "@effect/platform-node/NodeWS"
import { Effect, Exit, Fiber, Redacted, Schema, Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { makeCdpEndpointProvider } from "../../src/layers/providers/endpoint/CdpEndpointProvider.ts"
import { defaultBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import type { BrowserSession } from "../../src/services/BrowserSession.ts"

/** A browser of which only so much is there as opening and closing a session asks for; each answer takes a while. */
const browserOf = Effect.map(
  Effect.acquireRelease(
    Effect.callback<WebSocketServer>((resume) => {
      const made: WebSocketServer = new WebSocketServer({ host: "127.0.0.1", port: 0 }, () =>
        resume(Effect.succeed(made))
      )
    }),
    (made) =>
      Effect.callback<void>((resume) => {
        for (const client of made.clients) client.terminate()
        made.close(() => resume(Effect.void))
      })
  ),
  (server) => {
    const pages = new Set<string>()
    let count = 0
    server.on("connection", (socket) => {
      socket.on("message", (data) => {
        const { id, method, params } = JSON.parse(data.toString()) as {
          readonly id: number
          readonly method: string
          readonly params?: { readonly targetId?: string }
        }
        const send = (message: object) => socket.send(JSON.stringify(message))
        const { targetId = `page-${++count}` } = params ?? {}
        const sessionId = `session-of-${targetId}`
        setTimeout(() => {
          switch (method) {
            case "Browser.getVersion":
              return send({ id, result: { userAgent: "Headless" } })
            case "Target.createTarget":
              pages.add(targetId)
              return send({ id, result: { targetId } })
            case "Target.attachToTarget": {
              const targetInfo = {
                targetId,
                type: "page",
                title: "",
                url: "about:blank",
                attached: true,
                canAccessOpener: false
              }
              send({ method: "Target.attachedToTarget", params: { sessionId, targetInfo, waitingForDebugger: false } })
              return send({ id, result: { sessionId } })
            }
            case "Target.closeTarget":
              pages.delete(targetId)
              send({ method: "Target.detachedFromTarget", params: { sessionId, targetId } })
              return send({ id, result: { success: true } })
            default:
              return send({ id, result: {} })
          }
        }, count % 3)
      })
    })
    const { port } = server.address() as { readonly port: number }
    return {
      url: `ws://127.0.0.1:${port}/devtools/browser/one`,
      clients: () => server.clients.size,
      pages,
      cut: () => {
        for (const client of server.clients) client.terminate()
      }
    }
  }
)

const index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
const Where = Schema.Literals(["one", "two"])
const Step = Schema.TaggedUnion({
  Open: {},
  /** gives up an opening, or does nothing to a session that is open */
  GiveUp: { index },
  Close: { index },
  Change: { to: Where },
  /** the connections of a browser break */
  Cut: { where: Where },
  Wait: { ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })) }
})
const Steps = Schema.Array(Step).check(Schema.isMaxLength(16))

interface Opened {
  readonly scope: Scope.Closeable
  readonly at: "one" | "two"
  readonly fiber: Fiber.Fiber<BrowserSession, unknown>
  cut: boolean
  closed: boolean
}

describe("sessions at an endpoint that is changed, cut and given up at any moment", () => {
  it.live.prop(
    "leave no connection and no page behind, and none outlives its address",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const browsers = { one: yield* browserOf, two: yield* browserOf }
        const { endpoint, provider } = yield* makeCdpEndpointProvider({
          ...defaultBrowserConfig,
          cdpEndpoint: { url: Redacted.make(browsers.one.url) }
        })
        const opened: Array<Opened> = []
        let current: "one" | "two" = "one"
        for (const step of steps) {
          const chosen = step._tag === "GiveUp" || step._tag === "Close" ? opened[step.index] : undefined
          switch (step._tag) {
            case "Open": {
              const scope = yield* Scope.make()
              const opening = provider.open({ task: TaskKey.make(`task-${opened.length}`) }).pipe(Scope.provide(scope))
              const one: Opened = {
                scope,
                at: current,
                fiber: yield* Effect.forkChild(opening, { startImmediately: true }),
                cut: false,
                closed: false
              }
              opened.push(one)
              break
            }
            case "GiveUp":
              if (chosen !== undefined) yield* Fiber.interrupt(chosen.fiber)
              break
            case "Close":
              if (chosen !== undefined) {
                chosen.closed = true
                yield* Scope.close(chosen.scope, Exit.void)
              }
              break
            case "Change":
              current = step.to
              yield* endpoint.set(Redacted.make(browsers[step.to].url))
              break
            case "Cut":
              for (const one of opened) if (one.at === step.where) one.cut = true
              browsers[step.where].cut()
              break
            case "Wait":
              yield* Effect.sleep(step.ms)
          }
        }
        // who is open now
        for (const one of opened) {
          const exit = yield* Fiber.await(one.fiber)
          if (Exit.isFailure(exit) || one.at === current) continue
          // its address is another one now: it is over, whatever it was doing
          if (one.closed) {
            assert.strictEqual((yield* Effect.flip(exit.value.tabs))._tag, "SessionLost")
            continue
          }
          yield* exit.value.lost.pipe(
            Effect.timeoutOrElse({
              duration: "30 seconds",
              orElse: () => Effect.die("a session outlives its address")
            })
          )
        }
        for (const one of opened) yield* Scope.close(one.scope, Exit.void)
        for (const { clients, pages } of Object.values(browsers)) {
          while (clients() > 0) yield* Effect.sleep(1)
          // a page of a connection that broke is its browser's business
          if (!opened.some(({ cut }) => cut)) assert.strictEqual(pages.size, 0)
        }
      }).pipe(Effect.scoped, Effect.timeout("60 seconds"), Effect.provide(FetchHttpClient.layer), Effect.orDie),
    120_000
  )
})
