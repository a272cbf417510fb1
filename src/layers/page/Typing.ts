/** Real keyboard input where the focus is. */
import { Effect, Result } from "effect"
import { type KeyUnknown, NothingFocused } from "../../schemas/errors.ts"
import type { Focus } from "../../schemas/page.ts"
import type { TypeResult } from "../../schemas/tools/acting.ts"
import type { Modifier } from "../../schemas/tools/common.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents } from "./Agent.ts"
import { browserKeyNote } from "./browserKeys.ts"
import { type KeyEvent, planInserted, planKey, planText } from "./keyboard.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Tab } from "./Tab.ts"

/** So many key events are on their way at once; the browser keeps their order. */
const eventsAtOnce = 100

export interface Focused {
  readonly frame: FrameModel
  readonly focus: Focus
}

/** What is told of a text that was typed. */
export type Typed = Pick<TypeResult, "typed" | "into" | "value" | "movedTo" | "secret">

const nothing: Focus = { description: "nothing", editable: false, password: false, frame: false }

/** What has the focus, in whatever frame. */
export const focused = (tab: Tab, agents: Agents): Effect.Effect<Focused, CdpError> =>
  Effect.gen(function* () {
    const ask = (frame: FrameModel) =>
      agents.call(frame, "focused", {}).pipe(Effect.catchTag("DocumentGone", () => Effect.succeed(nothing)))
    let frame = tab.model.main
    let focus = yield* ask(frame)
    while (focus.frame) {
      const inner: ReadonlyArray<Focused> = yield* Effect.forEach(tab.model.childrenOf(frame.id), (child) =>
        Effect.map(ask(child), (found) => ({ frame: child, focus: found }))
      )
      // of several frames, the one whose document has an element with the focus
      const best = inner.find((one) => one.focus.editable) ?? inner.find((one) => one.focus.frame)
      if (best === undefined) break
      frame = best.frame
      focus = best.focus
    }
    return { frame, focus }
  })

const sameDocument = (one: FrameModel, other: FrameModel): boolean =>
  one.id === other.id && one.loaderId === other.loaderId

/** What came of typing where the focus was: the value there, and where the focus has gone, if the page moved it on. */
export const afterTyping = (tab: Tab, agents: Agents, before: Focused): Effect.Effect<Typed, CdpError> =>
  Effect.gen(function* () {
    const { frame, focus } = yield* focused(tab, agents)
    const secret = before.focus.password || focus.password
    const valueOf = ({ value }: Focus) => (value === undefined ? {} : { value })
    const same = sameDocument(frame, before.frame) && focus.key === before.focus.key
    const there = same
      ? focus
      : before.focus.key === undefined
        ? nothing
        : yield* agents
            .call(before.frame, "focused", { key: before.focus.key })
            .pipe(Effect.catchTag("DocumentGone", () => Effect.succeed(nothing)))
    return {
      typed: true,
      into: before.focus.description,
      ...valueOf(there),
      ...(same || focus.key === undefined ? {} : { movedTo: { target: focus.description, ...valueOf(focus) } }),
      ...(secret ? { secret } : {})
    }
  })

const dispatch = (tab: Tab, frame: FrameModel, events: ReadonlyArray<KeyEvent>): Effect.Effect<void, CdpError> =>
  Effect.gen(function* () {
    for (let start = 0; start < events.length; start += eventsAtOnce) {
      yield* Effect.forEach(
        events.slice(start, start + eventsAtOnce),
        (event) => tab.send("Input.dispatchKeyEvent", event, frame),
        { concurrency: "unbounded", discard: true }
      )
    }
  })

/** Types a text key by key. Fails with `NothingFocused` if nothing that takes text has the focus. */
export const typeText = (
  tab: Tab,
  agents: Agents,
  text: string,
  begun: (before: Focused) => void
): Effect.Effect<Focused, CdpError | NothingFocused> =>
  Effect.gen(function* () {
    const before = yield* focused(tab, agents)
    if (!before.focus.editable) return yield* new NothingFocused({ focused: before.focus.description })
    begun(before)
    for (const step of planText(text)) {
      if (step.is === "keys") yield* dispatch(tab, before.frame, step.events)
      else yield* tab.send("Input.insertText", { text: step.text }, before.frame)
    }
    return before
  })

/**
 * Presses one key. Yields what had the focus. A character that no key has is inserted as text where that takes some;
 * elsewhere it fails with `NothingFocused`.
 */
export const pressKey = (
  tab: Tab,
  agents: Agents,
  key: string,
  modifiers: ReadonlyArray<Modifier> | undefined,
  begun: () => void
): Effect.Effect<
  Focused & { readonly inserted: boolean; readonly note: string | undefined },
  CdpError | KeyUnknown | NothingFocused
> =>
  Effect.gen(function* () {
    const text = planInserted(key, modifiers)
    const plan = planKey(key, modifiers)
    if (text === undefined && Result.isFailure(plan)) return yield* plan.failure
    const before = yield* focused(tab, agents)
    const inserted = text !== undefined && before.focus.editable
    if (text !== undefined && !inserted && Result.isFailure(plan)) {
      return yield* new NothingFocused({ focused: before.focus.description })
    }
    const events = inserted ? [] : yield* Effect.fromResult(plan)
    begun()
    if (inserted) yield* tab.send("Input.insertText", { text }, before.frame)
    else yield* dispatch(tab, before.frame, events)
    return { ...before, inserted, note: browserKeyNote(events) }
  })
