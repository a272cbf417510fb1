/** The tool about cookies: given out, set, read from a file, removed. It needs no page. */
import { Effect, Result } from "effect"
import { type Cookie, cookieEntries, cookieFits, readCookie } from "../../schemas/cookies.ts"
import * as E from "../../schemas/errors.ts"
import { AuthParams, type AuthResult } from "../../schemas/tools/auth.ts"
import * as P from "../../schemas/tools/auth.ts"
import type { BrowserSession } from "../../services/BrowserSession.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { counted, oneLine } from "../render/text.ts"
import { act } from "./facts.ts"

/** Bytes of a cookie file at the most. */
const maxFileBytes = 16 * 1024 * 1024

/** Failures that are told one by one. */
const maxFailures = 100

/** Sets what can be read of the entries, each by itself. */
const restore = Effect.fnUntraced(function* (session: BrowserSession, entries: ReadonlyArray<unknown>) {
  const read = entries.map((entry) => readCookie(entry))
  const usable = read.flatMap((one, index) => (Result.isSuccess(one) ? [{ index, cookie: one.success }] : []))
  const outcomes = yield* session.setCookies(usable.map(({ cookie }) => cookie))
  const failures = [
    ...read.flatMap((one, index) => (Result.isFailure(one) ? [{ index, reason: one.failure }] : [])),
    ...usable.flatMap(({ index, cookie }, place) => {
      const reason = outcomes[place]?.reason
      return reason === undefined ? [] : [{ index, name: cookie.name, reason }]
    })
  ].sort((a, b) => a.index - b.index)
  return {
    restored: entries.length - failures.length,
    failed: failures.length,
    ...(failures.length === 0 ? {} : { failures: failures.slice(0, maxFailures) })
  } satisfies AuthResult
})

const parse = (content: Uint8Array): unknown => {
  try {
    // a byte order mark is no part of the JSON
    return JSON.parse(new TextDecoder().decode(content).replace(/^\ufeff/, ""))
  } catch {
    return undefined
  }
}

const namesLine = (cookies: ReadonlyArray<Pick<Cookie, "name" | "domain">>): string =>
  oneLine(cookies.map(({ domain, name }) => `${name} (${domain})`).join(", "), 2_000)

export const authRow: ToolRow = sessionTool({
  ...act,
  name: "browser_auth",
  title: "Cookies",
  description: "Give out, set, import or clear the cookies of this browser.",
  core: false,
  history: "auth",
  secret: ["cookies"],
  capability: "cookies",
  budget: "command",
  whileDialog: "answers",
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  parameters: AuthParams,
  success: P.AuthResult,
  errors: [
    E.SessionLost,
    E.OperationTimeout,
    E.CdpFailed,
    E.MessageTooLarge,
    E.AuthFileInvalid,
    E.AuthScopeMissing,
    E.InvalidArguments,
    E.ReadPathDenied,
    E.WritePathDenied
  ],
  run: Effect.fnUntraced(function* (session, { action, cookies, file, domain, name, all }, { files }) {
    const filter = { ...(domain === undefined ? {} : { domain }), ...(name === undefined ? {} : { name }) }
    const missing = (what: string) =>
      new E.InvalidArguments({ tool: "browser_auth", issues: [`${what} is missing; action ${action} needs it`] })
    switch (action) {
      case "flush": {
        const path = file === undefined ? undefined : yield* files.admitWrite(file)
        const found = (yield* session.cookies).filter((cookie) => cookieFits(cookie, filter))
        if (path === undefined) return { count: found.length, cookies: found } satisfies AuthResult
        yield* files.write(path, new TextEncoder().encode(`${JSON.stringify(found, undefined, 2)}\n`))
        return { count: found.length, path } satisfies AuthResult
      }
      case "restore":
        return cookies === undefined ? yield* missing("cookies") : yield* restore(session, cookies)
      case "import": {
        if (file === undefined) return yield* missing("file")
        const path = yield* files.admitRead(file)
        const entries = cookieEntries(parse(yield* files.read(path, maxFileBytes)))
        if (entries === undefined) {
          return yield* new E.AuthFileInvalid({ path, reason: 'it is no JSON array, nor an object with "cookies"' })
        }
        if (!entries.some((entry) => Result.isSuccess(readCookie(entry)))) {
          return yield* new E.AuthFileInvalid({ path, reason: "it holds no cookie with name, value and domain or url" })
        }
        return yield* restore(session, entries)
      }
      case "clear": {
        if (domain === undefined && name === undefined && all !== true) return yield* new E.AuthScopeMissing()
        const removed = yield* session.clearCookies(filter)
        return {
          removed: removed.length,
          names: [...new Set(removed.map((cookie) => cookie.name))]
        } satisfies AuthResult
      }
    }
  }),
  // values are in the data only: nobody needs to read them
  render: (result, { action }) => {
    switch (action) {
      case "flush":
        return {
          lines: [
            `${counted(result.count ?? 0, "cookie")}${result.path === undefined ? "" : ` written to ${oneLine(result.path, 1_000)}`}`,
            ...(result.cookies === undefined || result.cookies.length === 0 ? [] : [namesLine(result.cookies)])
          ]
        }
      case "clear":
        return {
          lines: [
            `${counted(result.removed ?? 0, "cookie")} removed${(result.names ?? []).length === 0 ? "" : `: ${oneLine((result.names ?? []).join(", "), 2_000)}`}`
          ]
        }
      default:
        return {
          lines: [
            `${counted(result.restored ?? 0, "cookie")} set, ${result.failed ?? 0} not`,
            ...(result.failures ?? []).map(
              (one) =>
                `not set: number ${one.index}${one.name === undefined ? "" : ` ${oneLine(one.name, 100)}`}: ${oneLine(one.reason, 200)}`
            )
          ]
        }
    }
  }
})
