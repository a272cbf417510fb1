/** Streams of the browser (`IO` domain), written to disk as they come. */
import { dirname, join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem, type PlatformError, type Scope } from "effect"
import type { CdpSessionId } from "../../schemas/ids.ts"
import type { CdpConnection, CdpError } from "../../services/CdpConnection.ts"
import { secretName } from "../cdp/secretName.ts"
import type { DownloadFolder } from "./DownloadFolder.ts"

/** Bytes that are read in one piece. */
const pieceBytes = 1 << 20

export interface StreamFile {
  readonly file: string
  readonly bytes: number
}

/**
 * Writes a stream to a file of the folder; it is removed with the scope unless it was moved away. `onBytes` is told
 * after each piece how many there are, and may end it.
 */
export const saveStream = <E>(
  options: {
    readonly connection: CdpConnection["Service"]
    readonly sessionId: CdpSessionId
    readonly folder: DownloadFolder
    readonly handle: string
  },
  onBytes: (bytes: number) => Effect.Effect<void, E>
): Effect.Effect<StreamFile, CdpError | E | PlatformError.PlatformError, Scope.Scope> =>
  Effect.gen(function* () {
    const { connection, folder, handle, sessionId } = options
    const fs = yield* FileSystem.FileSystem
    const name = secretName()
    const file = join(folder.path, name)
    yield* Effect.addFinalizer(() => folder.remove(name))
    yield* fs.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
    const bytes = yield* Effect.scoped(
      Effect.gen(function* () {
        const out = yield* fs.open(file, { flag: "wx", mode: 0o600 })
        let received = 0
        while (true) {
          const piece = yield* connection.command(
            "IO.read",
            { handle, size: pieceBytes },
            // a slow server is bounded by the operation around
            { sessionId, timeout: "10 minutes" }
          )
          const data = Buffer.from(piece.data, piece.base64Encoded === true ? "base64" : "utf8")
          received += data.length
          yield* onBytes(received)
          yield* out.writeAll(data)
          if (piece.eof) return received
        }
      })
    )
    return { file, bytes }
  }).pipe(Effect.provide(NodeFileSystem.layer))
