/**
 * Configuration: every setting with its default. Absent and empty differ: an absent list takes its default, an empty
 * one means "nothing at all".
 */
import { Effect, Schema } from "effect"
import { DialogPolicy } from "./dialog.ts"
import { ProviderId } from "./ids.ts"

const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

const positive = (description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 })).annotate({ description })

/** A host in a list: its name, with "*." in front for its subdomains too, perhaps with a port. */
const HostPattern = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const host = text.replace(/^\*\./, "")
    return (
      (/^[^\s/?#@*\\]+$/.test(host) && URL.canParse(`http://${host}`)) ||
      'must be a host such as "example.com", "*.example.com" or "example.com:8080"'
    )
  })
)

/** How the local Chromium is found and started. */
export const ChromiumConfig = Schema.Struct({
  executablePath: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "browser to use before any other" })
  ),
  embedded: withDefault(
    Schema.Boolean.annotate({ description: "use the embedded browser also where another one is installed" }),
    false
  ),
  headless: withDefault(Schema.Boolean.annotate({ description: "run without a window" }), true),
  profile: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "profile folder to keep; absent: a temporary one, removed at the end"
    })
  ),
  args: withDefault(Schema.Array(Schema.String).annotate({ description: "further browser arguments" }), []),
  viewport: withDefault(
    Schema.Struct({ width: positive("CSS px"), height: positive("CSS px") }).annotate({
      description: "size of each tab"
    }),
    { width: 1280, height: 800 }
  ),
  launchTimeoutMs: withDefault(positive("ms until the browser must answer"), 30_000)
})
export type ChromiumConfig = typeof ChromiumConfig.Type

/** A browser that runs already and is attached to. */
export const CdpEndpointConfig = Schema.Struct({
  url: Schema.RedactedFromValue(
    Schema.String.annotate({
      description: "address of the browser's debugging port: ws: or wss:, or http: or https: that names it; kept secret"
    }).check(
      Schema.makeFilter(
        (text: string) =>
          (URL.canParse(text) && /^(wss?|https?):$/.test(new URL(text).protocol)) ||
          "must be a ws:, wss:, http: or https: address, such as http://127.0.0.1:9222"
      )
    ),
    { label: "endpoint" }
  )
})
export type CdpEndpointConfig = typeof CdpEndpointConfig.Type

/** A browser of one's own for each session, in Browserbase's cloud. The key comes from `BROWSERBASE_API_KEY` only. */
export const BrowserbaseConfig = Schema.Struct({
  projectId: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "project; absent: BROWSERBASE_PROJECT_ID, else the key's own" })
  ),
  apiUrl: withDefault(
    Schema.String.annotate({ description: "address of the API" }).check(
      Schema.makeFilter(
        (text: string) =>
          (URL.canParse(text) &&
            /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/.test(new URL(text).href)) ||
          "must be an https: address"
      )
    ),
    "https://api.browserbase.com"
  ),
  keepAlive: withDefault(
    Schema.Boolean.annotate({ description: "the browser outlives a broken connection, until it is released" }),
    false
  ),
  timeoutSeconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 21_600 })).annotate({
      description: "seconds after which the service ends the browser; absent: the project's"
    })
  ),
  region: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "where the browser runs" }))
})
export type BrowserbaseConfig = typeof BrowserbaseConfig.Type

/** The window in which a person watches, and its Electron. */
export const ElectronConfig = Schema.Struct({
  profile: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "profile folder, kept with its logins; absent: one in the user's application data"
    })
  ),
  args: withDefault(Schema.Array(Schema.String).annotate({ description: "further arguments for Electron" }), []),
  window: withDefault(
    Schema.Struct({ width: positive("px"), height: positive("px") }).annotate({ description: "size of the window" }),
    { width: 1400, height: 900 }
  ),
  launchTimeoutMs: withDefault(positive("ms until the window must be there"), 30_000)
})
export type ElectronConfig = typeof ElectronConfig.Type

/** How dialogs of pages reach the supervisor. */
export const DialogWay = Schema.Literals(["native", "gate", "bridge", "both"])
export type DialogWay = typeof DialogWay.Type

/** The settings of the whole library. */
export const BrowserConfig = Schema.Struct({
  provider: Schema.optionalKey(
    ProviderId.annotate({
      description: "provider to use; absent: the one that is configured below, else the only available one"
    })
  ),
  cdpEndpoint: Schema.optionalKey(CdpEndpointConfig),
  browserbase: Schema.optionalKey(BrowserbaseConfig),
  chromium: withDefault(ChromiumConfig, {}),
  electron: withDefault(ElectronConfig, {}),
  isolated: withDefault(
    Schema.Boolean.annotate({ description: "give each task cookies and storage of its own" }),
    false
  ),
  dialogPolicy: withDefault(
    DialogPolicy.annotate({ description: "what is done with a dialog when it opens" }),
    "must_respond"
  ),
  dialogTimeoutMs: withDefault(positive("ms until an unanswered dialog is dismissed"), 300_000),
  dialogWay: Schema.optionalKey(
    DialogWay.annotate({
      description:
        "native: dialogs are the browser's own; gate: they wait in the page, which can be looked at meanwhile; bridge: the page asks by a request that is intercepted; both: by the bridge what misses the gate; absent: as the provider does best"
    })
  ),
  toolTimeoutMs: withDefault(positive("ms that a tool call may take in all"), 60_000),
  snapshotMaxElements: withDefault(positive("elements in a snapshot unless the call says otherwise"), 200),
  snapshotMaxChars: withDefault(positive("characters of a snapshot's text and of its data"), 24_000),
  contentMaxChars: withDefault(positive("characters of browser_content unless the call says otherwise"), 100_000),
  humanControlTimeoutMs: withDefault(
    positive("ms without a sign of the person in control after which control goes back to the agent"),
    600_000
  ),
  allowedTools: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "tools that tasks may use, for all tasks; absent: all; empty: none"
    })
  ),
  maxQueuedCalls: withDefault(positive("calls that may wait for one task"), 100),
  downloadDir: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "folder for what pages download by themselves; absent: a temporary one, removed with the browser"
    })
  ),
  downloadMaxBytes: withDefault(positive("bytes of a downloaded file at the most"), 256 * 1024 * 1024),
  allowedHosts: Schema.optionalKey(
    Schema.Array(HostPattern).annotate({
      description: "hosts whose pages and files may be opened; absent: all; empty: none"
    })
  ),
  deniedHosts: withDefault(
    Schema.Array(HostPattern).annotate({ description: "hosts whose pages and files may not be opened" }),
    []
  ),
  privateNetwork: withDefault(
    Schema.Literals(["allow", "deny"]).annotate({
      description:
        "pages and files of this machine and of private networks; hosts that are allowed by name stay allowed"
    }),
    "allow"
  ),
  writeRoots: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString).annotate({
      description: "folders that may be written; absent: working directory and temporary folder; empty: none"
    })
  ),
  readRoots: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString).annotate({
      description: "folders that may be read; absent: working directory and temporary folder; empty: none"
    })
  )
})
export type BrowserConfig = typeof BrowserConfig.Type

/** Decodes settings; unknown keys are an error. */
export const decodeBrowserConfig = Schema.decodeUnknownEffect(BrowserConfig, {
  onExcessProperty: "error",
  errors: "all"
})

/** The settings with every default. */
export const defaultBrowserConfig: BrowserConfig = Schema.decodeUnknownSync(BrowserConfig)({})
