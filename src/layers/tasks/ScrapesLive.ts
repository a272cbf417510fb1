/** The service `Scrapes`: batches as fibers of the layer, with tabs of the session and a file each. */
import { Deferred, Effect, FiberMap, Layer, Semaphore } from "effect"
import { ScrapeUnknown, WritePathDenied } from "../../schemas/errors.ts"
import type { TaskKey } from "../../schemas/ids.ts"
import { type ScrapeInfo, type ScrapeLine, scrapeLimits } from "../../schemas/scrapes.ts"
import type { BackgroundTab, BrowserSession } from "../../services/BrowserSession.ts"
import type { FileSink } from "../../services/FileAccess.ts"
import { FileAccess } from "../../services/FileAccess.ts"
import { report } from "../../services/Progress.ts"
import { type ScrapeOrder, Scrapes } from "../../services/Scrapes.ts"
import { CurrentDeadline, timeLeft, within } from "../../services/Timeouts.ts"
import * as Batch from "./Scrape.ts"
import { dataOf } from "./scrapeData.ts"
import * as Turns from "./ScrapeTurns.ts"

interface Running {
  readonly id: string
  readonly order: ScrapeOrder
  state: Batch.State
  /** done once the file is in its place */
  readonly ended: Deferred.Deferred<void>
}

interface Known {
  readonly batches: Map<string, Running>
  /** tabs of all batches of the task */
  readonly tabs: Semaphore.Semaphore
}

const infoOf = ({ id, order, state }: Running): ScrapeInfo => ({
  id,
  state: state.state,
  total: state.total,
  done: state.done,
  failed: state.failed,
  path: order.path,
  ...(state.error === undefined ? {} : { error: state.error })
})

/** Kept of a page's time (ms) for telling that a selector did not come. */
const waitMarginMs = 1_000

const inWords = (error: { readonly _tag: string; readonly message: string }): string =>
  `${"code" in error ? String(error.code) : error._tag}: ${error.message}`.slice(0, 500)

/** One page. What is wrong with it is its line; only the end of the session ends the batch. */
const read = (tab: BackgroundTab, order: ScrapeOrder, seq: number, url: string) =>
  Effect.gen(function* () {
    yield* tab.visit(url)
    if (order.waitFor !== undefined) {
      const left = Math.min(yield* timeLeft, order.timeoutMs)
      // less than the page's own time, so that the line says what did not come
      const timeoutMs = Math.max(1, Math.floor(Math.max(left / 2, left - waitMarginMs)))
      yield* tab.waitFor({ selector: order.waitFor, state: "attached", timeoutMs })
    }
    const { exception, kind, ok, truncated, value } = yield* tab.execute({ script: order.script })
    const line: ScrapeLine = ok
      ? {
          seq,
          url,
          ok: true,
          data: dataOf(value, kind, truncated === true),
          ...(truncated === true ? { truncated: true } : {})
        }
      : { seq, url, ok: false, error: `the script threw: ${exception ?? ""}`.slice(0, 500) }
    const status = tab.failedStatus()
    return status === undefined ? line : { ...line, status }
  }).pipe(
    within("reading a page", order.timeoutMs),
    Effect.catchIf(
      (error) => error._tag !== "SessionLost",
      (error) => Effect.succeed<ScrapeLine>({ seq, url, ok: false, error: inWords(error) })
    )
  )

