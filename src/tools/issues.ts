/** What is wrong with arguments, in words. */
import type { Schema } from "effect"
import { SchemaAST, SchemaIssue } from "effect"
import { nearNames } from "./nearNames.ts"
import { oneLine } from "./render/text.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const unknownName = "is not known"

const words: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Expected (no excess property|never)$/, unknownName],
  [/^Missing key$/, "is missing"],
  [/^Expected a value with a length of at least 1$/, "must not be empty"],
  [/^Expected object$/, "must be an object"],
  [/^Expected array$/, "must be a list"],
  [/^Expected boolean$/, "must be true or false"],
  [/^Expected (string|number)$/, "must be a $1"],
  [/^Expected an? value /, "must be "],
  [/^Expected /, "must be "]
]

const inWords = (message: string): string => {
  for (const [pattern, text] of words) {
    if (pattern.test(message)) return message.replace(pattern, text)
  }
  return message
}

const pathText = (path: ReadonlyArray<unknown>): string =>
  path
    .map((part) => (typeof part === "object" && part !== null && "key" in part ? part.key : part))
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`))
    .join("")

/** The names that are known where a path leads; undefined where any name is. */
const namesAt = (schema: Schema.Top, path: ReadonlyArray<PropertyKey>): ReadonlyArray<string> => {
  const at = path.reduce<SchemaAST.AST | undefined>((ast, part) => ast && below(ast, part), schema.ast)
  return at === undefined || !SchemaAST.isObjects(at) ? [] : at.propertySignatures.map(({ name }) => String(name))
}

const below = (ast: SchemaAST.AST, part: PropertyKey): SchemaAST.AST | undefined =>
  SchemaAST.isObjects(ast)
    ? ast.propertySignatures.find(({ name }) => name === part)?.type
    : SchemaAST.isArrays(ast)
      ? (ast.elements[Number(part)] ?? ast.rest[0])
      : undefined

const meant = (schema: Schema.Top | undefined, path: ReadonlyArray<unknown>): string => {
  if (schema === undefined) return ""
  const keys = path.map((part) =>
    typeof part === "object" && part !== null && "key" in part ? (part.key as PropertyKey) : (part as PropertyKey)
  )
  const names = namesAt(schema, keys.slice(0, -1))
  const [near] = nearNames(String(keys.at(-1)), names)
  if (near !== undefined) return `; did you mean ${near}?`
  return names.length === 0 ? "" : `; known are ${names.join(", ")}`
}

/**
 * One text for each issue, with its path: "fields[0].value is missing". At most twenty. A name that is not known comes
 * with the one that may have been meant, else with all that are.
 */
export const issueTexts = (error: Schema.SchemaError, schema?: Schema.Top): ReadonlyArray<string> => {
  const { issues } = format(error.issue)
  const texts = issues.slice(0, 20).map(({ message, path }) => {
    const where = path === undefined || path.length === 0 ? "the arguments" : oneLine(pathText(path), 120)
    const said = inWords(oneLine(message, 200))
    const text = said === unknownName ? `${said}${meant(schema, path ?? [])}` : said
    return /^(is|must) /.test(text) ? `${where} ${text}` : `${where}: ${text}`
  })
  return issues.length > 20 ? [...texts, `and ${issues.length - 20} more`] : texts
}
