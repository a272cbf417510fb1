import { assert, describe, it } from "@effect/vitest"
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
