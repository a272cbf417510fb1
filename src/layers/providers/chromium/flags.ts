/**
 * The arguments that the browser is started with: a pure function of the settings and of what is known about the
 * browser and the machine.
 *
 * Nothing here weakens the separation of sites or the same-origin rules. Sources of the switches: `content_switches.cc`,
 * `chrome_switches.cc` and `headless/app/headless_shell_switches.cc` of Chromium.
 */
import type { ChromiumConfig } from "../../../schemas/config.ts"

/** A whole browser, or the `headless_shell` that has no window at all. */
export type BrowserKind = "full" | "shell"

/** A headless shell is told by the name of its file. */
export const browserKind = (executable: string): BrowserKind =>
  /headless[-_.]?shell/i.test(executable.split(/[\\/]/).at(-1) ?? "") ? "shell" : "full"

export interface FlagFacts {
  readonly kind: BrowserKind
  /** profile folder */
  readonly profile: string
  readonly sandbox: boolean
  /** bytes of /dev/shm; undefined where there is none by nature */
  readonly sharedMemory: number | undefined
}

/** Below this many bytes of /dev/shm renderers crash on large pages; containers have 64 MiB by default. */
const enoughSharedMemory = 512 * 1024 * 1024

const disabledFeatures = [
  "Translate",
  "MediaRouter",
  "DialMediaRouteProvider",
  "OptimizationHints",
  "OptimizationGuideModelDownloading",
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "InterestFeedContentSuggestions",
  "CalculateNativeWinOcclusion",
  "GlobalMediaControls",
  "LensOverlay",
  // The list below the address bar as two pages of the browser's own, loaded anew with each window, which is with each
  // tab of ours: half a second of a core, and a renderer. Without them the browser draws that list itself.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup"
]

/** Switches that belong to settings of ours, with the setting to use instead. */
const owned: ReadonlyMap<string, string> = new Map([
  ["--user-data-dir", "profile"],
  ["--remote-debugging-pipe", "nothing: the pipe is always used"],
  ["--remote-debugging-port", "nothing: the pipe is always used"],
  ["--headless", "headless"]
])

const nameOf = (argument: string) => argument.split("=", 1)[0] ?? argument

/** The first further argument that would contradict a setting, with what to use instead; undefined if there is none. */
export const refusedArgument = (
  args: ReadonlyArray<string>
): { readonly argument: string; readonly instead: string } | undefined => {
  for (const argument of args) {
    const instead = owned.get(nameOf(argument))
    if (instead !== undefined) return { argument, instead }
  }
  return undefined
}

const featureSwitch = "--disable-features"

/** The complete list of arguments. `config.args` come last, and so win, except that the lists of features are joined. */
export const chromiumArguments = (
  config: Pick<ChromiumConfig, "headless" | "args" | "viewport">,
  facts: FlagFacts
): ReadonlyArray<string> => {
  const furtherFeatures = config.args
    .filter((argument) => nameOf(argument) === featureSwitch)
    .flatMap((argument) => argument.slice(featureSwitch.length + 1).split(","))
    .filter((feature) => feature !== "")
  return [
    "--remote-debugging-pipe",
    `--user-data-dir=${facts.profile}`,
    ...(facts.kind === "shell" ? ["--headless"] : config.headless ? ["--headless=new"] : []),
    // Every tab is opened over the protocol; a first page of the browser's own would belong to no task.
    "--no-startup-window",
    `--window-size=${config.viewport.width},${config.viewport.height}`,

    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-search-engine-choice-screen",
    "--hide-crash-restore-bubble",
    "--disable-prompt-on-repost",
    "--noerrdialogs",

    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--metrics-recording-only",
    "--no-pings",
    `${featureSwitch}=${[...new Set([...disabledFeatures, ...furtherFeatures])].join(",")}`,

    "--password-store=basic",
    "--use-mock-keychain",

    // Agents work on tabs that nobody looks at.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    // A click right after a navigation must not be dropped because nothing has been painted yet.
    "--allow-pre-commit-input",

    "--force-color-profile=srgb",
    ...(config.headless ? ["--mute-audio"] : []),
    // The headless shell keeps all sites in one process unless told otherwise.
    ...(facts.kind === "shell" ? ["--site-per-process"] : []),
    ...(facts.sandbox ? [] : ["--no-sandbox"]),
    ...(facts.sharedMemory !== undefined && facts.sharedMemory < enoughSharedMemory ? ["--disable-dev-shm-usage"] : []),
    ...config.args.filter((argument) => nameOf(argument) !== featureSwitch)
  ]
}
