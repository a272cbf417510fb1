import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
  await page.open("<body></body>")
})
afterAll(() => browser.close())

const content = (html: string) => page.main(`document.body.innerHTML = ${JSON.stringify(html)}`)

describe("an element found by text", () => {
  const rows: ReadonlyArray<
    readonly [what: string, html: string, text: string, expected: string | ReadonlyArray<string>]
  > = [
    [
      "is the one with exactly that name",
      "<button>Save all</button><button id=t>Save</button>",
      "Save",
      'button "Save" (button#t)'
    ],
    [
      "is the control and not the text that says the same",
      "<p>Save</p><button id=t>Save</button>",
      "Save",
      'button "Save" (button#t)'
    ],
    [
      "is a text if no control says it",
      "<p id=t>Thank you</p><button>Thanks</button>",
      "Thank you",
      'text "Thank you"'
    ],
    [
      "is the control around the text",
      "<a href=/x id=t><b>Lisbon</b> <i>Portugal</i></a>",
      "Lisbon",
      'link "Lisbon Portugal" (a#t)'
    ],
    [
      "may be named by its label",
      "<label>Terms <input type=checkbox id=t></label>",
      "Terms",
      'checkbox "Terms" (input#t)'
    ],
    ["may be named by aria-label", "<button aria-label=Close id=t>×</button>", "Close", 'button "Close" (button#t)'],
    [
      "may be called by its visible text although its name is another",
      "<button aria-label='Close window' id=t>Shut</button>",
      "Shut",
      'button "Close window" (button#t)'
    ],
    [
      "may be a submit button",
      "<input type=submit value='Place order' id=t>",
      "Place order",
      'button "Place order" (input#t)'
    ],
    ["may be broken over inline parts", "<p id=t><span>F</span><span>i</span><span>n</span></p>", "Fin", 'text "F"'],
    [
      "may be an option of an open list",
      "<div role=listbox aria-label=l><div role=option id=t>Lisbon</div></div>",
      "Lisbon",
      'option "Lisbon" (div#t)'
    ],
    [
      "is found whatever the case, if nothing has the same case",
      "<button id=t>PLACE ORDER</button>",
      "place order",
      'button "PLACE ORDER" (button#t)'
    ],
    ["prefers the same case", "<button>save</button><button id=t>Save</button>", "Save", 'button "Save" (button#t)'],
    [
      "is found by a part of its name, if that is the only one",
      "<button id=t>Finish order now</button><p>order</p>",
      "Finish",
      'button "Finish order now" (button#t)'
    ],
    ["is never hidden", "<button hidden>Go</button><button id=t>Go</button>", "Go", 'button "Go" (button#t)'],
    [
      "is not the covered one of two",
      "<button>OK</button><div style='position:fixed;inset:0;background:#fff'><button id=t style='position:absolute;top:300px'>OK</button></div>",
      "OK",
      'button "OK" (button#t)'
    ],
    [
      "is not the disabled one of two",
      "<button disabled>OK</button><button id=t>OK</button>",
      "OK",
      'button "OK" (button#t)'
    ],
    [
      "is the inner one of two that say the same",
      "<div style='cursor:pointer'><span>x</span><a href=/x id=t>Go</a></div>",
      "Go",
      'link "Go" (a#t)'
    ],
    ["is one of several", "<button>Edit</button><button>Edit</button>", "Edit", ["several", "2"]],
    ["is one of several parts", "<button>Edit one</button><button>Edit two</button>", "Edit", ["several", "2"]],
    ["is none", "<button>Edit</button>", "Delete", ["none", "0"]],
    ["is none if all are hidden", "<button hidden>Edit</button>", "Edit", ["none", "0"]]
  ]
  for (const [what, html, text, expected] of rows) {
    it(`${what}: "${text}" in ${html}`, async () => {
      await content(html)
      const found = await page.call("find", { text })
      if (typeof expected === "string")
        assert.strictEqual(found.is === "found" ? found.description : JSON.stringify(found), expected)
      else
        assert.deepStrictEqual([found.is, String("candidates" in found ? found.candidates.length : -1)], [...expected])
    })
  }

  it("is found at the end of two thousand rows", async () => {
    await content(
      `<table>${Array.from({ length: 2000 }, (_, i) => `<tr><td>Entry ${i}<td><a href=#${i}>View ${i}</a>`).join("")}</table><button>Finish order</button>`
    )
    assert.strictEqual((await page.call("find", { text: "Finish order" })).is, "found")
  })
})

describe("an element found by selector", () => {
  it("is the first one that can be used", async () => {
    await content("<button hidden class=b id=h>1</button><button class=b id=t>2</button>")
    assert.deepInclude(await page.call("find", { selector: ".b" }), {
      is: "found",
      description: 'button "2" (button#t)'
    })
  })
  it("may be hidden if it is the only one", async () => {
    await content("<button hidden id=h>1</button>")
    assert.strictEqual((await page.call("find", { selector: "#h" })).is, "found")
  })
  it("is looked for in shadow roots if the document has none", async () => {
    await content("<div id=host></div>")
    await page.main("host.attachShadow({mode:'open'}).innerHTML = '<button class=in>In</button>'")
    assert.strictEqual((await page.call("find", { selector: ".in" })).is, "found")
  })
  it("says that the selector is bad", async () => {
    assert.strictEqual((await page.call("find", { selector: "a[" })).is, "invalid")
  })
  it("says that a frame is one", async () => {
    await content("<iframe srcdoc=x></iframe>")
    assert.deepInclude(await page.call("find", { selector: "iframe" }), { is: "found", frame: true })
  })
})
