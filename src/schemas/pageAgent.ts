/** What the agent in a page can be asked. */
import type {
  ChallengeState,
  ContentPayload,
  ElementQuery,
  FieldPlan,
  FieldQuery,
  FieldState,
  FileQuery,
  FileTarget,
  FilesTaken,
  Focus,
  Found,
  Hit,
  Pressed,
  Quiet,
  Ready,
  Rect,
  ScrollState,
  Sought,
  WaitCondition,
  WaitOutcome,
  WalkOptions,
  WalkResult
} from "./page.ts"

/**
 * The agent's functions, as called with one JSON argument and answered with one JSON value.
 *
 * Every function works in pages that override built-ins or hold 50,000 nodes, bounds what it returns, and never throws
 * for what a page can cause.
 */
export interface PageAgent {
  walk(options: WalkOptions): WalkResult
  /** Finds one element. For text: an exact match of visible text or accessible name wins, then "contains". */
  find(query: ElementQuery): Found
  /** Elements whose text or name contains the text (lower case), as walk items. */
  search(options: { readonly text: string; readonly limit: number }): WalkResult
  /**
   * Scrolls the element into view (all its scrollers, instantly), waits by animation frames until it holds still,
   * chooses a point inside that hits it, its descendant or its label. `fp` absent: not compared.
   */
  ready(options: {
    readonly key: number
    readonly fp?: number
    readonly timeout: number
    /** false: no hit test and no check of being enabled (drop targets, hover) */
    readonly press: boolean
  }): Promise<Ready>
  /** {@link find} and, if that finds it, {@link ready} to be pressed: one question instead of two. */
  seek(options: { readonly query: ElementQuery; readonly timeout: number }): Promise<Sought>
  /**
   * Waits for one animation frame, hit-tests again, and from then on watches whether the element (or what counts as
   * it) gets the press: see `pressed`.
   */
  hit(options: {
    readonly key: number
    readonly x: number
    readonly y: number
    /** how it is found again if the page has drawn it anew */
    readonly query?: ElementQuery
  }): Promise<Hit>
  /** Whether a trusted press arrived since `hit`, and what became of it. */
  pressed(options: { readonly key: number }): Pressed
  /** For an ancestor document: whether the iframe element `key` is what stands under the point. */
  hitFrame(options: { readonly key: number; readonly x: number; readonly y: number }): Hit
  /** What has the focus, or that element */
  focused(options: { readonly key?: number }): Focus
  /** `budget`: time (ms) for looking at the names of fields */
  planField(options: {
    readonly field: FieldQuery
    readonly value: string | boolean | number | ReadonlyArray<string>
    readonly budget?: number
  }): FieldPlan
  focusField(options: { readonly key: number }): boolean
  setField(options: {
    readonly key: number
    readonly value: string | boolean | number | ReadonlyArray<string>
  }): FieldState
  readField(options: {
    readonly key: number
    readonly value: string | boolean | number | ReadonlyArray<string>
  }): FieldState
  /** Submits the form of a field as a person would: validity first. */
  submit(options: { readonly key: number }): { readonly submitted: boolean; readonly reason?: string }
  challenge(options: Record<string, never>): ChallengeState
  /** The file input that a selector or reference means: itself, its label, what it stands in; or what may open a chooser. */
  fileTarget(query: FileQuery): FileTarget
  filesTaken(options: { readonly watch: number }): FilesTaken
  waitFor(condition: WaitCondition): Promise<WaitOutcome>
  content(options: {
    readonly format: "html" | "txt" | "json" | "markdown"
    readonly selector?: string
    readonly maxChars: number
  }): typeof ContentPayload.Type
  scrollState(options: { readonly x?: number; readonly y?: number }): ScrollState
  scrollTo(options: { readonly key: number; readonly block: "start" | "center" | "end" | "nearest" }): ScrollState & {
    readonly box: Rect
  }
  /** Starts counting changes of the document. */
  watch(options: Record<string, never>): boolean
  /**
   * Resolves when nothing changed for `idle` ms and an animation frame (two, if the page has not reacted to the latest
   * act yet and waits for a frame itself), or after `timeout` ms.
   */
  quiet(options: {
    readonly idle: number
    readonly timeout: number
    /** a page that changes without end is given up after so many ms */
    readonly churn?: number
    /** the document is what the act brought about, so that it has nothing more to react to */
    readonly fresh?: boolean
    /** what to list as soon as the document is at rest */
    readonly walk?: WalkOptions
  }): Promise<typeof Quiet.Type>
  box(options: { readonly key: number }): Rect | null
  /** Of an iframe element: where its document is drawn, borders and padding excluded; null if it is gone. */
  contentBox(options: { readonly key: number }): Rect | null
}
