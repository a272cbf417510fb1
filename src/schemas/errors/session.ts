/**
 * The session, a tab or its process is gone, or the protocol refused.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode, list } from "./code.ts"

/** The task has no open session. */
export class SessionUnknown extends Schema.TaggedError<SessionUnknown>()("SessionUnknown", {
  code: errorCode("BROWSER_SESSION_UNKNOWN"),
  task: Schema.String
}) {
  override get message() {
    return `No browser session is open for task "${this.task}".`
  }
  get next() {
    return `Call browser_open with a URL to start one.`
  }
}

/** The browser behind the session ended; its pages and snapshots are gone. */
export class SessionLost extends Schema.TaggedError<SessionLost>()("SessionLost", {
  code: errorCode("BROWSER_SESSION_LOST"),
  reason: Schema.String
}) {
  override get message() {
    return `The browser session was lost: ${ended(this.reason)} Its pages and snapshots are gone.`
  }
  get next() {
    return `Call browser_open to start a new session.`
  }
}

/**
 * There is no connection to the browser: it closed, and what was in flight may or may not have taken effect; or it could
 * not be made.
 */
export class ConnectionLost extends Schema.TaggedError<ConnectionLost>()("ConnectionLost", {
  code: errorCode("BROWSER_CONNECTION_LOST"),
  reason: Schema.String
}) {
  override get message() {
    return `There is no connection to the browser: ${ended(this.reason)}`
  }
  get next() {
    return `Call browser_open to connect anew; look at the page before repeating an action. If that fails, too, check the address of the browser.`
  }
}

/** No tab of the session has that id. */
export class TabUnknown extends Schema.TaggedError<TabUnknown>()("TabUnknown", {
  code: errorCode("BROWSER_TAB_UNKNOWN"),
  tabId: Schema.String,
  known: Schema.Array(Schema.String),
  done: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "what had been done when it closed" }))
}) {
  override get message() {
    return this.done === undefined
      ? `There is no tab "${this.tabId}" (open tabs: ${list(this.known)}).`
      : `The tab "${this.tabId}" closed meanwhile (open tabs: ${list(this.known)}); ${ended(this.done)}`
  }
  get next() {
    return `Call browser_list_tabs and use one of its ids.`
  }
}

/** The process that renders a page or a frame crashed. */
export class TabCrashed extends Schema.TaggedError<TabCrashed>()("TabCrashed", {
  code: errorCode("BROWSER_TAB_CRASHED"),
  tabId: Schema.String,
  what: Schema.Literals(["page", "frame"])
}) {
  override get message() {
    return `The ${this.what} in tab "${this.tabId}" crashed.`
  }
  get next() {
    return `Call browser_reload or browser_open; what was typed into the page is gone.`
  }
}

/** The browser refused a protocol command. */
export class CdpFailed extends Schema.TaggedError<CdpFailed>()("CdpFailed", {
  code: errorCode("BROWSER_CDP_FAILED"),
  method: Schema.String,
  cdpCode: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `The browser refused ${this.method}: ${this.reason} (${this.cdpCode}).`
  }
  get next() {
    return `Check the parameters; take a fresh snapshot if the page has changed.`
  }
}

/** A raw protocol command that is not sent; `reason` also says what to do instead. */
export class CdpRefused extends Schema.TaggedError<CdpRefused>()("CdpRefused", {
  code: errorCode("BROWSER_CDP_REFUSED"),
  method: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.method} was not sent: ${ended(this.reason)}`
  }
  get next() {
    return `Do it the way that the reason names, or do without it.`
  }
}

/** A protocol message was larger than the connection accepts; only that call fails. Sizes in bytes. */
export class MessageTooLarge extends Schema.TaggedError<MessageTooLarge>()("MessageTooLarge", {
  code: errorCode("BROWSER_MESSAGE_TOO_LARGE"),
  method: Schema.String,
  size: Schema.Int,
  limit: Schema.Int
}) {
  override get message() {
    return `The message of ${this.method} has ${this.size} bytes; the limit is ${this.limit}.`
  }
  get next() {
    return `Ask for less: a part of the page, a smaller picture, fewer characters.`
  }
}

/** The view host process is gone. */
export class HostDead extends Schema.TaggedError<HostDead>()("HostDead", {
  code: errorCode("BROWSER_HOST_DEAD"),
  reason: Schema.String
}) {
  override get message() {
    return `The view host ended: ${ended(this.reason)}`
  }
  get next() {
    return `Call browser_open; the host is started again.`
  }
}

/** The view host was restarted; the page of this operation is lost and nothing was repeated. */
export class HostRestarted extends Schema.TaggedError<HostRestarted>()("HostRestarted", {
  code: errorCode("BROWSER_HOST_RESTARTED"),
  operation: Schema.String
}) {
  override get message() {
    return `The view host was restarted during ${this.operation}; the page is lost and nothing was repeated.`
  }
  get next() {
    return `Call browser_open to load the page again.`
  }
}

/** The view host was closed for good by its owner. */
export class HostDisposed extends Schema.TaggedError<HostDisposed>()("HostDisposed", {
  code: errorCode("BROWSER_HOST_DISPOSED"),
  operation: Schema.String
}) {
  override get message() {
    return `The view host is closed; ${this.operation} was not done.`
  }
  get next() {
    return `Open the host anew in the application.`
  }
}

/** The view host refused an operation. */
export class HostRefused extends Schema.TaggedError<HostRefused>()("HostRefused", {
  code: errorCode("BROWSER_HOST_REFUSED"),
  operation: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The view host refused ${this.operation}: ${ended(this.reason)}`
  }
  get next() {
    return `See the reason; the page is unchanged.`
  }
}

/** The view host has no such view. */
export class ViewUnknown extends Schema.TaggedError<ViewUnknown>()("ViewUnknown", {
  code: errorCode("BROWSER_VIEW_UNKNOWN"),
  viewId: Schema.String
}) {
  override get message() {
    return `The view host has no view "${this.viewId}".`
  }
  get next() {
    return `Call browser_list_tabs and use an open tab.`
  }
}

/** The view was closed while it was being created. */
export class ViewDestroyed extends Schema.TaggedError<ViewDestroyed>()("ViewDestroyed", {
  code: errorCode("BROWSER_VIEW_DESTROYED"),
  viewId: Schema.String
}) {
  override get message() {
    return `The view "${this.viewId}" was closed while it was starting.`
  }
  get next() {
    return `Open a new tab.`
  }
}

/** The session's provider cannot do this. */
export class CapabilityMissing extends Schema.TaggedError<CapabilityMissing>()("CapabilityMissing", {
  code: errorCode("BROWSER_CAPABILITY_MISSING"),
  capability: Schema.String,
  provider: Schema.String
}) {
  override get message() {
    return `The provider "${this.provider}" cannot do this (it lacks: ${this.capability}).`
  }
  get next() {
    return `Use another tool, or configure a provider that has it.`
  }
}
