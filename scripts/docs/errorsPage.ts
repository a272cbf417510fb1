/** docs/errors.md: every error code. */
import { Schema, SchemaAST } from "effect"
import { exitCodes, kindOf } from "../../src/cli/exitCodes.ts"
import { BrowserError } from "../../src/schemas/errors.ts"
import { codeOf } from "../../src/tools/ToolRow.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { isObject } from "../../src/tools/schemaText.ts"
import { table } from "./markdown.ts"

type ErrorClass = (typeof BrowserError)["members"][number]

/** Stands for a value in a message: its name in braces, whatever is asked of it. */
const placeholder = (name: string, schema: unknown): unknown => {
  const json = Schema.isSchema(schema) ? Schema.toJsonSchemaDocument(schema).schema : {}
  const type = isObject(json) ? json["type"] : undefined
  if (type === "array") return [`{${name}}`]
  if (type !== "object") return `{${name}}`
  return new Proxy({}, { get: (_, key) => `{${name}.${String(key)}}` })
}

const isOptional = (schema: unknown): boolean => Schema.isSchema(schema) && SchemaAST.isOptional(schema.ast)

/** A text of a class of errors, with the names of its fields in place of their values. */
const template = (member: ErrorClass, property: "message" | "next"): string => {
  const fields = Object.entries(member.fields)
    // what to do as a rule; a remedy that only some have is left out
    .filter(([name, schema]) => !(property === "next" && name === "remedy" && isOptional(schema)))
    .map(([name, schema]) => [name, placeholder(name, schema)])
  const get = Object.getOwnPropertyDescriptor(member.prototype, property)?.get
  return get === undefined ? "" : String(get.call(Object.fromEntries(fields)))
}

/** The whole page. */
export const errorsPage = (): string =>
  `${[
    "# Errors",
    "Generated from `src/schemas/errors.ts` by `npm run docs`. Every error has a stable `code`, a `message` that says what happened, a `next` that says what to do, and the fields that stand in braces here. The same JSON form goes to MCP clients, over the view-host link and to DSH.",
    table(
      ["code", "message", "next", "exit code", "tools that name it"],
      BrowserError.members.map((member) => {
        const tools = catalog
          // browser_replay can meet whatever the tool that it calls can
          .filter((row) => row.errors.length < BrowserError.members.length && row.errors.includes(member))
          .map((row) => row.name)
        return [
          `\`${codeOf(member)}\``,
          template(member, "message"),
          template(member, "next"),
          String(exitCodes[kindOf(member.identifier)].code),
          tools.length > 6 ? `${tools.length} tools` : tools.map((name) => `[${name}](tools.md#${name})`).join(", ")
        ]
      })
    ),
    "## Exit codes",
    table(
      ["code", "meaning"],
      [...Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]), ["130", "interrupted"]]
    )
  ].join("\n\n")}\n`
