import { assert, describe, it } from "@effect/vitest"
import { files, findCycle, imports } from "./support/ImportGraph.ts"

/** The parts of the house and what each may import of the others: arrows point down only. */
const below = {
  schemas: [],
  services: ["schemas"],
  generated: [],
  "in-page": ["schemas"],
  "layers/cdp": ["schemas", "services", "generated"],
  "layers/files": ["schemas", "services"],
  "layers/supervisor": ["schemas", "services", "generated", "layers/cdp"],
  "layers/page": ["schemas", "services", "generated", "layers/cdp"],
  "layers/viewhost": ["schemas", "services", "layers/cdp"],
  "layers/providers": [
    "schemas",
    "services",
    "layers/cdp",
    "layers/supervisor",
    "layers/page",
    "layers/viewhost",
    "layers/files"
  ],
  "layers/tasks": ["schemas", "services", "layers/providers"],
  tools: ["schemas", "services", "layers/tasks"],
  /** puts the layers together */
  EffectBrowser: ["schemas", "services", "tools", "layers/files", "layers/providers", "layers/tasks"],
  version: [],
  "adapters/mcp": ["schemas", "services", "tools", "EffectBrowser", "version", "generated"],
  "adapters/dsh": ["schemas", "services", "tools", "EffectBrowser", "version"],
  cli: [
    "schemas",
    "services",
    "generated",
    "tools",
    "layers/providers",
    "adapters/mcp",
    "adapters/dsh",
    "EffectBrowser",
    "version"
  ],
  /** the pure machines, for the tests of others */
  supervisorMachine: ["schemas", "layers/supervisor"],
  machines: ["layers/tasks", "supervisorMachine"],
  /** what an embedding program sees */
  index: ["schemas", "services", "tools", "EffectBrowser", "version"]
} as const

type Part = keyof typeof below
const parts = Object.keys(below)

const partOf = (file: string): string => {
  const segments = file.split("/")
  if (segments.length === 1) return file.replace(/\.ts$/, "")
  const [first = "", second = ""] = segments
  return first === "layers" || first === "adapters" ? `${first}/${second}` : first
}

const mayImport = (from: string, to: string): boolean =>
  from === to || (from in below && (below[from as Part] as ReadonlyArray<string>).includes(to))

const inside = imports.filter(({ ours }) => ours)
const show = ({ from, to }: { readonly from: string; readonly to: string }) => `${from} -> ${to}`

describe("in the house", () => {
  it("every file has its place", () => {
    assert.isAbove(files.length, 0)
    assert.deepStrictEqual(
      files.filter((file) => !parts.includes(partOf(file))),
      []
    )
  })

  it("every import leads to a file that is there", () => {
    assert.deepStrictEqual(inside.filter(({ to }) => !files.includes(to)).map(show), [])
  })

  it("arrows point down only", () => {
    assert.deepStrictEqual(inside.filter(({ from, to }) => !mayImport(partOf(from), partOf(to))).map(show), [])
  })

  it("the parts themselves have an order", () => {
    assert.isUndefined(findCycle(Object.entries(below).flatMap(([from, all]) => all.map((to) => ({ from, to })))))
  })

  it("no file imports itself by a detour", () => {
    assert.isUndefined(findCycle(inside))
  })

  it("nothing but the child process of the view host knows Electron", () => {
    const electron = imports.filter(({ to }) => to === "electron" || to.startsWith("electron/"))
    assert.deepStrictEqual(electron.map(show), [])
  })

  it("schemas and services run anywhere: they import no platform", () => {
    const platform = imports.filter(
      ({ from, to, ours }) =>
        !ours &&
        ["schemas", "services", "in-page"].includes(partOf(from)) &&
        (to.startsWith("node:") || to.startsWith("@effect/platform"))
    )
    assert.deepStrictEqual(platform.map(show), [])
  })
})

describe("the search for cycles", () => {
  it("finds one, and none where there is none", () => {
    const edge = (from: string, to: string) => ({ from, to })
    assert.deepStrictEqual(findCycle([edge("a", "b"), edge("b", "c"), edge("d", "b"), edge("c", "b")]), ["b", "c", "b"])
    assert.deepStrictEqual(findCycle([edge("a", "a")]), ["a", "a"])
    assert.isUndefined(findCycle([edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")]))
  })
})
