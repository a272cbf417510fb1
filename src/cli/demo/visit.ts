/** The short story of `demo <url>`: what an agent sees of any address. */
import { Option, Schema } from "effect"
import { Dialog } from "../../schemas/dialog.ts"
import { Snapshot } from "../../schemas/snapshot.ts"
import { brief, judging, plain, type StoryStep, type Told } from "./StoryStep.ts"

const WithDialogs = Schema.Struct({ pending_dialogs: Schema.optionalKey(Schema.Array(Dialog)) })

/** The dialog that a snapshot found open. */
const dialogIn = (told: Told, step: string): Dialog | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(WithDialogs)(told.get(step)))?.pending_dialogs?.[0]

/** Dismisses the dialog that `snapshot` found open, if it found one: what is behind it is what is to be shown. */
const dismissing = (id: string, snapshot: string): StoryStep => ({
  id,
  title: "A dialog of the page is open: dismiss it, so that the page goes on",
  tool: "browser_dialog",
  onlyIf: (told) => dialogIn(told, snapshot) !== undefined,
  args: (told) => ({ args: { action: "dismiss", dialog_id: dialogIn(told, snapshot)?.id } }),
  judge: judging(Schema.Struct({ dialog: Dialog }), ({ dialog }) => ({ shows: [`${dialog.type} "${dialog.message}"`] }))
})

/** Opens `url`, lists what can be acted on, saves a picture as `picture`, and reads the page. */
export const visitStory = (url: string, picture: string): ReadonlyArray<StoryStep> => [
  {
    id: "open",
    title: "Open the page",
    tool: "browser_open",
    args: plain({ url }),
    judge: judging(Snapshot, (snapshot) => ({
      shows: [`"${snapshot.title ?? ""}" at ${snapshot.url}`, ...(snapshot.note === undefined ? [] : [snapshot.note])]
    }))
  },
  dismissing("dismissed", "open"),
  {
    id: "snapshot",
    title: "See what can be acted on",
    tool: "browser_snapshot",
    args: plain({ interactive: true, limit: 40 }),
    judge: judging(Snapshot, ({ elements, total, truncated }) => ({
      shows: [
        `elements that can be acted on: ${total ?? elements.length}${truncated === true ? `, the first ${elements.length} here` : ""}`,
        ...elements.map(brief)
      ]
    }))
  },
  dismissing("dismissedNext", "snapshot"),
  {
    id: "picture",
    title: "Take a picture",
    tool: "browser_screenshot",
    args: plain({ savePath: picture }),
    judge: judging(
      Schema.Struct({ width: Schema.Int, height: Schema.Int, bytes: Schema.Int, path: Schema.String }),
      ({ bytes, height, path, width }) => ({
        shows: [`${width} x ${height} pixels, ${Math.round(bytes / 1024)} KiB`, path]
      })
    )
  },
  {
    id: "content",
    title: "Read it as Markdown",
    tool: "browser_content",
    args: plain({ format: "markdown", maxChars: 20_000 }),
    judge: judging(Schema.Struct({ content: Schema.String, total: Schema.Int }), ({ content, total }) => ({
      shows: [`${total} characters:`, ...content.split("\n").filter((line) => line.trim() !== "")]
    }))
  }
]
