/** What may happen in the model's world. Numbers choose among what is there (modulo), so that any sequence makes sense. */
import { Schema } from "effect"

const pick = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
const yes = Schema.Boolean

export const Step = Schema.TaggedUnion({
  OpenTab: {},
  CloseTab: { tab: pick },
  AddFrame: { tab: pick, parent: pick, oopif: yes, placed: yes },
  /** `early`: the new document's dialog is heard of before the document; `restored`: it was kept in memory */
  NavigateTop: { tab: pick, how: Schema.Literals(["fresh", "early", "restored"]) },
  NavigateFrame: { tab: pick, frame: pick, process: Schema.Literals(["same", "own", "parent"]) },
  PushState: { tab: pick, frame: pick },
  RemoveFrame: { tab: pick, frame: pick },
  /** the browser replaces the session of an out-of-process frame */
  Reattach: { tab: pick, frame: pick },
  /** the process of a frame dies */
  Crash: { tab: pick, frame: pick },
  AttachWorker: { tab: pick },
  OpenDialog: {
    tab: pick,
    frame: pick,
    way: Schema.Literals(["native", "native", "bridge", "gate"]),
    type: Schema.Literals(["alert", "confirm", "prompt", "beforeunload"])
  },
  /** another client, a person or a proxy closes a dialog */
  CloseRemotely: { dialog: pick, result: yes },
  AskAnswer: { accept: yes, named: Schema.Literals(["no", "right", "wrong"]), dialog: pick },
  FireWatchdog: { timer: pick },
  /** hands over the oldest event that the browser process has for a tab */
  Deliver: { tab: pick },
  /** the browser deals with a command: as it should, its events after the reply, or without a word */
  Reply: { command: pick, how: Schema.Literals(["events first", "reply first", "silence"]) },
  ChangeRules: { policy: Schema.Literals(["must_respond", "auto_dismiss", "auto_accept"]), human: yes },
  Write: { tab: pick, level: Schema.Literals(["log", "warning", "error", "exception"]) },
  Load: { tab: pick, ends: Schema.Literals(["answered", "failed"]) },
  Retitle: { tab: pick },
  Cut: {},
  Restore: {},
  Stop: {},
  ExpireStop: {}
})
export type Step = typeof Step.Type

/** The common steps often, the endings seldom. */
const weights: Partial<Record<Step["_tag"], number>> = {
  Cut: 1,
  Crash: 1,
  Restore: 2,
  Stop: 1,
  CloseTab: 1,
  OpenTab: 6,
  AddFrame: 10,
  NavigateFrame: 5,
  OpenDialog: 15,
  CloseRemotely: 6,
  AskAnswer: 10,
  Deliver: 20,
  Reply: 20
}

/** Steps by their weights. */
export const weightedStep: Schema.Codec<Step> = Schema.Union(
  Object.entries(Step.cases).flatMap(([tag, schema]) =>
    Array.from({ length: weights[tag as Step["_tag"]] ?? 3 }, () => schema as Schema.Codec<Step>)
  )
)

/** Which browser the world plays. */
export const Engine = Schema.Literals(["chrome 156", "chrome 130"])
export type Engine = typeof Engine.Type
