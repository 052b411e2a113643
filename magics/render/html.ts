// Tables as escaped HTML: no scripts, no style tags, and only inline styles that JupyterLab's sanitizer keeps, so that an
// untrusted notebook and a static page look the same. Colors are mid-tones and borders translucent, readable on light
// and dark pages alike.
import { escapeHtml, htmlText } from "./escape.js";
import type { Cell, Table, Tone } from "./table.js";

/** The color of lines. */
export const border = "rgba(128, 128, 128, 0.35)";
/** The style of small print. */
export const quiet = toned("#808890");
/** The style of code. */
export const codeFont = "font-family: monospace";

// The page's color, by the name that an exported page, JupyterLab and Visual Studio Code give it; elsewhere there is no background.
const page = "var(--page, var(--jp-layout-color0, var(--vscode-editor-background)))";
// At an edge the page's color, which scrolls with the content, covers a shadow, which does not: it shows where there is more.
const edges = [
  `linear-gradient(to right, ${page} 60%, transparent) left / 30px 100% no-repeat local`,
  `linear-gradient(to left, ${page} 60%, transparent) right / 30px 100% no-repeat local`,
  "linear-gradient(to right, rgba(128, 128, 128, 0.55), transparent) left / 12px 100% no-repeat scroll",
  "linear-gradient(to left, rgba(128, 128, 128, 0.55), transparent) right / 12px 100% no-repeat scroll",
].join(", ");

/** A style for wide tables and listings, with a scroll bar and a shadow at an edge behind which there is more. */
export const scrolling = `overflow-x: auto; scrollbar-width: thin; scrollbar-color: rgba(128, 128, 128, 0.6) transparent; background: ${edges}`;

/**
 * The style of a text in a color: a mid-tone, or, if the browser can mix colors, closer to the page's text color, so that
 * the contrast is at least 4.5 on white and on near-black. A sanitizer without color-mix keeps the mid-tone.
 */
export function toned(color: string): string {
  return `color: ${color}; color: color-mix(in srgb, currentColor 40%, ${color})`;
}

// Tables with many columns are smaller and wrap earlier, to fit on a page.
const manyColumns = 9;
const styles = {
  dense: { font: "12px", padding: "3px 5px", longText: 20, wrapped: "min-width: 110px" },
  usual: { font: "13px", padding: "3px 8px", longText: 72, wrapped: "min-width: 320px" },
};

const tones: Readonly<Record<Tone, string>> = {
  compiled: toned("#d9722e"),
  disk: toned("#2f8fd0"),
  remote: toned("#8a63d2"),
  memory: toned("#3f9e5a"),
  good: toned("#3f9e5a"),
  bad: toned("#d9534f"),
  quiet,
};

/** A table. */
export function tableHtml(table: Table): string {
  const parts: string[] = [];
  if (table.heading !== undefined) {
    parts.push(`<div style="margin: 4px 0; font-weight: 600">${htmlText(table.heading)}</div>`);
  }
  if (table.rows.length > 0) {
    const style = table.columns.length > manyColumns ? styles.dense : styles.usual;
    const head = table.columns.map((column) => {
      const title = column.doc === undefined ? "" : ` title="${escapeHtml(column.doc)}"`;
      const css = `text-align: ${column.align ?? "left"}; padding: ${style.padding}; font-weight: 600; border-bottom: 1px solid ${border}; vertical-align: bottom; white-space: normal`;
      return `<th${title} style="${css}">${htmlText(column.title)}</th>`;
    });
    const body = table.rows.map((row) => {
      const cells = row.map((cell, i) => cellHtml(cell, table.columns[i]?.align ?? "left", style));
      return `<tr>${cells.join("")}</tr>`;
    });
    parts.push(
      `<div style="${scrolling}"><table style="border-collapse: collapse; font-size: ${style.font}; margin: 4px 0">`,
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
  return `<div style="font-size: 12px; ${quiet}; margin: 2px 0 6px; white-space: pre-line">${htmlText(note)}</div>`;
}

function cellHtml(cell: string | Cell, align: string, style: (typeof styles)[keyof typeof styles]): string {
  const one: Cell = typeof cell === "string" ? { text: cell } : cell;
  const title = one.title === undefined ? "" : ` title="${escapeHtml(one.title)}"`;
  const colour = one.tone === undefined ? "" : `; ${tones[one.tone]}`;
  const wrap = one.text.length > style.longText ? style.wrapped : "white-space: nowrap";
  const font = one.code === true ? `; ${codeFont}` : "";
  const css = `text-align: ${align}; padding: ${style.padding}; ${wrap}${colour}${font}`;
  return `<td${title} style="${css}">${htmlText(one.text)}</td>`;
}
