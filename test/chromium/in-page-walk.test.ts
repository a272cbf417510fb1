import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { WalkItem, WalkOptions } from "../../src/schemas/page.ts"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
})
afterAll(() => browser.close())

const all: WalkOptions = { limit: 500, maxChars: 1_000_000, interactive: false, skip: 0 }
const show = async (html: string, options: Partial<WalkOptions> = {}) => {
  await page.open(html)
  return page.call("walk", { ...all, ...options })
}
const lines = (items: ReadonlyArray<WalkItem>) => items.map(({ kind, label }) => `${kind} ${label}`)
const listed = async (html: string, options: Partial<WalkOptions> = {}) => lines((await show(html, options)).items)

describe("what is listed", () => {
  const rows: ReadonlyArray<readonly [what: string, html: string, expected: ReadonlyArray<string>]> = [
    [
      "text and controls come in reading order",
      "<p>Read <a href=/x>the terms</a> first.</p><button>Next</button>",
      ["text Read", "link the terms", "text first.", "button Next"]
    ],
    [
      "inline parts of a block are one text",
      "<p>one <b>two</b> <i>th</i>ree</p><p>four</p>",
      ["text one two three", "text four"]
    ],
    [
      "letters of their own are one text",
      "<p><span style='display:inline-block'>A</span><span style='display:inline-block'>b</span></p>",
      ["text Ab"]
    ],
    ["neighbouring controls stay apart", "<button>a</button><button>b</button>", ["button a", "button b"]],
    [
      "hidden things are left out",
      "<p hidden>a</p><p style='visibility:hidden'>b</p><p style='opacity:0'>c</p><template>d</template><p>e</p>",
      ["text e"]
    ],
    [
      "a visible part of an invisible one is listed",
      "<p style='visibility:hidden'>a <b style='visibility:visible'>b</b></p>",
      ["text b"]
    ],
    [
      "closed details hide what is inside",
      "<details><summary>More</summary><button>In</button>text</details>",
      ["button More"]
    ],
    [
      "open details show it",
      "<details open><summary>More</summary><button>In</button></details>",
      ["button More", "button In"]
    ],
    ["hidden until found is hidden", "<div hidden=until-found>secret<button>b</button></div><p>x</p>", ["text x"]],
    [
      "a collapsed box hides what is inside",
      "<div style='height:0;overflow:hidden'>text<button>b</button></div><p>x</p>",
      ["text x"]
    ],
    [
      "text for screen readers only is left out",
      "<span style='position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)'>sr</span><p>x</p>",
      ["text x"]
    ],
    [
      "what is pushed out of the page is left out",
      "<a href=/x style='position:absolute;left:-9999px'>Skip</a><p>x</p>",
      ["text x"]
    ],
    ["a transparent button can still be pressed", "<button style='opacity:0'>Ghost</button>", ["button Ghost"]],
    [
      "aria-hidden controls can still be pressed",
      "<div aria-hidden=true><button>Press</button></div>",
      ["button Press"]
    ],
    [
      "a checkbox without size stands where its label is",
      "<label><input type=checkbox style='position:absolute;width:0;height:0;opacity:0'><i style='display:inline-block;width:9px;height:9px'></i>Terms</label>",
      ["checkbox Terms"]
    ],
    [
      "a checkbox that is not displayed stands where its label is",
      "<input type=checkbox id=c style='display:none'><label for=c>Terms</label>",
      ["checkbox Terms"]
    ],
    [
      "a file field that is not displayed stands where its label is",
      "<label>Choose photo<input type=file hidden></label>",
      ["file Choose photo"]
    ],
    [
      "a label of nothing usable is a text",
      "<label for=s>Size</label><select id=s style='display:none'><option>L</select>",
      ["text Size"]
    ],
    [
      "a text inside a control is not listed again",
      "<a href=/x><h3>Title</h3><img alt=Photo src=x width=9 height=9></a>",
      ["link Title Photo"]
    ],
    ["a heading and the link in it are both listed", "<h3><a href=/x>Title</a></h3>", ["heading Title", "link Title"]],
    [
      "controls inside a pressable card are listed",
      "<div style='cursor:pointer'>Lamp <button>Buy</button></div>",
      ["clickable Lamp Buy", "button Buy"]
    ],
    [
      "the frame around one control is not listed",
      "<span style='cursor:pointer'><button style='cursor:pointer'>Buy</button></span>",
      ["button Buy"]
    ],
    [
      "parts of a pressable area are not listed again",
      "<div style='cursor:pointer'><span>a</span> <span>b</span></div>",
      ["clickable a b"]
    ],
    [
      "pressable rows are listed one by one",
      "<table style='cursor:pointer'><tr><td>Ann<td>1<tr><td>Bob<td>2</table>",
      ["row Ann 1", "row Bob 2"]
    ],
    [
      "options of an open list are listed",
      "<div role=listbox><div role=option>a</div><div role=option>b</div></div>",
      ["listbox ", "option a", "option b"]
    ],
    [
      "options of a list box are listed",
      "<select size=3 aria-label=L><option>a<option>b</select>",
      ["listbox L", "option a", "option b"]
    ],
    ["options of a closed list are not", "<select aria-label=L><option>a<option>b</select>", ["combobox L"]],
    ["words in a picture are listed", "<svg width=99 height=30><text x=0 y=20>Sales</text></svg>", ["text Sales"]],
    [
      "content of shadow roots stands in its place",
      "<x-a>light</x-a><script>const r=document.querySelector('x-a').attachShadow({mode:'open'});r.innerHTML='<button>In</button><slot></slot>'</script>",
      ["button In", "text light"]
    ],
    [
      "what is not slotted is not listed",
      "<x-a>light</x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<p>shadow</p>'</script>",
      ["text shadow"]
    ]
  ]
  for (const [what, html, expected] of rows) {
    it(what, async () => assert.deepStrictEqual(await listed(html), expected))
  }

  it("the content of a closed shadow root is listed once it has been handed over", async () => {
    const html =
      "<div id=h style='min-height:9px'></div><script>h.attachShadow({mode:'closed'}).innerHTML='<label>Mail <input></label><button>Join</button>'</script>"
    const first = await show(html)
    assert.deepStrictEqual(lines(first.items), [])
    assert.strictEqual(await page.adopt(first.suspects), 1)
    const second = await page.call("walk", all)
    assert.deepStrictEqual(lines(second.items), ["textbox Mail", "button Join"])
    assert.deepStrictEqual(second.suspects, [])
  })

  it("an element without a closed shadow root is suspected once", async () => {
    const first = await show("<div style='width:50px;height:50px'></div>")
    assert.strictEqual(first.suspects.length, 1)
    assert.strictEqual(await page.adopt(first.suspects), 0)
    assert.deepStrictEqual((await page.call("walk", all)).suspects, [])
  })
})

