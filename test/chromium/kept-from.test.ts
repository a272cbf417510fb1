/** What the browser keeps a page from is told, and leaves the page as usable as before. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, chromium } from "../support/ChromiumSession.ts"
import { TestSite } from "../support/TestSite.ts"

const left = { button: "left" } as const

layer(chromium(), { excludeTestServices: true, timeout: "90 seconds" })("what a page is kept from", (it) => {
  for (const [how, body] of [
    ["a script sets the address", `<button onclick="location = ADDRESS">Go</button>`],
    ["a script sets it later", `<button onclick="setTimeout(() => { location = ADDRESS }, 50)">Go</button>`],
    [
      "a frame is sent there",
      `<iframe srcdoc="here"></iframe><button onclick="frames[0].location = ADDRESS">Go</button>`
    ],
    ["a form leads there", `<form><button onclick="this.form.action = ADDRESS">Go</button></form>`],
    ["a window is opened for it", `<button onclick="window.open(ADDRESS)">Go</button>`]
  ] as const) {
    for (const address of ["file:///etc/passwd", "nothing-here:x"]) {
      it.effect(`${address} is told as refused if ${how}, and the page goes on`, () =>
        Effect.gen(function* () {
          const site = yield* TestSite
          const { browser } = yield* at(
            site.body(
              `${body.replaceAll("ADDRESS", `'${address}'`)}<button onclick="document.title = 'pressed'">After</button>`
            )
          )
          const { blocked, clicked, unsettled } = yield* browser.click({ text: "Go", ...left })
          assert.isTrue(clicked)
          assert.include(blocked?.url, address)
          assert.include(blocked?.reason, address.startsWith("file:") ? "files" : "nothing-here:")
          assert.isUndefined(unsettled)
          // a browser that asks whether to open another program lets no more input through
          const after = yield* browser.click({ text: "After", ...left })
          assert.isTrue(after.clicked)
          assert.isUndefined(after.blocked)
          assert.strictEqual((yield* browser.execute({ script: "document.title" })).value, '"pressed"')
        })
      )
    }
  }

  for (const [how, body] of [
    [
      "its router takes over",
      `<form action="/away"><button>Go</button></form><script>navigation.onnavigate = (event) => event.preventDefault()</script>`
    ],
    [
      "a script stops at once",
      `<form action="/away"><button onclick="event.preventDefault(); this.form.submit(); window.stop()">Go</button></form>`
    ]
  ] as const) {
    it.effect(`a form that ${how} keeps nobody waiting for the next page`, () =>
      Effect.gen(function* () {
        const site = yield* TestSite
        const { browser } = yield* at(site.body(body))
        for (let turn = 0; turn < 2; turn++) {
          const pressed = yield* browser.click({ text: "Go", ...left })
          assert.isTrue(pressed.clicked)
          assert.notProperty(pressed, "unsettled")
          assert.notProperty(pressed, "navigatedTo")
        }
      })
    )
  }
})
