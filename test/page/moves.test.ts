/** What was put elsewhere between two looks at a page. */
import { assert, it } from "@effect/vitest"
import { moves } from "../../src/layers/page/SnapshotModel.ts"
import type { FrameId } from "../../src/schemas/ids.ts"

const element = (ref: number) => ({
  ref,
  kind: "text",
  label: `${ref}`,
  loc: "",
  x: 0,
  y: 0,
  width: 1,
  height: 1
})
const listed = (ref: number) => ({
  element: element(ref),
  origin: { frameId: "F" as FrameId, loaderId: "L", key: ref, fp: 0 }
})
const before = (refs: ReadonlyArray<number>) => new Map(refs.map((ref) => [ref, element(ref)]))

it("one element that was put elsewhere is told, and nothing else, whatever came and went beside it", () => {
  assert.deepStrictEqual(moves(before([1, 2, 3, 4]), [4, 1, 2, 3].map(listed)), [{ ref: 4, before: 1 }])
  assert.deepStrictEqual(moves(before([1, 2, 3, 4]), [2, 9, 3, 1].map(listed)), [{ ref: 1 }])
  assert.deepStrictEqual(moves(before([1, 2, 3, 4]), [7, 1, 3, 8].map(listed)), [])
})

const orders = (refs: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> =>
  refs.length === 0
    ? [[]]
    : refs.flatMap((ref) => orders(refs.filter((other) => other !== ref)).map((rest) => [ref, ...rest]))

it("the moves that are told lead from the order before to the one of now", () => {
  const first = [1, 2, 3, 4, 5, 6]
  for (const now of orders(first)) {
    const told = moves(before(first), now.map(listed))
    const order = first.filter((ref) => !told.some((move) => move.ref === ref))
    for (const move of told.toReversed()) {
      order.splice(move.before === undefined ? order.length : order.indexOf(move.before), 0, move.ref)
    }
    assert.deepStrictEqual(order, now)
    assert.isBelow(told.length, first.length)
  }
})
