/** The facts about the browsers of this machine for people. */
import type { BrowserCandidate, ChromiumDoctor, Doctor, ElectronDoctor, EndpointDoctor } from "../schemas/doctor.ts"
import type { ElectronCandidate } from "../schemas/electron.ts"
import type { Style } from "./style.ts"

type Candidate = BrowserCandidate | ElectronCandidate

/** How it stands with a thing: in order, wanting, or worth to know. */
type Mark = "ok" | "no" | "--"

const browserSources: Record<BrowserCandidate["source"], string> = {
  configured: "configured",
  environment: "CHROME_PATH",
  installed: "installed",
  embedded: "npm package"
}
const electronSources: Record<ElectronCandidate["source"], string> = {
  dependency: "dependency",
  environment: "ELECTRON_PATH",
  prefix: "npm prefix",
  dsh: "DSH",
  pnpm: "pnpm store"
}
const widest = Math.max(...[browserSources, electronSources].flatMap(Object.values<string>).map((name) => name.length))

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

/** What lines of the report look like. */
const makeLines = (style: Style) => {
  const marks: Record<Mark, string> = { ok: style.green("ok"), no: style.red("no"), "--": style.yellow("--") }
  return {
    heading: (text: string) => style.bold(text),
    line: (mark: Mark, text: string) => `  ${marks[mark]}  ${text}`,
    next: (text: string) => `      ${style.yellow("Next:")} ${text}`,
    candidate: (source: string, one: Candidate, chosen: Candidate | undefined) => {
      const isChosen = one.path === chosen?.path && one.source === chosen.source
      return `  ${one.usable ? marks.ok : marks.no}  ${style.dim(source.padEnd(widest))}  ${isChosen ? style.bold(one.path) : one.path}${one.problem === undefined ? "" : `: ${one.problem}`}`
    }
  }
}
type Lines = ReturnType<typeof makeLines>

const chromiumPart = ({ candidates, chosen, embedded, launch, sandbox }: ChromiumDoctor, lines: Lines) => [
  lines.heading("Chromium: the first usable one is taken"),
  ...candidates.map((one) => lines.candidate(browserSources[one.source], one, chosen)),
  ...(candidates.length === 0 ? [lines.line("no", "none was found")] : []),
  "",
  lines.heading("Its start"),
  ...(launch.ok
    ? [lines.line("ok", `${launch.product}, protocol ${launch.protocol}, answered after ${Math.round(launch.ms)} ms`)]
    : [lines.line("no", `${launch.code}: ${launch.message}`), lines.next(launch.next)]),
  sandbox.enabled ? lines.line("ok", "in its sandbox") : lines.line("--", sandbox.reason),
  ...(launch.ok
    ? []
    : [
        "",
        lines.heading("How to get one"),
        "      Debian, Ubuntu: apt install chromium    Fedora: dnf install chromium    macOS: brew install chromium",
        "      or set CHROME_PATH to an executable of Chrome, Chromium or Edge"
      ]),
  "",
  lines.heading("The one of the npm package, used where no other is installed"),
  embedded.version === undefined
    ? lines.line("--", "not installed; get it with: npm install @sparticuz/chromium")
    : lines.line(
        "ok",
        `version ${embedded.version}, ${embedded.folder === undefined ? "unpacked when it is used first" : `unpacked in ${embedded.folder}`}`
      ),
  embedded.missingLibraries.length === 0
    ? lines.line("ok", "libraries of the machine")
    : lines.line("--", `libraries of the package (the machine lacks ${embedded.missingLibraries.join(", ")})`),
  lines.line("ok", `fonts of the ${embedded.fonts === "system" ? "machine" : "package"}`)
]

/** A report about the browser that is attached to; those of this machine do not matter then. */
export const endpointText = (facts: EndpointDoctor, style: Style): string => {
  const lines = makeLines(style)
  return [
    lines.heading(`Browser to attach to, at ${facts.label}`),
    ...(facts.ok
      ? [lines.line("ok", `${facts.product}, protocol ${facts.protocol}, answered after ${Math.round(facts.ms)} ms`)]
      : [lines.line("no", `${facts.code}: ${facts.message}`), lines.next(facts.next)])
  ].join("\n")
}

const electronPart = ({ candidates, chosen, display, profile, remedy, wanted }: ElectronDoctor, lines: Lines) => [
  lines.heading(`Electron ${wanted}: only for the provider "electron", a window that a person watches`),
  ...candidates.map((one) => lines.candidate(electronSources[one.source], one, chosen)),
  ...(candidates.length === 0 ? [lines.line("--", "none was found")] : []),
  ...(remedy === undefined ? [] : [lines.next(remedy)]),
  display
    ? lines.line("ok", "a display for its window")
    : lines.line("--", "no display for its window: set DISPLAY, or start it with xvfb-run -a"),
  lines.line("ok", `profile ${profile}`)
]

const machinePart = (
  { arch, container, platform, root, sharedMemoryBytes }: ChromiumDoctor["machine"],
  lines: Lines
) => [
  lines.heading("Machine"),
  `      ${platform} ${arch}${root ? ", as root" : ""}${container ? ", in a container" : ""}${sharedMemoryBytes === undefined ? "" : `, shared memory ${mebibytes(sharedMemoryBytes)}`}, node ${process.version}`
]

/** A report of some twenty lines. */
export const doctorText = (facts: Doctor, style: Style): string => {
  const lines = makeLines(style)
  return [
    ...chromiumPart(facts, lines),
    "",
    ...electronPart(facts.electron, lines),
    "",
    ...machinePart(facts.machine, lines)
  ].join("\n")
}
