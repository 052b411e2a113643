// Escapes text for HTML.

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML without markup, for content or quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** Text as an element's content in a notebook, where MathJax would typeset text between `$` or `\(`. */
export function htmlText(text: string): string {
  return escapeHtml(text).replace(/[$\\]/g, "<span>$&</span>");
}

/** Text for Plotly, which reads tags in it. */
export function plotlyText(text: string): string {
  return escapeHtml(text).replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}
