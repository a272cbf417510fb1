import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { deepNesting } from "../support/headlessShell.ts"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
})
afterAll(() => browser.close())

const all = { limit: 500, maxChars: 1_000_000, interactive: false, skip: 0 }
const listed = async () => (await page.call("walk", all)).items.map(({ kind, label }) => `${kind} ${label}`)

/** Asks everything once; an exception of any function fails the test. */
const askEverything = async () => {
  const walked = await page.call("walk", all)
  await page.call("search", { text: "a", limit: 10 })
  for (const query of [{ text: "Go" }, { selector: "button" }]) await page.call("find", query)
  for (const { k, fp } of walked.items.slice(0, 5)) {
    await page.call("find", { key: k, fp })
    await page.call("ready", { key: k, fp, timeout: 300, press: true })
    await page.call("hit", { key: k, x: 5, y: 5 })
    await page.call("hitFrame", { key: k, x: 5, y: 5 })
    await page.call("box", { key: k })
    await page.call("contentBox", { key: k })
    await page.call("scrollTo", { key: k, block: "nearest" })
    await page.call("submit", { key: k })
    await page.call("focusField", { key: k })
    await page.call("setField", { key: k, value: "x" })
    await page.call("readField", { key: k, value: "x" })
  }
  for (const label of ["Go", "Mail"]) await page.call("planField", { field: { label }, value: "x" })
  await page.call("focused", {})
  await page.call("scrollState", { x: 10, y: 10 })
  await page.call("waitFor", { text: "never there", state: "visible", timeout: 50 })
  for (const format of ["html", "txt", "json", "markdown"] as const)
    await page.call("content", { format, maxChars: 1000 })
  await page.call("watch", {})
  await page.call("quiet", { idle: 10, timeout: 200 })
  return walked
}

