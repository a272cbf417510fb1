/**
 * Everything that can be done on one tab, as the session contract names it: each operation is bounded, ends early when
 * a dialog opens, and acts tell what came of them.
 */
import type { CdpEvent } from "../../services/CdpConnection.ts"
import { Acting } from "./Acting.ts"
import { Looking } from "./Looking.ts"
import { Moving } from "./Moving.ts"
import { Presenting } from "./Presenting.ts"
import { type PageContext, PageParts } from "./PageParts.ts"
import type { Tab } from "./Tab.ts"

export class Page {
  readonly tab: Tab
  private readonly parts: PageParts
  readonly moving: Moving
  readonly looking: Looking
  readonly acting: Acting
  readonly presenting: Presenting

  constructor(tab: Tab, context: PageContext) {
    const parts = new PageParts(tab, context)
    this.tab = tab
    this.parts = parts
    this.moving = new Moving(parts)
    this.looking = new Looking(parts)
    this.acting = new Acting(parts)
    this.presenting = new Presenting(parts)
  }

  /** Takes in an event of one of the tab's sessions; called by the reader. */
  apply(event: CdpEvent): void {
    this.parts.agents.apply(event)
    this.tab.model.apply(event)
  }
}
