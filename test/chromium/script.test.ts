import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runScript, type ScriptRequest, type ScriptResult } from "../../src/layers/page/script.ts"
import { PlainChromium } from "../support/plainChromium.ts"

const run = (script: string, options: Partial<ScriptRequest> = {}) =>
  Effect.flatMap(PlainChromium, ({ send }) => runScript(send, { script, maxChars: 10_000, ...options }))

const page = `<!doctype html><title>Harbour</title><div id=box class="red wide">text</div><p>one<p>two`

const json = (value: unknown): ScriptResult => ({ ok: true, kind: "json", value: JSON.stringify(value) })
const other = (kind: NonNullable<ScriptResult["kind"]>, value?: string): ScriptResult =>
  value === undefined ? { ok: true, kind } : { ok: true, kind, value }

/** Each script with what it must give. */
const cases: ReadonlyArray<readonly [script: string, expected: ScriptResult]> = [
  // expressions
  ["1 + 1", json(2)],
  ["document.title", json("Harbour")],
  ["document.title // the title", json("Harbour")],
  ["({ a: 1 })", json({ a: 1 })],
  ["{ a: 1, b: [true, null] }", json({ a: 1, b: [true, null] })],
  ["{}", json({})],
  ["null", json(null)],
  ["undefined", other("undefined")],
  ["(1, 2)", json(2)],
  ["await Promise.resolve(3)", json(3)],
  ["Promise.resolve([4])", json([4])],
  ["new Promise((resolve) => setTimeout(resolve, 5, 'late'))", json("late")],
  ["function () { return 1 }", other("function", "function () { return 1 }")],
  ["typeof args", json("object")],
  // statements
  ["const a = 1; a + 1", json(2)],
  ["const a = 1\na + 2", json(3)],
  ["let total = 0; for (const n of [1, 2, 3]) total += n; total", json(6)],
  ["for (const n of [1, 2, 3]) { n * 2 }", json(6)],
  ["if (document.title) { 'yes' } else { 'no' }", json("yes")],
  ["document.title;", json("Harbour")],
  ["const p = Promise.resolve('waited'); p", json("waited")],
  ["const r = await Promise.resolve(5); r * 2", json(10)],
  ["let x", other("undefined")],
  ["// nothing", other("undefined")],
  ["{ const inner = 9; inner }", json(9)],
  ["function f(n) { return n }\n(6)", json(6)],
  ["class A { static n = 8 }\nA.n", json(8)],
  ["async function f() { return 7 }\nawait f()", json(7)],
  ["const t = `line;\n`; t", json("line;\n")],
  ["try { null.x } catch (error) { error.name }", json("TypeError")],
  ["var args = [5]; args[0]", json(5)],
  // bodies
  ["return 1", json(1)],
  ["const a = await Promise.resolve(2); return { a }", json({ a: 2 })],
  ["if (true) return 'early'; return 'late'", json("early")],
  ["return", other("undefined")],
  ["function f() { return 2 } return f()", json(2)],
  // kinds of value
  ["NaN", other("number", "NaN")],
  ["-Infinity", other("number", "-Infinity")],
  ["const z = -0; z", other("number", "-0")],
  ["-0", other("number", "-0")],
  ["12345678901234567890n", other("bigint", "12345678901234567890")],
  ["const b = 5n; b", other("bigint", "5")],
  ["Symbol('mark')", other("symbol", "Symbol(mark)")],
  ["document.body", other("node", "body")],
  ["document.querySelector('#box')", other("node", "div#box.red.wide")],
  ["const n = document.getElementById('box'); n", other("node", "div#box.red.wide")],
  ["document.querySelectorAll('p')", json(["p", "p"])],
  ["document.getElementById('box').firstChild", other("node", "#text text")],
  ["[undefined, () => 1, NaN, 3n, Symbol()]", json([null, null, null, "3n", null])],
  ["({ a: undefined, f() {}, d: new Date(0) })", json({ d: "1970-01-01T00:00:00.000Z" })],
  ["new Map([['a', { b: 1 }]])", json([["a", { b: 1 }]])],
  ["new Set([1, 2])", json([1, 2])],
  ["new Uint8Array([1, 2])", json([1, 2])],
  ["new URL('https://a.b/c')", json("https://a.b/c")],
  ["new Error('bad')", json("Error: bad")],
  ["/x+/g", json("/x+/g")],
  [
    "({ get broken() { throw new Error('no') }, ok: 1 })",
    other("unserialisable", `{"broken":"[getter throws: Error: no]","ok":1}`)
  ],
  ["const o = { name: 'o' }; o.self = o; o", other("unserialisable", `{"name":"o","self":"[circular]"}`)],
  ["const o = {}; [o, o]", json([{}, {}])],
  ["new Proxy({}, { ownKeys() { throw 1 } })", other("unserialisable", "[Object]")],
  ["window", other("unserialisable", "[window null]")],
  ["document.body.getBoundingClientRect().x", json(8)],
  ["Object.keys(document.body.getBoundingClientRect().toJSON()).length > 3", json(true)],
  [
    // of a size that no font and no window decides
    "box.style.cssText = 'position: fixed; left: 8px; top: 8px; width: 80px; height: 20px'; const r = box.getBoundingClientRect(); r",
    json({ x: 8, y: 8, width: 80, height: 20, top: 8, right: 88, bottom: 28, left: 8 })
  ],
  ["({ __proto__: null, a: 1 })", json({ a: 1 })],
  ["'quote \" and \\u2028'", json('quote " and \u2028')]
]

