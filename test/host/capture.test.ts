import { assert, describe, it } from "@effect/vitest"
import { captureWay, emulatedAfter } from "../../host/core/capture.ts"
import { refusalCode } from "../../host/core/cdpRefusal.ts"

describe("how a picture is taken", () => {
  it("of what the view shows: natively; of anything else: by the protocol", () => {
    const way = (params: object, format: "png" | "jpeg" | "webp" = "png", emulated = false) =>
      captureWay({ format, params: { ...params }, emulated })
    assert.strictEqual(way({ format: "png" }), "native")
    assert.strictEqual(way({ format: "jpeg", quality: 80 }, "jpeg"), "native")
    assert.strictEqual(way({ format: "webp" }, "webp"), "protocol")
    assert.strictEqual(way({ clip: { x: 0, y: 0, width: 10, height: 10, scale: 1 } }), "protocol")
    assert.strictEqual(way({ captureBeyondViewport: true }), "protocol")
    assert.strictEqual(way({ format: "png" }, "png", true), "protocol")
  })

  it("a page seems to have another size from the command that says so until the one that takes it back", () => {
    assert.isTrue(emulatedAfter("Emulation.setDeviceMetricsOverride", false))
    assert.isTrue(emulatedAfter("Page.navigate", true))
    assert.isFalse(emulatedAfter("Emulation.clearDeviceMetricsOverride", true))
    assert.isFalse(emulatedAfter("Page.navigate", false))
  })
})

it("a refusal that comes as a text only gets the code that the protocol gives it", () => {
  assert.strictEqual(refusalCode("'Page.printToPDF' wasn't found"), -32_601)
  assert.strictEqual(refusalCode("Session with given id not found."), -32_001)
  assert.strictEqual(refusalCode("No dialog is showing"), -32_602)
  assert.strictEqual(refusalCode("Invalid parameters"), -32_602)
  assert.strictEqual(refusalCode("Cannot find context with specified id"), -32_000)
})
