/** The windows that a page opened, and which of them have come. */
import { staysBlank } from "./refusedAddresses.ts"

/** More windows than this, opened by one act, are not told one by one. */
const limit = 100

/** The windows that scripts or links of a tab opened. */
export class OpenedWindows {
  /** how many */
  count = 0
  /** how many of them were given an address to load */
  toLoad = 0
  /** addresses of the latest of them, oldest first */
  private readonly addresses: Array<string> = []

  add(url: string): void {
    this.count++
    this.addresses.push(url || "about:blank")
    if (this.addresses.length > limit) this.addresses.shift()
    if (!staysBlank(url)) this.toLoad++
  }

  /** Addresses of the windows that were opened after the first so many, in the order of opening. */
  since(opened: number): ReadonlyArray<string> {
    const count = this.count - opened
    return count <= 0 ? [] : this.addresses.slice(-count)
  }
}

/** A tab that came, as far as it tells which window it is. */
interface Came {
  readonly id: string
  readonly url: string
}

/**
 * Pure. Tells tabs and windows apart by their addresses; a tab that has gone on elsewhere, or has not got anywhere, is taken
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
