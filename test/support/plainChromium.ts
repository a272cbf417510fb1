/**
 * A Chromium of the test's own with one page, and CDP commands without any of the library between: for tests of what
 * the browser itself does with what the pure parts of the page driver produce.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.d.ts"
import { Context, Effect, Layer } from "effect"
import { temporaryFilesIn } from "../../src/layers/cdp/temporaryFolder.ts"

type Commands = ProtocolMapping.Commands

export class PlainChromium extends Context.Service<
  PlainChromium,
  {
    /** Sends a command to the page and dies if the browser refuses it. */
    readonly send: <M extends keyof Commands>(
      method: M,
      params?: Commands[M]["paramsType"][0]
    ) => Effect.Effect<Commands[M]["returnType"]>
    /** Shows an HTML document at an http address of its own origin and waits until it is loaded. */
    readonly show: (html: string) => Effect.Effect<void>
    /** The JSON value of an expression in the page; a promise is awaited. */
    readonly evaluate: (expression: string) => Effect.Effect<unknown>
  }
>()("test/PlainChromium") {
  static readonly layer = Layer.effect(
    PlainChromium,
    Effect.gen(function* () {
      const browser = yield* Effect.acquireRelease(Effect.sync(start), (running) => Effect.promise(running.stop))
      const { targetId } = yield* browser.send("Target.createTarget", { url: "about:blank" }, undefined)
      const { sessionId } = yield* browser.send("Target.attachToTarget", { targetId, flatten: true }, undefined)
      const send = <M extends keyof Commands>(method: M, params?: Commands[M]["paramsType"][0]) =>
        browser.send(method, params, sessionId)
      yield* send("Page.enable")
      yield* send("Emulation.setFocusEmulationEnabled", { enabled: true })
      const evaluate = (expression: string) =>
        Effect.map(
          send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }),
          ({ exceptionDetails, result }) => {
            if (exceptionDetails !== undefined) {
              throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
            }
            return result.value as unknown
          }
        )
      const { frameTree } = yield* send("Page.getFrameTree")
      return PlainChromium.of({
        send,
        evaluate,
        show: Effect.fnUntraced(function* (html) {
          yield* send("Page.navigate", { url: "about:blank" })
          yield* send("Page.setDocumentContent", { frameId: frameTree.frame.id, html })
          yield* evaluate(
            "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))))"
          )
        })
      })
    })
  )
}

interface Reply {
  readonly id?: number // absent in events
  readonly result: object
  readonly error?: { readonly message: string }
}

/** Starts the browser, debugged over its pipe (descriptors 3 and 4). */
const start = () => {
  const profile = mkdtempSync(join(tmpdir(), "plain-chromium-"))
  const child = spawn(
    process.env["EFFECT_BROWSER_TEST_CHROME"] ?? "chromium",
    [
      "--headless=new",
      "--remote-debugging-pipe",
      "--no-first-run",
      "--disable-gpu",
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--user-data-dir=${profile}`
    ],
    {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      detached: true,
      env: { ...process.env, ...temporaryFilesIn(profile) }
    }
  )
  const input = child.stdio[3] as Writable
  const output = child.stdio[4] as Readable
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const waiting = new Map<number, (reply: Reply) => void>()
  let lastId = 0
  let rest = ""
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\0")
    rest = parts.pop() ?? ""
    for (const part of parts) {
      const reply = JSON.parse(part) as Reply
      if (reply.id === undefined) continue
      waiting.get(reply.id)?.(reply)
      waiting.delete(reply.id)
    }
  })
  return {
    send: <M extends keyof Commands>(
      method: M,
      params: Commands[M]["paramsType"][0] | undefined,
      sessionId: string | undefined
    ): Effect.Effect<Commands[M]["returnType"]> =>
      Effect.callback((resume) => {
        const id = ++lastId
        waiting.set(id, ({ error, result }) =>
          resume(
            error === undefined
              ? Effect.succeed(result as Commands[M]["returnType"])
              : Effect.die(new Error(`${method}: ${error.message}`))
          )
        )
        if (!input.writableEnded) input.write(`${JSON.stringify({ id, method, params: params ?? {}, sessionId })}\0`)
      }),
    stop: async () => {
      input.end()
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      await exited
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
