/** Names, at the end of a run with further tries, each test that passed only at one of those, with what it failed by. */
import { relative } from "node:path"
import type { Reporter, TestModule, Vitest } from "vitest/node"

export class SecondTryReporter implements Reporter {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const { vitest } = this
    if (vitest === undefined) return
    for (const one of modules) {
      for (const test of one.children.allTests()) {
        if (test.diagnostic()?.flaky !== true) continue
        const reasons = (test.result().errors ?? []).map(({ message }) => message).join("; ")
        vitest.logger.error(
          `Passed only at a further try: ${relative(vitest.config.root, one.moduleId)} > ${test.fullName}: ${reasons}`
        )
      }
    }
  }
}
