/** Pages that ask whether they may be left: Electron would decide that by itself. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { startHost } from "../../src/layers/viewhost/RemoteViewHost.ts"
import { HostTaskId } from "../../src/schemas/HostProtocol.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tasks } from "../../src/services/Tasks.ts"
import { testHostOptions, testSurroundings } from "../support/ElectronSession.ts"
import { TestSite } from "../support/TestSite.ts"
import { callTool, layerWatchedWindow, personHere, until, windowState } from "../support/WatchedWindow.ts"

const asks = `<script>onbeforeunload = (event) => event.preventDefault()</script>`

/** A page with a form that is posted, and what the server got of it. */
const postingSite = Effect.fnUntraced(function* (name: string, more = "") {
  const site = yield* TestSite
  const got: Array<string> = []
  site.page(`/${name}/send`, (request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on("end", () => {
      got.push(`${request.method} ${body}`)
      response.writeHead(200, { "content-type": "text/html" }).end("<title>Sent</title><p>Thank you</p>")
    })
  })
  const url = site.page(
    `/${name}/form`,
    `<title>Form</title><form method="post" action="/${name}/send"><input name="word" value="harbour">
      <button name="by" value="button">Send</button></form>${asks}${more}`
  )
  return { url, got, site }
})

const sessionOf = (task: string) => Effect.map(Tasks, (tasks) => tasks.peek(TaskKey.make(task))!)

layer(Layer.merge(layerWatchedWindow(), TestSite.layer), { excludeTestServices: true, timeout: "60 seconds" })(
  "a page that asks whether it may be left by the form that it posts",
  (it) => {
    it.effect("is left by that very request, once, when the answer is to leave", () =>
      Effect.gen(function* () {
        const { got, url } = yield* postingSite("leave")
        yield* callTool("leave", "browser_open", { url })
        const pressed = yield* callTool("leave", "browser_click", { text: "Send" })
        assert.deepInclude(pressed["dialog"], { type: "beforeunload" })
        assert.deepStrictEqual(got, [])
        yield* callTool("leave", "browser_dialog", { action: "accept" })
        yield* callTool("leave", "browser_wait_for", { text: "Thank you" })
        assert.deepStrictEqual(got, ["POST word=harbour&by=button"])
      })
    )

    it.effect("stays as it is, and nothing is sent, when the answer is to stay; it can be sent later", () =>
      Effect.gen(function* () {
        const { got, url } = yield* postingSite("stay")
        yield* callTool("stay", "browser_open", { url })
        yield* callTool("stay", "browser_execute", { script: "window.kept = 1; document.forms[0].word.value = 'pier'" })
        yield* callTool("stay", "browser_click", { text: "Send" })
        yield* callTool("stay", "browser_dialog", { action: "dismiss" })
        const kept = yield* callTool("stay", "browser_execute", {
          script: "return [window.kept, document.forms[0].word.value, location.pathname].join()"
        })
        assert.strictEqual(kept["value"], '"1,pier,/stay/form"')
        assert.deepStrictEqual(got, [])
        const again = yield* callTool("stay", "browser_click", { text: "Send" })
        assert.deepInclude(again["dialog"], { type: "beforeunload" })
        yield* callTool("stay", "browser_dialog", { action: "accept" })
        yield* callTool("stay", "browser_wait_for", { text: "Thank you" })
        assert.deepStrictEqual(got, ["POST word=pier&by=button"])
      })
    )

    it.effect("waits also where a worker of the page would answer the request", () =>
      Effect.gen(function* () {
        const { got, site, url } = yield* postingSite("worker")
        site.page("/worker/worker.js", (_, response) => {
          response
            .writeHead(200, { "content-type": "text/javascript" })
            .end(
              `onfetch = (event) => event.respondWith(fetch(event.request)); onactivate = (e) => e.waitUntil(clients.claim())`
            )
        })
        yield* callTool("worker", "browser_open", { url })
        yield* callTool("worker", "browser_execute", {
          script: `navigator.serviceWorker.register("/worker/worker.js")
            if (navigator.serviceWorker.controller === null)
              await new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done })`
        })
        yield* callTool("worker", "browser_click", { text: "Send" })
        yield* callTool("worker", "browser_dialog", { action: "dismiss" })
        const { value } = yield* callTool("worker", "browser_execute", { script: "return location.pathname" })
        assert.strictEqual(value, '"/worker/form"')
        assert.deepStrictEqual(got, [])
      })
    )

    it.effect("is asked before the eyes of a person, who may let it go", () =>
      Effect.gen(function* () {
        const person = yield* personHere
        const { got, url } = yield* postingSite("person")
        yield* callTool("person", "browser_open", { url })
        yield* callTool("person", "browser_click", { text: "Send" })
        const { bar } = yield* windowState
        const chip = bar.controls.filter(({ name }) => name.startsWith("task ")).at(-1)!.name
        yield* person.press(chip)
        const asked = yield* until(windowState, (state) => state.bar.dialog !== undefined)
        assert.deepInclude(asked.bar.dialog, { type: "beforeunload", origin: new URL(url).origin })
        yield* person.press("dialog accept")
        const session = yield* sessionOf("person")
        yield* until(
          Effect.sync(() => session.pendingDialogs()),
          (pending) => pending.length === 0
        )
        yield* callTool("person", "browser_wait_for", { text: "Thank you" })
        assert.deepStrictEqual(got, ["POST word=harbour&by=button"])
        assert.strictEqual(session.recentDialogs().at(-1)?.closed_by, "remote")
      })
    )
  }
)

