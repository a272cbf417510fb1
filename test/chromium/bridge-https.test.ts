/** The bridge of dialogs on pages of https, as nearly all pages are: its address is one of https, too. */
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium } from "../support/ChromiumSession.ts"
import { selfSigned } from "../support/selfSignedCertificate.ts"

/** Serves one page over https, with a policy. */
const serve = (policy: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(selfSigned, (_, response) =>
          response
            .writeHead(200, { "content-type": "text/html", "content-security-policy": policy })
            .end(`<title>secure</title>
            <script>violated = []; addEventListener("securitypolicyviolation", (e) => violated.push(e.effectiveDirective))</script>
            <button onclick="answer = prompt('Where to?', 'Here')">Ask</button>`)
        )
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => `https://localhost:${(server.address() as AddressInfo).port}/`
  )

const inline = "default-src 'self'; script-src 'unsafe-inline'"

layer(chromium({ dialogWay: "bridge", chromium: { args: ["--ignore-certificate-errors"] } }), {
  excludeTestServices: true,
  timeout: "90 seconds"
})("the bridge on a page of https", (it) => {
  for (const [policy, directive] of [
    ["script-src 'unsafe-inline'", undefined],
    [`${inline}; connect-src https:`, undefined],
    [`${inline}; connect-src 'none'`, "connect-src"],
    [inline, "connect-src"]
  ] as const) {
    it.effect(
      `under "${policy}" a prompt ${directive === undefined ? "asks over the bridge" : "opens as the browser's own"}, and is answered`,
      () =>
        Effect.gen(function* () {
          const { browser } = yield* at(yield* serve(policy))
          const { dialog } = yield* browser.click({ text: "Ask", button: "left" })
          assert.deepInclude(dialog, { type: "prompt", message: "Where to?", default_prompt: "Here" })
          yield* browser.answerDialog({ action: "accept", prompt_text: "There" })
          // the report of a violation is an event of its own
          const reported = `violated.length > 0 || new Promise((done) => addEventListener("securitypolicyviolation", done))`
          const { value } = yield* browser.execute({
            script: `${directive === undefined ? "" : `await (${reported});`} [answer, ...violated]`
          })
          assert.deepStrictEqual(JSON.parse(value ?? ""), directive === undefined ? ["There"] : ["There", directive])
        })
    )
  }
})
