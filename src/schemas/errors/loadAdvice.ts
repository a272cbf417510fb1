/** What to do about an address that could not be loaded, by what the browser says of it. */

const advice: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /HTTP status 40[17]|ERR_INVALID_AUTH_CREDENTIALS/,
    "The server wants a login that this browser was not given: log in by a page of the site if it has one, or ask for credentials"
  ],
  [/HTTP status 5\d\d/, "The server failed: try again later"],
  [/net::ERR_CERT_|net::ERR_SSL_/, "The server's certificate or encryption is not accepted: use another address of it"],
  [
    /net::ERR_(CONNECTION_|ADDRESS_UNREACHABLE|EMPTY_RESPONSE|TIMED_OUT)/,
    "The server does not answer there: check the port, and that it runs"
  ],
  [/net::ERR_NAME_/, "Nobody has that name: check how the host is spelled"],
  [/net::ERR_(INTERNET_DISCONNECTED|NETWORK_|PROXY_|TUNNEL_)/, "Check the network and the proxy of this machine"]
]

/** Yields a step without a full stop, which the text around it goes on from. */
export const loadAdvice = (reason: string): string =>
  advice.find(([said]) => said.test(reason))?.[1] ?? "Check the address"
