/** What to say of a page that is a PDF document. */
import type { Tab } from "./Tab.ts"

/** A note, if the tab shows a PDF. */
export const pdfNote = (tab: Tab): ReadonlyArray<string> =>
  tab.model.isPdf
    ? ["this page is a PDF document, which cannot be read here; browser_download with its address saves it"]
    : []
