/** Cookies as data, and reading them from whatever an export holds. */
import { Result, Schema } from "effect"

export const SameSite = Schema.Literals(["Strict", "Lax", "None"])
export type SameSite = typeof SameSite.Type

/** Site under which a partitioned cookie (CHIPS) is kept. */
export const CookiePartition = Schema.Struct({ topLevelSite: Schema.String, hasCrossSiteAncestor: Schema.Boolean })

/** A cookie of the browser. */
export const Cookie = Schema.Struct({
  name: Schema.String,
  value: Schema.String,
  domain: Schema.String.annotate({ description: "a dot in front: for its subdomains, too" }),
  hostOnly: Schema.Boolean.annotate({ description: "true: for exactly that host" }),
  path: Schema.String,
  url: Schema.String.annotate({ description: "an address that the cookie is sent to" }),
  secure: Schema.Boolean,
  httpOnly: Schema.Boolean,
  sameSite: Schema.optionalKey(SameSite),
  expirationDate: Schema.optionalKey(
    Schema.Finite.annotate({ description: "seconds since 1970; absent: until the browser ends" })
  ),
  partitionKey: Schema.optionalKey(CookiePartition)
})
export type Cookie = typeof Cookie.Type

/** What became of a cookie that was to be set. */
export interface CookieOutcome {
  readonly name: string
  /** undefined: it is set */
  readonly reason: string | undefined
}

/** Which cookies: all conditions together; none of them: all. */
export interface CookieFilter {
  /** itself and its subdomains */
  readonly domain?: string
  readonly name?: string
}

/** A domain without the dot in front, in lower case. */
export const plainDomain = (domain: string): string => domain.replace(/^\./, "").toLowerCase()

/** Whether a cookie is one of those that are meant. */
export const cookieFits = (cookie: Pick<Cookie, "domain" | "name">, { domain, name }: CookieFilter): boolean => {
  const own = plainDomain(cookie.domain)
  const wanted = domain === undefined ? undefined : plainDomain(domain)
  return (
    (name === undefined || cookie.name === name) &&
    (wanted === undefined || own === wanted || own.endsWith(`.${wanted}`))
  )
}

/** An address that a cookie is sent to. IPv6 hosts are bracketed. */
export const cookieUrl = (domain: string, path: string, secure: boolean): string => {
  const host = plainDomain(domain)
  const named = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
  return `${secure ? "https" : "http"}://${named}${path.startsWith("/") ? path : `/${path}`}`
}

const sameSites: Readonly<Record<string, SameSite | undefined>> = {
  strict: "Strict",
  lax: "Lax",
  none: "None",
  no_restriction: "None"
}

type Raw = { readonly [key: string]: unknown }
const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (raw: Raw, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const value = raw[name]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}

/** Seconds since 1970 of an expiry in seconds, milliseconds or as a date; undefined: none, or one that says so. */
const expiryOf = (raw: Raw): number | undefined => {
  for (const name of ["expirationDate", "expires", "expiry", "expiresDate"]) {
    const value = raw[name]
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    if (typeof number === "number" && Number.isFinite(number)) {
      // a number of so many digits counts milliseconds
      return number <= 0 ? undefined : number > 1e11 ? number / 1000 : number
    }
    const date = typeof value === "string" ? Date.parse(value) : Number.NaN
    if (!Number.isNaN(date)) return date / 1000
  }
  return undefined
}

const partitionOf = (raw: unknown): typeof CookiePartition.Type | undefined => {
  if (typeof raw === "string" && raw !== "") return { topLevelSite: raw, hasCrossSiteAncestor: false }
  if (!isRaw(raw)) return undefined
  const site = textOf(raw, "topLevelSite")
  return site === undefined
    ? undefined
    : { topLevelSite: site, hasCrossSiteAncestor: raw["hasCrossSiteAncestor"] === true }
}

/**
 * Reads one entry of an export, whichever program wrote it: ours, Chrome extensions, Playwright, Puppeteer. The place is
 * named by `domain` (with `path`) or by `url`; `sameSite` is spelt in several ways; an expiry may be in seconds,
 * milliseconds or a date. The failure says what is wrong with the entry.
 */
export const readCookie = (entry: unknown): Result.Result<Cookie, string> => {
  if (!isRaw(entry)) return Result.fail("it is no object")
  const name = entry["name"]
  if (typeof name !== "string" || name === "") return Result.fail("it has no name")
  const raw = entry["value"]
  if (typeof raw !== "string" && typeof raw !== "number") return Result.fail("it has no value")
  const given = textOf(entry, "url")
  const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined
  const domain = textOf(entry, "domain", "host") ?? url?.hostname
  if (domain === undefined) return Result.fail("it has neither domain nor url")
  if (!URL.canParse(cookieUrl(domain, "/", true))) return Result.fail(`"${domain.slice(0, 100)}" is no domain`)
  const sameSite = sameSites[String(entry["sameSite"] ?? "").toLowerCase()]
  // a cookie for all sites is taken only if it is secure
  const secure =
    typeof entry["secure"] === "boolean" ? entry["secure"] : url?.protocol === "https:" || sameSite === "None"
  const path = textOf(entry, "path") ?? "/"
  const hostOnly =
    typeof entry["hostOnly"] === "boolean" && !domain.startsWith(".") ? entry["hostOnly"] : !domain.startsWith(".")
  const expires = entry["session"] === true ? undefined : expiryOf(entry)
  const partitionKey = partitionOf(entry["partitionKey"])
  return Result.succeed({
    name,
    value: String(raw),
    domain: hostOnly ? plainDomain(domain) : `.${plainDomain(domain)}`,
    hostOnly,
    path: path.startsWith("/") ? path : `/${path}`,
    url: cookieUrl(domain, path, secure),
    secure,
    httpOnly: entry["httpOnly"] === true,
    ...(sameSite === undefined ? {} : { sameSite }),
    ...(expires === undefined ? {} : { expirationDate: expires }),
    ...(partitionKey === undefined ? {} : { partitionKey })
  })
}

/** The entries of an export: an array, or an object that holds one as `cookies`. Undefined: neither. */
export const cookieEntries = (content: unknown): ReadonlyArray<unknown> | undefined => {
  const list = isRaw(content) ? content["cookies"] : content
  return Array.isArray(list) ? (list as ReadonlyArray<unknown>) : undefined
}