export const layer: Layer.Layer<Scrapes, never, FileAccess> = Layer.effect(
  Scrapes,
  Effect.gen(function* () {
    const files = yield* FileAccess
    const tasks = new Map<TaskKey, Known>()
    const fibers = yield* FiberMap.make<string>()
    /** files of the batches that run, of all tasks, and the batch that writes each */
    const writing = new Map<string, string>()
    let count = 0

    const knownOf = (task: TaskKey): Known => {
      const known = tasks.get(task) ?? { batches: new Map(), tabs: Semaphore.makeUnsafe(scrapeLimits.concurrency) }
      tasks.set(task, known)
      return known
    }

    const feed = (batch: Running, event: Batch.Event): void => {
      batch.state = Batch.transition(batch.state, event)
    }

    const work = (batch: Running, session: BrowserSession, sink: FileSink, tabs: Semaphore.Semaphore) => {
      const { order } = batch
      let turns = Turns.begin(order.urls)
      let withoutTab: string | undefined
      const pages = (tab: BackgroundTab, number: number) =>
        Effect.gen(function* () {
          while (batch.state.state === "running") {
            const [index, then] = Turns.next(turns, number, tab.shown())
            turns = then
            const url = index === undefined ? undefined : order.urls[index]
            if (index === undefined || url === undefined) return
            const line = yield* read(tab, order, index + 1, url)
            yield* sink.append(new TextEncoder().encode(`${JSON.stringify(line)}\n`))
            feed(batch, { _tag: "PageEnded", ok: line.ok })
          }
        })
      const worker = Effect.fnUntraced(
        function* (number: number) {
          const tab = yield* session.background.pipe(
            Effect.catchIf(
              (error) => error._tag !== "SessionLost",
              (error) => {
                // the others go on; if there is none, the batch has failed
                withoutTab = inWords(error)
                return Effect.void
              }
            )
          )
          if (tab !== undefined) yield* pages(tab, number)
        },
        Effect.scoped,
        tabs.withPermits(1)
      )
      const workers = Array.from({ length: Math.min(order.concurrency, order.urls.length) }, (_, number) => number)
      return Effect.forEach(workers, worker, {
        concurrency: "unbounded",
        discard: true
      }).pipe(
        Effect.tap(() =>
          Effect.sync(() => {
            if (withoutTab !== undefined) feed(batch, { _tag: "Broke", reason: withoutTab })
          })
        ),
        Effect.catch((error) => Effect.sync(() => feed(batch, { _tag: "Broke", reason: inWords(error) })))
      )
    }

    const run = (batch: Running, session: BrowserSession, sink: FileSink, tabs: Semaphore.Semaphore) =>
      work(batch, session, sink, tabs).pipe(
        Effect.ensuring(
          Effect.gen(function* () {
            // interrupted from outside: the layer ends
            feed(batch, { _tag: "Stopped" })
            yield* sink.commit.pipe(
              Effect.catch((error) => Effect.logWarning(`The file of scrape ${batch.id} could not be written`, error))
            )
          })
        )
      )

    const find = (task: TaskKey, id: string): Effect.Effect<Running, ScrapeUnknown> =>
      Effect.suspend(() => {
        const batch = tasks.get(task)?.batches.get(id)
        return batch === undefined ? Effect.fail(new ScrapeUnknown({ id })) : Effect.succeed(batch)
      })

    const forgetOldest = ({ batches }: Known): void => {
      for (const [id, batch] of batches) {
        if (batches.size <= scrapeLimits.remembered) return
        if (batch.state.state !== "running") batches.delete(id)
      }
    }

    return Scrapes.of({
      start: Effect.fn("Scrapes.start")(function* (task, session, order) {
        const writer = writing.get(order.path)
        if (writer !== undefined) {
          return yield* new WritePathDenied({
            path: order.path,
            reason: `${writer} is still writing it`,
            remedy: `Write to another file, or wait until ${writer} has ended (browser_scrape with action status).`
          })
        }
        const known = knownOf(task)
        const id = `scrape-${++count}`
        writing.set(order.path, id)
        const batch: Running = {
          id,
          order,
          state: Batch.initial(order.urls.length),
          ended: Deferred.makeUnsafe()
        }
        const opened = yield* Deferred.make<void, WritePathDenied>()
        const whole: Effect.Effect<void> = Effect.gen(function* () {
          const sink = yield* files.create(order.path)
          yield* Deferred.succeed(opened, undefined)
          yield* run(batch, session, sink, known.tabs)
        }).pipe(
          Effect.scoped,
          Effect.catch((error) => Effect.asVoid(Deferred.fail(opened, error))),
          // only now is nothing left beside the file
          Effect.ensuring(
            Effect.suspend(() => {
              writing.delete(order.path)
              return Deferred.succeed(batch.ended, undefined)
            })
          ),
          // it outlives the call that starts it
          Effect.provideService(CurrentDeadline, undefined)
        )
        yield* FiberMap.run(fibers, id, whole)
        yield* Deferred.await(opened)
        known.batches.set(id, batch)
        forgetOldest(known)
        return infoOf(batch)
        // whoever breaks the call off finds the batch in the list
      }, Effect.uninterruptible),
      status: (task, id) => Effect.map(find(task, id), infoOf),
      await: (task, id, ms) =>
        Effect.gen(function* () {
          const batch = yield* find(task, id)
          const tell = Effect.suspend(() =>
            report(`${batch.state.done + batch.state.failed} of ${batch.state.total} pages`)
          )
          yield* Effect.raceFirst(
            Deferred.await(batch.ended),
            Effect.raceFirst(Effect.forever(Effect.andThen(tell, Effect.sleep("1 second"))), Effect.sleep(ms))
          )
          return infoOf(batch)
        }),
      stop: (task, id) =>
        Effect.gen(function* () {
          const batch = yield* find(task, id)
          // the state first: a page that ends meanwhile changes nothing any more
          feed(batch, { _tag: "Stopped" })
          yield* FiberMap.remove(fibers, id)
          yield* Deferred.await(batch.ended).pipe(Effect.timeoutOrElse({ duration: 5_000, orElse: () => Effect.void }))
          return infoOf(batch)
        }),
      list: (task) => [...(tasks.get(task)?.batches.values() ?? [])].map(infoOf)
    })
  })
)
