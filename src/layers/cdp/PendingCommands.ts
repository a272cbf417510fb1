/**
 * Commands that wait for their reply. Plain data structure: no fiber, no timer, nothing is awaited here.
 */
import type { Effect } from "effect"
import type { CdpSessionId } from "../../schemas/ids.ts"
import type { CdpError } from "../../services/CdpConnection.ts"

export interface PendingCommand {
  readonly id: number
  readonly method: string
  readonly sessionId: CdpSessionId | undefined
  /** ms that the command was given */
  readonly budget: number
  /** moment (ms since 1970) at which it has expired */
  readonly deadline: number
  /** Completes the caller. Call it once, after the entry has been taken out. */
  readonly settle: (result: Effect.Effect<unknown, CdpError>) => void
}

export interface PendingCommands {
  readonly size: () => number
  readonly add: (command: PendingCommand) => void
  readonly take: (id: number) => PendingCommand | undefined
  /** Takes out all that match, oldest first. The caller settles them afterwards: settling may send new commands. */
  readonly takeWhere: (matches: (command: PendingCommand) => boolean) => ReadonlyArray<PendingCommand>
  /** The next deadline; Infinity if none. */
  readonly nextDeadline: () => number
}

export const makePendingCommands = (): PendingCommands => {
  const commands = new Map<number, PendingCommand>()
  return {
    size: () => commands.size,
    add: (command) => {
      commands.set(command.id, command)
    },
    take: (id) => {
      const command = commands.get(id)
      if (command !== undefined) commands.delete(id)
      return command
    },
    takeWhere: (matches) => {
      const taken: Array<PendingCommand> = []
      for (const command of commands.values()) {
        if (matches(command)) taken.push(command)
      }
      for (const command of taken) commands.delete(command.id)
      return taken
    },
    nextDeadline: () => {
      let next = Number.POSITIVE_INFINITY
      for (const { deadline } of commands.values()) {
        if (deadline < next) next = deadline
      }
      return next
    }
  }
}
