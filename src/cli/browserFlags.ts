/** Options of every command that starts a browser. */
import type { Option } from "effect"
import { Flag } from "effect/cli"

export interface BrowserOptions {
  readonly config: Option.Option<string>
  readonly provider: Option.Option<string>
  readonly endpoint: Option.Option<string>
  readonly executable: Option.Option<string>
  readonly headed: boolean
  readonly profile: Option.Option<string>
  readonly isolated: boolean
  readonly viewport: Option.Option<string>
  readonly writeRoots: ReadonlyArray<string>
}

const text = (name: string, description: string, value: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar(value), Flag.optional)

export const browserFlags = {
  config: text("config", "JSON file with settings", "FILE"),
  provider: text(
    "provider",
    "browser provider to use: chromium, electron (a window to watch), endpoint or browserbase",
    "ID"
  ),
  endpoint: text(
    "endpoint",
    "running browser to attach to, a ws: or http: address; keep secrets in EFFECT_BROWSER_ENDPOINT",
    "URL"
  ),
  executable: text("executable", "browser to start", "PATH"),
  headed: Flag.Boolean("headed").pipe(Flag.withDescription("show the browser's window"), Flag.withDefault(false)),
  profile: text("profile", "profile folder to use and keep", "DIR"),
  isolated: Flag.Boolean("isolated").pipe(
    Flag.withDescription("cookies and storage of its own for each task"),
    Flag.withDefault(false)
  ),
  viewport: text("viewport", "size of each tab in CSS px", "WxH"),
  writeRoots: Flag.String("write-root").pipe(
    Flag.withDescription(
      "folder that may be written instead of the working directory and the temporary folder; may be repeated"
    ),
    Flag.withMetavar("DIR"),
    Flag.atLeast(0)
  )
} as const
