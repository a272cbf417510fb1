/** What someone may have meant who wrote an address that is none: a guess for an error, never for a navigation. */
import { isIP } from "node:net"

/** A host by itself, perhaps with a port, perhaps with a path; a part before an @ would be a user's name. */
const bareHost = /^(\[[\da-f:.]+\]|[^\s/?#:@\\[\]]+)(:\d{1,5})?([/?#].*)?$/i

/** "http" or "https" with a slip of the finger, or without its colon. */
const slippedScheme = /^h{0,2}t{1,3}p{1,2}(s{0,2})[:;]?\/+([^/].*)$/i

/** Hosts that serve plain http as a rule: this machine, its network, and addresses that no certificate names. */
const isPlain = (host: string): boolean =>
  isIP(host.replace(/^\[|\]$/g, "")) !== 0 || /(^|\.)(localhost|local|internal|home\.arpa)$/i.test(host)

const ifUrl = (text: string): string | undefined =>
  URL.canParse(text) && /[a-z\d]/i.test(new URL(text).host) ? text : undefined

/** An address without the sentence that it stood in: quotation marks, brackets, what ends a sentence. */
const alone = (address: string): string => {
  const text = address
    .trim()
    .replace(/^["'`(<\u201c\u2018]+/, "")
    .replace(/["'`>.,;:!?\u201d\u2019]+$/, "")
  return text.endsWith(")") && !text.includes("(") ? alone(text.replace(/\)+$/, "")) : text
}

/** The http or https address that was probably meant, if one can be guessed. */
export const addressMeant = (address: string): string | undefined => {
  const text = alone(address).replace(/^\/\/(?=[^/])/, "")
  const [, secure, rest] = slippedScheme.exec(text) ?? []
  if (rest !== undefined) return rest.includes("@") ? undefined : ifUrl(`http${secure === "" ? "" : "s"}://${rest}`)
  const [, host] = bareHost.exec(text) ?? []
  return host === undefined ? undefined : ifUrl(`${isPlain(host) ? "http" : "https"}://${text}`)
}
