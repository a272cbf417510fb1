/** Cookies and storage of a session's own. */
import { Effect, type Scope } from "effect"
import { type CdpFailed, type OperationTimeout, SessionLost } from "../../../schemas/errors.ts"
import type { BrowserContextId } from "../../../schemas/ids.ts"
import type { CdpConnection } from "../../../services/CdpConnection.ts"
import { Timeouts } from "../../../services/Timeouts.ts"

/**
 * Storage apart from everyone else's, until the scope closes; the browser disposes of it as well when the connection
 * ends, with the pages in it.
 */
export const acquireBrowserContext = (
  connection: CdpConnection["Service"]
): Effect.Effect<BrowserContextId, SessionLost | CdpFailed | OperationTimeout, Scope.Scope> =>
  Effect.acquireRelease(
    connection
      .command("Target.createBrowserContext", { disposeOnDetach: true })
      .pipe(Effect.map(({ browserContextId }) => browserContextId as BrowserContextId)),
    (browserContextId) =>
      Effect.flatMap(Timeouts, (table) =>
        connection.command("Target.disposeBrowserContext", { browserContextId }, { timeout: table.closeSession })
      ).pipe(Effect.ignoreCause),
    { interruptible: true }
  ).pipe(
    Effect.catchTags({
      ConnectionLost: ({ reason }) => Effect.fail(new SessionLost({ reason })),
      MessageTooLarge: (error) => Effect.die(error)
    })
  )
