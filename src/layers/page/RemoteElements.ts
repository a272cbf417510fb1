/** Elements as the DOM domain knows them: which frame an iframe shows, and shadow roots that are closed to scripts. */
import type { Protocol } from "devtools-protocol"
import { Effect } from "effect"
import type { FrameId } from "../../schemas/ids.ts"
import type { CdpError } from "../../services/CdpConnection.ts"
import { type Agents, DocumentGone } from "./Agent.ts"
import type { FrameModel } from "./FrameTable.ts"
import type { Tab } from "./Tab.ts"

interface RemoteElement {
  readonly key: number
  readonly objectId: string
  readonly node: Protocol.DOM.Node
}

let groups = 0

/**
 * Describes elements by their keys and lets go of the remote objects afterwards. An element that vanished meanwhile is
 * left out.
 */
const describe = <A, E>(
  tab: Tab,
  agents: Agents,
  frame: FrameModel,
  keys: ReadonlyArray<number>,
  use: (elements: ReadonlyArray<RemoteElement>, executionContextId: number) => Effect.Effect<A, E>
): Effect.Effect<A, E | CdpError | DocumentGone> =>
  Effect.gen(function* () {
    const executionContextId = yield* agents.context(frame)
    const objectGroup = `effect-browser-${++groups}`
    return yield* Effect.gen(function* () {
      const list = yield* tab.send(
        "Runtime.callFunctionOn",
        {
          functionDeclaration: "function (keys) { return globalThis.__effectBrowser.elements(keys) }",
          arguments: [{ value: keys }],
          executionContextId,
          objectGroup
        },
        frame
      )
      if (list.result.objectId === undefined) return yield* use([], executionContextId)
      const { result } = yield* tab.send(
        "Runtime.getProperties",
        { objectId: list.result.objectId, ownProperties: true },
        frame
      )
      const elements = yield* Effect.forEach(
        keys,
        (key, index) => {
          const objectId = result.find((property) => property.name === String(index))?.value?.objectId
          return objectId === undefined
            ? Effect.succeed(undefined)
            : tab.send("DOM.describeNode", { objectId, depth: 0 }, frame).pipe(
                Effect.map(({ node }): RemoteElement | undefined => ({ key, objectId, node })),
                Effect.catchTag("CdpFailed", () => Effect.succeed(undefined))
              )
        },
        { concurrency: "unbounded" }
      )
      return yield* use(
        elements.filter((element) => element !== undefined),
        executionContextId
      )
    }).pipe(
      // not waited for: a page that a dialog keeps busy would hold up the interruption
      Effect.ensuring(Effect.forkDetach(Effect.ignore(tab.send("Runtime.releaseObjectGroup", { objectGroup }, frame))))
    )
  })

/** Uses one element as a remote object, with the context of the agent that it belongs to. */
export const withElement = <A, E>(
  tab: Tab,
  agents: Agents,
  frame: FrameModel,
  key: number,
  use: (objectId: string, executionContextId: number) => Effect.Effect<A, E>
): Effect.Effect<A, E | CdpError | DocumentGone> =>
  describe(
    tab,
    agents,
    frame,
    [key],
    ([element], executionContextId): Effect.Effect<A, E | DocumentGone> =>
      element === undefined
        ? Effect.fail(new DocumentGone({ frameId: frame.id, begun: false }))
        : use(element.objectId, executionContextId)
  )

/** The frames that iframe elements show, by the key of the element. */
export const framesOf = (
  tab: Tab,
  agents: Agents,
  frame: FrameModel,
  keys: ReadonlyArray<number>
): Effect.Effect<ReadonlyMap<number, FrameId>, CdpError | DocumentGone> =>
  describe(tab, agents, frame, keys, (elements) =>
    Effect.succeed(
      new Map(
        elements.flatMap(({ key, node }) =>
          node.frameId === undefined ? [] : [[key, node.frameId as FrameId] as const]
        )
      )
    )
  )

/**
 * Looks whether the suspects host closed shadow roots and hands those to the agent, which from then on walks them like
 * open ones. Yields how many there were.
 */
export const adoptClosedRoots = (
  tab: Tab,
  agents: Agents,
  frame: FrameModel,
  suspects: ReadonlyArray<number>
): Effect.Effect<number, CdpError | DocumentGone> =>
  describe(tab, agents, frame, suspects, (elements, executionContextId) =>
    Effect.map(
      Effect.forEach(
        elements.flatMap(({ objectId, node }) =>
          (node.shadowRoots ?? [])
            .filter((root) => root.shadowRootType === "closed")
            .map((root) => ({ hostId: objectId, backendNodeId: root.backendNodeId }))
        ),
        ({ hostId, backendNodeId }) =>
          tab.send("DOM.resolveNode", { backendNodeId, executionContextId }, frame).pipe(
            Effect.flatMap(({ object }) =>
              tab.send(
                "Runtime.callFunctionOn",
                {
                  functionDeclaration: "function (root, host) { globalThis.__effectBrowser.adopt(root, host) }",
                  arguments: [{ objectId: object.objectId as string }, { objectId: hostId }],
                  executionContextId
                },
                frame
              )
            ),
            Effect.as(1),
            Effect.catchTag("CdpFailed", () => Effect.succeed(0))
          ),
        { concurrency: "unbounded" }
      ),
      (found) => found.reduce((sum: number, one) => sum + one, 0)
    )
  )
