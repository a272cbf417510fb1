/** Pages that are PDF documents: a browser shows them in frames of its own. */
import type { PageModel } from "./PageModel.ts"

/** A frame of Chromium's own viewer; the document itself stands in one below it, under its own address. */
export const isPdfViewer = (url: string): boolean =>
  url.startsWith("chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/")

/** A note, if the page is a PDF. */
export const pdfNote = ({ isPdf }: PageModel): ReadonlyArray<string> =>
  isPdf ? ["this page is a PDF document, which cannot be read here; browser_download with its address saves it"] : []
