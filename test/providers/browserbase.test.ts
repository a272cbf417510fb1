import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, Redacted, References, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { makeBrowserbaseProvider } from "../../src/layers/providers/browserbase/BrowserbaseProvider.ts"
import { decodeBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"

const Secret = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{12,32}$/))
const Secrets = Schema.Struct({ key: Secret, signingKey: Secret, projectId: Secret })
const Answer = Schema.Literals(["refuses", "rubbish", "wrong shape", "breaks off", "redirects", "names a dead address"])

/** Logs everything into `lines`. */
const capture = (lines: Array<string>) =>
  Layer.merge(
    Logger.layer([
      Logger.make((options) => lines.push(JSON.stringify(Logger.formatJson.log(options)))),
      Logger.make((options) => lines.push(Logger.formatLogFmt.log(options)))
    ]),
    Layer.succeed(References.MinimumLogLevel, "All")
  )

/** Everything that an exit shows. */
const shown = (exit: Exit.Exit<unknown, unknown>): string =>
  [JSON.stringify(exit), String(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""].join("\n")

/** A service that answers as it is told to, and gives back every secret that it has seen. */
const service = (answer: typeof Answer.Type, { signingKey, key }: typeof Secrets.Type) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const made = createServer((request, response) => {
        const seen = `${JSON.stringify(request.headers)} ${key} ${signingKey}`
        const json = (status: number, body: object) =>
          response
            .writeHead(status, { "content-type": "application/json", connection: "close" })
            .end(JSON.stringify(body))
        const address = `ws://127.0.0.1:9/?signingKey=${signingKey}`
        switch (answer) {
          case "refuses":
            return json(401, { message: seen })
          case "rubbish":
            return response.writeHead(200, { connection: "close" }).end(seen)
          case "wrong shape":
            return json(200, { id: signingKey, connectUrl: 1, seen })
          case "breaks off":
            return response.writeHead(200, { "content-length": "9999" }).write(seen, () => response.destroy())
          case "redirects":
            return response.writeHead(302, { location: `http://127.0.0.1:9/${signingKey}`, connection: "close" }).end()
          case "names a dead address":
            return json(201, { id: "session-1", connectUrl: address })
        }
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.callback<void>((resume) => {
        made.close(() => resume(Effect.void))
        made.closeAllConnections()
      })
  )

describe("what is secret about Browserbase", () => {
  it.live.prop(
    "reaches no error and no log line, whatever the service answers",
    { secrets: Secrets, answer: Answer },
    ({ answer, secrets }) =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const { port } = (yield* service(answer, secrets)).address() as AddressInfo
        const config = yield* decodeBrowserConfig({ browserbase: { apiUrl: `http://127.0.0.1:${port}` } })
        const provider = yield* makeBrowserbaseProvider(config, {
          key: Redacted.make(secrets.key),
          projectId: secrets.projectId
        })
        const exit = yield* Effect.exit(Effect.scoped(provider.open({ task: TaskKey.make("task") }))).pipe(
          Effect.provide(capture(lines))
        )
        assert.isTrue(Exit.isFailure(exit), answer)
        assert.include(shown(exit), "ConnectionLost")
        for (const text of [shown(exit), ...lines]) {
          for (const secret of [secrets.key, secrets.signingKey]) assert.notInclude(text, secret, answer)
        }
      }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer), Effect.orDie)
  )
})
