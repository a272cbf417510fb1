/**
 * A page could not be loaded, or may not be.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode } from "./code.ts"
import { loadAdvice } from "./loadAdvice.ts"

/** The URL is not admitted; nothing was sent to it. `remedy`: what to do where the address itself is at fault. */
export class NavigationBlocked extends Schema.TaggedError<NavigationBlocked>()("NavigationBlocked", {
  code: errorCode("BROWSER_NAVIGATION_BLOCKED"),
  url: Schema.String,
  reason: Schema.String,
  remedy: Schema.optionalKey(Schema.NonEmptyString)
}) {
  override get message() {
    return `The address ${this.url} is not allowed: ${ended(this.reason)}`
  }
  get next() {
    if (this.remedy !== undefined) return this.remedy
    return `Use another address; from a page that may not be read, leave by browser_open, browser_back or browser_close_tab.`
  }
}

/** The browser could not load the address. */
export class NavigationFailed extends Schema.TaggedError<NavigationFailed>()("NavigationFailed", {
  code: errorCode("BROWSER_NAVIGATION_FAILED"),
  url: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `Could not open ${this.url}: ${ended(this.reason)}`
  }
  get next() {
    return `${loadAdvice(this.reason)}; the tab still shows the page before, or the browser's error page.`
  }
}
