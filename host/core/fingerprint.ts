/** What tells this browser from any other Chromium, taken out or made consistent. */

/** The user agent without the tokens that Electron adds: its own, and that of the application. */
export const plainUserAgent = (userAgent: string): string =>
  userAgent
    .replace(/ [^\s()]+\/\S+(?= Chrome\/)/, "")
    .replace(/ Electron\/\S+/, "")
    .trim()

/** The header for the languages of a person, as Chromium weighs them: "de-DE,de;q=0.9,en;q=0.8". */
export const acceptLanguage = (preferred: ReadonlyArray<string>): string => {
  const known = preferred.filter((one) => /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(one))
  const languages = [...new Set(known.length === 0 ? ["en-US", "en"] : known)].slice(0, 9)
  return languages.map((one, index) => (index === 0 ? one : `${one};q=${(1 - index / 10).toFixed(1)}`)).join(",")
}

/** The names in the order of preference, without weights: what pages see as `navigator.languages`. */
export const languagesOf = (header: string): string => header.replace(/;q=[\d.]+/g, "")

const platforms: { readonly [platform: string]: string } = { darwin: "macOS", win32: "Windows", linux: "Linux" }

/** Only requests of secure origins carry hints. */
const secure = (url: string): boolean => /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/))/.test(url)

/** Client hints that Chromium sends and Electron leaves out, with the brands that pages see in `userAgentData`. */
export const clientHints = (
  url: string,
  chromeVersion: string,
  platform: string
): { readonly [name: string]: string } => {
  if (!secure(url)) return {}
  const major = chromeVersion.split(".")[0] ?? ""
  return {
    "sec-ch-ua": brandsOf(major),
    "sec-ch-ua-mobile": "?0",
    "sec-ch-ua-platform": `"${platforms[platform] ?? "Linux"}"`
  }
}

/** The list of brands as Chromium makes it: order and filler follow from the version (components/embedder_support). */
const brandsOf = (major: string): string => {
  const seed = Number(major)
  const greaseyChars = [" ", "(", ":", "-", ".", "/", ")", ";", "=", "?", "_"]
  const versions = ["8", "99", "24"]
  const at = (list: ReadonlyArray<string>, index: number): string => list[index % list.length] ?? ""
  const filler = `Not${at(greaseyChars, seed)}A${at(greaseyChars, seed + 1)}Brand`
  const brands = [`"${filler}";v="${at(versions, seed)}"`, `"Chromium";v="${major}"`]
  // two brands have two orders
  return (seed % 2 === 0 ? brands : brands.toReversed()).join(", ")
}
