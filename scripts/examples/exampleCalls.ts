/** One call of each tool that works on the examples' site, and what comes before it. */

/** What an example can name. */
export interface Place {
  /** address of a page of the site */
  readonly url: (path: string) => string
  /** path of a file in a folder of the example's own */
  readonly file: (name: string) => string
  /** reference of the element with that label, as the first snapshot has it */
  readonly element: (label: string) => { readonly snapshotId: string; readonly ref: number }
}

export interface Step {
  readonly tool: string
  readonly args: object
}

export interface Example {
  /** what is called after the first page was opened and before the example itself */
  readonly before?: (place: Place) => ReadonlyArray<Step>
  readonly args: (place: Place) => object
}

const none: Example = { args: () => ({}) }
const opened = (path: string) => (place: Place) => [{ tool: "browser_open", args: { url: place.url(path) } }]

/** By tool. */
export const exampleCalls: Readonly<Record<string, Example>> = {
  browser_open: { args: (place) => ({ url: place.url("/berths") }) },
  browser_back: { before: opened("/berths"), args: () => ({}) },
  browser_forward: {
    before: (place) => [...opened("/berths")(place), { tool: "browser_back", args: {} }],
    args: () => ({})
  },
  browser_reload: none,
  browser_stop: none,
  browser_snapshot: { args: () => ({ interactive: true, limit: 5 }) },
  browser_find: { args: () => ({ text: "open" }) },
  browser_content: { before: opened("/berths"), args: () => ({ format: "markdown" }) },
  browser_execute: { args: () => ({ script: "document.querySelectorAll('input').length" }) },
  browser_screenshot: { args: (place) => ({ savePath: place.file("harbour.png") }) },
  browser_wait_for: { args: () => ({ text: "The office is open", timeoutMs: 5_000 }) },
  browser_click_ref: { args: (place) => place.element("Free berths") },
  browser_click: { args: () => ({ text: "Winter store" }) },
  browser_double_click: { args: () => ({ selector: "#crate" }) },
  browser_hover: { args: () => ({ text: "Book" }) },
  browser_drag: { args: () => ({ from: { selector: "#crate" }, to: { selector: "#hold" } }) },
  browser_scroll: { args: () => ({ deltaY: 400 }) },
  browser_scroll_into_view: { args: (place) => place.element("Opening hours") },
  browser_fill: {
    args: () => ({
      fields: [
        { label: "Boat", value: "Heron" },
        { label: "Nights", value: "2" },
        { label: "Fresh water", value: true }
      ]
    })
  },
  browser_type: {
    before: () => [{ tool: "browser_click", args: { selector: "[name=boat]" } }],
    args: () => ({ text: "Heron" })
  },
  browser_press_key: {
    before: () => [{ tool: "browser_fill", args: { fields: [{ label: "Boat", value: "Heron" }] } }],
    args: () => ({ key: "Enter" })
  },
  browser_dialog: {
    before: () => [{ tool: "browser_click", args: { text: "Cancel a booking" } }],
    args: () => ({ action: "dismiss" })
  },
  browser_download: { args: (place) => ({ url: place.url("/prices.csv"), savePath: place.file("prices.csv") }) },
  browser_upload_file: { args: (place) => ({ filePath: place.file("papers.txt") }) },
  browser_list_tabs: none,
  browser_switch_tab: {
    before: (place) => [{ tool: "browser_open", args: { url: place.url("/berths"), newTab: true } }],
    args: () => ({ tabId: "t1" })
  },
  browser_close_tab: {
    before: (place) => [{ tool: "browser_open", args: { url: place.url("/berths"), newTab: true } }],
    args: () => ({ tabId: "t2" })
  },
  browser_session: none,
  browser_reset: none,
  browser_reset_session: none,
  browser_console: none,
  browser_network: none,
  browser_cdp: { args: () => ({ method: "Runtime.evaluate", params: { expression: "document.title" } }) },
  browser_challenge: none,
  browser_emulate: { args: () => ({ width: 390, height: 844, mobile: true }) },
  browser_pdf: { args: (place) => ({ savePath: place.file("harbour.pdf") }) },
  browser_highlight: { args: () => ({ selector: "form" }) },
  browser_auth: {
    args: (place) => ({
      action: "restore",
      cookies: [{ name: "berth", value: "B12", url: place.url("/") }]
    })
  },
  browser_scrape: {
    args: (place) => ({
      action: "start",
      urls: [place.url("/"), place.url("/berths")],
      script: "document.title",
      outPath: place.file("titles.jsonl")
    })
  },
  browser_history: { before: () => [{ tool: "browser_click", args: { text: "Free berths" } }], args: () => ({}) },
  browser_replay: { args: () => ({ seq: 1 }) },
  browser_tasks: none,
  browser_handoff: { args: () => ({ state: "waiting-user" }) },
  browser_space: { args: () => ({ label: "Berth for Heron" }) },
  browser_restrict: { args: () => ({ allowed: ["browser_open", "browser_snapshot"] }) }
}
