/** Which of the windows that a page opened have come. Pure. */

/** A tab that came, as far as it tells which window it is. */
interface Came {
  readonly id: string
  readonly url: string
}

/**
 * Tells tabs and windows apart by their addresses; a tab that has gone on elsewhere, or has not got anywhere, is taken
 * for the first window that is left, since a browser lets the first ones through.
 *
 * @param asked addresses of the windows, in the order of opening
 * @returns the address that each tab was opened with, and those of windows that did not come
 */
export const matchWindows = (
  asked: ReadonlyArray<string>,
  came: ReadonlyArray<Came>
): { readonly addressOf: ReadonlyMap<string, string>; readonly missing: ReadonlyArray<string> } => {
  const missing = [...asked]
  const addressOf = new Map<string, string>()
  const take = (id: string, at: number): void => {
    const [address] = at < 0 ? [] : missing.splice(at, 1)
    if (address !== undefined) addressOf.set(id, address)
  }
  for (const { id, url } of came) take(id, missing.indexOf(url))
  for (const { id } of came) if (!addressOf.has(id)) take(id, missing.length === 0 ? -1 : 0)
  return { addressOf, missing }
}
