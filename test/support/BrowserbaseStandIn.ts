/** A stand-in for Browserbase: its REST API, and before a real browser the proxy that answers dialogs itself. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Schema, type Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { type DismissingProxy, dismissingProxy } from "./DismissingProxy.ts"

const strict = { onExcessProperty: "error" } as const

/** Bodies as the API documents them. */
const Create = Schema.Struct({
  projectId: Schema.optionalKey(Schema.String),
  keepAlive: Schema.optionalKey(Schema.Boolean),
  timeout: Schema.optionalKey(Schema.Int),
  region: Schema.optionalKey(Schema.String)
})
const Update = Schema.Struct({
  projectId: Schema.optionalKey(Schema.String),
  status: Schema.Literal("REQUEST_RELEASE")
})

export interface StandInSession {
  readonly id: string
  readonly body: typeof Create.Type
  status: "RUNNING" | "COMPLETED"
}

export interface BrowserbaseStandIn {
  readonly apiUrl: string
  readonly key: string
  /** signing key in the addresses that it gives out */
  readonly signingKey: string
  readonly sessions: ReadonlyArray<StandInSession>
  readonly proxy: DismissingProxy
  /** answers the next creations with a status, or with this status until `undefined` */
  readonly refuse: (status: number | undefined) => void
  /** ms until a creation is answered */
  readonly delay: (ms: number) => void
}

/** Starts the stand-in before the browser at `upstream`, for the life of the scope. */
export const browserbaseStandIn = (upstream: string): Effect.Effect<BrowserbaseStandIn, never, Scope.Scope> =>
  Effect.gen(function* () {
    const key = "bb_live_stand_in_key"
    const signingKey = "signing-key-of-the-stand-in"
    const proxy = yield* dismissingProxy(upstream, { path: `/?signingKey=${signingKey}` })
    const sessions: Array<StandInSession> = []
    let refused: number | undefined
    let delay = 0

    const authorized = Effect.map(
      HttpServerRequest.HttpServerRequest,
      (request) => request.headers["x-bb-api-key"] === key
    )
    const unauthorized = HttpServerResponse.json({ message: `no access for what you sent` }, { status: 401 })
    const shown = ({ body, id, status }: StandInSession) => ({
      id,
      status,
      projectId: body.projectId ?? "own",
      keepAlive: body.keepAlive ?? false,
      region: body.region ?? "us-west-2",
      signingKey,
      connectUrl: proxy.webSocketUrl
    })
    const create = Effect.gen(function* () {
      if (!(yield* authorized)) return yield* unauthorized
      if (refused !== undefined) return yield* HttpServerResponse.json({ message: "refused" }, { status: refused })
      const body = yield* HttpServerRequest.schemaBodyJson(Create, strict)
      const session: StandInSession = { id: `session-${sessions.length + 1}`, body, status: "RUNNING" }
      sessions.push(session)
      yield* Effect.sleep(delay)
      return yield* HttpServerResponse.json(shown(session), { status: 201 })
    })
    const update = Effect.gen(function* () {
      if (!(yield* authorized)) return yield* unauthorized
      const { id } = yield* HttpRouter.schemaPathParams(Schema.Struct({ id: Schema.String }))
      yield* HttpServerRequest.schemaBodyJson(Update, strict)
      const session = sessions.find((one) => one.id === id)
      if (session === undefined) return yield* HttpServerResponse.json({ message: "unknown" }, { status: 404 })
      session.status = "COMPLETED"
      return yield* HttpServerResponse.json(shown(session))
    })
    const badBody = () => HttpServerResponse.json({ message: "bad body" }, { status: 400 })
    const routes = HttpRouter.use((router) =>
      Effect.andThen(
        router.add("POST", "/v1/sessions", Effect.catchTag(create, "SchemaError", badBody)),
        router.add("POST", "/v1/sessions/:id", Effect.catchTag(update, "SchemaError", badBody))
      )
    )
    const served = HttpRouter.serve(routes, { disableListenLog: true, disableLogger: true }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
      Layer.orDie
    )
    const context = yield* Layer.build(served)
    const { address } = yield* Effect.provide(HttpServer.HttpServer, context)
    const port = NetAddress.isInetAddress(address) ? address.port : 0
    return {
      apiUrl: `http://127.0.0.1:${port}`,
      key,
      signingKey,
      sessions,
      proxy,
      refuse: (status) => {
        refused = status
      },
      delay: (ms) => {
        delay = ms
      }
    }
  })
