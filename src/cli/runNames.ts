/** The commands, by the names that the command line takes. */
export const runNames = ["call", "demo", "doctor", "mcp", "tools"] as const
