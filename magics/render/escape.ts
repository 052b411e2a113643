// The one place where text becomes HTML.

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML: nothing in it can be read as markup, in content or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** Text as an element's content in a notebook, where MathJax would typeset what stands between `$` or `\(`. */
export function htmlText(text: string): string {
  return escapeHtml(text).replace(/[$\\]/g, "<span>$&</span>");
}

/** Text for Plotly, which reads tags in it. */
export function plotlyText(text: string): string {
  return escapeHtml(text).replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}