describe("states and values", () => {
  const rows: ReadonlyArray<readonly [html: string, value: string | undefined, states: ReadonlyArray<string>]> = [
    ["<input value=abc>", "abc", []],
    ["<input type=password value=hunter2>", "••••••••", []],
    ["<input type=password>", "", []],
    ["<input autocomplete='section-a one-time-code' value=1234>", "••••••••", []],
    ["<input autocomplete=cc-csc value=123>", "••••••••", []],
    ["<textarea>long\ntext</textarea>", "long\ntext", []],
    ["<select><option>a<option selected>b</select>", "b", []],
    ["<select multiple><option selected>a<option selected>b</select>", "a, b", []],
    ["<input type=range value=30>", "30", []],
    ["<div role=slider tabindex=0 aria-valuenow=3 aria-valuetext=low>x</div>", "low", []],
    ["<div contenteditable>some <b>text</b></div>", "some text", []],
    ["<input type=checkbox checked>", undefined, ["checked"]],
    ["<input type=checkbox id=m><script>m.indeterminate=true</script>", undefined, ["mixed"]],
    ["<div role=checkbox aria-checked=mixed tabindex=0>x</div>", undefined, ["mixed"]],
    ["<button disabled>x</button>", undefined, ["disabled"]],
    ["<fieldset disabled><button>x</button></fieldset>", undefined, ["disabled"]],
    ["<button aria-disabled=true>x</button>", undefined, ["disabled"]],
    ["<div inert><button>x</button></div>", undefined, ["disabled", "covered"]],
    ["<button aria-expanded=false>x</button>", undefined, ["collapsed"]],
    ["<details open><summary>x</summary></details>", undefined, ["expanded"]],
    ["<div role=tab tabindex=0 aria-selected=true>x</div>", undefined, ["selected"]],
    ["<a href=/x aria-current=page>x</a>", undefined, ["selected"]],
    ["<button aria-pressed=true>x</button>", undefined, ["pressed"]],
    ["<input required>", "", ["required"]],
    ["<input aria-invalid=true>", "", ["invalid"]],
    ["<input readonly value=x>", "x", ["readonly"]],
    ["<input autofocus>", "", ["focused"]],
    ["<div style='height:3000px'></div><button>x</button>", undefined, ["offscreen"]],
    ["<button>x</button><div style='position:fixed;inset:0'></div>", undefined, ["covered"]],
    [
      "<div style='overflow:auto;height:50px'><div style='height:300px'></div><button>x</button></div>",
      undefined,
      ["offscreen"]
    ]
  ]
  for (const [html, value, states] of rows) {
    it(`${html} shows ${value ?? "no value"} and ${states.join(", ") || "no state"}`, async () => {
      const item = (await show(html)).items.find((candidate) => candidate.act === 1)
      assert.deepStrictEqual({ value: item?.value, states: item?.states ?? [] }, { value, states })
    })
  }
})

