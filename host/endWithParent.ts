/** The host never outlives its parent, however that ends, and even if it cannot do anything any more itself. */
import { Worker } from "node:worker_threads"

/**
 * Watches standard input, whose other end only the parent has, in a thread of its own: so a main thread that hangs is
 * ended all the same. It waits by events, since a thread that is blocked would hold up an orderly end.
 */
const watch = `
const { Socket } = require("node:net")
const { parentPort, workerData } = require("node:worker_threads")
let over = false
const gone = () => {
  if (over) return
  over = true
  parentPort.postMessage("gone")
  setTimeout(() => { try { process.kill(workerData.pid, "SIGKILL") } catch {} }, workerData.patience)
}
try {
  new Socket({ fd: 0, readable: true, writable: false }).on("end", gone).on("close", gone).on("error", gone).resume()
} catch {}
`

/** Calls `gone` when the parent is gone, and kills this process if it still runs `patience` ms later. */
export const endWithParent = (gone: () => void, patience: number): void => {
  const worker = new Worker(watch, { eval: true, workerData: { pid: process.pid, patience } })
  worker.on("message", gone)
  // without the thread there is still the connection, which says it too
  worker.on("error", () => {})
  worker.unref()
}
