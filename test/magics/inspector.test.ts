// The inspector without its style tag and its script, as an untrusted notebook, GitHub and nbviewer show it.
import { expect, test } from "vitest";
import { type Inspection, inspectorHtml } from "../../dist/magics/render/inspector.js";

const source = Array.from({ length: 12 }, (_, i) => ({
  text: `line ${i + 1};`,
  number: i + 1,
  from: [i + 1],
}));
// Line 9 is a line of the user's. It calls the function of line 3, which was inlined, and the code of line 11 belongs to nobody.
const code = (name: string) => [
  { text: `${name} a`, from: [9] },
  { text: `${name} b`, from: [3, 9] },
  { text: "label:", from: [] },
  { text: `${name} c`, from: [10] },
  { text: `${name} d`, from: [11] },
];
const inspection: Inspection = {
  title: "steps",
  facts: ["float32"],
  details: [],
  columns: [
    { title: "your lines", language: "cpp", isSource: true, lines: source.slice(7, 10) },
    { title: "CUDA C++", language: "cpp", isSource: true, lines: source },
    { title: "SASS", language: "assembly", isSource: false, lines: code("sass") },
    { title: "PTX", language: "ptx", isSource: false, isFolded: true, lines: code("ptx") },
  ],
  summary: [],
};
const untrusted = inspectorHtml(inspection).replace(/<(style|script)>.*?<\/\1>/gs, "");

/** The lines of each column: their text and their tint. */
const columns = untrusted.split('class="column"').slice(1);
const lines = (index: number): [text: string, tint: string][] =>
  (columns[index] ?? "")
    .split('<div class="line"')
    .slice(1)
    .map((html) => {
      const tint = /^[^>]*background-color: ([^";]*)/.exec(html)?.[1] ?? "";
      const [row = ""] = html.slice(html.indexOf(">") + 1).split("</div>");
      return [row.replace(/<[^>]*>/g, "").replace(/^\d+ /, ""), tint];
    });

test("columns, heights and white space are styles of the elements", () => {
  expect(columns).toHaveLength(4);
  expect(untrusted).toMatch(/class="columns" style="display: flex; flex-wrap: wrap"/);
  for (const column of columns) {
    expect(column).toMatch(/^ style="flex: 1 1 \d+(?:px|%); min-width: 0/);
    expect(column).toMatch(/class="lines"[^>]* style="max-height: 460px; overflow: auto/);
    expect(column).toMatch(/<pre style="[^"]*white-space: pre/);
  }
});

test("PTX is folded beside machine code, and nothing else", () => {
  expect(untrusted.match(/<details/g)).toHaveLength(1);
  expect(untrusted).toMatch(/<details class="column"[^>]*><summary[^>]*>PTX<\/summary>/);
});

test("a line of a source has the tint of its code", () => {
  const tints = new Map(lines(1));
  const own = tints.get("line 9;");
  expect(own).not.toBe("");
  expect(new Map(lines(0))).toEqual(
    new Map([
      ["line 8;", ""],
      ["line 9;", own],
      ["line 10;", tints.get("line 10;")],
    ]),
  );
  expect(tints.get("line 3;")).toBe(own);
  expect(tints.get("line 4;")).toBe("");
  for (const [index, name] of [
    [2, "sass"],
    [3, "ptx"],
  ] as const) {
    expect(lines(index)).toEqual([
      [`${name} a`, own],
      [`${name} b`, own],
      ["label:", ""],
      [`${name} c`, tints.get("line 10;")],
      [`${name} d`, tints.get("line 11;")],
    ]);
  }
  expect(new Set(["line 9;", "line 10;", "line 11;"].map((line) => tints.get(line))).size).toBe(3);
});
