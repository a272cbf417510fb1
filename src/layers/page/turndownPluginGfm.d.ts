/** The parts of the plugin that are used; it carries no types of its own. */
declare module "@joplin/turndown-plugin-gfm" {
  import type TurndownService from "turndown"
  export const strikethrough: TurndownService.Plugin
  export const taskListItems: TurndownService.Plugin
  export const highlightedCodeBlock: TurndownService.Plugin
}
