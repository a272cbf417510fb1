/** Rows of the catalog as MCP tools. */
import { McpSchema } from "effect/ai"
import { listedSchemas } from "../../generated/listedSchemas.ts"
import type { ToolRow } from "../../tools/ToolRow.ts"

/** The part of a result that is handed as image content instead; a picture is never handed twice. */
export const pictureField = "image"

const withoutPicture = (schema: { readonly [key: string]: unknown }) => {
  const properties = { ...(schema["properties"] as { readonly [key: string]: unknown }) }
  delete properties[pictureField]
  return { ...schema, properties }
}

/** Hints of a tool; left out where they say what a client assumes anyway (MCP, "ToolAnnotations"). */
const hints = ({ readOnly, destructive, idempotent, openWorld }: ToolRow["annotations"]) =>
  !readOnly && destructive && !idempotent && openWorld
    ? {}
    : {
        annotations: McpSchema.ToolAnnotations.make({
          readOnlyHint: readOnly,
          destructiveHint: destructive,
          idempotentHint: idempotent,
          openWorldHint: openWorld
        })
      }

/** What `tools/list` says about a tool. */
export const mcpTool = (row: ToolRow): McpSchema.Tool => {
  const schemas = listedSchemas[row.name]
  return new McpSchema.Tool({
    name: row.name,
    description: row.description,
    inputSchema: { ...schemas?.input, type: "object" },
    outputSchema: withoutPicture({ ...schemas?.output }),
    ...hints(row.annotations)
  })
}
