import { ConfigProvider, Effect, FileSystem, Option } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { BrowserOptions } from "../../src/cli/browserFlags.ts"
import { settingSources } from "../../src/cli/settingSources.ts"
import { loadConfig } from "../../src/cli/settings.ts"
import { BrowserConfig, defaultBrowserConfig } from "../../src/schemas/config.ts"

const nothing: BrowserOptions = {
  config: Option.none(),
  provider: Option.none(),
  endpoint: Option.none(),
  executable: Option.none(),
  headed: false,
  profile: Option.none(),
  isolated: false,
  viewport: Option.none(),
  writeRoots: []
}

const load = (options: Partial<BrowserOptions> = {}, env: Record<string, string> = {}) =>
  loadConfig({ ...nothing, ...options }).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )

const withFile = <A, E>(content: string, use: (path: string) => Effect.Effect<A, E, FileSystem.FileSystem>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* fs.makeTempFileScoped({ suffix: ".json" })
    yield* fs.writeFileString(path, content)
    return yield* use(path)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const file = JSON.stringify({
  provider: "file",
  writeRoots: ["/file"],
  chromium: { headless: false, executablePath: "/file/browser", args: ["--x"] }
})

describe("settings", () => {
  it.effect("give a profile to the browser that is used, wherever either is named", () =>
    Effect.gen(function* () {
      const plain = yield* load({ profile: Option.some("/p") })
      assert.strictEqual(plain.chromium.profile, "/p")
      assert.isUndefined(plain.electron.profile)
      for (const watched of [
        yield* load({ profile: Option.some("/p"), provider: Option.some("electron") }),
        yield* load({ provider: Option.some("electron") }, { EFFECT_BROWSER_PROFILE: "/p" }),
        yield* load({ profile: Option.some("/p") }, { EFFECT_BROWSER_PROVIDER: "electron" })
      ]) {
        assert.strictEqual(watched.electron.profile, "/p")
        assert.isUndefined(watched.chromium.profile)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("are the defaults when nothing is said", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* load(), defaultBrowserConfig)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("come from options before environment before file", () =>
    withFile(file, (path) =>
      Effect.gen(function* () {
        const fromFile = yield* load({ config: Option.some(path) })
        assert.deepInclude(fromFile as object, { provider: "file", writeRoots: ["/file"] })
        assert.deepInclude(fromFile.chromium, { headless: false, executablePath: "/file/browser" })

        const env = {
          EFFECT_BROWSER_CONFIG: path,
          EFFECT_BROWSER_PROVIDER: "env",
          EFFECT_BROWSER_EXECUTABLE: "/env/browser",
          EFFECT_BROWSER_WRITE_ROOTS: "/e1:/e2"
        }
        const fromEnvironment = yield* load({}, env)
        assert.deepInclude(fromEnvironment as object, { provider: "env", writeRoots: ["/e1", "/e2"] })
        assert.deepInclude(fromEnvironment.chromium, { executablePath: "/env/browser", args: ["--x"], headless: false })

        const fromOptions = yield* load(
          { provider: Option.some("option"), viewport: Option.some("800x600"), writeRoots: ["/o"], isolated: true },
          env
        )
        assert.deepInclude(fromOptions as object, { provider: "option", writeRoots: ["/o"], isolated: true })
        assert.deepStrictEqual(fromOptions.chromium.viewport, { width: 800, height: 600 })
      })
    )
  )

  it.effect("keep an empty list apart from an absent one", () =>
    withFile(JSON.stringify({ writeRoots: [] }), (path) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* load({ config: Option.some(path) })).writeRoots, [])
        assert.isUndefined((yield* load()).writeRoots)
      })
    )
  )

  it.effect("name everything that is wrong with them", () =>
    withFile(JSON.stringify({ zz: 1, chromium: { headless: "no" } }), (path) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(load({ config: Option.some(path), viewport: Option.some("wide") }))
        assert.sameMembers(
          [...error.issues],
          [
            `zz is not known; known are ${Object.keys(BrowserConfig.fields).join(", ")}`,
            "chromium.headless must be true or false",
            "--viewport must be a width and a height in CSS px, such as 1280x800"
          ]
        )
      })
    )
  )

  it.effect("that are misspelt come with the name that was probably meant", () => {
    const misspelt = { chromum: {}, chromium: { headles: true, viewport: { widht: 1, width: 1, height: 1 } } }
    return withFile(JSON.stringify(misspelt), (path) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(load({ config: Option.some(path) }))
        assert.sameMembers(
          [...error.issues],
          [
            "chromum is not known; did you mean chromium?",
            "chromium.headles is not known; did you mean headless?",
            "chromium.viewport.widht is not known; did you mean width?"
          ]
        )
      })
    )
  })

  it.effect("of tools that do not exist come with the name that was probably meant", () =>
    withFile(JSON.stringify({ allowedTools: ["browser_open", "browser_clik"] }), (path) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(load({ config: Option.some(path) }))
        assert.match(error.message, /"browser_clik"; did you mean browser_click\?$/)
      })
    )
  )

  it.effect("say what a variable takes that holds something else", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load({}, { EFFECT_BROWSER_HEADED: "ja" }))
      assert.match(error.issues.join(), /^EFFECT_BROWSER_HEADED must be "true" \|/)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect(
    "are named as they were given, when they are wrong: by option, by variable, or by their name in the file",
    () =>
      withFile(JSON.stringify({ cdpEndpoint: { url: "ftp://c/" } }), (path) =>
        Effect.gen(function* () {
          const issues = (options: Parameters<typeof load>[0], env: Parameters<typeof load>[1] = {}) =>
            Effect.map(Effect.flip(load(options, env)), (error) => error.issues.join())
          const right = "must be a ws:, wss:, http: or https: address, such as http://127.0.0.1:9222"
          const variable = { EFFECT_BROWSER_ENDPOINT: "ftp://b/" }
          assert.strictEqual(yield* issues({ endpoint: Option.some("ftp://a/") }, variable), `--endpoint ${right}`)
          assert.strictEqual(yield* issues({}, variable), `EFFECT_BROWSER_ENDPOINT ${right}`)
          assert.strictEqual(yield* issues({ config: Option.some(path) }), `cdpEndpoint.url ${right}`)
        })
      )
  )

  it.effect("say which file cannot be read", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(load({ config: Option.some("/none/x.json") }))
      assert.include(missing.message, "/none/x.json: cannot be read")
      const noJson = yield* Effect.flip(withFile("{", (path) => load({ config: Option.some(path) })))
      assert.include(noJson.message, "is not JSON")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect.each(Object.entries(settingSources).filter(([name]) => !name.startsWith("browserbase.")))(
    "come from the variable that is documented for them: %s",
    ([name, { variable = "" }]) =>
      Effect.gen(function* () {
        const values: Record<string, string> = {
          "cdpEndpoint.url": "ws://127.0.0.1:1",
          "chromium.headless": "true",
          "chromium.viewport": "10x10",
          isolated: "true"
        }
        const at = (config: object) =>
          name.split(".").reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), config)
        const config = yield* load({}, { [variable]: values[name] ?? "/somewhere" })
        assert.notDeepEqual(at(config), at(defaultBrowserConfig))
      }).pipe(Effect.provide(NodeServices.layer))
  )
})
