/** Tools that act on a page. */
import { Effect, type Schema } from "effect"
import * as E from "../../schemas/errors.ts"
import { type HistoryEntry, secretMark, withheldMark } from "../../schemas/history.ts"
import * as P from "../../schemas/tools/acting.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { pageErrors, referenceErrors, targetErrors } from "../errors.ts"
import { withoutArguments } from "../recording.ts"
import { actedLine, outcomeLines } from "../render/outcome.ts"
import { dialogLine, dialogText } from "../render/snapshot.ts"
import { counted, oneLine, quotedLines } from "../render/text.ts"
import { act } from "./facts.ts"

/** ms: bringing the target into place and pressing, and settling afterwards */
const actBudget = 20_000

const clicked = (verb: string) => (result: P.ClickResult) => ({
  lines: [
    `${actedLine(result.clicked, verb, result)}${result.reason === undefined ? "" : `: ${oneLine(result.reason, 400)}`}`,
    ...outcomeLines(result)
  ]
})

const scrolledTo = (at: { readonly x: number; readonly y: number; readonly maxX: number; readonly maxY: number }) =>
  `now at ${Math.round(at.x)},${Math.round(at.y)} of ${Math.round(at.maxX)},${Math.round(at.maxY)}`

const filledLine = (field: P.FilledField): string => {
  const value = field.value === undefined ? "" : ` = ${quotedLines(field.value, 200)}`
  const invalid = field.invalid === undefined ? "" : `; the page does not take it: ${oneLine(field.invalid, 200)}`
  return field.ok
    ? `filled ${oneLine(field.target, 200)}${value}${invalid}`
    : `${field.unread === true ? "perhaps filled" : "not filled"}: ${oneLine(field.target, 200)}${value}: ${oneLine(field.error ?? "no reason given", 300)}`
}

const nowHolds = (value: string | undefined): string => (value === undefined ? "" : `, now ${quotedLines(value, 200)}`)

/** A dialog opened before the text was typed to its end, or before it was known to be. */
const cutShort = ({ dialog, value }: P.TypeResult): boolean => dialog !== undefined && value === undefined

const filledCount = ({ fields }: P.FillResult): string =>
  `${fields.filter((field) => field.ok).length} of ${counted(fields.length, "field")} filled`

const submittedLine = ({ reason, submitted }: P.FillResult): string =>
  submitted ? "submitted" : `not submitted${reason === undefined ? "" : `: ${oneLine(reason, 1_000)}`}`

