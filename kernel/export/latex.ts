// Typesets LaTeX as MathML, which browsers draw without scripts or fonts of the page.
import { createRequire } from "node:module";
import { escapeHtml } from "../../magics/render/escape.js";

type Temml = typeof import("temml").default;

let loaded: Temml | undefined;

/** The library, which the build copies beside this file; it loads at the first formula. */
function temml(): Temml {
  loaded ??= createRequire(import.meta.url)("./temml.cjs") as Temml;
  return loaded;
}

// As MathJax reads it in notebooks: formulas in dollars or brackets, and environments, which need none.
const formula =
  /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|(\\begin\{(\w+\*?)\}[\s\S]+?\\end\{\4\})|\$((?:\\.|[^$\\])+)\$|\\\(([\s\S]+?)\\\)/g;

/** A text with LaTeX formulas as HTML; a formula with an error is shown as its source. */
export function latexHtml(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(formula)) {
    const [whole, dollars, brackets, environment, , inline, parentheses] = match;
    const display = dollars ?? brackets ?? environment;
    parts.push(escapeHtml(text.slice(end, match.index)));
    parts.push(formulaHtml(display ?? inline ?? parentheses ?? "", whole, display !== undefined));
    end = match.index + whole.length;
  }
  return [...parts, escapeHtml(text.slice(end))].join("");
}

function formulaHtml(tex: string, source: string, displayMode: boolean): string {
  try {
    return temml().renderToString(tex, { displayMode, throwOnError: true, trust: false });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `<code title="${escapeHtml(why)}">${escapeHtml(source)}</code>`;
  }
}
