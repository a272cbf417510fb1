import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Ready } from "../../src/schemas/page.ts"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
})
afterAll(() => browser.close())

const keyOf = async (selector: string): Promise<number> => {
  const found = await page.call("find", { selector })
  if (found.is !== "found") throw new Error(`${selector}: ${JSON.stringify(found)}`)
  return found.k
}
const prepare = async (selector: string, timeout = 3000): Promise<Ready & { readonly key: number }> => {
  const key = await keyOf(selector)
  return { ...(await page.call("ready", { key, timeout, press: true })), key }
}

/** Makes ready, moves there, hit-tests again, presses: as the server does. */
const press = async (selector: string, timeout = 3000): Promise<string> => {
  const ready = await prepare(selector, timeout)
  if (ready.is !== "ready") return ready.is
  await page.move(ready.point.x, ready.point.y)
  const hit = await page.call("hit", { key: ready.key, ...ready.point })
  if (hit.is !== "target" && hit.is !== "successor") return hit.is
  await page.press(ready.point.x, ready.point.y)
  const { received } = await page.call("pressed", { key: ready.key })
  return received ? hit.is : "not received"
}

const count =
  "<script>window.n={};addEventListener('click',e=>{const i=e.composedPath()[0].id||'other';n[i]=(n[i]||0)+1})</script>"
const counts = () => page.main("JSON.stringify(n)")

