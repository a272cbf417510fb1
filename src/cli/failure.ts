/** How a failure is told: code, what happened and what to do, on standard error; its kind as exit code. */
import { Console, Effect } from "effect"
import { CliError } from "effect/cli"
import type { BrowserError } from "../schemas/errors.ts"
import { ExitWith } from "./ExitWith.ts"
import { exitCode, exitCodes } from "./exitCodes.ts"
import { oneShotAdvice } from "./oneShotAdvice.ts"
import { errorStyle } from "./style.ts"

/** Prints an error and yields the exit code. Errors of the options have been printed with the help already. */
export const failure = (error: BrowserError | CliError.CliError | ExitWith): Effect.Effect<number> => {
  if (error instanceof ExitWith) return Effect.succeed(error.exitCode)
  if (CliError.isCliError(error)) {
    const asked = error._tag === "ShowHelp" && error.errors.length === 0
    return Effect.succeed(asked ? exitCodes.ok.code : exitCodes.usage.code)
  }
  const style = errorStyle()
  return Effect.as(
    Console.error(
      `${style.red(style.bold(error.code))}: ${error.message}\n${style.dim("Next:")} ${oneShotAdvice(error)}`
    ),
    exitCode(error)
  )
}
