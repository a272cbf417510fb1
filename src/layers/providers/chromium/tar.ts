/** Reads tar archives that are small enough for memory. Format: POSIX.1-1988 ustar. */

export interface TarFile {
  /** relative, with "/" between the parts, never leaving the folder */
  readonly path: string
  readonly data: Uint8Array
}

const block = 512
const decoder = new TextDecoder()

const text = (bytes: Uint8Array, from: number, length: number): string => {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return decoder.decode(end === -1 ? field : field.subarray(0, end))
}

const isContained = (path: string) =>
  path !== "" && !path.startsWith("/") && !path.includes("\\") && !path.split("/").includes("..")

/**
 * The regular files of an archive; folders and other entries are left out.
 *
 * Throws a `RangeError` if the archive is cut off or damaged, or if a path leads out of the folder.
 */
export const readTar = (archive: Uint8Array): ReadonlyArray<TarFile> => {
  const files: Array<TarFile> = []
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return files
    if (text(header, 257, 5) !== "ustar") throw new RangeError(`no tar header at byte ${at}`)
    const size = Number.parseInt(text(header, 124, 12).trim(), 8)
    const start = at + block
    if (!Number.isInteger(size) || size < 0 || start + size > archive.length) {
      throw new RangeError(`the tar archive is cut off at byte ${at}`)
    }
    const type = text(header, 156, 1)
    const prefix = text(header, 345, 155)
    const name = text(header, 0, 100)
    const path = (prefix === "" ? name : `${prefix}/${name}`).replace(/^(\.\/)+/, "")
    if (type === "" || type === "0") {
      if (!isContained(path)) throw new RangeError(`the tar archive holds a path that leads out of it: ${path}`)
      files.push({ path, data: archive.slice(start, start + size) })
    }
    at = start + Math.ceil(size / block) * block
  }
  throw new RangeError("the tar archive has no end")
}
