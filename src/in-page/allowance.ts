/** Time for one look at a page: what is not reached within it is left out, and that is said. */

/** Steps between two looks at the clock, which costs more than most steps. */
const stride = 32

export class Allowance {
  private readonly end: number
  private steps = 0
  private over = false
  /** `ms`: from now on; undefined: without end */
  constructor(ms: number | undefined) {
    this.end = ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + ms
  }

  /** Takes one step; false once the time is over. */
  step(): boolean {
    this.steps += 1
    if (!this.over && this.steps % stride === 0) this.over = performance.now() >= this.end
    return !this.over
  }
}
