import { assert, describe, it } from "@effect/vitest"
import type { Protocol } from "devtools-protocol"
import { decodeEvent } from "../../src/layers/supervisor/decodeEvent.ts"
import { maskUrl } from "../../src/layers/supervisor/maskUrl.ts"
import { consoleText, remoteText } from "../../src/layers/supervisor/remoteText.ts"
import { CdpSessionId } from "../../src/schemas/ids.ts"

const session = CdpSessionId.make("s")

describe("protocol events", () => {
  const kinds: ReadonlyArray<readonly [Protocol.Runtime.RemoteObject, string]> = [
    [{ type: "undefined" }, "undefined"],
    [{ type: "object", subtype: "null", value: null }, "null"],
    [{ type: "boolean", value: false }, "false"],
    [{ type: "number", value: 0, description: "0" }, "0"],
    [{ type: "number", unserializableValue: "-0", description: "-0" }, "-0"],
    [{ type: "number", unserializableValue: "NaN", description: "NaN" }, "NaN"],
    [{ type: "bigint", unserializableValue: "10n", description: "10n" }, "10n"],
    [{ type: "string", value: "" }, ""],
    [{ type: "symbol", description: "Symbol(a)" }, "Symbol(a)"],
    [{ type: "function", className: "Function", description: "() => 1" }, "() => 1"],
    [{ type: "object", subtype: "error", description: "Error: no\n    at x" }, "Error: no\n    at x"],
    [{ type: "object", description: "Object" }, "Object"]
  ]
  it("a value of each kind is shown by its type, falsy ones too", () => {
    for (const [value, text] of kinds) assert.strictEqual(remoteText(value), text)
    assert.strictEqual(consoleText(kinds.slice(0, 4).map(([value]) => value)), "undefined null false 0")
  })

  it("a console line is cut", () => {
    assert.isBelow(consoleText([{ type: "string", value: "x".repeat(1_000_000) }]).length, 2_100)
  })

  it("a frame without host in its origin is opaque, and its fragment belongs to its URL", () => {
    const frame = {
      id: "f",
      parentId: "p",
      loaderId: "l",
      url: "about:srcdoc",
      urlFragment: "#x",
      securityOrigin: "://",
      name: "n"
    } as Protocol.Page.Frame
    const event = decodeEvent({ method: "Page.frameNavigated", params: { frame, type: "Navigation" } }, session, 1)
    assert.deepStrictEqual(event, {
      _tag: "FrameNavigated",
      at: 1,
      sessionId: session,
      restored: false,
      frame: { id: "f", parentId: "p", url: "about:srcdoc#x", origin: "null", name: "n" }
    } as never)
  })

  it("a dialog without frame, as older browsers tell it, is decoded without one", () => {
    const params = { url: "http://a.test/", message: "m", type: "alert", hasBrowserHandler: true }
    const event = decodeEvent({ method: "Page.javascriptDialogOpening", params: params as never }, session, 1)
    assert.deepStrictEqual(event, {
      _tag: "DialogOpening",
      at: 1,
      sessionId: session,
      type: "alert",
      message: "m",
      defaultPrompt: ""
    })
  })

  it("URLs of requests show no user info and no value that is named like a secret", () => {
    assert.strictEqual(
      maskUrl("https://me:pw@a.test/x?page=2&access_token=abc&api_key=1&X-Amz-Signature=s"),
      "https://***:***@a.test/x?page=2&access_token=***&api_key=***&X-Amz-Signature=***"
    )
    assert.strictEqual(maskUrl("https://a.test/x?page=2"), "https://a.test/x?page=2")
    assert.strictEqual(maskUrl("data:text/plain,a?b@c"), "data:text/plain,a?b@c")
  })
})
