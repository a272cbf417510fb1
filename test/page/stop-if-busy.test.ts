import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeAdmission } from "../../src/layers/page/admission.ts"
import { Tab } from "../../src/layers/page/Tab.ts"
import type { CdpSessionId, TabId, TargetId } from "../../src/schemas/ids.ts"
import type { CdpConnection, CdpMethod } from "../../src/services/CdpConnection.ts"
import { within } from "../../src/services/Timeouts.ts"

/** A tab whose browser answers each command as told. */
const tabOf = (answer: (method: CdpMethod) => Effect.Effect<object>, alone = true) =>
  new Tab({
    id: "t1" as TabId,
    targetId: "page" as TargetId,
    sessionId: "session" as CdpSessionId,
    opener: undefined,
    sharesProcess: false,
    connection: { command: answer } as unknown as CdpConnection["Service"],
    dialogs: { blocking: () => [], readable: () => true, onBlocked: () => () => {}, letGo: () => Effect.void },
    admission: makeAdmission({ allowedHosts: [], deniedHosts: [], privateNetwork: "allow" }),
    openTabs: () => [],
    silencedBy: () => undefined,
    isAlone: () => alone
  })

const busy = (ms: number) =>
  tabOf((method) => (method === "Runtime.terminateExecution" ? Effect.delay(Effect.succeed({}), ms) : Effect.never))

describe("stopping a script that keeps the page busy", () => {
  it.effect("is told although the browser is late to say so", () =>
    Effect.gen(function* () {
      const stopping = yield* Effect.forkChild(busy(1_500).liveness.stopIfBusy, { startImmediately: true })
      yield* TestClock.adjust(1_700)
      assert.isTrue(yield* Fiber.join(stopping))
    })
  )

  it.effect("is not told if the browser never says so, and not waited for beyond the budget", () =>
    Effect.gen(function* () {
      const stopping = yield* Effect.forkChild(within("a tool", 600)(busy(60_000).liveness.stopIfBusy), {
        startImmediately: true
      })
      yield* TestClock.adjust(599)
      assert.isFalse(yield* Fiber.join(stopping))
    })
  )

  it.effect("stops nothing in a page that answers", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const tab = tabOf((method) => Effect.sync(() => ({ sent: sent.push(method) })))
      assert.isFalse(yield* tab.liveness.stopIfBusy)
      assert.deepStrictEqual(sent, ["Runtime.evaluate"])
    })
  )
})

describe("ending a page that is stuck", () => {
  /** What was sent until it was known whether the page was ended. */
  const ending = (delays: Partial<Record<CdpMethod, number>>, alone = true) =>
    Effect.gen(function* () {
      const sent: Array<CdpMethod> = []
      const tab = tabOf((method) => {
        sent.push(method)
        return Effect.delay(Effect.succeed({}), delays[method] ?? 0)
      }, alone)
      tab.model.documents = 1
      const fiber = yield* Effect.forkChild(tab.liveness.endIfStuck(800), { startImmediately: true })
      yield* TestClock.adjust(20_000)
      return { ended: yield* Fiber.join(fiber), tried: sent.includes("Page.crash") }
    })

  it.effect("is done to a page that does not answer although the browser does", () =>
    Effect.gen(function* () {
      // its end is told by an event, which does not come here
      assert.deepStrictEqual(yield* ending({ "Runtime.evaluate": 900 }), { ended: false, tried: true })
    })
  )

  it.effect("is not done to one whose browser is slow itself", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending({ "Runtime.evaluate": 5_000, "Browser.getVersion": 5_000 }), {
        ended: false,
        tried: false
      })
    })
  )

  it.effect("is not done to one that shares its process with another tab", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending({ "Runtime.evaluate": 60_000 }, false), { ended: false, tried: false })
    })
  )
})
