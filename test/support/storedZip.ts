/** Makes zip archives without compression. Format: APPNOTE.TXT 6.3.10 by PKWARE, sections 4.3.7, 4.3.12, 4.3.16. */
import { crc32 } from "node:zlib"

/** A zip of files by their names. */
export const storedZip = (files: { readonly [name: string]: string }): Uint8Array => {
  const locals: Array<Buffer> = []
  const central: Array<Buffer> = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, Buffer.from(name), data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), common, rest, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006")
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}
