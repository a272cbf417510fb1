/** What filling and typing tell is what the fields hold, and what became of their form. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

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

  it.effect("is told when a dialog opens while it is filled in, field by field", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<form onsubmit="out.textContent = 'sent'; return false"><label>Quay <input id=quay onchange="alert('changed')"></label>
          <label>Zone <input id=zone></label><label>Note <input id=note></label></form><p id=out></p>`)
      )
      const filled = yield* browser.fill({
        fields: [
          { label: "Quay", value: "7" },
          { label: "Zone", value: "north" },
          { label: "Note", value: "fragile" }
        ],
        submit: true
      })
      assert.strictEqual(filled.dialog?.message, "changed")
      const before = `dialog ${filled.dialog?.id} opened before`
      const [quay, ...others] = filled.fields
      assert.deepInclude(quay, { ok: true, target: 'textbox "Quay" (input#quay)', value: "7" })
      assert.deepStrictEqual(others, [
        { ok: false, target: "Zone", error: before },
        { ok: false, target: "Note", error: before }
      ])
      assert.deepInclude(filled, { submitted: false, reason: before })
      yield* browser.answerDialog({ action: "accept" })
      const { value } = yield* browser.execute({ script: "[quay.value, zone.value, note.value, out.textContent]" })
      assert.strictEqual(value, '["7","","",""]')
    })
  )

  it.effect("may be there when the dialog that it opened keeps it from being read back", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<label>Size <select id=size onchange="alert('size')"><option>small<option>big</select></label>
          <label>Word <input id=word type=password oninput="alert('typed')"></label><label>Note <input id=note></label>`)
      )
      for (const [target, field, secret] of [
        ["combobox", { label: "Size", value: "big" }, undefined],
        ["textbox", { label: "Word", value: "x" }, true]
      ] as const) {
        const filled = yield* browser.fill({ fields: [field, { label: "Note", value: "n" }], submit: false })
        const [perhaps, not] = filled.fields
        assert.deepInclude(perhaps, { ok: false, unread: true })
        assert.include(perhaps?.target, target)
        assert.strictEqual(perhaps?.secret, secret)
        assert.include(perhaps?.error, `dialog ${filled.dialog?.id} opened before it could be read back`)
        assert.deepStrictEqual(not, { ok: false, target: "Note", error: `dialog ${filled.dialog?.id} opened before` })
        assert.isUndefined(filled.reason)
        yield* browser.answerDialog({ action: "accept" })
      }
      const { value } = yield* browser.execute({ script: "[size.value, word.value, note.value]" })
      assert.strictEqual(value, '["big","x",""]')
    })
  )

  it.effect("is told whole when its form asks before it is sent, and that it waits for the answer", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/asked", "<h1>Sent</h1>")
      const { browser } = yield* at(
        site.body(`<form action=/asked onsubmit="return confirm('send?')"><label>Quay <input name=quay></label>
          <label>Zone <input name=zone></label><button>Send</button></form>`)
      )
      const filled = yield* browser.fill({
        fields: [
          { label: "Quay", value: "7" },
          { label: "Zone", value: "north" }
        ],
        submit: true
      })
      assert.deepStrictEqual(
        filled.fields.map(({ ok, value }) => [ok, value]),
        [
          [true, "7"],
          [true, "north"]
        ]
      )
      assert.deepInclude(filled, {
        submitted: false,
        reason: `the form waits for the answer to dialog ${filled.dialog?.id}`
      })
      const { outcome } = yield* browser.answerDialog({ action: "accept" })
      assert.include(outcome?.navigatedTo, "/asked?quay=7&zone=north")
    })
  )

  it.effect("is told as submitted when what is opened by that asks something", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/greets", "<h1>Sent</h1><script>alert('thanks')</script>")
      const { browser } = yield* at(site.body(`<form action=/greets><label>Quay <input name=quay></label></form>`))
      const filled = yield* browser.fill({ fields: [{ label: "Quay", value: "7" }], submit: true })
      assert.strictEqual(filled.dialog?.message, "thanks")
      assert.deepInclude(filled, { submitted: true })
      assert.isTrue(filled.fields[0]?.ok)
      yield* browser.answerDialog({ action: "accept" })
    })
  )
})

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("what is typed", (it) => {
  it.effect("is told of the element that had the focus, and where the page moved the focus to", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(
          [1, 2, 3]
            .map((n) => `<input id=o${n} aria-label=Digit${n} maxlength=1 oninput="o${Math.min(3, n + 1)}.focus()">`)
            .join("")
        )
      )
      yield* browser.click({ selector: "#o1", ...left })
      const typed = yield* browser.type({ text: "123" })
      assert.deepInclude(typed, { into: 'textbox "Digit1" (input#o1)', value: "1" })
      assert.deepStrictEqual(typed.movedTo, { target: 'textbox "Digit3" (input#o3)', value: "3" })
      // where the focus stays, there is no more to tell
      const again = yield* browser.type({ text: "4" })
      assert.deepInclude(again, { into: 'textbox "Digit3" (input#o3)', value: "3" })
      assert.isUndefined(again.movedTo)
    })
  )

  it.effect("is told of its element also when that is left for another frame, for a password, or with its page", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      site.page("/found", "<input autofocus aria-label=Other value=other>")
      const { browser } = yield* at(
        site.body(`<form action=/found><input id=n aria-label=Name><input type=password id=p aria-label=Word
          oninput="if (this.value === 'pw.') frames[0].document.querySelector('input').focus()"><button>Go</button></form>
          <iframe srcdoc="<input aria-label=Inner value=inside>"></iframe>`)
      )
      yield* browser.click({ selector: "#n", ...left })
      const password = yield* browser.type({ text: "ada\tpw" })
      assert.deepInclude(password, { value: "ada", secret: true })
      assert.include(password.movedTo?.target, "Word")
      assert.notInclude(password.movedTo?.value, "pw")
      const framed = yield* browser.type({ text: "." })
      assert.include(framed.into, "Word")
      assert.strictEqual(framed.value?.length, password.movedTo?.value?.length)
      assert.deepInclude(framed.movedTo, { value: "inside" })
      yield* browser.click({ selector: "#n", ...left })
      const sent = yield* browser.type({ text: "!\n" })
      assert.include(sent.into, "Name")
      assert.notStrictEqual(sent.value, "other")
      assert.include(sent.navigatedTo, "/found")
    })
  )

  it.effect("may have arrived in part when a dialog opens meanwhile, and is told with its element", () =>
    Effect.gen(function* () {
      const site = yield* TestSite
      const { browser } = yield* at(
        site.body(`<input id=n aria-label=Name oninput="if (this.value === 'a') alert('a')">`)
      )
      yield* browser.click({ selector: "#n", ...left })
      const typed = yield* browser.type({ text: "abc" })
      assert.strictEqual(typed.dialog?.message, "a")
      assert.deepInclude(typed, { into: 'textbox "Name" (input#n)' })
      assert.isUndefined(typed.value)
      yield* browser.answerDialog({ action: "accept" })
    })
  )
})
