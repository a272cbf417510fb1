/**
 * A stand-in for `libsqlite3.so.0`, written as an ELF file byte by byte.
 *
 * The NSS libraries that the embedded browser brings along cannot be loaded without it, but it is not among them; on a
 * bare system the browser would die at its first https page. NSS uses SQLite only for a database of certificates that
 * a person has added. So every function here does nothing but fail ("cannot open the database file"), whereupon NSS
 * goes on without that database, as it does for a user who has none.
 *
 * Format: System V ABI, chapters 4 and 5; AMD64 supplement.
 */

/** Functions of SQLite that `libsoftokn3.so` is linked against and whose result is a number. */
const numberFunctions = [
  "sqlite3_bind_blob",
  "sqlite3_bind_int",
  "sqlite3_bind_text",
  "sqlite3_busy_timeout",
  "sqlite3_close",
  "sqlite3_column_bytes",
  "sqlite3_column_count",
  "sqlite3_column_int",
  "sqlite3_exec",
  "sqlite3_file_control",
  "sqlite3_finalize",
  "sqlite3_open_v2",
  "sqlite3_prepare_v2",
  "sqlite3_reset",
  "sqlite3_step"
]

/** Those whose result is a pointer, or nothing. */
const pointerFunctions = [
  "sqlite3_column_blob",
  "sqlite3_column_name",
  "sqlite3_column_text",
  "sqlite3_free",
  "sqlite3_mprintf"
]

/** A variable that holds a pointer. */
const pointerVariable = "sqlite3_temp_directory"

/** `SQLITE_CANTOPEN` */
const cannotOpen = 14
/** mov eax, 14; ret */
const returnCannotOpen = [0xb8, cannotOpen, 0, 0, 0, 0xc3]
/** xor eax, eax; ret */
const returnNull = [0x31, 0xc0, 0xc3]

const page = 0x1000
const soname = "libsqlite3.so.0"

const segment = { load: 1, dynamic: 2, stack: 0x6474e551 } as const
const flag = { execute: 1, write: 2, read: 4 } as const
const entry = { end: 0, hash: 4, strings: 5, symbols: 6, stringsSize: 10, symbolSize: 11, soname: 14 } as const
const headerSize = 64
const segmentSize = 56
const symbolSize = 24

const align = (offset: number, to: number) => Math.ceil(offset / to) * to

/** The file. One segment holds the tables and the code, a second, writable one what the loader changes. */
export const sqliteStandIn = (): Uint8Array => {
  const names = [...numberFunctions, ...pointerFunctions, pointerVariable]
  const nameOffsets = new Map<string, number>()
  let strings = "\0"
  for (const name of [...names, soname]) {
    nameOffsets.set(name, strings.length)
    strings += `${name}\0`
  }

  const segments = 4
  const hashAt = align(headerSize + segments * segmentSize, 8)
  const symbolsAt = align(hashAt + 4 * (2 + 1 + names.length + 1), 8)
  const stringsAt = symbolsAt + symbolSize * (names.length + 1)
  const codeAt = align(stringsAt + strings.length, 16)
  const nullAt = codeAt + 8
  const readableEnd = nullAt + returnNull.length
  const dynamicAt = page
  const dynamicEntries: ReadonlyArray<readonly [number, number]> = [
    [entry.hash, hashAt],
    [entry.strings, stringsAt],
    [entry.symbols, symbolsAt],
    [entry.stringsSize, strings.length],
    [entry.symbolSize, symbolSize],
    [entry.soname, nameOffsets.get(soname) ?? 0],
    [entry.end, 0]
  ]
  const variableAt = dynamicAt + 16 * dynamicEntries.length
  const end = variableAt + 8

  const bytes = new Uint8Array(end)
  const view = new DataView(bytes.buffer)
  const u16 = (at: number, value: number) => view.setUint16(at, value, true)
  const u32 = (at: number, value: number) => view.setUint32(at, value, true)
  const u64 = (at: number, value: number) => view.setBigUint64(at, BigInt(value), true)

  // 64 bits, little-endian, version 1; a shared object for AMD64
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  u16(16, 3)
  u16(18, 62)
  u32(20, 1)
  u64(32, headerSize)
  u16(52, headerSize)
  u16(54, segmentSize)
  u16(56, segments)
  u16(58, 64)

  const writeSegment = (index: number, type: number, flags: number, from: number, to: number, alignment: number) => {
    const at = headerSize + index * segmentSize
    u32(at, type)
    u32(at + 4, flags)
    for (const field of [8, 16, 24]) u64(at + field, from)
    for (const field of [32, 40]) u64(at + field, to - from)
    u64(at + 48, alignment)
  }
  writeSegment(0, segment.load, flag.read | flag.execute, 0, readableEnd, page)
  writeSegment(1, segment.load, flag.read | flag.write, dynamicAt, end, page)
  writeSegment(2, segment.dynamic, flag.read | flag.write, dynamicAt, variableAt, 8)
  // Without it the loader would ask for an executable stack.
  writeSegment(3, segment.stack, flag.read | flag.write, 0, 0, 16)

  // One bucket: a chain through all symbols, so that no hash needs to be computed.
  u32(hashAt, 1)
  u32(hashAt + 4, names.length + 1)
  u32(hashAt + 8, 1)
  names.forEach((_, index) => {
    u32(hashAt + 12 + 4 * (index + 1), index + 1 === names.length ? 0 : index + 2)
  })

  names.forEach((name, index) => {
    const at = symbolsAt + symbolSize * (index + 1)
    const variable = name === pointerVariable
    u32(at, nameOffsets.get(name) ?? 0)
    // global; an object or a function
    bytes[at + 4] = (1 << 4) | (variable ? 1 : 2)
    // any section: there are none, but 0 would mean that it is not defined here
    u16(at + 6, 1)
    u64(at + 8, variable ? variableAt : pointerFunctions.includes(name) ? nullAt : codeAt)
    u64(at + 16, 8)
  })
  bytes.set(new TextEncoder().encode(strings), stringsAt)
  bytes.set(returnCannotOpen, codeAt)
  bytes.set(returnNull, nullAt)
  dynamicEntries.forEach(([tag, value], index) => {
    u64(dynamicAt + 16 * index, tag)
    u64(dynamicAt + 16 * index + 8, value)
  })
  return bytes
}
