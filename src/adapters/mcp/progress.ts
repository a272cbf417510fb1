/** Progress notifications: what a long call reports, and that it is still under way. */
import { Effect, Predicate } from "effect"
import { McpSchema } from "effect/ai"
import type { McpServer } from "effect/ai"
import { Progress } from "../../services/Progress.ts"

/** ms of silence after which a call says that it goes on */
const heartbeat = 4_000

const progressToken = Effect.map(McpSchema.McpRequestContext, ({ requestMetadata }) => {
  const token = Predicate.hasProperty(requestMetadata, "progressToken") ? requestMetadata.progressToken : undefined
  return Predicate.isString(token) || Predicate.isNumber(token) ? token : undefined
})

/** Runs a call whose client gets progress notifications if it asked for them. */
export const withProgress =
  (server: McpServer.McpServer["Service"], operation: string) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | McpSchema.McpRequestContext> =>
    Effect.gen(function* () {
      const token = yield* progressToken
      if (token === undefined) return yield* call
      let step = 0
      let silentSince = 0
      const tell = (message: string) =>
        Effect.suspend(() => {
          step += 1
          silentSince = step
          return server.notifications["notifications/progress"]({ progressToken: token, progress: step, message })
        })
      let beats = 0
      const beat = Effect.suspend(() => {
        const before = silentSince
        beats += 1
        return Effect.andThen(
          Effect.sleep(heartbeat),
          Effect.suspend(() =>
            silentSince === before
              ? tell(`${operation} is still under way (about ${Math.round((beats * heartbeat) / 1_000)} s)`)
              : Effect.void
          )
        )
      })
      yield* tell(`${operation} began`)
      yield* Effect.forkChild(Effect.forever(beat))
      return yield* Effect.provideService(call, Progress, tell)
    })
