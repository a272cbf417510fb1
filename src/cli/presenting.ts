/** Where help goes: to standard output if it was asked for, beside the error if the arguments were wrong. */
import { Console, Effect } from "effect"
import { CliOutput } from "effect/cli"
import { wantsColour } from "./style.ts"

export const presenting = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const formatter = CliOutput.defaultFormatter({ colors: wantsColour(process.stderr.isTTY === true, process.env) })
    return Effect.andThen(
      Console.error(formatter.formatHelpDoc(event.helpDoc)),
      Console.error(formatter.formatErrors(event.errors))
    )
  }
})
