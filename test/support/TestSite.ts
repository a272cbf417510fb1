/** A small web server for the browser tests: pages by path, reachable under two host names that are two sites. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Context, Effect, Layer } from "effect"

/** HTML to send, or a handler. */
export type TestPage = string | ((request: IncomingMessage, response: ServerResponse) => void)

export class TestSite extends Context.Service<
  TestSite,
  {
    /** `http://127.0.0.1:port` */
    readonly origin: string
    /** the same server under another site: `http://localhost:port` */
    readonly otherOrigin: string
    /** Serves a page and gives its address. */
    readonly page: (path: string, page: TestPage) => string
    /** Serves a document with this body and gives its address. */
    readonly body: (body: string, title?: string) => string
  }
>()("test/TestSite") {
  static readonly layer = Layer.effect(
    TestSite,
    Effect.gen(function* () {
      const pages = new Map<string, TestPage>()
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const made = createServer((request, response) => {
            const page = pages.get(new URL(request.url ?? "/", "http://site").pathname)
            if (page === undefined) {
              response.writeHead(404).end("not found")
            } else if (typeof page === "string") {
              response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page)
            } else page(request, response)
          })
          made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) =>
          Effect.callback<void>((resume) => {
            made.close(() => resume(Effect.void))
            made.closeAllConnections()
          })
      )
      const { port } = server.address() as AddressInfo
      const origin = `http://127.0.0.1:${port}`
      let count = 0
      const page = (path: string, content: TestPage): string => {
        pages.set(path, content)
        return `${origin}${path}`
      }
      return TestSite.of({
        origin,
        otherOrigin: `http://localhost:${port}`,
        page,
        body: (body, title = "test") =>
          page(
            `/page-${++count}`,
            `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`
          )
      })
    })
  )
}
