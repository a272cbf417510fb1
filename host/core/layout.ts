/**
 * Where each view is. Views are never taken out of the window: only their visibility and their bounds change.
 *
 * A hidden view goes on drawing (its throttling is off), so that its timers, animations and native pictures are fresh;
 * one that was never in the window has no size, though (measured: Electron 33.2.1). So a new view, and one of which a
 * picture is taken by protocol command, shows a strip of two pixels below the one that is in front, which is left free
 * for it.
 */
import type { ViewId } from "../../src/schemas/HostProtocol.ts"

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Placement {
  readonly viewId: ViewId
  readonly visible: boolean
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

/** Height (px) of the strip at the bottom of the window that belongs to no page. */
export const strip = 2

/** Height (px) of the window's own bar above the pages. */
export const barHeight = 40

/** A window that is minimised, or still being made, says that it has no size: pages keep the one they had. */
export const pageSize = (content: Size, last: Size): Size =>
  content.width < 1 || content.height <= barHeight + strip
    ? last
    : { width: content.width, height: content.height - barHeight - strip }

/**
 * The places of all views.
 *
 * @param front the one that the person sees
 * @param awake those that must be in the window although the person does not see them
 */
export const layout = (options: {
  readonly views: ReadonlyArray<ViewId>
  readonly page: Size
  readonly front: ViewId | undefined
  readonly awake: ReadonlySet<ViewId>
}): ReadonlyArray<Placement> => {
  const { awake, front, page, views } = options
  return views.map((viewId) => {
    const peeks = awake.has(viewId) && viewId !== front
    return {
      viewId,
      visible: viewId === front || peeks,
      bounds: { x: 0, y: barHeight + (peeks ? page.height : 0), ...page }
    }
  })
}

/** What has to be done to get from one arrangement to another: only what differs. */
export const placementChanges = (
  before: ReadonlyMap<ViewId, Placement>,
  after: ReadonlyArray<Placement>
): ReadonlyArray<{ readonly placement: Placement; readonly moves: boolean; readonly toggles: boolean }> =>
  after
    .map((placement) => {
      const old = before.get(placement.viewId)
      const { height, width, x, y } = placement.bounds
      const moves =
        old === undefined ||
        old.bounds.x !== x ||
        old.bounds.y !== y ||
        old.bounds.width !== width ||
        old.bounds.height !== height
      return { placement, moves, toggles: old === undefined || old.visible !== placement.visible }
    })
    .filter(({ moves, toggles }) => moves || toggles)
