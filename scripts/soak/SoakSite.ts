/** Pages that make trouble, beside those of the examples. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { pages, priceList } from "../examples/pages.ts"

const troubles: Readonly<Record<string, string>> = {
  "/asks": `<h1>Asks</h1><script>setTimeout(() => confirm("Still there?"), 300)</script>`,
  "/asks-at-once": `<script>alert("Before anything else")</script><h1>Asked</h1>`,
  "/leaves": `<h1>Leaves</h1><script>setTimeout(() => { location = "/berths" }, 200)</script>`,
  "/computes": `<h1>Computes</h1><script>setTimeout(() => { while (true) {} }, 300)</script>`,
  "/redraws": `<h1>Redraws</h1><p id=p></p><script>(function f() { p.textContent = performance.now(); requestAnimationFrame(f) })()</script>`,
  "/frames": `<h1>Frames</h1><iframe src="/berths"></iframe><iframe src="/redraws"></iframe><iframe srcdoc="<button>Inside</button>"></iframe>`,
  "/windows": `<h1>Windows</h1><button onclick="open('/berths')">Book</button><script>setTimeout(() => open("/asks"), 100)</script>`,
  "/keeps": `<h1>Keeps</h1><input><script>onbeforeunload = (event) => { event.preventDefault() }</script>`,
  "/saves": `<h1>Saves</h1><script>setTimeout(() => { location = "/prices.csv" }, 100)</script>`
}

/** Addresses that are worth opening. */
export const paths: ReadonlyArray<string> = [
  ...Object.keys(pages),
  ...Object.keys(troubles),
  "/never",
  "/trickles",
  "/nowhere"
]

/** Serves the site on the loopback until the scope closes; yields its origin. */
export const serveSoak: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? "/", "http://site")
        if (pathname === "/never") return
        if (pathname === "/prices.csv") {
          return void response
            .writeHead(200, { "content-type": "text/csv", "content-disposition": "attachment; filename=prices.csv" })
            .end(priceList)
        }
        const page = pages[pathname] ?? troubles[pathname]
        response.writeHead(page === undefined && pathname !== "/trickles" ? 404 : 200, { "content-type": "text/html" })
        if (pathname !== "/trickles") return void response.end(page ?? "<h1>Nothing here</h1>")
        const more = setInterval(() => response.write("<p>more</p>"), 300)
        response.on("close", () => clearInterval(more))
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
