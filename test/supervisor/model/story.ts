/** A run told in lines that a person can follow. */
import type { SupervisorCommand } from "../../../src/schemas/supervisorCommand.ts"
import type { SupervisorEvent } from "../../../src/schemas/supervisorEvent.ts"
import type { Told } from "./World.ts"

const show = (value: unknown): string =>
  value instanceof Error
    ? value.name
    : typeof value === "object" && value !== null
      ? `{${Object.entries(value)
          .filter(([key, part]) => key !== "at" && part !== undefined)
          .map(([key, part]) => `${key} ${show(part)}`)
          .join(", ")}}`
      : String(value)

const tell = (thing: SupervisorEvent | SupervisorCommand): string => {
  const { _tag, ...rest } = thing
  const fields = Object.entries(rest).filter(([key, value]) => key !== "at" && value !== undefined)
  return fields.length === 0 ? _tag : `${_tag}: ${fields.map(([key, value]) => `${key} ${show(value)}`).join(", ")}`
}

/** One numbered line for each event, and below it what the supervisor wanted done. */
export const story = (told: ReadonlyArray<Told>): string =>
  told
    .flatMap(({ event, commands }, index) => [
      `${String(index + 1).padStart(3)}. ${tell(event)}`,
      ...commands.map((command) => `       -> ${tell(command)}`)
    ])
    .join("\n")
