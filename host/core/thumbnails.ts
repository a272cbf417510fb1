/** Small pictures of tasks: when one is taken, and which are kept. Plain data, times in ms. */
import type { HostTaskId } from "../../src/schemas/HostProtocol.ts"

/** Longest side of a thumbnail (px). */
export const thumbnailSide = 288
export const thumbnailQuality = 58
/** Bytes of one at the most; a larger one is not kept. */
export const thumbnailBytes = 180 * 1024
/** Time between two captures. */
export const thumbnailPause = 2_000
/** So many are kept. */
export const thumbnailsKept = 32

export interface Thumbnail {
  readonly image: string
  /** goes up when the picture changes */
  readonly version: number
}

export interface Thumbnails {
  /** the one that was used last is the last */
  readonly kept: ReadonlyMap<HostTaskId, Thumbnail>
  readonly lastCapture: number
}

export const noThumbnails: Thumbnails = { kept: new Map(), lastCapture: Number.NEGATIVE_INFINITY }

/** Size of the thumbnail of a picture. */
export const thumbnailSize = (picture: {
  readonly width: number
  readonly height: number
}): { readonly width: number; readonly height: number } => {
  const scale = Math.min(1, thumbnailSide / Math.max(1, picture.width, picture.height))
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale))
  }
}

/** Whether a capture may begin now. */
export const mayCapture = (state: Thumbnails, now: number): boolean => now - state.lastCapture >= thumbnailPause

/** Notes that a capture has begun. */
export const captureBegan = (state: Thumbnails, now: number): Thumbnails => ({ ...state, lastCapture: now })

/** Keeps a picture if it is small enough; the visible task's is never the one that makes room. */
export const keep = (
  state: Thumbnails,
  task: HostTaskId,
  image: { readonly dataUrl: string; readonly bytes: number },
  visible: HostTaskId | undefined
): Thumbnails => {
  if (image.bytes === 0 || image.bytes > thumbnailBytes) return state
  const kept = new Map(state.kept)
  const before = kept.get(task)
  const version = before === undefined ? 1 : before.image === image.dataUrl ? before.version : before.version + 1
  kept.delete(task)
  kept.set(task, { image: image.dataUrl, version })
  for (const one of [...kept.keys()]) {
    if (kept.size <= thumbnailsKept) break
    if (one !== visible && one !== task) kept.delete(one)
  }
  return { ...state, kept }
}

export const forget = (state: Thumbnails, task: HostTaskId): Thumbnails => {
  const kept = new Map(state.kept)
  return kept.delete(task) ? { ...state, kept } : state
}
