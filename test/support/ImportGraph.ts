/** The imports of `src`, read from the syntax trees of its files. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseAst } from "rolldown/parseAst"

const root = fileURLToPath(new URL("../../src", import.meta.url))

export interface Import {
  readonly from: string
  /** a file of `src`, relative to it; or the name of a package */
  readonly to: string
  readonly ours: boolean
}

/** Specifiers of import and export declarations, of `import()` and of `import("...")` types, wherever they stand. */
const specifiers = (node: unknown): ReadonlyArray<string> => {
  if (Array.isArray(node)) return node.flatMap(specifiers)
  if (typeof node !== "object" || node === null) return []
  const source = "source" in node && isLiteral(node.source) ? [node.source.value] : []
  return [...source, ...Object.values(node).flatMap(specifiers)]
}

const isLiteral = (node: unknown): node is { readonly value: string } =>
  typeof node === "object" && node !== null && "value" in node && typeof node.value === "string"

export const files: ReadonlyArray<string> = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll("\\", "/"))
  .sort()

export const imports: ReadonlyArray<Import> = files.flatMap((from) => {
  const program = parseAst(
    readFileSync(join(root, from), "utf8"),
    { lang: from.endsWith(".d.ts") ? "dts" : "ts" },
    from
  )
  return [...new Set(specifiers(program.body))].map((specifier) => ({
    from,
    ours: specifier.startsWith("."),
    to: specifier.startsWith(".")
      ? relative(root, join(root, dirname(from), specifier)).replaceAll("\\", "/")
      : specifier
  }))
})

/** One cycle of imports, as the files on the way round; undefined if there is none. */
export const findCycle = (edges: ReadonlyArray<Pick<Import, "from" | "to">>): ReadonlyArray<string> | undefined => {
  const next = new Map<string, Array<string>>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  const finished = new Set<string>()
  const visit = (file: string, path: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
    const index = path.indexOf(file)
    if (index >= 0) return [...path.slice(index), file]
    if (finished.has(file)) return undefined
    for (const to of next.get(file) ?? []) {
      const cycle = visit(to, [...path, file])
      if (cycle !== undefined) return cycle
    }
    finished.add(file)
    return undefined
  }
  for (const file of next.keys()) {
    const cycle = visit(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
