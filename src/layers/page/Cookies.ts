/** The cookies of a browser context, read and written without any page. */
import type { Protocol } from "devtools-protocol"
import { Effect } from "effect"
import { type Cookie, type CookieFilter, type CookieOutcome, cookieFits, cookieUrl } from "../../schemas/cookies.ts"
import type { BrowserContextId } from "../../schemas/ids.ts"
import type { CdpConnection, CdpError } from "../../services/CdpConnection.ts"

/** So many cookies are written at once. */
const atOnce = 20

const fromBrowser = (cookie: Protocol.Network.Cookie): Cookie => ({
  name: cookie.name,
  value: cookie.value,
  domain: cookie.domain,
  hostOnly: !cookie.domain.startsWith("."),
  path: cookie.path,
  url: cookieUrl(cookie.domain, cookie.path, cookie.secure),
  secure: cookie.secure,
  httpOnly: cookie.httpOnly,
  ...(cookie.sameSite === undefined ? {} : { sameSite: cookie.sameSite }),
  ...(cookie.session || cookie.expires <= 0 ? {} : { expirationDate: cookie.expires }),
  ...(cookie.partitionKey === undefined ? {} : { partitionKey: cookie.partitionKey })
})

/** A cookie for one host only is named by an address; a domain would hold for its subdomains, too. */
const toBrowser = (cookie: Cookie): Protocol.Network.CookieParam => ({
  name: cookie.name,
  value: cookie.value,
  url: cookieUrl(cookie.domain, cookie.path, cookie.secure),
  ...(cookie.hostOnly ? {} : { domain: cookie.domain }),
  path: cookie.path,
  secure: cookie.secure,
  httpOnly: cookie.httpOnly,
  ...(cookie.sameSite === undefined ? {} : { sameSite: cookie.sameSite }),
  ...(cookie.expirationDate === undefined ? {} : { expires: cookie.expirationDate }),
  ...(cookie.partitionKey === undefined ? {} : { partitionKey: cookie.partitionKey })
})

/** What tells one cookie from all others. */
const identity = ({ domain, name, partitionKey, path }: Cookie): string =>
  JSON.stringify([name, domain, path, partitionKey?.topLevelSite, partitionKey?.hasCrossSiteAncestor])

export interface Cookies {
  readonly read: Effect.Effect<ReadonlyArray<Cookie>, CdpError>
  /** Sets each by itself, so that a bad one spoils no other; the outcomes are in the order of the cookies. */
  readonly write: (cookies: ReadonlyArray<Cookie>) => Effect.Effect<ReadonlyArray<CookieOutcome>, CdpError>
  /** Removes those that fit. Yields those that are gone. */
  readonly clear: (filter: CookieFilter) => Effect.Effect<ReadonlyArray<Cookie>, CdpError>
}

export const makeCookies = (
  connection: CdpConnection["Service"],
  browserContextId: BrowserContextId | undefined
): Cookies => {
  const context = browserContextId === undefined ? {} : { browserContextId }
  const read = connection
    .command("Storage.getCookies", context)
    .pipe(Effect.map(({ cookies }) => cookies.map(fromBrowser)))

  const set = (cookie: Protocol.Network.CookieParam) =>
    connection.command("Storage.setCookies", { ...context, cookies: [cookie] }).pipe(
      Effect.as(undefined),
      Effect.catchTag("CdpFailed", ({ reason }) => Effect.succeed(reason))
    )

  const write: Cookies["write"] = (cookies) =>
    Effect.gen(function* () {
      const refusals = yield* Effect.forEach(cookies, (cookie) => set(toBrowser(cookie)), { concurrency: atOnce })
      // the browser drops some without a word, as one that is over already
      const present = new Set((yield* read).map(identity))
      return cookies.map((cookie, index) => ({
        name: cookie.name,
        reason: refusals[index] ?? (present.has(identity(cookie)) ? undefined : "the browser did not keep it")
      }))
    })

  const clear: Cookies["clear"] = (filter) =>
    Effect.gen(function* () {
      const before = yield* read
      const meant = before.filter((cookie) => cookieFits(cookie, filter))
      if (filter.domain === undefined && filter.name === undefined) {
        yield* connection.command("Storage.clearCookies", context)
      } else {
        // one that is set anew and over since long is removed
        yield* Effect.forEach(meant, (cookie) => set({ ...toBrowser(cookie), expires: 1 }), { concurrency: atOnce })
      }
      const left = new Set((yield* read).map(identity))
      return meant.filter((cookie) => !left.has(identity(cookie)))
    })

  return { read, write, clear }
}
