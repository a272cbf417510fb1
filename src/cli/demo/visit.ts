/** The short story of `demo <url>`: what an agent sees of any address. */
import { Schema } from "effect"
import { Snapshot } from "../../schemas/snapshot.ts"
import { brief, judging, plain, type StoryStep } from "./StoryStep.ts"

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
