// The inspector: a kernel's forms side by side as one piece of HTML, whose columns scroll together, and as text. A line under the
// pointer, or the one that the arrow keys chose, lights the lines of the other columns that belong to it. The page needs no kernel.
import { escapeHtml } from "./escape.js";
import { highlight, type Language } from "./highlight.js";
import { border, codeFont, quiet, toned } from "./html.js";
import { inspectorScript } from "./inspector-script.js";

/** One form of a kernel. */
export interface InspectedColumn {
  readonly title: string;
  readonly language: Language;
  /** True for a source, whose lines are each some lines of the generated text. */
  readonly isSource: boolean;
  readonly lines: readonly InspectedLine[];
  /** What is shown where there are no lines. */
  readonly missing?: string;
}

/** A line; `from` are the lines of the generated source that it was made of, the innermost function's first. */
export interface InspectedLine {
  readonly text: string;
  /** Its number, if the column has numbers. */
  readonly number?: number;
  readonly from: readonly number[];
  /** Its share of the time, in percent, and why. */
  readonly share?: { readonly percent: number; readonly note: string };
}

/** A kernel in its forms. */
export interface Inspection {
  readonly title: string;
  /** Short facts after the title. */
  readonly facts: readonly string[];
  /** Facts with a name each, below the title. */
  readonly details: readonly (readonly [name: string, text: string])[];
  readonly warning?: string;
  readonly columns: readonly InspectedColumn[];
  /** The summary of the text form: each line of the user's, and what it became. */
  readonly summary: readonly string[];
}

const height = 460;

/** The inspector as HTML: listings side by side; with scripts they light and scroll together. */
export function inspectorHtml(inspection: Inspection): string {
  const id = `jitlab-inspector-${Math.random().toString(36).slice(2, 12)}`;
  const { title, facts, details, warning, columns } = inspection;
  const told = facts.map((fact) => `<span style="margin-left: 12px">${escapeHtml(fact)}</span>`).join("");
  const rows = details.map(
    ([name, text]) =>
      `<div><span style="${quiet}">${escapeHtml(name)}</span> <span>${escapeHtml(text)}</span></div>`,
  );
  // Thousands of tokens have few colors: each is a class.
  const classes = new Map<string, string>();
  const classOf = (style: string): string => {
    const name = classes.get(style) ?? `t${classes.size}`;
    classes.set(style, name);
    return name;
  };
  const body = columns
    .map(columnHtml)
    .join("")
    .replace(/<span style="(color: [^"]*)">/g, (_, style: string) => `<span class="${classOf(style)}">`);
  const colors = [...classes].map(([style, name]) => `#${id} .${name} { ${style}; }`);
  return [
    `<div id="${id}" style="border: 1px solid ${border}; border-radius: 4px; margin: 6px 0">`,
    `<style>${[styleOf(`#${id}`), ...colors].join("\n")}</style>`,
    `<div style="padding: 4px 10px; font-size: 12px; ${quiet}; border-bottom: 1px solid ${border}"><b style="${codeFont}; font-size: 13px">${escapeHtml(title)}</b>${told}</div>`,
    rows.length === 0
      ? ""
      : `<div style="padding: 4px 10px; font-size: 12px; border-bottom: 1px solid ${border}; display: flex; flex-wrap: wrap; gap: 2px 18px">${rows.join("")}</div>`,
    warning === undefined
      ? ""
      : `<div style="padding: 4px 10px; font-size: 12px; ${toned("#b8860b")}; border-bottom: 1px solid ${border}"><b>Warning:</b> ${escapeHtml(warning)}</div>`,
    `<div class="outer"><div class="columns" style="display: flex">${body}</div></div>`,
    `<script>(${inspectorScript})(${JSON.stringify(id)});</script></div>`,
  ].join("\n");
}

function styleOf(own: string): string {
  return [
    `${own} .outer { container-type: inline-size; }`,
    `${own} .column { flex: 1 1 0; min-width: 0; border-left: 1px solid ${border}; }`,
    `${own} .column:first-child { border-left: 0; flex-grow: 0.8; }`,
    `${own} .column:nth-child(3) { flex-grow: 1.15; }`,
    `${own} .lines { height: ${height}px; overflow: auto; scrollbar-width: thin; position: relative; }`,
    `${own} .lines:focus-visible { outline: 2px solid rgba(63, 127, 216, 0.8); outline-offset: -2px; }`,
    `${own} .lines > div { width: max-content; min-width: 100%; }`,
    `${own} .line { display: flex; white-space: pre; padding: 0 8px; min-height: 17px; }`,
    `${own} .number { min-width: 24px; padding-right: 6px; text-align: right; user-select: none; ${quiet}; }`,
    `${own} .share { min-width: 40px; margin-right: 6px; text-align: right; font-size: 11px; user-select: none; }`,
    `${own} .line.lit { background-color: rgba(230, 150, 40, 0.32); }`,
    `${own} .line.near { background-color: rgba(230, 150, 40, 0.12); }`,
    `${own} .line.chosen { box-shadow: inset 3px 0 rgba(230, 150, 40, 0.95); }`,
    // Narrow: one above the other.
    `@container (max-width: 720px) { ${own} .columns { flex-direction: column; } ${own} .column { border-left: 0; border-top: 1px solid ${border}; flex: none; } ${own} .lines { height: 190px; } }`,
  ].join("\n");
}

function columnHtml({ title, language, isSource, lines, missing }: InspectedColumn): string {
  const head = `<div style="padding: 2px 10px; font-size: 12px; ${quiet}; border-bottom: 1px solid ${border}">${escapeHtml(title)}</div>`;
  if (lines.length === 0) {
    const text = escapeHtml(missing ?? "");
    return `<div class="column">${head}<div style="padding: 8px 10px; font-size: 12px; white-space: normal">${text}</div></div>`;
  }
  const code = highlight(lines.map(({ text }) => text).join("\n"), language);
  const isCounted = lines.some(({ share }) => share);
  const rows = lines.map(({ number, from, share }, i) => {
    const count = number === undefined ? "" : `<span class="number">${number}</span>`;
    const data = from.length === 0 ? "" : ` data-from="${from.join(" ")}"`;
    return `<div class="line"${data}>${isCounted ? shareHtml(share) : ""}${count}<span>${code[i]}</span></div>`;
  });
  return `<div class="column">${head}<div class="lines"${isSource ? " data-source" : ""} tabindex="0" role="region" aria-label="${escapeHtml(title)}" style="${codeFont}; font-size: 12px; line-height: 17px"><div>${rows.join("")}</div></div></div>`;
}

/** A percentage before a line, on a bar of its length; what the warps waited for is its title. */
function shareHtml(share: InspectedLine["share"]): string {
  if (share === undefined) return '<span class="share"></span>';
  const { percent, note } = share;
  const bar = `background: linear-gradient(to right, rgba(217, 83, 79, 0.35) ${percent}%, transparent ${percent}%)`;
  return `<span class="share" title="${escapeHtml(note)}" style="${bar}">${percent} %</span>`;
}

/** The inspector for a terminal: the facts, and what each of the user's lines became. */
export function inspectorText({ title, facts, details, warning, columns, summary }: Inspection): string {
  const missing = columns.flatMap((column) =>
    column.missing && column.lines.length === 0 ? [`${column.title}: ${column.missing}`] : [],
  );
  return [
    [title, ...facts].join("  "),
    ...details.map(([name, text]) => `${name}: ${text}`),
    ...(warning === undefined ? [] : [`Warning: ${warning}`]),
    ...missing,
    ...summary,
  ].join("\n");
}
