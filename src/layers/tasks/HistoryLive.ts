/** The service `History`: a ring for each task, in memory. */
import { Clock, Effect, Layer } from "effect"
import type { HistoryEntry } from "../../schemas/history.ts"
import { historyLimits } from "../../schemas/history.ts"
import type { TaskKey } from "../../schemas/ids.ts"
import { History } from "../../services/History.ts"

/** Tasks whose history is kept; beyond it the one that recorded nothing for longest is forgotten. */
export const maxTasks = 200

interface Ring {
  latest: number
  readonly entries: Array<HistoryEntry>
}

export const layer: Layer.Layer<History> = Layer.sync(History, () => {
  /** in the order of their latest step */
  const rings = new Map<TaskKey, Ring>()
  const ringOf = (task: TaskKey): Ring => {
    const ring = rings.get(task) ?? { latest: 0, entries: [] }
    rings.delete(task)
    rings.set(task, ring)
    if (rings.size > maxTasks) rings.delete(rings.keys().next().value as TaskKey)
    return ring
  }
  return History.of({
    record: (task, step) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const ring = ringOf(task)
        const entry: HistoryEntry = { ...step, seq: ++ring.latest, at }
        ring.entries.push(entry)
        if (ring.entries.length > historyLimits.entries) ring.entries.shift()
        return entry
      }),
    entries: (task) => [...(rings.get(task)?.entries ?? [])],
    find: (task, seq) => rings.get(task)?.entries.find((entry) => entry.seq === seq)
  })
})
