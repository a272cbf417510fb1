/** The parts of the page driver for one tab; the operations on them are in the rooms beside. */
import type { BrowserConfig } from "../../schemas/config.ts"
import type { BrowserSession } from "../../services/BrowserSession.ts"
import { Agents } from "./Agent.ts"
import type { DownloadFolder } from "./DownloadFolder.ts"
import { Finder } from "./Finder.ts"
import { Forms } from "./Forms.ts"
import { Outcomes, type TabsView } from "./Outcomes.ts"
import { Pointer } from "./Pointer.ts"
import { Snapshots } from "./Snapshots.ts"
import type { Tab } from "./Tab.ts"
import { Uploads } from "./Uploads.ts"

/** What a tab's operations need of the session around it. */
export interface PageContext {
  readonly config: BrowserConfig
  readonly nextSnapshot: () => number
  readonly tabs: TabsView
  /** size of the tab (CSS px); undefined: that of its window */
  readonly viewport: { readonly width: number; readonly height: number } | undefined
  /** where the browser's streams are written */
  readonly downloads: DownloadFolder
}

/** An operation of the session contract, on one tab. */
export type Op<Name extends keyof BrowserSession> = BrowserSession[Name]

export class PageParts {
  readonly tab: Tab
  readonly config: BrowserConfig
  readonly agents: Agents
  readonly snapshots: Snapshots
  readonly finder: Finder
  readonly pointer: Pointer
  readonly forms: Forms
  readonly uploads: Uploads
  readonly outcomes: Outcomes
  readonly viewport: PageContext["viewport"]
  readonly downloads: DownloadFolder

  constructor(tab: Tab, context: PageContext) {
    this.tab = tab
    this.config = context.config
    this.viewport = context.viewport
    this.downloads = context.downloads
    this.agents = new Agents(tab)
    this.snapshots = new Snapshots(tab, this.agents, context.config, context.nextSnapshot)
    this.finder = new Finder(tab, this.agents, this.snapshots)
    this.pointer = new Pointer(tab, this.agents, this.finder)
    this.forms = new Forms(tab, this.agents, this.finder, this.pointer)
    this.uploads = new Uploads(tab, this.agents, this.finder, this.pointer)
    this.outcomes = new Outcomes({ tab, agents: this.agents, snapshots: this.snapshots, tabs: context.tabs })
  }
}
