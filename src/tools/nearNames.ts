/** Names that someone may have meant. */

/** Levenshtein distance: how many letters to insert, delete or replace. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

const plain = (name: string) =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replace(/^browser[._-]?/, "")
    .replace(/[^a-z]/g, "")

/** At most three names that are close to `name`, the closest first. */
export const nearNames = (name: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = plain(name)
  if (wanted === "") return []
  return names
    .map((candidate) => {
      const other = plain(candidate)
      // a name of a letter or two is contained in most
      const contained = Math.min(other.length, wanted.length) > 2 && (other.includes(wanted) || wanted.includes(other))
      return { candidate, score: contained ? Math.abs(other.length - wanted.length) / 10 : distance(wanted, other) }
    })
    .filter(({ score }) => score <= Math.max(Math.min(2, wanted.length - 1), wanted.length / 3))
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
