/** Points and visibility across frames: from a document's own viewport to that of the process that takes the input. */
import { Effect } from "effect"
import { TargetCovered, TargetHidden } from "../../schemas/errors.ts"
import type { Rect } from "../../schemas/page.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents, DocumentGone } from "./Agent.ts"
import type { FrameModel } from "./FrameTable.ts"
import { framesOf } from "./RemoteElements.ts"
import type { Tab } from "./Tab.ts"

export interface Point {
  readonly x: number
  readonly y: number
}

/** The iframe element that shows a frame. */
interface Owner {
  readonly parent: FrameModel
  readonly backendNodeId: number
}

const ownerOf = (tab: Tab, frame: FrameModel): Effect.Effect<Owner | undefined, CdpError> => {
  const parent = frame.parentId === undefined ? undefined : tab.model.frames.get(frame.parentId)
  return parent === undefined
    ? Effect.succeed(undefined)
    : Effect.map(tab.send("DOM.getFrameOwner", { frameId: frame.id }, parent), ({ backendNodeId }) => ({
        parent,
        backendNodeId
      }))
}

/** Where the corners of a quad map a point of a rectangle of the given size: transforms of the iframe included. */
const through = (
  quad: ReadonlyArray<number>,
  size: { readonly width: number; readonly height: number },
  point: Point
): Point => {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, , , x4 = 0, y4 = 0] = quad
  const u = size.width === 0 ? 0 : point.x / size.width
  const v = size.height === 0 ? 0 : point.y / size.height
  return { x: x1 + u * (x2 - x1) + v * (x4 - x1), y: y1 + u * (y2 - y1) + v * (y4 - y1) }
}

/**
 * A point of a frame's viewport in that of its session's root frame, where input is dispatched. Content quads are
 * relative to the root of the process (runtime fact 73).
 */
export const toSessionRoot = (
  tab: Tab,
  agents: Agents,
  frame: FrameModel,
  point: Point
): Effect.Effect<Point, CdpError | DocumentGone> =>
  Effect.gen(function* () {
    const owner = yield* ownerOf(tab, frame)
    if (owner === undefined || owner.parent.sessionId !== frame.sessionId) return point
    const { quads } = yield* tab.send("DOM.getContentQuads", { backendNodeId: owner.backendNodeId }, owner.parent)
    const quad = quads[0]
    if (quad === undefined) return point
    const size = yield* agents.call(frame, "scrollState", {})
    return through(quad, size, point)
  })

/**
 * Brings a point of a frame into view in all documents around it, and makes sure that nothing there covers the frame
 * at that point.
 */
export const reveal = (
  tab: Tab,
  agents: Agents,
  frame: FrameModel,
  point: Point,
  target: string
): Effect.Effect<void, CdpError | DocumentGone | TargetCovered | TargetHidden> =>
  Effect.gen(function* () {
    const owner = yield* ownerOf(tab, frame)
    if (owner === undefined) return
    const { parent, backendNodeId } = owner
    const key = yield* ownerKey(tab, agents, parent, frame)
    if (key === undefined) return
    for (let attempt = 0; ; attempt++) {
      const content = yield* agents.call(parent, "contentBox", { key })
      if (content === null) return yield* new TargetHidden({ target, reason: "its frame is gone" })
      const outer = { x: content.x + point.x, y: content.y + point.y }
      const view = yield* agents.call(parent, "scrollState", {})
      const inside = outer.x >= 0 && outer.y >= 0 && outer.x < view.width && outer.y < view.height
      const hit = inside ? yield* agents.call(parent, "hitFrame", { key, ...outer }) : undefined
      if (hit?.is === "target") return yield* reveal(tab, agents, parent, outer, target)
      if (attempt === 0) {
        yield* tab.send(
          "DOM.scrollIntoViewIfNeeded",
          {
            backendNodeId,
            rect: { x: Math.max(0, point.x - 20), y: Math.max(0, point.y - 20), width: 40, height: 40 }
          },
          parent
        )
        continue
      }
      if (hit?.is === "covered") return yield* new TargetCovered({ target, by: hit.by, box: hit.byBox })
      return yield* new TargetHidden({ target, reason: "its frame cannot be scrolled into view" })
    }
  })

const keyCache = new WeakMap<Agents, Map<string, number>>()

/** The key of the iframe element that shows `frame`, in its parent document. */
const ownerKey = (
  tab: Tab,
  agents: Agents,
  parent: FrameModel,
  frame: FrameModel
): Effect.Effect<number | undefined, CdpError | DocumentGone> =>
  Effect.gen(function* () {
    const cache = keyCache.get(agents) ?? new Map<string, number>()
    keyCache.set(agents, cache)
    const name = `${parent.loaderId} ${frame.id}`
    const known = cache.get(name)
    if (known !== undefined) return known
    const walked = yield* agents.call(parent, "walk", {
      limit: 1_000,
      maxChars: 100_000,
      interactive: false,
      query: "frame",
      skip: 0
    })
    const keys = walked.items.filter((item) => item.kind === "frame").map((item) => item.k)
    for (const [key, id] of yield* framesOf(tab, agents, parent, keys)) cache.set(`${parent.loaderId} ${id}`, key)
    return cache.get(name)
  })

/** Where a box of a frame lies in the top viewport, for pictures; transforms are not followed. */
export const toTop = (
  tab: Tab,
  agents: Agents,
  frame: FrameModel,
  box: Rect
): Effect.Effect<Rect, CdpError | DocumentGone> =>
  Effect.gen(function* () {
    const parent = frame.parentId === undefined ? undefined : tab.model.frames.get(frame.parentId)
    if (parent === undefined) return box
    const key = yield* ownerKey(tab, agents, parent, frame)
    const content = key === undefined ? null : yield* agents.call(parent, "contentBox", { key })
    return content === null
      ? box
      : yield* toTop(tab, agents, parent, { ...box, x: box.x + content.x, y: box.y + content.y })
  })