layer(PlainChromium.layer, { excludeTestServices: true, timeout: "60 seconds" })("script in Chromium", (it) => {
  it.effect("gives each kind of script its value", () =>
    Effect.gen(function* () {
      yield* (yield* PlainChromium).show(page)
      for (const [script, expected] of cases) assert.deepStrictEqual(yield* run(script), expected, script)
    })
  )

  it.effect("passes args as texts, whatever they hold", () =>
    Effect.gen(function* () {
      const args = ["plain", "'\"`\\ \n </script> \u2028", ""]
      for (const script of ["args", "const all = args; all", "return args"]) {
        assert.deepStrictEqual(yield* run(script, { args }), json(args))
      }
      assert.deepStrictEqual(yield* run("args[0] + args.length", { args }), json("plain3"))
    })
  )

  it.effect("runs a script once, also when a later form has to be tried or it throws a SyntaxError", () =>
    Effect.gen(function* () {
      const { evaluate, show } = yield* PlainChromium
      for (const script of [
        "ran++",
        "const a = ran++; a",
        "ran++; return 5",
        "function f() {}\nran++",
        "ran++; JSON.parse('{')",
        "ran++; throw new SyntaxError('Illegal return statement')",
        "ran++; eval('return 1')",
        "ran++; return new Function('(')",
        "[ran++, null.x]",
        "Promise.reject(new SyntaxError(ran++))"
      ]) {
        yield* show(page)
        yield* evaluate("ran = 0")
        yield* run(script)
        assert.strictEqual(yield* evaluate("ran"), 1, script)
      }
      yield* evaluate("ran = 0")
      assert.isFalse((yield* run("ran++; foo(")).ok)
      assert.strictEqual(yield* evaluate("ran"), 0)
    })
  )

  it.effect("takes the same const, let and class in the next script too", () =>
    Effect.gen(function* () {
      for (const script of ["const a = 1; a", "let a = 2; a", "class a {}; 3", "const a = 4; return a"]) {
        for (let time = 0; time < 2; time++) assert.isTrue((yield* run(script)).ok)
      }
      assert.deepStrictEqual(yield* run("typeof a"), json("undefined"))
    })
  )

  it.effect("tells a syntax error by its own message and line", () =>
    Effect.gen(function* () {
      const exception = (script: string) => Effect.map(run(script), (result) => result.exception)
      assert.strictEqual(yield* exception("foo("), "SyntaxError: Unexpected end of input")
      assert.strictEqual(yield* exception("const a = 1;\nif (a {"), "SyntaxError: Unexpected token '{' (line 2)")
      assert.strictEqual(
        yield* exception("let a; let a"),
        "SyntaxError: Identifier 'a' has already been declared (line 1)"
      )
      assert.strictEqual(yield* exception("return 1;\n)"), "SyntaxError: Unexpected token ')' (line 2)")
      assert.strictEqual(yield* exception("{"), "SyntaxError: Unexpected end of input")
      assert.strictEqual(yield* exception("'open"), "SyntaxError: Invalid or unexpected token (line 1)")
    })
  )

  it.effect("tells what a script throws, with its own lines and without ours", () =>
    Effect.gen(function* () {
      const exception = (script: string) => Effect.map(run(script), ({ exception, ok }) => [ok, exception])
      assert.deepStrictEqual(yield* exception("\nnull.x"), [
        false,
        "TypeError: Cannot read properties of null (reading 'x')\n    at script:2:6"
      ])
      assert.deepStrictEqual(yield* exception("function go() { throw new Error('no') }\ngo()"), [
        false,
        "Error: no\n    at go (script:1:23)\n    at script:2:1"
      ])
      assert.deepStrictEqual(yield* exception("throw 'text'"), [false, 'Uncaught "text"'])
      assert.deepStrictEqual(yield* exception("throw { code: 5 }"), [false, 'Uncaught {"code":5}'])
      assert.deepStrictEqual(yield* exception("const p = Promise.reject(7); p"), [false, "Uncaught 7"])
      assert.deepStrictEqual(yield* exception("Promise.reject()"), [false, "Uncaught undefined"])
      assert.match(String((yield* exception("document.querySelector('[')"))[1]), /^SyntaxError: Failed to execute/)
      assert.isBelow(String((yield* exception("throw new Error('x'.repeat(1e6))"))[1]).length, 2_100)
    })
  )

  it.effect("cuts what is larger than asked for, whatever its shape", () =>
    Effect.gen(function* () {
      for (const script of [
        "'x'.repeat(5e6)",
        "return 'x'.repeat(5e6)",
        "Array.from({ length: 1e6 }, (_, i) => i)",
        "const deep = {}; let at = deep; for (let i = 0; i < 1e5; i++) at = at.next = {}; deep",
        "Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['key' + i, 'v']))",
        "new Set(Array.from({ length: 1e6 }, (_, i) => 'v' + i))",
        "10n ** 5000n",
        "document.body.innerHTML = '<i></i>'.repeat(5000); document.querySelectorAll('i')"
      ]) {
        const result = yield* run(script, { maxChars: 1_000 })
        assert.isTrue(result.ok, script)
        assert.isAtMost(result.value?.length ?? 0, 1_000)
        if (!script.includes("deep")) assert.isTrue(result.truncated, script)
      }
      assert.notProperty(yield* run("'x'.repeat(900)", { maxChars: 1_000 }), "truncated")
    })
  )

  it.effect("says the same in a page that replaced the built-ins", () =>
    Effect.gen(function* () {
      const { show } = yield* PlainChromium
      yield* show(`${page}<script>
        const lie = () => { throw new Error("replaced") }
        JSON.stringify = JSON.parse = Object.keys = Object.entries = Array.from = lie
        Array.prototype.toJSON = Object.prototype.toJSON = String.prototype.toJSON = () => "lie"
        for (const name of ["push", "map", "slice", "join", "concat"]) Array.prototype[name] = lie
        for (const name of ["slice", "substring", "charCodeAt", "replace", "toString"]) String.prototype[name] = lie
        Object.prototype.extra = "pollution"
        Promise.prototype.finally = lie
      </script>`)
      assert.deepStrictEqual(yield* run("[{ a: 'b' }, 'c', [1]]"), json([{ a: "b" }, "c", [1]]))
      assert.deepStrictEqual(yield* run("const all = [{ a: 'b' }]; all"), json([{ a: "b" }]))
      assert.deepStrictEqual(yield* run("return 'x'.repeat(2000)", { maxChars: 10 }), {
        ok: true,
        kind: "json",
        value: `"xxxxxxxxx`,
        truncated: true
      })
      assert.deepStrictEqual(yield* run("document.body"), other("node", "body"))
    })
  )

  it.effect("works where the page's policy forbids eval", () =>
    Effect.gen(function* () {
      yield* (yield* PlainChromium).show(
        `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; require-trusted-types-for 'script'">`
      )
      assert.deepStrictEqual(yield* run("const a = 1; a"), json(1))
      assert.deepStrictEqual(yield* run("[1]"), json([1]))
    })
  )
})
