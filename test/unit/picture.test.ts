import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { PNG } from "pngjs"
import { sizeOf } from "../../src/layers/page/picture.ts"

const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"))

/** Pictures of 37 by 23 pixels, drawn by Chromium. */
const drawn = {
  png: "iVBORw0KGgoAAAANSUhEUgAAACUAAAAXCAIAAAADThHyAAAAKUlEQVR4nOzNQREAAAQAMOf0j6oCDTy9tgKr7olHGb98Pp/P5/P5fLcFAAD//5Nz/ZoAAAAGSURBVAMAx0wDDAbj1p0AAAAASUVORK5CYII=",
  jpeg: "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAXACUDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAL/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwChAUAAAAAAAAAAP//Z",
  webp: "UklGRhwCAABXRUJQVlA4WAoAAAAgAAAAJAAAFgAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggLgAAADADAJ0BKiUAFwA/EYa8VywpJiOlaAGAIglpANJwDwqaCAAA/u89F4jrPOQQAAA=",
  lossless: "UklGRhoAAABXRUJQVlA4TA0AAAAvJIAFEAcQERGIiP4HAA=="
}

describe("sizeOf", () => {
  it("reads the size of pictures that Chromium drew", () => {
    for (const [format, picture] of Object.entries(drawn)) {
      assert.deepStrictEqual(sizeOf(bytes(picture)), { width: 37, height: 23 }, format)
    }
  })

  it.prop(
    "reads the size of every PNG",
    { width: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 }))) },
    ({ width }) => {
      const picture = new Uint8Array(PNG.sync.write(new PNG({ width, height: 2 * width })))
      assert.deepStrictEqual(sizeOf(picture), { width, height: 2 * width })
    },
    { arbitrary: { runs: 20 } }
  )

  it("reads the size of an extended WebP from its own header", () => {
    const header = [..."RIFF\0\0\0\0WEBPVP8X"].map((letter) => letter.charCodeAt(0))
    const extended = new Uint8Array([...header, 10, 0, 0, 0, 0, 0, 0, 0, 0x3f, 0x42, 0x0f, 0x01, 0, 0])
    assert.deepStrictEqual(sizeOf(extended), { width: 1_000_000, height: 2 })
  })

  it("reads pictures that lie inside a larger buffer", () => {
    const png = bytes(drawn.png)
    const padded = new Uint8Array(png.length + 7)
    padded.set(png, 7)
    assert.deepStrictEqual(sizeOf(padded.subarray(7)), { width: 37, height: 23 })
  })

  it("knows no size for what is cut short or no picture", () => {
    for (const picture of Object.values(drawn)) {
      for (let length = 0; length < 20; length++) assert.isUndefined(sizeOf(bytes(picture).slice(0, length)))
    }
    assert.isUndefined(sizeOf(new TextEncoder().encode("<!doctype html><p>not a picture at all</p>")))
  })
})
