/** The story that the demo plays: an agent books a berth for the night. */
import { Schema } from "effect"
import { Dialog } from "../../schemas/dialog.ts"
import { Snapshot, TabInfo } from "../../schemas/snapshot.ts"
import { FilledField } from "../../schemas/tools/acting.ts"
import type { DemoSite } from "./site.ts"
import { brief, elementsOf, judging, plain, reference, type StoryStep, when, WithElements } from "./StoryStep.ts"

/** A step whose result must list an element with a label that contains `text`. */
const showing = (text: string) =>
  judging(WithElements, (result) => {
    const found = elementsOf(result).filter((element) => element.label.includes(text))
    return when(found.length > 0, `nothing with the text "${text}" is to be seen`, ...found.slice(0, 2).map(brief))
  })

const note = "Coming in after dark, please leave a light on!"

/** The steps, for a site at these addresses; the picture is saved as `picture`. */
export const bookingStory = (site: DemoSite, picture: string): ReadonlyArray<StoryStep> => [
  {
    id: "open",
    title: "Open the harbour's page",
    tool: "browser_open",
    args: plain({ url: site.url }),
    judge: judging(Snapshot, ({ elements, title }) =>
      when(
        title?.includes("Kestrel Harbour") === true && elements.some(({ label }) => label === "Hold berth B12"),
        "the list of berths is not to be seen",
        `"${title}", ${elements.length} elements, among them:`,
        ...elements.filter(({ kind }) => kind === "button").map(brief)
      )
    )
  },
  {
    id: "hold",
    title: "Hold berth B12; the page builds its list anew",
    tool: "browser_click_ref",
    args: (told) => reference(told, "open", "Hold berth B12"),
    judge: showing("Release berth B12")
  },
  {
    id: "stale",
    title: "The old reference no longer means that button, so it presses nothing",
    tool: "browser_click_ref",
    args: (told) => reference(told, "open", "Hold berth B12"),
    refusedWith: "BROWSER_SNAPSHOT_STALE",
    judge: () => ({ problem: "an old reference was used" })
  },
  {
    id: "fill",
    title: "Fill the form: texts, a date, a choice, a tick",
    tool: "browser_fill",
    args: plain({
      fields: [
        { label: "Your name", value: "Ada Lovelace" },
        { label: "Boat", value: "Analytical Engine" },
        { label: "Arrival", value: "2027-05-14" },
        { label: "Nights", value: "three" },
        { label: "Shore power at the berth", value: true }
      ]
    }),
    judge: judging(Schema.Struct({ fields: Schema.Array(FilledField) }), ({ fields }) =>
      when(
        fields.every(({ ok }) => ok),
        fields.find(({ ok }) => !ok)?.error ?? "a field was not filled",
        ...fields.map(({ target, value }) => `${target} = ${JSON.stringify(value ?? "")}`)
      )
    )
  },
  {
    id: "focus",
    title: "Put the cursor into the note",
    tool: "browser_click",
    args: plain({ selector: "#note" }),
    judge: judging(Schema.Struct({ clicked: Schema.Boolean, target: Schema.optionalKey(Schema.String) }), (result) =>
      when(result.clicked, "the note was not clicked", result.target ?? "")
    )
  },
  {
    id: "type",
    title: "Type it with real keys",
    tool: "browser_type",
    args: plain({ text: note }),
    judge: judging(Schema.Struct({ value: Schema.optionalKey(Schema.String) }), ({ value }) =>
      when(value === note, `the note reads ${JSON.stringify(value ?? "")}`, `the note reads "${value}"`)
    )
  },
  {
    id: "keys",
    title: "Ask the page what it noticed of that",
    tool: "browser_execute",
    args: plain({ script: "document.getElementById('keys').textContent" }),
    judge: judging(Schema.Struct({ value: Schema.optionalKey(Schema.String) }), ({ value = "" }) =>
      when(/^"\d{2} real key presses/.test(value), `the page says ${value}`, value)
    )
  },
  {
    id: "tide",
    title: "Press a button inside a shadow root",
    tool: "browser_click_ref",
    args: (told) => reference(told, "open", "Next tide"),
    judge: showing("12:27")
  },
  {
    id: "office",
    title: "Find a button in a closed shadow root, which the page itself cannot reach",
    tool: "browser_find",
    args: plain({ text: "ring the bell" }),
    judge: showing("Ring the bell")
  },
  {
    id: "bell",
    title: "Press it",
    tool: "browser_click_ref",
    args: (told) => reference(told, "office", "Ring the bell"),
    judge: judging(Schema.Struct({ clicked: Schema.Boolean, target: Schema.optionalKey(Schema.String) }), (result) =>
      when(result.clicked, "the bell was not rung", result.target ?? "")
    )
  },
  {
    id: "pilot",
    title: "Press a button in a frame of another site",
    tool: "browser_click",
    args: plain({ text: "Request a pilot" }),
    judge: judging(Schema.Struct({ clicked: Schema.Boolean, target: Schema.optionalKey(Schema.String) }), (result) =>
      when(result.clicked, "the button was not clicked", result.target ?? "")
    )
  },
  {
    id: "onTheWay",
    title: "Wait until the other site has answered",
    tool: "browser_wait_for",
    args: plain({ text: "A pilot is on the way" }),
    judge: judging(Schema.Struct({ found: Schema.Boolean, waitedMs: Schema.Int }), ({ found, waitedMs }) =>
      when(found, "no pilot comes", `there after ${waitedMs} ms`)
    )
  },
  {
    id: "book",
    title: "Book; the page asks back in a dialog, and the click does not hang",
    tool: "browser_click",
    args: plain({ text: "Book the berth" }),
    judge: judging(Schema.Struct({ dialog: Schema.optionalKey(Dialog) }), ({ dialog }) =>
      when(
        dialog?.type === "confirm" && dialog.message.includes("B12 for 3 nights"),
        "no dialog opened",
        `${dialog?.type} ${dialog?.id}: "${dialog?.message}"`
      )
    )
  },
  {
    id: "looked",
    title: "Look while it is open: the snapshot comes at once and tells of it",
    tool: "browser_snapshot",
    args: plain({}),
    judge: judging(
      Schema.Struct({
        pending_dialogs: Schema.optionalKey(Schema.Array(Dialog)),
        elements: Schema.Array(Schema.Unknown)
      }),
      ({ elements, pending_dialogs = [] }) =>
        when(
          pending_dialogs.length === 1,
          "the snapshot does not tell of the dialog",
          `${elements.length} elements, and the ${pending_dialogs[0]?.type} ${pending_dialogs[0]?.id}`
        )
    )
  },
  {
    id: "blocked",
    title: "What acts on the page has to wait for the answer, and is told so at once",
    tool: "browser_click",
    args: plain({ text: "Book the berth" }),
    refusedWith: "BROWSER_DIALOG_OPEN",
    judge: () => ({ problem: "the page was clicked although a dialog is open" })
  },
  {
    id: "accept",
    title: "Accept it",
    tool: "browser_dialog",
    args: plain({ action: "accept" }),
    judge: judging(Schema.Struct({ success: Schema.Boolean }), ({ success }) =>
      when(success, "the dialog was not answered")
    )
  },
  {
    id: "confirmed",
    title: "Wait for the booking",
    tool: "browser_wait_for",
    args: plain({ text: "Booking confirmed" }),
    judge: judging(Schema.Struct({ found: Schema.Boolean, waitedMs: Schema.Int }), ({ found, waitedMs }) =>
      when(found, "the booking was not confirmed", `there after ${waitedMs} ms`)
    )
  },
  {
    id: "booking",
    title: "Read the booking",
    tool: "browser_content",
    args: plain({ format: "txt", selector: "#booked" }),
    judge: judging(Schema.Struct({ content: Schema.String }), ({ content }) =>
      when(
        ["KH-", "B12", "Analytical Engine", "2027-05-14", note].every((part) => content.includes(part)),
        `the booking reads ${JSON.stringify(content.slice(0, 300))}`,
        ...content.split("\n").filter((line) => line.trim() !== "")
      )
    )
  },
  {
    id: "rules",
    title: "Follow a link that opens a tab of its own",
    tool: "browser_click",
    args: plain({ text: "Harbour rules" }),
    judge: judging(Schema.Struct({ newTabs: Schema.optionalKey(Schema.Array(TabInfo)) }), ({ newTabs = [] }) =>
      when(newTabs.length === 1, "no tab opened", ...newTabs.map(({ id, title }) => `tab ${id} "${title}"`))
    )
  },
  {
    id: "switch",
    title: "Go there",
    tool: "browser_switch_tab",
    args: (told) => newTab(told.get("rules")),
    judge: judging(Schema.Struct({ tab: TabInfo }), ({ tab }) =>
      when(tab.url.endsWith("/rules.html"), `the tab shows ${tab.url}`, `"${tab.title}", opened by ${tab.opener}`)
    )
  },
  {
    id: "read",
    title: "Read it as Markdown",
    tool: "browser_content",
    args: plain({ format: "markdown" }),
    judge: judging(Schema.Struct({ content: Schema.String }), ({ content }) =>
      when(
        content.includes("| one long | leaving the berth |") && content.includes(`](${site.url}/)`),
        "the table or the link is missing",
        ...content.split("\n").filter((line) => line.trim() !== "")
      )
    )
  },
  {
    id: "close",
    title: "Close it again",
    tool: "browser_close_tab",
    args: (told) => newTab(told.get("rules")),
    judge: judging(Schema.Struct({ active: Schema.String }), ({ active }) => ({ shows: [`back on tab ${active}`] }))
  },
  {
    id: "picture",
    title: "Take a picture of the whole page",
    tool: "browser_screenshot",
    args: plain({ fullPage: true, savePath: picture }),
    judge: judging(
      Schema.Struct({ width: Schema.Int, height: Schema.Int, bytes: Schema.Int, path: Schema.String }),
      ({ bytes, height, path, width }) =>
        when(
          bytes > 5_000,
          "the picture is empty",
          `${width} x ${height} pixels, ${Math.round(bytes / 1024)} KiB`,
          path
        )
    )
  }
]

const newTab = (result: unknown) => {
  const tabs = Schema.decodeUnknownOption(Schema.Struct({ newTabs: Schema.Array(TabInfo) }))(result)
  const id = tabs._tag === "Some" ? tabs.value.newTabs[0]?.id : undefined
  return id === undefined ? { problem: "no new tab is known" } : { args: { tabId: id } }
}
