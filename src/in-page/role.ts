/** Roles: what the page says (WAI-ARIA 1.2) or else what the element is (HTML-AAM), in the words that agents are given. */
import {
  attribute,
  closest,
  hasAttribute,
  isElement,
  localNameOf,
  matches,
  parentNodeOf,
  queryIn,
  shortAttribute
} from "./dom.ts"

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const known = words(
  "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem"
)

/** Roles that people act on. */
export const actable = words(
  "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem"
)
/** Roles that are named by what they contain. */
export const namedByContent = words(
  "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem"
)
/** Parts of a page that are listed where they carry a name. */
export const landmarks = words(
  "alertdialog complementary dialog form menu navigation radiogroup region search tablist toolbar tree"
)
/** Roles that may not be named at all. */
const unnameable = words(
  "caption code definition deletion emphasis generic insertion mark none paragraph presentation strong subscript suggestion superscript term time"
)
export const mayBeNamed = (role: string): boolean => !unnameable.has(role)

const inputRoles: Readonly<Record<string, string>> = {
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  email: "textbox",
  tel: "textbox",
  text: "textbox",
  url: "textbox",
  password: "textbox"
}
const tagRoles: Readonly<Record<string, string>> = {
  article: "article",
  aside: "complementary",
  blockquote: "blockquote",
  button: "button",
  caption: "caption",
  code: "code",
  datalist: "listbox",
  dd: "definition",
  details: "group",
  dialog: "dialog",
  dt: "term",
  fieldset: "group",
  figure: "figure",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  hgroup: "group",
  hr: "separator",
  li: "listitem",
  main: "main",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  search: "search",
  summary: "button",
  table: "table",
  tbody: "rowgroup",
  td: "cell",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup",
  time: "time",
  tr: "row",
  ul: "list"
}

const hasName = (element: Element): boolean =>
  shortAttribute(element, "aria-label").trim() !== "" ||
  hasAttribute(element, "aria-labelledby") ||
  hasAttribute(element, "title")

const sectioning =
  "article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]"

/** Type of an input element as the browser takes it. */
export const inputType = (element: Element): string =>
  localNameOf(element) === "input" ? (element as HTMLInputElement).type : ""

/** The role an element has by itself. */
const implicitRole = (element: Element): string => {
  const tag = localNameOf(element)
  switch (tag) {
    case "a":
    case "area":
      return hasAttribute(element, "href") ? "link" : "generic"
    case "input": {
      const type = inputType(element)
      const role = inputRoles[type] ?? ""
      const listed = role === "textbox" || role === "searchbox"
      return listed && hasAttribute(element, "list") ? "combobox" : role
    }
    case "select": {
      const select = element as HTMLSelectElement
      return select.multiple || select.size > 1 ? "listbox" : "combobox"
    }
    case "img":
      return attribute(element, "alt") === "" && !hasName(element) ? "none" : "image"
    case "svg":
      return "graphics"
    case "header":
      return closest(element, sectioning) === null ? "banner" : "generic"
    case "footer":
      return closest(element, sectioning) === null ? "contentinfo" : "generic"
    case "section":
      return hasName(element) ? "region" : "generic"
    case "form":
      return hasName(element) ? "form" : "generic"
    case "th": {
      const scope = shortAttribute(element, "scope")
      if (scope.startsWith("row")) return "rowheader"
      if (scope.startsWith("col")) return "columnheader"
      const row = parentNodeOf(element)
      return isElement(row) && closest(row, "thead") === null && queryIn(row, "td") !== null
        ? "rowheader"
        : "columnheader"
    }
    default:
      return tagRoles[tag] ?? "generic"
  }
}

const focusableTags =
  "a[href],button,input,select,textarea,summary,iframe,audio[controls],video[controls],[tabindex],[contenteditable]"

/** Whether presentation would take a control away (WAI-ARIA, "Presentational Roles Conflict Resolution"). */
const resistsPresentation = (element: Element): boolean =>
  matches(element, focusableTags) ||
  hasAttribute(element, "aria-label") ||
  hasAttribute(element, "aria-labelledby") ||
  hasAttribute(element, "aria-describedby") ||
  hasAttribute(element, "aria-haspopup")

/** The role of an element: the first known word of its role attribute, else its own. */
export const roleOf = (element: Element): string => {
  const said = attribute(element, "role")
  if (said !== null) {
    for (const word of said.slice(0, 200).toLowerCase().split(/\s+/)) {
      if (!known.has(word)) continue
      if (word === "none" || word === "presentation") {
        if (resistsPresentation(element)) return implicitRole(element)
        return "none"
      }
      // a region or form without a name is none
      if ((word === "region" || word === "form") && !hasName(element)) continue
      return word === "img" ? "image" : word === "directory" ? "list" : word
    }
  }
  return implicitRole(element)
}

/** Whether an element is the host of editable content. */
export const isEditingHost = (element: Element): boolean => {
  const value = attribute(element, "contenteditable")
  return value !== null && value.toLowerCase() !== "false" && value.toLowerCase() !== "inherit"
}

const inputKinds: Readonly<Record<string, string>> = {
  file: "file",
  color: "color",
  date: "date",
  time: "time",
  month: "month",
  week: "week",
  "datetime-local": "datetime-local"
}

/** The word an agent is given for an element of this role. */
export const kindOf = (element: Element, role: string): string => {
  const tag = localNameOf(element)
  if (tag === "iframe" || tag === "frame") return "frame"
  if (tag === "input" && !hasAttribute(element, "role")) return inputKinds[inputType(element)] ?? role
  if (role === "textbox") {
    const lines = tag === "textarea" || attribute(element, "aria-multiline") === "true"
    return lines || (tag !== "input" && isEditingHost(element) && attribute(element, "aria-multiline") !== "false")
      ? "textarea"
      : "textbox"
  }
  if ((role === "generic" || role === "none" || role === "paragraph") && isEditingHost(element)) return "textarea"
  return role
}
