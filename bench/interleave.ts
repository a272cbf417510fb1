/** Plays one step on both sides in turn, so that whatever else the machine does hits both alike. */
import { cpuTime } from "./processFacts.ts"
import type { Caller } from "./ours/Caller.ts"

export interface Side {
  /** brings everything into place for a round; not timed */
  readonly prepare?: (round: number) => Promise<unknown>
  /** the step; false if it ended otherwise than it should */
  readonly act: (round: number) => Promise<boolean>
}

export interface Measured {
  /** ms of each round */
  readonly ours: ReadonlyArray<number>
  readonly raw: ReadonlyArray<number>
  /** rounds of ours that were right */
  readonly right: number
  /** of a round of ours */
  readonly calls: number
  readonly characters: number
  /** ms of the server's user and system time in a round, on average */
  readonly cpu: number | undefined
}

/** Rounds that are played before it counts. */
const warmUp = 2

/** ms for which a step goes on after its rounds: a step of 1 ms is over before its code is compiled. */
const longEnough = 4_000

/** Rounds after which even the shortest step has been played often enough. */
const mostRounds = 400

const timed = async (act: () => Promise<boolean>): Promise<{ readonly ms: number; readonly right: boolean }> => {
  const start = performance.now()
  const right = await act()
  return { ms: performance.now() - start, right }
}

/**
 * Plays at least so many rounds, a short step longer; who begins changes from round to round. Throws if the raw side
 * ever ends wrongly.
 */
export const interleave = async (atLeast: number, server: Caller, ours: Side, raw: Side): Promise<Measured> => {
  const times = { ours: [] as number[], raw: [] as number[] }
  let right = 0
  let calls = 0
  let characters = 0
  let cpu: number | undefined = 0
  const playOurs = async (round: number, counts: boolean) => {
    await ours.prepare?.(round)
    const before = { calls: server.calls, characters: server.characters, cpu: cpuTime(server.pid) }
    const result = await timed(() => ours.act(round))
    if (!counts) return
    times.ours.push(result.ms)
    if (result.right) right++
    calls += server.calls - before.calls
    characters += server.characters - before.characters
    const after = cpuTime(server.pid)
    cpu = cpu === undefined || after === undefined || before.cpu === undefined ? undefined : cpu + after - before.cpu
  }
  const playRaw = async (round: number, counts: boolean) => {
    await raw.prepare?.(round)
    const result = await timed(() => raw.act(round))
    if (!result.right) throw new Error("the raw side did not do its step")
    if (counts) times.raw.push(result.ms)
  }
  const start = performance.now()
  const goesOn = (played: number) => played < atLeast || (played < mostRounds && performance.now() - start < longEnough)
  for (let round = 0; goesOn(times.ours.length); round++) {
    const counts = round >= warmUp
    if (round % 2 === 0) {
      await playOurs(round, counts)
      await playRaw(round, counts)
    } else {
      await playRaw(round, counts)
      await playOurs(round, counts)
    }
  }
  const rounds = times.ours.length
  return {
    ...times,
    right,
    calls: calls / rounds,
    characters: characters / rounds,
    cpu: cpu === undefined ? undefined : cpu / rounds
  }
}