layer(Layer.merge(testSurroundings, TestSite.layer), { excludeTestServices: true, timeout: "60 seconds" })(
  "a page that asks whether it may be left, and is answered before it has heard that it stays",
  (it) => {
    it.effect("is left all the same, by address, script and reload", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const running = yield* Effect.flatMap(testHostOptions(), startHost)
        const taskId = HostTaskId.make("task")
        yield* running.call("openTask", { taskId, label: "Leaving" })
        const { viewId } = yield* running.call("createView", { taskId, background: false })
        const command = (method: string, params: object = {}) => running.call("command", { viewId, method, params })
        let came = yield* Deferred.make<string>()
        yield* running.listen((told) => {
          if (told.event !== "cdp" || told.method !== "Page.frameNavigated") return
          Deferred.doneUnsafe(came, Effect.succeed((told.params as { frame: { url: string } }).frame.url))
        })
        const leads = Effect.fnUntraced(function* (leave: Effect.Effect<unknown, unknown>) {
          came = yield* Deferred.make<string>()
          yield* Effect.forkChild(Effect.ignore(leave), { startImmediately: true })
          // refused until the question is there, and then the answer is the first that the host hears
          let arrived = false
          const answer = (): void => {
            if (arrived) return
            running.post(
              "command",
              { viewId, method: "Page.handleJavaScriptDialog", params: { accept: true } },
              ({ ok }) => {
                if (!ok) answer()
              }
            )
          }
          for (let at = 0; at < 4; at++) answer()
          const url = yield* Effect.ensuring(
            Deferred.await(came).pipe(Effect.timeoutOption("10 seconds")),
            Effect.sync(() => {
              arrived = true
            })
          )
          return url._tag === "Some" ? url.value : "nowhere"
        })
        yield* command("Page.enable")
        const next = site.body("next")
        for (const by of ["address", "script", "reload", "address", "script", "reload"]) {
          const page = site.body(asks)
          assert.strictEqual(yield* leads(command("Page.navigate", { url: page })), page)
          for (const type of ["mousePressed", "mouseReleased"]) {
            yield* command("Input.dispatchMouseEvent", { type, x: 50, y: 50, button: "left", clickCount: 1 })
          }
          const leave =
            by === "address"
              ? command("Page.navigate", { url: next })
              : by === "reload"
                ? command("Page.reload")
                : command("Runtime.evaluate", { expression: `location.href = ${JSON.stringify(next)}` })
          assert.strictEqual(yield* leads(leave), by === "reload" ? page : next, by)
        }
      })
    )
  }
)
