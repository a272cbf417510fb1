/** What the supervisor can do with which browser, and the tests that prove it. docs/supervisor.md shows it. */

export interface Proof {
  /** relative to the root of the project */
  readonly file: string
  /** the test's own name, without those of its groups */
  readonly test: string
}

export interface MatrixRow {
  readonly name: string
  /** undefined: it cannot be had there */
  readonly cells: ReadonlyArray<Proof | undefined>
}

export interface Matrix {
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<MatrixRow>
}

const backends = "test/chromium/backends.test.ts"

const backend = (name: string): MatrixRow => ({
  name,
  cells: [
    "a dialog is seen wherever it opens",
    "the page gets each answer of the agent",
    "the tree has frames of the page's own process and of others",
    "a script runs in a frame of another process"
  ].map((test) => ({ file: backends, test: `${name}: ${test}` }))
})

const one = (name: string, file: string, test: string): MatrixRow => ({
  name,
  cells: [{ file: `test/chromium/${file}.test.ts`, test }]
})

const hidden: Proof = {
  file: "test/adapters/mcp-offering.test.ts",
  test: "leave out dialogs and protocol where the browser has none; a call says so"
}

export const matrices: ReadonlyArray<Matrix> = [
  {
    title: "With which browser",
    columns: ["dialogs are seen", "dialogs are answered", "frame tree", "`browser_cdp` in a frame of another process"],
    rows: [
      backend("our own Chromium"),
      backend("a browser at an endpoint"),
      backend("Browserbase"),
      {
        name: "a browser without CDP",
        cells: [
          undefined,
          hidden,
          {
            file: backends,
            test: "a browser without dialogs and frames: snapshots leave their fields out, and show the frames' elements"
          },
          hidden
        ]
      }
    ]
  },
  {
    title: "When something ends, with each way to a dialog",
    columns: ["test"],
    rows: [
      one(
        "the browser is killed",
        "supervisor-ends",
        "a browser that is killed while a dialog is open: it is filed as lost, its answer is refused at once"
      ),
      one(
        "the socket is cut",
        "supervisor-ends",
        "a socket that is cut while an answer is under way: who answered is told, and nothing is sent again"
      ),
      one(
        "the supervisor is stopped",
        "supervisor-ends",
        "a supervisor that is stopped with a dialog open leaves a page that the next client can use"
      )
    ]
  },
  {
    title: "Everything else",
    columns: ["test"],
    rows: [
      one(
        "gate: the page stays readable",
        "supervisor-gate",
        "while a dialog waits at the gate the page can be read and pictured, and goes on with the answer"
      ),
      one(
        "gate: strict policies",
        "supervisor-gate",
        "a strict policy of the page does not stand in the way, and its own debugger statements pass"
      ),
      one(
        "gate: two processes",
        "supervisor-gate",
        "two dialogs in two processes of one tab are both answered, each with its own answer"
      ),
      one(
        "gate: frames of every kind",
        "supervisor-gate",
        "frames of every kind have the gate: srcdoc, blob, empty, and one of another site, from their first script on"
      ),
      one("gate: leaving the page", "supervisor-gate", "leaving the page drops the dialog that waits at the gate"),
      one(
        "gate: supervisor gone",
        "supervisor-gate",
        "a dialog whose supervisor is gone without a word is dismissed, and the page stays usable"
      ),
      one(
        "gate: documents that debugging slows down",
        "supervisor-gate",
        "a document of WebAssembly or very many scripts is not debugged: its dialogs are native, the next one's are not"
      ),
      one(
        "gate: odd arguments",
        "supervisor-gate",
        "what a page asks with is understood as the browser understands it"
      ),
      one(
        "gate: while a page is left",
        "supervisor-gate",
        "a page that asks while it is being left gets nobody's answer (gate: true)"
      ),
      one(
        "gate: person in control",
        "supervisor-gate",
        "under human control dialogs open natively, and stop at the gate again afterwards"
      ),
      ...(["gate", "bridge", "both"] as const).map((way) =>
        one(
          `${way}: behind a proxy that dismisses dialogs`,
          "dismissing-proxy",
          `gives each page the answer that the agent gave (${way}): alert, prompt with text, confirm accepted, confirm dismissed`
        )
      ),
      ...(["connect-src", "sync-xhr"] as const).map((policy) =>
        one(
          `bridge: forbidden by ${policy}`,
          "dismissing-proxy",
          `a page whose ${policy} forbids the bridge gets no answer of ours: its native dialog opens`
        )
      ),
      one(
        "bridge: supervisor gone",
        "dismissing-proxy",
        "a page whose supervisor is gone without a word opens its native dialog, for whoever comes next"
      ),
      one(
        "bridge: frames",
        "dismissing-proxy",
        "frames ask over the bridge as well: of this site, of another, without an address"
      ),
      one(
        "tools: the elements behind a dialog",
        "while-dialog",
        "the snapshot holds the dialog, and the elements as far as the page can be looked at"
      ),
      one(
        "tools: an act that opens a dialog",
        "while-dialog",
        "browser_click that opens a dialog ends with it, while it still waits"
      ),
      one(
        "tools: a dialog in a first script",
        "while-dialog",
        "a page whose first script asks is opened with its dialog"
      ),
      one(
        "workers: console and network",
        "workers",
        "are heard from their first line on: dedicated, nested, shared and service workers"
      ),
      one(
        "workers: raw commands",
        "workers",
        "are reached by raw commands under the ids of their targets, and only by what they know"
      ),
      one(
        "our own Chromium killed",
        "supervisor-ends",
        "that is killed while a dialog is open ends its sessions, and the next one has a browser again"
      )
    ]
  }
]

/** Every proof of every table. */
export const proofs: ReadonlyArray<Proof> = matrices
  .flatMap(({ rows }) => rows)
  .flatMap(({ cells }) => cells)
  .filter((proof) => proof !== undefined)
