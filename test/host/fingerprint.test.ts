import { assert, describe, it } from "@effect/vitest"
import { acceptLanguage, clientHints, languagesOf, plainUserAgent } from "../../host/core/fingerprint.ts"

describe("what servers get to know", () => {
  it("is the user agent of a Chromium, without what Electron adds", () => {
    const chromium =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
    const electron =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) my-app/0.1.0 Chrome/130.0.0.0 Electron/33.2.1 Safari/537.36"
    assert.strictEqual(plainUserAgent(electron), chromium)
    assert.strictEqual(plainUserAgent(electron.replace(" my-app/0.1.0", "")), chromium)
    assert.strictEqual(plainUserAgent(chromium), chromium)
  })

  it("are languages in the weights that Chromium gives them", () => {
    assert.strictEqual(acceptLanguage(["en-US", "en", "en"]), "en-US,en;q=0.9")
    assert.strictEqual(acceptLanguage(["de-AT", "de", "en-US", "en"]), "de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7")
    assert.strictEqual(acceptLanguage(["C"]), "en-US,en;q=0.9")
    assert.strictEqual(acceptLanguage([]), "en-US,en;q=0.9")
    assert.strictEqual(languagesOf("de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7"), "de-AT,de,en-US,en")
  })

  it("are hints with the brands that pages see, for secure origins only", () => {
    // as Chromium 130 and 131 themselves send them
    assert.deepStrictEqual(clientHints("https://example.com/", "130.0.6723.137", "linux"), {
      "sec-ch-ua": '"Not?A_Brand";v="99", "Chromium";v="130"',
      "sec-ch-ua-mobile": "?0",
      "sec-ch-ua-platform": '"Linux"'
    })
    assert.strictEqual(
      clientHints("https://example.com/", "131.0.0.0", "win32")["sec-ch-ua"],
      '"Chromium";v="131", "Not_A Brand";v="24"'
    )
    assert.strictEqual(clientHints("http://localhost:8080/", "131.0.0.0", "darwin")["sec-ch-ua-platform"], '"macOS"')
    assert.deepStrictEqual(clientHints("http://example.com/", "130.0.6723.137", "linux"), {})
  })
})
