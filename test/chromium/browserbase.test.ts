import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Exit, Fiber, Layer, Logger, References, Scope } from "effect"
import * as BrowserbaseProvider from "../../src/layers/providers/browserbase/BrowserbaseProvider.ts"
import * as BrowserSeam from "../../src/layers/providers/seam/BrowserSeam.ts"
import { decodeBrowserConfig } from "../../src/schemas/config.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Browser } from "../../src/services/Browser.ts"
import { type BrowserbaseStandIn, browserbaseStandIn } from "../support/BrowserbaseStandIn.ts"
import { portChromium } from "../support/PortChromium.ts"
import { TestSite } from "../support/TestSite.ts"

class StandIn extends Context.Service<StandIn, BrowserbaseStandIn>()("test/Browserbase") {
  static readonly layer = Layer.effect(
    StandIn,
    Effect.flatMap(portChromium, ({ webSocketUrl }) => browserbaseStandIn(webSocketUrl))
  )
}

/** The seam with the provider, for a key. */
const providerFor = (standIn: BrowserbaseStandIn, key: string | undefined = standIn.key, settings: object = {}) =>
  Layer.unwrap(
    Effect.map(
      Effect.orDie(
        decodeBrowserConfig({ provider: "browserbase", browserbase: { apiUrl: standIn.apiUrl, ...settings } })
      ),
      (config) =>
        BrowserbaseProvider.layer(config).pipe(
          Layer.orDie,
          Layer.provideMerge(BrowserSeam.layer(config)),
          Layer.provide(
            ConfigProvider.layer(ConfigProvider.fromEnv({ env: key === undefined ? {} : { BROWSERBASE_API_KEY: key } }))
          )
        )
    )
  )

const open = Effect.flatMap(Browser, (browser) => browser.open({ task: TaskKey.make("cloud") }))

