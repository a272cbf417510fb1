/** The pages on which single steps are measured. */
import { document } from "./html.ts"

const times = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join("")

/** About 40 things to see. */
export const small = document(
  "Small page",
  `<nav>${["Home", "News", "Team", "Prices", "Help", "Contact"].map((name) => `<a href="/small?${name}">${name}</a>`).join("")}</nav>
<h1>A small page</h1><p>It has a few words, a form and a table.</p>
<form><label>Name <input name="name"></label><label>City <select name="city"><option>Rome<option>Oslo</select></label>
<label><input type="checkbox" name="news"> Newsletter</label><button type="button">Send</button></form>
<table><tr><th>Item</th><th>Price</th></tr>${times(8, (i) => `<tr><td>Item ${i + 1}</td><td>${(i + 1) * 3} EUR</td></tr>`)}</table>
<p><a href="/article">Read the article</a></p>`
)

/** 10,000 elements in 2,000 rows with a link each. */
export const large = document(
  "Large page",
  `<h1>Large page</h1><div>${times(
    2_000,
    (i) =>
      `<div class="row"><span>Record ${i + 1}</span><span>Group ${i % 17}</span><a href="/small?record=${i + 1}">Details of record ${i + 1}</a><b>${(i * 7) % 100} points</b></div>`
  )}</div>`
)

/** A click changes the page at once. */
export const counter = document(
  "Counter",
  `<h1>Counter</h1><p>Press the button.</p><button id="add">Add one</button><p id="count">Count 0</p><ul id="log"></ul>
<script>let n = 0; add.onclick = () => { n++; count.textContent = "Count " + n
const li = document.createElement("li"); li.textContent = "Entry " + n; log.prepend(li)
if (log.children.length > 5) log.lastChild.remove() }</script>`
)

/** ms until an answer that a click asks for is there */
export const delay = 100

/** A click asks for something that takes {@link delay}: from the server, or of a timer. */
export const asynchronous = document(
  "Answers",
  `<h1>Answers</h1><button id="ask">Ask the server</button> <button id="wait">Wait a little</button><p id="answer">Nothing yet</p>
<script>let n = 0; ask.onclick = async () => { n++; answer.textContent = "Asking"
const response = await fetch("/answer?n=" + n); answer.textContent = await response.text() }
wait.onclick = () => { n++; answer.textContent = "Waiting"; setTimeout(() => { answer.textContent = "Answer " + n }, ${delay}) }</script>`
)

/** Labels of the form's fields. */
export const fieldLabels = ["Full name", "Email", "Phone", "City", "Comment"] as const

export const form = document(
  "Form",
  `<h1>Registration</h1><form>
<label for="a">Full name</label><input id="a" name="fullname" autocomplete="off">
<label for="b">Email</label><input id="b" type="email" name="email">
<label for="c">Phone</label><input id="c" type="tel" name="phone">
<label for="d">City</label><input id="d" name="city" placeholder="where you live">
<label for="e">Comment</label><textarea id="e" name="comment" rows="4"></textarea>
<p><button type="button">Register</button></p></form>`
)

const sentence =
  "A page is read from its top to its end, and whoever reads it wants the words, the headings and the links, in this order. "

/** About 12,000 characters of text. */
export const article = document(
  "Article",
  `<h1>On reading pages</h1>${times(
    12,
    (i) =>
      `<h2>Part ${i + 1}</h2><p>${sentence.repeat(4)}</p><p>${sentence.repeat(4)}<a href="/small?part=${i}">More</a></p>`
  )}`
)
