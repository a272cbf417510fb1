/** Filling fields: real input where the field takes text, the native setter where it does not, and read back. */
import { Effect, Ref } from "effect"
import type { ConnectionLost, MessageTooLarge, OperationTimeout } from "../../schemas/errors.ts"
import type { FieldPlan, FieldQuery, FieldState } from "../../schemas/page.ts"
import type { FilledField, FillField } from "../../schemas/tools/acting.ts"
import type { ReferenceError } from "../../services/BrowserSession.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents, DocumentGone } from "./Agent.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Finder } from "./Finder.ts"
import type { Pointer, Pressed } from "./Pointer.ts"
import type { Tab } from "./Tab.ts"
import { lookBudget } from "./unseen.ts"

type Plan = Exclude<FieldPlan, { readonly how: "refused" }>

interface Planned {
  readonly frame: FrameModel
  readonly plan: Plan
}

interface Refused {
  readonly refused: string
  /** the field is there, so that no other frame need be searched */
  readonly found?: boolean
}

/** A field that was filled, and where it is. */
export interface FieldDone {
  readonly result: FilledField
  readonly at: { readonly frame: FrameModel; readonly key: number } | undefined
}

/** A field that is being changed. */
export interface Written {
  readonly description: string
  readonly password: boolean
}

/** How the caller named a field. */
export const nameOf = (field: FillField): string =>
  field.ref !== undefined
    ? `reference ${field.ref}`
    : (field.selector ?? field.label ?? field.name ?? field.placeholder ?? "the field")

export class Forms {
  private readonly tab: Tab
  private readonly agents: Agents
  private readonly finder: Finder
  private readonly pointer: Pointer
  constructor(tab: Tab, agents: Agents, finder: Finder, pointer: Pointer) {
    this.tab = tab
    this.agents = agents
    this.finder = finder
    this.pointer = pointer
  }

  /**
   * Fills one field. What is wrong with the field is data (`ok: false`); only what ends the whole operation fails.
   * `writing` is told the field when it may be changed from then on.
   */
  readonly fill = (
    field: FillField,
    writing: (written: Written) => void
  ): Effect.Effect<FieldDone, ConnectionLost | OperationTimeout | MessageTooLarge> =>
    this.attempt(field, writing).pipe(
      Effect.catch((error): Effect.Effect<FieldDone, ConnectionLost | OperationTimeout | MessageTooLarge> => {
        switch (error._tag) {
          case "ConnectionLost":
          case "OperationTimeout":
          case "MessageTooLarge":
            return Effect.fail(error)
          case "DocumentGone":
            return Effect.succeed(failed(field, "the page was replaced meanwhile"))
          default:
            return Effect.succeed(failed(field, error.message))
        }
      })
    )

  /**
   * Looks at a field again after others were filled: pages check and change what was typed when the focus leaves it.
   */
  readonly again = (
    field: FillField,
    done: FieldDone
  ): Effect.Effect<FieldDone, ConnectionLost | OperationTimeout | MessageTooLarge> => {
    const { at, result } = done
    if (at === undefined || !result.ok) return Effect.succeed(done)
    return this.agents.call(at.frame, "readField", { key: at.key, value: field.value }).pipe(
      Effect.map(({ error: _, invalid, ok, value }): FieldDone => {
        const { invalid: __, ...before } = result
        const now = { ...before, value, ...(invalid === undefined ? {} : { invalid }) }
        return {
          at,
          result: ok ? now : { ...now, ok, error: "it was filled, but the page changed it when the focus had left it" }
        }
      }),
      // what happened to the page meanwhile is not the field's fault
      Effect.catchTags({ DocumentGone: () => Effect.succeed(done), CdpFailed: () => Effect.succeed(done) })
    )
  }

  /** Submits the form of a field that was filled. */
  readonly submit = (at: { readonly frame: FrameModel; readonly key: number }) =>
    this.agents
      .call(at.frame, "submit", { key: at.key })
      .pipe(Effect.catchTag("DocumentGone", () => Effect.succeed({ submitted: true, reason: undefined })))

