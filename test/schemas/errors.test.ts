import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { BrowserErrorJson } from "../../src/schemas/errorJson.ts"
import {
  BrowserError,
  BrowserNotFound,
  isBrowserError,
  NavigationFailed,
  WaitTimeout
} from "../../src/schemas/errors.ts"

/** Every code of the published list, and those given to conditions that had none. */
const published = `DUPLICATE_PROVIDER PROVIDER_CONFIGURED_MISSING PROVIDER_CONFIGURED_UNAVAILABLE PROVIDER_AMBIGUOUS
  PROVIDER_UNAVAILABLE SESSION_UNKNOWN TAB_UNKNOWN NAVIGATION_BLOCKED NAVIGATION_FAILED EXECUTE_TIMEOUT EXECUTE_FAILED
  OPERATION_TIMEOUT SNAPSHOT_FAILED SNAPSHOT_UNKNOWN SNAPSHOT_STALE REF_UNKNOWN REF_RESOLVE_FAILED
  CHALLENGE_DETECT_FAILED CONTENT_FAILED SCROLL_FAILED UPLOAD_FAILED UPLOAD_NO_INPUT READ_PATH_DENIED
  WRITE_PATH_DENIED WAIT_TIMEOUT WAIT_INVALID SELECTOR_INVALID KEY_UNKNOWN FILL_FAILED TARGET_MISSING
  TARGET_OFFSCREEN TARGET_NOT_FOUND TARGET_FAILED DOWNLOAD_UNSUPPORTED AUTH_UNSUPPORTED AUTH_FILE_INVALID
  SPACE_UNSUPPORTED SCREENSHOT_FAILED SCREENSHOT_SAVE_FAILED HISTORY_UNKNOWN HISTORY_INVALID HISTORY_TRUNCATED
  HISTORY_NOT_REPLAYABLE SCRAPE_EMPTY SCRAPE_UNKNOWN HIGHLIGHT_INVALID HIGHLIGHT_FAILED PDF_FAILED HOST_DEAD
  HOST_RESTARTED HUMAN_IN_CONTROL TOOL_RESTRICTED RESTRICT_UNKNOWN AUTH_SCOPE_MISSING HOST_DISPOSED VIEW_DESTROYED
  VIEW_UNKNOWN HOST_REFUSED DIALOG_OPEN`.split(/\s+/)

const members = BrowserError.members

it("every published code belongs to exactly one class of the union", () => {
  const codes = members.map(({ fields }) => {
    const { ast } = fields.code
    return ast._tag === "Literal" ? String(ast.literal) : ""
  })
  assert.strictEqual(new Set(codes).size, codes.length)
  for (const code of published) assert.include(codes, `BROWSER_${code}`)
})

it.effect.prop(
  "every error survives the way through JSON: its class, its fields and its message",
  { error: BrowserError },
  ({ error }) =>
    Effect.gen(function* () {
      const json: unknown = JSON.parse(JSON.stringify(yield* Schema.encodeEffect(BrowserErrorJson)(error)))
      const back = yield* Schema.decodeUnknownEffect(BrowserErrorJson)(json)
      assert.strictEqual(back.constructor, error.constructor)
      assert.strictEqual(back.message, error.message)
      assert.strictEqual(back.next, error.next)
      assert.deepInclude(json, { _tag: error._tag, code: error.code })
      assert.isTrue(isBrowserError(back))
    }),
  { arbitrary: { runs: 400 } }
)

it.effect.prop(
  "every class of the union says what happened and what to do next",
  { error: BrowserError },
  ({ error }) =>
    Effect.sync(() => {
      assert.isAbove(error.message.length, 10)
      assert.isAbove(error.next.length, 0)
    }),
  { arbitrary: { runs: 200 } }
)

it("an error that knows what helps says it in words: an empty remedy is none", () => {
  const told = members.flatMap(({ fields, identifier }) =>
    "remedy" in fields ? [[identifier, Schema.is(Schema.Struct({ remedy: fields.remedy }))] as const] : []
  )
  assert.isAbove(told.length, 5)
  for (const [name, accepts] of told) {
    assert.isTrue(accepts({ remedy: "Wait." }), name)
    assert.isFalse(accepts({ remedy: "" }), name)
  }
})

it("that no browser was found advises nothing that has just been tried", () => {
  for (const name of ["executablePath", "CHROME_PATH"]) {
    const { next } = new BrowserNotFound({ tried: [`${name} /none (does not exist)`] })
    assert.include(next, `Correct ${name}`)
    assert.notInclude(next, "set CHROME_PATH")
  }
  assert.include(new BrowserNotFound({ tried: ["/usr/bin/chromium"] }).next, "set CHROME_PATH")
})

it("the reason that an error was given ends its sentence, with one full stop", () => {
  const message = (reason: string) => new NavigationFailed({ url: "http://a/", reason }).message
  assert.strictEqual(message("no answer"), "Could not open http://a/: no answer.")
  assert.strictEqual(message("no answer."), "Could not open http://a/: no answer.")
  assert.strictEqual(message('it said "why?"'), 'Could not open http://a/: it said "why?"')
  const waited = (seen: string) => new WaitTimeout({ condition: "a text", budget: 5, seen }).message
  assert.strictEqual(waited(""), "Waited 5 ms in vain for a text.")
  assert.strictEqual(waited("it is hidden"), "Waited 5 ms in vain for a text: it is hidden.")
})
