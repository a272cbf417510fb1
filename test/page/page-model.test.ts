import { assert, describe, it } from "@effect/vitest"
import type { Protocol } from "devtools-protocol"
import { PageModel } from "../../src/layers/page/PageModel.ts"
import type { CdpSessionId, FrameId } from "../../src/schemas/ids.ts"
import type { CdpEvent } from "../../src/services/CdpConnection.ts"

const main = "main" as FrameId

const model = () => new PageModel(main, "session" as CdpSessionId)

const event = (method: string, params: object) => ({ method, params }) as unknown as CdpEvent

const document = (loaderId: string) =>
  event("Page.frameNavigated", { frame: { id: main, loaderId, url: `http://a.test/${loaderId}` }, type: "Navigation" })

describe("downloads under way", () => {
  it("are those that the present document began", () => {
    const page = model()
    page.apply(document("one"))
    page.download({ url: "http://a.test/file", suggestedName: "file", state: "running" })
    assert.strictEqual(page.downloadsSince(-1), 1)
    page.apply(document("two"))
    assert.strictEqual(page.downloadsSince(-1), 0)
    page.download({ url: "http://a.test/other", suggestedName: "other", state: "running" })
    assert.strictEqual(page.downloadsSince(-1), 1)
  })
})

describe("the question whether to leave", () => {
  it("ends the navigation exactly if the answer is to stay", () => {
    for (const result of [true, false]) {
      const page = model()
      page.apply(event("Page.frameRequestedNavigation", { frameId: main, disposition: "currentTab" }))
      page.apply(event("Page.javascriptDialogOpening", { type: "beforeunload" }))
      assert.isTrue(page.navigating)
      page.apply(event("Page.javascriptDialogClosed", { result }))
      assert.strictEqual(page.navigating, result)
    }
  })

  it("is not mistaken for another dialog", () => {
    const page = model()
    page.apply(event("Page.frameRequestedNavigation", { frameId: main, disposition: "currentTab" }))
    page.apply(event("Page.javascriptDialogOpening", { type: "confirm" }))
    page.apply(event("Page.javascriptDialogClosed", { result: false }))
    assert.isTrue(page.navigating)
  })
})

describe("the request of a document", () => {
  const asked = (requestId: string) =>
    event("Network.requestWillBeSent", {
      requestId,
      loaderId: requestId,
      frameId: main,
      type: "Document",
      request: { url: `http://a.test/${requestId}` },
      initiator: { type: "other" }
    })

  it("is over once the document has been read, even if nothing tells of its end; others are not", () => {
    const page = model()
    page.apply(asked("one"))
    page.apply(document("one"))
    page.apply(
      event("Network.requestWillBeSent", {
        requestId: "data",
        loaderId: "one",
        type: "Fetch",
        request: { url: "http://a.test/data" },
        initiator: { type: "script" }
      })
    )
    assert.strictEqual(page.requestsSince(-1).all, 2)
    page.apply(event("Page.domContentEventFired", {}))
    assert.strictEqual(page.requestsSince(-1).all, 1)
    page.apply(asked("two"))
    assert.strictEqual(page.requestsSince(-1).all, 2)
    page.apply(event("Page.frameStoppedLoading", { frameId: main }))
    assert.strictEqual(page.requestsSince(-1).all, 2)
  })
})

describe("a page that was attached when it had its document already", () => {
  const showing = (url: string) => ({ frame: { id: main, loaderId: "one", url } }) as unknown as Protocol.Page.FrameTree
  const tree = showing("http://a.test/one")
  const reached = (name: string, loaderId = "one", frameId: string = main) =>
    event("Page.lifecycleEvent", { name, loaderId, frameId })

  it("is not taken for loaded before the browser says how far it is", () => {
    const page = model()
    assert.isTrue(page.readTree(page.rootSession, tree))
    assert.strictEqual(page.lastCommit?.url, "http://a.test/one")
    assert.isFalse(page.domReady || page.loaded)
    for (const other of [
      reached("commit"),
      reached("load", "two"),
      reached("load", "one", "child"),
      reached("networkIdle")
    ])
      page.apply(other)
    assert.isFalse(page.domReady || page.loaded)
    page.apply(reached("DOMContentLoaded"))
    assert.isTrue(page.domReady)
    assert.isFalse(page.loaded)
    page.apply(reached("load"))
    assert.isTrue(page.loaded)
  })

  it("is told from one whose coming was seen, and from one that has none yet", () => {
    const seen = model()
    seen.apply(document("one"))
    assert.isFalse(seen.readTree(seen.rootSession, tree))
    const blank = model()
    assert.isFalse(blank.readTree(blank.rootSession, showing("about:blank")))
    assert.isTrue(blank.domReady && blank.loaded)
  })
})
