import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { FieldQuery } from "../../src/schemas/page.ts"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
  await page.open("<body></body>")
})
afterAll(() => browser.close())

type Value = string | boolean | number | ReadonlyArray<string>

/** Fills a field as the server does: by its plan, with real input. */
const fill = async (field: FieldQuery, value: Value) => {
  const plan = await page.call("planField", { field, value })
  if (plan.how === "refused") return { how: "refused", ok: false, value: "", error: plan.error }
  if (plan.how === "text") {
    assert.isTrue(await page.call("focusField", { key: plan.k }))
    if (plan.text === "")
      await page.cdp("Input.dispatchKeyEvent", {
        type: "keyDown",
        key: "Delete",
        code: "Delete",
        windowsVirtualKeyCode: 46
      })
    else await page.cdp("Input.insertText", { text: plan.text })
  }
  if (plan.how === "set")
    return { how: "set", error: undefined, ...(await page.call("setField", { key: plan.k, value })) }
  if (plan.how === "press") {
    const ready = await page.call("ready", { key: plan.k, timeout: 2000, press: true })
    if (ready.is !== "ready") throw new Error(JSON.stringify(ready))
    await page.press(ready.point.x, ready.point.y)
  }
  return { how: plan.how, error: undefined, ...(await page.call("readField", { key: plan.k, value })) }
}
const content = (html: string) => page.main(`document.body.innerHTML = ${JSON.stringify(html)}; window.n = 0`)
const f: FieldQuery = { selector: "#f" }

