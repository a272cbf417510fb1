/** The documents that a tab has shown lately: a page that goes on loading others by itself shows many of them. */

/** So long (ms) a document counts as one of late. */
const lateMs = 5_000

/** So many of late, and nobody asked for them: a login that leads on and back again shows fewer. */
const many = 5

/** Those that are kept, the latest so many. */
const kept = 50

export class RecentDocuments {
  private readonly all: Array<{ readonly loaderId: string; readonly at: number }> = []
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  came(loaderId: string): void {
    this.all.push({ loaderId, at: this.now() })
    if (this.all.length > kept) this.all.shift()
  }

  /** It was shown, though another one may have taken its place since. */
  has(loaderId: string): boolean {
    return this.all.some((one) => one.loaderId === loaderId)
  }

  /** What came so far was asked for, or belongs to a page that is gone. */
  forget(): void {
    this.all.length = 0
  }

  /** Many of them came one right after the other. */
  get restless(): boolean {
    const since = this.now() - lateMs
    return this.all.filter(({ at }) => at >= since).length >= many
  }
}
