/** Any event at all, over few ids, so that they meet. */
import { Arbitrary, Schema } from "effect"
import type { SupervisorEvent } from "../../../src/schemas/supervisorEvent.ts"
import { SupervisorEvent as Events } from "../../../src/schemas/supervisorEvent.ts"

const few = {
  sessionId: ["S1", "S2", "S3"],
  parentSessionId: ["S1", "S2"],
  targetId: ["F1", "F2", "F3"],
  frameId: ["F1", "F2", "F3", "F4"],
  parentFrameId: ["F1", "F2", "F3", "F4"],
  id: ["F1", "F2", "F3", "F4"],
  parentId: ["F1", "F2", "F3", "F4"],
  tabId: ["t1", "t2"],
  dialogId: ["d-1", "d-2", "d-3"],
  requestId: ["r1", "r2"],
  read: [1, 2],
  url: ["http://a.test/", "about:blank", ""]
} as const

/** Replaces ids by ones of a small set; the numbers of askers are made unique. */
const narrow = (value: unknown, salt: number): unknown => {
  if (Array.isArray(value)) return value.map((item, index) => narrow(item, salt + index))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part], index) => {
      const choices = key in few ? few[key as keyof typeof few] : undefined
      return [
        key,
        choices === undefined || part === undefined
          ? narrow(part, salt + index)
          : choices[(salt + index * 7) % choices.length]
      ]
    })
  )
}

let askers = 0

export const chaos: Arbitrary.Arbitrary<SupervisorEvent> = Arbitrary.all([
  Arbitrary.schema(Events),
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 })))
]).pipe(
  Arbitrary.map(([event, salt]) => {
    const narrowed = narrow(event, salt) as SupervisorEvent
    askers += 1
    return narrowed._tag === "AnswerAsked" ? { ...narrowed, asker: askers } : narrowed
  })
)
