/** Tools that move files between the page and the disk. */
import { Effect } from "effect"
import * as E from "../../schemas/errors.ts"
import * as P from "../../schemas/tools/files.ts"
import { report } from "../../services/Progress.ts"
import type { ToolRow } from "../ToolRow.ts"
import { sessionTool } from "../ToolRow.ts"
import { pageErrors, referenceErrors, targetErrors } from "../errors.ts"
import { outcomeLines } from "../render/outcome.ts"
import { address, oneLine, quoted } from "../render/text.ts"
import { act } from "./facts.ts"

export const fileRows: ReadonlyArray<ToolRow> = [
  sessionTool({
    ...act,
    name: "browser_download",
    title: "Download a file",
    description: "Fetch a file by its address with the browser's cookies and save it whole.",
    history: "download",
    capability: "downloads",
    budget: "download",
    whileDialog: "answers",
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    parameters: P.DownloadParams,
    success: P.DownloadResult,
    addresses: ({ url }) => [url],
    errors: [...pageErrors, E.DownloadFailed, E.DownloadTooLarge, E.WritePathDenied],
    run: ({ download }, { url, savePath }, { files, config }) =>
      Effect.gen(function* () {
        const path = yield* files.admitWrite(savePath)
        yield* report(`downloading ${address(url)}`)
        const { file, ...facts } = yield* download({ url, maxBytes: config.downloadMaxBytes })
        yield* files.moveIn(file, path)
        return { path, ...facts }
      }).pipe(Effect.scoped),
    render: ({ path, bytes, name, mimeType, url }) => ({
      lines: [
        `saved ${oneLine(path, 1_000)}, ${bytes} bytes${mimeType === undefined ? "" : `, ${oneLine(mimeType, 100)}`}`,
        `${quoted(name, 200)} from ${address(url)}`
      ]
    })
  }),
  sessionTool({
    ...act,
    name: "browser_upload_file",
    title: "Upload files",
    description: "Give files to a file input: by it, its label or the button that opens the file chooser.",
    history: "uploadFile",
    budget: 25_000,
    annotations: { ...act.annotations, destructive: false },
    parameters: P.UploadParams,
    success: P.UploadResult,
    errors: [
      ...pageErrors,
      ...referenceErrors,
      ...targetErrors,
      E.InvalidArguments,
      E.UploadNoInput,
      E.UploadFailed,
      E.ReadPathDenied
    ],
    run: Effect.fnUntraced(function* (session, { filePath, filePaths, timeoutMs: _, selector, ...params }, { files }) {
      const named = [...(filePath === undefined ? [] : [filePath]), ...(filePaths ?? [])]
      if (named.length === 0) {
        return yield* new E.InvalidArguments({
          tool: "browser_upload_file",
          issues: ["filePath or filePaths is missing"]
        })
      }
      // before the page is touched: a browser takes a path that is not there without a word
      const admitted = yield* Effect.forEach(named, files.admitRead)
      const outcome = yield* session.uploadFiles({
        ...params,
        selector: selector ?? P.defaultFileInput,
        files: admitted
      })
      const [path = ""] = admitted
      return { path, ...(admitted.length > 1 ? { paths: admitted } : {}), ...outcome }
    }),
    render: ({ path, paths, target, ...outcome }) => ({
      lines: [
        `gave ${(paths ?? [path]).map((one) => oneLine(one, 300)).join(", ")} to ${oneLine(target, 200)}`,
        ...outcomeLines(outcome)
      ]
    })
  })
]
