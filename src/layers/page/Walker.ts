/** Walks over the frames of a tab, each in its own process, and joins what was seen into one list. */
import { Deferred, Effect, Option } from "effect"
import { SelectorInvalid, SnapshotFailed, TargetNotFound } from "../../schemas/errors.ts"
import type { FrameId } from "../../schemas/ids.ts"
import type { Quiet, Unseen, WalkItem, WalkOptions, WalkResult } from "../../schemas/page.ts"
import type { PageAgent } from "../../schemas/pageAgent.ts"
import type { ActOutcome } from "../../schemas/tools/common.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents, DocumentGone } from "./Agent.ts"
import type { FrameModel } from "./FrameTable.ts"
import { LookAhead } from "./LookAhead.ts"
import { adoptClosedRoots, framesOf } from "./RemoteElements.ts"
import { type FrameItems, joinFrames, type Listed, Numbering, type Scope } from "./SnapshotModel.ts"
import type { Tab } from "./Tab.ts"
import { lookBudget } from "./unseen.ts"

/** Time (ms) for one look at a child frame: what was seen by then comes before the frame is left out. */
const frameLookMs = 1_500

/** How to wait for a document to be at rest. */
export type RestOptions = Omit<Parameters<PageAgent["quiet"]>[0], "walk">

/** Why a form was not sent. */
type Unsent = NonNullable<ActOutcome["unsent"]>

/** What was seen on a walk. */
export interface Walked {
  readonly main: WalkResult
  readonly loaderId: string
  readonly listed: ReadonlyArray<Listed>
  readonly total: number
  readonly truncated: boolean
  /** what was left out of a document because there was no time for it */
  readonly unseen: Unseen | undefined
  /** the form that the latest act would have sent */
  readonly unsent: Unsent | undefined
  /** frames that did not answer */
  readonly silent: ReadonlyArray<FrameModel>
}

/** What a walk is confined to. */
export interface WalkScope extends Scope {
  readonly root?: { readonly frameId: FrameId; readonly key: number }
}

export class Walker {
  /** keeps the numbers of elements as long as their document lives */
  private numbering = new Numbering()
  private numberedLoader = ""
  /** frames shown by iframe elements, by "frame loader" and key */
  private readonly owners = new Map<string, Map<number, FrameId>>()
  private readonly ahead = new LookAhead()

  private readonly tab: Tab
  private readonly agents: Agents
  private readonly maxChars: number
  constructor(tab: Tab, agents: Agents, maxChars: number) {
    this.tab = tab
    this.agents = agents
    this.maxChars = maxChars
  }

  /**
   * Waits until the main document is at rest. With a new document (`fresh`), what a walk over the whole of it with `limit`
   * sees comes along: a look of its own would wait behind what the page still draws.
   */
  rest(options: RestOptions, limit: number): Effect.Effect<typeof Quiet.Type, CdpError | DocumentGone> {
    return Effect.gen({ self: this }, function* () {
      const { main } = this.tab.model
      const { loaderId } = main
      this.ahead.forget()
      if (options.fresh !== true) return yield* this.agents.call(main, "quiet", options)
      const { seen, ...rest } = yield* this.agents.call(main, "quiet", {
        ...options,
        walk: { ...everything, limit, maxChars: this.maxChars, budget: yield* lookBudget() }
      })
      if (seen !== undefined) yield* this.ahead.keep({ loaderId, limit, seen })
      return rest
    })
  }

  /** Everything inside a scope, in reading order, at most `limit` elements of it. */
  walk(
    scope: WalkScope,
    limit: number
  ): Effect.Effect<Walked, CdpError | SnapshotFailed | SelectorInvalid | TargetNotFound> {
    const attempt = this.walkOnce(scope, limit)
    // the page may be replaced while it is looked at; then the new one is what counts
    return attempt.pipe(
      Effect.catchTag("DocumentGone", () => attempt),
      Effect.catchTag("DocumentGone", () =>
        Effect.suspend(() =>
          Effect.fail(
            new SnapshotFailed({
              reason: `the page keeps navigating while it is looked at (now to ${this.tab.model.main.url.slice(0, 500)}); browser_stop or browser_open ends it`
            })
          )
        )
      )
    )
  }

