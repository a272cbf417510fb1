/** Whitespace, bounds and comparison of texts. Nothing here touches the DOM. */

/** Characters of a name or label that an agent is given. */
export const labelLimit = 120
/** Characters of a text between the controls. */
export const textLimit = 240
/** Characters of a value. */
export const valueLimit = 200
/** Characters that are collected for a name before it is cut; also what is compared. */
const collectLimit = 4000
/** Characters of a text between the controls that are looked through for what is sought. */
export const soughtLimit = 2_000_000

// soft hyphen, zero-width characters, direction marks, and the private use areas where icon fonts live
const invisible =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ue000-\uf8ff\u{f0000}-\u{10ffff}]/gu
const blank = /\s+/g

/** Removes what cannot be seen, makes one space of every run of whitespace, trims. */
export const collapse = (text: string): string =>
  (text.length > 4 * collectLimit ? text.slice(0, 4 * collectLimit) : text)
    .replace(invisible, "")
    .replace(blank, " ")
    .trim()

/** At most `limit` characters, the last one "…" if something was cut. */
export const clip = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 2)
  // never half of a surrogate pair
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 2 : limit - 1
  return `${text.slice(0, end).trimEnd()}…`
}

/** As {@link clip}; of a longer text the part around what was looked for, which is in lower case. */
export const clipAround = (text: string, sought: string, limit: number): string => {
  const at = text.length > limit ? text.toLowerCase().indexOf(sought) : -1
  if (at < limit - sought.length - 1) return clip(text, limit)
  const from = Math.max(0, Math.min(at - Math.floor((limit - sought.length) / 2), text.length - limit + 1))
  // nor the second half of a surrogate pair
  return clip(
    `…${text
      .slice(from, from + 2 * limit)
      .replace(/^[\udc00-\udfff]/, "")
      .trimStart()}`,
    limit
  )
}

/** For comparing what people write with what a page shows: lower case, no trailing colon or asterisk. */
export const fold = (text: string): string =>
  collapse(text)
    .toLowerCase()
    .replace(/[\s:*]+$/, "")

/** Letters and digits only, for comparing a value with what a mask made of it. */
export const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** Collects a text with collapsed whitespace, and not more than it needs. */
export class TextSink {
  private readonly parts: Array<string> = []
  private readonly limit: number
  private size = 0
  private gap = false
  constructor(limit = collectLimit) {
    this.limit = limit
  }
  get full(): boolean {
    return this.size >= this.limit
  }
  get empty(): boolean {
    return this.size === 0
  }
  /** Adds a text as it stands; whitespace at its ends separates it from its neighbours. */
  add(text: string): void {
    if (this.full || text === "") return
    const room = this.limit - this.size
    const raw = text.length > 2 * room + 200 ? text.slice(0, 2 * room + 200) : text
    const clean = raw.replace(invisible, "").replace(blank, " ")
    if (clean === "") return
    if (clean === " ") {
      this.space()
      return
    }
    const start = clean.startsWith(" ")
    const end = clean.endsWith(" ")
    if (start) this.space()
    const word = clean.slice(start ? 1 : 0, end ? clean.length - 1 : clean.length)
    if (this.gap) this.parts.push(" ")
    this.parts.push(word)
    this.size += word.length + (this.gap ? 1 : 0)
    this.gap = end
  }
  /** What comes next stands apart from what came before. */
  space(): void {
    if (this.size > 0) this.gap = true
  }
  toString(): string {
    const text = this.parts.join("")
    return text.length > this.limit ? text.slice(0, this.limit) : text
  }
}
