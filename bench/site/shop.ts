/** A small shop with a list, product pages, a cart, a form and a confirmation. Carts live as long as the server. */
import { document } from "./html.ts"

interface Product {
  readonly id: string
  readonly name: string
  readonly price: number
}

interface Cart {
  readonly amounts: Map<string, number>
  voucher: boolean
  delivery: string
  address: Readonly<Record<string, string>>
}

const products: ReadonlyArray<Product> = [
  ["Desk lamp", 39],
  ["Floor lamp", 89],
  ["Reading lamp", 29],
  ["Oak chair", 120],
  ["Steel shelf", 75],
  ["Wool rug", 210],
  ["Wall clock", 45],
  ["Coat stand", 60],
  ["Tea table", 140],
  ["Linen curtain", 55]
].map(([name, price]) => ({
  id: String(name).toLowerCase().replace(" ", "-"),
  name: String(name),
  price: Number(price)
}))

const pageSize = 6

const total = (cart: Cart): number => {
  let sum = 0
  for (const { id, price } of products) sum += price * (cart.amounts.get(id) ?? 0)
  return cart.voucher ? Math.round(sum * 0.9) : sum
}

const count = (cart: Cart): number => [...cart.amounts.values()].reduce((sum, amount) => sum + amount, 0)

const page = (title: string, cart: Cart, body: string): string =>
  document(
    title,
    `<nav><a href="/shop/">Shop</a><a href="/shop/cart" id="cart">Cart (${count(cart)})</a></nav><h1>${title}</h1>${body}`
  )

const list = (cart: Cart, query: URLSearchParams): string => {
  const wanted = (query.get("q") ?? "").toLowerCase()
  const found = products.filter((product) => product.name.toLowerCase().includes(wanted))
  const first = (Number(query.get("page") ?? "1") - 1) * pageSize
  const shown = found.slice(first, first + pageSize)
  const rows = shown.map(({ id, name, price }) => `<li><a href="/shop/product/${id}">${name}</a> ${price} EUR</li>`)
  const next = first + pageSize < found.length ? `<a href="/shop/?page=${first / pageSize + 2}">Next page</a>` : ""
  return page(
    "Shop",
    cart,
    `<form><label>Search <input name="q" value="${wanted.replaceAll(/[^a-z ]/g, "")}"></label></form><ul>${rows.join("")}</ul>${next}`
  )
}

const product = (cart: Cart, { id, name, price }: Product): string =>
  page(
    name,
    cart,
    `<p>${price} EUR, delivered in two days.</p><fieldset><legend>Colour</legend>
<label><input type="radio" name="colour" value="white" checked> White</label>
<label><input type="radio" name="colour" value="green"> Green</label></fieldset>
<p>Quantity <button id="less">Less</button> <b id="amount">1 piece</b> <button id="more">More</button></p>
<button id="add">Add to cart</button><p id="note"></p>
<script>let n = 1; const show = () => { amount.textContent = n === 1 ? "1 piece" : n + " pieces" }; less.onclick = () => { if (n > 1) n--; show() }; more.onclick = () => { n++; show() }
add.onclick = async () => { const response = await fetch("/shop/add?id=${id}&amount=" + n, { method: "POST" })
cart.textContent = "Cart (" + await response.text() + ")"; note.textContent = n + " added" }</script>`
  )

const cartPage = (cart: Cart): string => {
  const rows = products
    .filter(({ id }) => (cart.amounts.get(id) ?? 0) > 0)
    .map(
      ({ id, name, price }) =>
        `<tr><td>${name}</td><td>${cart.amounts.get(id)} x ${price} EUR</td><td><button onclick="change('${id}', this)">Remove ${name}</button></td></tr>`
    )
  return page(
    "Your cart",
    cart,
    `<table>${rows.join("")}</table><p>Total <b id="total">${total(cart)} EUR</b></p>
<p><label for="voucher">Voucher</label><input id="voucher"> <button id="apply">Apply</button></p><p><a href="/shop/address">Checkout</a></p>
<script>const update = async (path) => { const [sum, amount] = (await (await fetch(path, { method: "POST" })).text()).split(" ")
total.textContent = sum + " EUR"; cart.textContent = "Cart (" + amount + ")" }
apply.onclick = () => update("/shop/voucher?code=" + encodeURIComponent(voucher.value))
const change = (id, button) => { button.closest("tr").remove(); update("/shop/remove?id=" + id) }</script>`
  )
}

/** Labels of the address form. */
export const addressLabels = ["Name", "Street", "Postcode", "Town", "Email"] as const

const addressPage = (cart: Cart): string =>
  page(
    "Address",
    cart,
    `<form action="/shop/review">${addressLabels
      .map((label) => `<label>${label} <input name="${label.toLowerCase()}" required></label>`)
      .join(
        ""
      )}<fieldset><legend>Delivery</legend><label><input type="radio" name="delivery" value="standard" checked> Standard</label>
<label><input type="radio" name="delivery" value="express"> Express</label></fieldset><button>Continue</button></form>`
  )

const review = (cart: Cart): string =>
  page(
    "Review",
    cart,
    `<p>To ${cart.address["name"] ?? ""}, ${cart.address["street"] ?? ""}, ${cart.address["postcode"] ?? ""} ${cart.address["town"] ?? ""}</p>
<p>${count(cart)} items, ${cart.delivery}, ${total(cart)} EUR</p><form action="/shop/confirm"><button>Place order</button></form>`
  )

const safe = (text: string): string => text.replace(/[^\w @.-]/g, "")

export class Shop {
  private readonly carts = new Map<string, Cart>()
  private opened = 0

  /** Answers a request of the shop; `cookie` is what to set. */
  answer(
    url: URL,
    cookies: string
  ): { readonly body: string; readonly cookie?: string; readonly html: boolean } | undefined {
    const path = url.pathname.slice("/shop/".length)
    const known = /cart=(\w+)/.exec(cookies)?.[1] ?? ""
    const fresh = url.searchParams.has("fresh") || !this.carts.has(known)
    const id = fresh ? `c${++this.opened}` : known
    const cart = this.carts.get(id) ?? { amounts: new Map(), voucher: false, delivery: "standard", address: {} }
    this.carts.set(id, cart)
    const html = (body: string) => ({ body, html: true, ...(fresh ? { cookie: `cart=${id}; Path=/` } : {}) })
    const text = (body: string) => ({ body, html: false })
    const query = (name: string) => url.searchParams.get(name) ?? ""
    switch (path) {
      case "":
        return html(list(cart, url.searchParams))
      case "cart":
        return html(cartPage(cart))
      case "address":
        return html(addressPage(cart))
      case "review":
        cart.address = Object.fromEntries(
          addressLabels.map((label) => [label.toLowerCase(), safe(query(label.toLowerCase()))])
        )
        cart.delivery = safe(query("delivery"))
        return html(review(cart))
      case "confirm":
        return html(
          page("Thank you", cart, `<p>Order ${id.toUpperCase()}-${count(cart)}-${total(cart)} is on its way.</p>`)
        )
      case "add":
        cart.amounts.set(query("id"), (cart.amounts.get(query("id")) ?? 0) + Number(query("amount")))
        return text(String(count(cart)))
      case "remove":
        cart.amounts.delete(query("id"))
        return text(`${total(cart)} ${count(cart)}`)
      case "voucher":
        cart.voucher = query("code") === "SAVE10"
        return text(`${total(cart)} ${count(cart)}`)
      default: {
        const found = products.find((one) => path === `product/${one.id}`)
        return found === undefined ? undefined : html(product(cart, found))
      }
    }
  }
}
