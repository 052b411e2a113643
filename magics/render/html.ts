// Escaped HTML for tables and code listings: no scripts, no style tags, and only inline styles that JupyterLab's
// sanitizer keeps, so that an untrusted notebook and a static page look the same. Colours are mid-tones and borders
// translucent, readable on light and dark pages alike.
import { escapeHtml } from "./escape.js";
import { highlight, type Language } from "./highlight.js";
import type { Cell, Table, Tone } from "./table.js";

const border = "rgba(128, 128, 128, 0.35)";
const quiet = "#808890";
const code = "font-family: monospace";

const tones: Readonly<Record<Tone, string>> = {
  compiled: "#d9722e",
  disk: "#2f8fd0",
  memory: "#3f9e5a",
  good: "#3f9e5a",
  bad: "#d9534f",
  quiet,
};

/** A table. */
export function tableHtml(table: Table): string {
  const parts: string[] = [];
  if (table.heading !== undefined) {
    parts.push(`<div style="margin: 4px 0; font-weight: 600">${escapeHtml(table.heading)}</div>`);
  }
  if (table.rows.length > 0) {
    const head = table.columns.map((column) => {
      const title = column.doc === undefined ? "" : ` title="${escapeHtml(column.doc)}"`;
      const style = `text-align: ${column.align ?? "left"}; padding: 3px 10px; font-weight: 600; border-bottom: 1px solid ${border}; white-space: nowrap`;
      return `<th${title} style="${style}">${escapeHtml(column.title)}</th>`;
    });
    const body = table.rows.map((row) => {
      const cells = row.map((cell, i) => cellHtml(cell, table.columns[i]?.align ?? "left"));
      return `<tr>${cells.join("")}</tr>`;
    });
    parts.push(
      `<div style="overflow-x: auto"><table style="border-collapse: collapse; font-size: 13px; margin: 4px 0">`,
      `<thead><tr>${head.join("")}</tr></thead>`,
      `<tbody>${body.join("\n")}</tbody>`,
      "</table></div>",
    );
  }
  if (table.note !== undefined) parts.push(noteHtml(table.note));
  return parts.join("\n");
}

/** A line of small print. */
export function noteHtml(note: string): string {
  return `<div style="font-size: 12px; color: ${quiet}; margin: 2px 0 6px; white-space: pre-line">${escapeHtml(note)}</div>`;
}

function cellHtml(cell: string | Cell, align: string): string {
  const one: Cell = typeof cell === "string" ? { text: cell } : cell;
  const title = one.title === undefined ? "" : ` title="${escapeHtml(one.title)}"`;
  const colour = one.tone === undefined ? "" : `; color: ${tones[one.tone]}`;
  const font = one.code === true ? `; ${code}` : "";
  const style = `text-align: ${align}; padding: 3px 10px; white-space: nowrap${colour}${font}`;
  return `<td${title} style="${style}">${one.bar ? barHtml(one.bar) : escapeHtml(one.text)}</td>`;
}

function barHtml(bar: NonNullable<Cell["bar"]>): string {
  const segments = bar
    .filter((segment) => segment.share > 0)
    .map((segment) => {
      const width = `${Math.max(0.5, segment.share * 100).toFixed(1)}%`;
      return `<div title="${escapeHtml(segment.title)}" style="width: ${width}; height: 10px; background-color: ${segment.color}"></div>`;
    });
  return `<div style="display: flex; width: 140px; height: 10px">${segments.join("")}</div>`;
}

/** A piece of generated code with what is known about it. */
export interface Listing {
  readonly title: string;
  /** Short facts after the title: dtypes, layout, registers. */
  readonly facts: readonly string[];
  readonly text: string;
  readonly language: Language;
  /** First and last line (counted from 1) of the user's own functor inside the text. */
  readonly marked?: readonly [first: number, last: number];
}

/** A code listing with line numbers; the user's functor is marked. */
export function listingHtml(listing: Listing): string {
  const lines = highlight(listing.text.replace(/\n+$/, ""), listing.language);
  const [first, last] = listing.marked ?? [0, -1];
  const numbers = lines.map((_, i) => `${i + 1}`).join("\n");
  const body = lines.map((line, i) => {
    const marked = i + 1 >= first && i + 1 <= last;
    const mark = marked ? "; background-color: rgba(230, 150, 40, 0.16)" : "";
    return `<span style="display: block; min-height: 18px; padding: 0 10px${mark}">${line}</span>`;
  });
  const facts = listing.facts
    .map((fact) => `<span style="margin-left: 10px">${escapeHtml(fact)}</span>`)
    .join("");
  const pre =
    "margin: 0; border: 0; background-color: transparent; font-size: 12.5px; line-height: 18px; white-space: pre; overflow: visible";
  return [
    `<div style="border: 1px solid ${border}; border-radius: 4px; margin: 6px 0">`,
    `<div style="padding: 4px 10px; font-size: 12px; color: ${quiet}; border-bottom: 1px solid ${border}">`,
    `<b style="${code}; font-size: 13px">${escapeHtml(listing.title)}</b>${facts}</div>`,
    `<div style="max-height: 460px; overflow: auto; display: flex">`,
    `<pre style="${pre}; ${code}; color: ${quiet}; text-align: right; padding: 4px 6px; border-right: 1px solid ${border}; opacity: 0.7">${numbers}</pre>`,
    `<pre style="${pre}; ${code}; padding: 4px 0">${body.join("")}</pre>`,
    "</div></div>",
  ].join("");
}

/** The listing for a terminal: a heading and numbered lines; `|` marks the user's functor. */
export function listingText(listing: Listing): string {
  const lines = listing.text.replace(/\n+$/, "").split("\n");
  const width = `${lines.length}`.length;
  const [first, last] = listing.marked ?? [0, -1];
  const numbered = lines.map((line, i) => {
    const bar = i + 1 >= first && i + 1 <= last ? "|" : " ";
    return `${`${i + 1}`.padStart(width)} ${bar} ${line}`.trimEnd();
  });
  return [[listing.title, ...listing.facts].join("  "), ...numbered].join("\n");
}
