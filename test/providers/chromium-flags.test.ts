import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { browserKind, chromiumArguments, refusedArgument } from "../../src/layers/providers/chromium/flags.ts"
import { ChromiumConfig, defaultBrowserConfig } from "../../src/schemas/config.ts"

const config = defaultBrowserConfig.chromium
const facts = { kind: "full", profile: "/p", sandbox: true, sharedMemory: undefined } as const
const names = (args: ReadonlyArray<string>) => args.map((argument) => argument.split("=", 1)[0])

const Facts = Schema.Struct({
  kind: Schema.Literals(["full", "shell"]),
  profile: Schema.NonEmptyString,
  sandbox: Schema.Boolean,
  sharedMemory: Schema.optional(Schema.Natural)
})
const Settings = ChromiumConfig.mapFields(({ headless, viewport }) => ({ headless, viewport }))

describe("the arguments of the browser", () => {
  it.prop(
    "never weaken the separation of sites, open no port, and leave the sandbox on unless there is none",
    { settings: Arbitrary.schema(Settings), facts: Arbitrary.schema(Facts) },
    ({ settings, facts: given }) => {
      const args = chromiumArguments({ ...settings, args: [] }, { ...given, sharedMemory: given.sharedMemory })
      const used = names(args)
      for (const forbidden of [
        "--single-process",
        "--disable-web-security",
        "--disable-site-isolation-trials",
        "--remote-debugging-port",
        "--allow-running-insecure-content",
        "--no-zygote"
      ]) {
        assert.notInclude(used, forbidden)
      }
      assert.notMatch(args.join(" "), /disable-features=\S*(IsolateOrigins|site-per-process)/i)
      assert.strictEqual(used.includes("--no-sandbox"), !given.sandbox)
      assert.include(args, "--remote-debugging-pipe")
      assert.include(args, `--user-data-dir=${given.profile}`)
      assert.strictEqual(new Set(used).size, used.length, "no switch is given twice")
    }
  )

  it("choose the headless mode that the browser has", () => {
    assert.include(chromiumArguments(config, facts), "--headless=new")
    assert.notInclude(names(chromiumArguments({ ...config, headless: false }, facts)), "--headless")
    const shell = chromiumArguments(config, { ...facts, kind: "shell" })
    assert.include(shell, "--headless")
    assert.include(shell, "--site-per-process")
  })

  it("join further disabled features with ours and put other further arguments last", () => {
    const args = chromiumArguments(
      { ...config, args: ["--disable-features=A,Translate", "--lang=de", "--disable-features=B"] },
      facts
    )
    const features = args.filter((argument) => argument.startsWith("--disable-features="))
    assert.lengthOf(features, 1)
    const list = features[0]?.split("=")[1]?.split(",") ?? []
    assert.includeMembers(list, ["Translate", "MediaRouter", "A", "B"])
    assert.strictEqual(new Set(list).size, list.length)
    assert.strictEqual(args.at(-1), "--lang=de")
  })

  it("avoid a /dev/shm that is small or missing", () => {
    const avoids = (sharedMemory: number | undefined) =>
      chromiumArguments(config, { ...facts, sharedMemory }).includes("--disable-dev-shm-usage")
    assert.deepStrictEqual([0, 64 << 20, (512 << 20) - 1, 512 << 20, undefined].map(avoids), [
      true,
      true,
      true,
      false,
      false
    ])
  })

  it("are refused where a setting decides", () => {
    assert.strictEqual(refusedArgument(["--lang=de", "--user-data-dir=/x"])?.instead, "profile")
    assert.strictEqual(refusedArgument(["--headless"])?.argument, "--headless")
    assert.isDefined(refusedArgument(["--remote-debugging-port=9222"]))
    assert.isUndefined(refusedArgument(["--headless-something", "--no-sandbox", "https://example.com"]))
  })

  it("know a headless shell by its file name", () => {
    const kinds = [
      "/a/headless_shell",
      "C:\\x\\chrome-headless-shell.exe",
      "/headless_shell/chrome",
      "/usr/bin/chromium"
    ]
    assert.deepStrictEqual(kinds.map(browserKind), ["shell", "shell", "full", "full"])
  })
})
