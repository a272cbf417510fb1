/** Acting on the page of one tab; every act tells what came of it. */
import { Effect, Ref } from "effect"
import type { Dialog } from "../../schemas/dialog.ts"
import { ScrollFailed } from "../../schemas/errors.ts"
import type { DialogResult } from "../../schemas/tools/acting.ts"
import type { Outcome } from "../../schemas/tools/common.ts"
import { withoutChoosers } from "./fileChoosers.ts"
import { Filling } from "./Filling.ts"
import { reveal } from "./Frames.ts"
import type { Op, PageParts } from "./PageParts.ts"
import type { Press } from "./Mouse.ts"
import type { Pressed } from "./Pointer.ts"
import { whyRefused } from "./refusedAddresses.ts"
import { afterTyping, pressKey, type Typed, typeText } from "./Typing.ts"

/** Browsers refuse some links without a word, and without an event. */
const refusedLink = (link: string | undefined, outcome: Outcome): Pick<Outcome, "blocked"> =>
  link === undefined ||
  outcome.navigatedTo !== undefined ||
  outcome.blocked !== undefined ||
  outcome.newTabs !== undefined ||
  outcome.downloads !== undefined ||
  outcome.dialog !== undefined ||
  outcome.unsettled === true
    ? {}
    : { blocked: { url: link, reason: whyRefused(link) } }

/** Beside clicks. Pages look at their fields while those are filled, too; whether that sent the form is told apart. */
const sends: ReadonlySet<string> = new Set(["browser_press_key"])

export class Acting {
  private readonly parts: PageParts
  constructor(parts: PageParts) {
    this.parts = parts
  }

  readonly clickRef: Op<"clickRef"> = ({ snapshotId, ref, ...press }) =>
    this.act("browser_click_ref", (dispatched) =>
      Effect.flatMap(this.parts.finder.referred(snapshotId, ref), (found) =>
        this.parts.pointer.pressElement(found, press, dispatched)
      )
    )

  readonly click: Op<"click"> = ({ x, y, selector, text, ...press }) => {
    const target = {
      ...(x === undefined ? {} : { x }),
      ...(y === undefined ? {} : { y }),
      ...(selector === undefined ? {} : { selector }),
      ...(text === undefined ? {} : { text })
    }
    const operation = press.count === 2 ? "browser_double_click" : "browser_click"
    return this.act(operation, (dispatched) => this.parts.pointer.press(target, press as Press, operation, dispatched))
  }

  private act<E>(operation: string, body: (dispatched: Ref.Ref<Pressed | undefined>) => Effect.Effect<Pressed, E>) {
    return Effect.suspend(() => {
      const dispatched = Ref.makeUnsafe<Pressed | undefined>(undefined)
      const mark = this.parts.outcomes.mark()
      return this.parts.tab.operate(
        {
          operation,
          budget: "act",
          carried: (dialog) => {
            const pressed = Ref.getUnsafe(dispatched)
            return pressed === undefined
              ? undefined
              : { clicked: true, ...pressed, ...(this.parts.outcomes.known(mark, dialog) as Outcome) }
          },
          closed: () => {
            const pressed = Ref.getUnsafe(dispatched)
            return pressed === undefined
              ? Effect.succeed(undefined)
              : Effect.map(this.parts.outcomes.closed(mark), (outcome) => ({ clicked: true, ...pressed, ...outcome }))
          },
          done: () => {
            const pressed = Ref.getUnsafe(dispatched)
            return pressed === undefined
              ? undefined
              : `${pressed.target} had been pressed at ${pressed.x},${pressed.y} before that: look at the page before you press it again`
          }
        },
        Effect.gen({ self: this }, function* () {
          const { link, missed, ...pressed } = yield* body(dispatched)
          const outcome = yield* this.parts.outcomes.settled(mark)
          return {
            clicked: missed === undefined,
            ...pressed,
            ...(missed === undefined ? {} : { reason: missed }),
            ...outcome,
            ...refusedLink(link, outcome)
          }
        }).pipe(withoutChoosers(this.parts.tab))
      )
    })
  }

