/**
 * Cuts a stream of bytes into terminated messages: by NUL, as Chromium's `--remote-debugging-pipe` writes them, or by
 * another byte that UTF-8 never has inside a character.
 *
 * Bytes are looked at once and joined once per message, however many chunks it came in; text is decoded only when
 * whole, so that a character may be split anywhere.
 */
import { Buffer } from "node:buffer"

export interface MessageSplitter {
  /** Takes the next bytes and calls back for each message that they complete. The chunk must not change afterwards. */
  readonly push: (chunk: Uint8Array) => void
  /** Bytes of an unfinished message. */
  readonly unfinished: () => number
}

export interface SplitterTarget {
  readonly message: (text: string) => void
  /** A message had `size` bytes, which is above the limit; `prefix` is how it began. It was not kept. */
  readonly oversized: (prefix: string, size: number) => void
}

/** Bytes of a message that is too large which are kept, to tell to which command it belongs. */
const prefixBytes = 256

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")

/** A splitter that keeps at most `limit` bytes of a message, its terminator not counted. */
export const makeMessageSplitter = (limit: number, target: SplitterTarget, terminatedBy = 0): MessageSplitter => {
  let parts: Array<Uint8Array> = []
  let size = 0
  let prefix: string | undefined

  const keep = (bytes: Uint8Array) => {
    if (bytes.byteLength === 0) return
    size += bytes.byteLength
    if (prefix !== undefined) return
    parts.push(bytes)
    if (size > limit) {
      prefix = textOf(joined().subarray(0, prefixBytes))
      parts = []
    }
  }

  const joined = (): Uint8Array => {
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, size)
  }

  const finish = () => {
    const whole = prefix === undefined ? textOf(joined()) : undefined
    const beginning = prefix
    const length = size
    parts = []
    size = 0
    prefix = undefined
    if (beginning !== undefined) target.oversized(beginning, length)
    else if (whole !== undefined) target.message(whole)
  }

  return {
    push: (chunk) => {
      let start = 0
      for (;;) {
        const terminator = chunk.indexOf(terminatedBy, start)
        if (terminator === -1) return keep(start === 0 ? chunk : chunk.subarray(start))
        keep(chunk.subarray(start, terminator))
        finish()
        start = terminator + 1
      }
    },
    unfinished: () => size
  }
}
