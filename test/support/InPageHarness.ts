/** A real Chromium for the tests of the program inside the page: plain CDP over the browser's pipe, nothing of ours between. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { inPageSource } from "../../src/generated/inPageSource.ts"
import { temporaryFilesIn } from "../../src/layers/cdp/temporaryFolder.ts"
import type { PageAgent } from "../../src/schemas/pageAgent.ts"

type Json = Record<string, unknown>
type Argument<K extends keyof PageAgent> = Parameters<PageAgent[K]>[0]
type Answer<K extends keyof PageAgent> = Awaited<ReturnType<PageAgent[K]>>
interface Waiting {
  readonly resolve: (value: Json) => void
  readonly reject: (error: Error) => void
}

/** Where a message goes when it is no reply. */
type Listener = (method: string, params: Json, sessionId: string) => void

/** The two ends of the debugging pipe: one JSON text per message, ended by a zero byte. */
class Pipe {
  readonly listeners = new Set<Listener>()
  private readonly waiting = new Map<number, Waiting>()
  private readonly input: Writable
  private last = 0
  constructor(input: Writable, output: Readable) {
    this.input = input
    let rest: Array<Buffer> = []
    output.on("data", (data: Buffer) => {
      let chunk = data
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0)) {
        this.take(Buffer.concat([...rest, chunk.subarray(0, end)]).toString())
        rest = []
        chunk = chunk.subarray(end + 1)
      }
      if (chunk.length > 0) rest.push(chunk)
    })
  }
  private take(text: string): void {
    const message = JSON.parse(text) as Json
    if (typeof message["id"] !== "number") {
      for (const listener of this.listeners) {
        listener(String(message["method"]), message["params"] as Json, String(message["sessionId"] ?? ""))
      }
      return
    }
    const waiting = this.waiting.get(message["id"])
    this.waiting.delete(message["id"])
    if (message["error"] === undefined) waiting?.resolve(message["result"] as Json)
    else waiting?.reject(new Error(JSON.stringify(message["error"])))
  }
  send(method: string, params: Json = {}, sessionId?: string): Promise<Json> {
    const id = ++this.last
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.input.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`)
    })
  }
}

/** One tab with the agent in it. */
export class TestPage {
  private readonly pipe: Pipe
  private readonly session: string
  private readonly frame: string
  private html = ""
  private handle = ""
  constructor(pipe: Pipe, session: string, frame: string) {
    this.pipe = pipe
    this.session = session
    this.frame = frame
  }

  cdp(method: string, params: Json = {}): Promise<Json> {
    return this.pipe.send(method, params, this.session)
  }

  /** Answers the browser's requests for the test site. */
  serve(requestId: string, url: string): void {
    const body = url.endsWith("/page") ? this.html : "<!doctype html><title>other</title><button>Inner</button>"
    void this.cdp("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "content-type", value: "text/html; charset=utf-8" }],
      body: Buffer.from(body).toString("base64")
    }).catch((error: unknown) => {
      // the frame that asked may be gone by now
      if (!String(error).includes("Invalid InterceptionId")) throw error
    })
  }

  /** Shows a page and puts a fresh agent into it. */
  async open(html: string): Promise<void> {
    this.html = html.startsWith("<!") ? html : `<!doctype html><meta charset="utf-8">${html}`
    const loaded = this.event("Page.loadEventFired")
    await this.cdp("Page.navigate", { url: "http://page.example/page" })
    await loaded
    await this.install()
  }

  /** Waits for the next event of this tab. */
  event(method: string): Promise<Json> {
    return new Promise((resolve) => {
      const listener: Listener = (name, params, session) => {
        if (name !== method || session !== this.session) return
        this.pipe.listeners.delete(listener)
        resolve(params)
      }
      this.pipe.listeners.add(listener)
    })
  }

  /** Puts the agent into the document. */
  async install(): Promise<void> {
    const world = await this.cdp("Page.createIsolatedWorld", {
      frameId: this.frame,
      worldName: "agent",
      grantUniveralAccess: false
    })
    const made = await this.cdp("Runtime.evaluate", {
      contextId: world["executionContextId"],
      expression: `${inPageSource};__entry.install()`
    })
    if (made["exceptionDetails"]) throw new Error(JSON.stringify(made["exceptionDetails"]))
    this.handle = (made["result"] as { objectId: string }).objectId
  }

  private async on(functionDeclaration: string, args: ReadonlyArray<unknown>, returnByValue = true): Promise<Json> {
    const answer = await this.cdp("Runtime.callFunctionOn", {
      objectId: this.handle,
      functionDeclaration,
      arguments: args.map((value) => ({ value })),
      returnByValue,
      awaitPromise: true
    })
    if (answer["exceptionDetails"]) throw new Error(JSON.stringify(answer["exceptionDetails"]))
    return answer["result"] as Json
  }

  /** Calls a function of the agent. */
  async call<K extends keyof PageAgent>(name: K, argument: Argument<K>): Promise<Answer<K>> {
    const result = await this.on("function(name, argument) { return this[name](argument) }", [name, argument])
    return result["value"] as Answer<K>
  }

  /** Finds the closed shadow root of each of these elements, as the server does, and hands it to the agent. */
  async adopt(keys: ReadonlyArray<number>): Promise<number> {
    let adopted = 0
    for (const key of keys) {
      const element = await this.on("function(key) { return this.elements([key])[0] }", [key], false)
      const { node } = (await this.cdp("DOM.describeNode", {
        objectId: element["objectId"],
        depth: 0,
        pierce: false
      })) as {
        node: { shadowRoots?: ReadonlyArray<{ backendNodeId: number; shadowRootType: string }> }
      }
      const root = node.shadowRoots?.find((candidate) => candidate.shadowRootType === "closed")
      if (!root) continue
      const world = await this.cdp("Page.createIsolatedWorld", {
        frameId: this.frame,
        worldName: "agent",
        grantUniveralAccess: false
      })
      const object = (await this.cdp("DOM.resolveNode", {
        backendNodeId: root.backendNodeId,
        executionContextId: world["executionContextId"]
      })) as { object: { objectId: string } }
      await this.cdp("Runtime.callFunctionOn", {
        objectId: this.handle,
        functionDeclaration: "function(root, host) { this.adopt(root, host) }",
        arguments: [{ objectId: object.object.objectId }, { objectId: element["objectId"] }]
      })
      adopted += 1
    }
    return adopted
  }

  /** Evaluates in the page's own world. */
  async main(expression: string): Promise<unknown> {
    const answer = await this.cdp("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true })
    if (answer["exceptionDetails"]) throw new Error(JSON.stringify(answer["exceptionDetails"]))
    return (answer["result"] as Json)["value"]
  }

  /** Moves the mouse. */
  async move(x: number, y: number): Promise<void> {
    await this.cdp("Input.dispatchMouseEvent", { type: "mouseMoved", x, y })
  }

  /** Presses and releases the mouse. */
  async press(x: number, y: number, button = "left"): Promise<void> {
    const common = { x, y, button, clickCount: 1 }
    await this.cdp("Input.dispatchMouseEvent", { type: "mousePressed", ...common })
    await this.cdp("Input.dispatchMouseEvent", { type: "mouseReleased", ...common })
  }
}

/** A launched browser. */
export class TestBrowser {
  private readonly child: ChildProcess
  private readonly profile: string
  private readonly pipe: Pipe
  private constructor(child: ChildProcess, profile: string) {
    this.child = child
    this.profile = profile
    this.pipe = new Pipe(child.stdio[3] as Writable, child.stdio[4] as Readable)
  }

  static launch(): TestBrowser {
    const profile = mkdtempSync(join(tmpdir(), "in-page-"))
    const child = spawn(
      process.env["EFFECT_BROWSER_TEST_CHROME"] ?? "chromium",
      [
        "--headless=new",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--no-first-run",
        `--user-data-dir=${profile}`,
        "--remote-debugging-pipe",
        "--window-size=1000,800",
        "about:blank"
      ],
      {
        stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
        env: { ...process.env, ...temporaryFilesIn(profile) }
      }
    )
    return new TestBrowser(child, profile)
  }

  /** A new tab in a window of its own, 1000 by 700. */
  async page(): Promise<TestPage> {
    const { targetId } = await this.pipe.send("Target.createTarget", { url: "about:blank", newWindow: true })
    const { sessionId } = await this.pipe.send("Target.attachToTarget", { targetId, flatten: true })
    const page = new TestPage(this.pipe, String(sessionId), String(targetId))
    this.pipe.listeners.add((method, params, session) => {
      if (method !== "Fetch.requestPaused" || session !== sessionId) return
      page.serve(String(params["requestId"]), (params["request"] as { url: string }).url)
    })
    await Promise.all([
      page.cdp("Page.enable"),
      page.cdp("Fetch.enable", { patterns: [{ urlPattern: "http://*.example/*" }] }),
      page.cdp("Emulation.setFocusEmulationEnabled", { enabled: true }),
      page.cdp("Emulation.setDeviceMetricsOverride", { width: 1000, height: 700, deviceScaleFactor: 1, mobile: false })
    ])
    return page
  }

  /** Ends the browser and removes its profile. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve))
    void this.pipe.send("Browser.close").catch(() => undefined)
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 5000)
    await ended
    clearTimeout(timer)
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
