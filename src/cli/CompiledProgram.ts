/**
 * Runs a bundled program from what V8 compiled of it in an earlier run.
 *
 * Node's own compile cache (`module.enableCompileCache`) holds what is compiled while a file is loaded. Each function that
 * then runs is compiled anew at every start: 3,300 of them here, a third of the time to the first page. V8 can also give
 * what a run has compiled so far; that is kept here, in a folder of this user.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { getHeapCodeStatistics } from "node:v8"
import { Script } from "node:vm"

export interface Place {
  /** the program: CommonJS of ASCII characters only, without `import()` */
  readonly file: string
  /** which program this is: another text has another one */
  readonly build: string
  /** where what was compiled is kept; `undefined`: nowhere */
  readonly folder: string | undefined
  /** which of the program's runs this is: each keeps what it needs, no more */
  readonly run: string
}

export interface Program {
  /** V8 took what an earlier run had left */
  readonly taken: boolean
  readonly run: () => void
  /** Keeps what has been compiled so far, if that is noticeably more than what is kept. Never fails. */
  readonly keep: () => void
}

/** What is kept, and bytes of code that the run which it is of had compiled. */
interface Kept {
  readonly compiled: Buffer
  readonly size: number
}

/** Before what V8 gave: bytes of code, bytes of what follows. */
const headerLength = 8
/** What a run compiled takes the place of what is kept if it is more by this factor: the first may have ended early. */
const noticeablyMore = 1.2
/** What nobody has written for so long (ms) is of a version that is gone, or is soon written again. */
const keptFor = 30 * 24 * 3_600_000

const read = (path: string): Kept | undefined => {
  try {
    const bytes = readFileSync(path)
    const compiled = bytes.subarray(headerLength)
    return compiled.length === bytes.readUInt32LE(4) ? { compiled, size: bytes.readUInt32LE(0) } : undefined
  } catch {
    return undefined
  }
}

const forgetOld = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > keptFor) rmSync(path, { recursive: true, force: true })
  }
}

/** As `mkdirSync` with `recursive`, which never returns where a folder takes no folders, as `/proc` does. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // another process was faster
    if (!existsSync(folder)) throw error
  }
}

/** Whole or not at all, also where two end at once or the power fails: V8 trusts what it is given. */
const write = (folder: string, path: string, { compiled, size }: Kept): void => {
  const header = Buffer.alloc(headerLength)
  header.writeUInt32LE(size, 0)
  header.writeUInt32LE(compiled.length, 4)
  const draft = `${path}.${process.pid}`
  try {
    makeFolder(folder)
    const file = openSync(draft, "w", 0o600)
    try {
      for (const part of [header, compiled]) {
        for (let done = 0; done < part.length; ) done += writeSync(file, part, done)
      }
      fsyncSync(file)
      renameSync(draft, path)
    } finally {
      closeSync(file)
      rmSync(draft, { force: true })
    }
    forgetOld(folder)
  } catch {
    // the folder can't be written to, or is full: the next start compiles as this one did
  }
}

/** Reads the program and, where there is one, what an earlier run compiled of it. */
export const load = ({ build, file, folder, run }: Place): Program => {
  const path = folder === undefined ? undefined : join(folder, `${run}-${build}-${process.version}-${process.arch}`)
  const kept = path === undefined ? undefined : read(path)
  const script = new Script(
    `(function(exports,require,module,__filename,__dirname){${readFileSync(file, "latin1")}\n})`,
    {
      filename: file,
      ...(kept === undefined ? {} : { cachedData: kept.compiled })
    }
  )
  const taken = kept !== undefined && script.cachedDataRejected === false
  return {
    taken,
    run: () => {
      const module = { exports: {} }
      script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file))
    },
    keep: () => {
      if (folder === undefined || path === undefined) return
      // what is kept now: another run may have kept more meanwhile
      const present = kept !== undefined && !taken ? undefined : read(path)
      const size = getHeapCodeStatistics().bytecode_and_metadata_size
      if (present !== undefined && size < present.size * noticeablyMore) return
      write(folder, path, { compiled: script.createCachedData(), size })
    }
  }
}
