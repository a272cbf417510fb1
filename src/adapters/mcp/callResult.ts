/** Answers and errors of tools as MCP results. */
import { McpSchema } from "effect/ai"
import type { BrowserError } from "../../schemas/errors.ts"
import type { ToolAnswer } from "../../services/Tools.ts"
import { oneLine } from "../../tools/render/text.ts"
import { pictureField } from "./mcpTool.ts"

/** A result: its texts and pictures as content, its data as structured content. */
export const successResult = (answer: ToolAnswer): McpSchema.CallToolResult => {
  const { [pictureField]: _, ...structuredContent } = answer.structured
  return new McpSchema.CallToolResult({
    content: answer.content.map((part) =>
      part.type === "text"
        ? McpSchema.TextContent.make({ text: part.text })
        : McpSchema.ImageContent.make({ data: part.data, mimeType: part.mimeType })
    ),
    structuredContent,
    isError: false
  })
}

/** One text: code, what happened, what to do. */
export const errorText = (error: BrowserError): string =>
  `${error.code}: ${oneLine(error.message, 4_000)} Next: ${oneLine(error.next, 1_000)}`

/** An error. It has no structured content: that would have to fit the tool's output schema. */
export const errorResult = (error: BrowserError): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({ content: [McpSchema.TextContent.make({ text: errorText(error) })], isError: true })
