import { Arbitrary, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { type AdmissionRules, isPrivateAddress, makeAdmission } from "../../src/layers/page/admission.ts"
import { decodeBrowserConfig } from "../../src/schemas/config.ts"
import { Effect } from "effect"

const rules = (some: Partial<AdmissionRules> = {}) =>
  makeAdmission({ deniedHosts: [], privateNetwork: "allow", ...some })
const open = (address: string, some: Partial<AdmissionRules> = {}) => rules(some).address(address).admitted
const shows = (url: string, some: Partial<AdmissionRules> = {}, remote?: string) =>
  rules(some).document(url, remote).admitted

describe("the admission of addresses", () => {
  it("takes http, https and about:blank, and nothing else, whatever the host", () => {
    for (const good of ["http://a.example", "https://a.example/x?y#z", "about:blank"]) assert.isTrue(open(good), good)
    for (const bad of [
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/html,x",
      "chrome://settings",
      "view-source:https://a.example",
      "about:srcdoc",
      "ftp://a.example",
      "blob:https://a.example/1",
      "a.example",
      ""
    ]) {
      assert.isFalse(open(bad), bad)
    }
  })

  it("refuses credentials and does not repeat them", () => {
    const verdict = rules().address("https://bob:s3cret@a.example/path?token=abc")
    assert.isFalse(verdict.admitted)
    assert.notInclude(JSON.stringify(verdict), "s3cret")
    assert.notInclude(JSON.stringify(verdict), "abc")
  })

  it("proposes the address that was probably meant: http for this machine and bare IP addresses, else https", () => {
    for (const [written, meant] of [
      ["a.example/x", "https://a.example/x"],
      ["a.example:8443/x?y", "https://a.example:8443/x?y"],
      ["//a.example", "https://a.example"],
      ["notaurl", "https://notaurl"],
      ["localhost", "http://localhost"],
      ["localhost:3000", "http://localhost:3000"],
      ["app.localhost:3000/a", "http://app.localhost:3000/a"],
      ["127.0.0.1:8123", "http://127.0.0.1:8123"],
      ["192.168.1.1", "http://192.168.1.1"],
      ["[::1]:8080/x", "http://[::1]:8080/x"],
      ["htp://a.example", "http://a.example"],
      ["htps:/a.example", "https://a.example"],
      ["https//a.example/x", "https://a.example/x"],
      ["a.example.", "https://a.example"],
      ["a.example/x.,", "https://a.example/x"],
      ["(a.example)", "https://a.example"],
      ["<a.example/x_(y)>.", "https://a.example/x_(y)"],
      ["htp://a.example.", "http://a.example"]
    ] as const) {
      const verdict = rules().address(written)
      assert.isTrue(!verdict.admitted && verdict.reason.endsWith(`; did you mean ${meant}?`), JSON.stringify(verdict))
      assert.isTrue(open(meant))
    }
  })

  it("proposes nothing where nothing can be guessed, and says what an address looks like", () => {
    for (const written of [
      "",
      " ",
      "two words",
      "/path",
      "?q",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "me@a.example"
    ]) {
      const verdict = rules().address(written)
      assert.isTrue(!verdict.admitted && !verdict.reason.includes("did you mean"), JSON.stringify(verdict))
      assert.isTrue(!verdict.admitted && verdict.remedy?.includes("https://example.com"), JSON.stringify(verdict))
    }
  })

  it("keeps to the allowed hosts: exact names, subdomains only where asked, ports where given", () => {
    const some = { allowedHosts: ["a.example", "*.b.example", "c.example:8443"] }
    for (const good of [
      "https://a.example",
      "https://A.EXAMPLE./x",
      "https://b.example",
      "https://x.y.b.example",
      "https://c.example:8443"
    ]) {
      assert.isTrue(open(good, some), good)
    }
    for (const bad of [
      "https://x.a.example",
      "https://a.example.evil.test",
      "https://xb.example",
      "https://c.example",
      "https://evil.test/?a.example"
    ]) {
      assert.isFalse(open(bad, some), bad)
    }
  })

  it("allows nothing for an empty list, everything for an absent one", () => {
    assert.isFalse(open("https://a.example", { allowedHosts: [] }))
    assert.isTrue(open("https://a.example"))
    assert.isTrue(open("about:blank", { allowedHosts: [] }))
  })

  it("lets a denial win over a permission", () => {
    assert.isFalse(open("https://x.a.example", { allowedHosts: ["*.a.example"], deniedHosts: ["x.a.example"] }))
  })

  it("knows private networks in every spelling of an address", () => {
    const some = { privateNetwork: "deny" } as const
    for (const bad of [
      "http://localhost",
      "http://x.localhost",
      "http://127.0.0.1",
      "http://0x7f.1",
      "http://2130706433",
      "http://[::1]",
      "http://[::ffff:10.0.0.1]",
      "http://10.1.2.3",
      "http://172.31.0.1",
      "http://192.168.1.1",
      "http://169.254.169.254/latest/meta-data",
      "http://100.64.0.1",
      "http://[fd00::1]",
      "http://[fe80::1]",
      "http://router/",
      "http://printer.local",
      "http://localhost./"
    ]) {
      assert.isFalse(open(bad, some), bad)
      assert.isTrue(open(bad), bad)
    }
    for (const good of ["http://172.32.0.1", "http://11.0.0.1", "https://a.example", "http://[2606:4700::1]"]) {
      assert.isTrue(open(good, some), good)
    }
  })

  it("keeps a private host that is allowed by name", () => {
    assert.isTrue(open("http://localhost:3000", { allowedHosts: ["localhost:3000"], privateNetwork: "deny" }))
  })

  it("judges a document by the address that it came from, too", () => {
    assert.isFalse(shows("https://a.example", { privateNetwork: "deny" }, "127.0.0.1"))
    assert.isFalse(shows("https://a.example", { privateNetwork: "deny" }, "[::1]"))
    assert.isTrue(shows("https://a.example", { privateNetwork: "deny" }, "93.184.216.34"))
    assert.isTrue(shows("https://a.example", {}, "127.0.0.1"))
  })

  it("reads documents without a host of their own, but no local files and no pages of the browser", () => {
    for (const good of ["about:blank", "about:srcdoc", "chrome-error://chromewebdata/", "data:text/html,x", ""]) {
      assert.isTrue(shows(good, { allowedHosts: [] }), good)
    }
    for (const bad of ["file:///etc/passwd", "chrome://settings/", "devtools://x", "chrome-extension://x/y.html"]) {
      assert.isFalse(shows(bad), bad)
    }
    assert.isTrue(shows("blob:https://a.example/1", { allowedHosts: ["a.example"] }))
    assert.isFalse(shows("blob:https://b.example/1", { allowedHosts: ["a.example"] }))
  })

  it.prop(
    "takes an IPv4 address of a private range for private, written as IPv6 too",
    { a: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))) },
    ({ a }) => {
      for (const address of [`10.${a}.${a}.1`, `127.${a}.0.${a}`, `192.168.${a}.${a}`, `169.254.${a}.${a}`]) {
        assert.isTrue(isPrivateAddress(address), address)
        assert.isTrue(isPrivateAddress(`::ffff:${address}`), address)
      }
    }
  )

  it.effect("takes only hosts into the lists of the configuration", () =>
    Effect.gen(function* () {
      yield* decodeBrowserConfig({ allowedHosts: ["a.example", "*.a.example:80", "[::1]:3000"] })
      for (const bad of ["https://a.example", "a.example/x", "*", "a b", "user@a.example", ""]) {
        const error = yield* Effect.flip(decodeBrowserConfig({ deniedHosts: [bad] }))
        assert.include(error.message, "must be a host", bad)
      }
    })
  )
})