describe("pressing", () => {
  const rows: ReadonlyArray<readonly [what: string, html: string, selector: string, counted: string]> = [
    ["an ordinary button", "<button id=t>x</button>", "#t", '{"t":1}'],
    [
      "a target far below on a page that scrolls smoothly",
      "<style>html{scroll-behavior:smooth}</style><div style='height:6000px'></div><button id=t>x</button><div style='height:3000px'></div>",
      "#t",
      '{"t":1}'
    ],
    [
      "a target inside two scrolling boxes",
      "<style>html,body{margin:0;height:100%;overflow:hidden}</style><div style='width:400px;height:300px;overflow:auto'><div style='margin-top:700px;height:200px;overflow:auto'><button id=t style='margin:900px 0 400px'>x</button></div><div style='height:500px'></div></div>",
      "#t",
      '{"t":1}'
    ],
    [
      "a link broken over two lines",
      "<p style='width:200px;font:16px/40px monospace'>The oldest stone <a id=t href='#hit'>arch bridge which</a> stands.</p>",
      "#t",
      '{"t":1}'
    ],
    [
      "what is under a sticky header",
      "<div style='position:sticky;top:0;height:380px;background:#ccc'></div><div style='height:900px'></div><button id=t>x</button><div style='height:900px'></div>",
      "#t",
      '{"t":1}'
    ],
    [
      "a button with one half covered",
      "<button id=t style='position:absolute;left:0;top:0;width:200px;height:40px'>x</button><div style='position:absolute;left:60px;top:0;width:140px;height:40px'></div>",
      "#t",
      '{"t":1}'
    ],
    [
      "a button whose text lets the pointer through",
      "<button id=t><span style='pointer-events:none'>x</span></button>",
      "#t",
      '{"t":1}'
    ],
    [
      "a link that is a box around a floating one",
      "<a id=t href='#a'><span id=t style='float:left;width:50px;height:50px'>x</span></a>",
      "a",
      '{"t":1}'
    ]
  ]
  for (const [what, html, selector, counted] of rows) {
    it(`reaches ${what}`, async () => {
      await page.open(html + count)
      assert.strictEqual(await press(selector), "target")
      assert.strictEqual(await counts(), counted)
    })
  }

  it("ticks a checkbox without size through its label, once", async () => {
    await page.open(
      "<style>.c{position:relative;display:inline-flex}.c input{position:absolute;width:0;height:0;opacity:0;margin:0}.c i{width:18px;height:18px;border:2px solid}</style><label class=c><input type=checkbox id=t><i></i>I have read <a href='#terms'>the terms</a> of all of it</label><script>n=0;t.onchange=()=>n++</script>"
    )
    assert.strictEqual(await press("#t"), "target")
    assert.strictEqual(await page.main("t.checked + ' ' + n + location.hash"), "true 1")
  })

  it("reaches a button in a closed shadow root", async () => {
    await page.open(
      "<div id=h style='min-height:9px'></div><script>const r=h.attachShadow({mode:'closed'});r.innerHTML='<button>Join</button>';r.querySelector('button').onclick=()=>document.title='joined'</script>"
    )
    const { suspects } = await page.call("walk", { limit: 9, maxChars: 999, interactive: false, skip: 0 })
    await page.adopt(suspects)
    assert.strictEqual(await press("button"), "target")
    assert.strictEqual(await page.main("document.title"), "joined")
  })

  it("names what covers the target", async () => {
    await page.open(
      "<style>body{overflow:hidden}</style><button id=t style='position:fixed;bottom:20px'>Place order</button><div id=consent role=dialog aria-label=Cookies style='position:fixed;left:0;right:0;bottom:0;height:180px;background:#234'><button style='width:100%;height:180px'>Accept all</button></div>"
    )
    const ready = await prepare("#t")
    assert.strictEqual(ready.is, "covered")
    if (ready.is !== "covered") return
    assert.strictEqual(ready.by, 'button "Accept all" in dialog "Cookies" (div#consent)')
    assert.strictEqual(ready.byBox.height, 180)
  })

  it("says that a target which lets the pointer through is covered by what is behind", async () => {
    await page.open("<main id=m><button id=t style='pointer-events:none'>x</button></main>")
    const ready = await prepare("#t")
    assert.strictEqual(ready.is, "covered")
    assert.include(ready.is === "covered" ? ready.by : "", "main")
  })

  it("waits for a fading cover to go", async () => {
    await page.open(
      `<style>#bd{position:fixed;inset:0;background:#000a;transition:opacity .6s}#bd.off{opacity:0}</style><button id=t>Save</button><div id=bd></div><script>started=new Promise(r=>bd.ontransitionrun=r);setTimeout(()=>{bd.classList.add('off');setTimeout(()=>bd.remove(),600)},10)</script>${count}`
    )
    await page.main("started.then(() => 0)")
    assert.strictEqual(await press("#t"), "target")
    assert.strictEqual(await counts(), '{"t":1}')
  })

  it("waits until a moving target holds still", async () => {
    await page.open(
      `<style>#t{position:absolute;left:0;top:50px;animation:m .5s forwards}@keyframes m{to{left:600px}}</style><button id=t>x</button>${count}`
    )
    assert.strictEqual(await press("#t"), "target")
    assert.strictEqual(await counts(), '{"t":1}')
  })

  it("presses a target that pulses for ever", async () => {
    await page.open(
      `<style>#t{width:100px;height:50px;animation:p .7s infinite alternate}@keyframes p{to{transform:scale(1.1)}}</style><button id=t>x</button>${count}`
    )
    assert.strictEqual(await press("#t", 4000), "target")
  })

  it("gives up on a target that runs around for ever", async () => {
    await page.open(
      "<style>#t{position:absolute;top:50px;animation:m .4s infinite linear}@keyframes m{from{left:0}to{left:800px}}</style><button id=t>x</button>"
    )
    assert.strictEqual((await prepare("#t", 1500)).is, "unstable")
  })

  it("waits for a button to be enabled, and says that it is disabled if it stays so", async () => {
    await page.open(
      "<button id=t disabled>x</button><button id=u disabled>y</button><script>setTimeout(()=>t.disabled=false,200)</script>"
    )
    assert.strictEqual((await prepare("#t")).is, "ready")
    assert.strictEqual((await prepare("#u")).is, "disabled")
  })

  it("says why a hidden target cannot be pressed", async () => {
    await page.open("<div id=d style='display:none'><button id=t>x</button></div>")
    const ready = await prepare("#t")
    assert.deepInclude(ready, { is: "hidden", reason: 'div "x" (div#d) is not displayed' })
  })

  it("notices a cover that comes with the hover", async () => {
    await page.open(
      "<button id=t style='position:absolute;left:0;top:0;width:100px;height:50px'>x</button><div id=c hidden style='position:absolute;inset:0'>tip</div><script>t.onmouseover=()=>c.hidden=false</script>"
    )
    assert.strictEqual(await press("#t"), "covered")
  })

  it("takes a sibling that replaces the target under the pointer for the target", async () => {
    await page.open(
      `<div id=p><button class=a>Like</button></div><script>p.firstChild.onmouseover=()=>{const b=document.createElement('button');b.textContent='Like';b.id='new';p.replaceChildren(b)}</script>${count}`
    )
    assert.strictEqual(await press(".a"), "successor")
    assert.strictEqual(await counts(), '{"new":1}')
  })

  it("does not take another button that comes under the pointer for the target", async () => {
    await page.open(
      "<div id=p><button class=a>Keep</button></div><script>p.firstChild.onmouseover=()=>{const b=document.createElement('button');b.textContent='Lose';p.replaceChildren(b)}</script>"
    )
    assert.strictEqual(await press(".a"), "stale")
  })

  it("does not press a row that was re-used for another record under the pointer", async () => {
    await page.open(
      "<ul><li><span id=a>Ann</span> <button id=t>Delete</button></li><li>Bob <button>Delete</button></li></ul><script>t.onmouseover=()=>a.textContent='Cid'</script>"
    )
    const { items } = await page.call("walk", { limit: 9, maxChars: 999, interactive: true, skip: 0 })
    const { k: key = 0, fp = 0 } = items[0] ?? {}
    const ready = await page.call("ready", { key, fp, timeout: 2000, press: true })
    if (ready.is !== "ready") throw new Error(ready.is)
    await page.move(ready.point.x, ready.point.y)
    const hit = await page.call("hit", { key, ...ready.point })
    assert.deepStrictEqual(hit, { is: "stale", reason: 'its row was "Ann", now "Cid"' })
  })

  it("says that nothing was received if the press went elsewhere", async () => {
    await page.open("<button id=t>x</button><button id=u style='position:absolute;left:300px;top:100px'>other</button>")
    const ready = await prepare("#t")
    if (ready.is !== "ready") throw new Error(ready.is)
    await page.move(ready.point.x, ready.point.y)
    await page.call("hit", { key: ready.key, ...ready.point })
    await page.press(310, 110)
    assert.deepStrictEqual(await page.call("pressed", { key: ready.key }), {
      received: false,
      by: 'button "other" (button#u)'
    })
  })

  it("does not scroll what is in view", async () => {
    await page.open("<div style='height:500px'></div><button id=t>x</button><div style='height:3000px'></div>")
    await prepare("#t")
    assert.strictEqual(await page.main("scrollY"), 0)
  })

  it("tells a frame under the point from what covers it", async () => {
    await page.open(
      "<iframe id=f srcdoc=x style='width:200px;height:100px'></iframe><div id=c hidden style='position:fixed;inset:0'></div>"
    )
    const key = await keyOf("#f")
    assert.deepStrictEqual(await page.call("hitFrame", { key, x: 50, y: 50 }), { is: "target" })
    await page.main("c.hidden=false")
    assert.strictEqual((await page.call("hitFrame", { key, x: 50, y: 50 })).is, "covered")
  })

  it("a hover or a drop target needs no free point", async () => {
    await page.open("<div id=t style='width:90px;height:90px'></div><div style='position:fixed;inset:0'></div>")
    const key = await keyOf("#t")
    assert.strictEqual((await page.call("ready", { key, timeout: 1000, press: false })).is, "ready")
  })
})

