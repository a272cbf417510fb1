/** The bench's own site on 127.0.0.1. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import * as pages from "./pages.ts"
import { script, scripts } from "./scripts.ts"
import { Shop } from "./shop.ts"

const documents: Readonly<Record<string, string>> = {
  "/small": pages.small,
  "/large": pages.large,
  "/counter": pages.counter,
  "/asynchronous": pages.asynchronous,
  "/form": pages.form,
  "/article": pages.article,
  "/scripts": scripts
}

export interface Site {
  readonly url: (path: string) => string
  readonly stop: () => Promise<void>
}

const answer = (response: ServerResponse, status: number, type: string, body: string, cookie?: string): void => {
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    ...(cookie === undefined ? {} : { "set-cookie": cookie })
  })
  response.end(body)
}

/** A file of so many 10^6 bytes, made as it is sent. */
const file = (response: ServerResponse, megabytes: number): void => {
  const part = Buffer.alloc(1e6, "harbour ")
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": megabytes * 1e6 })
  Readable.from(
    (function* () {
      for (let n = 0; n < megabytes; n++) yield part
    })()
  ).pipe(response)
}

/** Starts the site on a free port. */
export const startSite = async (): Promise<Site> => {
  const shop = new Shop()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://site.invalid")
    const document = documents[url.pathname]
    if (document !== undefined) return answer(response, 200, "text/html", document)
    if (url.pathname === "/late-article") {
      setTimeout(() => answer(response, 200, "text/html", pages.article), 500)
      return
    }
    if (url.pathname === "/answer") {
      setTimeout(() => answer(response, 200, "text/plain", `Answer ${url.searchParams.get("n")}`), pages.delay)
      return
    }
    if (url.pathname.startsWith("/script/")) {
      return answer(response, 200, "text/javascript", script(Number(url.pathname.slice("/script/".length))))
    }
    if (url.pathname === "/file") return file(response, Number(url.searchParams.get("megabytes")))
    if (url.pathname === "/favicon.ico") return answer(response, 204, "text/plain", "")
    const sold = url.pathname.startsWith("/shop/") ? shop.answer(url, request.headers.cookie ?? "") : undefined
    if (sold === undefined) return answer(response, 404, "text/plain", "not here")
    answer(response, 200, sold.html ? "text/html" : "text/plain", sold.body, sold.cookie)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
