// The inspector: a kernel's forms side by side as one piece of HTML, whose columns scroll together, and as text. A line under the
// pointer, or the one that the arrow keys chose, lights the lines of the other columns that belong to it. The page needs no kernel.
// Layout and tints are inline styles, as in html.ts: an untrusted notebook has neither scripts nor style tags.
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
  /** True if a click on the title opens it. */
  readonly isFolded?: boolean;
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
// Narrower columns are placed below each other.
const narrowest = 250;

/** Backgrounds of lines: Okabe and Ito's colors, which people with deuteranopia tell apart. */
export const tints = [
  "rgba(230, 159, 0, 0.16)",
  "rgba(86, 180, 233, 0.18)",
  "rgba(0, 158, 115, 0.16)",
  "rgba(204, 121, 167, 0.18)",
  "rgba(240, 228, 66, 0.18)",
  "rgba(0, 114, 178, 0.16)",
  "rgba(213, 94, 0, 0.16)",
];

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
  const tintOf = tintsOf(columns);
  const body = columns
    .map((column, i) => columnHtml(column, i, tintOf))
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
    `<div class="outer"><div class="columns" style="display: flex; flex-wrap: wrap">${body}</div></div>`,
    `<script>(${inspectorScript})(${JSON.stringify(id)});</script></div>`,
  ].join("\n");
}

/** What needs scripts, or a measured width. */
function styleOf(own: string): string {
  return [
    `${own} .outer { container-type: inline-size; }`,
    `${own} .lines:focus-visible { outline: 2px solid rgba(63, 127, 216, 0.8); outline-offset: -2px; }`,
    `${own} .line.lit { background-color: rgba(230, 150, 40, 0.42) !important; }`,
    `${own} .line.near { background-color: rgba(230, 150, 40, 0.26) !important; }`,
    `${own} .line.chosen { box-shadow: inset 3px 0 rgba(230, 150, 40, 0.95); }`,
    `@container (max-width: 720px) { ${own} .lines { max-height: 190px !important; } }`,
  ].join("\n");
}

/**
 * The tint of a line: a line of the first column and the code that was made of it have one, as has a function that it calls.
 * Other lines of a source have one with the code that they compute.
 */
function tintsOf(columns: readonly InspectedColumn[]): (line: InspectedLine, isSource: boolean) => string {
  const [user] = columns;
  const rows = new Map(
    user?.isSource ? user.lines.flatMap(({ from }, i) => from.map((line) => [line, i])) : [],
  );
  const groupOf = (from: readonly number[]) => {
    const line = from.find((one) => rows.has(one));
    return line === undefined ? `line ${from[0]}` : `row ${rows.get(line)}`;
  };
  // By the number of a line of the source: the group of the code that it, or what it calls, became.
  const groups = new Map<number, string>();
  for (const { from } of columns.flatMap(({ isSource, lines }) => (isSource ? [] : lines))) {
    const group = groupOf(from);
    for (const line of from) {
      if (line === from[0] || groupOf([line]) === group) groups.set(line, groups.get(line) ?? group);
    }
  }
  const order = [...new Set([...groups].sort(([a], [b]) => a - b).map(([, group]) => group))];
  return ({ from }, isSource) => {
    const group = isSource ? from.map((line) => groups.get(line)).find(Boolean) : groupOf(from);
    const at = from.length === 0 || group === undefined ? -1 : order.indexOf(group);
    return tints[at % tints.length] ?? "";
  };
}

const small = "padding: 2px 10px; font-size: 12px";

function columnHtml(
  { title, language, isSource, isFolded, lines, missing }: InspectedColumn,
  index: number,
  tintOf: ReturnType<typeof tintsOf>,
): string {
  const name = escapeHtml(title);
  const side = index === 0 || isFolded ? "" : `; border-left: 1px solid ${border}`;
  const column = `flex: 1 1 ${isFolded ? "100%" : `${narrowest}px`}; min-width: 0${side}`;
  const head = `${small}; ${quiet}; border-bottom: 1px solid ${border}`;
  if (lines.length === 0) {
    const text = escapeHtml(missing ?? "");
    return `<div class="column" style="${column}"><div style="${head}">${name}</div><div style="padding: 8px 10px; font-size: 12px">${text}</div></div>`;
  }
  const code = highlight(lines.map(({ text }) => text).join("\n"), language);
  const isCounted = lines.some(({ share }) => share);
  const rows = lines.map((line, i) => {
    const { number, from, share } = line;
    const count = number === undefined ? "" : numberHtml(number);
    const data = from.length === 0 ? "" : ` data-from="${from.join(" ")}"`;
    const tint = tintOf(line, isSource);
    const style = `padding: 0 8px; min-height: 17px${tint === "" ? "" : `; background-color: ${tint}`}`;
    return `<div class="line"${data} style="${style}">${isCounted ? shareHtml(share) : ""}${count}<span>${code[i]}</span></div>`;
  });
  const pre = `margin: 0; border: 0; padding: 0; background-color: transparent; display: inline-block; vertical-align: top; min-width: 100%; white-space: pre; overflow: visible; ${codeFont}; font-size: 12px; line-height: 17px`;
  const body = `<div class="lines"${isSource ? " data-source" : ""} tabindex="0" role="region" aria-label="${name}" style="max-height: ${height}px; overflow: auto; scrollbar-width: thin"><pre style="${pre}">${rows.join("")}</pre></div>`;
  if (!isFolded)
    return `<div class="column" style="${column}"><div style="${head}">${name}</div>${body}</div>`;
  const summary = `${small}; ${quiet}; cursor: pointer; display: list-item; margin-left: 24px`;
  return `<details class="column" style="${column}; border-top: 1px solid ${border}"><summary style="${summary}">${name}</summary>${body}</details>`;
}

function numberHtml(number: number): string {
  return `<span style="display: inline-block; min-width: 24px; text-align: right; user-select: none; ${quiet}">${number}</span> `;
}

/** A percentage before a line, on a bar of its length; what the warps waited for is its title. */
function shareHtml(share: InspectedLine["share"]): string {
  const box =
    "display: inline-block; min-width: 40px; margin-right: 6px; text-align: right; font-size: 11px; user-select: none";
  if (share === undefined) return `<span style="${box}">&nbsp;</span>`;
  const { percent, note } = share;
  const bar = `background: linear-gradient(to right, rgba(217, 83, 79, 0.35) ${percent}%, transparent ${percent}%)`;
  return `<span title="${escapeHtml(note)}" style="${box}; ${bar}">${percent} %</span>`;
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
