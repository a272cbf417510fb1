import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { childEnvironment, sandboxArguments } from "../../src/layers/viewhost/surroundings.ts"
import { TestElectron } from "../support/TestElectron.ts"
import { VirtualDisplay } from "../support/VirtualDisplay.ts"

const Rig = Layer.mergeAll(TestElectron.layer, VirtualDisplay.layer, NodeServices.layer)

/** Says what it is as soon as it can, and ends. */
const application = `
import { app, BrowserWindow } from "electron"
const early = !app.isReady()
app.whenReady().then(async () => {
  const window = new BrowserWindow({ width: 320, height: 240 })
  await window.loadURL("data:text/html,<title>shown</title>")
  let size = { width: 0 }
  // a window that was just made may not have drawn anything yet
  for (let tries = 0; size.width === 0 && tries < 100; tries++) {
    size = (await window.webContents.capturePage()).getSize()
    if (size.width === 0) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  console.log(JSON.stringify({
    version: process.versions.electron, early, name: app.getName(), packaged: app.isPackaged,
    title: window.getTitle(), painted: size.width > 0, argument: process.argv.at(-1)
  }))
  app.exit(0)
})
`

layer(Rig, { excludeTestServices: true, timeout: "60 seconds" })("the Electron of the tests", (it) => {
  it.effect("loads the application that its command line names, and paints it on a display", () =>
    Effect.gen(function* () {
      const { executable, version } = yield* TestElectron
      const { display } = yield* VirtualDisplay
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "test-electron-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }))
      )
      writeFileSync(join(folder, "main.js"), application)
      writeFileSync(join(folder, "package.json"), '{ "name": "rig", "type": "module", "main": "main.js" }')
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const said = yield* spawner.string(
        ChildProcess.make(
          executable,
          [...sandboxArguments(), `--user-data-dir=${join(folder, "profile")}`, folder, "last"],
          {
            env: { ...childEnvironment(process.env), DISPLAY: display },
            stderr: "ignore",
            forceKillAfter: "2 seconds"
          }
        )
      )
      assert.deepStrictEqual(JSON.parse(said), {
        version,
        early: true,
        name: "rig",
        packaged: false,
        title: "shown",
        painted: true,
        argument: "last"
      })
    })
  )
})
