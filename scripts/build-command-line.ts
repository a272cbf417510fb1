/** Builds the command line: the launcher, and the program that it runs. */
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
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

/** Code of a module of ours that has what a module of Node's has, and loads it when something of it is used. */
const loadedWhenUsed = (name: string): string => {
  const real: unknown = process.getBuiltinModule(name)
  return typeof real === "object" && real !== null
    ? `let real
for (const name of ${JSON.stringify(Object.keys(real))})
  Object.defineProperty(exports, name, { enumerable: true, get: () => (real ??= require(${JSON.stringify(name)}))[name] })`
    : `module.exports = require(${JSON.stringify(name)})`
}

/** In one bundle all modules of Node's would be loaded at its beginning: 10 ms for what mostly is not used. */
const nodeModulesWhenUsed: Plugin = {
  name: "node-modules-when-used",
  resolveId: (id, importer) =>
    isBuiltin(id) && importer?.startsWith(wrapped) !== true ? { id: `${wrapped}${id}` } : undefined,
  load: (id) =>
    id.startsWith(wrapped) ? { code: loadedWhenUsed(id.slice(wrapped.length)), moduleType: "js" } : undefined
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
