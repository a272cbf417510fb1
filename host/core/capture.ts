/** How a picture is taken. */

/** Keys of `Page.captureScreenshot` that a native capture can do without. */
const plain = new Set(["format", "quality", "optimizeForSpeed", "fromSurface"])

/**
 * "native": the compositor's own picture of the view, quick and fresh also when it is hidden. "protocol": everything
 * that it cannot do: parts and whole pages, WebP, pages that seem to have another size than their view.
 */
export const captureWay = (options: {
  readonly format: "png" | "jpeg" | "webp"
  readonly params: { readonly [key: string]: unknown }
  readonly emulated: boolean
}): "native" | "protocol" =>
  options.format === "webp" || options.emulated || Object.keys(options.params).some((key) => !plain.has(key))
    ? "protocol"
    : "native"

/** Whether a page seems to have another size than its view, after a protocol command. */
export const emulatedAfter = (method: string, before: boolean): boolean =>
  method === "Emulation.setDeviceMetricsOverride"
    ? true
    : method === "Emulation.clearDeviceMetricsOverride"
      ? false
      : before
