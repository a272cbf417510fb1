import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Dispatcher } from "../../host/Dispatcher.ts"
import type { Handlers } from "../../host/core/Handlers.ts"
import { ViewUnknown } from "../../src/schemas/errors.ts"
import { type HostErrorJson, ViewId } from "../../src/schemas/HostProtocol.ts"

/** A dispatcher over the given handlers, and what it answered and took back. */
const make = (handlers: Partial<Handlers>) => {
  const replies: Array<readonly [number, unknown]> = []
  const refusals: Array<readonly [number, HostErrorJson]> = []
  const abandoned: Array<readonly [string, unknown]> = []
  const dispatcher = new Dispatcher(
    { abandoned: (operation: string, result: unknown) => abandoned.push([operation, result]), ...handlers } as Handlers,
    { reply: (id, result) => replies.push([id, result]), refuse: (id, err) => refusals.push([id, err]) }
  )
  const ask = (id: number, op: string, params: object = {}) => dispatcher.take(JSON.stringify({ id, op, params }))
  return { ask, replies, refusals, abandoned, take: (line: string) => dispatcher.take(line) }
}

const turn = Effect.promise(() => Promise.resolve())

describe("the host", () => {
  it.effect("answers each request once, in whatever order they end", () =>
    Effect.gen(function* () {
      let end = (_: object) => {}
      const { ask, replies } = make({
        ping: () => ({}),
        capture: () =>
          new Promise((resolve) => {
            end = resolve as (result: object) => void
          })
      })
      ask(1, "capture", { viewId: "v1", format: "png", params: {} })
      ask(2, "ping")
      end({ data: "", way: "native" })
      yield* turn
      assert.deepStrictEqual(
        replies.map(([id]) => id),
        [2, 1]
      )
    })
  )

  it.effect("refuses with the error that was thrown, at once or later, and with a text for any other", () =>
    Effect.gen(function* () {
      const { ask, refusals } = make({
        showView: ({ viewId }) => {
          throw new ViewUnknown({ viewId })
        },
        destroyView: () => Promise.reject(new Error("it broke"))
      })
      ask(1, "showView", { viewId: "v9" })
      ask(2, "destroyView", { viewId: "v9" })
      yield* turn
      yield* turn
      assert.deepStrictEqual(
        refusals.map(([id, { code }]) => [id, code]),
        [
          [1, "BROWSER_VIEW_UNKNOWN"],
          [2, "BROWSER_HOST_REFUSED"]
        ]
      )
      assert.include(refusals[1]?.[1].message, "it broke")
    })
  )

  it("refuses parameters that do not fit, one field more included, and drops what is no request", () => {
    const { ask, refusals, replies, take } = make({ showView: () => ({}), ping: () => ({}) })
    ask(1, "showView", { viewId: "v1", more: 1 })
    ask(2, "showView", {})
    for (const line of ["", "{", "[]", "1", '{"op":"ping"}', '{"id":3,"op":"nothing"}', '{"id":-1,"op":"ping"}'])
      take(line)
    assert.deepStrictEqual(
      refusals.map(([id]) => id),
      [1, 2]
    )
    assert.lengthOf(replies, 0)
  })

  it.effect("does not answer a call that was given up, and takes back what came of it", () =>
    Effect.gen(function* () {
      let end = (_: object) => {}
      const { abandoned, ask, replies } = make({
        createView: () =>
          new Promise((resolve) => {
            end = resolve as (result: object) => void
          })
      })
      ask(1, "createView", { taskId: "t", background: false })
      ask(2, "cancel", { target: 1 })
      const made = { viewId: ViewId.make("v1"), targetId: "T" }
      end(made)
      yield* turn
      assert.lengthOf(replies, 0)
      assert.deepStrictEqual(abandoned, [["createView", made]])
    })
  )
})
