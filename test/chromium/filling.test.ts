/** What filling and typing tell is what the fields hold, and what became of their form. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("what is filled in", (it) => {
  for (const [what, second] of [
    ["a value that a field does not take", { label: "To", value: "Carol" }],
    ["a label that no field has", { label: "Too", value: "Bob" }],
    ["a page that changed it when the focus had left it", { label: "Code", value: "42" }]
  ] as const) {
    it.effect(`is not submitted without all of it: ${what}`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        site.page("/paid", "<h1>Paid</h1>")
        const { browser } = yield* at(
          site.body(`<form action=/paid><label>Amount <input name=amount></label>
            <label>To <select name=to><option>Alice<option>Bob</select></label>
            <label>Code <input onblur="this.value = ''"></label><button>Pay</button></form>`)
        )
        const filled = yield* browser.fill({
          fields: [second, { label: "Amount", value: "100" }],
          submit: true
        })
        assert.deepStrictEqual(
          filled.fields.map(({ ok }) => ok),
          [false, true]
        )
        assert.deepInclude(filled, { submitted: false, reason: "1 field was not filled" })
        assert.isUndefined(filled.navigatedTo)
        assert.strictEqual((yield* browser.execute({ script: "document.forms[0].amount.value" })).value, '"100"')
        // and with all of it, it is
        const whole = yield* browser.fill({ fields: [{ label: "To", value: "Bob" }], submit: true })
        assert.isTrue(whole.submitted)
        assert.include(whole.navigatedTo, "/paid?amount=100&to=Bob")
      })
    )
  }
})
