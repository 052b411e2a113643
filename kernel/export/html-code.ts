// The source of a cell as colored HTML. A cell magic decides the language of its body; line magics and shell lines
// inside TypeScript are colored as such.
import type {} from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import markdown from "highlight.js/lib/languages/markdown";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import { escapeHtml } from "../../magics/render/escape.js";

for (const [name, language] of Object.entries({ bash, cpp, markdown, typescript, xml })) {
  hljs.registerLanguage(name, language);
}

// The language of a cell magic's body where it is not TypeScript.
const bodies: Readonly<Record<string, string>> = {
  kernel: "cpp",
  cuda: "cpp",
  reduction: "cpp",
  bash: "bash",
  sh: "bash",
  script: "bash",
  html: "xml",
  svg: "xml",
  markdown: "markdown",
};

/** A cell's source as HTML, with highlight.js's classes and `magic` for magics. */
export function highlightCell(source: string): string {
  const cellMagic = /^%%(\w+).*\n?/.exec(source);
  if (!cellMagic) return highlightTypeScript(source);
  const body = source.slice(cellMagic[0].length);
  const language = bodies[cellMagic[1] ?? ""];
  return magic(cellMagic[0]) + (language ? highlight(body, language) : highlightTypeScript(body));
}

/** Code of a named language as HTML; escaped only where the language is not among the few that notebooks hold. */
export function highlightAs(code: string, language: string): string {
  return hljs.getLanguage(language) ? highlight(code, language) : escapeHtml(code);
}

function highlightTypeScript(source: string): string {
  const runs = source.split(/^((?:[%!].*|\S+\?{1,2})(?:\n|$))/m);
  return runs.map((run, index) => (index % 2 === 1 ? magic(run) : highlight(run, "typescript"))).join("");
}

function highlight(code: string, language: string): string {
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

function magic(line: string): string {
  return `<span class="magic">${escapeHtml(line)}</span>`;
}
