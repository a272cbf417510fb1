/**
 * Snapshots as data: numbering references, joining frames, paging, comparing. Pure; `Snapshots.ts` asks the page.
 */
import type { FrameId, SnapshotId } from "../../schemas/ids.ts"
import type { WalkItem } from "../../schemas/page.ts"
import type { SnapshotElement } from "../../schemas/snapshot.ts"

/** Where a listed element is: its frame, that frame's document, its key there and its facts when it was listed. */
export interface Origin {
  readonly frameId: FrameId
  readonly loaderId: string
  readonly key: number
  readonly fp: number
}

/** A listed element with its origin. */
export interface Listed {
  readonly element: SnapshotElement
  readonly origin: Origin
}

/** A snapshot that is kept so that its references can be used. */
export interface KeptSnapshot {
  readonly id: SnapshotId
  /** document of the main frame */
  readonly loaderId: string
  readonly origins: ReadonlyMap<number, Origin>
  /** what was listed, for comparing; the options it was taken with decide what may be compared */
  readonly elements: ReadonlyMap<number, SnapshotElement>
  readonly scope: string
}

/** How many snapshots of a tab stay usable. */
export const keptSnapshots = 10

/** One frame's walk, placed in the top viewport. */
export interface FrameItems {
  readonly frameId: FrameId
  readonly loaderId: string
  readonly isMain: boolean
  readonly items: ReadonlyArray<WalkItem>
  /** top left corner of its viewport in the top viewport */
  readonly offset: { readonly x: number; readonly y: number }
}

/** Numbers of the elements of one main document: given in the order of first listing, never given twice. */
export class Numbering {
  private readonly numbers = new Map<string, number>()
  private next = 1

  of(origin: { readonly frameId: string; readonly loaderId: string; readonly key: number }): number {
    const name = `${origin.frameId} ${origin.loaderId} ${origin.key}`
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    this.numbers.set(name, this.next)
    return this.next++
  }
}

/**
 * Puts the items of all frames into one list in reading order: what stands in a frame follows its frame element.
 *
 * @param frameOf the frame that an iframe element shows, by frame and key of the element
 */
export const joinFrames = (
  main: FrameItems,
  childOf: (frameId: FrameId, item: WalkItem) => FrameItems | undefined,
  numbering: Numbering
): ReadonlyArray<Listed> => {
  const listed: Array<Listed> = []
  const visited = new Set<FrameId>()
  const visit = (frame: FrameItems): void => {
    if (visited.has(frame.frameId)) return
    visited.add(frame.frameId)
    for (const item of frame.items) {
      const origin: Origin = { frameId: frame.frameId, loaderId: frame.loaderId, key: item.k, fp: item.fp }
      listed.push({ element: toElement(item, frame, numbering.of(origin)), origin })
      if (item.kind === "frame") {
        const child = childOf(frame.frameId, item)
        if (child !== undefined) visit(child)
      }
    }
  }
  visit(main)
  return listed
}

const toElement = (item: WalkItem, frame: FrameItems, ref: number): SnapshotElement => ({
  ref,
  kind: item.kind,
  label: item.label,
  loc: item.loc,
  x: Math.round(item.x + frame.offset.x),
  y: Math.round(item.y + frame.offset.y),
  width: Math.round(item.w),
  height: Math.round(item.h),
  ...(item.value === undefined ? {} : { value: item.value }),
  ...(item.states === undefined || item.states.length === 0 ? {} : { states: item.states }),
  ...(item.options === undefined ? {} : { options: item.options }),
  ...(frame.isMain ? {} : { frame: frame.frameId })
})

/**
 * The longest beginning of the list whose JSON form has at most `maxChars` characters (at least one element).
 */
export const fitting = (listed: ReadonlyArray<Listed>, limit: number, maxChars: number): ReadonlyArray<Listed> => {
  let size = 0
  let count = 0
  for (const { element } of listed) {
    size += JSON.stringify(element).length + 1
    if (count > 0 && (count >= limit || size > maxChars)) break
    count++
  }
  return listed.slice(0, count)
}

