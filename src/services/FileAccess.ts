/** The only way to the file system for what an agent names: paths are admitted first, and only admitted ones are used. */
import type { Effect, Scope } from "effect"
import { Context } from "effect"
import type { Brand } from "effect"
import type { ReadPathDenied, WritePathDenied } from "../schemas/errors.ts"

/** An absolute path that may be written, without symbolic links in what exists of it. */
export type WritablePath = string & Brand.Brand<"WritablePath">

/** An absolute path of a regular file that may be read, without symbolic links. */
export type ReadablePath = string & Brand.Brand<"ReadablePath">

/** A file that is being written. */
export interface FileSink {
  readonly append: (data: Uint8Array) => Effect.Effect<void, WritePathDenied>
  /** Ends the file and moves it to its place. Only once. */
  readonly commit: Effect.Effect<void, WritePathDenied>
}

export class FileAccess extends Context.Service<
  FileAccess,
  {
    /**
     * Admits a path (absolute, or relative to the working directory) for writing. Nothing is created.
     *
     * Fails with `WritePathDenied` if its real place lies outside the write roots, or if it is a folder, a link or no
     * regular file.
     */
    readonly admitWrite: (path: string) => Effect.Effect<WritablePath, WritePathDenied>
    /**
     * Writes a whole file beside its place and moves it there, so that nobody sees half of it. Missing folders are
     * made. Fails with `WritePathDenied` if the place has changed since, or the system refuses.
     */
    readonly write: (path: WritablePath, data: Uint8Array) => Effect.Effect<void, WritePathDenied>
    /**
     * Begins a file beside its place; `commit` moves what was appended there. Without it nothing is left when the
     * scope closes. Fails as `write` does.
     */
    readonly create: (path: WritablePath) => Effect.Effect<FileSink, WritePathDenied, Scope.Scope>
    /**
     * Moves a file of this library to its place, so that nobody sees half of it. Missing folders are made. Fails with
     * `WritePathDenied` if the place has changed since it was admitted, or the system refuses.
     */
    readonly moveIn: (file: string, path: WritablePath) => Effect.Effect<void, WritePathDenied>
    /**
     * Admits an existing regular file for reading.
     *
     * Fails with `ReadPathDenied` if it is not there, no regular file, or outside the read roots.
     */
    readonly admitRead: (path: string) => Effect.Effect<ReadablePath, ReadPathDenied>
    /** Reads a whole file of at most `maxBytes`. Fails with `ReadPathDenied` if it is larger or has been replaced. */
    readonly read: (path: ReadablePath, maxBytes: number) => Effect.Effect<Uint8Array, ReadPathDenied>
  }
>()("effect-browser/FileAccess") {}
