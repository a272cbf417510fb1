import { configDefaults, defineConfig } from "vitest/config"
import { MatrixReporter } from "./test/support/MatrixReporter.ts"
import { SecondTryReporter } from "./test/support/SecondTryReporter.ts"
import { electronMissing } from "./test/support/electronHere.ts"

const missing = electronMissing()
if (missing !== undefined && process.env["EFFECT_BROWSER_TEST_ELECTRON"] === "required") {
  throw new Error(`The tests of the Electron host cannot run: ${missing}`)
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(missing === undefined ? [] : ["test/electron/**"])],
    reporters: ["default", new MatrixReporter(), new SecondTryReporter()],
    // more than two thousand tests with real processes: where a change is judged, one of them that an overloaded machine
    // made late is tried once more and named at the end; at one's own desk each failure is one
    retry: process.env["CI"] === undefined ? 0 : 1,
    globalSetup: ["scripts/vitest-global-setup.ts"],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
