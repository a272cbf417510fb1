/**
 * Whether an element still stands for what it stood for. Pages re-use nodes: a list without keys writes another record
 * into the same row, a virtualised list recycles rows. Nothing here touches the DOM.
 *
 * In doubt the answer is "another": a refused reference costs a new snapshot, a wrong one presses another row's button.
 */
import { clip } from "./text.ts"

/** What tells one record of a list from its neighbours. */
export interface RecordFacts {
  /** a list item, a table row or the like, not just a repeated block */
  readonly semantic: boolean
  /** attributes that name the record by themselves, such as data-id */
  readonly proof: string
  /** where its links lead or which id it has, if no neighbour has the same */
  readonly target: string
  /** its heading, if no neighbour has the same */
  readonly heading: string
  /** its texts, without those of controls */
  readonly leaves: ReadonlyArray<string>
  /** those of its texts that no neighbour has, and that are neither counters nor states */
  readonly telling: ReadonlyArray<string>
  /** where it lies in a virtualised list */
  readonly place: string
  /** the names of the records before and after it */
  readonly beside: string
}

export interface Facts {
  readonly kind: string
  readonly role: string
  readonly name: string
  /** an id or name attribute that nothing else in the document has */
  readonly own: string
  readonly href: string
  /** the class attribute, if one of its words is nobody else's */
  readonly className: string
  /** the records it stands in, the innermost first */
  readonly records: ReadonlyArray<RecordFacts>
  /** the heading of the part of the page that it stands in */
  readonly heading: string
}

