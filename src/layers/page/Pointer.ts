/** Real pointer input: finds the target, makes it ready, presses it, and makes sure that the page got the press. */
import { Clock, Effect, Ref } from "effect"
import {
  SnapshotStale,
  TargetCovered,
  TargetDisabled,
  TargetFailed,
  TargetHidden,
  TargetMissing,
  TargetOffscreen,
  TargetUnstable
} from "../../schemas/errors.ts"
import type { Ready } from "../../schemas/page.ts"
import type { Target } from "../../schemas/tools/acting.ts"
import type { ReferenceError, TargetError } from "../../services/BrowserSession.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import type { Agents, DocumentGone } from "./Agent.ts"
import { type Finder, type Found, readyMs } from "./Finder.ts"
import { type Point, reveal, toSessionRoot } from "./Frames.ts"
import { Mouse, type Press } from "./Mouse.ts"
import type { Tab } from "./Tab.ts"

/** How often a target that moved between being ready and being pressed is made ready again. */
const attempts = 3

const noPress =
  "nothing of the press came to the page; a question of the browser itself may stand over it, such as whether to open another program"
const noPressRemedy =
  "Take a snapshot and try again; if it stays so, open the page with browser_open and newTab, and close this tab."

/** Where something was pressed. */
export interface Pressed {
  readonly x: number
  readonly y: number
  readonly target: string
  /** why the page got no click of it */
  readonly missed?: string
  /** the address of a link that was clicked and that is no web address */
  readonly link?: string
}

export type ActError = CdpError | TargetError | ReferenceError

/** The selector or the text that a target names; undefined for a point. */
const queryOf = (target: Target) =>
  target.selector !== undefined
    ? { selector: target.selector }
    : target.text !== undefined
      ? { text: target.text }
      : undefined

export class Pointer {
  private readonly tab: Tab
  private readonly agents: Agents
  private readonly finder: Finder
  private readonly mouse: Mouse
  constructor(tab: Tab, agents: Agents, finder: Finder) {
    this.tab = tab
    this.agents = agents
    this.finder = finder
    this.mouse = new Mouse(tab)
  }

  /** Presses what `target` names: a point, a selector or a text. `dispatched` is set once something was pressed. */
  readonly press = (
    target: Target,
    press: Press,
    operation: string,
    dispatched: Ref.Ref<Pressed | undefined>
  ): Effect.Effect<Pressed, CdpError | TargetError> =>
    Effect.gen({ self: this }, function* () {
      const query = queryOf(target)
      if (query !== undefined) {
        const start = yield* Clock.currentTimeMillis
        return yield* Effect.flatMap(this.finder.byQuery(query, true), (found) =>
          this.pressElement(found, press, dispatched)
        ).pipe(
          // a page that draws its list anew all the time has the element again
          Effect.retry({
            while: (error) =>
              Effect.map(
                Clock.currentTimeMillis,
                (now) =>
                  error._tag === "TargetFailed" && Ref.getUnsafe(dispatched) === undefined && now - start < readyMs
              )
          })
        )
      }
      const point = yield* this.pointOf(target, operation)
      const pressed = { ...point, target: "the point" }
      yield* this.mouse.move(undefined, point, press.modifiers)
      yield* Ref.set(dispatched, pressed)
      yield* this.mouse.strike(undefined, point, press)
      return pressed
    }).pipe(notAReference)

