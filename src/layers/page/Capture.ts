/** Pictures of a page. */
import { Effect } from "effect"
import { ScreenshotFailed } from "../../schemas/errors.ts"
import type { Rect } from "../../schemas/page.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { sizeOf } from "./picture.ts"
import type { Tab } from "./Tab.ts"

/** Longest side of a picture (pixels); a longer page is cut there. Skia draws no larger surface. */
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
}

/** How large a picture of so many CSS px becomes: scale and what is left out at the bottom. */
export const pictureSize = (
  width: number,
  height: number,
  pixelRatio: number
): { readonly scale: number; readonly height: number } => {
  const shown = Math.min(height, Math.floor(maxSide / pixelRatio))
  const area = width * shown * pixelRatio * pixelRatio
  return { scale: area <= maxArea ? 1 : Math.sqrt(maxArea / area), height: shown }
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
      ...(clip === undefined || size === undefined
        ? {}
        : { clip: { ...clip, height: size.height, scale: size.scale }, captureBeyondViewport: true })
    })
    const bytes = Buffer.from(data, "base64")
    const drawn = sizeOf(bytes)
    if (drawn === undefined) return yield* new ScreenshotFailed({ reason: "the browser sent no picture" })
    return {
      data: bytes,
      mimeType: `image/${format}`,
      width: drawn.width,
      height: drawn.height,
      scale: Number((clip === undefined ? pixelRatio : drawn.width / clip.width).toFixed(4))
    }
  })