  /**
   * Runs an act whose result has no place of its own; `begun` tells when the page may have noticed, `until` what had been
   * done when a dialog opened, or the tab closed.
   */
  private doing<Done extends object, A extends Done, E>(
    operation: string,
    budget: "act" | "fill",
    done: Done,
    body: (begun: () => void) => Effect.Effect<A, E>,
    until: (dialog?: Dialog) => Done = () => done
  ) {
    return Effect.suspend(() => {
      let begun = false
      const mark = this.parts.outcomes.mark()
      return this.parts.tab.operate(
        {
          operation,
          budget,
          carried: (dialog: Dialog): (Done & Outcome) | undefined =>
            begun ? { ...until(dialog), ...this.parts.outcomes.known(mark, dialog) } : undefined,
          closed: (): Effect.Effect<(Done & Outcome) | undefined> =>
            begun
              ? Effect.map(this.parts.outcomes.closed(mark), (outcome) => ({ ...until(), ...outcome }))
              : Effect.succeed(undefined),
          done: () =>
            begun ? "it had begun, and may be done in part: look at the page before you do it again" : undefined
        },
        Effect.gen({ self: this }, function* () {
          const result: Done = yield* body(() => {
            begun = true
          })
          const { unsent, ...outcome } = yield* this.parts.outcomes.settled(mark)
          const kept = unsent !== undefined && sends.has(operation) ? { unsent } : {}
          return { ...result, ...kept, ...outcome }
        }).pipe(withoutChoosers(this.parts.tab))
      )
    })
  }

  /**
   * To be called before a dialog is answered. What it yields waits for what the page does then, and tells of it; the
   * answer is given by that time, so that it never fails.
   */
  readonly afterDialog = (): Effect.Effect<Pick<DialogResult, "next" | "outcome">> => {
    const { outcomes, tab } = this.parts
    const mark = outcomes.mark()
    const told = ({ dialog: next, ...outcome }: Outcome) => ({
      ...(next === undefined ? {} : { next }),
      ...(Object.keys(outcome).length === 0 ? {} : { outcome })
    })
    return tab
      .operate(
        { operation: "browser_dialog", budget: "input", carried: (dialog) => told(outcomes.known(mark, dialog)) },
        Effect.map(outcomes.settled(mark), ({ unsent: _, ...outcome }) => told(outcome))
      )
      .pipe(Effect.catch(() => Effect.map(outcomes.closed(mark), told)))
  }

  readonly hover: Op<"hover"> = (target) =>
    this.doing("browser_hover", "act", { hovered: true }, (begun) =>
      Effect.map(this.parts.pointer.hover(target), (place) => {
        begun()
        return { hovered: true, ...place }
      })
    )

  readonly drag: Op<"drag"> = ({ from, to, steps }) =>
    this.doing("browser_drag", "act", { dragged: true }, (begun) =>
      Effect.gen({ self: this }, function* () {
        begun()
        yield* this.parts.pointer.drag(from, to, steps, yield* Ref.make<Pressed | undefined>(undefined))
        return { dragged: true }
      })
    )

  readonly scroll: Op<"scroll"> = (params) =>
    Effect.suspend(() => {
      const still = { x: 0, y: 0, maxX: 0, maxY: 0, moved: false }
      return this.doing("browser_scroll", "act", still, (begun) =>
        Effect.gen({ self: this }, function* () {
          const main = this.parts.tab.model.main
          const read = (at: { readonly x?: number; readonly y?: number }) =>
            this.parts.agents
              .call(main, "scrollState", at)
              .pipe(
                Effect.catchTag("DocumentGone", () =>
                  Effect.fail(new ScrollFailed({ reason: "the page was replaced meanwhile" }))
                )
              )
          const view = yield* read({})
          const point =
            params.x === undefined || params.y === undefined
              ? { x: Math.floor(view.width / 2), y: Math.floor(view.height / 2) }
              : yield* this.parts.pointer
                  .pointOf({ x: params.x, y: params.y }, "browser_scroll")
                  .pipe(Effect.catchTag("TargetMissing", (error) => Effect.die(error)))
          const before = yield* read(point)
          const deltaY = params.deltaY ?? (params.deltaX === 0 ? Math.max(480, Math.round(view.height * 0.8)) : 0)
          begun()
          yield* this.parts.pointer.wheel(point, params.deltaX, deltaY)
          let now = yield* read(point)
          // the wheel may be animated: wait for frames until the position rests, a second at the most
          for (let frames = 0; frames < 30; frames++) {
            const next = yield* Effect.andThen(
              this.parts.agents.call(main, "quiet", { idle: 0, timeout: 100 }).pipe(Effect.ignore),
              read(point)
            )
            if (next.x === now.x && next.y === now.y && (frames > 3 || next.y !== before.y || next.x !== before.x))
              break
            now = next
          }
          return { x: now.x, y: now.y, maxX: now.maxX, maxY: now.maxY, moved: now.x !== before.x || now.y !== before.y }
        })
      )
    })

