/**
 * Addresses of browsers carry secrets: user info, tokens in the query or in the path. Here they are taken apart once;
 * everything that is shown afterwards is scheme and host.
 */
import { Redacted } from "effect"

export interface Endpoint {
  /** scheme and host, "wss://browser.example:9222": for logs and errors */
  readonly label: string
  /** the address itself; undefined when the text is no URL */
  readonly url: URL | undefined
  /** user info, decoded; undefined when there is none */
  readonly credentials: { readonly username: string; readonly password: string } | undefined
  /** Replaces every part of the address that may be a secret by "***". */
  readonly redact: (text: string) => string
}

/** Parts of every address of a browser; shorter parts than four characters are no secrets either. */
const commonWords = new Set(["devtools", "browser", "page", "json", "version"])

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const secretsOf = (text: string, url: URL | undefined): ReadonlyArray<string> => {
  const parts =
    url === undefined
      ? [text]
      : [
          text,
          url.href,
          url.username,
          url.password,
          url.search,
          url.search.slice(1),
          url.hash.slice(1),
          ...url.search.slice(1).split(/[&=]/),
          ...url.searchParams.values(),
          url.pathname,
          ...url.pathname.split("/")
        ]
  const forms = parts.flatMap((part) => [part, decoded(part)])
  // Long ones first: replacing a part of one would leave its rest standing.
  return [...new Set(forms)]
    .filter((form) => form.length >= 4 && !commonWords.has(form))
    .sort((a, b) => b.length - a.length)
}

/** Takes an address apart. Never throws. */
export const parseEndpoint = (address: Redacted.Redacted<string>): Endpoint => {
  const text = Redacted.value(address)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const secrets = secretsOf(text, url)
  return {
    label: url === undefined || url.host === "" ? "an address that is no URL" : `${url.protocol}//${url.host}`,
    url,
    credentials:
      url === undefined || (url.username === "" && url.password === "")
        ? undefined
        : { username: decoded(url.username), password: decoded(url.password) },
    redact: (shown) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), shown)
  }
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || hostname === "0.0.0.0" || hostname.startsWith("127.")

/**
 * Where a browser can be reached that named its own address. Behind a proxy it knows neither its outer host nor that
 * the way to it is encrypted, so both are taken from the address that was asked.
 */
export const reachable = (asked: URL, named: URL): URL => {
  const url = new URL(named)
  if (isLoopback(named) && !isLoopback(asked)) {
    url.hostname = asked.hostname
    url.port = asked.port
  }
  if (asked.protocol === "https:" && url.host === asked.host) url.protocol = "wss:"
  if (url.username === "" && url.host === asked.host) {
    url.username = asked.username
    url.password = asked.password
  }
  return url
}
