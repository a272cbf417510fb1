/** URLs without what opens doors. */

const secretName = /token|secret|passw|api_?key|^key$|auth|signature|^sig$|session|credential|^code$|^jwt$/i

/** Masks user info and the values of query parameters that are named like secrets. What is no URL stays as it is. */
export const maskUrl = (text: string): string => {
  if (!text.includes("?") && !text.includes("@")) return text
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.protocol === "data:" || url.protocol === "blob:") return text
  if (url.username !== "") url.username = "***"
  if (url.password !== "") url.password = "***"
  for (const name of [...url.searchParams.keys()]) if (secretName.test(name)) url.searchParams.set(name, "***")
  return url.href
}
