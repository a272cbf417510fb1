import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Control } from "../../src/services/Control.ts"
import { defaultTimeouts, Timeouts } from "../../src/services/Timeouts.ts"
import { Tools } from "../../src/services/Tools.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { TestSite } from "../support/TestSite.ts"

/**
 * Operations may take so long here (ms) that one which waits for its time to run out is told from a slow machine: by
 * then it is taken for hanging. How many ms an answer takes is measured in `bench/`.
 */
const endless = 600_000
const hangs = "30 seconds"

const table = Object.fromEntries(Object.keys(defaultTimeouts).map((name) => [name, endless])) as typeof Timeouts.Service

const inTime = <A, E, R>(name: string, answer: Effect.Effect<A, E, R>) =>
  answer.pipe(
    Effect.provideService(Timeouts, table),
    Effect.timeoutOrElse({ duration: hangs, orElse: () => Effect.die(`${name} waits for the dialog`) })
  )

/** Arguments with which each tool would work on the page below if no dialog were open. */
const calls: Readonly<Record<string, object>> = {
  browser_open: { url: "about:blank" },
  browser_back: {},
  browser_forward: {},
  browser_reload: {},
  browser_stop: {},
  browser_snapshot: {},
  browser_find: { text: "Harbour" },
  browser_content: { format: "txt" },
  browser_execute: { script: "document.querySelector('h1').textContent" },
  browser_screenshot: {},
  browser_wait_for: { text: "Harbour" },
  browser_click_ref: { snapshotId: "s1", ref: 1 },
  browser_click: { text: "Ask" },
  browser_double_click: { x: 1, y: 1 },
  browser_hover: { text: "Ask" },
  browser_drag: { from: { x: 1, y: 1 }, to: { x: 9, y: 9 } },
  browser_scroll: {},
  browser_scroll_into_view: { snapshotId: "s1", ref: 1 },
  browser_fill: { fields: [{ selector: "input", value: "quay" }] },
  browser_type: { text: "quay" },
  browser_press_key: { key: "Enter" },
  browser_dialog: { action: "accept" },
  browser_upload_file: { filePath: "package.json" },
  browser_list_tabs: {},
  browser_switch_tab: { tabId: "t1" },
  browser_close_tab: { tabId: "t1" },
  browser_session: {},
  browser_reset: {},
  browser_reset_session: {},
  browser_console: {},
  browser_network: {},
  browser_cdp: { method: "Page.getNavigationHistory" },
  browser_challenge: {},
  browser_emulate: { colorScheme: "dark" },
  browser_pdf: { savePath: "never-written.pdf" },
  browser_highlight: { selector: "h1" },
  browser_auth: { action: "flush", domain: "localhost" },
  browser_scrape: { action: "list" },
  browser_history: {},
  browser_replay: { seq: 1 },
  browser_tasks: {},
  browser_handoff: { state: "waiting-user" },
  browser_space: { label: "Harbour" },
  browser_restrict: {}
}

/** Calls that open the page's dialog, and carry it. */
const openers = {
  browser_open: {},
  browser_cdp: { method: "Runtime.evaluate", params: { expression: "confirm('Leave the berth?')" } },
  browser_execute: { script: "confirm('Leave the berth?')" },
  browser_click: { text: "Ask" },
  browser_click_ref: {},
  browser_press_key: { key: "Enter" },
  browser_type: { text: "q" },
  browser_fill: { fields: [{ selector: "#name", value: "quay" }] }
} as const

/** What is seen past a dialog is told with the dialog. */
const tells: ReadonlySet<string> = new Set([
  "browser_snapshot",
  "browser_find",
  "browser_content",
  "browser_execute",
  "browser_screenshot",
  "browser_list_tabs",
  "browser_switch_tab",
  "browser_session"
])

/** What a tool does while a dialog is open. A replayed step does what its own tool does; here it opens a page. */
const whileDialog = (row: (typeof catalog)[number]) => (row.name === "browser_replay" ? "escapes" : row.whileDialog)

/** Something to fetch, which is gone with the test. */
const aFile = Effect.gen(function* () {
  const site = yield* TestSite
  const savePath = join(tmpdir(), `while-dialog-${process.pid}.bin`)
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(savePath, { force: true })))
  const url = site.page("/rope.bin", (_, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end("rope")
  })
  return { url, savePath }
})

let tasks = 0