  private walkOnce(
    scope: WalkScope,
    limit: number
  ): Effect.Effect<Walked, CdpError | DocumentGone | SnapshotFailed | SelectorInvalid | TargetNotFound> {
    return Effect.gen({ self: this }, function* () {
      const { model } = this.tab
      const start = scope.root === undefined ? model.main : (model.frames.get(scope.root.frameId) ?? model.main)
      const options = {
        ...everything,
        limit,
        maxChars: this.maxChars,
        interactive: scope.interactive,
        budget: yield* lookBudget(frameLookMs),
        ...(scope.query === undefined ? {} : { query: scope.query.toLowerCase() })
      }
      const rootOptions = {
        ...options,
        budget: yield* lookBudget(),
        ...(scope.selector === undefined ? {} : { selector: scope.selector }),
        ...(scope.root === undefined ? {} : { rootKey: scope.root.key })
      }
      const children = descendants(model.frames, start.id)
      const answered = Deferred.makeUnsafe<void>()
      const { patience } = this.agents
      // frames of one process are looked at one after the other; one that takes so much longer than the document around
      // it is left out, and the answer says so
      const late = (frame: FrameModel) =>
        Deferred.await(answered).pipe(
          Effect.andThen(Effect.suspend(() => Effect.sleep(patience.budget(frame)))),
          Effect.andThen(Effect.sync(() => patience.note(frame, false))),
          Effect.as(undefined)
        )
      const [main, ...rest] = yield* Effect.all(
        [
          Effect.ensuring(this.walkFrame(start, rootOptions), Deferred.succeed(answered, undefined)),
          ...children.map((frame) =>
            this.walkFrame(frame, options).pipe(
              Effect.tap(() => Effect.sync(() => patience.note(frame, true))),
              Effect.catchTags({
                DocumentGone: () => Effect.succeed(undefined),
                CdpFailed: () => Effect.succeed(undefined)
              }),
              (walked) => Effect.raceFirst(walked, late(frame))
            )
          )
        ],
        { concurrency: "unbounded" }
      )
      if (main === undefined) return yield* new SnapshotFailed({ reason: "the page did not answer" })
      if (main.error === "selector") {
        return yield* new SelectorInvalid({ selector: scope.selector ?? "", reason: "it cannot be parsed" })
      }
      if (main.error === "root") {
        return yield* new TargetNotFound({ target: scope.selector ?? "the element of the reference", candidates: [] })
      }
      const loaderId = model.main.loaderId
      if (start.id === model.mainFrameId) this.tab.setTitle(main.title, true)
      // before owners are learned: for a new document it forgets those of the one before
      const numbering = this.numberingOf(loaderId)
      const results = new Map<FrameId, { readonly frame: FrameModel; readonly result: WalkResult }>([
        [start.id, { frame: start, result: main }]
      ])
      children.forEach((frame, index) => {
        const result = rest[index]
        if (result !== undefined) results.set(frame.id, { frame, result })
      })
      yield* Effect.forEach(results.values(), ({ frame, result }) => this.learnOwners(frame, result.items), {
        concurrency: "unbounded",
        discard: true
      })
      const ownerOf = (frameId: FrameId, key: number): FrameId | undefined => {
        const frame = model.frames.get(frameId)
        return frame === undefined ? undefined : this.owners.get(`${frameId} ${frame.loaderId}`)?.get(key)
      }
      const place = (frame: FrameModel, result: WalkResult, offset: FrameItems["offset"]): FrameItems => ({
        frameId: frame.id,
        loaderId: frame.loaderId,
        isMain: frame.id === model.mainFrameId,
        items: result.items,
        offset
      })
      const offsets = new Map<FrameId, FrameItems["offset"]>([[start.id, { x: 0, y: 0 }]])
      const listed = joinFrames(
        place(start, main, { x: 0, y: 0 }),
        (parentId, item) => {
          const childId = ownerOf(parentId, item.k)
          const child = childId === undefined ? undefined : results.get(childId)
          if (child === undefined) return undefined
          const outer = offsets.get(parentId) ?? { x: 0, y: 0 }
          const offset = { x: outer.x + (item.content?.x ?? item.x), y: outer.y + (item.content?.y ?? item.y) }
          offsets.set(child.frame.id, offset)
          return place(child.frame, child.result, offset)
        },
        numbering
      )
      const shown = new Set(listed.map(({ origin }) => origin.frameId))
      /** what it holds is in the list, or may come with what was cut off: a frame that nothing shows is no part of it */
      const belongs = (frame: FrameModel | undefined): boolean => {
        if (frame === undefined) return false
        if (frame.id === start.id || shown.has(frame.id)) return true
        const parent = frame.parentId === undefined ? undefined : results.get(frame.parentId)
        return parent?.result.truncated === true && belongs(parent.frame)
      }
      const all = [...results.values()].filter(({ frame }) => belongs(frame))
      return {
        main,
        loaderId,
        listed,
        total: Math.max(
          listed.length,
          all.reduce((sum, { result }) => sum + result.total, 0)
        ),
        truncated: all.some(({ result }) => result.truncated),
        unseen: all.find(({ result }) => result.unseen !== undefined)?.result.unseen,
        unsent: unsentOf(results.values(), listed),
        silent: children.filter((frame) => !results.has(frame.id))
      }
    })
  }

