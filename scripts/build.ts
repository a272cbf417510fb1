/**
 * Builds the package: page programs, demo pages, library with types in `dist/`, command line in one folder of
 * `dist/bin/`, view host in `dist/host/`.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { buildDemoPages } from "./build-demo-pages.ts"
import { buildHost } from "./build-host.ts"
import { buildInPage } from "./build-in-page.ts"
import { buildToolList } from "./build-tool-list.ts"

const root = join(import.meta.dirname, "..")
/** Built beside and put into place at the end: what runs from `dist/` meanwhile goes on. */
const next = join(root, `dist-${process.pid}`)
const bin = join(next, "bin")

/**
 * Bundles the command line. `effect` goes in, whole: loading one file is what makes it start fast. What is needed
 * rarely stays apart and is loaded when it is. The finder and the Markdown converter stay packages.
 */
const buildCommandLine = async (): Promise<void> => {
  const bundle = await rolldown({
    input: { "effect-browser": join(root, "src/cli/main.ts") },
    platform: "node",
    external: [/^chrome-launcher/, /^turndown/, /^@joplin\//, /^@sparticuz\//, /^electron/],
    treeshake: true,
    // effect's help makes one as soon as it is loaded
    transform: { inject: { "Intl.Segmenter": [join(root, "src/layers/page/LazySegmenter.ts"), "LazySegmenter"] } },
    logLevel: "warn"
  })
  await bundle.write({
    dir: bin,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    // less to read and to compile at each start; spans and errors have names of their own
    minify: true
  })
  await bundle.close()
  chmodSync(join(bin, "effect-browser.js"), 0o755)
}

await buildInPage()
buildDemoPages()
await buildToolList()
execFileSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.build.json"), "--outDir", next],
  {
    cwd: root,
    stdio: "inherit"
  }
)
await buildCommandLine()
await buildHost(join(next, "host"))
rmSync(join(root, "dist"), { recursive: true, force: true })
renameSync(next, join(root, "dist"))
