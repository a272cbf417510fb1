const rows = document.getElementById("rows")
const held = document.getElementById("held")
const form = document.getElementById("arrival")
let berths = []

const element = (name, content, attributes = {}) => {
  const made = document.createElement(name)
  made.append(...[content].flat())
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

// Every change builds all rows anew, held berths first: what stood under the pointer before is another row now.
const render = () => {
  const ordered = [...berths].sort((a, b) => Number(b.held) - Number(a.held) || a.name.localeCompare(b.name))
  rows.replaceChildren(
    ...ordered.map((berth) => {
      const verb = berth.held ? "Release" : "Hold"
      const button = element("button", verb, { type: "button", "aria-label": `${verb} berth ${berth.name}` })
      button.addEventListener("click", () => hold(berth.name, !berth.held))
      const cells = [berth.name, `${berth.length} m`, `€ ${berth.price}`, berth.quay, button]
      return element(
        "tr",
        cells.map((cell) => element("td", cell)),
        { class: berth.held ? "held" : "" }
      )
    })
  )
  const names = ordered.filter((berth) => berth.held).map((berth) => berth.name)
  held.textContent = names.length === 0 ? "No berth is held yet." : `Held for you: ${names.join(", ")}.`
}

const ask = async (path, body) => {
  const response = await fetch(path, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
  return response.json()
}

const hold = async (name, wanted) => {
  berths = await ask("/api/berths", { name, held: wanted })
  render()
}

let keys = 0
document.getElementById("note").addEventListener("keydown", (event) => {
  if (!event.isTrusted) return
  keys += 1
  document.getElementById("keys").textContent = `${keys} real key presses, the last one ${event.code}`
})

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  const wanted = berths.find((berth) => berth.held)
  if (wanted === undefined) return alert("Hold a berth first.")
  const values = Object.fromEntries(new FormData(form))
  const nights = Number(values.nights)
  if (!confirm(`Book berth ${wanted.name} for ${nights} nights at € ${wanted.price * nights}?`)) return
  const { reference } = await ask("/api/bookings", { ...values, berth: wanted.name })
  const facts = {
    Reference: reference,
    Berth: `${wanted.name}, ${wanted.quay} quay`,
    Boat: `${values.boat}, ${values.name}`,
    Arrival: `${values.arrival}, ${nights} nights`,
    "Shore power": values.power === "on" ? "yes" : "no",
    Note: values.note === "" ? "none" : values.note
  }
  const lines = Object.entries(facts).map(([name, fact]) =>
    element("tr", [element("th", name, { scope: "row" }), element("td", fact)])
  )
  const booked = document.getElementById("booked")
  booked.replaceChildren(
    element("h3", "Booking confirmed"),
    element("div", "We will have a line ready for you."),
    element("table", element("tbody", lines))
  )
  booked.hidden = false
  form.hidden = true
})

const shadowStyle = new CSSStyleSheet()
shadowStyle.replaceSync(`
  p { margin: 0 0 12px; min-height: 3em }
  strong { color: #12343f }
  button { padding: 7px 16px; color: #1e5b6d; background: #fff; border: 1px solid #b9cdd1; border-radius: 999px;
    font: inherit; font-weight: 550; cursor: pointer }
`)

const widget = (host, mode, label, texts) => {
  const root = host.attachShadow({ mode })
  root.adoptedStyleSheets = [shadowStyle]
  let at = 0
  const text = element("p", "")
  const show = () => {
    text.innerHTML = texts[at]
  }
  const button = element("button", label, { type: "button" })
  button.addEventListener("click", () => {
    at = (at + 1) % texts.length
    show()
  })
  show()
  root.append(text, button)
}

customElements.define(
  "tide-table",
  class extends HTMLElement {
    connectedCallback() {
      widget(this, "open", "Next tide", [
        "High water <strong>06:12</strong>,<br>4.1 m over the sill",
        "Low water <strong>12:27</strong>,<br>1.3 m over the sill",
        "High water <strong>18:40</strong>,<br>4.3 m over the sill"
      ])
    }
  }
)
customElements.define(
  "harbour-office",
  class extends HTMLElement {
    connectedCallback() {
      widget(this, "closed", "Ring the bell", [
        "The office is <strong>open until 20:00</strong>.<br>Ring if nobody is at the desk.",
        "<strong>The bell rang.</strong><br>Somebody is coming to the desk."
      ])
    }
  }
)

ask("/api/berths").then((list) => {
  berths = list
  render()
})
