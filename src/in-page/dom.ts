/**
 * Safe access to the DOM.
 *
 * A form answers `form.parentNode` or `form.getAttribute` with a control of that name, and so does the document with an
 * image or a frame (HTML, "LegacyOverrideBuiltIns"). Everything that may meet a form or the document is therefore read
 * by the prototypes' own getters and methods, captured once in the isolated world, where the page cannot replace them.
 */

const getter = <T extends object, K extends keyof T & string>(prototype: T, name: K): ((target: T) => T[K]) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get
  if (get === undefined) return (target) => target[name]
  return (target) => get.call(target) as T[K]
}

type Method<F> = F extends (...args: infer A) => infer R ? (self: object, ...args: A) => R : never

const method = <T extends object, K extends keyof T & string>(prototype: T, name: K): Method<T[K]> => {
  const run = prototype[name] as (...args: ReadonlyArray<unknown>) => unknown
  return ((self: object, ...args: ReadonlyArray<unknown>) => run.apply(self, args as Array<unknown>)) as Method<T[K]>
}

const node = Node.prototype
const element = Element.prototype
const html = HTMLElement.prototype
const page = Document.prototype

export const nodeTypeOf = getter(node, "nodeType")
export const parentNodeOf = getter(node, "parentNode")
export const firstChildOf = getter(node, "firstChild")
export const nextSiblingOf = getter(node, "nextSibling")
export const textContentOf = getter(node, "textContent")
export const isConnected = getter(node, "isConnected")
export const containsNode = method(node, "contains")
export const comparePosition = method(node, "compareDocumentPosition")
export const rootOf = method(node, "getRootNode")
export const dispatch = method(EventTarget.prototype, "dispatchEvent")
export const listen = method(EventTarget.prototype, "addEventListener")
export const unlisten = method(EventTarget.prototype, "removeEventListener")

export const localNameOf = getter(element, "localName")
export const namespaceOf = getter(element, "namespaceURI")
export const shadowRootOf = getter(element, "shadowRoot")
const assignedSlotOf = getter(element, "assignedSlot")
export const childElementsOf = getter(element, "children")
export const nextElementOf = getter(element, "nextElementSibling")
export const previousElementOf = getter(element, "previousElementSibling")
export const firstElementOf = getter(element, "firstElementChild")
export const attributesOf = getter(element, "attributes")
export const outerHTMLOf = getter(element, "outerHTML")
export const attribute = method(element, "getAttribute")
export const hasAttribute = method(element, "hasAttribute")
export const hasAttributes = method(element, "hasAttributes")
export const matches = method(element, "matches")
export const closest = method(element, "closest")
export const queryIn = method(element, "querySelector") as (self: object, selector: string) => Element | null
export const rectOf = method(element, "getBoundingClientRect")
export const rectsOf = method(element, "getClientRects")
export const checkVisibility = method(element, "checkVisibility")
export const scrollIntoView = method(element, "scrollIntoView")
export const animationsOf = method(element, "getAnimations")

export const innerTextOf = getter(html, "innerText")
export const focusElement = method(html, "focus")
export const clickElement = method(html, "click")
export const formNoValidate = getter(HTMLFormElement.prototype, "noValidate")
export const formElements = getter(HTMLFormElement.prototype, "elements")
export const formValidity = method(HTMLFormElement.prototype, "checkValidity")
export const requestSubmit = method(HTMLFormElement.prototype, "requestSubmit")

const textSlot = getter(Text.prototype, "assignedSlot")

const documentGetters = {
  documentElement: getter(page, "documentElement"),
  body: getter(page, "body"),
  title: getter(page, "title"),
  readyState: getter(page, "readyState"),
  hidden: getter(page, "hidden"),
  styleSheets: getter(page, "styleSheets"),
  activeElement: getter(page, "activeElement"),
  scrollingElement: getter(page, "scrollingElement"),
  doctype: getter(page, "doctype")
}

const documentHit = method(page, "elementFromPoint")
const shadowHit = method(ShadowRoot.prototype, "elementFromPoint")
const documentById = method(page, "getElementById")
const fragmentById = method(DocumentFragment.prototype, "getElementById")
const documentAll = method(page, "querySelectorAll") as (self: object, selector: string) => NodeListOf<Element>
const fragmentAll = method(DocumentFragment.prototype, "querySelectorAll") as typeof documentAll
const elementAll = method(element, "querySelectorAll") as typeof documentAll
const makeRange = method(page, "createRange")
const shadowActive = getter(ShadowRoot.prototype, "activeElement")
const hostGetter = getter(ShadowRoot.prototype, "host")

export const rootElement = (): Element => documentGetters.documentElement(document)
export const bodyElement = (): HTMLElement | null => documentGetters.body(document)
export const documentTitle = (): string => documentGetters.title(document)
export const documentReady = (): DocumentReadyState => documentGetters.readyState(document)
export const documentHidden = (): boolean => documentGetters.hidden(document)
export const documentSheets = (): StyleSheetList => documentGetters.styleSheets(document)
export const documentActive = (): Element | null => documentGetters.activeElement(document)
/** Stands for the root element where a document has none, as a window just opened. */
const noElement = document.createElement("html")

export const documentScroller = (): Element => documentGetters.scrollingElement(document) ?? rootElement() ?? noElement
export const documentType = (): DocumentType | null => documentGetters.doctype(document)
export const newRange = (): Range => makeRange(document)

export type Root = Document | ShadowRoot
export const isElement = (value: Node | null | undefined): value is Element => value != null && nodeTypeOf(value) === 1
export const isText = (value: Node | null | undefined): value is Text => value != null && nodeTypeOf(value) === 3
export const isShadowRoot = (value: Node | null | undefined): value is ShadowRoot =>
  value != null && nodeTypeOf(value) === 11 && value instanceof ShadowRoot
export const hostOf = (root: ShadowRoot): Element => hostGetter(root)
export const activeIn = (root: ShadowRoot): Element | null => shadowActive(root)
export const hitIn = (root: Root, x: number, y: number): Element | null =>
  isShadowRoot(root) ? shadowHit(root, x, y) : documentHit(root, x, y)
export const byId = (root: Node, id: string): Element | null =>
  nodeTypeOf(root) === 9 ? documentById(root, id) : root instanceof DocumentFragment ? fragmentById(root, id) : null
export const queryAll = (root: Node, selector: string): ArrayLike<Element> =>
  nodeTypeOf(root) === 9
    ? documentAll(root, selector)
    : nodeTypeOf(root) === 1
      ? elementAll(root, selector)
      : fragmentAll(root, selector)
export const slotOf = (child: Node): HTMLSlotElement | null =>
  isElement(child) ? assignedSlotOf(child) : isText(child) ? textSlot(child) : null

/** An attribute as a short string; a page may hold megabytes in one. */
export const shortAttribute = (target: Element, name: string, limit = 1000): string => {
  const value = attribute(target, name)
  return value === null ? "" : value.length > limit ? value.slice(0, limit) : value
}
/** The element itself, or the parent element of a text. */
export const elementOf = (target: Node): Element | null => {
  if (isElement(target)) return target
  const parent = parentNodeOf(target)
  return isElement(parent) ? parent : isShadowRoot(parent) ? hostOf(parent) : null
}
