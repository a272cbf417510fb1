import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Lane from "../../src/layers/tasks/Lane.ts"
import { active, arrivals, commands, play, Steps } from "./LaneTrace.ts"

const input = { steps: Steps, limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 })) }
const options = { arbitrary: { runs: 400, size: 60 } }

describe("whatever calls arrive, leave, end or lose their session, in a lane", () => {
  it.prop(
    "at most one write works, and never beside a read",
    input,
    ({ steps, limit }) => {
      for (const { after } of play(steps, limit)) {
        const writes = active(after).filter((work) => work.mode === "write")
        assert.isTrue(writes.length === 0 || active(after).length === 1)
      }
    },
    options
  )

  it.prop(
    "writes begin in the order of their arrival",
    input,
    ({ steps, limit }) => {
      const moments = play(steps, limit)
      const modes = arrivals(moments)
      const writes = commands(moments, "Start")
        .map((start) => start.work)
        .filter((work) => modes.get(work)?.mode === "write")
      assert.deepStrictEqual(
        writes,
        [...writes].sort((a, b) => a - b)
      )
    },
    options
  )

  it.prop(
    "a read begins only when every earlier write has ended, so it never overtakes one",
    input,
    ({ steps, limit }) => {
      for (const { after, commands } of play(steps, limit)) {
        for (const command of commands) {
          const work = after.works.find((candidate) => command._tag === "Start" && candidate.id === command.work)
          if (work?.mode !== "read") continue
          assert.deepStrictEqual(
            after.works.filter((other) => other.mode === "write" && other.id < work.id),
            []
          )
        }
      }
    },
    options
  )

  it.prop(
    "whatever may work has been started: no wake-up is lost",
    input,
    ({ steps, limit }) => {
      for (const { after } of play(steps, limit)) {
        after.works.forEach((work, index) => {
          if (work.status !== "queued") return
          const earlier = after.works.slice(0, index).filter((other) => other.mode !== "free")
          assert.isTrue(work.mode === "write" ? earlier.length > 0 : earlier.some((other) => other.mode === "write"))
        })
      }
    },
    options
  )

  it.prop(
    "a free call works from the moment of its arrival",
    input,
    ({ steps, limit }) => {
      for (const { event, commands } of play(steps, limit)) {
        if (event._tag === "Arrived" && event.mode === "free")
          assert.deepStrictEqual(commands, [{ _tag: "Start", work: event.call }])
      }
    },
    options
  )

  it.prop(
    "every call is settled exactly once, and nothing is left at the end",
    input,
    ({ steps, limit }) => {
      const moments = play(steps, limit)
      const settled = [
        ...commands(moments, "Refuse").map((refuse) => refuse.call),
        ...commands(moments, "Settle").flatMap((settle) => settle.calls),
        ...moments.flatMap(({ event }) => (event._tag === "Left" ? [event.call] : []))
      ]
      assert.deepStrictEqual(
        settled.sort((a, b) => a - b),
        [...arrivals(moments).keys()]
      )
      assert.deepStrictEqual(moments.at(-1)?.after.works ?? [], [])
    },
    options
  )

  it.prop(
    "the end of a work, good or bad, answers its own callers and no others",
    input,
    ({ steps, limit }) => {
      for (const { before, event, commands } of play(steps, limit)) {
        if (event._tag !== "Finished") continue
        const own = before.works.find((work) => work.id === event.work)?.callers ?? []
        const answered = commands.flatMap((command) => (command._tag === "Settle" ? command.calls : []))
        assert.deepStrictEqual(answered, own)
      }
    },
    options
  )

  it.prop(
    "only reads of one key are shared, with no write queued and no free call ended between them",
    input,
    ({ steps, limit }) => {
      const moments = play(steps, limit)
      const all = arrivals(moments)
      for (const { after } of moments) {
        for (const work of after.works.filter((candidate) => candidate.callers.length > 1)) {
          const sharing = work.callers.flatMap((caller) => all.get(caller) ?? [])
          assert.deepStrictEqual(
            [...new Set(sharing.map(({ mode, key }) => `${mode} ${key}`))],
            [`read ${work.shared?.key}`]
          )
          const first = all.get(work.id)?.index ?? 0
          const last = Math.max(...sharing.map(({ index }) => index))
          for (const { before, event, after: then } of moments.slice(first, last)) {
            const wrote = event._tag === "Arrived" && event.mode === "write" && then !== before
            const acted =
              event._tag === "Finished" && before.works.some(({ id, mode }) => id === event.work && mode === "free")
            assert.isFalse(wrote || acted)
          }
        }
      }
    },
    options
  )

  it.prop(
    "equal reads with nothing between them share one work",
    input,
    ({ steps, limit }) => {
      for (const { after } of play(steps, limit)) {
        const open = after.works
          .filter((work) => work.status !== "stopping" && work.shared !== undefined)
          .map((work) => JSON.stringify(work.shared))
        assert.strictEqual(new Set(open).size, open.length)
      }
    },
    options
  )

  it.prop(
    "a work is interrupted once, and only when its last caller left or its session is gone",
    input,
    ({ steps, limit }) => {
      const moments = play(steps, limit)
      const interrupted = commands(moments, "Interrupt").map((command) => command.work)
      assert.strictEqual(new Set(interrupted).size, interrupted.length)
      for (const { before, event, commands } of moments) {
        for (const command of commands) {
          if (command._tag !== "Interrupt") continue
          const callers = before.works.find((work) => work.id === command.work)?.callers
          assert.isTrue(
            event._tag === "Left"
              ? callers?.length === 1 && callers[0] === event.call
              : event._tag === "Dropped" && event.works.includes(command.work)
          )
        }
      }
    },
    options
  )

  it.prop(
    "a call is refused exactly if it would have to wait and the queue is full",
    input,
    ({ steps, limit }) => {
      for (const { before, event, after, commands } of play(steps, limit)) {
        assert.isAtMost(Lane.waiting(after), limit)
        const refused = commands.some((command) => command._tag === "Refuse")
        if (!refused) continue
        assert.strictEqual(Lane.waiting(before), limit)
        assert.strictEqual(after, before)
        assert.isTrue(event._tag === "Arrived" && event.mode !== "free")
      }
    },
    options
  )

  it.prop(
    "a queued call waits for the works before it, and a working one for none",
    input,
    ({ steps, limit }) => {
      for (const { after } of play(steps, limit)) {
        for (const work of after.works) {
          for (const caller of work.callers) {
            const blockers = Lane.blockers(after, caller)
            assert.strictEqual(blockers.length > 0, work.status === "queued")
            assert.isTrue(blockers.every((blocker) => blocker.id < work.id))
          }
        }
      }
    },
    options
  )

  it.prop(
    "an event about something that is not there changes nothing",
    { steps: Steps, events: Schema.Array(Lane.Event) },
    ({ steps, events }) => {
      const state = play(steps, 4)[steps.length >> 1]?.after ?? Lane.empty(4)
      const known = new Set(state.works.flatMap((work) => [work.id, ...work.callers]))
      for (const event of events) {
        const strange =
          event._tag === "Dropped"
            ? event.works.every((work) => !known.has(work))
            : event._tag !== "Arrived" && !known.has(event._tag === "Left" ? event.call : event.work)
        if (strange) assert.deepStrictEqual(Lane.transition(state, event), { state, commands: [] })
      }
    },
    options
  )
})