export const actingRows: ReadonlyArray<ToolRow> = [
  sessionTool({
    ...act,
    name: "browser_click_ref",
    title: "Click an element",
    description: "Click an element of a snapshot.",
    history: "clickRef",
    budget: actBudget,
    parameters: P.ClickRefParams,
    success: P.ClickResult,
    errors: [...pageErrors, ...referenceErrors, ...targetErrors],
    run: (session, { timeoutMs: _, ...params }) => session.clickRef(params),
    render: clicked("clicked")
  }),
  sessionTool({
    ...act,
    name: "browser_click",
    title: "Click",
    description: "Click a point, the element of a selector, or a text.",
    history: "click",
    replayable: true,
    budget: actBudget,
    parameters: P.ClickParams,
    success: P.ClickResult,
    errors: [...pageErrors, ...targetErrors],
    run: (session, { timeoutMs: _, ...params }) => session.click(params),
    render: clicked("clicked")
  }),
  sessionTool({
    ...act,
    name: "browser_double_click",
    title: "Double-click",
    description: "Double-click a point, the element of a selector, or a text.",
    core: false,
    history: "doubleClick",
    replayable: true,
    budget: actBudget,
    parameters: P.DoubleClickParams,
    success: P.ClickResult,
    errors: [...pageErrors, ...targetErrors],
    run: (session, { timeoutMs: _, ...params }) => session.click({ ...params, button: "left", count: 2 }),
    render: clicked("double-clicked")
  }),
  sessionTool({
    ...act,
    name: "browser_hover",
    title: "Hover",
    description: "Move the pointer over a point, the element of a selector, or a text.",
    core: false,
    history: "hover",
    budget: actBudget,
    annotations: { ...act.annotations, destructive: false, idempotent: true },
    parameters: P.HoverParams,
    success: P.HoverResult,
    errors: [...pageErrors, ...targetErrors],
    run: (session, { timeoutMs: _, ...params }) => session.hover(params),
    render: (result) => ({ lines: [actedLine(result.hovered, "hovering over", result), ...outcomeLines(result)] })
  }),
  sessionTool({
    ...act,
    name: "browser_drag",
    title: "Drag",
    description: "Drag from one place to another.",
    core: false,
    history: "drag",
    budget: 30_000,
    parameters: P.DragParams,
    success: P.DragResult,
    errors: [...pageErrors, ...targetErrors],
    run: (session, { timeoutMs: _, ...params }) => session.drag(params),
    render: (result) => ({ lines: [result.dragged ? "dragged" : "not dragged", ...outcomeLines(result)] })
  }),
  sessionTool({
    ...act,
    name: "browser_scroll",
    title: "Scroll",
    description: "Scroll the page, or what lies under a point, by the wheel.",
    history: "scroll",
    budget: actBudget,
    annotations: { ...act.annotations, destructive: false },
    parameters: P.ScrollParams,
    success: P.ScrollResult,
    errors: [...pageErrors, E.ScrollFailed, E.TargetOffscreen],
    run: (session, { timeoutMs: _, ...params }) => session.scroll(params),
    render: (result) => ({
      lines: [
        `${result.moved ? "scrolled" : "not scrolled: nothing moved"}, ${scrolledTo(result)}`,
        ...(!result.moved && result.maxX === 0 && result.maxY === 0
          ? ["nothing scrolls there; give x and y inside the part of the page that does"]
          : []),
        ...outcomeLines(result)
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_scroll_into_view",
    title: "Scroll to an element",
    description: "Scroll until an element of a snapshot is in view. Acting on a reference does it by itself.",
    core: false,
    history: "scrollIntoView",
    budget: actBudget,
    annotations: { ...act.annotations, destructive: false, idempotent: true },
    parameters: P.ScrollIntoViewParams,
    success: P.ScrollIntoViewResult,
    errors: [...pageErrors, ...referenceErrors, E.ScrollFailed],
    run: (session, { timeoutMs: _, ...params }) => session.scrollIntoView(params),
    render: (result) => ({ lines: [`${result.scrolled ? "scrolled" : "not scrolled"}, ${scrolledTo(result)}`] })
  }),
  sessionTool({
    ...act,
    name: "browser_fill",
    title: "Fill fields",
    description: "Fill form fields of any kind by ref, selector, label, name or placeholder; reads each one back.",
    history: "fill",
    secret: ["fields"],
    budget: 35_000,
    withoutSecrets: (params, result) => {
      const fields = Array.isArray(params["fields"]) ? params["fields"] : []
      const mark = (index: number) => (result?.fields[index]?.secret === true ? secretMark : withheldMark)
      const known = (index: number) => result?.fields[index]?.ok === true && result.fields[index].secret !== true
      return fields.every((_, index) => known(index))
        ? params
        : {
            ...params,
            fields: fields.map((field: Schema.Json, index) =>
              known(index) ? field : withoutArguments(field as HistoryEntry["params"], ["value"], mark(index))
            )
          }
    },
    parameters: P.FillParams,
    success: P.FillResult,
    errors: [...pageErrors, E.FillFailed],
    run: (session, { timeoutMs: _, ...params }) => session.fill(params),
    harmless: filledCount,
    render: (result, { submit }) => ({
      lines: [
        filledCount(result),
        ...result.fields.map(filledLine),
        ...(submit ? [submittedLine(result)] : []),
        ...outcomeLines(result)
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_type",
    title: "Type",
    description: "Type text by real keys where the focus is. For form fields prefer browser_fill.",
    history: "type",
    secret: ["text"],
    replayable: true,
    budget: 55_000,
    annotations: { ...act.annotations, destructive: false },
    withoutSecrets: (params, result) =>
      params["secret"] === true || result === undefined || result.secret === true || cutShort(result)
        ? withoutArguments(
            params,
            ["text"],
            params["secret"] === true || result?.secret === true ? secretMark : withheldMark
          )
        : params,
    parameters: P.TypeParams,
    success: P.TypeResult,
    errors: [...pageErrors, E.NothingFocused],
    run: (session, { text }) => session.type({ text }),
    render: (result) => ({
      lines: [
        `${result.typed ? "typed" : "not typed"} into ${oneLine(result.into, 200)}${nowHolds(result.value)}${cutShort(result) ? ", perhaps only a part of it" : ""}`,
        ...(result.movedTo === undefined
          ? []
          : [`the focus has moved to ${oneLine(result.movedTo.target, 200)}${nowHolds(result.movedTo.value)}`]),
        ...outcomeLines(result)
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_press_key",
    title: "Press a key",
    description: "Press a key or a combination.",
    history: "pressKey",
    secret: ["key"],
    replayable: true,
    budget: actBudget,
    // keys that write are what a password is made of
    withoutSecrets: (params, result) =>
      (result === undefined || result.secret === true) && [...String(params["key"])].length === 1
        ? withoutArguments(params, ["key"], result === undefined ? withheldMark : secretMark)
        : params,
    parameters: P.PressKeyParams,
    success: P.PressKeyResult,
    errors: [...pageErrors, E.KeyUnknown, E.NothingFocused],
    run: (session, { timeoutMs: _, ...params }) => session.pressKey(params),
    render: (result, { key, modifiers }) => ({
      lines: [
        `${result.pressed ? "pressed" : "not pressed"} ${[...(modifiers ?? []), oneLine(key, 40)].join("+")}${result.inserted === true ? " (no key has it: inserted as text)" : ""}`,
        ...outcomeLines(result)
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_dialog",
    title: "Answer a dialog",
    description: "Answer the open JavaScript dialog; its page waits.",
    // the call that waits for the answer may hold the lane
    lane: "free",
    history: "dialog",
    secret: ["prompt_text"],
    capability: "dialogs",
    // giving the answer, and settling afterwards
    budget: actBudget,
    whileDialog: "answers",
    parameters: P.DialogParams,
    success: P.DialogResult,
    errors: [
      E.SessionLost,
      E.DialogNone,
      E.DialogUnknown,
      E.DialogAmbiguous,
      E.DialogUnanswerable,
      E.CapabilityMissing,
      E.OperationTimeout
    ],
    run: (session, params) =>
      Effect.map(session.answerDialog(params), (answered) => ({ success: true, action: params.action, ...answered })),
    render: ({ action, dialog, next, outcome }) => ({
      lines: [
        `${action === "accept" ? "accepted" : "dismissed"} dialog ${dialog.id}: ${dialogText(dialog)}`,
        ...(next === undefined ? [] : [dialogLine(next)]),
        ...(outcome === undefined ? [] : outcomeLines(outcome))
      ]
    })
  })
]
