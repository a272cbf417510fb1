// Measures inside an Electron main process what the view host is compared with: a bare command, a bare picture.
const { app, BrowserWindow, WebContentsView } = require("electron")

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

app.whenReady().then(async () => {
  const window = new BrowserWindow({ width: 1280, height: 802, useContentSize: true, show: false })
  window.showInactive()
  const view = new WebContentsView({ webPreferences: { backgroundThrottling: false, sandbox: true } })
  window.contentView.addChildView(view)
  view.setBounds({ x: 0, y: 0, width: 1280, height: 800 })
  const { webContents } = view
  await webContents.loadURL("about:blank")
  webContents.debugger.attach("1.3")
  await webContents.loadURL(process.env.BENCH_PAGE)
  const timed = async (rounds, act) => {
    const times = []
    for (let round = 0; round < rounds + 20; round++) {
      const start = performance.now()
      await act()
      if (round >= 20) times.push(performance.now() - start)
    }
    return median(times)
  }
  const command = await timed(500, () => webContents.debugger.sendCommand("Runtime.evaluate", { expression: "1" }))
  const capture = await timed(20, async () => (await webContents.capturePage()).toPNG())
  console.log(JSON.stringify({ command, capture }))
  app.exit(0)
})
