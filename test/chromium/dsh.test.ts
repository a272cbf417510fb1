/** The plugin in the real tool pipeline of DSH, with a real browser. */
import { Context } from "@deepseek-ai/cordis"
import SystemPrompt from "@deepseek-ai/dsh-system-prompt"
import { type ToolExecutionInput, ToolRuntime } from "@deepseek-ai/dsh-tools"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema, Scope } from "effect"
import * as plugin from "../../src/adapters/dsh/plugin.ts"
import { DshConfig } from "../../src/adapters/dsh/plugin.ts"
import { catalog, coreCatalog } from "../../src/tools/catalog.ts"
import { processesNaming, untilNothing } from "../support/browserProcesses.ts"
import { TestSite } from "../support/TestSite.ts"

type Agent = NonNullable<ToolExecutionInput["agent"]>

/** What the registry needs of an agent: a name, and an identity for what is registered in its scope. */
const agent = (id: string): Agent => ({ id }) as unknown as Agent

let marks = 0

/** DSH's registry with the plugin in it, until the scope closes; the browser carries a mark in its arguments. */
const harness = Effect.fnUntraced(function* (settings: Partial<typeof DshConfig.Encoded> = {}) {
  const mark = `--mark-of-dsh=${process.pid}-${++marks}`
  const root = new Context()
  yield* Effect.addFinalizer(() => Effect.promise(async () => root.fiber.dispose()))
  const browser = yield* Effect.promise(async () => {
    await root.plugin(SystemPrompt, {})
    await root.plugin(ToolRuntime, {})
    const executable = process.env["EFFECT_BROWSER_TEST_CHROME"]
    return root.plugin(plugin, {
      ...settings,
      chromium: { args: [mark], ...(executable === undefined ? {} : { executablePath: executable }) }
    } as never)
  })
  const tools = yield* Effect.promise(
    () => new Promise<ToolRuntime>((resolve) => void root.inject(["tools"], (inner) => resolve(inner.tools)))
  )
  const call = (name: string, args: unknown, who?: Agent, signal = new AbortController().signal) =>
    Effect.promise(() =>
      tools.execute({
        callId: "call" as ToolExecutionInput["callId"],
        name,
        arguments: args,
        signal,
        ...(who === undefined ? {} : { agent: who })
      })
    )
  const prompt = Effect.promise(async () => (await root.systemPrompt.assemble()).sections.map(({ name }) => name))
  return { root, browser, tools, call, prompt, mark }
})

const textOf = (result: { readonly content: ReadonlyArray<{ readonly type: string }> }): string =>
  result.content.flatMap((block) => ("text" in block ? [String(block.text)] : [])).join("\n")