describe("a field that is filled", () => {
  const rows: ReadonlyArray<
    readonly [html: string, field: FieldQuery, value: Value, how: string, held: string, check?: string]
  > = [
    ["<input id=f value=old>", f, "new", "text", "new"],
    ["<input id=f value=same>", f, "same", "done", "same"],
    ["<input id=f value=old>", f, "", "text", ""],
    ["<input id=f type=email value=a@b.c>", f, "x@y.example", "text", "x@y.example"],
    ["<input id=f type=number value=18>", f, "41", "text", "41"],
    ["<input id=f type=number step=any>", f, 12.5, "text", "12.5"],
    ["<input id=f type=tel>", f, "555 1234", "text", "555 1234"],
    ["<input id=f type=password value=old>", f, "s3cret", "text", "••••••••", "f.value === 's3cret'"],
    ["<textarea id=f>old text</textarea>", f, "two\nlines", "text", "two\nlines"],
    ["<div id=f contenteditable>old <b>rich</b> text</div>", f, "new text", "text", "new text"],
    ["<select id=f><option>a<option value=PT>Portugal</select>", f, "Portugal", "set", "Portugal", "f.value === 'PT'"],
    ["<select id=f><option>a<option value=PT>Portugal</select>", f, "PT", "set", "Portugal"],
    ["<select id=f><option>a<option>Large</select>", f, "large", "set", "Large"],
    ["<select id=f><option>a<option selected>b</select>", f, "b", "done", "b"],
    ["<select id=f multiple><option>a<option selected>b<option>c</select>", f, ["a", "c"], "set", "a, c"],
    ["<input id=f type=checkbox>", f, true, "press", "true"],
    ["<input id=f type=checkbox>", f, "true", "press", "true"],
    ["<input id=f type=checkbox checked>", f, false, "press", "false"],
    ["<input id=f type=checkbox checked>", f, true, "done", "true"],
    [
      "<div id=f role=switch tabindex=0 aria-checked=false onclick=\"this.setAttribute('aria-checked','true')\">Wi-Fi</div>",
      f,
      true,
      "press",
      "true"
    ],
    [
      "<label><input type=radio name=s value=1 id=f>One</label><label><input type=radio name=s value=2 id=g>Two</label>",
      f,
      "Two",
      "press",
      "true",
      "g.checked"
    ],
    [
      "<label><input type=radio name=s value=1 id=f>One</label><label><input type=radio name=s value=2 id=g>Two</label>",
      f,
      "2",
      "press",
      "true",
      "g.checked"
    ],
    [
      "<fieldset><legend>Speed</legend><label><input type=radio name=s>Slow</label><label><input type=radio name=s id=g>Express</label></fieldset>",
      { label: "Speed" },
      "Express",
      "press",
      "true",
      "g.checked"
    ],
    ["<input id=f type=radio>", f, false, "done", "false"],
    ["<input id=f type=radio>", f, "false", "done", "false"],
    ["<div id=f role=radio aria-checked=false>One</div>", f, false, "done", "false"],
    ["<div id=f role=menuitemradio aria-checked=false>One</div>", f, false, "done", "false"],
    [
      "<div role=menu><div role=menuitemradio aria-checked=false id=f>One</div><div role=menuitemradio aria-checked=false id=g onclick=\"this.setAttribute('aria-checked','true')\">Two</div></div>",
      f,
      "Two",
      "press",
      "true",
      "g.getAttribute('aria-checked') === 'true'"
    ],
    // a button that is named so is chosen by its name
    [
      "<label><input type=radio name=s id=f>True</label><label><input type=radio name=s id=g>False</label>",
      f,
      "false",
      "press",
      "true",
      "g.checked"
    ],
    ["<input id=f type=date>", f, "2027-03-09", "set", "2027-03-09"],
    ["<input id=f type=time>", f, "16:45", "set", "16:45"],
    ["<input id=f type=datetime-local>", f, "2027-03-09T16:45", "set", "2027-03-09T16:45"],
    ["<input id=f type=month>", f, "2027-03", "set", "2027-03"],
    ["<input id=f type=week>", f, "2027-W10", "set", "2027-W10"],
    ["<input id=f type=color>", f, "#3366cc", "set", "#3366cc"],
    ["<input id=f type=range max=100 step=5>", f, "35", "set", "35"],
    ["<input id=f oninput=\"this.value=this.value.replace(/(...)(....)/,'$1-$2')\">", f, "5551234", "text", "555-1234"],
    ["<input id=f role=combobox aria-expanded=false>", f, "Lis", "text", "Lis"],
    [
      "<div role=listbox aria-label=L id=f><div role=option onclick=\"this.setAttribute('aria-selected','true')\">Red</div><div role=option>Blue</div></div>",
      f,
      "Red",
      "press",
      "Red"
    ],
    // how a field is named
    ["<label>Ship name <input id=f></label>", { label: "Ship name" }, "x", "text", "x", "f.value === 'x'"],
    ["<label for=f>Ship name:</label> <input id=f>", { label: "ship name" }, "x", "text", "x", "f.value === 'x'"],
    ["<input id=f aria-label='Ship name'>", { label: "Ship name" }, "x", "text", "x", "f.value === 'x'"],
    ["<span id=a>Ship</span><input id=f aria-labelledby=a>", { label: "Ship" }, "x", "text", "x", "f.value === 'x'"],
    [
      "<label hidden>Ship <input></label><label>Ship <input id=f></label>",
      { label: "Ship" },
      "x",
      "text",
      "x",
      "f.value === 'x'"
    ],
    ["<label>Full ship name <input id=f></label>", { label: "ship" }, "x", "text", "x", "f.value === 'x'"],
    ["<input name=ship id=f>", { name: "ship" }, "x", "text", "x", "f.value === 'x'"],
    ["<input placeholder='Type here' id=f>", { placeholder: "Type here" }, "x", "text", "x", "f.value === 'x'"],
    ["<label id=l>Ship <input id=f></label>", { selector: "#l" }, "x", "text", "x", "f.value === 'x'"]
  ]
  for (const [html, field, value, how, held, check] of rows) {
    it(`${html} by ${JSON.stringify(field)} with ${JSON.stringify(value)} holds ${JSON.stringify(held)} (${how})`, async () => {
      await content(html)
      assert.deepStrictEqual(await fill(field, value), { how, ok: true, error: undefined, value: held })
      if (check !== undefined) assert.isTrue(await page.main(check))
    })
  }

  it("is heard of by its page: input and change, once each", async () => {
    await content("<select id=f><option>a<option>b</select><input type=date id=d>")
    await page.main(
      "window.log=[]; for (const t of ['input','change']) document.addEventListener(t, e => log.push(e.target.id + t), true); 0"
    )
    await fill(f, "b")
    await fill({ selector: "#d" }, "2027-03-09")
    assert.strictEqual(await page.main("log.join(' ')"), "finput fchange dinput dchange")
  })

  it("is heard of by an application that hides the native value", async () => {
    await content("<input type=range id=f>")
    await page.main(
      "const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let seen = '50'; Object.defineProperty(f, 'value', { get() { return native.get.call(this) }, set(v) { seen = v; native.set.call(this, v) } }); f.addEventListener('input', () => { const now = native.get.call(f); if (now !== seen) { seen = now; document.title = 'app ' + now } }); 0"
    )
    await fill(f, "70")
    assert.strictEqual(await page.main("document.title"), "app 70")
  })

  it("may stand in a shadow root", async () => {
    await content("<x-field id=host></x-field>")
    await page.main("host.attachShadow({mode:'open'}).innerHTML = '<label>Mail <input></label>'; 0")
    assert.deepInclude(await fill({ label: "Mail" }, "a@b.c"), { ok: true, value: "a@b.c" })
    assert.deepInclude(await fill({ selector: "#host" }, "d@e.f"), { ok: true, value: "d@e.f" })
  })
})

