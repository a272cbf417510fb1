/** File names that servers and pages propose. */
import { basename, extname } from "node:path"

/** Characters of a file name. */
const longest = 150

// Characters that a file system or a shell gives a meaning, and control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const unfit = /[\u0000-\u001f\u007f<>:"/\\|?*\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name fit for any folder: one segment, not hidden, not longer than file systems bear. */
export const safeName = (proposed: string): string => {
  const cleaned = proposed
    .toWellFormed()
    .replace(unfit, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "")
  const extension = extname(cleaned).slice(0, 20)
  const stem = basename(cleaned, extname(cleaned)).slice(0, longest - extension.length)
  return stem === "" && extension === "" ? "download" : `${stem}${extension}`
}

/** The name that is not taken yet: "report.csv", "report (2).csv", ... */
export const freeName = (name: string, isTaken: (name: string) => boolean): string => {
  const extension = extname(name)
  const stem = basename(name, extension)
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${stem} (${count})${extension}`
    if (!isTaken(candidate)) return candidate
  }
}

const unquoted = (text: string): string =>
  text.startsWith('"') ? text.slice(1, text.endsWith('"') ? -1 : undefined).replace(/\\(.)/g, "$1") : text

/** The name that a response proposes (RFC 6266), else the last segment of its address. */
export const nameOfResponse = (disposition: string | undefined, url: string): string => {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition ?? "")?.[1]
  if (extended !== undefined) {
    try {
      return safeName(decodeURIComponent(extended))
    } catch {
      // badly encoded: the plain form may be right
    }
  }
  const plain = /filename\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]+)/i.exec(disposition ?? "")?.[1]
  if (plain !== undefined) return safeName(unquoted(plain))
  const segment = URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : ""
  try {
    return safeName(decodeURIComponent(segment))
  } catch {
    return safeName(segment)
  }
}