/** A task of its own whose page has asked a question. */
const asking = Effect.gen(function* () {
  const site = yield* TestSite
  const tools = yield* Tools
  const task = TaskKey.make(`asking-${++tasks}`)
  const call = (name: string, args: object) => tools.invoke(task, name, args)
  const control = yield* Control
  // what the person has is not the agent's to reset
  yield* Effect.addFinalizer(() =>
    Effect.andThen(control.handBack(task), Effect.ignore(call("browser_reset_session", {})))
  )
  const { structured } = yield* call("browser_open", {
    url: site.body(
      `<h1>Harbour</h1><input type=file><input id=name autofocus oninput="confirm('Leave the berth?')"><input id=keys onkeydown="confirm('Leave the berth?')"><button onclick="confirm('Leave the berth?')">Ask</button>`
    )
  })
  const elements = structured["elements"] as ReadonlyArray<{ readonly label: string; readonly ref: number }>
  const first = {
    snapshotId: structured["snapshotId"] as string,
    refOf: (label: string) => elements.find((one) => one.label === label)?.ref
  }
  return { site, call, first }
})

interface Opened {
  readonly message: string
  /** seconds */
  readonly opened_at: number
}

const pendingOf = (structured: { readonly [key: string]: unknown }) =>
  (structured["pending_dialogs"] as ReadonlyArray<Opened> | undefined) ?? []

describe("the table of tools while a dialog is open", () => {
  it("has every tool of the catalog", () => {
    assert.deepStrictEqual(
      catalog
        .map((row) => row.name as string)
        .filter((name) => calls[name] === undefined && name !== "browser_download"),
      []
    )
  })
})

