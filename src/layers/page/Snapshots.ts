/** Takes snapshots of a tab, keeps the ten latest, and finds what a reference means. */
import { Effect } from "effect"
import type { BrowserConfig } from "../../schemas/config.ts"
import {
  InvalidArguments,
  RefUnknown,
  type SelectorInvalid,
  type SnapshotFailed,
  SnapshotStale,
  SnapshotUnknown,
  type TargetNotFound
} from "../../schemas/errors.ts"
import { type FrameId, SnapshotId } from "../../schemas/ids.ts"
import type { FrameName, Snapshot } from "../../schemas/snapshot.ts"
import type { ActOutcome } from "../../schemas/tools/common.ts"
import type { SnapshotParams } from "../../schemas/tools/reading.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents } from "./Agent.ts"
import { pdfNote } from "./pdf.ts"
import {
  compare,
  decodeCursor,
  encodeCursor,
  fitting,
  type KeptSnapshot,
  keptSnapshots,
  type Listed,
  moves,
  type Origin,
  type Scope,
  scopeName
} from "./SnapshotModel.ts"
import type { Tab } from "./Tab.ts"
import { saidUnseen } from "./unseen.ts"
import { type RestOptions, type Walked, Walker, type WalkScope } from "./Walker.ts"

/** An act reports at most so many characters of changes (as JSON); the rest is said to be left out. */
const changesMaxChars = 6_000

/** Elements that are compared after an act at the most. */
const changesMaxElements = 400

/** Characters of a title that an act tells. */
const mostTitle = 200

/** Elements of which an act tells at the most that they stand elsewhere among the others. */
const mostMoves = 10

export class Snapshots {
  private readonly kept = new Map<SnapshotId, KeptSnapshot>()

  private readonly tab: Tab
  private readonly walker: Walker
  private readonly config: BrowserConfig
  private readonly nextId: () => number
  constructor(tab: Tab, agents: Agents, config: BrowserConfig, nextId: () => number) {
    this.tab = tab
    this.walker = new Walker(tab, agents, config.snapshotMaxChars)
    this.config = config
    this.nextId = nextId
  }

  /** Waits until the document is at rest. The look at a new one is taken along, for one follows as a rule. */
  rest(options: RestOptions) {
    return this.walker.rest(options, Math.max(this.config.snapshotMaxElements, changesMaxElements))
  }

  /** What the tab looks like without asking the page: for pages that cannot answer. */
  unanswered(note?: string): Snapshot {
    const { main } = this.tab.model
    return {
      ...this.keep(main.loaderId, [], "unanswered"),
      url: main.url,
      elements: [],
      ...joined([...this.failed(), ...(note === undefined ? [] : [note])])
    }
  }

  /** Takes a snapshot as the parameters say. */
  readonly take = (
    params: SnapshotParams
  ): Effect.Effect<
    Snapshot,
    | CdpError
    | InvalidArguments
    | SnapshotUnknown
    | SnapshotStale
    | RefUnknown
    | SnapshotFailed
    | SelectorInvalid
    | TargetNotFound
  > =>
    Effect.gen({ self: this }, function* () {
      const limit = params.limit ?? this.config.snapshotMaxElements
      const cursor = params.cursor === undefined ? undefined : decodeCursor(params.cursor)
      if (params.cursor !== undefined && cursor === undefined) {
        return yield* notTheCursor("is not one of an earlier snapshot")
      }
      if (cursor !== undefined && cursor.loaderId !== this.tab.model.main.loaderId) {
        return yield* notTheCursor("is from a page that is gone")
      }
      if (cursor !== undefined && !goesOn(params, cursor.scope)) {
        return yield* notTheCursor("goes on with what the snapshot before it showed; other filters begin anew")
      }
      const root =
        params.ref === undefined || params.snapshotId === undefined
          ? undefined
          : this.lookup(params.snapshotId, params.ref)
      const origin = root === undefined ? undefined : yield* root
      const scope: WalkScope = cursor?.scope ?? {
        query: params.query,
        interactive: params.interactive,
        selector: params.selector,
        ...(origin === undefined
          ? {}
          : { root: { frameId: origin.frameId, key: origin.key }, rootKey: `${origin.frameId} ${origin.key}` })
      }
      const base = params.since === undefined ? undefined : yield* this.base(params.since)
      const skip = cursor?.skip ?? 0
      const whole = scopeName(scope) === wholePage && skip === 0
      // acts compare with what was listed beyond the cut, too: it must not look new later
      const walked = yield* this.walker.walk(scope, whole ? Math.max(limit, changesMaxElements) : skip + limit)
      const page = walked.listed.slice(skip)
      const diff = base === undefined ? undefined : compare(base.elements, page)
      const shown = fitting(diff?.changed ?? page, limit, this.config.snapshotMaxChars)
      const more = diff === undefined ? skip + shown.length < walked.total : shown.length < diff.changed.length
      const truncated = more || walked.unseen !== undefined
      // what lay beyond the cut is neither new nor gone
      const removed = walked.truncated ? [] : (diff?.removed ?? [])
      const kept = this.keep(walked.loaderId, whole ? walked.listed : shown, scopeName(scope), base)
      const notes = [
        ...this.failed(),
        ...(walked.unseen === undefined ? [] : [`${saidUnseen(walked.unseen)}; selector or ref looks at a part of it`]),
        ...(removed.length === (diff?.removed.length ?? 0)
          ? []
          : ["the page has more elements than are compared, so that what is gone is not told"]),
        ...this.missing(walked)
      ]
      return {
        ...kept,
        url: this.tab.model.main.failed === true ? this.tab.model.main.url : walked.main.url,
        ...(this.tab.model.failedStatus === undefined ? {} : { status: this.tab.model.failedStatus }),
        title: walked.main.title,
        elements: shown.map(({ element }) => element),
        ...(truncated ? { truncated: true } : {}),
        ...(truncated || skip > 0 ? { total: walked.total } : {}),
        ...(more && diff === undefined && origin === undefined
          ? { cursor: encodeCursor(walked.loaderId, skip + shown.length, scope) }
          : {}),
        ...(base === undefined ? {} : { since: base.id, removed }),
        ...(walked.main.ready === "complete" || this.tab.model.loaded ? {} : { loading: true }),
        ...joined(notes),
        ...(walked.main.challenge === undefined ? {} : { challenge: walked.main.challenge })
      }
    })

