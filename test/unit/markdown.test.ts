import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { markdownHtmlLimit, toMarkdown } from "../../src/layers/page/markdown.ts"

const base = "https://harbour.example/boats/list?page=2"
const becomes = (html: string, markdown: string) =>
  Effect.map(toMarkdown(html, base), (text) => assert.strictEqual(text, markdown))

describe("toMarkdown", () => {
  it.effect("keeps headings, paragraphs, emphasis and nested lists", () =>
    becomes(
      `<h1>Boats</h1><p>All <b>our</b> <em>boats</em>.</p><ul><li>small<ul><li>dinghy</li></ul></li><li>large</li></ul><ol><li>one<li>two</ol>`,
      "# Boats\n\nAll **our** _boats_.\n\n-   small\n    -   dinghy\n-   large\n\n1.  one\n2.  two"
    )
  )

  it.effect("makes links and pictures absolute, and leaves out those that lead nowhere", () =>
    Effect.gen(function* () {
      yield* becomes(`<a href="../about">About <b>us</b></a>`, "[About **us**](https://harbour.example/about)")
      yield* becomes(`<a href="?page=3">next</a>`, "[next](https://harbour.example/boats/list?page=3)")
      yield* becomes(`<a href="/a_(b)">x</a>`, "[x](https://harbour.example/a_\\(b\\))")
      yield* becomes(`<a href="javascript:void(0)">act</a> <a>bare</a> <a href="http://[">bad</a>`, "act bare bad")
      yield* becomes(`<img src="/b.png" alt="a [boat]">`, "![a \\[boat\\]](https://harbour.example/b.png)")
      yield* becomes(`<img src="data:image/png;base64,AAAA" alt="logo"><img src="data:,">`, "logo")
      yield* becomes(`<img src="/line.svg" alt=""> <img src="/boat.png">`, "![](https://harbour.example/boat.png)")
      yield* becomes(
        `<a href="/x"><h3>Card\n</h3><p>of two lines</p></a>`,
        "[### Card of two lines](https://harbour.example/x)"
      )
    })
  )

  it.effect("keeps code blocks as they are, with their language", () =>
    becomes(
      `<pre><code class="language-ts">const a = 1\n\n  a &lt; 2 | b</code></pre><p>and <code>x|y</code></p>`,
      "```ts\nconst a = 1\n\n  a < 2 | b\n```\n\nand `x|y`"
    )
  )

  it.effect("turns tables into tables, with empty and missing cells, bars and line breaks in cells", () =>
    Effect.gen(function* () {
      yield* becomes(
        `<table><caption>Fleet</caption><thead><tr><th>Name<th>Berths</thead><tbody><tr><td>Gull | II<td></tr><tr><td>Tern<br>new</table>`,
        "Fleet\n\n| Name | Berths |\n| --- | --- |\n| Gull \\| II |  |\n| Tern<br>new |  |"
      )
      yield* becomes(`<table><tr><td>a<td>b</tr><tr><td>c<td>d</table>`, "|  |  |\n| --- | --- |\n| a | b |\n| c | d |")
    })
  )

  it.effect("puts each cell under its column where others reach over rows and columns", () =>
    Effect.gen(function* () {
      yield* becomes(
        `<table><tr><th>Day<th>Time<th>What</tr><tr><td rowspan=2>Monday<td>9<td>Yoga</tr><tr><td>10<td>Swim</tr><tr><td colspan=2>Tuesday<td>Rest</tr></table>`,
        "| Day | Time | What |\n| --- | --- | --- |\n| Monday | 9 | Yoga |\n| Monday | 10 | Swim |\n| Tuesday |  | Rest |"
      )
      yield* becomes(
        `<table><tr><th>A<th>B<th rowspan=2>C</tr><tr><td>1</tr></table>`,
        "| A | B | C |\n| --- | --- | --- |\n| 1 |  | C |"
      )
      // what a page says to reach over everything stays bounded
      const wide = yield* toMarkdown(
        `<table><tr>${"<td colspan=1000 rowspan=1000>text".repeat(200)}</tr>${"<tr><td>x</tr>".repeat(500)}</table>`,
        base
      )
      assert.isBelow(wide.length, 2_000_000)
    })
  )

  it.effect("takes a table that only lays out the page apart", () =>
    becomes(
      `<table><tr><td><h2>Left</h2><p>text</p></td><td><table><tr><th>A<th>B<tr><td>1<td>2</table></td></tr></table>`,
      "## Left\n\ntext\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"
    )
  )

  it.effect("leaves out scripts, styles, drawings and comments, and knows task lists and strikethrough", () =>
    becomes(
      `<head><title>T</title></head><script>if (a < b) {}</script><style>p{}</style><!-- no --><svg><text>no</text></svg><noscript>no</noscript><header>yes</header><ul><li><input type=checkbox checked>done</li></ul><del>old</del>`,
      "yes\n\n-   [x] done\n\n~~old~~"
    )
  )

  it.effect("converts 3,000 table rows in time that grows with their number only", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 3_000 }, (_, row) => `<tr><td>${row}<td>b<td>c</tr>`).join("")
      const began = performance.now()
      const text = yield* toMarkdown(`<table>${rows}</table>`, base)
      assert.strictEqual(text.split("\n").length, 3_002)
      assert.isBelow(performance.now() - began, 60_000)
    })
  )

  it.effect("cuts HTML that is too long at the start of a tag", () =>
    Effect.gen(function* () {
      const text = yield* toMarkdown(`<p>${"word ".repeat(markdownHtmlLimit / 5)}</p><p>end</p>`, base)
      assert.notInclude(text, "end")
      const marked = yield* toMarkdown(`${"x".repeat(markdownHtmlLimit - 3)}<b class="a">y</b>`, base)
      assert.strictEqual(marked.length, markdownHtmlLimit - 3)
    })
  )

  it.effect("refuses HTML that is nested too deeply, with a reason", () =>
    Effect.gen(function* () {
      for (const html of ["<div>".repeat(50_000), `${"<b>".repeat(600)}x${"</b>".repeat(600)}`]) {
        const error = yield* Effect.flip(toMarkdown(html, base))
        assert.strictEqual(error._tag, "ContentFailed")
        assert.include(error.reason, "nested too deeply")
      }
      assert.strictEqual(yield* toMarkdown(`${"<div>".repeat(400)}x${"</div>".repeat(400)}`, base), "x")
    })
  )
})