describe("bounds", () => {
  const buttons = (count: number) => Array.from({ length: count }, (_, index) => `<button>b${index}</button>`).join("")
  for (const count of [9, 10, 11]) {
    it(`with a limit of 10, ${count} elements are ${count > 10 ? "cut" : "whole"}`, async () => {
      const result = await show(buttons(count), { limit: 10 })
      assert.deepStrictEqual(
        { shown: result.items.length, total: result.total, truncated: result.truncated },
        { shown: Math.min(count, 10), total: count, truncated: count > 10 }
      )
    })
  }

  it("pages follow each other without gap or overlap", async () => {
    const first = await show(`<p>text</p>${buttons(25)}`, { limit: 10 })
    const rest = [first]
    for (const skip of [10, 20]) rest.push(await page.call("walk", { ...all, limit: 10, skip }))
    assert.deepStrictEqual(
      rest.flatMap((result) => lines(result.items)),
      ["text text", ...Array.from({ length: 25 }, (_, index) => `button b${index}`)]
    )
    assert.deepStrictEqual(
      rest.map((result) => result.truncated),
      [true, true, false]
    )
  })

  it("the filter comes before the cut", async () => {
    const result = await show(`${buttons(30)}<a href=/x>Finish order</a>`, { limit: 1, query: "finish" })
    assert.deepStrictEqual([lines(result.items), result.total, result.truncated], [["link Finish order"], 1, false])
  })

  it("characters are bounded too", async () => {
    const result = await show("<p>aaaaaaaaaa</p>".repeat(10), { maxChars: 35 })
    assert.deepStrictEqual([result.items.length, result.total, result.truncated], [3, 10, true])
  })

  it("a part is looked at by selector or key, and a bad one is said to be bad", async () => {
    await show("<nav aria-label=A><a href=/x>in</a></nav><a href=/y>out</a>")
    assert.deepStrictEqual(lines((await page.call("walk", { ...all, selector: "nav" })).items), [
      "navigation A",
      "link in"
    ])
    const nav = (await page.call("walk", all)).items[0]
    assert.deepStrictEqual(lines((await page.call("walk", { ...all, rootKey: nav?.k ?? 0 })).items), [
      "navigation A",
      "link in"
    ])
    assert.strictEqual((await page.call("walk", { ...all, selector: "a[" })).error, "selector")
    assert.strictEqual((await page.call("walk", { ...all, rootKey: 9999 })).error, "root")
  })

  it("only what can be acted on is listed if asked for", async () => {
    assert.deepStrictEqual(await listed("<h1>t</h1><p>x</p><button>b</button>", { interactive: true }), ["button b"])
  })

  it("the same page gives the same list and the same keys", async () => {
    const first = await show("<h1>t</h1><p>x <a href=/x>y</a></p><input value=1>")
    const second = await page.call("walk", all)
    assert.deepStrictEqual(second.items, first.items)
  })

  it("search finds texts and names in the whole page", async () => {
    await show(
      "<p>Alpha beta</p><div style='height:3000px'></div><button>ALPHA button</button><input aria-label=gamma>"
    )
    const found = await page.call("search", { text: "alpha", limit: 10 })
    assert.deepStrictEqual(lines(found.items), ["text Alpha beta", "button ALPHA button"])
  })

  it("the content box of a frame leaves out border and padding", async () => {
    const { items } = await show(
      "<body style='margin:0'><iframe style='margin:5px;border:12px solid;padding:9px;width:100px;height:50px' srcdoc=x></iframe>"
    )
    assert.deepStrictEqual(items[0]?.content, { x: 26, y: 26, width: 100, height: 50 })
  })

  it("a link broken over lines is placed on its larger part", async () => {
    const { items } = await show(
      "<p style='width:120px;font:16px/20px monospace'>aaa bbb ccc <a href=/x>ddd eeeeeeeeeee</a></p>"
    )
    const link = items.find((item) => item.kind === "link")
    const under = await page.main(`document.elementFromPoint(${link?.x}, ${link?.y}).localName`)
    assert.strictEqual(under, "a")
  })
})
