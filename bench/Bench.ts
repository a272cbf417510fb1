/** What steps are given, and what they give. */
import type { BrowserUnderTest } from "./browserUnderTest.ts"
import type { Measured } from "./interleave.ts"
import type { BenchOptions } from "./options.ts"
import type { Caller } from "./ours/Caller.ts"
import type { Server } from "./ours/Server.ts"
import type { RawBrowser } from "./raw/RawBrowser.ts"
import type { RawPage } from "./raw/RawPage.ts"
import type { Site } from "./site/Site.ts"

export interface Bench {
  readonly options: BenchOptions
  readonly browser: BrowserUnderTest
  readonly site: Site
  /** where the steps call tools */
  readonly server: Caller
  readonly mcp: Server
  readonly rawBrowser: RawBrowser
  readonly page: RawPage
}

/** Something that must hold beside the time: a number with its limit. */
export interface Check {
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly unit: string
}

/** A line of the table. */
export interface Row extends Measured {
  readonly name: string
  /** how many times raw it may take; undefined: nothing to reach */
  readonly target: number | undefined
  /** ms that it may take beyond that */
  readonly allowance?: number
}

export interface StepResult {
  readonly rows: ReadonlyArray<Row>
  readonly checks?: ReadonlyArray<Check>
  /** sentences for the report */
  readonly notes?: ReadonlyArray<string>
}

export interface Step {
  readonly id: string
  readonly quick: boolean
  readonly play: (bench: Bench) => Promise<StepResult>
}
