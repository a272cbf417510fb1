import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { TestBrowser, type TestPage } from "../support/InPageHarness.ts"

let browser: TestBrowser
let page: TestPage
beforeAll(async () => {
  browser = TestBrowser.launch()
  page = await browser.page()
  await page.open("<body></body>")
})
afterAll(() => browser.close())

const all = { limit: 500, maxChars: 1_000_000, interactive: false, skip: 0 }

/** Markup, with `data-t` on the element in question; the kind and name that it is listed with. */
const rows: ReadonlyArray<readonly [html: string, kind: string, name: string]> = [
  // names by ARIA
  [`<button data-t aria-label="Close">x</button>`, "button", "Close"],
  [`<button data-t aria-label="  ">Shut</button>`, "button", "Shut"],
  [`<span id=a>Bill</span><span id=b>ing</span><input data-t aria-labelledby="a b">`, "textbox", "Bill ing"],
  [`<span id=a hidden>Hidden <i>label</i></span><input data-t aria-labelledby=a>`, "textbox", "Hidden label"],
  [
    `<div style="display:none" id=a>Deep <span hidden>inside</span></div><input data-t aria-labelledby=a>`,
    "textbox",
    "Deep inside"
  ],
  [
    `<button data-t id=d aria-label=Delete aria-labelledby="d f">x</button><span id=f>file.txt</span>`,
    "button",
    "Delete file.txt"
  ],
  [`<span id=a aria-labelledby=b>one</span><span id=b>two</span><input data-t aria-labelledby=a>`, "textbox", "one"],
  [`<input data-t aria-labelledby=nothing placeholder=Fallback>`, "textbox", "Fallback"],
  [`<span id=a aria-label="From label">text</span><input data-t aria-labelledby=a>`, "textbox", "From label"],
  // labels
  [`<label>Mail <input data-t></label>`, "textbox", "Mail"],
  [`<label for=i>Zip code</label><input id=i data-t>`, "textbox", "Zip code"],
  [`<label for=i>First</label><label>Second <input id=i data-t></label>`, "textbox", "First Second"],
  [`<label><input data-t type=checkbox> Flash <input value=3 size=2> times</label>`, "checkbox", "Flash 3 times"],
  [
    `<label for=i>Flash <select><option>1<option selected>2</select> times</label><input id=i data-t type=checkbox>`,
    "checkbox",
    "Flash 2 times"
  ],
  [
    `<label for=i>Secret <input type=password value=hunter2></label><input id=i data-t type=checkbox>`,
    "checkbox",
    "Secret"
  ],
  [`<label for=i style="display:none">Hidden</label><input id=i data-t title=Title>`, "textbox", "Hidden"],
  [`<label for=i><img alt=Phone src=x></label><input id=i data-t>`, "textbox", "Phone"],
  [`<label for=i>Age *</label><input id=i type=number data-t>`, "spinbutton", "Age *"],
  [`<label for=i>Country</label><select id=i data-t><option>Peru</select>`, "combobox", "Country"],
  [`<label for=i>About</label><textarea id=i data-t></textarea>`, "textarea", "About"],
  // title and placeholder
  [`<input data-t placeholder="Search crates">`, "textbox", "Search crates"],
  [`<input data-t title=Title placeholder=Place>`, "textbox", "Title"],
  [`<input data-t aria-placeholder=Later role=textbox>`, "textbox", "Later"],
  [`<button data-t title="Only title"></button>`, "button", "Only title"],
  [`<a href=/x data-t title="More about it">Link</a>`, "link", "Link"],
  // buttons
  [`<input type=submit data-t>`, "button", "Submit"],
  [`<input type=reset data-t>`, "button", "Reset"],
  [`<input type=submit value="Place order" data-t>`, "button", "Place order"],
  [`<input type=button value=Go data-t>`, "button", "Go"],
  [`<input type=image alt="Upload photo" src=x data-t width=20 height=20>`, "button", "Upload photo"],
  [`<input type=image title="By title" src=x data-t width=20 height=20>`, "button", "By title"],
  [`<button data-t><img alt=Save src=x></button>`, "button", "Save"],
  [`<button data-t><svg width=9 height=9><title>Print</title><path d="M0 0h9v9z"/></svg></button>`, "button", "Print"],
  [`<button data-t><span aria-hidden=true>×</span><span>Close</span></button>`, "button", "Close"],
  [`<button data-t>one<br>two</button>`, "button", "one two"],
  [`<button data-t><div>one</div><div>two</div></button>`, "button", "one two"],
  [`<button data-t>o<b>n</b>e</button>`, "button", "one"],
  [`<button data-t>  much \n\t space&nbsp; here </button>`, "button", "much space here"],
  [
    `<style>.q::before{content:"Re: "}.q::after{content:" (new)"}</style><button data-t class=q>Mail</button>`,
    "button",
    "Re: Mail (new)"
  ],
  [`<style>.r::before{content:"\\f015"}</style><button data-t class=r>Home</button>`, "button", "Home"],
  [`<style>.s::before{content:"★" / "Rated"}</style><button data-t class=s> five</button>`, "button", "Rated five"],
  [
    `<button data-t>Visible<span style="display:none"> not</span><span style="visibility:hidden"> nor this</span></button>`,
    "button",
    "Visible"
  ],
  [`<div role=button tabindex=0 data-t>Div button</div>`, "button", "Div button"],
  [`<details><summary data-t>More</summary>text</details>`, "button", "More"],
  [`<button data-t role=presentation>Still a button</button>`, "button", "Still a button"],
  [`<button data-t role="nonsense link">Link by role</button>`, "link", "Link by role"],
  [`<button data-t role=switch aria-checked=true>Wi-Fi</button>`, "switch", "Wi-Fi"],
  // links
  [`<a href=/x data-t><img alt="Home page" src=x width=9 height=9></a>`, "link", "Home page"],
  [`<a href=/x data-t>the <em>arch</em></a>`, "link", "the arch"],
  [
    `<a href=/cart/items data-t><i class="fa fa-shopping-cart" style="display:inline-block;width:9px;height:9px"></i></a>`,
    "link",
    "shopping cart"
  ],
  [`<span role=link tabindex=0 data-t>Span link</span>`, "link", "Span link"],
  // choices
  [`<fieldset><legend>Speed</legend><label><input type=radio data-t> Express</label></fieldset>`, "radio", "Express"],
  [`<div role=checkbox aria-checked=false tabindex=0 data-t>Agree</div>`, "checkbox", "Agree"],
  [`<div role=radio aria-checked=false tabindex=0 data-t>Red</div>`, "radio", "Red"],
  [`<input data-t type=range aria-label=Volume>`, "slider", "Volume"],
  [`<input data-t type=search aria-label=Find>`, "searchbox", "Find"],
  [`<input data-t type=date aria-label=Day>`, "date", "Day"],
  [`<input data-t type=color aria-label=Paint>`, "color", "Paint"],
  [`<label>Photo <input data-t type=file></label>`, "file", "Photo"],
  [`<input data-t list=l aria-label=City><datalist id=l><option>Oslo</datalist>`, "combobox", "City"],
  [`<input data-t role=combobox aria-label=City>`, "combobox", "City"],
  [`<div role=combobox data-t aria-label=Size tabindex=0>Large</div>`, "combobox", "Size"],
  [`<select multiple data-t aria-label=Colours><option>Red</select>`, "listbox", "Colours"],
  [`<div role=listbox aria-label=Options><div role=option data-t>First</div></div>`, "option", "First"],
  [`<div role=tab data-t tabindex=0>Details</div>`, "tab", "Details"],
  [`<div role=menu><div role=menuitem data-t tabindex=-1>Cut</div></div>`, "menuitem", "Cut"],
  [
    `<ul role=tree><li role=treeitem data-t tabindex=0>Animals<ul role=group><li role=treeitem>Dog</ul></ul>`,
    "treeitem",
    "Animals"
  ],
  [`<div contenteditable data-t aria-label=Note>text</div>`, "textarea", "Note"],
  [`<div contenteditable role=textbox aria-multiline=false data-t aria-label=Title>text</div>`, "textbox", "Title"],
  [`<input type=password data-t aria-label=Password>`, "textbox", "Password"],
  // what is no control
  [`<h2 data-t>Chapter <small>one</small></h2>`, "heading", "Chapter one"],
  [`<div role=heading aria-level=3 data-t>Part</div>`, "heading", "Part"],
  [`<img data-t alt="A cat" src=x width=9 height=9>`, "image", "A cat"],
  [`<img data-t title="By title" src=x width=9 height=9>`, "image", "By title"],
  [`<div role=img aria-label=Chart data-t style="width:9px;height:9px"></div>`, "image", "Chart"],
  [`<svg data-t role=img width=9 height=9><title>Logo</title><path d="M0 0h9v9z"/></svg>`, "image", "Logo"],
  [`<nav data-t aria-label=Main><a href=/x>x</a></nav>`, "navigation", "Main"],
  [`<section data-t aria-label=News>text</section>`, "region", "News"],
  [`<dialog data-t open aria-label=Settings>text</dialog>`, "dialog", "Settings"],
  [`<div role=dialog data-t><h2>Really?</h2></div>`, "dialog", "Really?"],
  [`<div role=progressbar aria-valuenow=40 data-t aria-label=Upload>.</div>`, "progressbar", "Upload"],
  [`<progress data-t value=0.4 aria-label=Load></progress>`, "progressbar", "Load"],
  [`<iframe data-t title=Payment srcdoc="x" width=50 height=50></iframe>`, "frame", "Payment"],
  // what can be pressed without saying so
  [
    `<span data-t style="cursor:pointer" title="Open settings"><svg width=16 height=16><circle cx=8 cy=8 r=7 /></svg></span>`,
    "clickable",
    "Open settings"
  ],
  [`<div data-t style="cursor:pointer">Card</div>`, "clickable", "Card"],
  [`<div data-t onclick="1">Scripted</div>`, "clickable", "Scripted"],
  [`<div data-t tabindex=0>Focusable</div>`, "clickable", "Focusable"],
  [`<a data-t onclick="1">No address</a>`, "link", "No address"],
  [`<svg width=30 height=30><circle data-t style="cursor:pointer" cx=9 cy=9 r=7 /></svg>`, "clickable", "circle"],
  [
    `<svg width=30 height=30><rect data-t style="cursor:pointer" width=9 height=9><title>June</title></rect></svg>`,
    "clickable",
    "June"
  ],
  [
    `<i data-t class="icon icon-trash" style="cursor:pointer;display:inline-block;width:9px;height:9px"></i>`,
    "clickable",
    "trash"
  ],
  [`<svg data-t style="cursor:pointer" width=9 height=9><use href="#icon-settings"/></svg>`, "clickable", "settings"],
  [
    `<svg data-t class="lucide lucide-bell" style="cursor:pointer" width=9 height=9><path d="M0 0h9v9z"/></svg>`,
    "clickable",
    "bell"
  ]
]

describe("names and roles", () => {
  for (const [html, kind, name] of rows) {
    it(`${html} is ${kind} "${name}"`, async () => {
      await page.main(`document.body.innerHTML = ${JSON.stringify(html)}`)
      const { items } = await page.call("walk", { ...all, selector: "[data-t]" })
      const [item] = items
      assert.deepStrictEqual({ kind: item?.kind, label: item?.label }, { kind, label: name })
    })
  }

  it("a long name is cut at 120 characters with an ellipsis", async () => {
    await page.main(`document.body.innerHTML = '<button>' + 'ab '.repeat(400) + '</button>'`)
    const [item] = (await page.call("walk", all)).items
    assert.strictEqual(item?.label.length, 120)
    assert.isTrue(item?.label.endsWith("…"))
  })
})
