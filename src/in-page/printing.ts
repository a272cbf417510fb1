/**
 * Runs in the page's own world before its scripts, where the browser would open a dialog of the system for printing: that
 * one keeps the page, and whoever works in it, until a person closes it. The page gets what it gets from a browser that
 * prints at once: the two events, and control back.
 */
export const install = (): void => {
  const { apply } = Reflect
  const { dispatchEvent } = EventTarget.prototype
  const { toLowerCase } = String.prototype
  const PrintEvent = Event
  const print = (): void => {
    apply(dispatchEvent, window, [new PrintEvent("beforeprint")])
    apply(dispatchEvent, window, [new PrintEvent("afterprint")])
  }
  window.print = new Proxy(window.print, { apply: print })
  const { prototype } = Document
  prototype.execCommand = new Proxy(prototype.execCommand, {
    apply: (target, self, args: Array<unknown>) => {
      if (typeof args[0] !== "string" || apply(toLowerCase, args[0], []) !== "print") {
        return apply(target, self, args)
      }
      print()
      return true
    }
  })
}
