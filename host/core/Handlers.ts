/** What a handler of each operation is: it gives the result, or throws an error of the closed union to refuse. */
import type { HostOperation, HostParams, HostResult } from "../../src/schemas/HostProtocol.ts"

export type Handlers = {
  readonly [Op in Exclude<HostOperation, "cancel">]: (
    params: HostParams<Op>
  ) => HostResult<Op> | Promise<HostResult<Op>>
} & {
  /** Takes back what came of a call that was given up meanwhile. */
  readonly abandoned: (operation: HostOperation, result: unknown) => void
}
