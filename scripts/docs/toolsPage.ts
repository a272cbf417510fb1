/** docs/tools.md: every tool of the catalog. */
import { defaultTimeouts } from "../../src/services/Timeouts.ts"
import type { ToolRow } from "../../src/tools/ToolRow.ts"
import { codeOf } from "../../src/tools/ToolRow.ts"
import { workBudget } from "../../src/tools/budgets.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { errorsOf, pageErrors, referenceErrors, targetErrors, taskErrors } from "../../src/tools/errors.ts"
import { inputSchema, outputSchema } from "../../src/tools/jsonSchema.ts"
import { fieldsOf, isObject, type Json } from "../../src/tools/schemaText.ts"
import type { ExampleRecord } from "../examples/record.ts"
import { table, typeText } from "./markdown.ts"

const dialogs: Record<ToolRow["whileDialog"], string> = {
  answers: "answers as always",
  snapshot: "answers at once, with the dialog",
  escapes: "allowed: it frees the page",
  looks: "works where the page can be looked at meanwhile, else fails with BROWSER_DIALOG_OPEN",
  refused: "fails with BROWSER_DIALOG_OPEN"
}

const lanes: Record<ToolRow["lane"], string> = {
  write: "alone, in the order of arrival",
  read: "after earlier writes, together with other reads",
  free: "at once, beside the lane"
}

const sessions: Record<ToolRow["session"], string> = {
  open: "opened if there is none",
  required: "must be open",
  none: "not needed"
}

const fieldRows = (schema: Json, withDefault: boolean): ReadonlyArray<ReadonlyArray<string>> =>
  fieldsOf(schema, withDefault).map(({ description, name, required, schema: field, standard }) => [
    `\`${name}\``,
    typeText(field),
    required ? "yes" : withDefault && standard !== undefined ? `\`${standard}\`` : "",
    description
  ])

const errorText = (row: ToolRow): string => {
  const { groups, own, anything } = errorsOf(row.errors)
  if (anything) return "its own, and those of the tool that it calls"
  const parts = [
    ...groups.map(({ name }) => `[${name}](#errors-in-groups)`),
    ...own.map((error) => `\`${codeOf(error)}\``)
  ]
  return parts.length === 0 ? "none of its own" : parts.join(", ")
}

const annotationText = ({ readOnly, destructive, idempotent, openWorld }: ToolRow["annotations"]): string =>
  [
    readOnly ? "read-only" : destructive ? "destructive" : "additive",
    idempotent ? "idempotent" : "",
    openWorld ? "open world" : ""
  ]
    .filter((word) => word !== "")
    .join(", ")

/** Lists of an example are shown by their first entries, long texts by their beginning. */
const shortened = (value: unknown): unknown => {
  if (typeof value === "string") return value.length > 300 ? `${value.slice(0, 300)}…` : value
  if (Array.isArray(value)) {
    const first = value.slice(0, 2).map(shortened)
    return value.length > 2 ? [...first, `… ${value.length - 2} more`] : first
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

const exampleText = ({ args, structured, text, tool }: ExampleRecord): string =>
  [
    `Example: \`${tool} ${JSON.stringify(args)}\` answers`,
    ["```text", text, "```"].join("\n"),
    "and as data",
    ["```json", JSON.stringify(shortened(structured)), "```"].join("\n")
  ].join("\n\n")

const section = (row: ToolRow, example: ExampleRecord | undefined): string => {
  const parameters = fieldRows(inputSchema(row), true)
  return [
    `## ${row.name}`,
    row.description,
    parameters.length === 0
      ? "No parameters."
      : table(["parameter", "type", "required or default", "meaning"], parameters),
    table(["result", "type", "always there", "meaning"], fieldRows(outputSchema(row), false)),
    table(
      ["fact", "value"],
      [
        ["offered", row.core ? "by default" : "with `--tools all`"],
        ["kind", `${row.guarded ? "acts on the page or the session" : "looks"} (${annotationText(row.annotations)})`],
        ["lane", `${lanes[row.lane]}${row.coalesced ? "; equal calls share one execution" : ""}`],
        ["session", sessions[row.session]],
        ["time for the work", `${workBudget(row, defaultTimeouts)} ms`],
        ["while a dialog is open", dialogs[row.whileDialog]],
        [
          "history",
          row.history === undefined
            ? "none"
            : `\`${row.history}\`${row.replayable ? ", replayable" : ""}${row.secret.length === 0 ? "" : `; kept out: ${row.secret.map((name) => `\`${name}\``).join(", ")}`}`
        ],
        ...(row.capability === undefined ? [] : [["needs", `a provider with \`${row.capability}\``]]),
        ["errors", errorText(row)]
      ]
    ),
    ...(example === undefined ? [] : [exampleText(example)])
  ].join("\n\n")
}

/** The whole page, with an example of each tool from a real run. */
export const toolsPage = (examples: ReadonlyArray<ExampleRecord>): string =>
  `${[
    "# Tools",
    "Generated from the catalog (`src/tools/catalog.ts`) by `npm run docs`. Arguments and results are closed: one field more is an error. A call ends after 60,000 ms at the latest, waiting for its turn included; `timeoutMs` narrows that, to at most 55,000 ms. The examples are from a run in a real browser, recorded by `npm run examples`: addresses, paths, times and ids are replaced, and data is shortened.",
    table(
      ["tool", "what it does", "offered"],
      catalog.map((row) => [`[${row.name}](#${row.name})`, row.description, row.core ? "by default" : "on request"])
    ),
    ...catalog.map((row) =>
      section(
        row,
        examples.find(({ tool }) => tool === row.name)
      )
    ),
    "## Errors in groups",
    "Any tool can fail with `BROWSER_INVALID_ARGUMENTS` and `BROWSER_INTERNAL`. All codes are in [errors.md](errors.md).",
    table(
      ["group", "codes"],
      [
        ["any tool that needs a session", taskErrors],
        ["page", pageErrors],
        ["reference", referenceErrors],
        ["target", targetErrors]
      ].map(([name, members]) => [
        String(name),
        (members as ReadonlyArray<ToolRow["errors"][number]>).map((error) => `\`${codeOf(error)}\``).join(", ")
      ])
    )
  ].join("\n\n")}\n`