describe("hostile pages", () => {
  it("a form whose controls are named like properties is read all the same", async () => {
    const names =
      "id name parentNode parentElement children childNodes firstChild nextSibling nodeType nodeName tagName localName attributes getAttribute hasAttribute matches closest contains getBoundingClientRect getClientRects shadowRoot style className classList elements length submit requestSubmit checkValidity innerText textContent querySelector querySelectorAll ownerDocument isConnected assignedSlot getRootNode namespaceURI noValidate scrollIntoView focus checkVisibility hidden title dataset tabIndex getAnimations dispatchEvent addEventListener outerHTML nextElementSibling previousElementSibling firstElementChild"
    await page.open(
      `<form onsubmit="event.preventDefault()">${names
        .split(" ")
        .map((name) => `<input name=${name} aria-label=${name}>`)
        .join("")}<button>Go</button></form>`
    )
    const items = await listed()
    assert.strictEqual(items.length, names.split(" ").length + 1)
    assert.include(items, "button Go")
    await askEverything()
    const key = (await page.call("walk", all)).items[0]?.k ?? 0
    assert.deepStrictEqual(await page.call("submit", { key }), { submitted: true })
  })

  it("a document whose pictures and forms are named like its properties is read all the same", async () => {
    const names =
      "body documentElement head title readyState activeElement querySelector querySelectorAll getElementById elementFromPoint createRange createElement scrollingElement styleSheets images hidden doctype defaultView hasFocus getSelection adoptedStyleSheets"
    await page.open(
      `<title>Real</title>${names
        .split(" ")
        .map((name) => `<img name=${name}><form name=${name}></form>`)
        .join("")}<button>Go</button><p>text</p>`
    )
    const walked = await askEverything()
    assert.strictEqual(walked.title, "Real")
    assert.deepStrictEqual(
      walked.items.map(({ kind, label }) => `${kind} ${label}`),
      ["button Go", "text text"]
    )
  })

  it("a page that replaced the built-ins is read all the same", async () => {
    await page.open(
      `<script>
      for (const proto of [Element.prototype, Node.prototype, HTMLElement.prototype, Document.prototype, Array.prototype, String.prototype, Map.prototype])
        for (const name of Object.getOwnPropertyNames(proto)) if (name !== 'constructor') try { Object.defineProperty(proto, name, { configurable: true, get() { throw new Error('no') }, set() {} }) } catch {}
      JSON.stringify = JSON.parse = Object.keys = window.getComputedStyle = window.requestAnimationFrame = window.setTimeout = () => { throw new Error('no') }
      window.MutationObserver = window.WeakMap = window.Promise = undefined
      </script><label>Mail <input></label><button>Go</button>`
    )
    const walked = await askEverything()
    assert.deepStrictEqual(
      walked.items.map(({ kind, label }) => `${kind} ${label}`),
      ["textbox Mail", "button Go"]
    )
  })

  it("a label of ten megabytes is cut while it is read", async () => {
    await page.open("<style>*{white-space:nowrap}</style><button id=b>x</button><a href=/x id=a>y</a><p id=p>z</p>")
    await page.main(
      "b.firstChild.data = 'word '.repeat(2e6); a.setAttribute('aria-label', 'long '.repeat(2e6)); p.firstChild.data = 'text '.repeat(2e6); p.className = 'c '.repeat(2e6); 0"
    )
    // laying such a page out takes the browser seconds; that is not what is measured here
    await page.main("document.body.getBoundingClientRect().height")
    const start = performance.now()
    const walked = await page.call("walk", all)
    console.log(`ten megabyte labels: ${Math.round(performance.now() - start)} ms`)
    assert.deepStrictEqual(
      walked.items.map(({ label }) => label.length),
      [120, 120, 1, 240]
    )
    assert.isBelow(JSON.stringify(walked).length, 3000)
  })

  it("fifty thousand nodes are counted, and what is shown stays bounded", async () => {
    await page.open("<div id=r></div>")
    await page.main(
      "let s=''; for (let i=0;i<10000;i++) s+='<div class=row><span>Entry '+i+'</span> <a href=#'+i+'><b>View</b> '+i+'</a><p>some text</p></div>'; r.innerHTML=s; 0"
    )
    const times: Array<number> = []
    let total = 0
    for (let turn = 0; turn < 3; turn += 1) {
      const start = performance.now()
      const walked = await page.call("walk", { ...all, limit: 200 })
      times.push(Math.round(performance.now() - start))
      total = walked.total
      assert.strictEqual(walked.items.length, 200)
      assert.isTrue(walked.truncated)
    }
    assert.strictEqual(total, 30_000)
    console.log(
      `50,000 nodes: ${times.join(", ")} ms; in this page a plain pass over all styles takes ${await page.main("(()=>{const t=performance.now();for(const e of document.querySelectorAll('*'))getComputedStyle(e).display;return Math.round(performance.now()-t)})()")} ms`
    )
  })

  it("what there is no time to look at is left out, and said to be", async () => {
    await page.open("<div id=r></div>")
    await page.main(
      "let s=''; for (let i=0;i<3000;i++) s+='<label>Entry '+i+'<input></label><button>Go '+i+'</button>'; r.innerHTML=s; 0"
    )
    const { items, total, truncated, unseen } = await page.call("walk", { ...all, budget: 0 })
    assert.isTrue(truncated)
    assert.strictEqual(total, items.length)
    assert.isAbove(total, 0)
    assert.include(items[0]?.label, "Entry 0")
    assert.isDefined(unseen)
    assert.strictEqual(unseen.why, "time")
    assert.isBelow(unseen.looked, unseen.of)
    // what matches among the first may match among the rest, too
    for (const text of ["Go 0", "Go 2999"]) {
      const found = await page.call("find", { text, budget: 0 })
      assert.strictEqual(found.is, "none")
      assert.strictEqual(found.is === "none" ? found.unseen?.why : undefined, "time")
      assert.strictEqual((await page.call("find", { text })).is, "found")
    }
    const planned = await page.call("planField", { field: { label: "Entry 7" }, value: "x", budget: 0 })
    assert.match(planned.how === "refused" ? planned.error : "", /Only \d+ of the 3000 fields here/)
    assert.strictEqual((await page.call("planField", { field: { label: "Entry 2999" }, value: "x" })).how, "text")
    assert.isUndefined((await page.call("walk", all)).unseen)
  })

  it("ten thousand nodes with two thousand links", async () => {
    await page.open("<table id=r></table>")
    await page.main(
      "let s=''; for (let i=0;i<1000;i++) s+='<tr><td>Entry '+i+' <b>x</b></td><td><a href=#v'+i+'><span>View '+i+'</span></a></td><td><a href=#e'+i+'>Edit '+i+'</a></td><td>n</td><td></td></tr>'; r.innerHTML=s; 0"
    )
    const times: Array<number> = []
    for (let turn = 0; turn < 5; turn += 1) {
      const start = performance.now()
      assert.strictEqual((await page.call("walk", { ...all, limit: 300 })).total, 4000)
      times.push(Math.round(performance.now() - start))
    }
    console.log(`10,000 nodes: ${times.join(", ")} ms`)
  })

  it("a page that redraws itself in each frame can be read and pressed", async () => {
    await page.open(
      "<div id=r></div><script>n=0;(function draw(){r.innerHTML='<button>Go</button>';requestAnimationFrame(draw)})()</script>"
    )
    assert.deepStrictEqual(await listed(), ["button Go"])
    await askEverything()
  })

  it("deep nesting does not break anything", async () => {
    await page.open("<div id=r></div>")
    await page.main(
      `let at=r; for (let i=0;i<${deepNesting};i++) { const d=document.createElement('div'); at.append(d); at=d } at.textContent='deep'; document.body.insertAdjacentHTML('beforeend','<button>Go</button>'); 0`
    )
    assert.include(await listed(), "button Go")
  })

  it("labels that name each other in a circle end", async () => {
    await page.open(
      "<button id=a aria-labelledby=b>A</button><button id=b aria-labelledby='c a'>B</button><button id=c aria-labelledby=c>C</button><div id=o aria-owns=o role=button tabindex=0>O</div>"
    )
    await askEverything()
  })

  it("a key that was never given is answered", async () => {
    await page.open("<p>x</p>")
    assert.strictEqual((await page.call("find", { key: 99, fp: 1 })).is, "stale")
    assert.strictEqual((await page.call("ready", { key: 99, timeout: 100, press: true })).is, "stale")
    assert.strictEqual((await page.call("hit", { key: 99, x: 1, y: 1 })).is, "stale")
    assert.isNull(await page.call("box", { key: 99 }))
    assert.isFalse(await page.call("focusField", { key: 99 }))
    assert.deepInclude(await page.call("readField", { key: 99, value: "x" }), { ok: false })
  })

  it("an empty document is answered", async () => {
    await page.open("<p>x</p>")
    await page.main("document.documentElement.remove(); 0")
    assert.strictEqual((await page.call("walk", all)).items.length, 0)
    await page.call("find", { text: "x" })
    await page.call("content", { format: "txt", maxChars: 10 })
    await page.call("waitFor", { text: "x", state: "visible", timeout: 50 })
  })
})
