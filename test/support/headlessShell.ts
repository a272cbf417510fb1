/** Whether the tests run on the engine of the package `@sparticuz/chromium`, which does some things unlike a whole Chromium. */
import { basename } from "node:path"

export const isHeadlessShell = basename(process.env["EFFECT_BROWSER_TEST_CHROME"] ?? "") === "headless_shell"

/** Elements within each other that the engine lays out. The renderer of the shell dies at 2,000, of a whole Chromium at 5,000. */
export const deepNesting = isHeadlessShell ? 1_200 : 2_500
