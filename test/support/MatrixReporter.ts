/** Fails a run in which a test that the documentation names did not run and pass, though its file was run whole. */
import { relative } from "node:path"
import type { Reporter, TestModule, Vitest } from "vitest/node"
import { proofs } from "./supervisorMatrix.ts"

export class MatrixReporter implements Reporter {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const { vitest } = this
    if (vitest === undefined || vitest.config.testNamePattern !== undefined) return
    for (const one of modules) {
      const file = relative(vitest.config.root, one.moduleId)
      for (const proof of proofs) {
        if (proof.file !== file) continue
        const tests = [...one.children.allTests()].filter(({ name }) => name === proof.test)
        if (tests.length > 0 && tests.every((test) => test.result().state === "passed")) continue
        vitest.logger.error(`docs/supervisor.md names a test of ${file} that did not run and pass: ${proof.test}`)
        process.exitCode = 1
      }
    }
  }
}
