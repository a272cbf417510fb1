/** How long a child frame is waited for that may be rendered by a process which does not answer. */
import type { FrameModel } from "./FrameTable.ts"

/** Time (ms) for a frame to answer. */
const frameBudget = 2_000

/** Time (ms) for one that has not answered before: it is not to hold up every call. */
const silentBudget = 300

/** Documents that are remembered; beyond that all of them get their time again. */
const most = 200

const nameOf = ({ id, loaderId }: FrameModel): string => `${id} ${loaderId}`

export class FramePatience {
  private readonly silent = new Set<string>()

  budget(frame: FrameModel): number {
    return this.silent.has(nameOf(frame)) ? silentBudget : frameBudget
  }

  /** Learns whether the frame has answered within its time. */
  note(frame: FrameModel, answered: boolean): void {
    if (answered) this.silent.delete(nameOf(frame))
    else {
      if (this.silent.size >= most) this.silent.clear()
      this.silent.add(nameOf(frame))
    }
  }
}
