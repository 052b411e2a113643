// The picture of a program: operations in rows, colored by kernel, arcs between those that read each other.
import { expect, test } from "vitest";
import { programFigure } from "../../dist/magics/child/program.js";
import { figureText } from "../../dist/magics/render/figure-text.js";
import { layoutOf } from "../../dist/magics/render/layout.js";
import { plotlyFigure } from "../../dist/magics/render/plot.js";
import { svgToPng } from "../../dist/magics/render/png.js";
import { figureSvg } from "../../dist/magics/render/svg.js";
import type { Program, ProgramOperation } from "../../dist/runtime/index.js";
import { decodePng } from "../support/png.js";

function operation(
  name: string,
  kernel: number,
  reads: readonly number[],
  isStored: boolean,
): ProgramOperation {
  const place = `In[2]:${reads.length + 1}:3`;
  return {
    name,
    text: `${name}(...)`,
    place,
    kernels: [kernel],
    reads,
    result: "float32[256]",
    bytes: 1024,
    isStored,
  };
}

const bytes = { program: 1, separate: 2 };
const program: Program = {
  name: "step <1>",
  operations: [
    operation("mul", 0, [], false),
    operation("sin", 0, [0], true),
    operation("sum", 1, [1], true),
    operation("add", 2, [1, 0], true),
  ],
  kernels: ["fused_mul_sin", "sum", "add"].map((name) => ({ name, bytes: 1024 })),
  traffic: bytes,
  peak: bytes,
  breaks: [{ kernel: 2, text: "sum of In[2]:2:3" }],
};
const figure = programFigure(program);

test("in a terminal, each line has an operation, its kernel, what it gives and what it reads", () => {
  expect(figureText(figure)).toMatchInlineSnapshot(`
    "step <1>: data flow; larger dots are stored

    · 1 mul  kernel 1: fused_mul_sin  float32[256], 1.0 KiB, In[2]:1:3
    ● 2 sin  kernel 1: fused_mul_sin  float32[256], 1.0 KiB, In[2]:2:3 <- 1
    ● 3 sum  kernel 2: sum  float32[256], 1.0 KiB, In[2]:2:3 <- 2
    - - -
    ● 4 add  kernel 3: add  float32[256], 1.0 KiB, In[2]:3:3 <- 2, 1"
  `);
});

test("as Plotly's figure: a trace of dots for each kernel, larger where stored, arcs and the line of a look", () => {
  const { data, layout } = plotlyFigure(figure) as { data: any[]; layout: any };
  const dots = data.filter(({ mode }) => mode === "markers");
  expect(dots.map(({ name, y, marker }) => [name, y, marker.size])).toEqual([
    ["kernel 1: fused_mul_sin", [0, 1], [8, 14]],
    ["kernel 2: sum", [2], [14]],
    ["kernel 3: add", [3], [14]],
  ]);
  const [cut, arcs] = data.filter(({ mode }) => mode === "lines");
  expect(cut.y).toEqual([2.5, 2.5, null]);
  // An arc begins and ends at its two dots; a gap follows it.
  const rows = (arcs.y as (number | null)[])
    .map((row) => (row === null ? "|" : Math.round(row * 1e6) / 1e6))
    .join(" ");
  const ends = rows
    .split("|")
    .filter((one) => one.trim() !== "")
    .map((one) => one.trim().split(" "));
  expect(ends.map((one) => [one[0], one.at(-1)])).toEqual([
    ["0", "1"],
    ["1", "2"],
    ["1", "3"],
    ["0", "3"],
  ]);
  expect(layout.xaxis.visible).toBe(false);
  expect(layout.title.text).toContain("step &lt;1&gt;");
  expect(data.at(-1).text[3]).toBe("float32[256], 1.0 KiB, In[2]:3:3");
});

test("as a picture: a dot on each row, and an arc beside the dots", () => {
  const { pixels, width } = decodePng(svgToPng(figureSvg(figure)));
  const { frames, rowHeight } = layoutOf(figure);
  const [{ left, top, width: inner }] = frames as [(typeof frames)[number]];
  const inked = (x: number, y: number) =>
    (pixels[(Math.round(2 * y) * width + Math.round(2 * x)) * 4 + 3] as number) > 0;
  const rowAt = (row: number) => top + (row + 0.5) * rowHeight;
  for (let row = 0; row < 4; row++) expect(inked(left + 0.03 * inner, rowAt(row))).toBe(true);
  const beside = Array.from({ length: 100 }, (_, i) => inked(left + 0.03 * inner + 12 + i, rowAt(0.5)));
  expect(beside).toContain(true);
});
