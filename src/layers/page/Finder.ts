/** Finds the element that a reference, a selector or a text means, in whatever frame it is. */
import { Effect } from "effect"
import {
  RefResolveFailed,
  SelectorInvalid,
  SnapshotStale,
  TargetAmbiguous,
  TargetFailed,
  TargetNotFound
} from "../../schemas/errors.ts"
import type { SnapshotId } from "../../schemas/ids.ts"
import type { Found as Sighted, Ready } from "../../schemas/page.ts"
import type { ReferenceError } from "../../services/BrowserSession.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents } from "./Agent.ts"
import { type FrameModel, frameName } from "./FrameTable.ts"
import type { Snapshots } from "./Snapshots.ts"
import type { Tab } from "./Tab.ts"
import { lookBudget, saidUnseen } from "./unseen.ts"
import { endedAfter } from "../../services/endings.ts"

/** A target that keeps moving is given up after so many ms. */
export const readyMs = 5_000

/** An element to act on. */
export interface Found {
  readonly frame: FrameModel
  readonly key: number
  readonly fp?: number
  readonly description: string
  readonly reference?: { readonly snapshotId: SnapshotId; readonly ref: number }
  /** by what it was found, and may be found again when the page draws it anew */
  readonly query?:
    | { readonly selector: string }
    | { readonly text: string; readonly budget: number; readonly exact?: boolean }
  /** it was looked for in order to press it: whether it is ready for that */
  readonly ready?: Ready
}

export class Finder {
  private readonly tab: Tab
  private readonly agents: Agents
  private readonly snapshots: Snapshots
  constructor(tab: Tab, agents: Agents, snapshots: Snapshots) {
    this.tab = tab
    this.agents = agents
    this.snapshots = snapshots
  }

  /** The element that a reference means, if it still is what it was. */
  readonly byReference = (snapshotId: SnapshotId, ref: number): Effect.Effect<Found, CdpError | ReferenceError> =>
    Effect.gen({ self: this }, function* () {
      const origin = yield* this.snapshots.lookup(snapshotId, ref)
      const frame = this.tab.model.frames.get(origin.frameId) as FrameModel
      const found = yield* this.agents
        .call(frame, "find", { key: origin.key, fp: origin.fp })
        .pipe(
          Effect.catchTag("DocumentGone", () =>
            Effect.succeed({ is: "stale", reason: "its document is gone" } as const)
          )
        )
      switch (found.is) {
        case "found":
          return { frame, key: found.k, fp: origin.fp, description: found.description, reference: { snapshotId, ref } }
        case "stale":
          return yield* new SnapshotStale({ snapshotId, ref, reason: found.reason })
        default:
          return yield* new RefResolveFailed({ ref, reason: `it is ${found.is} in the page` })
      }
    })

  /** The element that a reference meant when it was given; whether it still is that shows when it is made ready. */
  readonly referred = (snapshotId: SnapshotId, ref: number): Effect.Effect<Found, ReferenceError> =>
    Effect.map(this.snapshots.lookup(snapshotId, ref), ({ fp, frameId, key }) => ({
      frame: this.tab.model.frames.get(frameId) as FrameModel,
      key,
      fp,
      description: `reference ${ref}`,
      reference: { snapshotId, ref }
    }))

  /**
   * The element that a selector or a text means, in the top document first, then in the frames. `press`: it is made
   * ready to be pressed as soon as it is found.
   */
  readonly byQuery = (
    named: { readonly selector: string } | { readonly text: string },
    press = false
  ): Effect.Effect<Found, CdpError | TargetNotFound | TargetAmbiguous | TargetFailed | SelectorInvalid> =>
    Effect.gen({ self: this }, function* () {
      const name = "selector" in named ? `the selector ${named.selector}` : `the text "${named.text}"`
      const query = "selector" in named ? named : { ...named, budget: yield* lookBudget() }
      const near: Array<string> = []
      const silent = new Map<string, FrameModel>()
      const frames = this.inOrder()
      // what says just that, in whatever frame, is meant before what only contains it
      const turns =
        "selector" in query || frames.length === 1
          ? frames.map((frame) => ({ frame, query }))
          : [{ ...query, exact: true }, query].flatMap((one) => frames.map((frame) => ({ frame, query: one })))
      for (const { frame, query } of turns) {
        if (silent.has(frame.sessionId)) continue
        const sought = press
          ? this.agents.call(frame, "seek", { query, timeout: readyMs })
          : Effect.map(this.agents.call(frame, "find", query), (found) => ({ found }))
        const answer = yield* this.unlessSilent(frame, sought).pipe(
          // a frame that cannot be searched hides nothing from the others
          Effect.catch((error) =>
            error._tag === "DocumentGone" || frame.id !== this.tab.model.mainFrameId
              ? Effect.succeed<{ readonly found: Sighted }>({ found: { is: "none", candidates: [] } })
              : Effect.fail(error)
          )
        )
        if (answer === undefined) {
          silent.set(frame.sessionId, frame)
          continue
        }
        const { found, ...rest } = answer
        switch (found.is) {
          case "found":
            return { frame, key: found.k, description: found.description, query, ...rest }
          case "several":
            return yield* new TargetAmbiguous({
              target: name,
              candidates: found.candidates,
              ...(found.total > found.candidates.length ? { total: found.total } : {})
            })
          case "invalid":
            return yield* new SelectorInvalid({
              selector: "selector" in query ? query.selector : "",
              reason: found.reason
            })
          case "none":
            if (found.unseen !== undefined) {
              return yield* new TargetFailed({
                target: name,
                reason: `${saidUnseen(found.unseen)}; name it by a selector, or by a reference of browser_find or browser_snapshot`
              })
            }
            near.push(...found.candidates)
            break
          case "stale":
            break
        }
      }
      return yield* new TargetNotFound({
        target: name,
        candidates: near.slice(0, 10),
        ...(silent.size === 0 ? {} : { unsearched: [...silent.values()].slice(0, 10).map(frameName) })
      })
    })

  /** Asks a frame; undefined if the process that renders it, which is not that of the page, does not answer at all. */
  private unlessSilent<A, E>(frame: FrameModel, ask: Effect.Effect<A, E>): Effect.Effect<A | undefined, E> {
    if (frame.sessionId === this.tab.sessionId) return ask
    const { patience } = this.agents
    const silence = this.tab.send("Runtime.evaluate", { expression: "0" }, frame).pipe(
      Effect.ignore,
      Effect.as(true),
      endedAfter(patience.budget(frame), () => Effect.succeed(false)),
      Effect.tap((answers) => Effect.sync(() => patience.note(frame, answers))),
      Effect.flatMap((answers) => (answers ? Effect.never : Effect.succeed(undefined)))
    )
    // asked first, so that it does not wait behind a long search
    return Effect.raceFirst(silence, ask)
  }

  /** All frames, the top document first, then in the order of the tree. */
  readonly inOrder = (): ReadonlyArray<FrameModel> => {
    const { model } = this.tab
    const found: Array<FrameModel> = [model.main]
    for (let index = 0; index < found.length; index++) found.push(...model.childrenOf((found[index] as FrameModel).id))
    return found
  }
}
