import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import type { Supervisor } from "../../src/layers/supervisor/SupervisorLive.ts"
import type { TabId } from "../../src/schemas/ids.ts"
import type { FrameTree } from "../../src/schemas/snapshot.ts"
import { supervised, supervisedChromium } from "../support/SupervisedBrowser.ts"
import { TestSite } from "../support/TestSite.ts"

/** The frames of a tree by the last part of their URL, each with its parent's and whether it has its own process. */
const outline = ({ top, children }: FrameTree): ReadonlyArray<string> => {
  const names = new Map(
    [...(top === null ? [] : [top]), ...children].map((frame) => [frame.frame_id, nameOf(frame.url)])
  )
  return [...(top === null ? [] : [top]), ...children].map(
    ({ frame_id, is_oopif, parent_frame_id }) =>
      `${names.get(frame_id)}${is_oopif ? " (own process)" : ""}${parent_frame_id === undefined ? "" : ` in ${names.get(parent_frame_id)}`}`
  )
}

const nameOf = (url: string): string => url.split("/").at(-1) || url

/** Waits until the tree looks so; says how it looks instead. */
const comesToBe = (supervisor: Supervisor, tab: TabId, expected: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const seen = outline(supervisor.frameTree(tab, { whole: true }))
    if (seen.toSorted().join("\n") === expected.toSorted().join("\n")) return
    return yield* Effect.fail(seen)
  }).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1_500 }),
    Effect.catch((seen) => Effect.sync(() => assert.deepStrictEqual(seen.toSorted(), expected.toSorted())))
  )

layer(Layer.merge(supervisedChromium, TestSite.layer), { excludeTestServices: true, timeout: "90 seconds" })(
  "frames in a real Chromium",
  (it) => {
    it.effect(
      "the tree joins frames of every process through navigation, removal and back, and never keeps an old one",
      () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { supervisor, newTab } = yield* supervised()
          const tab = yield* newTab()
          site.page("/deep", `<p>deep</p>`)
          site.page("/same", `<iframe src="${site.otherOrigin}/deep"></iframe>`)
          site.page(
            "/cross",
            `<iframe name=inner src="${site.origin}/deep"></iframe><iframe src="about:blank"></iframe>`
          )
          site.page(
            "/top",
            `<iframe srcdoc="<p>here</p>"></iframe><iframe id=same src="/same"></iframe><iframe id=cross src="${site.otherOrigin}/cross"></iframe>`
          )
          site.page("/next", `<iframe src="/deep"></iframe>`)
          const full = [
            "top",
            "about:srcdoc in top",
            "same in top",
            "cross (own process) in top",
            "deep (own process) in same",
            "deep (own process) in cross",
            "about:blank in cross"
          ]
          yield* tab.open(`${site.origin}/top`)
          yield* comesToBe(supervisor, tab.id, full)
          const tree = supervisor.frameTree(tab.id)
          assert.isFalse(tree.truncated)
          assert.strictEqual(tree.top?.url, `${site.origin}/top`)
          assert.strictEqual(tree.top?.origin, site.origin)
          const cross = tree.children.find(({ url }) => url === `${site.otherOrigin}/cross`)
          assert.strictEqual(cross?.origin, site.otherOrigin)
          assert.strictEqual(tree.children.find(({ name }) => name === "inner")?.parent_frame_id, cross?.frame_id)

          yield* tab.evaluate(`document.getElementById("cross").remove()`)
          yield* comesToBe(
            supervisor,
            tab.id,
            full.filter((line) => !line.includes("cross"))
          )
          yield* tab.evaluate(`document.getElementById("same").src = ${JSON.stringify(`${site.otherOrigin}/cross`)}`)
          yield* comesToBe(supervisor, tab.id, [
            "top",
            "about:srcdoc in top",
            "cross (own process) in top",
            "deep (own process) in cross",
            "about:blank in cross"
          ])
          yield* tab.evaluate(`document.getElementById("same").src = "/deep"`)
          yield* comesToBe(supervisor, tab.id, ["top", "about:srcdoc in top", "deep in top"])

          yield* tab.open(`${site.origin}/next`)
          yield* comesToBe(supervisor, tab.id, ["next", "deep in next"])
          yield* tab.evaluate(`history.pushState(0, "", "/pushed")`)
          yield* comesToBe(supervisor, tab.id, ["pushed", "deep in pushed"])
          yield* tab.open(`${site.otherOrigin}/next`)
          yield* comesToBe(supervisor, tab.id, ["next", "deep in next"])
          assert.strictEqual(supervisor.frameTree(tab.id).top?.origin, site.otherOrigin)
        })
    )

    it.effect("going back to a page kept in memory shows its frames again, those of other processes too", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* supervised()
        const tab = yield* newTab()
        site.page("/leaf", "leaf")
        site.page("/kept", `<iframe src="/leaf"></iframe><iframe src="${site.otherOrigin}/leaf"></iframe>`)
        yield* tab.open(`${site.origin}/kept`)
        const kept = ["kept", "leaf in kept", "leaf (own process) in kept"]
        yield* comesToBe(supervisor, tab.id, kept)
        yield* tab.open(site.page("/elsewhere", "elsewhere"))
        yield* comesToBe(supervisor, tab.id, ["elsewhere"])
        yield* tab.start("history.back()")
        yield* comesToBe(supervisor, tab.id, kept)
        yield* tab.start("history.forward()")
        yield* comesToBe(supervisor, tab.id, ["elsewhere"])
      })
    )

    it.effect("a tree of many frames is cut at 30 and says so, and is whole on demand", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* supervised()
        const tab = yield* newTab()
        yield* tab.open(site.body(`<iframe srcdoc="x"></iframe>`.repeat(31)))
        yield* comesToBe(supervisor, tab.id, [
          nameOf(supervisor.frameTree(tab.id).top?.url ?? ""),
          ...Array.from({ length: 31 }, () => `about:srcdoc in ${nameOf(supervisor.frameTree(tab.id).top?.url ?? "")}`)
        ])
        const capped = supervisor.frameTree(tab.id)
        assert.strictEqual(capped.children.length, 30)
        assert.isTrue(capped.truncated)
        assert.strictEqual(supervisor.frameTree(tab.id, { whole: true }).children.length, 31)
      })
    )

    it.effect("console lines and exceptions of every frame and worker come to their tab", () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { supervisor, newTab } = yield* supervised()
        const tab = yield* newTab()
        site.page(
          "/loud",
          `<script>console.error("from a frame", 0, false, "", null, undefined, -0, 10n, [1, "a"], { b: 2 })</script>`
        )
        yield* tab.open(
          site.body(
            `<iframe src="${site.otherOrigin}/loud"></iframe><script>console.warn("from the page"); setTimeout(() => { throw new Error("thrown") })</script>`
          )
        )
        yield* Effect.gen(function* () {
          const lines = supervisor.console(tab.id).map(({ level, text }) => `${level}: ${text}`)
          return lines.length >= 3 ? lines : yield* Effect.fail(lines)
        }).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1_500 }))
        const lines = supervisor.console(tab.id).map(({ level, text }) => `${level}: ${text.split("\n")[0]}`)
        assert.includeMembers(lines, [
          "warning: from the page",
          `error: from a frame 0 false  null undefined -0 10n [1, "a"] {b: 2}`,
          "exception: Uncaught Error: thrown"
        ])
      })
    )
  }
)