describe("the focus", () => {
  it("is told with its value, inside shadow roots too", async () => {
    await page.open(
      "<x-a></x-a><script>const r=document.querySelector('x-a').attachShadow({mode:'open'});r.innerHTML='<input aria-label=In value=abc>';r.firstChild.focus()</script>"
    )
    const { key = 0, ...focus } = await page.call("focused", {})
    assert.deepStrictEqual(await page.call("focused", { key }), { key, ...focus })
    assert.deepStrictEqual(focus, {
      description: 'textbox "In"',
      editable: true,
      password: false,
      value: "abc",
      frame: false
    })
  })
  const rows: ReadonlyArray<readonly [html: string, editable: boolean, value: string | undefined]> = [
    ["<input type=password value=secret autofocus>", true, "••••••••"],
    ["<div contenteditable tabindex=0 autofocus>rich</div>", true, "rich"],
    ["<button autofocus>b</button>", false, undefined],
    ["<input readonly value=r autofocus>", false, "r"],
    ["<p>nothing</p>", false, undefined]
  ]
  for (const [html, editable, value] of rows) {
    it(`of ${html} is ${editable ? "" : "not "}editable`, async () => {
      await page.open(html)
      const focus = await page.call("focused", {})
      assert.deepStrictEqual({ editable: focus.editable, value: focus.value }, { editable, value })
    })
  }
})

describe("scrolling", () => {
  it("positions are told of the page and of what scrolls under a point", async () => {
    await page.open(
      "<body style='margin:0'><div style='height:200px;width:200px;overflow:auto'><div style='height:1000px'></div></div><div style='height:3000px'></div>"
    )
    await page.main("scrollTo(0, 40); document.querySelector('div').scrollTop = 30")
    assert.deepInclude(await page.call("scrollState", {}), { y: 40, maxY: 2500 })
    assert.deepInclude(await page.call("scrollState", { x: 50, y: 50 }), { y: 30, maxY: 800 })
  })
  it("an element is brought to the asked place at once", async () => {
    await page.open(
      "<style>html{scroll-behavior:smooth}</style><body style='margin:0'><div style='height:2000px'></div><p id=t style='margin:0'>x</p><div style='height:2000px'></div>"
    )
    const state = await page.call("scrollTo", { key: await keyOf("#t"), block: "start" })
    assert.deepStrictEqual([state.y, state.box.y], [2000, 0])
  })
})
