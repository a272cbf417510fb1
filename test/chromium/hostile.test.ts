import { readdirSync, readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { defaultTimeouts, Timeouts } from "../../src/services/Timeouts.ts"
import { at, chromium, element, session, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const shorter = (table: Partial<Record<keyof typeof defaultTimeouts, number>>) =>
  Effect.provideService(Timeouts, { ...defaultTimeouts, ...table })

/** Ends the processes that render pages of the browsers below this process, as the system does when memory is short. */
const killRenderers = Effect.sync(() => {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1])
        return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, "utf8") }]
      } catch {
        return []
      }
    })
  const below = (pid: number): boolean =>
    pid === process.pid || processes.some((one) => one.pid === pid && one.parent > 1 && below(one.parent))
  for (const { pid, command } of processes) {
    if (command.includes("--type=renderer") && below(pid)) process.kill(pid, "SIGKILL")
  }
})

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })(
  "pages that are frozen, endless or hostile",
  (it) => {
    it.effect(
      "a click whose handler never ends is answered within its budget, the loop is stopped, and the page works again",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { browser } = yield* at(
            site.body(
              `<button onclick="while (true) {}">Freeze</button><button onclick="document.title='ok'">Fine</button>`
            )
          )
          const error = yield* Effect.flip(
            browser.click({ text: "Freeze", button: "left" }).pipe(shorter({ act: 5_000 }))
          )
          assert.strictEqual(error._tag, "OperationTimeout")
          assert.include(error.message, "stopped")
          yield* browser.click({ text: "Fine", button: "left" })
          assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"ok"')
        })
    )

    it.effect("a frame of another site that is busy is left out, and is seen again once it answers", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        let release = (): void => {}
        const asked = yield* Deferred.make<void>()
        // a request that its script waits for keeps the whole process from answering
        const held = site.page("/held", (_, response) => {
          release = () => void response.writeHead(200, { "access-control-allow-origin": "*" }).end("over")
          Deferred.doneUnsafe(asked, Effect.void)
        })
        const waits = `const x = new XMLHttpRequest(); x.open("GET", "${held}", false); x.send(); parent.postMessage("over", "*")`
        const inner = site
          .body(`<p>Inside</p><script>onload = () => setTimeout(() => { ${waits} })</script>`)
          .replace(site.origin, site.otherOrigin)
        const { browser } = yield* at(
          site.body(
            `<p id=state>busy</p><script>onmessage = ({ data }) => { state.textContent = data }</script><iframe src="${inner}"></iframe>`
          )
        )
        const look = Effect.map(
          browser.snapshot({ interactive: false, wholeFrameTree: false }),
          ({ elements, note }) => ({
            inside: elements.some(({ label }) => label === "Inside"),
            note
          })
        )
        yield* Deferred.await(asked)
        assert.isFalse((yield* look).inside)
        assert.isFalse((yield* look).inside)
        release()
        yield* browser.waitFor({ text: "over" })
        assert.isTrue((yield* look).inside)
      })
    )

    it.effect(
      "every tool answers within its budget while the page is in an endless loop, and opening a page frees the tab",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { browser } = yield* at(site.body("<button>Go</button>"))
          const looping = yield* Deferred.make<void>()
          const url = site.page("/looping", (_, response) => {
            response.end()
            Deferred.doneUnsafe(looping, Exit.void)
          })
          // the loop starts after the call that arms it has been answered
          yield* browser.execute({
            script: `setTimeout(() => { const x = new XMLHttpRequest(); x.open("GET", "${url}", false); x.send(); while (true) {} }, 20); 0`
          })
          yield* Deferred.await(looping)
          const quick = shorter({
            snapshot: 1_000,
            content: 1_000,
            screenshot: 1_000,
            act: 1_000,
            execute: 1_000,
            fill: 1_000
          })
          // each of them may be the one that stops the loop; it is armed anew by nobody
          const first = yield* Effect.exit(browser.snapshot(whole).pipe(quick))
          assert.isTrue(Exit.isFailure(first))
          const next = yield* browser.open({ url: site.body("<h1>Free</h1>", "free"), newTab: false })
          assert.strictEqual(next.title, "free")
        })
    )

    for (const [kind, script] of [
      [
        "whose timers start endless scripts again and again",
        "setTimeout(function f() { for (let i = 0; i < 20; i++) setTimeout(f); while (true) {} }, 100)"
      ],
      [
        "that is stuck and wants to be asked before it is left",
        "onbeforeunload = () => {}; setTimeout(function f() { setTimeout(f); setTimeout(f); while (true) {} }, 100)"
      ]
    ] as const) {
      it.effect(`a page ${kind} is ended by the next opening, which says so and keeps the tab`, () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const stuck = at(site.body(`<h1>Stuck</h1><script>onload = () => { ${script} }</script>`))
          // the look at it ends with its budget
          const { browser, first } = yield* stuck.pipe(shorter({ navigate: 8_000 }))
          const looped = yield* Effect.flip(
            browser.execute({ script: "new Promise(() => {})" }).pipe(shorter({ execute: 1_000 }))
          )
          assert.strictEqual(looped._tag, "ExecuteTimeout")
          const next = yield* browser
            .open({ url: site.body("<h1>Free</h1>", "free"), newTab: false })
            .pipe(shorter({ navigate: 20_000 }))
          assert.deepInclude(next, { tabId: first.tabId, title: "free" })
          assert.include(next.note, "was ended")
          const after = yield* browser.open({ url: site.body("<h1>After</h1>", "after"), newTab: false })
          assert.strictEqual(after.title, "after")
          assert.isUndefined(after.note)
        })
      )
    }

    it.effect("a page that is only slow to answer is left in peace when another is opened", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        let asked = 0
        const slow = site.page("/slow-answer", (_, response) => {
          asked++
          setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end("<title>slow</title>"), 1_500)
        })
        const { browser } = yield* at(site.body("<h1>Calm</h1>", "calm"))
        const next = yield* browser.open({ url: slow, newTab: false })
        assert.strictEqual(next.title, "slow")
        assert.isUndefined(next.note)
        assert.strictEqual(asked, 1)
      })
    )

    it.effect("a page that redraws in each frame holds up no answer, and says that it is not at rest", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(
          site.body(
            `<button onclick="done.textContent='pressed'">Press</button><p id=done></p><p id=tick></p><script>(function f(){ tick.textContent = performance.now(); requestAnimationFrame(f) })()</script>`
          )
        )
        const clicked = yield* browser.click({ text: "Press", button: "left" })
        assert.isTrue(clicked.unsettled)
        assert.include(
          (clicked.changes?.elements ?? []).map((one) => one.label),
          "pressed"
        )
      })
    )

    it.effect("overridden built-ins of the page reach neither the snapshot nor an act", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser, first } = yield* at(
          site.body(`<script>
          JSON.stringify = () => { throw 'no' }; JSON.parse = () => { throw 'no' }
          for (const k of ['map', 'push', 'forEach', 'filter', 'join', 'slice']) Array.prototype[k] = () => { throw 'no' }
          Array.prototype[Symbol.iterator] = () => { throw 'no' }; Object.prototype.toJSON = () => 'lie'
          for (const k of ['getBoundingClientRect', 'getAttribute', 'querySelector', 'matches', 'closest']) Element.prototype[k] = () => { throw 'no' }
          EventTarget.prototype.addEventListener = () => { throw 'no' }; window.getComputedStyle = () => { throw 'no' }
          document.elementFromPoint = () => { throw 'no' }; window.requestAnimationFrame = () => { throw 'no' }; Promise.prototype.then = function () { throw 'no' }
        </script><label>Name <input id=name></label><button onclick="document.title = 'pressed'">Press</button>`)
        )
        yield* browser.clickRef({
          snapshotId: first.snapshotId,
          ref: element(first, "button", "Press").ref,
          button: "left"
        })
        const filled = yield* browser.fill({ fields: [{ label: "Name", value: "Ada" }], submit: false })
        assert.deepInclude(filled.fields[0], { ok: true, value: "Ada" })
        assert.strictEqual(
          (yield* browser.execute({ script: "document.title + name.value" })).value?.slice(0, 8),
          '"pressed'
        )
      })
    )

    it.effect(
      "50,000 nodes, 200 frames and a label of 10 MB are bounded, and said to be cut",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const many = yield* at(
            site.body(
              `<div id=d></div><script>d.innerHTML = Array.from({length: 12500}, (_, i) => '<div><span>Row ' + i + '</span><a href=#' + i + '>Open ' + i + '</a></div>').join('')</script>`
            )
          )
          assert.isTrue(many.first.truncated)
          assert.isAbove(many.first.total ?? 0, 20_000)
          assert.isAtMost(JSON.stringify(many.first.elements).length, 24_000)
          const rest = yield* many.browser.snapshot({ ...whole, cursor: many.first.cursor ?? "" })
          assert.isEmpty(rest.elements.filter((one) => many.first.elements.some((seen) => seen.ref === one.ref)))
          yield* many.browser.click({ text: "Open 12499", button: "left" })
          assert.strictEqual((yield* many.browser.execute({ script: "location.hash" })).value, '"#12499"')

          const frames = yield* at(
            site.body(
              `<script>for (let i = 0; i < 200; i++) { const f = document.createElement('iframe'); f.srcdoc = '<button>Button ' + i + '</button>'; document.body.append(f) }</script>`
            )
          )
          assert.isAbove(frames.first.elements.length, 100)
          assert.isTrue(frames.first.frame_tree?.truncated)

          const label = yield* at(
            site.body(`<button id=b></button><script>b.textContent = 'x'.repeat(10 << 20)</script>`)
          )
          assert.isAtMost(label.first.elements[0]!.label.length, 130)
        }),
      { timeout: 90_000 }
    )

    it.effect(
      "a renderer that crashes ends what was under way at once, tools say how to go on, and opening revives the tab",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { browser } = yield* at(site.body("<h1>Fine</h1>"))
          const waiting = yield* Effect.forkChild(Effect.flip(browser.waitFor({ text: "never", timeoutMs: 20_000 })), {
            startImmediately: true
          })
          yield* killRenderers
          assert.strictEqual((yield* Fiber.join(waiting))._tag, "TabCrashed")
          assert.strictEqual((yield* Effect.flip(browser.content({ format: "txt" })))._tag, "TabCrashed")
          const next = yield* browser.open({ url: site.body("<h1>Again</h1>", "again"), newTab: false })
          assert.strictEqual(next.title, "again")
        })
    )

    it.effect(
      "a response that never ends is shown as far as it came, and the page can be used",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const url = site.page("/endless", (_, response) => {
            response.writeHead(200, { "content-type": "text/html" })
            response.write(`<title>endless</title><button onclick="document.title='used'">Use</button>`)
          })
          const { browser, first } = yield* at(url)
          assert.isTrue(first.loading)
          yield* browser.clickRef({
            snapshotId: first.snapshotId,
            ref: element(first, "button", "Use").ref,
            button: "left"
          })
          assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"used"')
        }),
      { timeout: 60_000 }
    )

    it.effect("a page nested so deeply that laying it out kills its process is said to have crashed", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const deep = site.body(
          "<h1>Deep</h1><script>let at = document.body; for (let i = 0; i < 50000; i++) { const one = document.createElement('div'); at.append(one); at = one }</script>"
        )
        const browser = yield* session
        const error = yield* Effect.flip(browser.open({ url: deep, newTab: false }))
        assert.strictEqual(error._tag, "TabCrashed")
        element(yield* browser.open({ url: site.body("<h1>Flat</h1>"), newTab: false }), "heading", "Flat")
      })
    )

    it.effect("a server that never answers ends with a time-out that leaves the tab usable", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const silent = site.page("/silent", () => {})
        const { browser } = yield* at(site.body("<h1>Before</h1>", "before"))
        const error = yield* Effect.flip(
          browser.open({ url: silent, newTab: false }).pipe(shorter({ navigate: 1_500 }))
        )
        assert.strictEqual(error._tag, "OperationTimeout")
        assert.strictEqual((yield* browser.snapshot(whole)).title, "before")
      })
    )

    it.effect("leaving a page with unsaved text asks first; staying keeps it, leaving leaves", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const next = site.body("<h1>Next</h1>", "next")
        const { browser } = yield* at(
          site.body(`<input id=i><script>onbeforeunload = (e) => { e.preventDefault() }</script>`, "draft")
        )
        yield* browser.click({ selector: "#i", button: "left" })
        yield* browser.type({ text: "text" })
        const asked = yield* browser.open({ url: next, newTab: false })
        assert.strictEqual(asked.pending_dialogs?.[0]?.type, "beforeunload")
        yield* browser.answerDialog({ action: "dismiss" })
        assert.strictEqual((yield* browser.snapshot(whole)).title, "draft")
        yield* browser.open({ url: next, newTab: false })
        // going elsewhere while the question is open would only ask it again
        const again = yield* Effect.flip(browser.open({ url: site.body("<h1>Elsewhere</h1>"), newTab: false }))
        assert.strictEqual(again._tag, "DialogOpen")
        yield* browser.answerDialog({ action: "accept" })
        yield* browser.waitFor({ text: "Next" })
      })
    )

    it.effect("an interrupted call lets go of the page", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body("<h1>Fine</h1>"))
        const running = yield* Effect.forkChild(browser.execute({ script: "new Promise(() => {})" }), {
          startImmediately: true
        })
        yield* browser.execute({ script: "1" })
        const exit = yield* Fiber.interrupt(running).pipe(
          Effect.andThen(Fiber.await(running)),
          // sooner than its own time would end it
          Effect.timeoutOption("20 seconds")
        )
        assert.strictEqual(exit._tag, "Some")
        if (exit._tag === "Some" && Exit.isFailure(exit.value)) assert.isTrue(Cause.hasInterruptsOnly(exit.value.cause))
        assert.strictEqual((yield* browser.execute({ script: "2" })).value, "2")
      })
    )
  }
)
