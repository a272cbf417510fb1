/** A download that nobody waits for any more just when the browser is about to begin it. */
import { existsSync, readdirSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Redacted } from "effect"
import { connect } from "../../src/layers/cdp/CdpWebSocket.ts"
import { makeAdmission } from "../../src/layers/page/admission.ts"
import { fetchFile } from "../../src/layers/page/Downloading.ts"
import { makeTargets } from "../../src/layers/page/Targets.ts"
import { portChromium } from "../support/PortChromium.ts"
import { TestSite } from "../support/TestSite.ts"

it.live("is given up by the browser, and leaves neither file nor tab", () =>
  Effect.gen(function* () {
    const site = yield* TestSite
    const dropped = yield* Deferred.make<void>()
    const url = site.page("/endless", (_, response) => {
      response.on("close", () => Deferred.doneUnsafe(dropped, Effect.void))
      response.writeHead(200, { "content-type": "application/octet-stream" })
      response.write(Buffer.alloc(1 << 16, 7))
    })
    const browser = yield* portChromium
    const connection = yield* connect(Redacted.make(browser.webSocketUrl))
    const targets = yield* makeTargets(connection)
    yield* connection.command("Browser.setDownloadBehavior", {
      behavior: "allowAndName",
      downloadPath: targets.downloads.path,
      eventsEnabled: true
    })
    const pages = Effect.map(connection.command("Target.getTargets"), ({ targetInfos }) =>
      targetInfos.map(({ targetId }) => targetId)
    )
    const before = yield* pages
    const answered = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(
      Effect.scoped(
        fetchFile(
          {
            connection,
            targets,
            browserContextId: undefined,
            admission: makeAdmission({ deniedHosts: [], privateNetwork: "allow" }),
            direct: true
          },
          {
            url,
            referrer: undefined,
            maxBytes: 1 << 30,
            // right after this the browser is told so, and before it can say anything to that
            onProgress: () => queueMicrotask(() => Deferred.doneUnsafe(answered, Effect.void))
          }
        )
      )
    )
    yield* Effect.raceFirst(Deferred.await(answered), Fiber.join(fiber))
    yield* Fiber.interrupt(fiber)
    yield* Deferred.await(dropped)
    const folder = targets.downloads.path
    while (existsSync(folder) && readdirSync(folder).length > 0) yield* Effect.sleep(20)
    while ((yield* pages).some((one) => !before.includes(one))) yield* Effect.sleep(20)
    assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
  }).pipe(Effect.scoped, Effect.provide(TestSite.layer))
)
