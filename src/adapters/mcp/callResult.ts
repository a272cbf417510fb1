/** Answers and errors of tools as MCP results. */
import { McpSchema } from "effect/ai"
import type { BrowserError } from "../../schemas/errors.ts"
import type { ToolAnswer } from "../../services/Tools.ts"
import { errorText } from "../../tools/errorText.ts"
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

/** An error. It has no structured content: that would have to fit the tool's output schema. */
export const errorResult = (error: BrowserError): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({ content: [McpSchema.TextContent.make({ text: errorText(error) })], isError: true })