  private attempt(field: FillField, writing: (written: Written) => void) {
    return Effect.gen({ self: this }, function* () {
      const planned = yield* this.plan(field)
      if ("refused" in planned) return { ...failed(field, planned.refused), at: undefined }
      const { frame, plan } = planned
      const state = yield* this.carryOut(frame, plan, field.value, () => writing(plan))
      const result: FilledField = {
        ok: state.ok,
        target: plan.description,
        method: plan.how,
        value: state.value,
        ...(plan.password ? { secret: true } : {}),
        ...(state.error === undefined ? {} : { error: state.error }),
        ...(state.invalid === undefined ? {} : { invalid: state.invalid })
      }
      return { result, at: { frame, key: plan.k } }
    })
  }

  private plan(field: FillField): Effect.Effect<Planned | Refused, CdpError | DocumentGone | ReferenceError> {
    return Effect.gen({ self: this }, function* () {
      if (field.ref !== undefined && field.snapshotId !== undefined) {
        const found = yield* this.finder.byReference(field.snapshotId, field.ref)
        const query = { key: found.key, ...(found.fp === undefined ? {} : { fp: found.fp }) }
        return yield* this.planIn(found.frame, query, field.value)
      }
      const query: FieldQuery = {
        ...(field.selector === undefined ? {} : { selector: field.selector }),
        ...(field.label === undefined ? {} : { label: field.label }),
        ...(field.name === undefined ? {} : { name: field.name }),
        ...(field.placeholder === undefined ? {} : { placeholder: field.placeholder })
      }
      if (Object.keys(query).length === 0) {
        return { refused: "it is not named: give ref and snapshotId, selector, label, name or placeholder" }
      }
      let first: Refused | undefined
      for (const frame of this.finder.inOrder()) {
        const planned = yield* this.planIn(frame, query, field.value).pipe(
          Effect.catch((error) =>
            frame.id === this.tab.model.mainFrameId
              ? Effect.fail(error)
              : Effect.succeed<Refused>({ refused: "its frame does not answer" })
          )
        )
        if (!("refused" in planned) || planned.found === true) return planned
        first ??= planned
      }
      return first ?? { refused: "there is no such field" }
    })
  }

  private planIn(
    frame: FrameModel,
    query: FieldQuery,
    value: FillField["value"]
  ): Effect.Effect<Planned | Refused, CdpError | DocumentGone> {
    return lookBudget().pipe(
      Effect.flatMap((budget) => this.agents.call(frame, "planField", { field: query, value, budget })),
      Effect.map((plan) =>
        plan.how === "refused" ? { refused: plan.error, found: plan.description !== "" } : { frame, plan }
      )
    )
  }

  private carryOut(frame: FrameModel, plan: Plan, value: FillField["value"], writing: () => void) {
    return Effect.gen({ self: this }, function* () {
      const read: Effect.Effect<FieldState, CdpError | DocumentGone> = Effect.suspend(() =>
        this.agents.call(frame, "readField", { key: plan.k, value })
      )
      switch (plan.how) {
        case "done":
          return yield* read
        case "set":
          writing()
          return yield* this.agents.call(frame, "setField", { key: plan.k, value })
        case "press": {
          writing()
          const pressed = yield* Ref.make<Pressed | undefined>(undefined)
          yield* this.pointer.pressElement({ frame, key: plan.k, description: plan.description }, {}, pressed)
          return yield* this.afterReaction(frame, read)
        }
        case "text": {
          const ready = yield* this.agents.call(frame, "focusField", { key: plan.k })
          if (!ready) return { ok: false, value: "", error: "it does not take the focus" }
          const text = plan.text ?? ""
          writing()
          if (text === "") {
            // with everything selected, deleting is what a person would do
            const key = { key: "Delete", code: "Delete", windowsVirtualKeyCode: 46 }
            yield* this.tab.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key }, frame)
            yield* this.tab.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }, frame)
          } else {
            yield* this.tab.send("Input.insertText", { text }, frame)
          }
          return yield* this.afterReaction(frame, read)
        }
      }
    })
  }

  /** Reads a field; if it is not right yet, gives the page's scripts the time to react and reads it once more. */
  private afterReaction<E>(frame: FrameModel, read: Effect.Effect<FieldState, E>) {
    return Effect.flatMap(read, (state) =>
      state.ok
        ? Effect.succeed(state)
        : Effect.andThen(this.agents.call(frame, "quiet", { idle: 50, timeout: 500 }), read)
    )
  }
}

const failed = (field: FillField, error: string): FieldDone => ({
  result: { ok: false, target: nameOf(field), error },
  at: undefined
})