  private walkFrame(frame: FrameModel, options: WalkOptions) {
    return Effect.gen({ self: this }, function* () {
      const first = (yield* this.ahead.take(frame, options)) ?? (yield* this.agents.call(frame, "walk", options))
      if (first.suspects.length === 0) return first
      const adopted = yield* adoptClosedRoots(this.tab, this.agents, frame, first.suspects)
      if (adopted === 0) return first
      // what is told once was told to the first
      return {
        ...(first.unsent === undefined ? {} : { unsent: first.unsent }),
        ...(yield* this.agents.call(frame, "walk", options))
      }
    })
  }

  private numberingOf(loaderId: string): Numbering {
    if (this.numberedLoader !== loaderId) {
      this.numberedLoader = loaderId
      this.numbering = new Numbering()
      this.owners.clear()
    }
    return this.numbering
  }

  /** Finds out which frames the iframe elements of a walk show, as far as that is not known yet. */
  private learnOwners(frame: FrameModel, items: ReadonlyArray<WalkItem>) {
    return Effect.gen({ self: this }, function* () {
      const keys = items.filter((item) => item.kind === "frame").map((item) => item.k)
      if (keys.length === 0 || !hasChildren(this.tab.model.frames, frame.id)) return
      const name = `${frame.id} ${frame.loaderId}`
      const known = this.owners.get(name) ?? new Map<number, FrameId>()
      this.owners.set(name, known)
      // an iframe that was moved in the document shows a new frame
      const open = keys.filter((key) => {
        const shown = known.get(key)
        return shown === undefined || !this.tab.model.frames.has(shown)
      })
      if (open.length === 0) return
      const found = yield* Effect.option(framesOf(this.tab, this.agents, frame, open))
      if (Option.isSome(found)) for (const [key, id] of found.value) known.set(key, id)
    })
  }
}

/** The form that was not sent, in whatever frame it is, with references of the fields that are listed. */
const unsentOf = (
  results: Iterable<{ readonly frame: FrameModel; readonly result: WalkResult }>,
  listed: ReadonlyArray<Listed>
): Unsent | undefined => {
  for (const { frame, result } of results) {
    if (result.unsent === undefined) continue
    const { fields, total } = result.unsent
    return {
      fields: fields.map(({ k, reason, target }) => {
        const ref = listed.find(({ origin }) => origin.frameId === frame.id && origin.key === k)?.element.ref
        return { ...(ref === undefined ? {} : { ref }), target, reason }
      }),
      total
    }
  }
  return undefined
}

/** What a walk looks for that is confined to nothing. */
const everything = { interactive: false, skip: 0 }

const hasChildren = (frames: ReadonlyMap<FrameId, FrameModel>, id: FrameId): boolean => {
  for (const frame of frames.values()) if (frame.parentId === id) return true
  return false
}

const descendants = (frames: ReadonlyMap<FrameId, FrameModel>, id: FrameId): ReadonlyArray<FrameModel> => {
  const found: Array<FrameModel> = []
  const visit = (parent: FrameId): void => {
    for (const frame of frames.values()) {
      if (frame.parentId === parent && !found.includes(frame)) {
        found.push(frame)
        visit(frame.id)
      }
    }
  }
  visit(id)
  return found
}