/** States that come and go with every act: reporting them would only be noise. */
const fleeting: ReadonlySet<string> = new Set(["offscreen", "covered", "focused"])

/** What an agent would notice of an element; positions are left out, for scrolling moves everything. */
const look = (element: SnapshotElement): string =>
  `${element.kind} ${element.label} ${element.value ?? ""} ${(element.states ?? []).filter((state) => !fleeting.has(state)).join()}`

/** What is new or changed, and which references are gone. */
export const compare = (
  before: ReadonlyMap<number, SnapshotElement>,
  now: ReadonlyArray<Listed>
): { readonly changed: ReadonlyArray<Listed>; readonly removed: ReadonlyArray<number> } => {
  const present = new Set<number>()
  const changed: Array<Listed> = []
  for (const entry of now) {
    present.add(entry.element.ref)
    const old = before.get(entry.element.ref)
    if (old === undefined || look(old) !== look(entry.element)) changed.push(entry)
  }
  return { changed, removed: [...before.keys()].filter((ref) => !present.has(ref)) }
}

/** An element that stands elsewhere among the others than before, and the one that it stands before now. */
export interface Move {
  readonly ref: number
  readonly before?: number
}

/** The elements that were put elsewhere, by as few moves as lead from the order before to the one of now. */
export const moves = (
  before: ReadonlyMap<number, SnapshotElement>,
  now: ReadonlyArray<Listed>
): ReadonlyArray<Move> => {
  const places = new Map([...before.keys()].map((ref, place) => [ref, place]))
  const refs = now.map(({ element }) => element.ref)
  const common = refs.filter((ref) => places.has(ref))
  const place = (index: number): number => places.get(common[index] as number) as number
  // the longest part that kept its order: for each length the index at which such a part may end, as early as can be
  const ends: Array<number> = []
  const previous: Array<number | undefined> = []
  common.forEach((_, index) => {
    let low = 0
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1
      if (place(ends[middle] as number) < place(index)) low = middle + 1
      else high = middle
    }
    previous[index] = low === 0 ? undefined : ends[low - 1]
    ends[low] = index
  })
  const kept = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) kept.add(common[index] as number)
  return common
    .filter((ref) => !kept.has(ref))
    .map((ref) => {
      const next = refs[refs.indexOf(ref) + 1]
      return { ref, ...(next === undefined ? {} : { before: next }) }
    })
}

/** Options that decide what a snapshot lists. */
export interface Scope {
  readonly query?: string | undefined
  readonly interactive: boolean
  readonly selector?: string | undefined
  readonly rootKey?: string | undefined
}
export const scopeName = (scope: Scope): string =>
  JSON.stringify([scope.query ?? "", scope.interactive, scope.selector ?? "", scope.rootKey ?? ""])

/** A place to go on from, as handed to the agent. */
export const encodeCursor = (loaderId: string, skip: number, scope: Scope): string =>
  Buffer.from(
    JSON.stringify([loaderId, skip, scope.query ?? null, scope.interactive, scope.selector ?? null])
  ).toString("base64url")

/** Reads a cursor; undefined if it is none. */
export const decodeCursor = (
  text: string
): { readonly loaderId: string; readonly skip: number; readonly scope: Scope } | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"))
    if (!Array.isArray(value)) return undefined
    const [loaderId, skip, query, interactive, selector] = value as ReadonlyArray<unknown>
    if (typeof loaderId !== "string" || !Number.isSafeInteger(skip) || (skip as number) < 0) return undefined
    return {
      loaderId,
      skip: skip as number,
      scope: {
        interactive: interactive === true,
        ...(typeof query === "string" ? { query } : {}),
        ...(typeof selector === "string" ? { selector } : {})
      }
    }
  } catch {
    return undefined
  }
}
