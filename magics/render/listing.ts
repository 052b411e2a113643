// Code listings: line numbers, light syntax coloring, the user's functor marked, and the common part of kernels folded.
import { escapeHtml } from "./escape.js";
import { highlight, type Language } from "./highlight.js";
import { border, codeFont, quiet, scrolling, toned } from "./html.js";

/** First and last line, counted from 1. */
export type Lines = readonly [first: number, last: number];

/** A piece of generated code with facts about it. */
export interface Listing {
  readonly title: string;
  /** Short facts after the title: dtypes, layout, registers. */
  readonly facts: readonly string[];
  readonly text: string;
  readonly language: Language;
  /** The user's functor inside the text. */
  readonly marked?: Lines;
  /** Lines to fold, in order. */
  readonly folded?: readonly Fold[];
  /** A warning, below the title. */
  readonly warning?: string;
}

/** Folded lines, and their description. */
export interface Fold {
  readonly lines: Lines;
  readonly what: string;
}

const pre =
  "margin: 0; border: 0; background-color: transparent; font-size: 12.5px; line-height: 18px; white-space: pre; overflow: visible";

// Copies the code without its numbers; absent in untrusted notebooks, where scripts do not run.
const copyScript =
  "var lines = Array.from(this.parentNode.parentNode.querySelectorAll('pre + pre > span'), function (line) { return line.textContent; }); navigator.clipboard.writeText(lines.join(String.fromCharCode(10))); this.textContent = 'Copied';";
const copyButton = `<button type="button" style="float: right; border: 0; background: none; color: inherit; font-size: 12px; cursor: pointer" onclick="${copyScript}">Copy</button>`;

/** A listing as HTML that passes sanitizers, as in html.ts. */
export function listingHtml(listing: Listing): string {
  const lines = highlight(trimmed(listing.text), listing.language);
  const block = (first: number, last: number) => blockHtml(lines, first, last, listing.marked);
  const parts: string[] = [];
  let next = 1;
  for (const fold of listing.folded ?? []) {
    parts.push(block(next, fold.lines[0] - 1));
    parts.push(
      `<details><summary style="font-size: 12px; ${quiet}; cursor: pointer; display: list-item; margin-left: 24px">${escapeHtml(foldText(fold))}</summary>${block(...fold.lines)}</details>`,
    );
    next = fold.lines[1] + 1;
  }
  parts.push(block(next, lines.length));
  const facts = listing.facts.map((fact) => `<span style="margin-left: 12px">${escapeHtml(fact)}</span>`);
  return [
    `<div style="border: 1px solid ${border}; border-radius: 4px; margin: 6px 0">`,
    `<div style="padding: 4px 10px; font-size: 12px; ${quiet}; border-bottom: 1px solid ${border}">`,
    `<b style="${codeFont}; font-size: 13px">${escapeHtml(listing.title)}</b>${facts.join("")}${copyButton}</div>`,
    listing.warning === undefined ? "" : warningHtml(listing.warning),
    `<div style="max-height: 600px; ${scrolling}; overflow-y: auto; padding: 4px 0">${parts.join("")}</div></div>`,
  ].join("");
}

// Numbers and code are two columns, so that selecting the code leaves the numbers out.
function blockHtml(lines: readonly string[], first: number, last: number, marked: Lines | undefined): string {
  if (last < first) return "";
  const indexes = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const width = `${lines.length}`.length * 8 + 14;
  const code = indexes.map((line) => {
    const mark = isMarked(line, marked) ? "; background-color: rgba(230, 150, 40, 0.16)" : "";
    return `<span style="display: block; min-height: 18px; padding: 0 10px${mark}">${lines[line - 1]}</span>`;
  });
  return [
    '<div style="display: flex">',
    `<pre style="${pre}; ${codeFont}; ${quiet}; text-align: right; min-width: ${width}px; padding: 0 6px 0 0; border-right: 1px solid ${border}; user-select: none">${indexes.join("\n")}</pre>`,
    `<pre style="${pre}; ${codeFont}; padding: 0; width: 100%">${code.join("")}</pre></div>`,
  ].join("");
}

/** The listing for a terminal: a heading and numbered lines; `|` marks the user's functor. */
export function listingText(listing: Listing): string {
  const lines = trimmed(listing.text).split("\n");
  const width = `${lines.length}`.length;
  const numbered = lines.flatMap((line, i) => {
    const number = i + 1;
    const fold = listing.folded?.find(({ lines: [first, last] }) => number >= first && number <= last);
    if (fold) return number === fold.lines[0] ? [`${"".padStart(width)}   ... ${foldText(fold)}`] : [];
    const bar = isMarked(number, listing.marked) ? "|" : " ";
    return [`${`${number}`.padStart(width)} ${bar} ${line}`.trimEnd()];
  });
  const warning = listing.warning === undefined ? [] : [`Warning: ${listing.warning}`];
  return [[listing.title, ...listing.facts].join("  "), ...warning, ...numbered].join("\n");
}

function warningHtml(text: string): string {
  return `<div style="padding: 4px 10px; font-size: 12px; ${toned("#b8860b")}; border-bottom: 1px solid ${border}"><b>Warning:</b> ${escapeHtml(text)}</div>`;
}

function foldText({ lines: [first, last], what }: Fold): string {
  return `lines ${first} to ${last}: ${what}`;
}

function isMarked(line: number, marked: Lines | undefined): boolean {
  return marked !== undefined && line >= marked[0] && line <= marked[1];
}

function trimmed(text: string): string {
  return text.replace(/^\n+|\n+$/g, "");
}