  /** Elements of the whole page whose text or name contains `text`. */
  readonly find = (text: string, limit: number) =>
    Effect.map(
      this.walker.walk({ interactive: false, query: text.toLowerCase() }, limit + this.tab.model.frames.size),
      (walked) => {
        // frames pass every filter, for what is looked for may stand in them
        const isMatch = ({ element: { kind, label } }: Listed) =>
          kind !== "frame" || label.toLowerCase().includes(text.toLowerCase())
        const matches = walked.listed.filter(isMatch)
        const total = walked.total - (walked.listed.length - matches.length)
        const shown = fitting(matches, limit, this.config.snapshotMaxChars)
        const { snapshotId } = this.keep(walked.loaderId, shown, "find")
        const notes = [
          ...(walked.unseen === undefined
            ? []
            : [`${saidUnseen(walked.unseen)}; browser_snapshot with selector and query looks at a part of it`]),
          ...this.missing(walked)
        ]
        return {
          snapshotId,
          matches: shown.map(({ element }) => element),
          ...this.framesOf(shown),
          total,
          truncated: shown.length < total || walked.unseen !== undefined,
          ...joined(notes)
        }
      }
    )

  /**
   * What is new or changed since the latest whole snapshot of the tab, as a snapshot of its own, if anything is; and the
   * form that was not sent. With `anew` everything counts as new: the page took the place of another. `title`: what it
   * was before, if its changes are to be told.
   */
  readonly changes = (
    anew: boolean,
    title?: string
  ): Effect.Effect<
    Pick<ActOutcome, "changes" | "unsent">,
    CdpError | SnapshotFailed | SelectorInvalid | TargetNotFound
  > =>
    Effect.gen({ self: this }, function* () {
      const walked = yield* this.walker.walk({ interactive: false }, changesMaxElements)
      const latest = anew
        ? undefined
        : [...this.kept.values()].findLast((kept) => kept.loaderId === walked.loaderId && kept.scope === wholePage)
      const before = latest?.elements ?? new Map()
      const { changed, removed } = compare(before, walked.listed)
      const unsent = walked.unsent === undefined ? {} : { unsent: walked.unsent }
      const moved = moves(before, walked.listed)
      const titled = newTitle(walked.main.title, title, anew)
      if (changed.length === 0 && removed.length === 0 && moved.length === 0 && titled === undefined) return unsent
      const labels = new Map(walked.listed.map(({ element }) => [element.ref, element.label]))
      const named = (ref: number) => ({ ref, label: labels.get(ref) ?? "" })
      const shown = fitting(changed, changesMaxElements, changesMaxChars)
      const { snapshotId } = this.keep(walked.loaderId, walked.listed, wholePage)
      const changes = {
        snapshotId,
        ...(titled === undefined ? {} : { title: titled }),
        elements: shown.map(({ element }) => element),
        ...this.framesOf(shown),
        // what lay beyond the cut of the snapshot before is neither new nor gone
        removed: walked.truncated ? [] : removed.slice(0, 100),
        ...(moved.length === 0
          ? {}
          : {
              moved: moved.slice(0, mostMoves).map(({ before: next, ref }) => ({
                ...named(ref),
                ...(next === undefined ? {} : { before: named(next) })
              }))
            }),
        ...(shown.length < changed.length || moved.length > mostMoves || walked.truncated ? { truncated: true } : {})
      }
      return { ...unsent, changes }
    })

