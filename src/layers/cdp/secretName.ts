/** Names that nobody can guess. */
import { randomBytes } from "node:crypto"
import { closeSync, openSync, readSync } from "node:fs"

const length = 16

/**
 * 128 random bits in hexadecimal. From the system itself where it has a file for them (random(4)): Node's cryptography
 * takes 6 ms to load, just while the browser starts on the same cores.
 */
export const secretName = (): string => {
  const bytes = Buffer.alloc(length)
  try {
    const source = openSync("/dev/urandom", "r")
    try {
      if (readSync(source, bytes) === length) return bytes.toString("hex")
    } finally {
      closeSync(source)
    }
  } catch {
    // no such file: Windows
  }
  return randomBytes(length).toString("hex")
}
