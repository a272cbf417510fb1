import { Arbitrary, Result, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { type Cookie, cookieEntries, cookieFits, readCookie } from "../../src/schemas/cookies.ts"

const read = (entry: unknown): Partial<Cookie> => {
  const result = readCookie(entry)
  if (Result.isFailure(result)) throw new Error(result.failure)
  return result.success
}
const refused = (entry: unknown): string => {
  const result = readCookie(entry)
  return Result.isFailure(result) ? result.failure : "taken"
}

describe("reading a cookie of an export", () => {
  it("takes what Chrome extensions write", () => {
    assert.deepStrictEqual(
      read({
        domain: ".example.com",
        expirationDate: 1_900_000_000.5,
        hostOnly: false,
        httpOnly: true,
        name: "sid",
        path: "/",
        sameSite: "no_restriction",
        secure: true,
        session: false,
        storeId: "0",
        value: "abc",
        id: 1
      }),
      {
        name: "sid",
        value: "abc",
        domain: ".example.com",
        hostOnly: false,
        path: "/",
        url: "https://example.com/",
        secure: true,
        httpOnly: true,
        sameSite: "None",
        expirationDate: 1_900_000_000.5
      }
    )
  })

  it("takes what Playwright and Puppeteer write: no url, a host without a dot, expiry -1", () => {
    const cookie = read({ name: "a", value: "b", domain: "app.example.com", path: "/x", expires: -1, sameSite: "Lax" })
    assert.deepInclude(cookie, {
      hostOnly: true,
      domain: "app.example.com",
      url: "http://app.example.com/x",
      sameSite: "Lax"
    })
    assert.isUndefined(cookie.expirationDate)
  })

  it("derives the place from a url, and https from it", () => {
    assert.deepInclude(read({ name: "a", value: "", url: "https://x.example:8443/p?q" }), {
      domain: "x.example",
      hostOnly: true,
      path: "/",
      secure: true,
      url: "https://x.example/"
    })
  })

  it("knows seconds, milliseconds and dates, and that a cookie of the session has none", () => {
    const expiry = (entry: object) => read({ name: "a", value: "b", domain: "x.example", ...entry }).expirationDate
    assert.strictEqual(expiry({ expires: 1_900_000_000 }), 1_900_000_000)
    assert.strictEqual(expiry({ expiry: 1_900_000_000_000 }), 1_900_000_000)
    assert.strictEqual(expiry({ expires: "1900000000" }), 1_900_000_000)
    assert.strictEqual(expiry({ expires: "2030-03-17T17:46:40.000Z" }), 1_900_000_000)
    assert.isUndefined(expiry({ expires: 1_900_000_000, session: true }))
    assert.isUndefined(expiry({ expirationDate: null }))
  })

  it("spells sameSite as the browser does, and leaves out what says nothing", () => {
    const spelt = (sameSite: unknown) => read({ name: "a", value: "b", domain: "x.example", sameSite }).sameSite
    assert.deepStrictEqual(["strict", "LAX", "None", "no_restriction", "unspecified", "", null, 3].map(spelt), [
      "Strict",
      "Lax",
      "None",
      "None",
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

  it("brackets IPv6 hosts", () => {
    assert.strictEqual(read({ name: "a", value: "b", domain: "::1" }).url, "http://[::1]/")
  })

  it("says what is wrong with an entry", () => {
    assert.include(refused(3), "no object")
    assert.include(refused({ value: "b", domain: "x.example" }), "no name")
    assert.include(refused({ name: "a", domain: "x.example" }), "no value")
    assert.include(refused({ name: "a", value: "b" }), "neither domain nor url")
    assert.include(refused({ name: "a", value: "b", domain: "a b" }), "no domain")
  })

  it("finds the entries in an array and in an object that holds one", () => {
    assert.deepStrictEqual(cookieEntries([1]), [1])
    assert.deepStrictEqual(cookieEntries({ cookies: [1], origins: [] }), [1])
    for (const bad of [undefined, null, "x", {}, { cookies: {} }]) assert.isUndefined(cookieEntries(bad))
  })

  it.prop("never throws, whatever the entry is", { entry: Arbitrary.schema(Schema.Json) }, ({ entry }) => {
    for (const one of [entry, { name: "a", value: "b", domain: entry }, { name: entry, value: entry, url: entry }]) {
      readCookie(one)
    }
  })
})

describe("the scope of a clearing", () => {
  const fits = (domain: string, filter: { readonly domain?: string; readonly name?: string }) =>
    cookieFits({ domain, name: "a" }, filter)

  it("is a domain with its subdomains, without regard to case and the dot in front", () => {
    for (const domain of ["example.com", ".example.com", "EXAMPLE.com"]) {
      assert.isTrue(fits(".example.com", { domain }))
      assert.isTrue(fits("app.example.com", { domain }))
      assert.isFalse(fits("notexample.com", { domain }))
      assert.isFalse(fits("com", { domain }))
    }
  })

  it("is narrowed by an exact name", () => {
    assert.isTrue(fits("x.example", { name: "a" }))
    assert.isFalse(fits("x.example", { name: "A" }))
    assert.isFalse(fits("x.example", { name: "a", domain: "y.example" }))
  })
})