  /** Presses an element: in view, holding still, not covered, and still the same under the pointer. */
  readonly pressElement = (
    found: Found,
    press: Press,
    dispatched: Ref.Ref<Pressed | undefined>
  ): Effect.Effect<Pressed, ActError> =>
    Effect.gen({ self: this }, function* () {
      const { frame } = found
      const start = yield* Clock.currentTimeMillis
      for (let attempt = 1; ; attempt++) {
        const { point, description } = yield* this.ready(found, true, attempt === 1 ? found.ready : undefined)
        yield* reveal(this.tab, this.agents, frame, point, description)
        const spot = yield* toSessionRoot(this.tab, this.agents, frame, point)
        yield* this.mouse.move(frame, spot, press.modifiers)
        const hit = yield* this.agents.call(frame, "hit", {
          key: found.key,
          ...point,
          ...(found.query === undefined ? {} : { query: found.query })
        })
        if (hit.is === "moved" && attempt < attempts) continue
        if (hit.is === "moved") {
          const waited = Math.round((yield* Clock.currentTimeMillis) - start)
          return yield* new TargetUnstable({ target: description, budget: waited })
        }
        if (hit.is === "covered") {
          return yield* new TargetCovered({ target: description, by: hit.by, box: hit.byBox })
        }
        if (hit.is === "stale") return yield* this.stale(found, hit.reason)
        const pressed = { x: Math.round(spot.x), y: Math.round(spot.y), target: description }
        yield* Ref.set(dispatched, pressed)
        const commits = this.tab.model.commits
        yield* this.mouse.strike(frame, spot, press)
        return { ...pressed, ...(yield* this.verify(found, commits, description, press)) }
      }
    }).pipe(this.documentGone(found))

  /** Moves the pointer over what `target` names and leaves it there. */
  readonly hover = (target: Target): Effect.Effect<Pressed, CdpError | TargetError> =>
    Effect.gen({ self: this }, function* () {
      const end = yield* this.place(target, "browser_hover", false)
      yield* this.mouse.move(end.frame, end.spot, [])
      return { x: Math.round(end.spot.x), y: Math.round(end.spot.y), target: end.description }
    })

  /** Drags from one place to another with the left button held, in `steps` moves. */
  readonly drag = (
    from: Target,
    to: Target,
    steps: number,
    dispatched: Ref.Ref<Pressed | undefined>
  ): Effect.Effect<void, CdpError | TargetError> =>
    Effect.gen({ self: this }, function* () {
      const target = yield* this.place(to, "browser_drag", false)
      const source = yield* this.place(from, "browser_drag", true)
      yield* this.mouse.move(source.frame, source.spot, [])
      yield* Ref.set(dispatched, { x: source.spot.x, y: source.spot.y, target: source.description })
      const end = yield* this.place(to, "browser_drag", false, true)
      yield* this.mouse.send(source.frame, {
        type: "mousePressed",
        ...source.spot,
        button: "left",
        buttons: 1,
        clickCount: 1
      })
      for (let step = 1; step <= steps; step++) {
        const part = step / steps
        // held on the moves, or the browser starts no drag (runtime fact 84)
        yield* this.mouse.send(source.frame, {
          type: "mouseMoved",
          x: source.spot.x + (end.spot.x - source.spot.x) * part,
          y: source.spot.y + (end.spot.y - source.spot.y) * part,
          button: "left",
          buttons: 1
        })
      }
      yield* this.mouse.send(source.frame, {
        type: "mouseReleased",
        ...end.spot,
        button: "left",
        buttons: 0,
        clickCount: 1
      })
      return void target
    })

  /** Turns the wheel over a point of the top viewport. */
  readonly wheel = (point: Point, deltaX: number, deltaY: number): Effect.Effect<unknown, CdpError> =>
    this.mouse.send(undefined, { type: "mouseWheel", ...point, deltaX, deltaY })

  /** A point inside the viewport that was given by its coordinates. */
  readonly pointOf = (
    target: Target,
    operation: string
  ): Effect.Effect<Point, CdpError | TargetMissing | TargetOffscreen> =>
    Effect.gen({ self: this }, function* () {
      if (target.x === undefined || target.y === undefined) return yield* new TargetMissing({ operation })
      const view = yield* this.agents
        .call(this.tab.model.main, "scrollState", {})
        .pipe(Effect.catchTag("DocumentGone", () => Effect.succeed({ width: 0, height: 0 })))
      // a viewport of no size is one that has not been laid out yet
      if (
        view.width > 0 &&
        view.height > 0 &&
        (target.x < 0 || target.y < 0 || target.x >= view.width || target.y >= view.height)
      ) {
        return yield* new TargetOffscreen({ x: target.x, y: target.y, width: view.width, height: view.height })
      }
      return { x: target.x, y: target.y }
    })

