/** Which option and which environment variable a setting has on the command line; a setting that is not here has none. */
export const settingSources: {
  readonly [setting: string]: { readonly option?: string; readonly variable?: string }
} = {
  provider: { option: "--provider ID", variable: "EFFECT_BROWSER_PROVIDER" },
  "cdpEndpoint.url": { option: "--endpoint URL", variable: "EFFECT_BROWSER_ENDPOINT" },
  "browserbase.projectId": { variable: "BROWSERBASE_PROJECT_ID" },
  "chromium.executablePath": { option: "--executable PATH", variable: "EFFECT_BROWSER_EXECUTABLE" },
  "chromium.headless": { option: "--headed", variable: "EFFECT_BROWSER_HEADED" },
  "chromium.profile": { option: "--profile DIR", variable: "EFFECT_BROWSER_PROFILE" },
  "chromium.viewport": { option: "--viewport WxH", variable: "EFFECT_BROWSER_VIEWPORT" },
  isolated: { option: "--isolated", variable: "EFFECT_BROWSER_ISOLATED" },
  writeRoots: { option: "--write-root DIR", variable: "EFFECT_BROWSER_WRITE_ROOTS" }
}
