/**
 * Which addresses may be opened, shown and read: one rule, asked before a navigation, at each redirect, at a download
 * and before each use of a page.
 */
import { BlockList, isIP } from "node:net"
import { Effect } from "effect"
import type { BrowserConfig } from "../../schemas/config.ts"
import { NavigationBlocked } from "../../schemas/errors.ts"
import { addressMeant } from "./addressMeant.ts"

export type AdmissionRules = Pick<BrowserConfig, "allowedHosts" | "deniedHosts" | "privateNetwork">

/** `url`: in the browser's spelling, or fit to be shown when it is not admitted. */
export type Verdict = { readonly admitted: true; readonly url: string } | Refusal

export interface Refusal {
  readonly admitted: false
  readonly url: string
  readonly reason: string
  /** what to do about it, where that follows from the address alone */
  readonly remedy?: string
}

export interface Admission {
  /** There are rules beyond the schemes, so that what pages load must be watched. */
  readonly watched: boolean
  /** For an address that an agent names: http or https without credentials, or about:blank. */
  readonly address: (address: string) => Verdict
  /** For what a page shows or asks for. `remoteAddress`: the IP address that it came from, if known. */
  readonly document: (url: string, remoteAddress?: string) => Verdict
}

/** Characters of an address that are repeated in an error. */
const shownCharacters = 500

const privateNetworks = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["::", 127, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"]
] as const

let ranges: BlockList | undefined
/** Made when it is asked for: most settings allow every network. */
const privateRanges = (): BlockList => {
  if (ranges === undefined) {
    ranges = new BlockList()
    for (const [network, prefix, family] of privateNetworks) ranges.addSubnet(network, prefix, family)
  }
  return ranges
}

/** For whoever named something that is no address of the web. */
const wholeAddress = "Give a whole http or https address, such as https://example.com/page."

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, "")

/** Whether an IP address (IPv6 with or without brackets) belongs to this machine or a network of its owner. */
export const isPrivateAddress = (address: string): boolean => {
  const plain = withoutBrackets(address)
  const version = isIP(plain)
  // an IPv4 address in IPv6 spelling is checked by Node as the IPv4 address that it is
  return version !== 0 && privateRanges().check(plain, version === 4 ? "ipv4" : "ipv6")
}

/** Whether a host name, by itself, means this machine or its network. */
const isPrivateHost = (host: string): boolean =>
  isPrivateAddress(host) || !/[.:]/.test(host) || /\.(localhost|local|internal|home\.arpa)$/.test(host)

/** "example.com." and "example.com" are the same host. */
const hostOf = (url: URL): string => url.hostname.toLowerCase().replace(/\.$/, "")

interface HostPattern {
  readonly host: string
  readonly subdomains: boolean
  readonly port: string | undefined
}

const patternOf = (text: string): HostPattern => {
  const subdomains = text.startsWith("*.")
  const rest = subdomains ? text.slice(2) : text
  const port = /:(\d+)$/.exec(rest)?.[1]
  return { host: hostOf(new URL(`http://${rest}`)), subdomains, port }
}

const portOf = (url: URL): string => (url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port)

const fits = (url: URL, patterns: ReadonlyArray<HostPattern>): boolean => {
  const host = hostOf(url)
  return patterns.some(
    (pattern) =>
      (host === pattern.host || (pattern.subdomains && host.endsWith(`.${pattern.host}`))) &&
      (pattern.port === undefined || pattern.port === portOf(url))
  )
}

const masked = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`.slice(0, shownCharacters)

/**
 * Documents without a host of their own: they hold what their opener or the browser wrote. Error pages too, which are
 * what a failed navigation leaves.
 */
const isHostless = (url: string): boolean => url === "" || /^(about|data|chrome-error):/i.test(url)

const otherScheme = (url: URL): string => `the scheme ${url.protocol} is not http or https`

/** The rules of a configuration, ready to be asked. */
export const makeAdmission = (rules: AdmissionRules): Admission => {
  const allowed = rules.allowedHosts?.map(patternOf)
  const denied = rules.deniedHosts.map(patternOf)
  const refused = (url: string, reason: string): Refusal => ({ admitted: false, url, reason })

  /** Refuses what an agent wrote; with what it may have meant, if that could be opened. */
  const noAddress = (address: string, reason: string): Refusal => {
    const meant = addressMeant(address)
    const shown = meant === undefined || meant.length > shownCharacters ? "" : `; did you mean ${meant}?`
    return { ...refused(address.slice(0, shownCharacters), `${reason}${shown}`), remedy: wholeAddress }
  }

  /** The configuration's refusal of an address that an agent named: there is no page to leave. */
  const asNamed = (verdict: Verdict): Verdict =>
    verdict.admitted
      ? verdict
      : { ...verdict, remedy: "Use another address; which ones may be opened is set in the configuration." }

  const host = (url: URL, remoteAddress: string | undefined): Verdict => {
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      return refused(url.href.slice(0, shownCharacters), otherScheme(url))
    }
    if (fits(url, denied)) return refused(masked(url), `the host ${url.host} is denied by the configuration`)
    if (allowed !== undefined) {
      return fits(url, allowed)
        ? { admitted: true, url: url.href }
        : refused(masked(url), `the host ${url.host} is not among those that the configuration allows`)
    }
    if (rules.privateNetwork === "deny") {
      if (isPrivateHost(hostOf(url))) {
        return refused(masked(url), `the host ${url.host} belongs to a private network`)
      }
      if (remoteAddress !== undefined && isPrivateAddress(remoteAddress)) {
        return refused(masked(url), `the host ${url.host} leads into a private network (${remoteAddress})`)
      }
    }
    return { admitted: true, url: url.href }
  }

  return {
    watched: allowed !== undefined || denied.length > 0 || rules.privateNetwork === "deny",
    address: (address) => {
      if (!URL.canParse(address)) {
        return noAddress(address, addressMeant(address) === undefined ? "it is not a URL" : "it has no scheme")
      }
      const url = new URL(address)
      if (url.href === "about:blank") return { admitted: true, url: url.href }
      if (url.protocol !== "http:" && url.protocol !== "https:") {
        const isHost = addressMeant(address)?.endsWith(address.trim()) === true
        return noAddress(address, isHost ? "it has no scheme" : otherScheme(url))
      }
      if (url.username !== "" || url.password !== "") {
        return {
          ...refused(masked(url), "it carries a user name or password"),
          remedy: "Leave them out of the address."
        }
      }
      return asNamed(host(url, undefined))
    },
    document: (url, remoteAddress) => {
      if (isHostless(url)) return { admitted: true, url }
      // a blob belongs to the origin that made it
      const inner = url.replace(/^(blob|filesystem):/i, "")
      if (inner === "null" || inner.startsWith("null/")) return { admitted: true, url }
      return URL.canParse(inner)
        ? host(new URL(inner), remoteAddress)
        : refused(url.slice(0, shownCharacters), "it cannot be parsed")
    }
  }
}

/**
 * Whether an address may be loaded; nothing is sent to one that may not.
 *
 * @returns the address in the browser's spelling
 */
export const admit = (admission: Admission, address: string): Effect.Effect<string, NavigationBlocked> => {
  const verdict = admission.address(address)
  if (verdict.admitted) return Effect.succeed(verdict.url)
  const { admitted: _, ...refusal } = verdict
  return Effect.fail(new NavigationBlocked(refusal))
}