  private place(target: Target, operation: string, press: boolean, again = false) {
    return Effect.gen({ self: this }, function* () {
      const query = queryOf(target)
      if (query === undefined) {
        return { frame: undefined, spot: yield* this.pointOf(target, operation), description: "the point" }
      }
      const found = yield* this.finder.byQuery(query)
      // the drop target is not scrolled to once more: that would move the source away
      const place = again ? yield* this.whereItIs(found) : yield* this.ready(found, press)
      if (!again) yield* reveal(this.tab, this.agents, found.frame, place.point, place.description)
      const spot = yield* toSessionRoot(this.tab, this.agents, found.frame, place.point)
      return { frame: found.frame, spot, description: place.description }
    }).pipe(
      Effect.catchTag("DocumentGone", () =>
        Effect.fail(new TargetFailed({ target: "the target", reason: "the page was replaced meanwhile" }))
      ),
      notAReference
    )
  }

  private whereItIs(found: Found) {
    return Effect.flatMap(this.agents.call(found.frame, "box", { key: found.key }), (box) =>
      box === null
        ? Effect.fail(new TargetHidden({ target: found.description, reason: "it has left the page" }))
        : Effect.succeed({
            point: { x: box.x + box.width / 2, y: box.y + box.height / 2 },
            description: found.description
          })
    )
  }

  private ready(found: Found, press: boolean, known?: Ready) {
    return Effect.gen({ self: this }, function* () {
      const ready =
        known ??
        (yield* this.agents.call(found.frame, "ready", {
          key: found.key,
          ...(found.fp === undefined ? {} : { fp: found.fp }),
          timeout: readyMs,
          press
        }))
      switch (ready.is) {
        case "ready":
          return ready
        case "covered":
          return yield* new TargetCovered({ target: ready.description, by: ready.by, box: ready.byBox })
        case "hidden":
          return yield* new TargetHidden({ target: ready.description, reason: ready.reason })
        case "disabled":
          return yield* new TargetDisabled({ target: ready.description })
        case "unstable":
          return yield* new TargetUnstable({ target: ready.description, budget: readyMs })
        case "stale":
          return yield* this.stale(found, ready.reason)
      }
    })
  }

  private stale(found: Found, reason: string): Effect.Effect<never, SnapshotStale | TargetFailed> {
    return found.reference === undefined
      ? Effect.fail(new TargetFailed({ target: found.description, reason }))
      : Effect.fail(new SnapshotStale({ ...found.reference, reason }))
  }

  private documentGone(found: Found) {
    return <A, E>(effect: Effect.Effect<A, E | DocumentGone>) =>
      Effect.catchIf(
        effect,
        (error): error is Extract<E | DocumentGone, DocumentGone> =>
          (error as { readonly _tag?: string })._tag === "DocumentGone",
        () => this.stale(found, "the page was replaced before it could be pressed; nothing was pressed")
      )
  }

  /** The page must have got the press, unless it has already moved on; tells what it became there. */
  private verify(
    found: Found,
    commits: number,
    description: string,
    press: Press
  ): Effect.Effect<Pick<Pressed, "missed" | "link">, CdpError | TargetFailed> {
    return this.agents.call(found.frame, "pressed", { key: found.key }).pipe(
      Effect.catchTag("DocumentGone", () => Effect.succeed(undefined)),
      Effect.flatMap((seen): Effect.Effect<Pick<Pressed, "missed" | "link">, TargetFailed> => {
        if (seen === undefined || this.tab.model.commits !== commits) return Effect.succeed({})
        const link = seen.link === undefined ? {} : { link: seen.link }
        if (this.tab.model.navigating) return Effect.succeed(link)
        if (!seen.received) {
          return Effect.fail(
            new TargetFailed(
              seen.by === "nothing"
                ? { target: description, reason: noPress, remedy: noPressRemedy }
                : { target: description, reason: `the press went to ${seen.by} instead` }
            )
          )
        }
        return Effect.succeed({
          ...(seen.released === undefined || (press.button ?? "left") !== "left"
            ? {}
            : {
                missed: `it got the press, but the page changed at that and the button was let go over ${seen.released}: no click came of it`
              }),
          ...link
        })
      })
    )
  }
}

/** Targets that were not named by a reference cannot fail as one. */
const notAReference = <A, E>(effect: Effect.Effect<A, E>) => effect as Effect.Effect<A, Exclude<E, ReferenceError>>
