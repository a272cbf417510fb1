/** Headers with which a browser saves a document instead of showing it. */

type Headers = { readonly [name: string]: ReadonlyArray<string> }

/** The headers of a response, as those of an attachment; a name that it gives its file stays. */
export const asAttachment = (headers: Headers): { [name: string]: Array<string> } => {
  const entries = Object.entries(headers).map(([name, values]) => [name, [...values]] as const)
  const isDisposition = ([name]: readonly [string, unknown]) => name.toLowerCase() === "content-disposition"
  const given = entries.find(isDisposition)?.[1][0]
  return {
    ...Object.fromEntries(entries.filter((entry) => !isDisposition(entry))),
    "content-disposition": [given?.replace(/^[^;]*/, "attachment") ?? "attachment"]
  }
}
