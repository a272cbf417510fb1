import type { Protocol } from "devtools-protocol"
import { Arbitrary, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { makeAdmission } from "../../src/layers/page/admission.ts"
import { freeName, nameOfResponse, safeName } from "../../src/layers/page/downloadName.ts"
import { asAttachment, decide, inUnits, cutShort } from "../../src/layers/page/downloadSteps.ts"

const admission = makeAdmission({ deniedHosts: ["evil.test"], privateNetwork: "allow" })

const paused = (
  url: string,
  status?: number,
  headers: Record<string, string> = {}
): Protocol.Fetch.RequestPausedEvent => ({
  requestId: "1",
  request: { url, method: "GET", headers: {}, initialPriority: "High", referrerPolicy: "no-referrer" },
  frameId: "f",
  resourceType: "Document",
  ...(status === undefined
    ? {}
    : {
        responseStatusCode: status,
        responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value }))
      })
})
const made = (...args: Parameters<typeof paused>) => decide(paused(...args), admission, 1_000)

describe("a step of a download", () => {
  it("admits the address and each redirect before it is sent", () => {
    assert.strictEqual(made("https://a.test/x").do, "continue")
    const refused = made("https://evil.test/x")
    assert.isTrue(refused.do === "fail" && refused.error._tag === "NavigationBlocked")
    assert.strictEqual(made("https://a.test/x", 302, { Location: "https://evil.test/x" }).do, "continue")
  })

  it("takes only a response that holds a file", () => {
    assert.strictEqual(made("https://a.test/x", 200).do, "take")
    assert.strictEqual(made("https://a.test/x", 206).do, "take")
    for (const status of [204, 205, 302, 304, 400, 401, 403, 404, 500, 503]) {
      assert.strictEqual(made("https://a.test/x", status).do, "fail", String(status))
    }
  })

  it("refuses by the declared length, unless that is the length of a compressed form", () => {
    assert.strictEqual(made("https://a.test/x", 200, { "Content-Length": "1000" }).do, "take")
    const large = made("https://a.test/x", 200, { "Content-Length": "1001" })
    assert.isTrue(large.do === "fail" && large.error._tag === "DownloadTooLarge")
    assert.strictEqual(
      made("https://a.test/x", 200, { "content-length": "1001", "content-encoding": "gzip" }).do,
      "take"
    )
  })

  it("makes any response one that is saved, and keeps its other headers", () => {
    const headers = (given: Record<string, string>) =>
      asAttachment(paused("https://a.test/x", 200, given)).map(({ name, value }) => `${name}: ${value}`)
    assert.deepStrictEqual(headers({ "Content-Type": "text/html" }), [
      "Content-Type: text/html",
      "Content-Disposition: attachment"
    ])
    assert.deepStrictEqual(headers({ "content-disposition": 'inline; filename="a.pdf"' }), [
      'Content-Disposition: attachment; filename="a.pdf"'
    ])
  })
})

describe("the name of a download", () => {
  it("comes from the response, else from the address", () => {
    assert.strictEqual(nameOfResponse('attachment; filename="a b.csv"', "https://a.test/x"), "a b.csv")
    assert.strictEqual(nameOfResponse("attachment; filename*=UTF-8''%e2%82%ac.csv; filename=e.csv", ""), "€.csv")
    assert.strictEqual(nameOfResponse("attachment", "https://a.test/r%C3%A9sum%C3%A9.pdf?x=1"), "résumé.pdf")
    assert.strictEqual(nameOfResponse(undefined, "https://a.test/"), "download")
    assert.strictEqual(nameOfResponse('attachment; filename="../../etc/passwd"', ""), "_.._etc_passwd")
  })

  it.prop(
    "is one segment of bounded length, whatever is proposed",
    { proposed: Arbitrary.schema(Schema.String) },
    ({ proposed }) => {
      for (const text of [
        proposed,
        `../${proposed}`,
        `${proposed}/${proposed}`,
        `.${proposed}`,
        `${proposed}.${"x".repeat(300)}`
      ]) {
        const name = safeName(text)
        assert.isTrue(name.length > 0 && name.length <= 150, name)
        assert.notMatch(name, /[/\\]/)
        assert.notMatch(name, /^\./)
      }
    }
  )

  it("is never one that is taken", () => {
    const taken = new Set(["a.csv", "a (2).csv", "b"])
    const free = (name: string) => freeName(name, (one) => taken.has(one))
    assert.deepStrictEqual([free("a.csv"), free("b"), free("c.csv")], ["a (3).csv", "b (2)", "c.csv"])
  })

  it("that was cut short says how much of how much came, as far as that is known", () => {
    assert.strictEqual(cutShort(3_000_000, 10_000_000), "the connection ended after 3.0 MB of 10.0 MB")
    assert.strictEqual(cutShort(3_000_000, 0), "the connection ended after 3.0 MB")
    for (const total of [0, 10_000_000]) assert.notInclude(cutShort(0, total), "0 bytes")
    assert.include(cutShort(0, 10_000_000), "10.0 MB")
  })

  it("sizes are told in units", () => {
    assert.deepStrictEqual([0, 999, 1_000, 12_345, 123_456_789, 2e9, 3e12].map(inUnits), [
      "0 bytes",
      "999 bytes",
      "1.0 KB",
      "12.3 KB",
      "123 MB",
      "2.0 GB",
      "3000 GB"
    ])
  })
})
