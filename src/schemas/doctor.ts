/** What is known about the browsers of this machine: the facts of the command `doctor`. */
import { Schema } from "effect"
import { ElectronCandidate } from "./electron.ts"

/** A browser that could be used, or that was asked for. */
export const BrowserCandidate = Schema.Struct({
  source: Schema.Literals(["configured", "environment", "installed", "embedded"]).annotate({
    description: "executablePath, CHROME_PATH, found on the machine, or the npm package"
  }),
  path: Schema.String,
  usable: Schema.Boolean,
  problem: Schema.optionalKey(Schema.String.annotate({ description: "why it cannot be used" }))
})
export type BrowserCandidate = typeof BrowserCandidate.Type

/** Where something comes from: the machine itself, or the embedded browser's own copy. */
const Origin = Schema.Literals(["system", "embedded"])

export const ChromiumDoctor = Schema.Struct({
  candidates: Schema.Array(BrowserCandidate).annotate({ description: "in the order of preference" }),
  chosen: Schema.optionalKey(BrowserCandidate.annotate({ description: "absent: none can be used" })),
  launch: Schema.Union([
    Schema.Struct({
      ok: Schema.Literal(true),
      executable: Schema.String,
      product: Schema.String.annotate({ description: "name and version, as the browser says" }),
      protocol: Schema.String,
      ms: Schema.Finite.annotate({ description: "from the start to the first answer" })
    }),
    Schema.Struct({ ok: Schema.Literal(false), code: Schema.String, message: Schema.String, next: Schema.String })
  ]).annotate({ description: "what came of starting it" }),
  sandbox: Schema.Struct({ enabled: Schema.Boolean, reason: Schema.String }),
  embedded: Schema.Struct({
    version: Schema.optionalKey(Schema.String.annotate({ description: "of the package; absent: not installed" })),
    folder: Schema.optionalKey(Schema.String.annotate({ description: "where it is unpacked; absent: not yet" })),
    libraries: Origin,
    missingLibraries: Schema.Array(Schema.String).annotate({ description: "needed, but not on the machine" }),
    fonts: Origin
  }),
  machine: Schema.Struct({
    platform: Schema.String,
    arch: Schema.String,
    root: Schema.Boolean,
    container: Schema.Boolean,
    sharedMemoryBytes: Schema.optionalKey(Schema.Finite)
  })
})
export type ChromiumDoctor = typeof ChromiumDoctor.Type

export const ElectronDoctor = Schema.Struct({
  wanted: Schema.String.annotate({ description: "the one version that is used" }),
  candidates: Schema.Array(ElectronCandidate).annotate({ description: "in the order of preference" }),
  chosen: Schema.optionalKey(ElectronCandidate.annotate({ description: "absent: none can be used" })),
  remedy: Schema.optionalKey(Schema.String.annotate({ description: "how to get one; absent: there is one" })),
  display: Schema.Boolean.annotate({ description: "a window could be shown" }),
  profile: Schema.String.annotate({ description: "folder that keeps its logins" })
})
export type ElectronDoctor = typeof ElectronDoctor.Type

/** A running browser that is attached to. */
export const EndpointDoctor = Schema.Union([
  Schema.Struct({
    label: Schema.String.annotate({ description: "scheme and host of its address" }),
    ok: Schema.Literal(true),
    product: Schema.String.annotate({ description: "name and version, as the browser says" }),
    protocol: Schema.String,
    ms: Schema.Finite.annotate({ description: "from the first question to the first answer of the browser" })
  }),
  Schema.Struct({
    label: Schema.String,
    ok: Schema.Literal(false),
    code: Schema.String,
    message: Schema.String,
    next: Schema.String
  })
])
export type EndpointDoctor = typeof EndpointDoctor.Type

/** What the command `doctor` shows where a browser is started. */
export const Doctor = Schema.Struct({ ...ChromiumDoctor.fields, electron: ElectronDoctor })
export type Doctor = typeof Doctor.Type
