/** A parent of a view host that says what it should not. */
import { spawn } from "node:child_process"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { temporaryFilesIn } from "../../src/layers/cdp/temporaryFolder.ts"
import { childEnvironment, sandboxArguments } from "../../src/layers/viewhost/surroundings.ts"
import { hostSettingsVariable } from "../../src/schemas/HostProtocol.ts"
import { testHostOptions } from "./ElectronSession.ts"

const start = { startImmediately: true } as const

/** A host that is connected to it; `answers` waits for the one of that number. */
export const fakeHostParent = Effect.gen(function* () {
  const { electron, program, userData } = yield* testHostOptions()
  const { executable } = yield* electron
  const temporary = join(userData, "temporary")
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer()
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.sync(() => made.close())
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const connected = yield* Effect.forkChild(
    Effect.callback<Socket>((resume) => {
      server.once("connection", (socket) => resume(Effect.succeed(socket)))
    }),
    start
  )
  const settings = {
    port,
    secret: "s",
    userData,
    temporary,
    title: "fake",
    window: { width: 400, height: 300 }
  }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(executable, [...sandboxArguments(), program ?? "", "--disable-gpu"], {
        env: {
          ...childEnvironment(process.env),
          ...temporaryFilesIn(temporary),
          [hostSettingsVariable]: JSON.stringify(settings)
        },
        stdio: ["pipe", "ignore", "ignore"],
        detached: true
      })
    ),
    (made) =>
      Effect.sync(() => {
        try {
          process.kill(-(made.pid ?? 0), "SIGKILL")
        } catch {}
      })
  )
  const socket = yield* Fiber.join(connected).pipe(Effect.timeout("30 seconds"))
  socket.on("error", () => {})
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  const seen = new Map<number, object>()
  let greeted = () => {}
  let look = () => {}
  let rest = ""
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const value = JSON.parse(line) as { readonly id?: number; readonly pid?: number }
      if (value.pid !== undefined) greeted()
      if (value.id !== undefined) seen.set(value.id, value)
    }
    look()
  })
  yield* Effect.callback<void>((resume) => {
    greeted = () => resume(Effect.void)
  }).pipe(Effect.timeout("30 seconds"))
  /** Waits until the answer of that number is there, and gives all. */
  const answers = (id: number) =>
    Effect.callback<ReadonlyMap<number, object>>((resume) => {
      look = () => {
        if (seen.has(id)) resume(Effect.succeed(seen))
      }
      look()
    }).pipe(Effect.timeout("20 seconds"))
  return { pid: child.pid ?? 0, socket, answers }
})