const counter = /^[([+\-−~≈#]?\s*[$€£¥₹]?\s?\d[\d.,:/\s]*[%°]?\s*[^\d]{0,24}[)\]]?$/u
const labelledCounter = /^[^\d:]{1,24}:\s*[$€£¥₹]?\s?\d[\d.,:/\s]*\s*[^\d]{0,12}$/u

/** Whether a text is an amount that may change while the record stays: "3 likes", "(12)", "$5.00", "Qty: 2", "5 min ago". */
export const isCounter = (text: string): boolean => {
  if (!/\d/.test(text)) return false
  // a bare number of four digits or more is rather a number of something; a date or a time with a date is one thing
  if (/^#?\d{4,}$/.test(text) || /\d{4}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}/.test(text)) return false
  return counter.test(text) || labelledCounter.test(text)
}

const states = new Set(
  (
    "new|open|opened|closed|pending|active|inactive|done|running|queued|waiting|failed|passed|success|error|draft|paid|" +
    "unpaid|shipped|delivered|returned|online|offline|yes|no|on|off|enabled|disabled|available|unavailable|in stock|" +
    "out of stock|sold out|in progress|on hold|to do|todo|doing|blocked|ready|busy|idle|away|archived|deleted|saved|" +
    "unsaved|read|unread|sent|received|approved|rejected|cancelled|canceled|completed|complete|incomplete|started|" +
    "stopped|paused|connected|disconnected|loading|loading…|loading...|today|yesterday|tomorrow|now|just now|low|medium|" +
    "high|critical|true|false|none|n/a|-|–|—|•|·|/|✓|✔|✗|✘|★|☆"
  ).split("|")
)

/** Whether a text names a state rather than a thing. */
export const isState = (text: string): boolean => states.has(text.toLowerCase())

const numbers = /\d[\d.,]*/g

/** The text with counts taken out: "Inbox (3)" and "Inbox (12)" are the same. Numbers that name something stay. */
const withoutCounts = (text: string): string =>
  text
    .replace(/[([]\s*\d[\d.,]*\s*[)\]]/g, "()")
    .replace(/^\d[\d.,]*(?=\s)/, "#")
    .trim()

/** Whether a text changed by nothing but a count, and still says what it is about. */
export const onlyCounted = (then: string, now: string): boolean => {
  if (then === now) return true
  const bare = withoutCounts(then)
  return bare === withoutCounts(now) && /\p{L}{2}/u.test(bare.replace(numbers, ""))
}

/** Whether an identifying attribute only repeats the position among the siblings. */
export const isPositional = (value: string, index: number): boolean => {
  const found = value.match(/\d+/g)
  return found?.some((digits) => Number(digits) === index || Number(digits) === index + 1) ?? false
}

/** Whether an id was made up by a framework for an instance: it says nothing about what is shown. */
export const isGenerated = (id: string): boolean =>
  /^:|:r?[0-9a-z]+:|«|»|^_r_|radix|headlessui|react-aria|react-select|mui-|ember\d|mat-|cdk-|__BVID|^ui-id-|^yui_|^ext-|^j_id|^gwt-|^v-\d|[0-9a-f]{8}-[0-9a-f]{4}-/.test(
    id
  )

/** Attributes that name the record itself. */
export const isProofName = (name: string): boolean =>
  /^(data-([a-z0-9-]*-)?(id|key|uuid|guid|pk|sku|slug|isbn|asin|uid|rowkey|itemid|recordid)|itemid|data-(row|item|record|entity|post|user|product|order)id)$/.test(
    name
  )

const leafName = (record: RecordFacts): string =>
  record.heading || record.telling[0] || record.leaves[0] || record.target

/** Whether two looks at one repeated block saw the same record. */
export const sameRecord = (then: RecordFacts, now: RecordFacts): boolean => {
  if (then.proof !== "" && now.proof !== "") return then.proof === now.proof
  if (then.heading !== "" && now.heading !== "" && !onlyCounted(then.heading, now.heading)) return false
  const present = new Set(now.leaves)
  const lost = then.telling.filter(
    (leaf) => !present.has(leaf) && !now.leaves.some((other) => onlyCounted(leaf, other))
  )
  const kept = then.telling.length - lost.length
  if (then.target !== "" && now.target !== "" && then.target !== now.target) return false
  if (lost.length > 0) {
    // a record whose heading, or whose target and one name, stayed may have changed its other texts
    const headed = then.heading !== "" && now.heading !== ""
    const targeted = then.target !== "" && now.target !== "" && kept > 0
    return headed || targeted
  }
  const unchanged =
    then.leaves.length === now.leaves.length && then.leaves.every((leaf, index) => leaf === now.leaves[index])
  if (unchanged) return true
  if (then.telling.length === 0 && then.heading === "" && then.target === "") return false
  // its amounts or states changed: in its place that is the record itself, elsewhere it may be a namesake
  return then.beside === now.beside && (then.place === "" || now.place === "" || then.place === now.place)
}

const tells = (record: RecordFacts): boolean =>
  record.proof !== "" || record.heading !== "" || record.target !== "" || record.telling.length > 0

const quote = (text: string): string => `"${clip(text, 60)}"`

/** What changed, in words; undefined if the element still stands for the same. */
export const whatChanged = (then: Facts, now: Facts): string | undefined => {
  if (then.role !== now.role) return `it was a ${then.kind}, now it is a ${now.kind}`
  if (then.own !== "" && now.own !== "" && then.own !== now.own) {
    return `its identity was ${quote(then.own)}, now ${quote(now.own)}`
  }
  const known = then.own !== "" && then.own === now.own
  const records = changedRecord(then, now, known)
  if (records !== undefined) return records
  if (then.heading !== "" && then.heading !== now.heading && !onlyCounted(then.heading, now.heading)) {
    return now.heading === ""
      ? `its heading ${quote(then.heading)} is gone`
      : `its heading was ${quote(then.heading)}, now ${quote(now.heading)}`
  }
  if (then.name !== now.name && !onlyCounted(then.name, now.name)) {
    const sameClass = then.className !== "" && then.className === now.className
    const sameTarget = then.href !== "" && then.href === now.href
    if (!known && !sameClass && !sameTarget) return `its name was ${quote(then.name)}, now ${quote(now.name)}`
  }
  if (then.href !== now.href && then.records.some(tells) && !known) {
    return `it led to ${quote(then.href)}, now to ${quote(now.href)}`
  }
  return undefined
}

const rowChange = (then: RecordFacts, now: RecordFacts): string => {
  const [before, after] = [leafName(then), leafName(now)]
  if (before !== after) return `its row was ${quote(before)}, now ${quote(after)}`
  if (then.proof !== now.proof) return `its row was ${quote(then.proof)}, now ${quote(now.proof)}`
  if (then.target !== now.target) return `its row led to ${quote(then.target)}, now to ${quote(now.target)}`
  return `its row ${quote(before)} has other contents or stands elsewhere`
}

const changedRecord = (then: Facts, now: Facts, known: boolean): string | undefined => {
  for (const [index, before] of then.records.entries()) {
    if (known && !before.semantic) continue
    const after = now.records[index]
    if (after === undefined) {
      if (!tells(before)) continue
      return `its row ${quote(leafName(before))} is gone`
    }
    if (!sameRecord(before, after)) return rowChange(before, after)
  }
  return undefined
}
