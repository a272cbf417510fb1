/** Forms that the browser does not send, because it finds fields in them invalid: a person sees a bubble. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ActOutcome } from "../../src/schemas/tools/common.ts"
import { at, chromium, element } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

const form = `<form action="/sent"><label>Name <input name=name required></label>
  <label>Code <input name=code pattern="[A-Z]{3}" value=abc></label><button>Send</button>
  <button formnovalidate type=button onclick="this.form.checkValidity()">Check</button></form>
  <div role=button onclick="document.forms[0].requestSubmit()">Send by script</div>`

const told = ({ unsent }: ActOutcome) => unsent?.fields.map(({ target }) => target.split(" (")[0])

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("a form that is not sent", (it) => {
  it.effect(
    "is told with its fields, their references and what the browser says of them, again if it happens again",
    () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser, first } = yield* at(site.body(form))
        for (const turn of [1, 2]) {
          const { unsent } = yield* browser.click({ text: "Send", ...left })
          assert.strictEqual(unsent?.total, 2, `turn ${turn}`)
          const [name, code] = unsent?.fields ?? []
          assert.strictEqual(name?.ref, element(first, "textbox", "Name").ref)
          assert.match(name?.reason ?? "", /fill/i)
          assert.strictEqual(code?.ref, element(first, "textbox", "Code").ref)
          assert.match(code?.reason ?? "", /format/i)
        }
        // told once: an act that sends nothing is not blamed for it
        assert.isUndefined((yield* browser.pressKey({ key: "Tab" })).unsent)
      })
  )

  it.effect("is told however it was to be sent: by the Enter key, by a script, inside a shadow root", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`${form}<x-form></x-form><script>customElements.define("x-form", class extends HTMLElement {
          constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<form><input required aria-label=Berth><button>Book</button></form>" } })</script>`)
      )
      yield* browser.click({ selector: "[name=code]", ...left })
      assert.deepStrictEqual(told(yield* browser.pressKey({ key: "Enter" })), ['textbox "Name"', 'textbox "Code"'])
      assert.deepStrictEqual(told(yield* browser.click({ text: "Send by script", ...left })), [
        'textbox "Name"',
        'textbox "Code"'
      ])
      assert.deepStrictEqual(told(yield* browser.click({ text: "Book", ...left })), ['textbox "Berth"'])
    })
  )

  it.effect("is not spoken of where the page only asks whether it is valid, or where it is sent", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/sent", "<h1>Sent</h1>")
      const { browser } = yield* at(site.body(form))
      assert.isUndefined((yield* browser.click({ text: "Check", ...left })).unsent)
      yield* browser.fill({
        fields: [
          { label: "Name", value: "Ada" },
          { label: "Code", value: "ABC" }
        ],
        submit: false
      })
      const sent = yield* browser.click({ text: "Send", ...left })
      assert.isUndefined(sent.unsent)
      assert.include(sent.navigatedTo, "/sent?name=Ada&code=ABC")
    })
  )

  it.effect("what is filled in and not valid is shown as invalid at once; what nobody has touched is not", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser, first } = yield* at(
        site.body(`<form><label>Mail <input type=email></label><label>Day <input type=date min="2030-01-01"></label>
          <label>Size <select required><option value="">none</option><option>big</option></select></label>
          <label>Name <input required></label></form>`)
      )
      assert.notInclude(JSON.stringify(first.elements), "invalid")
      const filled = yield* browser.fill({
        fields: [
          { label: "Day", value: "2029-12-31" },
          { label: "Mail", value: "nobody" }
        ],
        submit: false
      })
      const states = (label: string) => filled.changes?.elements.find((one) => one.label === label)?.states ?? []
      assert.include(states("Day"), "invalid")
      assert.include(states("Mail"), "invalid")
      const mended = yield* browser.fill({ fields: [{ label: "Mail", value: "ada@harbour.example" }], submit: false })
      assert.notInclude(mended.changes?.elements.find((one) => one.label === "Mail")?.states ?? [], "invalid")
    })
  )
})
