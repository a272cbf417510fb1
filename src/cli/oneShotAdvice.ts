/**
 * What to do next for someone at the command line. The advice of an error itself is for an agent in the middle of a
 * session; here every command has a browser of its own, which is gone with it: nothing can be looked at again, and no
 * reference, tab or dialog lives on.
 */
import type { BrowserError } from "../schemas/errors.ts"

const look = `See what is there: effect-browser call snapshot --url URL`
const again = "Run the command again."
const anotherPage = "Run the command again; if it fails again, the page cannot be used in this way."
const steps =
  "Each call has a browser of its own, and nothing of it lives on; for steps that build on each other serve the tools to an MCP client: effect-browser mcp."
const byName = `References live as long as one browser: name the element by a selector or its text. ${steps}`
const dialogs = `Have dialogs answered by themselves, by a setting in a --config file: { "dialogPolicy": "auto_dismiss" }.`

const advice: { readonly [Tag in BrowserError["_tag"]]?: string } = {
  ProviderConfiguredMissing: `Use the provider "chromium" or "electron", or attach to a browser with --endpoint; "browserbase" needs a setting of that name in a --config file.`,
  ProviderAmbiguous: "Choose one of them with --provider.",
  SessionUnknown: "Give --url, the page that the tool is to work on.",
  SessionLost: again,
  ConnectionLost:
    "Check that the browser runs and that its address is right; effect-browser doctor, with the same options, tries it.",
  TabUnknown: steps,
  TabCrashed: again,
  CdpFailed: "Check the parameters.",
  HostDead: again,
  HostRestarted: again,
  ViewUnknown: again,
  ViewDestroyed: again,
  OperationTimeout:
    'Run the command again, with a longer timeoutMs if it was given one; the limit for all calls is the setting "toolTimeoutMs".',
  ExecuteTimeout: "Split the script, or give a longer timeoutMs.",
  WaitTimeout: look,
  Cancelled: again,
  NavigationBlocked: "Use another address.",
  NavigationFailed: "Check the address, and that the machine can reach it.",
  SnapshotFailed: anotherPage,
  ContentFailed: anotherPage,
  ExecuteFailed: anotherPage,
  ScrollFailed: anotherPage,
  ScreenshotFailed: anotherPage,
  PdfFailed: anotherPage,
  ChallengeDetectFailed: anotherPage,
  HighlightFailed: anotherPage,
  ScreenshotSaveFailed: "Give another savePath.",
  SnapshotUnknown: byName,
  SnapshotStale: byName,
  RefUnknown: byName,
  RefResolveFailed: byName,
  TargetOffscreen: "Use a selector or a text: the page is scrolled to it.",
  TargetNotFound: look,
  TargetAmbiguous: "Give a longer text, or a selector.",
  TargetFailed: `Correct it. ${look}`,
  TargetCovered: `Act on what covers it first. ${steps}`,
  TargetHidden: `Make it visible first. ${steps}`,
  TargetDisabled: `Do what enables it first. ${steps}`,
  TargetUnstable: "Run the command again when its animation is over; if it never is, click by x and y.",
  NothingFocused:
    "Nothing has the focus in a page that was just opened: fill form fields with effect-browser call fill.",
  KeyUnknown:
    'Use a name as in KeyboardEvent.key (Enter, Tab, ArrowDown, F5, a) or "Space"; form fields: effect-browser call fill.',
  FillFailed: look,
  DialogOpen: dialogs,
  DialogNone: "The page opened no dialog while it was loaded.",
  DialogUnknown: "Leave the id out.",
  DialogUnanswerable: dialogs,
  FrameUnknown: `Ids of frames are other ones in each browser. ${steps}`,
  UploadFailed: again,
  HistoryUnknown: steps,
  HistoryInvalid: steps,
  HistoryTruncated: steps,
  HistoryNotReplayable: steps,
  ScrapeUnknown: steps
}

/** What to do about an error of a command that is over; what the address itself asks for stays. */
export const oneShotAdvice = (error: BrowserError): string =>
  error._tag === "NavigationFailed" && error.reason.includes("browser_download")
    ? `Save it: effect-browser call download '{"url":"URL","savePath":"FILE"}' --url about:blank`
    : error._tag === "NavigationBlocked" && error.remedy !== undefined
      ? error.remedy
      : (advice[error._tag] ?? error.next)