describe("a field that cannot be filled so is refused", () => {
  const rows: ReadonlyArray<readonly [html: string, field: FieldQuery, value: Value, says: string]> = [
    ["<input id=f type=checkbox>", f, "yes", "true or false"],
    ["<input id=f type=radio>", f, false, ""],
    ["<input id=f type=radio checked>", f, false, "cannot be unchecked"],
    ["<select id=f><option>Red<option>Blue</select>", f, "Green", '"Red", "Blue"'],
    ["<select id=f><option>Red<option>Blue</select>", f, ["Red", "Blue"], "one option"],
    ["<select id=f><option>Red<option disabled>Blue</select>", f, "Blue", "disabled"],
    [`<select id=f>${"<option>x".repeat(30)}</select>`, f, "Green", "and 10 more"],
    ["<input id=f type=date>", f, "9.3.2027", "YYYY-MM-DD"],
    ["<input id=f type=date>", f, "2027-02-30", 'no such day: "2027-02-30"'],
    ["<input id=f type=time>", f, "24:00", "no such time"],
    ["<input id=f type=datetime-local>", f, "2027-02-29T10:00", "no such day or time"],
    ["<input id=f type=datetime-local>", f, "2027-02-28", "YYYY-MM-DDTHH:MM"],
    ["<input id=f type=month>", f, "2027-13", "no such month"],
    ["<input id=f type=week>", f, "2027-W53", "no such week"],
    ["<input id=f type=time>", f, "4 pm", "HH:MM"],
    ["<input id=f type=color>", f, "bluish", "#rrggbb"],
    ["<input id=f type=range max=10>", f, "11", "from 0 to 10"],
    ["<input id=f type=range max=10>", f, "much", "a number"],
    ["<input id=f type=number>", f, "1,5", "a number such as 12.5"],
    ["<input id=f type=file>", f, "x", "browser_upload_file"],
    ["<input id=f type=submit>", f, "x", "a button"],
    ["<input id=f readonly>", f, "x", "read-only"],
    ["<input id=f disabled>", f, "x", "disabled"],
    ["<fieldset disabled><input id=f></fieldset>", f, "x", "disabled"],
    ["<p id=f>x</p>", f, "x", "takes no value"],
    ["<input>", { selector: "#f" }, "x", "No element matches"],
    ["<input>", { selector: "a[" }, "x", "not a valid CSS selector"],
    ["<label>Mail <input></label><label>Phone <input></label>", { label: "Fax" }, "x", '"Mail", "Phone"'],
    ["<label>Mail <input id=a></label><label>Mail <input id=b></label>", { label: "Mail" }, "x", "2 fields have"],
    ["<div id=f role=combobox tabindex=0>Large</div>", f, "Small", "press it"]
  ]
  for (const [html, field, value, says] of rows) {
    it(`${html.slice(0, 90)} with ${JSON.stringify(value)}: ${says}`, async () => {
      await content(html)
      const filled = await fill(field, value)
      if (says === "") assert.strictEqual(filled.how, "done")
      else {
        assert.strictEqual(filled.how, "refused")
        assert.include(filled.error ?? "", says)
      }
    })
  }

  const kept: ReadonlyArray<readonly [what: string, html: string, value: string, says: string]> = [
    ["cuts it", "<input id=f maxlength=3>", "abcdef", "at most 3 characters"],
    ["empties it", "<input id=f oninput=\"this.value=''\">", "abc", "empty now"],
    ["replaces it", "<input id=f oninput=\"this.value='zzz'\">", "abc", "another value"]
  ]
  for (const [what, html, value, says] of kept) {
    it(`a field whose page ${what} is not filled`, async () => {
      await content(html)
      const filled = await fill(f, value)
      assert.isFalse(filled.ok)
      assert.include(filled.error ?? "", says)
    })
  }
})

