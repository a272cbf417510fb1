import { assert, describe, it } from "@effect/vitest"
import {
  followed,
  nothingTracked,
  type PageTrack,
  untoldFrames,
  withPlainAddresses
} from "../../host/core/pageTrack.ts"

const after = (events: ReadonlyArray<readonly [string, object]>, start: PageTrack = nothingTracked) =>
  events.reduce((track, [method, params]) => followed(track, method, params).track, start)

const navigated = (id: string, loaderId: string, parentId?: string) =>
  ["Page.frameNavigated", { frame: { id, loaderId, ...(parentId === undefined ? {} : { parentId }) } }] as const

const requested = (requestId: string, frameId: string, type = "Document") =>
  ["Network.requestWillBeSent", { requestId, frameId, type }] as const

const tree = {
  frame: { id: "top", loaderId: "L1" },
  childFrames: [
    {
      frame: { id: "a", parentId: "top", loaderId: "L2" },
      childFrames: [{ frame: { id: "b", parentId: "a", loaderId: "L3" } }]
    },
    { frame: { id: "c", parentId: "top", loaderId: "L4" } }
  ]
}

describe("frames that the page's session has not told of", () => {
  it("are told of with their documents, parents first", () => {
    const told = untoldFrames(after([navigated("top", "L1")]), tree)
    assert.deepStrictEqual(
      told.map(({ method, params }) => [
        method,
        "frameId" in params ? params.frameId : (params as { readonly frame: { readonly id: string } }).frame.id
      ]),
      [
        ["Page.frameAttached", "a"],
        ["Page.frameNavigated", "a"],
        ["Page.frameAttached", "b"],
        ["Page.frameNavigated", "b"],
        ["Page.frameAttached", "c"],
        ["Page.frameNavigated", "c"]
      ]
    )
  })

  it("are not told of twice, and of one that is known only a new document is told", () => {
    const known = after([
      navigated("top", "L1"),
      navigated("a", "L2", "top"),
      navigated("b", "old", "a"),
      navigated("c", "L4", "top")
    ])
    assert.deepStrictEqual(
      untoldFrames(known, tree).map(({ method }) => method),
      ["Page.frameNavigated"]
    )
  })

  it("go with the document of the page, and when they are removed, but not when they change their process", () => {
    const known = after([navigated("top", "L1"), navigated("a", "L2", "top"), navigated("b", "L3", "top")])
    const left = after(
      [
        ["Page.frameDetached", { frameId: "a", reason: "swap" }],
        ["Page.frameDetached", { frameId: "b", reason: "remove" }]
      ],
      known
    )
    assert.deepStrictEqual([...left.frames.keys()], ["top", "a"])
    assert.deepStrictEqual([...after([navigated("top", "L9")], left).frames.keys()], ["top"])
  })
})

it("a frame without a document has the address that later versions give it", () => {
  const plain = withPlainAddresses({
    frame: { id: "top", loaderId: "L1", url: "http://a/" },
    childFrames: [{ frame: { id: "a", loaderId: "", url: ":" } }]
  })
  assert.strictEqual(plain.frame.url, "http://a/")
  assert.strictEqual(plain.childFrames?.[0]?.frame.url, "about:blank")
})

describe("the request for a document that goes to another process", () => {
  it("ends with the swap of its frame, once", () => {
    const under = after([requested("r1", "a"), requested("r2", "a", "Image"), requested("r3", "b")])
    const swap = followed(under, "Page.frameDetached", { frameId: "a", reason: "swap" })
    assert.deepStrictEqual(
      swap.told.map(({ method, params }) => [method, (params as { readonly requestId: string }).requestId]),
      [["Network.loadingFinished", "r1"]]
    )
    assert.lengthOf(followed(swap.track, "Page.frameDetached", { frameId: "a", reason: "swap" }).told, 0)
  })

  it("is left alone if its end was told", () => {
    for (const method of ["Network.loadingFinished", "Network.loadingFailed"]) {
      const ended = after([requested("r1", "a"), [method, { requestId: "r1" }]])
      assert.lengthOf(followed(ended, "Page.frameDetached", { frameId: "a", reason: "swap" }).told, 0)
    }
  })
})
