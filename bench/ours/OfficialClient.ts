/** The server once more, driven by the official MCP client: what it costs who uses that one. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import type { BrowserUnderTest } from "../browserUnderTest.ts"
import { serverArguments } from "./Server.ts"

/** Connects to a server of its own and lists its tools, so that each result is checked from then on. */
export const connectOfficially = async (browser: BrowserUnderTest): Promise<Client> => {
  const client = new Client({ name: "effect-browser-bench", version: "0" })
  const env = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...serverArguments(browser)],
      env: Object.fromEntries(env) as Record<string, string>,
      stderr: "ignore"
    })
  )
  await client.listTools()
  return client
}
