/**
 * No browser can be had: choose, install or configure one.
 *
 * Every class carries a stable `code`, a `message` (what happened) and `next` (what to do about it).
 */
import { Schema } from "effect"
import { ended, errorCode, list } from "./code.ts"

/** A provider id was registered twice. */
export class DuplicateProvider extends Schema.TaggedError<DuplicateProvider>()("DuplicateProvider", {
  code: errorCode("BROWSER_DUPLICATE_PROVIDER"),
  provider: Schema.String
}) {
  override get message() {
    return `A browser provider named "${this.provider}" is already registered.`
  }
  get next() {
    return `Register it under another id, or close the scope that holds the first one.`
  }
}

/** The configured provider id is not registered. */
export class ProviderConfiguredMissing extends Schema.TaggedError<ProviderConfiguredMissing>()(
  "ProviderConfiguredMissing",
  {
    code: errorCode("BROWSER_PROVIDER_CONFIGURED_MISSING"),
    provider: Schema.String,
    registered: Schema.Array(Schema.String)
  }
) {
  override get message() {
    return `The configured browser provider "${this.provider}" is not registered (registered: ${list(this.registered)}).`
  }
  get next() {
    return `Set the provider to one of the registered ids, or register it.`
  }
}

/** The configured provider is registered but says that it cannot be used. */
export class ProviderConfiguredUnavailable extends Schema.TaggedError<ProviderConfiguredUnavailable>()(
  "ProviderConfiguredUnavailable",
  {
    code: errorCode("BROWSER_PROVIDER_CONFIGURED_UNAVAILABLE"),
    provider: Schema.String
  }
) {
  override get message() {
    return `The configured browser provider "${this.provider}" is not available here.`
  }
  get next() {
    return `Run "effect-browser doctor" to see what it lacks, or configure another provider.`
  }
}

/** Several providers are usable and none is configured. */
export class ProviderAmbiguous extends Schema.TaggedError<ProviderAmbiguous>()("ProviderAmbiguous", {
  code: errorCode("BROWSER_PROVIDER_AMBIGUOUS"),
  available: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Several browser providers are available: ${list(this.available)}.`
  }
  get next() {
    return `Configure one of them by its id.`
  }
}

/** No registered provider is usable. */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>()("ProviderUnavailable", {
  code: errorCode("BROWSER_PROVIDER_UNAVAILABLE"),
  registered: Schema.Array(Schema.String)
}) {
  override get message() {
    return `No browser provider is available (registered: ${list(this.registered)}).`
  }
  get next() {
    return `Run "effect-browser doctor" to see what is missing.`
  }
}

/** No browser executable was found. */
export class BrowserNotFound extends Schema.TaggedError<BrowserNotFound>()("BrowserNotFound", {
  code: errorCode("BROWSER_NOT_FOUND"),
  tried: Schema.Array(Schema.String)
}) {
  override get message() {
    return `No browser was found. Tried: ${list(this.tried)}.`
  }
  get next() {
    // to name again what was just tried would lead nowhere
    const named = ["executablePath", "CHROME_PATH"].filter((name) =>
      this.tried.some((one) => one.startsWith(`${name} `))
    )
    return named.length > 0
      ? `Correct ${named.join(" and ")} (executablePath is --executable on the command line), or leave it out: then an installed browser is used.`
      : `Install Chromium, Chrome or Edge, or set CHROME_PATH to an executable.`
  }
}

/** No Electron of the wanted version was found; `rejected` names each that was, and why it is not used. */
export class ElectronNotFound extends Schema.TaggedError<ElectronNotFound>()("ElectronNotFound", {
  code: errorCode("BROWSER_ELECTRON_NOT_FOUND"),
  wanted: Schema.String,
  rejected: Schema.Array(Schema.String),
  remedy: Schema.NonEmptyString
}) {
  override get message() {
    return `Electron ${this.wanted} was not found. Not used: ${list(this.rejected)}.`
  }
  get next() {
    return this.remedy
  }
}

/** A window needs a display and there is none; nothing was started. */
export class DisplayMissing extends Schema.TaggedError<DisplayMissing>()("DisplayMissing", {
  code: errorCode("BROWSER_DISPLAY_MISSING"),
  program: Schema.String
}) {
  override get message() {
    return `${this.program} needs a display for its window, and neither DISPLAY nor WAYLAND_DISPLAY is set.`
  }
  get next() {
    return `Start it in a desktop session, or with a virtual display (package xvfb): xvfb-run -a <command>.`
  }
}

/** The browser process did not come up. */
export class LaunchFailed extends Schema.TaggedError<LaunchFailed>()("LaunchFailed", {
  code: errorCode("BROWSER_LAUNCH_FAILED"),
  executable: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The browser ${this.executable} did not start: ${ended(this.reason)}`
  }
  get next() {
    return `Run "effect-browser doctor"; it starts the browser and prints what is missing.`
  }
}

/** Another live browser holds the profile folder. */
export class ProfileInUse extends Schema.TaggedError<ProfileInUse>()("ProfileInUse", {
  code: errorCode("BROWSER_PROFILE_IN_USE"),
  profile: Schema.String
}) {
  override get message() {
    return `The profile ${this.profile} is in use by another running browser.`
  }
  get next() {
    return `Close that browser, or use another profile folder.`
  }
}
