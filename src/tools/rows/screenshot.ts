/** The screenshot tool: a picture for the agent, or a file. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import { pictureFormatOf, ScreenshotParams, ScreenshotResult } from "../../schemas/tools/reading.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { pageErrors, referenceErrors } from "../errors.ts"
import { noteLine, oneLine } from "../render/text.ts"
import { withDialogs } from "../render/snapshot.ts"
import { look } from "./facts.ts"

const size = (bytes: number) => (bytes < 10_240 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`)

export const screenshotRow: ToolRow = sessionTool({
  ...look,
  whileDialog: "looks",
  name: "browser_screenshot",
  title: "Take a picture",
  description: "Take a picture of the viewport, the whole page or an element.",
  budget: "screenshot",
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  parameters: ScreenshotParams,
  success: ScreenshotResult,
  errors: [...pageErrors, ...referenceErrors, E.ScreenshotFailed, E.ScreenshotSaveFailed, E.WritePathDenied],
  // what writes a file is done for each caller
  shares: ({ savePath }) => savePath === undefined,
  run: Effect.fnUntraced(function* (session, { savePath, timeoutMs: _, ...params }, { files }) {
    const format = params.format ?? (savePath === undefined ? undefined : pictureFormatOf(savePath)) ?? "png"
    const path = savePath === undefined ? undefined : yield* files.admitWrite(savePath)
    const taken = yield* session.screenshot({ ...params, format })
    const { data, ...facts } = withDialogs(taken, session.pendingDialogs())
    const result = { ...facts, bytes: data.byteLength }
    if (path === undefined) return { ...result, image: Buffer.from(data).toString("base64") }
    yield* files
      .write(path, data)
      .pipe(Effect.mapError((error) => new E.ScreenshotSaveFailed({ path: error.path, reason: error.reason })))
    return { ...result, path }
  }),
  render: (result) => ({
    lines: [
      `picture ${result.width} x ${result.height} pixels (${result.scale} per CSS px), ${result.mimeType}, ${size(result.bytes)}${result.path === undefined ? "" : `, saved as ${oneLine(result.path, 1_000)}`}`,
      ...(result.note === undefined ? [] : [noteLine(result.note)])
    ],
    ...(result.image === undefined
      ? {}
      : { image: { data: Buffer.from(result.image, "base64"), mimeType: result.mimeType } })
  })
})
