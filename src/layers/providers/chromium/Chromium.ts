/** The one browser that all sessions of the provider share. */
import { Effect, type Scope } from "effect"
import { makeShared, type Shared } from "../../cdp/SharedConnection.ts"
import type { LaunchError, RunningChromium } from "./launch.ts"

/** What sharing needs to know of a browser. */
type Shareable = Pick<RunningChromium, "connection" | "exited" | "pid">

export type SharedChromium<B extends Shareable> = Shared<B, LaunchError>

/** A browser for the life of the scope; `launch` starts it, and starts it anew after its end. */
export const makeSharedChromium = <B extends Shareable>(
  launch: Effect.Effect<B, LaunchError, Scope.Scope>
): Effect.Effect<SharedChromium<B>, never, Scope.Scope> =>
  makeShared(launch, {
    isClosed: ({ connection }) => connection.isClosed(),
    ended: ({ connection, exited }) =>
      Effect.raceFirst(
        Effect.map(connection.closed, (lost) => lost.reason),
        Effect.map(exited, ({ code, signal }) => `it ended with ${signal ?? `code ${code}`}`)
      ),
    name: ({ pid }) => `browser (process ${pid})`
  })
