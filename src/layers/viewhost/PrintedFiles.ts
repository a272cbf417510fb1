/** Printed pages that the host has left in files, read piece by piece as streams of the protocol's `IO` domain. */
import { type FileHandle, open, readFile, rm } from "node:fs/promises"
import { Effect, type Scope } from "effect"

export interface PrintedFiles {
  /** Gives a file its handle. */
  readonly add: (file: string) => string
  /** A whole file as base64; it is removed. */
  readonly whole: (file: string) => Promise<string>
  readonly has: (handle: string) => boolean
  readonly read: (handle: string, size: number) => Promise<{ readonly data: string; readonly eof: boolean }>
  readonly close: (handle: string) => Promise<void>
}

interface Printed {
  readonly file: string
  opened: Promise<FileHandle> | undefined
}

/** Files that are still there when the scope closes are removed. */
export const makePrintedFiles: Effect.Effect<PrintedFiles, never, Scope.Scope> = Effect.gen(function* () {
  const printed = new Map<string, Printed>()
  let count = 0
  const close = async (handle: string): Promise<void> => {
    const one = printed.get(handle)
    if (one === undefined) return
    printed.delete(handle)
    await one.opened?.then((file) => file.close()).catch(() => {})
    await rm(one.file, { force: true }).catch(() => {})
  }
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([...printed.keys()].map(close))))
  return {
    add: (file: string) => {
      const handle = `printed-${++count}`
      printed.set(handle, { file, opened: undefined })
      return handle
    },
    whole: async (file: string) => {
      const data = await readFile(file)
      await rm(file, { force: true }).catch(() => {})
      return data.toString("base64")
    },
    has: (handle: string) => printed.has(handle),
    read: async (handle: string, size: number) => {
      const one = printed.get(handle)
      if (one === undefined) throw new Error("the stream is closed")
      one.opened ??= open(one.file, "r")
      const { buffer, bytesRead } = await (await one.opened).read(Buffer.alloc(size), 0, size)
      if (bytesRead === 0) await close(handle)
      return { data: buffer.subarray(0, bytesRead).toString("base64"), eof: bytesRead === 0 }
    },
    close
  }
})
