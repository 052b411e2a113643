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

test("in a terminal, each kernel has its operations, and what it reads of others", () => {
  expect(figureText(figure)).toMatchInlineSnapshot(`
    "step <1>: kernels and the bytes between them; dots are stored

    kernel 1  fused_mul_sin, reads and writes 1.0 KiB
      · 1 mul     float32[256], 1.0 KiB, In[2]:1:3
      ● 2 sin     float32[256], 1.0 KiB, In[2]:2:3
    kernel 2  sum, reads and writes 1.0 KiB <- 1.0 KiB of kernel 1
      ● 3 sum     float32[256], 1.0 KiB, In[2]:2:3
    - - -
    kernel 3  add, reads and writes 1.0 KiB <- 2.0 KiB of kernel 1
      ● 4 add     float32[256], 1.0 KiB, In[2]:3:3"
  `);
});

test("as Plotly's figure: a box for each kernel, dots where stored, arcs with bytes, and the line of a look", () => {
  const { data, layout } = plotlyFigure(figure) as { data: any[]; layout: any };
  const boxes = data.filter(({ fill }) => fill === "toself").map(({ y }) => [y[0], y[2]]);
  expect(boxes).toEqual([
    [-0.42, 2.42],
    [2.58, 4.42],
    [4.58, 6.42],
  ]);
  const dots = data.filter(({ mode }) => mode === "markers").map(({ name, y }) => [name, y]);
  expect(dots).toEqual([
    ["kernel 1", [2]],
    ["kernel 2", [4]],
    ["kernel 3", [6]],
  ]);
  const lines = data.filter(({ mode, fill }) => mode === "lines" && fill === undefined);
  const [cut, ...arcs] = lines.map(({ y }) => [y[0], y.at(-1)]);
  expect(cut).toEqual([4.5, 4.5]);
  expect(arcs).toEqual([
    [1, 3.5],
    [1, 5.5],
  ]);
  const [bytes, notes] = data.filter(({ mode }) => mode === "text");
  expect(bytes.text).toEqual(["1.0 KiB", "2.0 KiB"]);
  expect(notes.text[0]).toBe("fused_mul_sin, reads and writes 1.0 KiB");
  expect(layout.xaxis.visible).toBe(false);
  expect(layout.title.text).toContain("step &lt;1&gt;");
});

test("an operation that several kernels compute is in the box of each, and is not read from the first", () => {
  const again = { ...operation("mul", 0, [], false), kernels: [0, 1] };
  const operations = [again, operation("sin", 0, [0], true), operation("cos", 1, [0], true)];
  const { rows, panels } = programFigure({ ...program, operations, breaks: [] });
  expect(rows).toEqual(["kernel 1", "1 mul", "2 sin", "kernel 2", "1 mul", "3 cos", "kernel 3"]);
  expect((panels[0] as any).edges).toEqual([]);
});

test("as a picture: a box with dots, and arcs beside it", () => {
  const { pixels, width } = decodePng(svgToPng(figureSvg(figure)));
  const { frames, rowHeight } = layoutOf(figure);
  const [{ left, top, width: inner }] = frames as [(typeof frames)[number]];
  const inked = (x: number, y: number) =>
    pixels[(Math.round(2 * y) * width + Math.round(2 * x)) * 4 + 3] as number;
  const rowAt = (row: number) => top + (row + 0.5) * rowHeight;
  for (const row of [2, 4, 6]) expect(inked(left + 0.02 * inner, rowAt(row))).toBe(255);
  // The box is translucent.
  expect(inked(left + 0.5 * inner, rowAt(0.5))).toBeLessThan(60);
  const beside = Array.from({ length: 100 }, (_, i) => inked(left + 0.72 * inner + i, rowAt(2.25)) > 0);
  expect(beside).toContain(true);
});
