/** The areas of an image map are seen, named and pressed as the links that they are. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium, element, whole } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

/** A plan of 300 by 200 px with a map of rooms. */
const plan = (areas: string, image = "") =>
  `<map name=rooms>${areas}</map><img usemap="#rooms" width=300 height=200 alt="Site plan" ${image}
    src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'/>">`

/** An L: the middle of the box around it lies outside. */
const corner = "0,0, 20,0, 20,170, 290,170, 290,195, 0,195"

const rooms = `<area shape=rect coords="40,10,90,90" href="#kitchen" alt="Kitchen">
  <area shape=circle coords="200,60,40" href="#hall" alt="Hall">
  <area shape=poly coords="${corner}" href="#yard" alt="Yard">
  <area shape=rect coords="100,100,120,120" onclick="document.title = 'scripted'" alt="Scripted">`

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("the areas of an image map", (it) => {
  for (const [where, image, around] of [
    ["at once", "", ""],
    [
      "far down, with a border and padding",
      `style="border: 7px solid; padding: 11px"`,
      "<p style='height: 3000px'>Far</p>"
    ]
  ] as const) {
    it.effect(`are listed by name where they are, and pressed by reference, text and selector, ${where}`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const url = site.body(`${around}${plan(rooms, image)}`)
        const { browser, first } = yield* at(url)
        assert.deepStrictEqual(
          first.elements.filter(({ kind }) => kind !== "text").map(({ kind, label }) => `${kind} ${label}`),
          ["image Site plan", "link Kitchen", "link Hall", "link Yard", "clickable Scripted"]
        )
        const picture = element(first, "image", "Site plan")
        const inset = image === "" ? 0 : 18
        const kitchen = element(first, "link", "Kitchen")
        assert.deepInclude(kitchen, { width: 50, height: 80 })
        assert.strictEqual(kitchen.x, picture.x - picture.width / 2 + inset + 65)
        for (const [label, id] of [
          ["Kitchen", "kitchen"],
          ["Hall", "hall"],
          ["Yard", "yard"]
        ] as const) {
          const { ref } = element(first, "link", label)
          const clicked = yield* browser.clickRef({ snapshotId: first.snapshotId, ref, ...left })
          assert.deepInclude(clicked, { clicked: true, navigatedTo: `${url}#${id}` }, label)
        }
        assert.strictEqual((yield* browser.click({ text: "Hall", ...left })).navigatedTo, `${url}#hall`)
        assert.strictEqual((yield* browser.click({ selector: "[alt=Yard]", ...left })).navigatedTo, `${url}#yard`)
        const { changes } = yield* browser.click({ text: "Scripted", ...left })
        assert.strictEqual(changes?.title, "scripted")
      })
    )
  }

  it.effect("are not there without their image, and no cover is pressed in their place", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const hidden = yield* at(site.body(plan(rooms, "hidden")))
      assert.isEmpty(hidden.first.elements)
      assert.strictEqual((yield* Effect.flip(hidden.browser.click({ text: "Hall", ...left })))._tag, "TargetNotFound")
      const covered = yield* at(
        site.body(`${plan(rooms)}<div style="position: fixed; inset: 0; background: white">Cover</div>`)
      )
      assert.include(element(covered.first, "link", "Hall").states ?? [], "covered")
      const error = yield* Effect.flip(covered.browser.click({ text: "Hall", ...left }))
      assert.strictEqual(error._tag, "TargetCovered")
      assert.include(error.message, "Cover")
    })
  )

  it.effect("are brought into view and marked like any element", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(site.body(`<p style="height: 3000px">Far</p>${plan(rooms)}`))
      const { elements, snapshotId } = yield* browser.snapshot(whole)
      const { ref } = element({ elements }, "link", "Hall")
      const scrolled = yield* browser.scrollIntoView({ snapshotId, ref, block: "center" })
      assert.isAbove(scrolled.y, 2_000)
      assert.notInclude(element(yield* browser.snapshot(whole), "link", "Hall").states ?? [], "offscreen")
    })
  )
})
