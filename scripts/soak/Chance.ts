/** Chance that can be had again: mulberry32. */
export class Chance {
  private state: number
  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  one<A>(list: ReadonlyArray<A>): A {
    if (list.length === 0) throw new Error("there is nothing to choose from")
    return list[this.below(list.length)] as A
  }
}
