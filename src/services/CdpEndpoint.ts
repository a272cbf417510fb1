/** The address of somebody's browser that the provider "endpoint" attaches to; it can be changed while the program runs. */
import type { Effect, Redacted } from "effect"
import { Context } from "effect"

export class CdpEndpoint extends Context.Service<
  CdpEndpoint,
  {
    /** Scheme and host of the address in force, without secrets; undefined: none is set. */
    readonly label: () => string | undefined
    /**
     * Puts an address in force (ws:, wss:, http: or https:), or none. Another address than before takes everything with
     * it that was bound to the former one: its sessions are lost and say so, their tabs are closed there, and the next
     * `browser_open` connects afresh. Nothing is carried over. The same address changes nothing.
     */
    readonly set: (address: Redacted.Redacted<string> | undefined) => Effect.Effect<void>
  }
>()("effect-browser/CdpEndpoint") {}