describe("submitting", () => {
  const submit = async (html: string) => {
    await content(html)
    await page.main(
      "window.sent = []; for (const form of document.forms) form.addEventListener('submit', e => { e.preventDefault(); sent.push(e.submitter?.id ?? 'none') }); 0"
    )
    const found = await page.call("find", { selector: "#f" })
    const answer = await page.call("submit", { key: found.is === "found" ? found.k : 0 })
    return { ...answer, sent: await page.main("sent.join()") }
  }
  it("presses the default button", async () => {
    assert.deepStrictEqual(await submit("<form><input id=f><button id=b onclick='n++'>Go</button></form>"), {
      submitted: true,
      sent: "b"
    })
    assert.strictEqual(await page.main("n"), 1)
  })
  it("works without a button", async () => {
    assert.deepStrictEqual(await submit("<form><input id=f></form>"), { submitted: true, sent: "none" })
  })
  it("says which field is not valid", async () => {
    const answer = await submit("<form><input id=f><input required aria-label=Mail><button>Go</button></form>")
    assert.isFalse(answer.submitted)
    assert.include(answer.reason ?? "", 'textbox "Mail"')
    assert.strictEqual(answer.sent, "")
  })
  it("does not press a disabled button", async () => {
    assert.deepInclude(await submit("<form><input id=f><button disabled>Go</button></form>"), {
      submitted: false,
      sent: ""
    })
  })
  it("needs a form", async () => {
    assert.deepInclude(await submit("<input id=f>"), { submitted: false })
  })
})

describe("a field that is not there", () => {
  it("is answered with the fields that are, and how many more there are", async () => {
    await content(
      Array.from({ length: 15 }, (_, index) => `<input aria-label="Berth ${index}" placeholder="p${index}">`).join("")
    )
    const byLabel = await fill({ label: "Nowhere" }, "x")
    assert.match(byLabel.error ?? "", /Fields here: "Berth 0", .*"Berth 11" and 3 more\.$/)
    const byPlaceholder = await fill({ placeholder: "Nowhere" }, "x")
    assert.match(byPlaceholder.error ?? "", /Fields here: "p0", .* and 3 more\.$/)
    await content(`<input aria-label="Berth">`)
    assert.match((await fill({ label: "Nowhere" }, "x")).error ?? "", /Fields here: "Berth"\.$/)
  })
})
