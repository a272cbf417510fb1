/** Ends the program with an exit code after everything has been said. */
import { Schema } from "effect"

export class ExitWith extends Schema.TaggedError<ExitWith>()("ExitWith", { exitCode: Schema.Int }) {}
