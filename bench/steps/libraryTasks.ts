/**
 * A process that runs 16 tasks at once by the library: for every message a round, answered with the times of its
 * operations. It ends when its parent disconnects.
 */
import { Effect, ManagedRuntime } from "effect"
import { TaskKey } from "../../src/schemas/ids.ts"
import { Tools } from "../../src/services/Tools.ts"
import { AgentView } from "../ours/AgentView.ts"
import { libraryLayer } from "../ours/libraryLayer.ts"
import { fieldLabels } from "../site/pages.ts"

export interface TaskRound {
  readonly round: number
  readonly tasks: number
  readonly clicks: number
  readonly origin: string
  readonly executable?: string
}

export interface TaskRoundResult {
  /** ms of each operation */
  readonly times: ReadonlyArray<number>
  /** tasks in which everything was as it should be */
  readonly right: number
}

const runTask = Effect.fnUntraced(function* (index: number, { clicks, origin, round }: TaskRound) {
  const tools = yield* Tools
  const key = TaskKey.make(`task-${index}`)
  const name = `r${round}t${index}`
  const times: Array<number> = []
  let right = true
  const timed = Effect.fnUntraced(function* (tool: string, args: unknown, proof: string) {
    const start = performance.now()
    const answer = yield* tools.invoke(key, tool, args)
    times.push(performance.now() - start)
    const text = answer.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
    if (!text.includes(proof)) {
      right = false
      yield* Effect.logError(`${tool} of ${name} does not show ${proof}: ${text}`)
    }
    return text
  })
  const view = new AgentView()
  view.read(yield* timed("browser_open", { url: `${origin}/counter?${name}` }, name))
  for (let click = 1; click <= clicks; click++) {
    view.read(yield* timed("browser_click_ref", { ...view.get("button", "Add one") }, `Count ${click}`))
  }
  yield* timed("browser_open", { url: `${origin}/form?${name}` }, name)
  const fields = fieldLabels.map((label) => ({ label, value: `${name}@x.org` }))
  yield* timed("browser_fill", { fields }, "5 of 5")
  yield* timed("browser_execute", { script: "location.search" }, name)
  return { times, right }
})

const runRound = (round: TaskRound) =>
  Effect.forEach(
    Array.from({ length: round.tasks }, (_, index) => index),
    (index) => runTask(index, round),
    {
      concurrency: "unbounded"
    }
  ).pipe(
    Effect.map(
      (results): TaskRoundResult => ({
        times: results.flatMap(({ times }) => times),
        right: results.filter(({ right }) => right).length
      })
    )
  )

type Library = ManagedRuntime.ManagedRuntime<Tools, never>
let library: Library | undefined

process.on("message", (round: TaskRound) => {
  library ??= ManagedRuntime.make(libraryLayer(round.executable))
  library.runPromise(runRound(round)).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    }
  )
})
process.on("disconnect", () => {
  void (library?.dispose() ?? Promise.resolve()).then(() => process.exit(0))
})
