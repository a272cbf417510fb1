/**
 * Connecting to an address, again and again: a browser that was reached before gets some time to come back, one that
 * never was gets none, and nobody is tried for ever (seed-systems L6).
 */
import { Effect, Schedule, type Redacted, type Scope } from "effect"
import type { HttpClient } from "effect/http"
import { ConnectionLost } from "../../../schemas/errors.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import { startWithin } from "../../../services/Timeouts.ts"
import { connect, resolveEndpoint } from "../../cdp/CdpWebSocket.ts"

/** Tries after the connection was lost, the first one included. */
const tries = 5

/** Waits between them: 0.5 s, doubled up to 10 s, with jitter. */
const backoff = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("10 seconds")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: tries - 1 })
)

/** Time (ms) for all tries together: less than opening a session has. */
const budget = 40_000

export interface EndpointConnector {
  /**
   * A connection of its own for whoever asks, until the scope closes: a backend may give each connection a browser of
   * its own, so nothing is shared (L7).
   *
   * Fails with `ConnectionLost` when the address cannot be used or reached.
   */
  readonly connect: Effect.Effect<CdpConnection["Service"], ConnectionLost, Scope.Scope | HttpClient.HttpClient>
}

/** A connector to one address. `label` stands for it in log lines. */
export const makeEndpointConnector = (address: Redacted.Redacted<string>, label: string): EndpointConnector => {
  let reached = false
  const once = Effect.flatMap(resolveEndpoint(address), (resolved) => connect(resolved))
  return {
    connect: Effect.suspend(() =>
      reached
        ? once.pipe(
            Effect.tapError(({ reason }) => Effect.logDebug(`The browser at ${label} is not back yet: ${reason}`)),
            Effect.retry(backoff),
            Effect.tapError(({ reason }) => {
              // from now on a failure is told at once, until it is reached again
              reached = false
              return Effect.logWarning(`The browser at ${label} did not come back in ${tries} tries: ${reason}`)
            })
          )
        : once
    ).pipe(
      startWithin("connecting to the browser", budget),
      Effect.catchTag("OperationTimeout", () =>
        Effect.fail(new ConnectionLost({ reason: `${label} did not answer within ${budget} ms` }))
      ),
      Effect.tap(() =>
        Effect.sync(() => {
          reached = true
        })
      )
    )
  }
}
