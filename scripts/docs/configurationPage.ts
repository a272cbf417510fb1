/** docs/configuration.md: every setting. */
import { Schema } from "effect"
import { settingSources } from "../../src/cli/settingSources.ts"
import { BrowserbaseConfig, BrowserConfig, defaultBrowserConfig } from "../../src/schemas/config.ts"
import { descriptionOf, isObject, type Json } from "../../src/tools/schemaText.ts"
import { table, typeText } from "./markdown.ts"

const code = (text: string): string => (text === "" ? "" : `\`${text}\``)

/** What a setting is when nobody sets it; settings without a value of their own say it in their description. */
const standardText = (value: unknown): string => (value === undefined ? "" : code(JSON.stringify(value)))

const rows = (schema: Json, defaults: unknown, above: string): ReadonlyArray<ReadonlyArray<string>> => {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {}
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = `${above}${key}`
    const facts = isObject(property) ? property : {}
    const value = isObject(defaults) ? defaults[key] : undefined
    // a size is one setting, though it has two numbers
    if (isObject(facts["properties"]) && descriptionOf(facts) === "") return rows(facts, value, `${name}.`)
    const { option = "", variable = "" } = settingSources[name] ?? {}
    return [[code(name), typeText(facts), standardText(value), descriptionOf(facts), code(option), code(variable)]]
  })
}

const document = (): Json => {
  const { schema } = Schema.toJsonSchemaDocument(BrowserConfig, { referencePolicy: () => undefined })
  return isObject(schema) ? schema : {}
}

/** Those of a group that is not there by default are the ones that it has once it is. */
const defaults = { ...defaultBrowserConfig, browserbase: Schema.decodeUnknownSync(BrowserbaseConfig)({}) }

/** The whole page. */
export const configurationPage = (): string =>
  `${[
    "# Configuration",
    'Generated from `src/schemas/config.ts` by `npm run docs`. `EffectBrowser.layer(config)` takes these settings as an object; the command line takes options, then environment variables, then a JSON file (`--config`, or `EFFECT_BROWSER_CONFIG`), in this order, and defaults for the rest. A name with a point is a field of an object: `{ "chromium": { "headless": false } }`. Unknown settings are an error. An absent list has its default, an empty one means "nothing at all".',
    table(["setting", "type", "default", "meaning", "option", "variable"], rows(document(), defaults, "")),
    "The key of Browserbase comes from `BROWSERBASE_API_KEY` only. Where no executable is set, `CHROME_PATH` is asked before installed browsers are looked for."
  ].join("\n\n")}\n`
