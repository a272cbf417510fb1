/**
 * The host never outlives its parent, however that ends, and even if it cannot do anything any more itself; nor do its
 * temporary files, which a parent that was killed cannot remove.
 */
import { rmSync } from "node:fs"
import { Worker } from "node:worker_threads"

/**
 * Watches standard input, whose other end only the parent has, in a thread of its own: so a main thread that hangs is
 * ended all the same. It waits by events, since a thread that is blocked would hold up an orderly end.
 */
const watch = `
const { Socket } = require("node:net")
const { rmSync } = require("node:fs")
const { parentPort, workerData } = require("node:worker_threads")
let over = false
const gone = () => {
  if (over) return
  over = true
  parentPort.postMessage("gone")
  setTimeout(() => {
    try { rmSync(workerData.temporary, { recursive: true, force: true }) } catch {}
    try { process.kill(workerData.pid, "SIGKILL") } catch {}
  }, workerData.patience)
}
try {
  new Socket({ fd: 0, readable: true, writable: false }).on("end", gone).on("close", gone).on("error", gone).resume()
} catch {}
`

/** Removes the folder of the temporary files, as far as the system lets it. */
export const removeTemporary = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}

/** Calls `gone` when the parent is gone; kills this process, without its temporary files, if it still runs `patience` ms later. */
export const endWithParent = (
  gone: () => void,
  options: { readonly patience: number; readonly temporary: string }
): void => {
  const worker = new Worker(watch, { eval: true, workerData: { pid: process.pid, ...options } })
  worker.on("message", gone)
  // without the thread there is still the connection, which says it too
  worker.on("error", () => {})
  worker.unref()
}
