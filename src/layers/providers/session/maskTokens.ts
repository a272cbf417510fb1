/**
 * Secrets that show by their own form, whatever the parameter is called that they stand in: signed tokens, and keys
 * whose issuers mark them by a prefix.
 */
const forms: ReadonlyArray<RegExp> = [
  // JSON Web Tokens: the first part is the base64 form of an object
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|sk-|[rs]k_(?:live|test)_|ya29\.|npm_)[\w-]{12,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bA(?:KI|SI)A[A-Z0-9]{16}\b/g
]

/** The text with each such secret as "***". */
export const maskTokens = (text: string): string => forms.reduce((rest, form) => rest.replace(form, "***"), text)
