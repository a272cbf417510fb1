/**
 * The part of Browserbase's REST API that sessions need: create one, release it
 * (https://docs.browserbase.com/reference/api).
 *
 * The key goes into a header of these two requests and nowhere else; redirects are not followed, since they would carry
 * it along.
 */
import { Effect, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import type { BrowserbaseConfig } from "../../../schemas/config.ts"
import { ConnectionLost } from "../../../schemas/errors.ts"

/** Time (ms) for one request. */
const budget = 30_000

/** A browser in the cloud that was started for us. The address holds a signing key. */
export interface CloudSession {
  readonly id: string
  readonly address: Redacted.Redacted<string>
}

export interface BrowserbaseApi {
  /** Starts a browser. Sent once: it costs money. Fails with `ConnectionLost` that says what to do. */
  readonly create: Effect.Effect<CloudSession, ConnectionLost>
  /** Ends it. Fails with `ConnectionLost`; it then ends by itself at its time limit, or with its connection. */
  readonly release: (id: string) => Effect.Effect<void, ConnectionLost>
}

const CreatedSession = Schema.Struct({ id: Schema.NonEmptyString, connectUrl: Schema.NonEmptyString })

const hints: Record<number, string> = {
  401: "check BROWSERBASE_API_KEY",
  402: "the plan does not allow it",
  403: "the key may not use this project",
  404: "check the project id",
  429: "as many sessions as the plan allows are open"
}

/** The API for one key and project. */
export const makeBrowserbaseApi = (
  client: HttpClient.HttpClient,
  key: Redacted.Redacted<string>,
  config: BrowserbaseConfig,
  projectId: string | undefined
): BrowserbaseApi => {
  const { host } = new URL(config.apiUrl)

  /** Posts a body; what fails names neither key nor body. */
  const post = (path: string, body: object, what: string) =>
    HttpClientRequest.post(`${config.apiUrl.replace(/\/+$/, "")}${path}`).pipe(
      HttpClientRequest.setHeader("X-BB-API-Key", Redacted.value(key)),
      HttpClientRequest.bodyJsonUnsafe(body),
      (request) => client.execute(request),
      Effect.flatMap(HttpClientResponse.filterStatusOk),
      // a span of the client would carry the headers
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "error" }),
      Effect.timeoutOrElse({
        duration: budget,
        orElse: () => Effect.fail(new ConnectionLost({ reason: `${host} did not answer within ${budget} ms ${what}` }))
      }),
      Effect.catchTag("HttpClientError", ({ reason }) => {
        if (reason._tag !== "StatusCodeError") {
          return Effect.fail(new ConnectionLost({ reason: `${host} could not be asked ${what} (${reason._tag})` }))
        }
        const { status } = reason.response
        const hint = hints[status]
        return Effect.fail(
          new ConnectionLost({ reason: `${host} answered ${status} ${what}${hint === undefined ? "" : `: ${hint}`}` })
        )
      })
    )

  const project = projectId === undefined ? {} : { projectId }
  return {
    create: post(
      "/v1/sessions",
      {
        ...project,
        keepAlive: config.keepAlive,
        ...(config.timeoutSeconds === undefined ? {} : { timeout: config.timeoutSeconds }),
        ...(config.region === undefined ? {} : { region: config.region })
      },
      "for a session"
    ).pipe(
      Effect.flatMap(HttpClientResponse.schemaBodyJson(CreatedSession)),
      Effect.map(({ connectUrl, id }) => ({ id, address: Redacted.make(connectUrl, { label: "endpoint" }) })),
      Effect.catchTags({
        SchemaError: () => Effect.fail(new ConnectionLost({ reason: `${host} named no session that it started` })),
        HttpClientError: () => Effect.fail(new ConnectionLost({ reason: `${host} broke off its answer` }))
      })
    ),
    release: (id) =>
      Effect.asVoid(
        post(`/v1/sessions/${encodeURIComponent(id)}`, { ...project, status: "REQUEST_RELEASE" }, "to end a session")
      )
  }
}
