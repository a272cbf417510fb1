import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Thumbs from "../../host/core/thumbnails.ts"
import { HostTaskId } from "../../src/schemas/HostProtocol.ts"

const side = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8_000 }))
const task = (number: number) => HostTaskId.make(`task-${number}`)

describe("the small pictures of tasks", () => {
  it.prop("keep the shape of the page, and no side is longer than 288", { width: side, height: side }, (picture) => {
    const { height, width } = Thumbs.thumbnailSize(picture)
    assert.isAtMost(Math.max(width, height), Thumbs.thumbnailSide)
    assert.isAtLeast(Math.min(width, height), 1)
    if (Math.max(picture.width, picture.height) >= Thumbs.thumbnailSide) {
      assert.strictEqual(Math.max(width, height), Thumbs.thumbnailSide)
    }
  })

  it("are taken 2 seconds apart", () => {
    const begun = Thumbs.captureBegan(Thumbs.noThumbnails, 1_000)
    assert.isTrue(Thumbs.mayCapture(Thumbs.noThumbnails, 0))
    assert.isFalse(Thumbs.mayCapture(begun, 2_999))
    assert.isTrue(Thumbs.mayCapture(begun, 3_000))
  })

  it("that are too large or empty are not kept, and take nothing away", () => {
    const one = Thumbs.keep(Thumbs.noThumbnails, task(1), { dataUrl: "a", bytes: Thumbs.thumbnailBytes }, undefined)
    for (const bytes of [0, Thumbs.thumbnailBytes + 1]) {
      assert.strictEqual(Thumbs.keep(one, task(1), { dataUrl: "b", bytes }, undefined), one)
    }
  })

  it("have a version that goes up only when the picture changes", () => {
    const put = (state: Thumbs.Thumbnails, dataUrl: string) =>
      Thumbs.keep(state, task(1), { dataUrl, bytes: 1 }, undefined)
    const versions = ["a", "a", "b", "b", "a"].reduce<{
      readonly state: Thumbs.Thumbnails
      readonly seen: Array<number>
    }>(
      ({ seen, state }, image) => {
        const next = put(state, image)
        return { state: next, seen: [...seen, next.kept.get(task(1))?.version ?? 0] }
      },
      { state: Thumbs.noThumbnails, seen: [] }
    )
    assert.deepStrictEqual(versions.seen, [1, 1, 2, 2, 3])
  })

  it("are 32 at the most: the one that was used longest ago goes, but never that of the visible task", () => {
    const full = Array.from({ length: 40 }, (_, number) => number).reduce(
      (state, number) => Thumbs.keep(state, task(number), { dataUrl: `${number}`, bytes: 1 }, task(0)),
      Thumbs.noThumbnails
    )
    assert.strictEqual(full.kept.size, Thumbs.thumbnailsKept)
    assert.isTrue(full.kept.has(task(0)))
    assert.isFalse(full.kept.has(task(1)))
    assert.isTrue(full.kept.has(task(39)))
    assert.isFalse(Thumbs.forget(full, task(0)).kept.has(task(0)))
  })
})
