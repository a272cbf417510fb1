/** How the bar looks. */
import { barHeight } from "../core/layout.ts"

export const style = `
* { box-sizing: border-box; margin: 0; font: 13px/1.4 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif }
html { overflow: hidden; user-select: none; cursor: default; color: #1d2430; background: #eef0f3 }
header { display: flex; align-items: center; gap: 12px; height: ${barHeight}px; padding: 0 10px; border-bottom: 1px solid #cfd4dc }
.human header { background: #ffe9bd; border-color: #e2b453 }
button { border: 1px solid #c3c9d2; border-radius: 6px; padding: 3px 12px; background: #fff; color: inherit; white-space: nowrap }
button:hover { background: #f5f7fa } button:active { background: #e3e7ed } button:disabled { opacity: .45 }
button:focus-visible, input:focus-visible { outline: 2px solid #2f6fde; outline-offset: 1px }
nav { display: flex; align-items: center; gap: 4px; flex: 0 1 auto; min-width: 0; overflow: hidden }
.task { display: flex; align-items: center; gap: 6px; flex: 0 1 auto; min-width: 60px; max-width: 220px; padding: 3px 9px; border-color: transparent; background: transparent }
.task.selected { background: #fff; border-color: #b6bdc8; flex-shrink: 0 }
.label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.dot { flex: none; width: 8px; height: 8px; border-radius: 4px; background: #a3abb7 }
.running .dot { background: #1f9d55 } .failed .dot { background: #cf3a34 } .waiting-user .dot { background: #e0900a }
.behind, .more { flex: none; color: #5d6775; font-size: 11px }
.asks { flex: none; min-width: 15px; border-radius: 8px; background: #cf3a34; color: #fff; font-size: 11px; font-weight: 700; text-align: center }
.tab { display: flex; gap: 4px; flex: none; padding: 1px 7px; font-size: 12px; color: #5d6775; background: transparent; border-color: transparent }
.tab.active { color: #1d2430; background: #dde2e9 }
.page { display: flex; gap: 8px; flex: 1 1 0; min-width: 0; overflow: hidden; white-space: nowrap; color: #5d6775 }
.page .origin { flex: none; max-width: 60%; overflow: hidden; text-overflow: ellipsis; color: #1d2430 }
.page .title { overflow: hidden; text-overflow: ellipsis }
.control { display: flex; align-items: center; gap: 10px; flex: none; margin-left: auto }
.human .words { font-weight: 600 } .human .owner { background: #b86e00; border-color: #b86e00; color: #fff }
section { background: #fff }
section:not(:empty) { padding: 14px 18px; border-bottom: 1px solid #b6bdc8 }
.head { color: #5d6775; overflow-wrap: anywhere } .head .origin { font-weight: 600; color: #1d2430 } .head .more { margin-left: 10px }
.message { display: block; margin-top: 6px; max-height: 130px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; user-select: text; cursor: text }
.message:empty { display: none }
section input { display: block; width: min(100%, 560px); margin-top: 10px; padding: 5px 8px; border: 1px solid #b6bdc8; border-radius: 6px; font-size: 14px }
.row { display: flex; justify-content: flex-end; gap: 8px; margin-top: 12px } .row button { min-width: 84px }
.remedy { margin-top: 10px; color: #a22c27 }
@media (max-width: 760px) { .page, .words { display: none } .task { min-width: 44px } }
.yes { background: #2f6fde; border-color: #2f6fde; color: #fff } .yes:hover { background: #255fc4 }
`
