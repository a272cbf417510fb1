import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  childEnvironment,
  profileFolder,
  requireDisplay,
  sandboxArguments
} from "../../src/layers/viewhost/surroundings.ts"

const Environment = Schema.Record(Schema.String.check(Schema.isPattern(/^[A-Z_]{1,12}$/)), Schema.String)

describe("the variables of the child", () => {
  it.prop(
    "are all of the parent's but those that turn Electron into something else",
    { inherited: Environment, value: Schema.String },
    ({ inherited, value }) => {
      const environment = { ...inherited, ELECTRON_RUN_AS_NODE: value, NODE_OPTIONS: value, unset: undefined }
      const { ELECTRON_RUN_AS_NODE: _, NODE_OPTIONS: __, ...others } = inherited
      assert.deepStrictEqual(childEnvironment(environment, "linux"), others)
    }
  )

  it("are recognised in any case on Windows, where names have none", () => {
    const environment = { Electron_Run_As_Node: "", node_options: "--inspect", Path: "C:\\" }
    assert.deepStrictEqual(childEnvironment(environment, "win32"), { Path: "C:\\" })
  })
})

describe("the display", () => {
  it.effect("is required before anything is started, and its absence says what to do", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(requireDisplay({ DISPLAY: "" }, "linux"))
      assert.strictEqual(error.code, "BROWSER_DISPLAY_MISSING")
      assert.include(error.message, "DISPLAY")
      assert.include(error.next, "xvfb-run")
      yield* requireDisplay({ DISPLAY: ":7" }, "linux")
      yield* requireDisplay({ WAYLAND_DISPLAY: "wayland-0" }, "linux")
      yield* requireDisplay({}, "darwin")
      yield* requireDisplay({}, "win32")
    })
  )
})

describe("the sandbox", () => {
  it("is off for root on Linux only, where Electron refuses to start with it", () => {
    assert.deepStrictEqual(sandboxArguments("linux", 0), ["--no-sandbox"])
    assert.deepStrictEqual(sandboxArguments("linux", 1000), [])
    assert.deepStrictEqual(sandboxArguments("darwin", 0), [])
    assert.deepStrictEqual(sandboxArguments("win32", undefined), [])
  })
})

describe("the profile folder", () => {
  const here = (environment: { readonly [name: string]: string }, platform: NodeJS.Platform = "linux") => ({
    environment,
    platform,
    home: "/home/u"
  })

  it("is the configured one, that of its variable, or one of its own in DSH_HOME or the user's application data", () => {
    const all = { DSH_BROWSER_PLUS_USER_DATA: "/named", DSH_HOME: "/dsh", XDG_CONFIG_HOME: "/xdg" }
    assert.strictEqual(profileFolder("/configured", here(all)), "/configured")
    assert.strictEqual(profileFolder(undefined, here(all)), "/named")
    assert.strictEqual(
      profileFolder(undefined, here({ ...all, DSH_BROWSER_PLUS_USER_DATA: "" })),
      "/dsh/effect-browser-host"
    )
    assert.strictEqual(profileFolder(undefined, here({ XDG_CONFIG_HOME: "/xdg" })), "/xdg/effect-browser-host")
    assert.strictEqual(
      profileFolder(undefined, here({ XDG_CONFIG_HOME: "xdg" })),
      "/home/u/.config/effect-browser-host"
    )
    assert.strictEqual(
      profileFolder(undefined, here({}, "darwin")),
      "/home/u/Library/Application Support/effect-browser-host"
    )
    assert.strictEqual(profileFolder(undefined, here({ APPDATA: "/appdata" }, "win32")), "/appdata/effect-browser-host")
  })
})
