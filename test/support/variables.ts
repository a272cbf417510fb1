import { Effect } from "effect"

/** Sets a variable of this process until the scope closes; undefined removes it. */
export const withVariable = (name: string, value: string | undefined) => {
  const set = (text: string | undefined) => {
    if (text === undefined) delete process.env[name]
    else process.env[name] = text
  }
  return Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env[name]
      set(value)
      return before
    }),
    (before) => Effect.sync(() => set(before))
  )
}
