/** Exit codes of the command line: what kind of thing went wrong. */
import type { BrowserError } from "../schemas/errors.ts"

/** Every exit code with its meaning; 130 (interrupted) comes from the runtime. */
export const exitCodes = {
  ok: { code: 0, meaning: "done" },
  internal: { code: 1, meaning: "a fault of effect-browser itself; the cause is on standard error" },
  usage: { code: 2, meaning: "wrong options, arguments or configuration; nothing was done" },
  noBrowser: { code: 3, meaning: "no browser could be had" },
  page: { code: 4, meaning: "the page, its target or its session did not allow it" },
  time: { code: 5, meaning: "time ran out" },
  files: { code: 6, meaning: "a file could not be read or written" }
} as const
export type ExitKind = keyof typeof exitCodes

const kinds: { readonly [Kind in Exclude<ExitKind, "ok" | "page">]: ReadonlyArray<BrowserError["_tag"]> } = {
  internal: ["Internal"],
  usage: ["InvalidArguments", "ToolUnknown", "ToolNotOffered", "ConfigInvalid", "RestrictUnknown", "DuplicateProvider"],
  noBrowser: [
    "ProviderConfiguredMissing",
    "ProviderConfiguredUnavailable",
    "ProviderAmbiguous",
    "ProviderUnavailable",
    "BrowserNotFound",
    "ElectronNotFound",
    "DisplayMissing",
    "LaunchFailed",
    "ProfileInUse",
    // where one is lost later, the session is
    "ConnectionLost"
  ],
  time: ["OperationTimeout", "ExecuteTimeout", "WaitTimeout"],
  files: [
    "ReadPathDenied",
    "WritePathDenied",
    "ScreenshotSaveFailed",
    "UploadNoInput",
    "UploadFailed",
    "DownloadFailed",
    "DownloadTooLarge",
    "AuthFileInvalid"
  ]
}

/** The kind of an error by its class name; what no list names is about the page. */
export const kindOf = (tag: string): ExitKind => {
  for (const kind of ["internal", "usage", "noBrowser", "time", "files"] as const) {
    if (kinds[kind].some((name) => name === tag)) return kind
  }
  return "page"
}

/** The exit code for an error. */
export const exitCode = (error: BrowserError): number => exitCodes[kindOf(error._tag)].code
