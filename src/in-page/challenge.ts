/** Bot checks. That one is present and that it stands in the way are two things: an invisible one blocks nobody. */
import type { ChallengeState } from "../schemas/page.ts"
import { bodyElement, documentTitle, innerTextOf, queryAll, rectOf } from "./dom.ts"
import { View } from "./view.ts"

export interface ChallengeFacts {
  readonly blocked: boolean
  readonly kind: string
  readonly reason: string
}

const interstitial =
  /just a moment|checking your browser|attention required|verify(ing)? you are human|are you a robot|请稍候|安全检查|人机验证/i
const vendors: ReadonlyArray<readonly [kind: string, selector: string]> = [
  ["cloudflare", "#challenge-running,#challenge-stage,.cf-chl-container,#cf-chl-container,#challenge-form"],
  ["turnstile", "iframe[src*='challenges.cloudflare.com'],.cf-turnstile"],
  ["hcaptcha", "iframe[src*='hcaptcha.com'],.h-captcha"],
  ["recaptcha", "iframe[src*='/recaptcha/'],.g-recaptcha"]
]

/** A challenge of a known kind in the page, and whether it covers the page or is all that the page shows. */
export const challengeOf = (): ChallengeFacts | undefined => {
  const title = documentTitle().slice(0, 200)
  const titled = interstitial.test(title)
  for (const [kind, selector] of vendors) {
    const found = Array.from(queryAll(document, selector)).slice(0, 10)
    if (found.length === 0) continue
    const view = new View()
    const largest = Math.max(0, ...found.map((element) => (view.rendered(element) ? areaOf(element) : 0)))
    const covering = largest > 0.3 * innerWidth * innerHeight
    if (kind === "cloudflare" || covering || (titled && largest > 0)) {
      return { blocked: true, kind, reason: titled ? title : "a challenge covers the page" }
    }
    const body = bodyElement()
    const alone =
      largest > 1000 && body !== null && innerTextOf(body).length < 400 && queryAll(document, "a[href]").length < 5
    if (alone) return { blocked: true, kind, reason: "the page holds nothing but a challenge" }
    return { blocked: false, kind, reason: "a challenge is present, not in the way" }
  }
  const body = bodyElement()
  if (titled && body !== null && queryAll(document, "a[href]").length < 5) {
    return { blocked: true, kind: "generic", reason: title }
  }
  return undefined
}

/** For the agent: whether there is a challenge, and whether it stands in the way. */
export const challenge = (): ChallengeState => {
  const facts = challengeOf()
  return facts === undefined ? { present: false, blocked: false } : { present: true, ...facts }
}

const areaOf = (element: Element): number => {
  const rect = rectOf(element)
  return rect.width * rect.height
}
