/** Runs in the page: the whole of it is sent with each call, and `inPage.look()` or the like evaluated. */
// biome-ignore lint/correctness/noUnusedVariables: used by what is appended when it is sent
const inPage = {
  /** One walk over the document: what can be acted on with its name, and the text between, each with its box. */
  look() {
    const acting = "a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick],[contenteditable]"
    const kinds = { A: "link", BUTTON: "button", SELECT: "combobox", TEXTAREA: "textbox", SUMMARY: "button" }
    const kindOf = (element) => {
      const role = element.getAttribute("role")
      if (role !== null) return role
      if (element.tagName !== "INPUT") return kinds[element.tagName] ?? element.tagName.toLowerCase()
      if (element.type === "checkbox" || element.type === "radio") return element.type
      return element.type === "submit" || element.type === "button" ? "button" : "textbox"
    }
    const tidy = (text) => text.replace(/\s+/g, " ").trim()
    const nameOf = (element) =>
      tidy(
        element.getAttribute("aria-label") ??
          element.labels?.[0]?.textContent ??
          (element.textContent || element.placeholder || element.title || element.alt || "")
      )
    const seen = []
    const items = []
    const add = (element, kind, label) => {
      const box = element.getBoundingClientRect()
      if (box.width === 0 || box.height === 0 || !element.checkVisibility({ visibilityProperty: true })) return
      const item = { index: seen.length, kind, label, x: box.x, y: box.y, width: box.width, height: box.height }
      if ("value" in element && kind !== "button") item.value = element.type === "password" ? "•" : element.value
      if (element.checked === true) item.checked = true
      if (element.disabled === true) item.disabled = true
      seen.push(element)
      items.push(item)
    }
    const visit = (element) => {
      if (element.matches(acting)) return add(element, kindOf(element), nameOf(element))
      if (element.tagName === "SCRIPT" || element.tagName === "STYLE") return
      let own = ""
      for (const node of element.childNodes) if (node.nodeType === 3) own += node.data
      own = tidy(own)
      if (own !== "") add(element, /^H[1-6]$/.test(element.tagName) ? "heading" : "text", own)
      for (const child of element.children) visit(child)
    }
    visit(document.body)
    globalThis.__seen = seen
    return { url: location.href, title: document.title, items }
  },

  focus(label) {
    const field = [...document.querySelectorAll("label")].find((one) => one.textContent.trim() === label).control
    field.focus()
    field.select()
  },

  read(label) {
    return [...document.querySelectorAll("label")].find((one) => one.textContent.trim() === label).control.value
  },

  appeared(text) {
    const there = () => document.body.textContent.includes(text)
    if (there()) return true
    return new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!there()) return
        observer.disconnect()
        resolve(true)
      })
      observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    })
  }
}
