import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { barHeight, layout, pageSize, type Placement, placementChanges, strip } from "../../host/core/layout.ts"
import { ViewId } from "../../src/schemas/HostProtocol.ts"

const side = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4_000 }))
const index = Schema.Int.check(Schema.isBetween({ minimum: -1, maximum: 9 }))
const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
const input = { width: side, height: side, count, front: index, awake: count }

const all = (count: number) => Array.from({ length: count }, (_, at) => ViewId.make(`v${at}`))

describe("wherever views are placed", () => {
  it.prop(
    "one is in front and has the whole page; one that is kept awake shows only in the strip below it",
    input,
    ({ awake, count, front, height, width }) => {
      const views = all(count)
      const page = { width, height }
      const places = layout({ views, page, front: views[front], awake: new Set(views.slice(awake, awake + 1)) })
      assert.lengthOf(places, count)
      for (const { bounds, viewId, visible } of places) {
        assert.strictEqual(visible, viewId === views[front] || viewId === views[awake])
        // the size of the page is always the same: nothing is laid out anew
        assert.deepStrictEqual({ width: bounds.width, height: bounds.height }, page)
        assert.strictEqual(bounds.y, barHeight + (visible && viewId !== views[front] ? height : 0))
        assert.strictEqual(bounds.x, 0)
      }
    },
    { arbitrary: { runs: 200 } }
  )

  it.prop(
    "only what differs is changed, and afterwards everything is as it should be",
    { before: Schema.Struct(input), after: Schema.Struct(input) },
    ({ after, before }) => {
      const places = (at: typeof after) =>
        layout({
          views: all(at.count),
          page: { width: at.width, height: at.height },
          front: all(at.count)[at.front],
          awake: new Set(all(at.count).slice(at.awake, at.awake + 1))
        })
      const state = new Map<ViewId, Placement>(places(before).map((place) => [place.viewId, place]))
      for (const { moves, placement, toggles } of placementChanges(state, places(after))) {
        const old = state.get(placement.viewId)
        assert.isTrue(moves || toggles)
        state.set(placement.viewId, {
          viewId: placement.viewId,
          visible: toggles || old === undefined ? placement.visible : old.visible,
          bounds: moves || old === undefined ? placement.bounds : old.bounds
        })
      }
      for (const place of places(after)) assert.deepStrictEqual(state.get(place.viewId), place)
      assert.lengthOf(placementChanges(state, places(after)), 0)
    },
    { arbitrary: { runs: 200 } }
  )
})

describe("the size of pages", () => {
  it("follows the window, less its bar and the strip, and stays what it was in a window without a size", () => {
    const last = { width: 800, height: 600 }
    assert.deepStrictEqual(pageSize({ width: 1280, height: 842 }, last), {
      width: 1280,
      height: 842 - barHeight - strip
    })
    assert.deepStrictEqual(pageSize({ width: 0, height: 0 }, last), last)
    assert.deepStrictEqual(pageSize({ width: 1280, height: barHeight + strip }, last), last)
    assert.deepStrictEqual(pageSize({ width: 1, height: barHeight + strip + 1 }, last), { width: 1, height: 1 })
  })
})
