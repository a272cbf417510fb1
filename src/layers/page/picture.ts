/** How large a picture is, read from its first bytes. */

export interface PictureSize {
  /** pixels */
  readonly width: number
  /** pixels */
  readonly height: number
}

const ascii = (bytes: Uint8Array, from: number, text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    if (bytes[from + index] !== text.charCodeAt(index)) return false
  }
  return true
}

/** PNG (W3C PNG specification, 11.2.1): the header chunk comes first. */
const png = (view: DataView, bytes: Uint8Array): PictureSize | undefined =>
  bytes.length >= 24 && ascii(bytes, 0, "\x89PNG\r\n\x1a\n") && ascii(bytes, 12, "IHDR")
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : undefined

/** JPEG (ITU-T T.81, B.2.2): the size stands in the first start-of-frame segment. */
const jpeg = (view: DataView, bytes: Uint8Array): PictureSize | undefined => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    } else {
      const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
      at += standsAlone ? 2 : 2 + view.getUint16(at + 2)
    }
  }
  return undefined
}

/** WebP (RFC 9649, 2.5 to 2.7): lossy, lossless and extended files keep it in different places. */
const webp = (view: DataView, bytes: Uint8Array): PictureSize | undefined => {
  if (bytes.length < 30 || !ascii(bytes, 0, "RIFF") || !ascii(bytes, 8, "WEBP")) return undefined
  if (ascii(bytes, 12, "VP8 ")) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  if (ascii(bytes, 12, "VP8L")) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (ascii(bytes, 12, "VP8X")) {
    const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    return { width: uint24(24) + 1, height: uint24(27) + 1 }
  }
  return undefined
}

/** The size of a PNG, JPEG or WebP picture; undefined if the bytes are none of them, or end too early. */
export const sizeOf = (bytes: Uint8Array): PictureSize | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return png(view, bytes) ?? jpeg(view, bytes) ?? webp(view, bytes)
}
