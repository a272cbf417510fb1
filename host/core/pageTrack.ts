/** What a page's own session has told of its frames and their documents, and what it has left out. Plain data. */

interface Frame {
  readonly id: string
  readonly parentId?: string
  readonly loaderId: string
  readonly url?: string
}

/**
 * Frames that have no document yet stand in a tree with the address ":" in Chromium 130, which is none; later versions
 * say "about:blank".
 */
export const withPlainAddresses = (tree: FrameTree): FrameTree => ({
  ...tree,
  frame: tree.frame.url === ":" ? { ...tree.frame, url: "about:blank" } : tree.frame,
  ...(tree.childFrames === undefined ? {} : { childFrames: tree.childFrames.map(withPlainAddresses) })
})

/** `Page.FrameTree` of the protocol, as far as it is needed here. */
export interface FrameTree {
  readonly frame: Frame
  readonly childFrames?: ReadonlyArray<FrameTree>
}

export interface PageTrack {
  /** ids of the documents that were told of, by frame */
  readonly frames: ReadonlyMap<string, string>
  /** requests for documents that are under way, by frame */
  readonly documents: ReadonlyMap<string, string>
}

export interface ProtocolEvent {
  readonly method: string
  readonly params: object
}

export const nothingTracked: PageTrack = { frames: new Map(), documents: new Map() }

const without = (map: ReadonlyMap<string, string>, key: string): ReadonlyMap<string, string> => {
  const left = new Map(map)
  return left.delete(key) ? left : map
}

const withoutRequest = (track: PageTrack, requestId: string): PageTrack => {
  for (const [frame, request] of track.documents) {
    if (request === requestId) return { ...track, documents: without(track.documents, frame) }
  }
  return track
}

const nothing = (track: PageTrack) => ({ track, told: [] })

/** What is known after an event, and what has to be told after it. */
export const followed = (
  track: PageTrack,
  method: string,
  params: unknown
): { readonly track: PageTrack; readonly told: ReadonlyArray<ProtocolEvent> } => {
  switch (method) {
    case "Page.frameAttached": {
      const { frameId } = params as { readonly frameId: string }
      return nothing(track.frames.has(frameId) ? track : { ...track, frames: new Map(track.frames).set(frameId, "") })
    }
    case "Page.frameNavigated": {
      const { frame } = params as { readonly frame: Frame }
      // a new top document has none of the frames of the one before
      const before = frame.parentId === undefined ? [] : track.frames
      return nothing({ ...track, frames: new Map(before).set(frame.id, frame.loaderId) })
    }
    case "Page.frameDetached": {
      const { frameId, reason } = params as { readonly frameId: string; readonly reason?: string }
      // one that only went to another process keeps its place
      const frames = reason === "swap" ? track.frames : without(track.frames, frameId)
      const requestId = track.documents.get(frameId)
      return {
        track: { frames, documents: without(track.documents, frameId) },
        told:
          requestId === undefined
            ? []
            : [{ method: "Network.loadingFinished", params: { requestId, timestamp: 0, encodedDataLength: 0 } }]
      }
    }
    case "Network.requestWillBeSent": {
      const { frameId, requestId, type } = params as {
        readonly frameId?: string
        readonly requestId: string
        readonly type?: string
      }
      return nothing(
        type !== "Document" || frameId === undefined
          ? track
          : { ...track, documents: new Map(track.documents).set(frameId, requestId) }
      )
    }
    case "Network.loadingFinished":
    case "Network.loadingFailed":
      return nothing(withoutRequest(track, (params as { readonly requestId: string }).requestId))
    default:
      return nothing(track)
  }
}

/** The events that were left out, parents first. */
export const untoldFrames = (track: PageTrack, tree: FrameTree): ReadonlyArray<ProtocolEvent> => {
  const below = (parent: FrameTree): ReadonlyArray<ProtocolEvent> =>
    (parent.childFrames ?? []).flatMap((child) => {
      const { frame } = child
      const loader = track.frames.get(frame.id)
      return [
        ...(loader === undefined
          ? [{ method: "Page.frameAttached", params: { frameId: frame.id, parentFrameId: parent.frame.id } }]
          : []),
        ...(loader === frame.loaderId
          ? []
          : [{ method: "Page.frameNavigated", params: { frame, type: "Navigation" } }]),
        ...below(child)
      ]
    })
  return below(tree)
}
