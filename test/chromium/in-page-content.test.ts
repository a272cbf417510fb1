import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
})
afterAll(() => browser.close())

const read = async (format: "html" | "txt" | "json" | "markdown", selector?: string, maxChars = 100_000) => {
  const payload = await page.call("content", { format, maxChars, ...(selector === undefined ? {} : { selector }) })
  return payload.is === "content" ? payload.content : payload.is
}

describe("content", () => {
  it("as HTML keeps class, style, data and SVG attributes", async () => {
    await page.open("<p class=a style='color:red' data-x=1>x</p><svg viewBox='0 0 9 9'><path d='M0 0h9'></path></svg>")
    const html = await read("html")
    for (const part of [
      "<!DOCTYPE html>",
      'class="a"',
      'style="color:red"',
      'data-x="1"',
      'viewBox="0 0 9 9"',
      'd="M0 0h9"'
    ])
      assert.include(html, part)
  })
  it("as HTML never shows a password", async () => {
    await page.open("<input type=password value=hunter2>")
    assert.notInclude(await read("html"), "hunter2")
    assert.strictEqual(await page.main("document.querySelector('input').value"), "hunter2")
  })
  it("as HTML holds shadow roots as declarative ones", async () => {
    await page.open("<x-a id=t></x-a><script>t.attachShadow({mode:'open'}).innerHTML='<b>in</b>'</script>")
    assert.include(await read("html", "#t"), '<template shadowrootmode="open"><b>in</b></template>')
  })
  it("as text is what is rendered", async () => {
    await page.open("<h1>T</h1><p>a <b>b</b></p><p hidden>no</p><script>1</script>")
    assert.strictEqual((await read("txt")).replace(/\n+/g, "|"), "T|a b")
  })
  it("as text reaches into shadow roots", async () => {
    await page.open(
      "<p>out</p><x-a id=t></x-a><script>t.attachShadow({mode:'open'}).innerHTML='<p>in</p><p hidden>no</p>'</script>"
    )
    assert.strictEqual(await read("txt"), "out\nin")
  })
  it("as JSON is the payload of a page that is one", async () => {
    await page.open('<pre>{"a": [1, 2]}</pre>')
    assert.strictEqual(await read("json"), '{"a":[1,2]}')
  })
  it("as JSON is the structure of any other page", async () => {
    await page.open(
      "<title>T</title><h1>Head</h1><a href=/x>Link</a><table><caption>C</caption><tr><td>1<td>2</table><ul><li>a<ul><li>b</ul><li>c</ul><form name=f><label>Mail <input value=v></label><label>P <input type=password value=p></label></form>"
    )
    assert.deepStrictEqual(JSON.parse(await read("json")), {
      url: "http://page.example/page",
      title: "T",
      headings: [{ level: 1, text: "Head" }],
      links: [{ text: "Link", href: "http://page.example/x" }],
      tables: [{ caption: "C", rows: [["1", "2"]] }],
      lists: [[{ text: "a", items: [{ text: "b" }] }, { text: "c" }]],
      forms: [
        {
          name: "f",
          fields: [
            { kind: "textbox", label: "Mail", value: "v" },
            { kind: "textbox", label: "P", value: "••••••••" }
          ]
        }
      ]
    })
  })
  it("as JSON says which lists end before their end", async () => {
    const times = (count: number, one: string) => one.repeat(count)
    const cut = async (body: string) => {
      await page.open(body)
      const payload = await page.call("content", { format: "json", maxChars: 1_000_000 })
      return payload.is === "content" ? payload.cut : undefined
    }
    const table = (rows: number, cells: number) => `<table>${times(rows, `<tr>${times(cells, "<td>1")}`)}</table>`
    assert.isUndefined(await cut(`${times(40, "<a href=/x>x</a> ")}${table(40, 40)}<p hidden><a href=/y>y</a></p>`))
    assert.deepStrictEqual(
      await cut(
        `${times(41, "<a href=/x>x</a> ")}${table(41, 41)}<ul>${times(41, "<li>1")}</ul><form>${times(41, "<input>")}</form>${times(9, "<ol><li>n")}`
      ),
      [
        "links after the first 40",
        "rows of tables after the first 40",
        "cells of rows after the first 40",
        "items of lists after the first 40",
        "lists more than 8 deep in others",
        "fields of forms after the first 40"
      ]
    )
  })
  it("for Markdown is visible HTML without dressing, with whole addresses", async () => {
    await page.open(
      "<div class=x><h1 style='color:red'>T</h1><script>1</script><p hidden>no</p><p>a &lt; <a href=/x onclick=1>b</a></p></div>"
    )
    assert.strictEqual(
      await read("markdown"),
      '<div><div><h1>T</h1><p>a &lt; <a href="http://page.example/x">b</a></p></div></div>'
    )
  })
  it("for Markdown keeps buttons in the line that they stand in, so that a cell with buttons stays a cell", async () => {
    await page.open("<table><tr><td>Yoga<button>Book</button><button>Drop</button></td><td>9</td></tr></table>")
    assert.strictEqual(
      await read("markdown", "table"),
      "<table><tbody><tr><td>Yoga Book  Drop </td><td>9</td></tr></tbody></table>"
    )
  })
  it("is cut at the limit, with its whole length told", async () => {
    await page.open("<p>0123456789</p>")
    assert.deepStrictEqual(await page.call("content", { format: "txt", maxChars: 4 }), {
      is: "content",
      content: "0123",
      total: 10,
      frames: 0
    })
  })
  it("of nothing is none, of a bad selector invalid", async () => {
    await page.open("<p>x</p>")
    assert.strictEqual(await read("txt", "#no"), "none")
    assert.strictEqual(await read("txt", "a["), "invalid")
  })
})

describe("a bot check", () => {
  const walk = () => page.call("walk", { limit: 5, maxChars: 500, interactive: false, skip: 0 })
  it("that nobody sees does not block", async () => {
    await page.open(
      "<h1>Shop</h1><p>Many words.</p><iframe src='http://www.google.example/recaptcha/api2/anchor' style='width:0;height:0'></iframe>"
    )
    assert.deepInclude((await walk()).challenge, { blocked: false, kind: "recaptcha" })
  })
  it("that covers the page blocks", async () => {
    await page.open(
      "<iframe src='http://newassets.hcaptcha.com.example/x' style='position:fixed;inset:0;width:100%;height:100%'></iframe>"
    )
    assert.deepInclude((await walk()).challenge, { blocked: true, kind: "hcaptcha" })
  })
  it("that is a known waiting page blocks", async () => {
    await page.open("<title>Just a moment...</title><p>Checking your browser</p>")
    assert.isTrue((await walk()).challenge?.blocked)
  })
  it("is not seen where there is none", async () => {
    await page.open("<title>Shop</title><p>x</p>")
    assert.isUndefined((await walk()).challenge)
  })
})
