/** Builds the command line: the launcher, and the program that it runs. */
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Plugin, rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")

const external = [/^chrome-launcher/, /^turndown/, /^@joplin\//, /^@sparticuz\//, /^electron/]

/** Each character of one byte, so that the file is read as it is: 5 ms less at each start, and half the memory. */
const inAscii = (code: string): string =>
  code.replaceAll(/(\\*)([^\0-\x7f])/g, (_, backslashes: string, character: string) => {
    if (backslashes.length % 2 === 1) throw new Error(`"${character}" behind a backslash can't be written in ASCII`)
    return `${backslashes}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  })

const wrapped = "\0node-module:"

/** Modules of Node's that take a millisecond or more to load, and that a start does not need or needs late. */
const heavy: ReadonlySet<string> = new Set([
  "child_process",
  "crypto",
  "fs/promises",
  "http",
  "https",
  "readline",
  "tls",
  "zlib"
])
const nameOf = (id: string): string => id.replace(/^node:/, "")

/**
 * Node's heavy modules are loaded when something of them is used: one bundle would load them all at its beginning. What
 * each has is asked of the Node that builds.
 */
const nodeModulesWhenUsed: Plugin = {
  name: "node-modules-when-used",
  resolveId: (id, importer) =>
    heavy.has(nameOf(id)) && importer?.startsWith(wrapped) !== true ? { id: `${wrapped}${nameOf(id)}` } : undefined,
  load: (id) => {
    if (!id.startsWith(wrapped)) return undefined
    const name = id.slice(wrapped.length)
    const names = Object.keys(process.getBuiltinModule(name) as object)
    return {
      moduleType: "js",
      code: `let real
for (const name of ${JSON.stringify(names)})
  Object.defineProperty(exports, name, { enumerable: true, get: () => (real ??= require("node:${name}"))[name] })`
    }
  }
}

/**
 * Bundles the command line into a folder. `effect` goes in, whole: loading one file is what makes it start fast. What is
 * needed rarely is run when it is. The finder and the Markdown converter stay packages.
 */
export const buildCommandLine = async (bin: string): Promise<void> => {
  const shared = { platform: "node", external, treeshake: true, logLevel: "warn" } as const
  const program = await rolldown({
    ...shared,
    input: join(root, "src/cli/main.ts"),
    plugins: [nodeModulesWhenUsed],
    transform: {
      // effect's help makes one as soon as it is loaded
      inject: { "Intl.Segmenter": [join(root, "src/layers/page/LazySegmenter.ts"), "LazySegmenter"] },
      // effect looks for Vite's
      define: { "import.meta.env": "undefined" }
    }
  })
  const { output } = await program.generate({
    format: "cjs",
    codeSplitting: false,
    // what a script imports while it runs is of another kind to Node, which warns of it
    dynamicImportInCjs: false,
    // less to read and to compile at each start; spans and errors have names of their own
    minify: true
  })
  await program.close()
  const code = inAscii(output[0].code)
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, "main.cjs"), code)
  const build = createHash("sha256").update(code).digest("hex").slice(0, 16)
  const launcher = await rolldown({
    ...shared,
    input: join(root, "src/cli/launcher.ts"),
    transform: { define: { programBuild: JSON.stringify(build) } }
  })
  const file = join(bin, "effect-browser.js")
  await launcher.write({ file, format: "cjs", minify: true })
  await launcher.close()
  chmodSync(file, 0o755)
  // Node gets its loader of ES modules ready only where one is loaded: 4 ms
  writeFileSync(join(bin, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`)
}