layer(Layer.merge(StandIn.layer, TestSite.layer), { excludeTestServices: true, timeout: "90 seconds" })(
  "a session in Browserbase's cloud",
  (it) => {
    it.effect("is created for the session and released with it", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const standIn = yield* StandIn
        const before = standIn.sessions.length
        yield* Effect.gen(function* () {
          const browser = yield* open
          assert.strictEqual(browser.provider, "browserbase")
          const first = yield* browser.open({ url: site.body("<button>Go</button>", "cloud"), newTab: false })
          assert.strictEqual(first.title, "cloud")
          yield* browser.click({ text: "Go", button: "left" })
          assert.deepStrictEqual(
            standIn.sessions.slice(before).map(({ body, status }) => ({ body, status })),
            [{ body: { projectId: "shop", keepAlive: true, timeout: 600 }, status: "RUNNING" }]
          )
        }).pipe(
          Effect.scoped,
          Effect.provide(providerFor(standIn, standIn.key, { projectId: "shop", keepAlive: true, timeoutSeconds: 600 }))
        )
        assert.strictEqual(standIn.sessions.at(-1)?.status, "COMPLETED")
      })
    )

    it.effect("lets the agent answer dialogs that the cloud would have answered itself", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const standIn = yield* StandIn
        yield* Effect.gen(function* () {
          const browser = yield* open
          yield* browser.open({
            url: site.body(`<button onclick="answers = []; alert('first'); answers.push('closed')">Alert</button>
              <button onclick="answers.push(prompt('Name?', 'nobody'))">Prompt</button>
              <button onclick="answers.push(confirm('Sure?'))">Confirm</button>`),
            newTab: false
          })
          const dismissed = standIn.proxy.dismissed()
          for (const [text, message, answer] of [
            ["Alert", "first", { action: "accept" }],
            ["Prompt", "Name?", { action: "accept", prompt_text: "Ada" }],
            ["Confirm", "Sure?", { action: "accept" }],
            ["Confirm", "Sure?", { action: "dismiss" }]
          ] as const) {
            const clicked = yield* browser.click({ text, button: "left" })
            assert.strictEqual(clicked.dialog?.message, message)
            yield* browser.answerDialog(answer)
          }
          const { value } = yield* browser.execute({ script: "answers" })
          assert.deepStrictEqual(JSON.parse(value ?? ""), ["closed", "Ada", true, false])
          assert.strictEqual(standIn.proxy.dismissed(), dismissed)
          assert.deepStrictEqual(
            browser.recentDialogs().map(({ closed_by }) => closed_by),
            ["agent", "agent", "agent", "agent"]
          )
        }).pipe(Effect.scoped, Effect.provide(providerFor(standIn)))
      })
    )

    it.effect("is released, too, when the opening is given up before the service has answered", () =>
      Effect.gen(function* () {
        const standIn = yield* StandIn
        const before = standIn.sessions.length
        standIn.delay(500)
        const scope = yield* Scope.make()
        yield* Effect.gen(function* () {
          const opening = yield* Effect.forkChild(Scope.provide(open, scope), { startImmediately: true })
          while (standIn.sessions.length === before) yield* Effect.sleep(5)
          yield* Fiber.interrupt(opening)
          yield* Scope.close(scope, Exit.void)
        }).pipe(Effect.provide(providerFor(standIn)), Effect.ensuring(Effect.sync(() => standIn.delay(0))))
        assert.strictEqual(standIn.sessions.at(-1)?.status, "COMPLETED")
      })
    )

    it.effect("is lost with its connection and released all the same", () =>
      Effect.gen(function* () {
        const standIn = yield* StandIn
        yield* Effect.gen(function* () {
          const browser = yield* open
          yield* standIn.proxy.cut
          assert.strictEqual((yield* browser.lost)._tag, "SessionLost")
          assert.strictEqual(standIn.sessions.at(-1)?.status, "RUNNING")
        }).pipe(Effect.scoped, Effect.provide(providerFor(standIn)))
        assert.strictEqual(standIn.sessions.at(-1)?.status, "COMPLETED")
      })
    )

    it.effect("is refused with what to do, and without a key is not available", () =>
      Effect.gen(function* () {
        const standIn = yield* StandIn
        const wrongKey = yield* Effect.flip(Effect.scoped(open)).pipe(Effect.provide(providerFor(standIn, "bb_wrong")))
        assert.strictEqual(wrongKey._tag, "ConnectionLost")
        assert.include(wrongKey.message, "401")
        assert.include(wrongKey.message, "BROWSERBASE_API_KEY")
        standIn.refuse(429)
        const tooMany = yield* Effect.flip(Effect.scoped(open)).pipe(Effect.provide(providerFor(standIn)))
        standIn.refuse(undefined)
        assert.include(tooMany.message, "as many sessions as the plan allows")
        const noKey = yield* Effect.gen(function* () {
          const browser = yield* Browser
          assert.deepStrictEqual(
            browser.providers().map(({ available }) => available),
            [false]
          )
          return yield* Effect.flip(Effect.scoped(open))
        }).pipe(
          Effect.provide(
            Layer.unwrap(
              Effect.map(Effect.orDie(decodeBrowserConfig({ provider: "browserbase", browserbase: {} })), (config) =>
                BrowserbaseProvider.layer(config).pipe(
                  Layer.orDie,
                  Layer.provideMerge(BrowserSeam.layer(config)),
                  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} })))
                )
              )
            )
          )
        )
        assert.strictEqual(noKey._tag, "ProviderConfiguredUnavailable")
      })
    )

    it.effect("shows neither the key nor the signing key in any error or log line", () =>
      Effect.gen(function* () {
        const standIn = yield* StandIn
        const lines: Array<string> = []
        const capture = Layer.merge(
          Logger.layer([Logger.make((options) => lines.push(JSON.stringify(Logger.formatJson.log(options))))]),
          Layer.succeed(References.MinimumLogLevel, "All")
        )
        const note = (exit: Exit.Exit<unknown, unknown>) => lines.push(JSON.stringify(exit), String(exit))
        yield* Effect.gen(function* () {
          note(yield* Effect.exit(Effect.scoped(open)))
          yield* Effect.scoped(
            Effect.gen(function* () {
              const browser = yield* open
              lines.push(JSON.stringify(browser), browser.id)
              const hanging = yield* Effect.forkChild(browser.execute({ script: "await new Promise(() => {})" }), {
                startImmediately: true
              })
              yield* standIn.proxy.cut
              note(yield* Fiber.await(hanging))
              note(yield* Effect.exit(browser.tabs))
            })
          )
          standIn.proxy.refuseNext(1)
          note(yield* Effect.exit(Effect.scoped(open)))
          standIn.refuse(403)
          note(yield* Effect.exit(Effect.scoped(open)))
          standIn.refuse(undefined)
        }).pipe(Effect.provide(Layer.merge(providerFor(standIn), capture)))
        const everything = lines.join("\n")
        assert.include(everything, "ConnectionLost")
        for (const secret of [standIn.key, standIn.signingKey]) assert.notInclude(everything, secret)
      })
    )
  }
)
