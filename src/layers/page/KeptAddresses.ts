/** Addresses that a page, or a frame of it, was led to and did not go to, though nobody refused them. */

/** More of them than this are not told one by one. */
const limit = 20

/** The browser itself kept the page from it, or its server has no page. */
export interface KeptAddress {
  readonly url: string
  readonly reason: string
}

export class KeptAddresses {
  private readonly latest: Array<KeptAddress & { readonly seq: number }> = []

  add(kept: KeptAddress & { readonly seq: number }): void {
    this.latest.push(kept)
    if (this.latest.length > limit) this.latest.shift()
  }

  /** Those after the mark, each once. */
  since(mark: number): ReadonlyArray<KeptAddress> {
    const since = this.latest.filter(({ seq }) => seq > mark)
    return [...new Map(since.map(({ reason, url }) => [url, { url, reason }])).values()]
  }
}