for (const way of ["native", "gate"] as const) {
  layer(chromiumTools({ dialogWay: way }), { excludeTestServices: true, timeout: "90 seconds" })(
    `while a dialog is open (${way})`,
    (it) => {
      for (const row of catalog) {
        const does = whileDialog(row)
        const works = does !== "refused" && (does !== "looks" || way === "gate")
        it.effect(`${row.name} ${works ? "answers" : "is refused"} at once`, () =>
          Effect.gen(function* () {
            const { call } = yield* asking
            const opened = yield* call("browser_execute", openers.browser_execute)
            assert.deepInclude(opened.structured["dialog"] as object, { message: "Leave the berth?" })
            const args = row.name === "browser_download" ? yield* aFile : (calls[row.name] ?? {})
            const answer = inTime(row.name, call(row.name, args))
            if (!works) {
              const error = yield* Effect.flip(answer)
              assert.deepInclude(error, { code: "BROWSER_DIALOG_OPEN", operation: row.name })
              assert.include(JSON.stringify(error), "Leave the berth?")
              return
            }
            const { content } = yield* answer
            if (tells.has(row.name)) {
              const said = content.map((part) => (part.type === "text" ? part.text : "")).join()
              assert.match(said, /dialog d\S+ is open: confirm "Leave the berth\?"; answer with browser_dialog/)
            }
            if (does === "escapes") {
              // the page is free, so the next look needs no answer to the dialog
              if (row.session === "none") return
              assert.deepStrictEqual(pendingOf((yield* call("browser_snapshot", {})).structured), [])
            } else if (row.name !== "browser_dialog") {
              assert.lengthOf(pendingOf((yield* call("browser_snapshot", {})).structured), 1)
            }
          })
        )
      }

      for (const [name, args] of Object.entries(openers)) {
        it.effect(`${name} that opens a dialog ends with it, while it still waits`, () =>
          Effect.gen(function* () {
            const { call, first, site } = yield* asking
            const given =
              name === "browser_click_ref"
                ? { snapshotId: first.snapshotId, ref: first.refOf("Ask") }
                : name === "browser_open"
                  ? { url: site.body("<h1>Asks</h1><script>confirm('Leave the berth?')</script>") }
                  : args
            if (name === "browser_press_key") yield* call("browser_click", { selector: "#keys" })
            if (name === "browser_type") yield* call("browser_click", { selector: "#name" })
            const { structured } = yield* inTime(name, call(name, given))
            const dialog = (structured["dialog"] as Opened | undefined) ?? pendingOf(structured)[0]
            if (dialog === undefined) assert.fail(`${name} carries no dialog`)
            assert.deepInclude(dialog as object, { message: "Leave the berth?" })
            // nobody has answered it, so the act did not wait for that
            assert.lengthOf(pendingOf((yield* call("browser_snapshot", {})).structured), 1)
          })
        )
      }

      it.effect("a page whose first script asks is opened with its dialog", () =>
        Effect.gen(function* () {
          const { call, site } = yield* asking
          const { structured } = yield* call("browser_open", {
            url: site.body(`<script>document.title = confirm("First?")</script>`)
          })
          assert.deepStrictEqual(
            pendingOf(structured).map(({ message }) => message),
            ["First?"]
          )
          yield* call("browser_dialog", { action: "accept" })
          assert.strictEqual(
            (yield* call("browser_execute", { script: "document.title" })).structured["value"],
            '"true"'
          )
        })
      )

      for (const [when, script] of [
        ["before it is drawn", "confirm('First?')"],
        ["from an animation frame", "requestAnimationFrame(() => confirm('First?'))"]
      ] as const) {
        it.effect(`of a page that asks ${when}, a picture is refused with the dialog`, () =>
          Effect.gen(function* () {
            const { call, site } = yield* asking
            const url = site.page("/asks-first", `<!doctype html><script>${script}</script><p>Here</p>`)
            const { structured } = yield* call("browser_open", { url })
            assert.lengthOf(pendingOf(structured), 1)
            const error = yield* Effect.flip(inTime("browser_screenshot", call("browser_screenshot", {})))
            assert.deepInclude(error, { code: "BROWSER_DIALOG_OPEN", operation: "browser_screenshot" })
            assert.include(JSON.stringify(error), "First?")
            yield* call("browser_dialog", { action: "accept" })
            assert.isAbove((yield* call("browser_screenshot", {})).structured["bytes"] as number, 0)
          })
        )
      }

      it.effect("the snapshot holds the dialog, and the elements as far as the page can be looked at", () =>
        Effect.gen(function* () {
          const { call } = yield* asking
          yield* call("browser_execute", openers.browser_execute)
          const { structured } = yield* call("browser_snapshot", {})
          assert.deepStrictEqual(
            pendingOf(structured).map(({ message }) => message),
            ["Leave the berth?"]
          )
          const labels = (structured["elements"] as ReadonlyArray<{ label: string }>).map(({ label }) => label)
          if (way === "gate") assert.includeMembers(labels, ["Harbour", "Ask"])
          else assert.deepStrictEqual(labels, [])
        })
      )

      if (way === "gate") {
        it.effect("scripts of each form run, and what they throw is theirs alone", () =>
          Effect.gen(function* () {
            const { call } = yield* asking
            yield* call("browser_execute", { script: "(function asks() { confirm('Leave the berth?') })()" })
            const run = (script: string) =>
              Effect.map(call("browser_execute", { script }), ({ structured }) => structured)
            for (const script of ["1 + 1", "return 1 + 1", "const a = 1; a + 1", "if (true) { return 2 }"]) {
              assert.strictEqual((yield* run(script))["value"], "2", script)
            }
            const broken = yield* run("const = 1")
            assert.isFalse(broken["ok"])
            assert.strictEqual(broken["exception"], "SyntaxError: Unexpected token '=' (line 1)")
            const thrown = (yield* run("window.ran = (window.ran ?? 0) + 1; JSON.parse('{')"))["exception"]
            assert.include(thrown, "JSON.parse")
            assert.notInclude(thrown, "asks")
            assert.strictEqual((yield* run("ran"))["value"], "1")
          })
        )
      }

      it.effect("an answer carries the dialog that its page opens next, and nothing once it has ended", () =>
        Effect.gen(function* () {
          const { call } = yield* asking
          yield* call("browser_execute", { script: "alert('First'); confirm('Second'); prompt('Third', 'quay')" })
          const answers: Array<unknown> = []
          for (let turn = 0; turn < 3; turn++) {
            const { structured } = yield* call("browser_dialog", { action: "accept" })
            const { dialog, next } = structured as Readonly<Record<string, { readonly message: string } | undefined>>
            answers.push([dialog?.message, next?.message])
          }
          assert.deepStrictEqual(answers, [
            ["First", "Second"],
            ["Second", "Third"],
            ["Third", undefined]
          ])
        })
      )

      it.effect("the page gets the answer that the agent gave, and is itself again", () =>
        Effect.gen(function* () {
          const { call } = yield* asking
          yield* call("browser_execute", { script: "window.got = confirm('Leave the berth?')" })
          yield* call("browser_dialog", { action: "accept" })
          assert.strictEqual((yield* call("browser_execute", { script: "window.got" })).structured["value"], "true")
          assert.isTrue((yield* call("browser_click", { text: "Ask" })).structured["dialog"] !== undefined)
        })
      )
    }
  )
}
