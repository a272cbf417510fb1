/** The site on which the examples of the documentation are played: a harbour office. */

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`

/** Pages by path. */
export const pages: Readonly<Record<string, string>> = {
  "/": page(
    "Kettle Harbour",
    `<h1>Kettle Harbour</h1>
<nav><a href="/berths">Free berths</a> <a href="/closed">Winter store</a></nav>
<form action="/booked">
  <label>Boat <input name="boat"></label>
  <label>Nights <select name="nights"><option>1</option><option>2</option><option>7</option></select></label>
  <label><input type="checkbox" name="water"> Fresh water</label>
  <label>Word of the day <input type="password" name="word"></label>
  <button>Book</button>
</form>
<button onclick="document.querySelector('output').textContent = confirm('Cancel the booking of Heron?') ? 'Cancelled.' : 'Still booked.'">Cancel a booking</button>
<output></output>
<label>Ship's papers <input type="file" name="papers" onchange="this.nextElementSibling.textContent = this.files[0].name + ' received'"><span></span></label>
<div style="display:flex;gap:200px">
  <b id="crate" style="user-select:none">Crate</b>
  <b id="hold" onmouseup="this.textContent = 'Hold: one crate'">Hold</b>
</div>
<h2 style="margin-top:1500px">Opening hours</h2>
<p>The office is open from eight to five.</p>
<script>console.log("harbour office open")</script>`
  ),
  "/berths": page(
    "Free berths",
    `<h1>Free berths</h1><table><tr><th>Berth</th><th>Metres</th></tr><tr><td>A3</td><td>8</td></tr><tr><td>B12</td><td>11</td></tr></table>`
  ),
  "/booked": page("Booked", `<h1>Booked</h1><p>See you at the quay.</p>`)
}

/** A file to download. */
export const priceList = "berth,metres,price\nA3,8,24\nB12,11,32\n"

/** A file to give to the page. */
export const papers = "Heron, 9.2 m, registered in Kettle\n"