  readonly scrollIntoView: Op<"scrollIntoView"> = ({ snapshotId, ref, block }) =>
    this.parts.tab.operate(
      { operation: "browser_scroll_into_view", budget: "act" },
      Effect.gen({ self: this }, function* () {
        const found = yield* this.parts.finder.byReference(snapshotId, ref)
        const state = yield* this.parts.agents.call(found.frame, "scrollTo", { key: found.key, block })
        const { box } = state
        yield* reveal(
          this.parts.tab,
          this.parts.agents,
          found.frame,
          { x: box.x + box.width / 2, y: box.y + box.height / 2 },
          found.description
        ).pipe(Effect.catchTags({ TargetCovered: () => Effect.void, TargetHidden: () => Effect.void }))
        return { scrolled: true, x: state.x, y: state.y, maxX: state.maxX, maxY: state.maxY }
      }).pipe(
        Effect.catchTag("DocumentGone", () =>
          Effect.fail(new ScrollFailed({ reason: "the page was replaced meanwhile" }))
        )
      )
    )

  readonly type: Op<"type"> = ({ text }) =>
    Effect.suspend(() => {
      const { agents, tab } = this.parts
      let told: Typed = { typed: true, into: "" }
      const body = (begun: () => void) =>
        Effect.gen(function* () {
          const before = yield* typeText(tab, agents, text, ({ focus }) => {
            begun()
            told = { ...told, into: focus.description, ...(focus.password ? { secret: true } : {}) }
          })
          told = yield* afterTyping(tab, agents, before)
          return told
        })
      return this.doing("browser_type", "fill", told, body, () => told)
    })

  readonly pressKey: Op<"pressKey"> = ({ key, modifiers }) =>
    Effect.suspend(() => {
      const { agents, tab } = this.parts
      let own: string | undefined
      const body = (begun: () => void) =>
        Effect.map(pressKey(tab, agents, key, modifiers, begun), ({ focus, inserted, note }) => {
          own = note
          return {
            pressed: true,
            ...(inserted ? { inserted } : {}),
            ...(focus.password ? { secret: true } : {})
          }
        })
      return Effect.map(this.doing("browser_press_key", "act", { pressed: true }, body), (result) => {
        const { navigatedTo, newTabs, note } = result
        // a page that makes something of it by itself did what was wanted
        return own === undefined || navigatedTo !== undefined || newTabs !== undefined
          ? result
          : { ...result, note: note === undefined ? own : `${own}; ${note}` }
      })
    })

  readonly uploadFiles: Op<"uploadFiles"> = (upload) =>
    this.doing("browser_upload_file", "act", { target: "" }, (begun) =>
      Effect.map(this.parts.uploads.upload(upload, begun), (target) => ({ target }))
    )

  readonly fill: Op<"fill"> = ({ fields, submit }) =>
    Effect.suspend(() => {
      const { forms } = this.parts
      const filling = new Filling(fields, submit)
      const body = (begun: () => void) =>
        Effect.gen(function* () {
          begun()
          for (const field of fields) filling.filled(yield* forms.fill(field, filling.writing))
          for (const { again, field, done } of filling.toCheck()) again(yield* forms.again(field, done))
          const form = filling.toSubmit()
          if (form !== undefined) filling.submitted(yield* forms.submit(form))
          return filling.result()
        })
      return this.doing("browser_fill", "fill", filling.result(), body, filling.until)
    })
}
