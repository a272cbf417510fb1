/** Where settings come from: options, then environment, then a file, then the defaults. */
import { delimiter } from "node:path"
import { Config, Effect, FileSystem, Option } from "effect"
import { BrowserConfig, decodeBrowserConfig } from "../schemas/config.ts"
import { ConfigInvalid } from "../schemas/errors.ts"
import { unknownToolIssues } from "../tools/catalog.ts"
import { issueTexts } from "../tools/issues.ts"
import type { BrowserOptions } from "./browserFlags.ts"
import { settingSources } from "./settingSources.ts"

/** Settings as options and environment name them; what is undefined says nothing. */
interface Settings {
  readonly provider: string | undefined
  readonly endpoint: string | undefined
  readonly executable: string | undefined
  readonly headed: boolean | undefined
  readonly profile: string | undefined
  readonly isolated: boolean | undefined
  readonly viewport: string | undefined
  readonly writeRoots: ReadonlyArray<string> | undefined
}

const text = (name: string) => Config.map(Config.option(Config.String(name)), Option.getOrUndefined)
const flag = (name: string) => Config.map(Config.option(Config.Boolean(name)), Option.getOrUndefined)

/** `EFFECT_BROWSER_*`; a list of folders is separated as PATH is. */
const environment = Config.all({
  config: text("EFFECT_BROWSER_CONFIG"),
  provider: text("EFFECT_BROWSER_PROVIDER"),
  endpoint: text("EFFECT_BROWSER_ENDPOINT"),
  executable: text("EFFECT_BROWSER_EXECUTABLE"),
  headed: flag("EFFECT_BROWSER_HEADED"),
  profile: text("EFFECT_BROWSER_PROFILE"),
  isolated: flag("EFFECT_BROWSER_ISOLATED"),
  viewport: text("EFFECT_BROWSER_VIEWPORT"),
  writeRoots: Config.map(text("EFFECT_BROWSER_WRITE_ROOTS"), (list) =>
    list?.split(delimiter).filter((one) => one !== "")
  )
})

const fromOptions = (options: BrowserOptions): Settings => ({
  provider: Option.getOrUndefined(options.provider),
  endpoint: Option.getOrUndefined(options.endpoint),
  executable: Option.getOrUndefined(options.executable),
  headed: options.headed ? true : undefined,
  profile: Option.getOrUndefined(options.profile),
  isolated: options.isolated ? true : undefined,
  viewport: Option.getOrUndefined(options.viewport),
  writeRoots: options.writeRoots.length === 0 ? undefined : options.writeRoots
})

/** "1280x800" as width and height; anything else stays as it is and fails in the schema. */
const size = (viewport: string) => {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(viewport) ?? []
  return width === undefined ? viewport : { width: Number(width), height: Number(height) }
}

/** The settings of which options and environment speak, by their names in the configuration. */
const settingOf: { readonly [Key in keyof Settings]: string } = {
  provider: "provider",
  endpoint: "cdpEndpoint.url",
  executable: "chromium.executablePath",
  headed: "chromium.headless",
  profile: "chromium.profile",
  isolated: "isolated",
  viewport: "chromium.viewport",
  writeRoots: "writeRoots"
}

/** Where each setting that options or environment speak of was said: "--viewport", "EFFECT_BROWSER_VIEWPORT". */
const saidIn = (options: Settings, environment: Settings): ReadonlyMap<string, string> => {
  const said = new Map<string, string>()
  for (const [key, setting] of Object.entries(settingOf) as ReadonlyArray<[keyof Settings, string]>) {
    const { option = setting, variable = setting } = settingSources[setting] ?? {}
    if (options[key] !== undefined) said.set(setting, option.replace(/ .*/, ""))
    else if (environment[key] !== undefined) said.set(setting, variable)
  }
  return said
}

/** An issue under the name by which its setting was given, with what would be right where a schema cannot know it. */
const issueAsSaid = (issue: string, said: ReadonlyMap<string, string>): string => {
  for (const [setting, name] of said) {
    if (!issue.startsWith(setting) || /^\w/.test(issue.slice(setting.length))) continue
    return setting === "chromium.viewport" && issue.includes("object")
      ? `${name} must be a width and a height in CSS px, such as 1280x800`
      : `${name}${issue.slice(setting.length)}`
  }
  return issue
}

const defined = (record: { readonly [key: string]: unknown }) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

type Raw = { readonly [key: string]: unknown }
const isRaw = (value: unknown): value is Raw => typeof value === "object" && value !== null && !Array.isArray(value)

/** A part of the settings with what is laid over it; nothing if nothing is. */
const within = (file: Raw, part: string, settings: Raw): Raw =>
  Object.keys(settings).length === 0 ? {} : { [part]: { ...(isRaw(file[part]) ? file[part] : {}), ...settings } }

/** Lays settings over what a file says. A profile is that of the browser which is used. */
const over = (file: Raw, settings: Settings): Raw => {
  const watched = (settings.provider ?? file["provider"]) === "electron"
  const electron = defined({ profile: watched ? settings.profile : undefined })
  const chromium = defined({
    executablePath: settings.executable,
    headless: settings.headed === undefined ? undefined : !settings.headed,
    profile: watched ? undefined : settings.profile,
    viewport: settings.viewport === undefined ? undefined : size(settings.viewport)
  })
  return {
    ...file,
    ...defined({
      provider: settings.provider,
      cdpEndpoint: settings.endpoint === undefined ? undefined : { url: settings.endpoint },
      isolated: settings.isolated,
      writeRoots: settings.writeRoots
    }),
    ...within(file, "chromium", chromium),
    ...within(file, "electron", electron)
  }
}

const readFile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const invalid = (issue: string) => new ConfigInvalid({ issues: [`${path}: ${issue}`] })
  const content = yield* Effect.mapError(fs.readFileString(path), (error) =>
    invalid(`cannot be read (${error.reason._tag})`)
  )
  const raw = yield* Effect.try({
    try: (): unknown => JSON.parse(content),
    catch: () => invalid("is not JSON")
  })
  return isRaw(raw) ? raw : yield* invalid("must hold an object")
})

/** The configuration of a run. Fails with `ConfigInvalid` naming every setting that is wrong. */
export const loadConfig: (
  options: BrowserOptions
) => Effect.Effect<BrowserConfig, ConfigInvalid, FileSystem.FileSystem> = Effect.fnUntraced(function* (options) {
  const { config, ...fromEnvironment } = yield* Effect.mapError(
    environment,
    ({ cause, message }) => new ConfigInvalid({ issues: cause._tag === "SchemaError" ? issueTexts(cause) : [message] })
  )
  const path = Option.getOrUndefined(options.config) ?? config
  const file = path === undefined ? {} : yield* readFile(path)
  const given = fromOptions(options)
  const said = saidIn(given, fromEnvironment)
  const settings = yield* Effect.mapError(
    decodeBrowserConfig(over(file, { ...fromEnvironment, ...defined({ ...given }) })),
    (error) => new ConfigInvalid({ issues: issueTexts(error, BrowserConfig).map((issue) => issueAsSaid(issue, said)) })
  )
  const unknown = unknownToolIssues("allowedTools", settings.allowedTools ?? [])
  return unknown.length === 0 ? settings : yield* new ConfigInvalid({ issues: unknown })
})
