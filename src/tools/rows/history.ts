/** Tools about what the task did. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import * as P from "../../schemas/tools/history.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool, taskTool } from "../ToolRow.ts"
import { shownValue } from "../recording.ts"
import { boundedLines, oneLine } from "../render/text.ts"
import { act, look } from "./facts.ts"

/** Characters of what a replayed step brought about. */
const resultLimit = 2_000

export const historyRows: ReadonlyArray<ToolRow> = [
  taskTool({
    ...look,
    name: "browser_history",
    title: "History",
    description: "List what this task did, with the numbers that browser_replay takes. Nothing secret is in it.",
    core: false,
    lane: "free",
    session: "none",
    coalesced: false,
    budget: "input",
    whileDialog: "answers",
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    parameters: P.HistoryParams,
    success: P.HistoryResult,
    errors: [],
    run: ({ history, task }, { limit }) =>
      Effect.sync(() => {
        const all = history.entries(task)
        return {
          entries: all.slice(-limit).map(({ seq, action, ok, at, params, result, error, replay }) => ({
            seq,
            action,
            ok,
            at: at / 1000,
            params: shownValue(params) as typeof params,
            ...(result === undefined ? {} : { result }),
            ...(error === undefined ? {} : { error }),
            replayable: replay === "yes"
          })),
          truncated: all.length > limit
        }
      }),
    render: ({ entries, truncated }) => ({
      lines: [
        ...(truncated ? ["(there are earlier steps: give a higher limit)"] : []),
        ...(entries.length === 0 ? ["nothing yet"] : []),
        ...entries.map(
          ({ seq, action, ok, params, result, error, replayable }) =>
            `${seq}. ${action}${replayable ? "" : " (not replayable)"} ${oneLine(JSON.stringify(params), 300)} ${ok ? "ok" : "failed"}${result === undefined && error === undefined ? "" : `: ${oneLine(result ?? error ?? "", 200)}`}`
        )
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_replay",
    title: "Do a step again",
    description: "Do a step of the history again: opening, clicking, typing, a key, a script.",
    core: false,
    history: "replay",
    budget: 57_000,
    // the step itself is refused where its own tool would be
    whileDialog: "answers",
    parameters: P.ReplayParams,
    success: P.ReplayResult,
    errors: E.BrowserError.members,
    run: Effect.fnUntraced(function* (session, { seq }, { history, task, again }) {
      const step = history.find(task, seq)
      if (step === undefined) return yield* new E.HistoryUnknown({ seq })
      if (step.replay === "truncated") return yield* new E.HistoryTruncated({ seq })
      if (step.replay !== "yes") return yield* new E.HistoryNotReplayable({ seq })
      const answer = yield* again(step, session)
      if (answer === undefined) return yield* new E.HistoryInvalid({ seq })
      return { replayed: true, action: step.action, result: boundedLines(answer.rendered.lines, resultLimit) }
    }),
    render: ({ action, result }) => ({ lines: [`did ${oneLine(action, 100)} again`, ...result.split("\n")] })
  })
]
