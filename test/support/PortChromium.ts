/** A Chromium of the test's own that listens on a port of this machine: somebody else's browser, for what attaches to one. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { temporaryFilesIn } from "../../src/layers/cdp/temporaryFolder.ts"

export interface PortChromium {
  /** `ws://127.0.0.1:port/devtools/browser/...` */
  readonly webSocketUrl: string
  /** `http://127.0.0.1:port` */
  readonly httpUrl: string
  /** ends it as the system would: at once, with all its processes */
  readonly kill: Effect.Effect<void>
}

const kill = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // it has just ended by itself
  }
}

/** Reads the address that the browser writes into its profile once it listens. */
const address = (profile: string): Effect.Effect<readonly [string, string]> =>
  Effect.sync(() => {
    try {
      return readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n")
    } catch {
      return []
    }
  }).pipe(
    Effect.flatMap(([port, path]) =>
      port === undefined || path === undefined
        ? Effect.andThen(
            Effect.sleep(50),
            Effect.suspend(() => address(profile))
          )
        : Effect.succeed([port, path.trim()] as const)
    )
  )

/** Starts the browser for the life of the scope. */
export const portChromium: Effect.Effect<PortChromium, never, Scope.Scope> = Effect.gen(function* () {
  const { child, profile } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "port-chromium-"))
      const started = spawn(
        process.env["EFFECT_BROWSER_TEST_CHROME"] ?? "chromium",
        [
          "--headless=new",
          "--remote-debugging-port=0",
          "--no-first-run",
          "--disable-gpu",
          // the headless shell keeps sites together unless it is told not to (runtime fact 139)
          "--site-per-process",
          ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
          `--user-data-dir=${folder}`,
          "about:blank"
        ],
        { stdio: "ignore", detached: true, env: { ...process.env, ...temporaryFilesIn(folder) } }
      )
      const ended = new Promise<void>((resolve) => started.once("exit", () => resolve()))
      return { child: started, profile: folder, ended }
    }),
    (held) =>
      Effect.promise(async () => {
        kill(held.child)
        await held.ended
        rmSync(held.profile, { recursive: true, force: true, maxRetries: 5 })
      })
  )
  const [port, path] = yield* address(profile).pipe(
    Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.die("the test's own Chromium did not start") })
  )
  return {
    webSocketUrl: `ws://127.0.0.1:${port}${path}`,
    httpUrl: `http://127.0.0.1:${port}`,
    kill: Effect.sync(() => kill(child))
  }
})
