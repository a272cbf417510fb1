/** The MCP server over a session in memory, as a process: entry for tests only. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Effect, Layer, Logger } from "effect"
import { serveStdio } from "../../src/adapters/mcp/stdioServer.ts"
import { TaskKey } from "../../src/schemas/ids.ts"
import { catalog, coreCatalog } from "../../src/tools/catalog.ts"
import { makeFakeSession } from "./FakeSession.ts"
import { layerTools } from "./ToolsHarness.ts"

const plain = makeFakeSession()
const bare = makeFakeSession({ capabilities: { ...plain.capabilities, dialogs: false, cdp: false } })
let opened = 0
/** "bare": a browser without dialogs and protocol; "changing": one that seems to have them, until it is open */
const session = () =>
  process.argv.includes("bare") || (process.argv.includes("changing") && opened++ > 0) ? bare : plain

const rows = process.argv.includes("all") ? catalog : coreCatalog

serveStdio({ rows, task: TaskKey.make("default") }).pipe(
  Effect.provide(Layer.mergeAll(layerTools(session), NodeStdio.layer, Layer.succeed(Logger.LogToStderr, true))),
  NodeRuntime.runMain
)
