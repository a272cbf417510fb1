/** What moves, and what is on its way out. */
import { animationsOf, attribute, queryIn } from "./dom.ts"
import { coverRoot } from "./hit.ts"
import { flatParent } from "./tree.ts"

const geometry =
  /^(transform|translate|scale|rotate|left|top|right|bottom|inset.*|width|height|min(Width|Height)|max(Width|Height)|margin.*|padding.*|offset.*|font.*|flex.*|grid.*|all|zoom|gap)$/

const endless = (animation: Animation): boolean =>
  animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY

const running = (animation: Animation): boolean => animation.playState === "running" || animation.pending

const movesBoxes = (animation: Animation): boolean => {
  const { effect } = animation
  if (!(effect instanceof KeyframeEffect)) return true
  return effect.getKeyframes().some((frame) => Object.keys(frame).some((name) => geometry.test(name)))
}

/** Whether an animation moves the element, itself or with what is around it: for a while, or for ever. */
export const motionOf = (element: Element): "ending" | "endless" | "none" => {
  let motion: "endless" | "none" = "none"
  for (let at: Element | null = element, steps = 0; at !== null && steps < 100; at = flatParent(at), steps += 1) {
    for (const animation of animationsOf(at)) {
      if (!running(animation) || !movesBoxes(animation)) continue
      if (!endless(animation)) return "ending"
      motion = "endless"
    }
  }
  return motion
}

/** Whether a cover is on its way out, busy with something without end, or just lies there. */
export const coverState = (target: Element, hit: Element | null): "leaving" | "busy" | "still" => {
  if (hit === null) return "still"
  const root = coverRoot(target, hit)
  let busy =
    attribute(root, "aria-busy") === "true" || queryIn(root, "[role=progressbar],[aria-busy=true],progress") !== null
  for (let at: Element | null = hit, steps = 0; at !== null && steps < 60; at = flatParent(at), steps += 1) {
    for (const animation of animationsOf(at)) {
      if (!running(animation)) continue
      if (endless(animation)) busy = true
      else return "leaving"
    }
    if (at === root) break
  }
  return busy ? "busy" : "still"
}
