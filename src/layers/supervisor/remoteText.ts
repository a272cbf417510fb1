/** Values of a page as text, by their type: 0, false and "" are something (`Runtime.RemoteObject`). */
import type { Protocol } from "devtools-protocol"

/** Characters kept of a console line. */
const lineLimit = 2_000

const previewed = (preview: Protocol.Runtime.ObjectPreview): string => {
  const parts = preview.properties.map(({ name, type, value }) => {
    const text = type === "string" ? JSON.stringify(value ?? "") : (value ?? type)
    return preview.subtype === "array" ? text : `${name}: ${text}`
  })
  const inside = [...parts, ...(preview.overflow ? ["…"] : [])].join(", ")
  return preview.subtype === "array" ? `[${inside}]` : `{${inside}}`
}

/** One value as a person would read it in a console. */
export const remoteText = (value: Protocol.Runtime.RemoteObject): string => {
  if (value.type === "undefined") return "undefined"
  if (value.subtype === "null") return "null"
  if (value.unserializableValue !== undefined) return value.unserializableValue
  if (value.type === "string") return String(value.value)
  if (value.preview !== undefined && (value.subtype === undefined || value.subtype === "array")) {
    return previewed(value.preview)
  }
  if (value.description !== undefined) return value.description
  return value.value === undefined ? value.type : JSON.stringify(value.value)
}

export const clipLine = (text: string): string =>
  text.length <= lineLimit ? text : `${text.slice(0, lineLimit)}… (${text.length - lineLimit} more characters)`

/** The arguments of a console call as one line. */
export const consoleText = (values: ReadonlyArray<Protocol.Runtime.RemoteObject>): string => {
  let text = ""
  for (const [index, value] of values.entries()) {
    text += `${index === 0 ? "" : " "}${remoteText(value)}`
    if (text.length > lineLimit) break
  }
  return clipLine(text)
}
