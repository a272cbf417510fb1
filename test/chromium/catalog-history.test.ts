/** The catalog's columns about what is kept of a call, and what it needs: each row, in a real browser. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HistoryEntry } from "../../src/schemas/history.ts"
import { secretMark } from "../../src/schemas/history.ts"
import { Control } from "../../src/services/Control.ts"
import { History } from "../../src/services/History.ts"
import type { ToolRow } from "../../src/tools/ToolRow.ts"
import { catalog } from "../../src/tools/catalog.ts"
import { chromiumTools } from "../support/ChromiumTools.ts"
import { exampleTask } from "../support/exampleTask.ts"

const word = "hush-7Q"

interface Step {
  readonly tool: string
  readonly args: object
}

/** A call that hands a secret over, and what makes the page ready for it. */
const secretCalls: Readonly<
  Record<string, { readonly before?: Step; readonly args: object; readonly secret?: string }>
> = {
  browser_fill: { args: { fields: [{ label: "Word of the day", value: word }] } },
  browser_type: { before: { tool: "browser_click", args: { selector: "[name=word]" } }, args: { text: word } },
  browser_press_key: {
    before: { tool: "browser_click", args: { selector: "[name=word]" } },
    args: { key: "~" },
    secret: "~"
  },
  browser_dialog: {
    before: { tool: "browser_execute", args: { script: "prompt('Word of the day?')" } },
    args: { action: "accept", prompt_text: word }
  },
  browser_cdp: { args: { method: "Runtime.evaluate", params: { expression: `"${word}"` } } },
  browser_auth: {
    args: { action: "restore", cookies: [{ name: "word", value: word, url: "http://127.0.0.1/" }] }
  }
}

/** The step of the history that a call of the tool left. */
const stepOf = (row: ToolRow, entries: ReadonlyArray<HistoryEntry>): HistoryEntry => {
  const step = entries.findLast((one) => one.tool === row.name)
  if (step === undefined) throw new Error(`${row.name} left no step`)
  return step
}

layer(chromiumTools(), { excludeTestServices: true, timeout: "90 seconds" })("the catalog says truly that", (it) => {
  for (const row of catalog) {
    it.effect(
      row.history === undefined
        ? `${row.name} leaves no step in the history`
        : `${row.name} leaves one step "${row.history}" with its arguments`,
      () =>
        Effect.gen(function* () {
          const history = yield* History
          const { call, ready, task } = yield* exampleTask
          const args = yield* ready(row.name)
          const before = history.entries(task).length
          yield* call(row.name, args)
          const added = history.entries(task).slice(before)
          if (row.history === undefined) return assert.isEmpty(added)
          const step = stepOf(row, added)
          assert.deepInclude(step, { action: row.history, ok: true })
          assert.lengthOf(
            added.filter((one) => one.tool === row.name),
            1
          )
          for (const [name, value] of Object.entries(args)) {
            const kept = step.params[name]
            // what may be secret in any call is left out of each
            if (kept === secretMark) assert.include(row.secret, name)
            else if (name !== "fields" && name !== "from" && name !== "to") assert.deepEqual(kept, value, name)
          }
        })
    )
  }

  for (const row of catalog.filter((one) => one.secret.length > 0)) {
    it.effect(`${row.name} keeps no secret: ${row.secret.join(", ")}`, () =>
      Effect.gen(function* () {
        const history = yield* History
        const { call, ready, task } = yield* exampleTask
        yield* ready("browser_snapshot")
        const secret = secretCalls[row.name]
        assert.isDefined(secret, "no call hands a secret over")
        if (secret?.before !== undefined) yield* call(secret.before.tool, secret.before.args)
        yield* call(row.name, secret?.args ?? {})
        const step = stepOf(row, history.entries(task))
        assert.include(JSON.stringify(step.params), secretMark)
        assert.notInclude(JSON.stringify(step), secret?.secret ?? word)
        assert.notInclude(JSON.stringify(yield* call("browser_history", {})), secret?.secret ?? word)
      })
    )
  }

  for (const row of catalog.filter((one) => one.history !== undefined)) {
    it.effect(`a step of ${row.name} ${row.replayable ? "can be done again" : "is not done again"}`, () =>
      Effect.gen(function* () {
        const control = yield* Control
        const history = yield* History
        const { call, ready, task } = yield* exampleTask
        yield* call(row.name, yield* ready(row.name))
        const { seq } = stepOf(row, history.entries(task))
        yield* control.handBack(task)
        yield* call("browser_restrict", {})
        // the page as it was before
        yield* ready(row.replayable ? row.name : "browser_snapshot")
        const replay = call("browser_replay", { seq })
        if (row.replayable) assert.strictEqual((yield* replay).structured["action"], row.history)
        else assert.strictEqual((yield* Effect.flip(replay)).code, "BROWSER_HISTORY_NOT_REPLAYABLE")
      })
    )
  }

  for (const row of catalog) {
    it.effect(
      row.capability === undefined
        ? `${row.name} needs nothing that a provider may lack`
        : `${row.name} needs a provider with ${row.capability}`,
      () =>
        Effect.gen(function* () {
          const { call, ready, session } = yield* exampleTask
          const args = yield* ready(row.name)
          const open = yield* session
          const nothing = Object.fromEntries(Object.keys(open.capabilities).map((name) => [name, false]))
          Object.assign(open, { capabilities: nothing })
          const answer = call(row.name, args)
          if (row.capability === undefined) return void (yield* answer)
          assert.deepInclude(yield* Effect.flip(answer), {
            code: "BROWSER_CAPABILITY_MISSING",
            capability: row.capability
          })
        })
    )
  }
})
