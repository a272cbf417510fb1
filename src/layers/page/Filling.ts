/** How far a call of browser_fill has come, so that what ends it can be told with all that was done before. */
import type { Dialog } from "../../schemas/dialog.ts"
import type { FilledField, FillField, FillResult } from "../../schemas/tools/acting.ts"
import { type FieldDone, nameOf, type Written } from "./Forms.ts"

type Told = Pick<FillResult, "fields" | "submitted" | "reason">

/** Nothing is sent unless all that was to be filled is: whoever submits a form means it as a whole. */
const whyUnsent = (fields: ReadonlyArray<FilledField>): string | undefined => {
  const refused = fields.filter(({ ok }) => !ok).length
  return refused === 0 ? undefined : refused === 1 ? "1 field was not filled" : `${refused} fields were not filled`
}

const toldOf = (fields: ReadonlyArray<FilledField>, submitted: boolean, reason: string | undefined): Told => ({
  fields,
  ...(reason === undefined ? {} : { reason }),
  submitted
})

export class Filling {
  private readonly fields: ReadonlyArray<FillField>
  private readonly submit: boolean
  private readonly done: Array<FieldDone> = []
  /** the field at hand, once it may have been changed */
  private written: Written | undefined
  private sent: "no" | "asked" | { readonly submitted: boolean; readonly reason?: string | undefined } = "no"
  constructor(fields: ReadonlyArray<FillField>, submit: boolean) {
    this.fields = fields
    this.submit = submit
  }

  /** The field at hand may be changed from now on. */
  readonly writing = (written: Written): void => {
    this.written = written
  }

  /** The next field was filled, or refused. */
  filled(done: FieldDone): void {
    this.done.push(done)
    this.written = undefined
  }

  /** Those to look at again; the focus has not left the last one. */
  toCheck() {
    return this.done.slice(0, -1).flatMap((done, index) => {
      const field = this.fields[index]
      const again = (now: FieldDone): void => {
        this.done[index] = now
      }
      return field === undefined ? [] : [{ field, done, again }]
    })
  }

  /** Where the form is that is to be submitted; undefined if it is not to be. */
  toSubmit(): FieldDone["at"] {
    if (!this.submit || whyUnsent(this.results()) !== undefined) return undefined
    const last = this.done.at(-1)?.at
    if (last !== undefined) this.sent = "asked"
    return last
  }

  submitted(sent: { readonly submitted: boolean; readonly reason?: string | undefined }): void {
    this.sent = sent
  }

  private results(): ReadonlyArray<FilledField> {
    return this.done.map(({ result }) => result)
  }

  /** What came of it. */
  result(): Told {
    const fields = this.results()
    if (typeof this.sent === "string") return toldOf(fields, false, this.submit ? whyUnsent(fields) : undefined)
    const { reason, submitted } = this.sent
    return toldOf(fields, submitted, submitted ? undefined : (reason ?? "it was not submitted"))
  }

  /** What came of it until a dialog opened, or else the tab closed. */
  readonly until = (dialog?: Pick<Dialog, "id">): Told => {
    const before = dialog === undefined ? "the tab closed before" : `dialog ${dialog.id} opened before`
    const later = dialog === undefined ? "" : "; look at it when that is answered"
    const done = this.results()
    const left = this.fields.slice(done.length).map((field, index): FilledField => {
      const { written } = this
      return index > 0 || written === undefined
        ? { ok: false, target: nameOf(field), error: before }
        : {
            ok: false,
            target: written.description,
            unread: true,
            ...(written.password ? { secret: true } : {}),
            error: `${before} it could be read back${later}`
          }
    })
    const fields = [...done, ...left]
    if (!this.submit || typeof this.sent === "object") return { ...this.result(), fields }
    const asked =
      dialog === undefined ? "the tab closed at that" : `the form waits for the answer to dialog ${dialog.id}`
    const why = this.sent === "asked" ? asked : before
    return toldOf(fields, false, why)
  }
}