  /** That what is seen is the browser's error page, in words. */
  private failed(): ReadonlyArray<string> {
    const { failure } = this.tab.model
    return failure === undefined
      ? []
      : [`the page could not be loaded (${failure}); what is here is the browser's error page`]
  }

  /** What a walk could not see, in words. */
  private missing({ silent }: Walked): ReadonlyArray<string> {
    return this.tab.model.isPdf
      ? pdfNote(this.tab.model)
      : silent.map((frame) => `the frame ${frame.url || frame.id} did not answer and is left out`)
  }

  /** The frames that elements stand in, with those around them, by name. */
  private framesOf(listed: ReadonlyArray<Listed>): { readonly frames?: ReadonlyArray<FrameName> } {
    const { frames, mainFrameId } = this.tab.model
    const named = new Map<FrameId, FrameName>()
    for (const { element } of listed) {
      let frame = element.frame === undefined ? undefined : frames.get(element.frame)
      while (frame !== undefined && frame.id !== mainFrameId && !named.has(frame.id)) {
        const parent = frame.parentId === mainFrameId ? undefined : frame.parentId
        named.set(frame.id, {
          frame_id: frame.id,
          url: frame.url.slice(0, 500),
          ...(parent === undefined ? {} : { parent_frame_id: parent })
        })
        frame = parent === undefined ? undefined : frames.get(parent)
      }
    }
    return named.size === 0 ? {} : { frames: [...named.values()] }
  }

  /** Where the element of a reference is. */
  lookup(snapshotId: SnapshotId, ref: number): Effect.Effect<Origin, SnapshotUnknown | RefUnknown | SnapshotStale> {
    return Effect.gen({ self: this }, function* () {
      const snapshot = this.kept.get(snapshotId)
      if (snapshot === undefined) {
        return yield* new SnapshotUnknown({ snapshotId, retained: [...this.kept.keys()] })
      }
      const origin = snapshot.origins.get(ref)
      if (origin === undefined) return yield* new RefUnknown({ snapshotId, ref })
      const stale = (reason: string) => new SnapshotStale({ snapshotId, ref, reason })
      if (snapshot.loaderId !== this.tab.model.main.loaderId) {
        return yield* stale("the tab has loaded another page since")
      }
      const frame = this.tab.model.frames.get(origin.frameId)
      if (frame === undefined) return yield* stale("its frame is gone")
      if (frame.loaderId !== origin.loaderId) return yield* stale("its frame has loaded another page since")
      return origin
    })
  }

  private base(id: SnapshotId): Effect.Effect<KeptSnapshot, SnapshotUnknown> {
    const snapshot = this.kept.get(id)
    return snapshot === undefined
      ? Effect.fail(new SnapshotUnknown({ snapshotId: id, retained: [...this.kept.keys()] }))
      : Effect.succeed(snapshot)
  }

  private keep(
    loaderId: string,
    listed: ReadonlyArray<Listed>,
    scope: string,
    base?: KeptSnapshot
  ): { readonly snapshotId: SnapshotId; readonly tabId: Tab["id"] } {
    const id = SnapshotId.make(`s${this.nextId()}`)
    const entries = (of: (entry: Listed) => readonly [number, Origin]) => listed.map(of)
    this.kept.set(id, {
      id,
      loaderId,
      scope: base?.scope ?? scope,
      // references of the base stay usable under the new id
      origins: new Map([...(base?.origins ?? []), ...entries(({ element, origin }) => [element.ref, origin])]),
      elements: new Map([...(base?.elements ?? []), ...listed.map(({ element }) => [element.ref, element] as const)])
    })
    if (this.kept.size > keptSnapshots) this.kept.delete(this.kept.keys().next().value as SnapshotId)
    return { snapshotId: id, tabId: this.tab.id }
  }
}

/** What to tell of a title; undefined: nothing, as of one that only counts. */
const newTitle = (now: string, before: string | undefined, anew: boolean): string | undefined => {
  const comparable = (text: string) => (anew ? text : text.replace(/\d+/g, "0")).slice(0, 300)
  if (before === undefined && !anew) return undefined
  return comparable(now) === comparable(before ?? "") ? undefined : now.slice(0, mostTitle)
}

const joined = (notes: ReadonlyArray<string>) => (notes.length === 0 ? {} : { note: notes.slice(0, 3).join("; ") })

const notTheCursor = (why: string) =>
  new InvalidArguments({ tool: "browser_snapshot", issues: [`cursor ${why}; leave it out to begin anew`] })

/** Whether a call with a cursor asks for nothing but what the cursor goes on with. */
const goesOn = (params: SnapshotParams, scope: Scope): boolean =>
  (params.query === undefined || params.query === scope.query) &&
  (params.selector === undefined || params.selector === scope.selector) &&
  (!params.interactive || scope.interactive) &&
  params.ref === undefined &&
  params.since === undefined

/** The scope of a snapshot of everything. */
const wholePage = scopeName({ interactive: false })
