import { assert, describe, it } from "@effect/vitest"
import { initialState, transition } from "../../src/layers/supervisor/SupervisorState.ts"
import * as Views from "../../src/layers/supervisor/SupervisorViews.ts"
import { CdpSessionId, FrameId, TabId, TargetId } from "../../src/schemas/ids.ts"
import type { SupervisorState } from "../../src/schemas/supervisor.ts"
import type { SupervisorEvent } from "../../src/schemas/supervisorEvent.ts"

const tab = TabId.make("t1")
const page = CdpSessionId.make("page")
const at = 1_700_000_000_000
const frame = (id: string) => FrameId.make(id)

const after = (...events: ReadonlyArray<SupervisorEvent>): SupervisorState =>
  events.reduce(
    (state, event) => transition(state, event).state,
    initialState({ policy: "must_respond", timeoutMs: 1000, humanControl: false })
  )

const attached = (id: string, type: "page" | "iframe", parent?: string): SupervisorEvent => ({
  _tag: "SessionAttached",
  at,
  sessionId: CdpSessionId.make(type === "page" ? "page" : `session of ${id}`),
  targetId: TargetId.make(id),
  type,
  tabId: tab,
  url: `https://${id}.test/`,
  waitingForDebugger: true,
  ...(parent === undefined ? {} : { parentFrameId: frame(parent), parentSessionId: page })
})

const committed = (id: string, session = page): SupervisorEvent => ({
  _tag: "FrameNavigated",
  at,
  sessionId: session,
  restored: false,
  frame: { id: frame(id), url: `https://${id}.test/`, origin: `https://${id}.test` }
})

const inside = (id: string, parent: string, session = page): SupervisorEvent => ({
  _tag: "FrameAttached",
  at,
  sessionId: session,
  frameId: frame(id),
  parentFrameId: frame(parent)
})

const opening = (message: string, frameId?: string): SupervisorEvent => ({
  _tag: "DialogOpening",
  at,
  sessionId: page,
  type: "prompt",
  message,
  defaultPrompt: "harbour",
  ...(frameId === undefined ? {} : { frameId: frame(frameId) })
})

const top = [attached("top", "page"), committed("top")]

