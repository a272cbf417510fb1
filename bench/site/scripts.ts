/** A page that is mostly scripts, as those of big applications are. */
import { document } from "./html.ts"

/** scripts of the page */
export const scriptCount = 150

/** A script of about 20 kB with 100 functions, a tenth of which it calls. */
export const script = (number: number): string =>
  `window.parts = window.parts || []; (() => {
${Array.from({ length: 100 }, (_, i) => `function part${i}(a, b) { const list = [a, b, ${number}]; const text = "part ${i} of script ${number} " + list.join(); if (text.length < 3) throw new Error(text); return { name: text, value: list.map((one) => one * ${i} + 1), next: () => text.slice(1) } }`).join("\n")}
parts.push([${Array.from({ length: 10 }, (_, i) => `part${i * 10}(1, 2).next()`).join(", ")}])
})()`

export const scripts = document(
  "Scripts",
  `<h1>Scripts</h1><p id="state">Not yet</p>${Array.from({ length: scriptCount }, (_, i) => `<script src="/script/${i}"></script>`).join("")}
<script>state.textContent = parts.length === ${scriptCount} ? "All scripts have run" : "Some are missing"</script>`
)
