/** The frames of a tab, in whatever process each is, by what the protocol told. */
import type { Protocol } from "devtools-protocol"
import type { CdpSessionId, FrameId } from "../../schemas/ids.ts"

/**
 * A frame and the document it shows; `loaderId` changes with the document and with nothing else. Where the browser shows
 * its error page, `url` is the address that could not be loaded.
 */
export interface FrameModel {
  readonly id: FrameId
  readonly parentId: FrameId | undefined
  /** session of the process that renders it */
  readonly sessionId: CdpSessionId
  readonly loaderId: string
  readonly url: string
  /** it is the browser's error page */
  readonly failed?: true
}

/** A frame in words: its address, for want of one its id. */
export const frameName = ({ id, url }: FrameModel): string => (url || id).slice(0, 200)

const addressOf = (frame: Protocol.Page.Frame): Pick<FrameModel, "url" | "failed"> =>
  frame.unreachableUrl === undefined || frame.unreachableUrl === ""
    ? { url: frame.url + (frame.urlFragment ?? "") }
    : { url: frame.unreachableUrl, failed: true }

const sameAddress = (known: FrameModel | undefined): Pick<FrameModel, "url" | "failed"> => ({
  url: known?.url ?? "",
  ...(known?.failed === true ? { failed: true } : {})
})

export class FrameTable {
  readonly frames = new Map<FrameId, FrameModel>()
  private readonly mainFrameId: FrameId
  private readonly rootSession: CdpSessionId

  constructor(mainFrameId: FrameId, rootSession: CdpSessionId) {
    this.mainFrameId = mainFrameId
    this.rootSession = rootSession
    this.frames.set(mainFrameId, {
      id: mainFrameId,
      parentId: undefined,
      sessionId: rootSession,
      loaderId: "",
      url: ""
    })
  }

  get main(): FrameModel {
    return this.frames.get(this.mainFrameId) as FrameModel
  }

  /** The frames right below a frame. */
  childrenOf(parent: FrameId): ReadonlyArray<FrameModel> {
    return [...this.frames.values()].filter((frame) => frame.parentId === parent)
  }

  /** Takes over what `Page.getFrameTree` of a session says; its root's `parentId` joins the trees of two processes. */
  read(session: CdpSessionId, tree: Protocol.Page.FrameTree): void {
    const visit = (node: Protocol.Page.FrameTree, parentId: FrameId | undefined): void => {
      const id = node.frame.id as FrameId
      const known = this.frames.get(id)
      this.frames.set(id, {
        id,
        parentId: parentId ?? (node.frame.parentId as FrameId | undefined) ?? known?.parentId,
        sessionId: session,
        loaderId: node.frame.loaderId,
        ...addressOf(node.frame)
      })
      for (const child of node.childFrames ?? []) visit(child, id)
    }
    visit(tree, undefined)
  }

  /** A frame is there, in the process of its parent. */
  attached(id: FrameId, session: CdpSessionId, parentId: FrameId): void {
    const known = this.frames.get(id)
    this.frames.set(id, {
      id,
      parentId,
      sessionId: session,
      loaderId: known?.sessionId === session ? known.loaderId : "",
      ...sameAddress(known)
    })
  }

  /** A child process took over the frame. */
  moved(id: FrameId, session: CdpSessionId, parentId: FrameId | undefined): void {
    const known = this.frames.get(id)
    this.frames.set(id, {
      id,
      parentId: known?.parentId ?? parentId,
      sessionId: session,
      loaderId: known?.sessionId === session ? known.loaderId : "",
      ...sameAddress(known)
    })
  }

  /** The session of a child process ended; its frames stay until their parent says that they are gone. */
  sessionEnded(session: CdpSessionId): void {
    for (const [id, frame] of this.frames) {
      if (frame.sessionId === session) {
        const parent = frame.parentId === undefined ? undefined : this.frames.get(frame.parentId)
        this.frames.set(id, { ...frame, sessionId: parent?.sessionId ?? this.rootSession, loaderId: "" })
      }
    }
  }

  /** Another document took the place of the frame's, and its child frames went with the one before. */
  navigated(session: CdpSessionId, frame: Protocol.Page.Frame): FrameModel {
    const id = frame.id as FrameId
    const known = this.frames.get(id)
    for (const child of this.childrenOf(id)) this.remove(child.id)
    const model: FrameModel = {
      id,
      parentId: (frame.parentId as FrameId | undefined) ?? known?.parentId,
      sessionId: session,
      loaderId: frame.loaderId,
      ...addressOf(frame)
    }
    this.frames.set(id, model)
    return model
  }

  /** The frame's document has another address; undefined if there is no such frame. */
  renamed(id: FrameId, url: string): FrameModel | undefined {
    const frame = this.frames.get(id)
    if (frame !== undefined) this.frames.set(id, { ...frame, url })
    return frame
  }

  /** The frame is gone, with those below it. The main frame stays. */
  remove(id: FrameId): void {
    for (const child of this.childrenOf(id)) this.remove(child.id)
    if (id !== this.mainFrameId) this.frames.delete(id)
  }
}
