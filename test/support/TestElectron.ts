/** The Electron that the tests run on. */
import { Context, Effect, Layer } from "effect"
import { type ElectronHere, electronHere, electronMissing } from "./electronHere.ts"

export class TestElectron extends Context.Service<TestElectron, ElectronHere>()("test/TestElectron") {
  /** Dies where none is here: such a run leaves the tests of Electron out, or was told to require it. */
  static readonly layer = Layer.effect(
    TestElectron,
    Effect.suspend(() => {
      const here = electronHere()
      return here === undefined ? Effect.die(new Error(electronMissing())) : Effect.succeed(here)
    })
  )
}
