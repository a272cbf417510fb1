/**
 * A page with a list of records that is drawn anew in every way that frameworks have. It runs in the page; `truth` says
 * which record a button acts on, as its handler would.
 */
export const listPage = `
<style>.row{display:flex}.cell{padding:2px}.v{position:relative;height:3000px}.v>*{position:absolute;left:0;right:0}</style>
<main><h1>List</h1><div id=box></div></main>
<script>
let seed = 1
const random = () => { seed = (seed + 0x6D2B79F5) | 0; let t = Math.imul(seed ^ (seed >>> 15), 1 | seed); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296 }
const below = (n) => Math.floor(random() * n)
const pick = (list) => list[below(list.length)]
const first = ['Ada','Bo','Cleo','Dan','Eve','Finn','Gus','Hana','Ira','Jo','Kim','Lea','Max','Nia','Oto','Pia']
const last = ['Stone','Rivers','Hill','Marsh','Field','Wood']
const status = ['open','closed','waiting','needs review','awaiting courier','shipped','in repair']
let number = 1000
const make = () => { number += 1 + below(3); return { id: number, name: pick(first) + ' ' + pick(last), order: number, status: pick(status), likes: below(30), price: below(500) / 4, note: 'about ' + pick(first) + ' and ' + below(900), url: '/people/' + number } }
// how a row looks: every way has its own idea of what names a record
const el = (tag, attributes, ...children) => { const e = document.createElement(tag); for (const k in attributes) e.setAttribute(k, attributes[k]); e.append(...children); return e }
const t = (text) => document.createTextNode(text)
const layouts = {
  item: { list: 'ul', make: () => el('li', {}, el('span', {}, t('')), t(' '), el('button', {}, t('Delete'))), write: (r, d) => { r.children[0].firstChild.data = d.name + ' no. ' + d.order } },
  buttonFirst: { list: 'ul', make: () => el('li', {}, el('button', {}, t('Delete')), el('b', {}, t(''))), write: (r, d) => { r.children[1].firstChild.data = 'Order ' + d.order } },
  table: { list: 'table', make: () => el('tr', {}, el('td', {}, t('')), el('td', {}, t('')), el('td', {}, t('')), el('td', {}, el('button', {}, t('Delete')))), write: (r, d) => { r.children[0].firstChild.data = d.status; r.children[1].firstChild.data = d.name + ' ' + d.order; r.children[2].firstChild.data = '$' + d.price.toFixed(2) } },
  linked: { list: 'table', make: () => el('tr', {}, el('td', {}, el('a', { href: '#' }, t(''))), el('td', {}, t('')), el('td', {}, el('button', {}, t('Delete')))), write: (r, d) => { const a = r.querySelector('a'); a.firstChild.data = d.name; a.setAttribute('href', d.url); r.children[1].firstChild.data = d.status } },
  grid: { list: 'div', make: () => el('div', { class: 'row' }, el('div', { class: 'cell' }, t('')), el('div', { class: 'cell' }, t('')), el('div', { class: 'cell' }, el('button', {}, t('Delete')))), write: (r, d) => { r.children[0].firstChild.data = d.name + ' #' + d.order; r.children[1].firstChild.data = d.likes + ' likes' } },
  card: { list: 'div', make: () => el('div', { class: 'card' }, el('h3', {}, t('')), el('p', {}, t('')), el('footer', {}, el('button', {}, t('Delete')), el('em', {}, t('')))), write: (r, d) => { r.children[0].firstChild.data = d.name + ' ' + d.order; r.children[1].firstChild.data = d.note; r.querySelector('em').firstChild.data = d.likes + ' likes' } },
  dataId: { list: 'ul', make: () => el('li', {}, el('span', {}, t('')), el('button', {}, t('Delete'))), write: (r, d) => { r.dataset.id = d.id; r.children[0].firstChild.data = d.name } },
  slotId: { list: 'ul', make: () => el('li', {}, el('span', {}, t('')), el('button', {}, t('Delete'))), write: (r, d, i) => { r.id = 'row-' + i; r.children[1].id = 'delete-' + i; r.children[0].firstChild.data = d.name + ', ' + d.order } },
  numbered: { list: 'div', make: () => el('div', {}, el('i', {}, t('')), el('span', {}, t('')), el('button', {}, t('Delete'))), write: (r, d, i) => { r.children[0].firstChild.data = (i + 1) + '.'; r.children[1].firstChild.data = d.note + ' ' + d.order } },
  namesake: { list: 'ul', make: () => el('li', {}, el('span', {}, t('')), el('i', {}, t('')), el('button', {}, t('Delete'))), write: (r, d) => { r.children[0].firstChild.data = d.name; r.children[1].firstChild.data = '$' + d.price.toFixed(2) } },
  named: { list: 'ul', make: () => el('li', {}, el('button', {}, t(''))), write: (r, d) => { r.firstChild.firstChild.data = 'Delete ' + d.name + ' ' + d.order } }
}
const truth = new WeakMap()
let records, layout, way, rows, list, offset
const size = 8
const put = (row, record, index) => { layout.write(row, record, index); truth.set(row.querySelector('button'), record.id) }
const shown = () => way === 'virtual' || way === 'recycled' ? records.slice(offset, offset + size) : records
// keyed: a node belongs to its record; unkeyed: a node belongs to its place; virtual: nodes go round
const draw = () => {
  const now = shown()
  if (way === 'keyed') {
    const old = new Map(rows.map((row) => [row.key, row]))
    rows = now.map((record, i) => { const row = old.get(record.id) ?? Object.assign(layout.make(), { key: record.id }); put(row, record, i); return row })
    list.replaceChildren(...rows)
  } else if (way === 'recycled') {
    now.forEach((record, i) => { const at = offset + i; const row = rows[at % size] ?? (rows[at % size] = list.appendChild(layout.make())); row.style.top = at * 40 + 'px'; put(row, record, at) })
    rows.forEach((row, i) => { if (i >= now.length && row) row.remove() }); rows = rows.filter((row) => row && row.isConnected)
  } else {
    while (rows.length < now.length) rows.push(list.appendChild(layout.make()))
    while (rows.length > now.length) rows.pop().remove()
    now.forEach((record, i) => put(rows[i], record, i))
  }
}
const start = (s) => {
  seed = s; number = 1000 + below(50)
  layout = layouts[pick(Object.keys(layouts))]; way = pick(['keyed', 'unkeyed', 'virtual', 'recycled'])
  if (layout.list === 'table' && way === 'recycled') way = 'virtual'
  records = Array.from({ length: 3 + below(14) }, make); rows = []; offset = 0
  list = el(layout.list, way === 'recycled' ? { class: 'v' } : {})
  box.replaceChildren(list); draw()
  window.nodes = [...document.querySelectorAll('button')]; window.meant = nodes.map((n) => truth.get(n))
}
const changes = {
  sort: () => { const by = pick(['name', 'order', 'status', 'likes']); records.sort((a, b) => a[by] < b[by] ? -1 : 1); if (below(2)) records.reverse() },
  remove: () => { records.splice(below(records.length), 1) },
  insert: () => { records.splice(below(records.length + 1), 0, make()) },
  status: () => { for (const r of records) if (below(2)) r.status = pick(status) },
  likes: () => { for (const r of records) if (below(2)) r.likes += below(4) },
  price: () => { pick(records).price += 1 },
  scroll: () => { offset = Math.max(0, Math.min(records.length - 1, offset + below(9) - 4)) },
  replace: () => { records = records.map((r) => below(3) ? r : make()) },
  swap: () => { const i = below(records.length), j = below(records.length); [records[i], records[j]] = [records[j], records[i]] },
  nothing: () => {}
}
const step = () => {
  const done = []
  for (let i = 1 + below(2); i > 0 && records.length > 1; i--) { const name = pick(Object.keys(changes)); changes[name](); done.push(name) }
  draw()
  return done.join('+')
}
const standing = () => nodes.map((n, i) => n.isConnected && truth.get(n) === meant[i])
const told = () => way + ' ' + Object.keys(layouts).find((k) => layouts[k] === layout) + ' seed ' + seed
</script>`