describe("what readers get", () => {
  it("a pending dialog has the published shape, with seconds for times", () => {
    assert.deepStrictEqual(Views.pendingDialogs(after(...top, opening("Name?", "top")), tab), [
      {
        id: "d-1",
        type: "prompt",
        message: "Name?",
        opened_at: at / 1000,
        tab_id: tab,
        default_prompt: "harbour",
        frame_id: "top"
      }
    ] as never)
  })

  it("a message of a million characters is cut and says so", () => {
    const [dialog] = Views.pendingDialogs(after(...top, opening("x".repeat(1_000_000))))
    assert.isBelow(dialog?.message.length ?? 0, 10_100)
    assert.match(dialog?.message ?? "", /990000 more characters/)
  })

  it("thirty frames are shown and not called truncated; one more is left out and called so", () => {
    const frames = (count: number) =>
      after(...top, ...Array.from({ length: count }, (_, index) => inside(`f${index}`, "top")))
    assert.deepInclude(Views.frameTree(frames(30), tab), { truncated: false })
    assert.lengthOf(Views.frameTree(frames(30), tab).children, 30)
    assert.deepInclude(Views.frameTree(frames(31), tab), { truncated: true })
    assert.lengthOf(Views.frameTree(frames(31), tab).children, 30)
    assert.lengthOf(Views.frameTree(frames(31), tab, { whole: true }).children, 31)
  })

  it("a third process below the top is left out with what it holds, and is there in the whole tree", () => {
    const state = after(
      ...top,
      inside("same", "top"),
      attached("one", "iframe", "same"),
      attached("two", "iframe", "one"),
      attached("three", "iframe", "two"),
      inside("deep", "three", CdpSessionId.make("session of three"))
    )
    const capped = Views.frameTree(state, tab)
    assert.deepStrictEqual(
      capped.children.map(({ frame_id }) => frame_id as string),
      ["same", "one", "two"]
    )
    assert.isTrue(capped.truncated)
    const whole = Views.frameTree(state, tab, { whole: true })
    assert.deepStrictEqual(
      whole.children.map(({ frame_id }) => frame_id as string),
      ["same", "one", "two", "three", "deep"]
    )
    assert.isFalse(whole.truncated)
    assert.deepInclude(whole.children[1], { is_oopif: true, url: "https://one.test/", parent_frame_id: frame("same") })
  })

  it("a frame whose parent is not known yet stands at the end instead of nowhere", () => {
    const state = after(...top, attached("lost", "iframe"), inside("child", "top"))
    assert.deepStrictEqual(
      Views.frameTree(state, tab).children.map(({ frame_id }) => frame_id as string),
      ["child", "lost"]
    )
  })

  it("an unknown tab has an empty tree", () => {
    assert.deepStrictEqual(Views.frameTree(after(), tab), { top: null, children: [], truncated: false })
  })

  it("the rings keep the latest: 200 console lines, 50 of trouble, 200 requests, 20 dialogs", () => {
    const lines = Array.from(
      { length: 250 },
      (_, index): SupervisorEvent => ({
        _tag: "ConsoleWritten",
        at,
        sessionId: page,
        entry: { at: index, level: index % 2 === 0 ? "error" : "log", text: `line ${index}` }
      })
    )
    const requests = Array.from({ length: 210 }, (_, index): ReadonlyArray<SupervisorEvent> => {
      const seen = { _tag: "NetworkSeen", at, sessionId: page, requestId: `r${index}` } as const
      const entry = { at: index, method: "GET", url: `https://a.test/${index}`, type: "image" }
      return [
        { ...seen, change: { _tag: "Sent", entry } },
        { ...seen, change: { _tag: "Answered", status: 200, mimeType: "image/png" } }
      ]
    }).flat()
    const dialogs = Array.from(
      { length: 25 },
      (_, index): ReadonlyArray<SupervisorEvent> => [
        opening(`dialog ${index}`, "top"),
        { _tag: "DialogClosed", at, sessionId: page, result: false, frameId: frame("top") }
      ]
    ).flat()
    const state = after(...top, ...lines, ...requests, ...dialogs)
    assert.lengthOf(Views.consoleOf(state, tab), 200)
    assert.strictEqual(Views.consoleOf(state, tab)[0]?.text, "line 50")
    assert.lengthOf(Views.troubleOf(state, tab), 50)
    assert.strictEqual(Views.troubleOf(state, tab).at(-1)?.text, "line 248")
    assert.lengthOf(Views.networkOf(state, tab), 200)
    assert.deepInclude(Views.networkOf(state, tab)[0], {
      url: "https://a.test/10",
      status: 200,
      mime_type: "image/png"
    })
    assert.lengthOf(Views.recentDialogs(state), 20)
    assert.strictEqual(Views.recentDialogs(state).at(-1)?.id as string, "d-25")
  })

  it("of two dialogs in two processes only the later can be answered, and asking for the earlier says so", () => {
    const state = after(...top, attached("other", "iframe", "top"), opening("first", "top"), opening("second", "other"))
    const ask = (dialogId?: string) =>
      transition(state, {
        _tag: "AnswerAsked",
        at,
        asker: 1,
        action: "accept",
        ...(dialogId === undefined ? {} : { dialogId })
      }).commands
    const [, given] = ask()
    assert.strictEqual(given?._tag === "Answer" ? (given.dialogId as string) : undefined, "d-2")
    const [refused] = ask("d-1")
    assert.strictEqual(refused?._tag === "ReportRefused" ? refused.refusal._tag : undefined, "DialogUnanswerable")
  })

  it("several dialogs that can be answered are ambiguous without an id, and an unknown id names the known ones", () => {
    const second = CdpSessionId.make("second")
    const state = after(
      ...top,
      opening("one", "top"),
      { ...attached("other", "page"), sessionId: second, tabId: TabId.make("t2") } as SupervisorEvent,
      { ...opening("two"), sessionId: second } as SupervisorEvent
    )
    const ask = (dialogId?: string) => {
      const [first] = transition(state, {
        _tag: "AnswerAsked",
        at,
        asker: 1,
        action: "dismiss",
        ...(dialogId === undefined ? {} : { dialogId })
      }).commands
      return first?._tag === "ReportRefused" ? first.refusal : undefined
    }
    assert.deepInclude(ask(), { _tag: "DialogAmbiguous", candidates: ["d-1", "d-2"] })
    assert.deepInclude(ask("d-9"), { _tag: "DialogUnknown", known: ["d-1", "d-2"] })
    assert.lengthOf(Views.pendingDialogs(state, TabId.make("t2")), 1)
  })

  it("under human control neither policy nor watchdog touches a native dialog", () => {
    const human = {
      _tag: "RulesChanged",
      at,
      rules: { policy: "auto_accept", timeoutMs: 10, humanControl: true }
    } as const
    const step = transition(after(...top, human), opening("yours", "top"))
    assert.deepStrictEqual(
      step.commands.map(({ _tag }) => _tag),
      ["DialogWaits"]
    )
    const back = transition(step.state, { ...human, rules: { ...human.rules, humanControl: false } })
    assert.include(
      back.commands.map(({ _tag }) => _tag),
      "Answer"
    )
  })
})
