/** Electron as it lies on this machine: what was found, and what came of it. */
import { Schema } from "effect"

/** The one version that is used. Version 43 draws a white window and hangs at captures, so nothing newer replaces it. */
export const electronVersion = "42.9.3"

/** Where an Electron was found, in the order of preference. */
export const ElectronSource = Schema.Literals(["dependency", "environment", "prefix", "dsh", "pnpm"]).annotate({
  description:
    "dependency of this package, ELECTRON_PATH, npm's prefix, DSH's packages, or a pnpm store beside a running program"
})
export type ElectronSource = typeof ElectronSource.Type

/** The state of the program that belongs to a package. */
const ElectronBinary = Schema.Union([
  Schema.Struct({ state: Schema.Literal("ready"), executable: Schema.String }),
  Schema.Struct({ state: Schema.Literal("notExecutable"), executable: Schema.String }),
  /** it is of another version than its package */
  Schema.Struct({ state: Schema.Literal("stale"), version: Schema.String }),
  /** the package is there without its program, which it fetches apart from the registry */
  Schema.Struct({ state: Schema.Literal("absent") })
])

/** What the file system says about one place. */
export const FoundElectron = Schema.Struct({
  source: ElectronSource,
  path: Schema.String.annotate({ description: "folder of the package, or the file that ELECTRON_PATH names" }),
  version: Schema.optionalKey(Schema.String.annotate({ description: "by the package's metadata; absent: unproven" })),
  binary: ElectronBinary
})
export type FoundElectron = typeof FoundElectron.Type

/** An Electron that could be used, or why it cannot. */
export const ElectronCandidate = Schema.Struct({
  source: ElectronSource,
  path: Schema.String,
  version: Schema.optionalKey(Schema.String),
  usable: Schema.Boolean,
  problem: Schema.optionalKey(Schema.String.annotate({ description: "why it cannot be used" }))
})
export type ElectronCandidate = typeof ElectronCandidate.Type
