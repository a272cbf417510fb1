/** Pages of the bench's site: plain documents with a little style, as real pages have. */

export const document = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>
body { font: 16px/1.4 sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem }
nav a { margin-right: 1rem } table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: .2rem .6rem }
label { display: block; margin: .4rem 0 } button { padding: .3rem .8rem } .row span { margin-right: 1rem }
</style></head><body>${body}</body></html>`
