import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { WaitCondition } from "../../src/schemas/page.ts"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
})
afterAll(() => browser.close())

type Condition = Partial<WaitCondition>
const wait = (condition: Condition) => page.call("waitFor", { state: "visible", timeout: 3000, ...condition })

describe("waiting", () => {
  const met: ReadonlyArray<readonly [what: string, html: string, later: string, condition: Condition, holds: string]> =
    [
      [
        "for an element that comes",
        "<p>x</p>",
        "document.body.append(Object.assign(document.createElement('b'),{id:'t',textContent:'there'}))",
        { selector: "#t" },
        "!!document.querySelector('#t')"
      ],
      ["for an element that is shown", "<p id=t hidden>there</p>", "t.hidden=false", { selector: "#t" }, "!t.hidden"],
      [
        "for an element that a style shows",
        "<style>#t{display:none}.on #t{display:block}</style><p id=t>there</p>",
        "document.body.className='on'",
        { selector: "#t" },
        "t.offsetHeight>0"
      ],
      [
        "for an element that is attached though hidden",
        "<p>x</p>",
        "document.body.insertAdjacentHTML('beforeend','<p id=t hidden>x</p>')",
        { selector: "#t", state: "attached" },
        "!!document.querySelector('#t')"
      ],
      [
        "for an element to be hidden",
        "<p id=t>wait</p>",
        "t.style.display='none'",
        { selector: "#t", state: "hidden" },
        "t.style.display==='none'"
      ],
      [
        "for an element to go",
        "<p id=t>wait</p>",
        "t.remove()",
        { selector: "#t", state: "detached" },
        "!document.querySelector('#t')"
      ],
      [
        "for a text that is there hidden from the start",
        "<template>Ready to board</template><p style='display:none'>Ready to board</p><p id=t hidden>Ready to board</p>",
        "t.hidden=false",
        { text: "Ready to board" },
        "!t.hidden"
      ],
      [
        "for a text across inline parts",
        "<p id=t>Total: </p>",
        "t.innerHTML='Total: <b>12</b>.<i>50</i>'",
        { text: "Total: 12.50" },
        "t.textContent.endsWith('50')"
      ],
      ["for a text to go", "<p id=t>Loading</p>", "t.hidden=true", { gone: "Loading" }, "t.hidden"],
      [
        "for a text in a shadow root",
        "<x-a id=t></x-a><script>t.attachShadow({mode:'open'}).innerHTML='<p>x</p>'</script>",
        "t.shadowRoot.querySelector('p').textContent='Deep text'",
        { text: "Deep text" },
        "true"
      ],
      [
        "for a text on a button",
        "<input type=button value=Wait id=t>",
        "t.value='Go on'; t.setAttribute('value','Go on')",
        { text: "Go on" },
        "t.value==='Go on'"
      ],
      [
        "for a text that fades in",
        "<p id=t style='opacity:0'>Hello there</p>",
        "t.style.opacity='1'",
        { text: "Hello there" },
        "t.style.opacity==='1'"
      ],
      [
        "for an element and a text",
        "<p id=t>x</p>",
        "document.body.append('now')",
        { selector: "#t", text: "now" },
        "document.body.textContent.includes('now')"
      ]
    ]
  for (const [what, html, later, condition, holds] of met) {
    it(`${what} ends when it is so, not before`, async () => {
      await page.open(`${html}<script>window.done=false;setTimeout(()=>{${later};window.done=true},250)</script>`)
      const outcome = await wait(condition)
      assert.strictEqual(outcome.is, "met")
      assert.isTrue(await page.main(`window.done && ${holds}`))
    })
  }

  it("ends at once if it is so already, and tells what was found", async () => {
    await page.open("<p id=t>Hello   there</p>")
    assert.deepStrictEqual(await wait({ selector: "#t" }), { is: "met", tag: "p", text: "Hello there" })
  })
  const never: ReadonlyArray<readonly [html: string, condition: Condition, seen: string]> = [
    ["<p>x</p>", { selector: "#t" }, "no element matches"],
    ["<p id=t hidden>x</p>", { selector: "#t" }, "1 element matches, none visible"],
    ["<p id=t>x</p>", { selector: "#t", state: "hidden" }, "1 element matches, one of them visible"],
    ["<p hidden>Hello</p>", { text: "Hello" }, "the text is in the page, but hidden"],
    ["<p>x</p>", { text: "Hello" }, "the text is not in the page"],
    ["<p>Hello</p>", { gone: "Hello" }, "the text is still visible"],
    ["<p style='height:0;overflow:hidden'>Hello</p>", { text: "Hello" }, "the text is in the page, but hidden"]
  ]
  for (const [html, condition, seen] of never) {
    it(`for ${JSON.stringify(condition)} on ${html} ends by its limit: ${seen}`, async () => {
      await page.open(html)
      assert.deepStrictEqual(await wait({ ...condition, timeout: 200 }), { is: "timeout", seen })
    })
  }
  it("says that a selector is bad", async () => {
    await page.open("<p>x</p>")
    assert.strictEqual((await wait({ selector: "a[" })).is, "invalid")
  })
  it("leaves a page that changes in each frame most of its time", async () => {
    await page.open(
      "<p id=c>0</p><script>n=0;(function f(){n++;c.textContent=n;requestAnimationFrame(f)})();setTimeout(()=>document.body.append('finally'),700)</script>"
    )
    assert.strictEqual((await wait({ text: "finally" })).is, "met")
    assert.isAbove((await page.main("n")) as number, 10)
  })
})

describe("rest", () => {
  it("is reached when nothing changes any more", async () => {
    await page.open("<p id=t>x</p>")
    await page.call("watch", {})
    await page.main("setTimeout(()=>t.textContent='y',60);setTimeout(()=>{t.textContent='z'},150)")
    assert.deepStrictEqual(await page.call("quiet", { idle: 150, timeout: 3000 }), { quiet: true, changed: true })
    assert.strictEqual(await page.main("t.textContent"), "z")
  })
  it("is there at once on a page that does nothing", async () => {
    await page.open("<p>x</p>")
    await page.call("watch", {})
    assert.deepStrictEqual(await page.call("quiet", { idle: 30, timeout: 3000 }), { quiet: true, changed: false })
  })
  it("is not waited for beyond the limit", async () => {
    await page.open("<p id=t>x</p><script>setInterval(()=>t.textContent+='x',10)</script>")
    await page.call("watch", {})
    assert.deepStrictEqual(await page.call("quiet", { idle: 200, timeout: 400 }), { quiet: false, changed: true })
  })
})
