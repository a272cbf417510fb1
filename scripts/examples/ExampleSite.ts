/** Serves the pages of the examples. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { pages, priceList } from "./pages.ts"

/** Serves the site on the loopback until the scope closes; yields its origin. */
export const serveExamples: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? "/", "http://site")
        const page = pages[pathname]
        if (pathname === "/prices.csv") {
          response
            .writeHead(200, { "content-type": "text/csv", "content-disposition": "attachment; filename=prices.csv" })
            .end(priceList)
        } else if (page === undefined) {
          response.writeHead(404, { "content-type": "text/html" }).end("<h1>Closed until spring</h1>")
        } else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
)
