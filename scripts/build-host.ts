/** Bundles the view host, which runs as the main process of an Electron, and the program of its bar. */
import { join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")

const bundle = async (input: string, folder: string, name: string): Promise<void> => {
  const build = await rolldown({
    input: join(root, input),
    platform: "node",
    external: ["electron"],
    treeshake: true,
    logLevel: "warn"
  })
  await build.write({
    dir: folder,
    format: "cjs",
    entryFileNames: name,
    minify: { compress: true, codegen: true, mangle: false }
  })
  await build.close()
}

/** Writes `main.cjs`, and `bar.cjs` beside it, into `folder`. */
export const buildHost = async (folder: string): Promise<string> => {
  await bundle("host/main.ts", folder, "main.cjs")
  await bundle("host/bar/main.ts", folder, "bar.cjs")
  return join(folder, "main.cjs")
}
