/** Pictures of a page. */
import { Effect } from "effect"
import { ScreenshotFailed } from "../../schemas/errors.ts"
import type { Rect } from "../../schemas/page.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { sizeOf } from "./picture.ts"
import type { Tab } from "./Tab.ts"

/** Longest side of a picture (pixels); a larger page is cut there, and that is said. Skia draws no larger surface. */
export const maxSide = 16_384

/** Area of a picture (pixels) at the most; a larger page is scaled down. */
export const maxArea = 40_000_000

export interface Picture {
  readonly data: Uint8Array
  readonly mimeType: string
  readonly width: number
  readonly height: number
  /** pixels per CSS px */
  readonly scale: number
  /** what was to be drawn is larger than a picture can be */
  readonly truncated?: true
  /** how large that is, and how to get the rest */
  readonly note?: string
}

/** What of so many CSS px a picture shows, and its scale. */
export const pictureSize = (
  width: number,
  height: number,
  pixelRatio: number
): { readonly scale: number; readonly width: number; readonly height: number } => {
  const longest = Math.floor(maxSide / pixelRatio)
  const shown = { width: Math.min(width, longest), height: Math.min(height, longest) }
  const area = shown.width * shown.height * pixelRatio * pixelRatio
  return { scale: area <= maxArea ? 1 : Math.sqrt(maxArea / area), ...shown }
}

/** What a picture leaves out of a page, or of an element. */
const leftOut = (
  whole: { readonly width: number; readonly height: number },
  shown: { readonly width: number; readonly height: number },
  what: "page" | "element"
): Pick<Picture, "truncated" | "note"> => {
  const [width, height] = [Math.round(whole.width), Math.round(whole.height)]
  if (shown.width >= width && shown.height >= height) return {}
  return {
    truncated: true,
    note: `the ${what} is ${width} by ${height} CSS px and the picture shows the first ${Math.round(shown.width)} by ${Math.round(shown.height)} of them, for none can be larger; for the rest browser_scroll there and take the viewport, or take one element by snapshotId and ref`
  }
}

/**
 * Takes a picture of the viewport, of the whole page, or of a box (CSS px of the top viewport). It changes neither
 * scroll position nor window size, and brings nothing to the front.
 */
export const capture = (
  tab: Tab,
  options: { readonly format: "png" | "jpeg" | "webp"; readonly fullPage: boolean; readonly box: Rect | undefined }
): Effect.Effect<Picture, CdpError | ScreenshotFailed> =>
  Effect.gen(function* () {
    const { format, fullPage, box } = options
    const metrics = yield* tab.send("Page.getLayoutMetrics")
    // scroll bars count in neither of the two
    const pixelRatio = metrics.layoutViewport.clientWidth / Math.max(1, metrics.cssLayoutViewport.clientWidth) || 1
    const clip =
      !fullPage && box === undefined
        ? undefined
        : box === undefined
          ? { x: 0, y: 0, width: metrics.cssContentSize.width, height: metrics.cssContentSize.height }
          : {
              x: box.x + metrics.cssLayoutViewport.pageX,
              y: box.y + metrics.cssLayoutViewport.pageY,
              width: box.width,
              height: box.height
            }
    if (clip !== undefined && (clip.width < 1 || clip.height < 1)) {
      return yield* new ScreenshotFailed({ reason: `there is nothing to draw (${clip.width} by ${clip.height})` })
    }
    const size = clip === undefined ? undefined : pictureSize(clip.width, clip.height, pixelRatio)
    const { data } = yield* tab.send("Page.captureScreenshot", {
      format,
      ...(format === "png" ? {} : { quality: 80 }),
      ...(clip === undefined || size === undefined ? {} : { clip: { ...clip, ...size }, captureBeyondViewport: true })
    })
    const bytes = Buffer.from(data, "base64")
    const drawn = sizeOf(bytes)
    if (drawn === undefined) return yield* new ScreenshotFailed({ reason: "the browser sent no picture" })
    return {
      data: bytes,
      mimeType: `image/${format}`,
      width: drawn.width,
      height: drawn.height,
      scale: Number((clip === undefined ? pixelRatio : drawn.width / (size ?? clip).width).toFixed(4)),
      ...(clip === undefined || size === undefined ? {} : leftOut(clip, size, box === undefined ? "page" : "element"))
    }
  })