layer(TestSite.layer, { excludeTestServices: true, timeout: "60 seconds" })("in DSH", (it) => {
  it.effect("an agent opens a page and acts; it reads what an MCP client reads, and gets the validated value", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { call, prompt, tools } = yield* harness()
      assert.deepStrictEqual(
        tools
          .schemas()
          .map(({ name }) => name)
          .toSorted(),
        coreCatalog.map((row) => row.name).toSorted()
      )
      assert.include(yield* prompt, "tool:browser")
      const url = site.body(`<button onclick="this.textContent='Pressed'">Press</button>`, "Start")
      const opened = yield* call("browser_open", { url })
      assert.isFalse(opened.isError, opened.error?.message)
      assert.include(textOf(opened), `button "Press"`)
      const { elements, snapshotId } = opened.value as unknown as {
        readonly snapshotId: string
        readonly elements: ReadonlyArray<{ readonly ref: number }>
      }
      const clicked = yield* call("browser_click_ref", { snapshotId, ref: elements[0]?.ref })
      assert.isFalse(clicked.isError, clicked.error?.message)
      assert.include(textOf(clicked), "Pressed")
    })
  )

  it.effect("each error has its code, and says what to do", () =>
    Effect.gen(function* () {
      const { call, mark } = yield* harness({ tools: "all" })
      const unknown = yield* call("browser_click_ref", { snapshotId: "none", ref: 1, and: 2 })
      assert.strictEqual(unknown.error?.info?.code, "BROWSER_INVALID_ARGUMENTS")
      assert.include(textOf(unknown), "and is not known")
      assert.include(textOf(unknown), "Next: ")
      const blocked = yield* call("browser_open", { url: "file:///etc/passwd" })
      assert.strictEqual(blocked.error?.info?.code, "BROWSER_NAVIGATION_BLOCKED")
      // neither needed a browser
      assert.deepStrictEqual(processesNaming(mark), [])
    })
  )

  it.effect("agents have tasks of their own; what one of them opened is closed when it is gone", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { call, root } = yield* harness({ tools: "all" })
      const first = agent("first")
      yield* call("browser_open", { url: site.body("", "One") }, first)
      yield* call("browser_open", { url: site.body("", "Two") }, agent("second"))
      assert.include(textOf(yield* call("browser_list_tabs", {}, first)), "One")
      assert.notInclude(textOf(yield* call("browser_list_tabs", {}, first)), "Two")
      const emit = root.emit.bind(root) as (event: string, payload: unknown) => void
      emit("agent/disposed", { agent: first })
      const gone = yield* call("browser_list_tabs", {}, first).pipe(
        Effect.repeat({ until: (result) => result.isError || !textOf(result).includes("One") })
      )
      assert.notInclude(textOf(gone), "One")
      assert.include(textOf(yield* call("browser_list_tabs", {}, agent("second"))), "Two")
    })
  )

  it.effect("a call whose signal aborts settles, and the next one goes on", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { call } = yield* harness({ tools: "all" })
      const asked = yield* Deferred.make<void>()
      const waited = site.page("/asked", (_, response) => {
        Deferred.doneUnsafe(asked, Exit.void)
        response.writeHead(200, { "access-control-allow-origin": "*" }).end()
      })
      yield* call("browser_open", { url: site.body("<p>Here</p>", "Page") })
      const controller = new AbortController()
      const waiting = yield* Effect.forkScoped(
        call("browser_execute", { script: `fetch("${waited}"); new Promise(() => {})` }, undefined, controller.signal)
      )
      yield* Deferred.await(asked)
      controller.abort()
      const aborted = yield* Fiber.join(waiting)
      assert.isTrue(aborted.isError)
      assert.include(textOf(yield* call("browser_snapshot", {})), "Page")
    })
  )

  it.effect("nothing is left of a plugin that is disposed during a call", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const scope = yield* Scope.make()
      const { browser, call, mark, prompt, tools } = yield* harness({ tools: "all" }).pipe(Scope.provide(scope))
      assert.strictEqual(tools.schemas().length, catalog.length)
      yield* call("browser_open", { url: site.body("", "Page") })
      assert.isNotEmpty(processesNaming(mark))
      const waiting = yield* Effect.forkScoped(call("browser_wait_for", { text: "never there" }))
      yield* Effect.promise(async () => browser.dispose())
      assert.isTrue((yield* Fiber.join(waiting)).isError)
      assert.deepStrictEqual(tools.schemas(), [])
      assert.notInclude(yield* prompt, "tool:browser")
      assert.deepStrictEqual(yield* untilNothing(() => processesNaming(mark), 20_000), [])
      yield* Scope.close(scope, Exit.void)
    })
  )

  it.effect("settings that are wrong are refused by name", () =>
    Effect.gen(function* () {
      const outcome = plugin.Config["~standard"].validate({ isolatd: true })
      assert.isFalse(outcome instanceof Promise)
      assert.include(JSON.stringify(outcome), "isolatd")
      const empty = plugin.Config["~standard"].validate(undefined)
      assert.notProperty(empty, "issues")
      assert.strictEqual((yield* Schema.decodeEffect(DshConfig)({})).tools, "core")
    })
  )
})
