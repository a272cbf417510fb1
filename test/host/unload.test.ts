import { assert, describe, it } from "@effect/vitest"
import { asAttachment } from "../../host/core/attachment.ts"
import { answeredFirst, byRequest, nothingAsked, type Unload, unloadAfter } from "../../host/core/unload.ts"

const opening = { type: "beforeunload", message: "", url: "http://a/" }

describe("the question whether a page may be left", () => {
  it("stays open although Electron closes it at once, and knows how to leave", () => {
    const asked: Unload = { ...nothingAsked, asked: { method: "Page.navigate", params: { url: "http://b/" } } }
    const opened = unloadAfter(asked, "Page.javascriptDialogOpening", opening)
    assert.isTrue(opened.tell)
    assert.deepStrictEqual(opened.state.open, asked.asked)
    assert.isFalse(unloadAfter(opened.state, "Page.javascriptDialogClosed", { result: false }).tell)
  })

  it("of a page that goes elsewhere by itself knows where to", () => {
    const requested = unloadAfter(nothingAsked, "Page.frameRequestedNavigation", { url: "http://c/" }).state
    const { state } = unloadAfter(requested, "Page.javascriptDialogOpening", opening)
    assert.deepStrictEqual(state.open, { method: "Page.navigate", params: { url: "http://c/" } })
    const inFrame = { url: "http://c/", frameId: "f", reason: "anchorClick" }
    assert.deepStrictEqual(unloadAfter(nothingAsked, "Page.frameRequestedNavigation", inFrame).state.requested, {
      method: "Page.navigate",
      params: { url: "http://c/", frameId: "f" }
    })
  })

  it("of a page that posts a form is left by that request and no other", () => {
    const posting = { url: "http://c/", frameId: "f", reason: "formSubmissionPost" }
    const requested = unloadAfter(nothingAsked, "Page.frameRequestedNavigation", posting).state
    assert.strictEqual(unloadAfter(requested, "Page.javascriptDialogOpening", opening).state.open, byRequest)
    // a command that leaves is what the question is about
    const asked = { ...requested, asked: { method: "Page.reload", params: {} } }
    assert.strictEqual(unloadAfter(asked, "Page.javascriptDialogOpening", opening).state.open, asked.asked)
  })

  it("is not told again once the answer was to leave, until the page is left", () => {
    const agreed: Unload = { ...nothingAsked, agreed: true }
    for (const [method, params] of [
      ["Page.javascriptDialogOpening", opening],
      ["Page.javascriptDialogClosed", { result: true }]
    ] as const) {
      assert.deepStrictEqual(unloadAfter(agreed, method, params), { state: agreed, tell: false })
    }
    assert.isTrue(unloadAfter(agreed, "Page.javascriptDialogOpening", { ...opening, type: "alert" }).tell)
    assert.deepStrictEqual(unloadAfter(agreed, "Page.frameNavigated", { frame: {} }).state, nothingAsked)
  })

  it("comes after the answer where loading it again or going back is answered at once, and only that question", () => {
    for (const method of ["Page.reload", "Page.navigateToHistoryEntry"]) {
      assert.isTrue(answeredFirst(method))
      const asked: Unload = { ...nothingAsked, asked: { method, params: {} } }
      for (const [event, params] of [
        ["Page.frameRequestedNavigation", { url: "http://c/", frameId: "f" }],
        ["Page.navigatedWithinDocument", { url: "http://a/#one", frameId: "f" }]
      ] as const) {
        assert.isUndefined(unloadAfter(asked, event, params).state.asked)
      }
    }
    assert.isFalse(answeredFirst("Page.navigate"))
    const navigating: Unload = { ...nothingAsked, asked: { method: "Page.navigate", params: {} } }
    assert.deepStrictEqual(
      unloadAfter(navigating, "Page.frameRequestedNavigation", { url: "http://c/" }).state.asked,
      navigating.asked
    )
  })

  it("is over with a new document, and other dialogs are none of its business", () => {
    const asked: Unload = { ...nothingAsked, asked: { method: "Page.reload", params: {} } }
    const open = unloadAfter(asked, "Page.javascriptDialogOpening", opening).state
    assert.isDefined(unloadAfter(open, "Page.frameNavigated", { frame: { parentId: "top" } }).state.open)
    assert.deepStrictEqual(unloadAfter(open, "Page.frameNavigated", { frame: {} }).state, nothingAsked)
    const alert = unloadAfter(asked, "Page.javascriptDialogOpening", { ...opening, type: "alert" })
    assert.isUndefined(alert.state.open)
    assert.isTrue(unloadAfter(alert.state, "Page.javascriptDialogClosed", { result: true }).tell)
  })
})

it("a document becomes a file under the name that its server gives it", () => {
  assert.deepStrictEqual(
    asAttachment({ "Content-Type": ["text/html"], "Content-Disposition": ['inline; filename="a.html"'] }),
    {
      "Content-Type": ["text/html"],
      "content-disposition": ['attachment; filename="a.html"']
    }
  )
  assert.deepStrictEqual(asAttachment({}), { "content-disposition": ["attachment"] })
})
