/** The downloads that began in a tab. */

/** A download that the page began. */
export interface DownloadModel {
  readonly seq: number
  readonly url: string
  readonly suggestedName: string
  readonly state: "running" | "saved" | "refused" | "failed"
  /** where it is, or will be */
  readonly path?: string
  readonly bytes?: number
  readonly reason?: string
}

/** How many are remembered. */
const limit = 20

export class BegunDownloads {
  private readonly list: Array<DownloadModel> = []

  /** Newest last. */
  get all(): ReadonlyArray<DownloadModel> {
    return this.list
  }

  /** Adds one; the function changes it. */
  add(begun: DownloadModel): (change: Partial<Omit<DownloadModel, "seq">>) => void {
    let entry = begun
    this.list.push(entry)
    if (this.list.length > limit) this.list.shift()
    return (change) => {
      const index = this.list.indexOf(entry)
      entry = { ...entry, ...change }
      if (index >= 0) this.list[index] = entry
    }
  }

  /** How many began after the mark and are not over. */
  runningSince(mark: number): number {
    return this.list.filter((one) => one.seq > mark && one.state === "running").length
  }
}
