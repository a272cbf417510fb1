/** A look at a whole document that was taken before it was asked for. */
import { Clock, Effect } from "effect"
import type { WalkOptions, WalkResult } from "../../schemas/page.ts"
import type { FrameModel } from "./FrameTable.ts"

/** How long (ms) what was seen when the document came to rest counts as what is there now. */
const freshMs = 100

interface Ahead {
  readonly loaderId: string
  /** elements that were asked for */
  readonly limit: number
  readonly seen: WalkResult
}

export class LookAhead {
  private kept: (Ahead & { readonly at: number }) | undefined

  forget(): void {
    this.kept = undefined
  }

  keep(ahead: Ahead): Effect.Effect<void> {
    return Effect.map(Clock.currentTimeMillis, (at) => {
      this.kept = { ...ahead, at }
    })
  }

  /** What a walk over the document of a frame would see now, if that is known; once. */
  take(frame: FrameModel, options: WalkOptions): Effect.Effect<WalkResult | undefined> {
    return Effect.map(Clock.currentTimeMillis, (now) => {
      const { kept } = this
      const { interactive, limit, query, rootKey, selector } = options
      const whole = !interactive && query === undefined && rootKey === undefined && selector === undefined
      if (kept === undefined || kept.loaderId !== frame.loaderId || !whole) return undefined
      this.forget()
      return kept.limit === limit && now - kept.at <= freshMs ? kept.seen : undefined
    })
  }
}
