// jitlab/plot: every chart in its four forms, images pixel by pixel, and errors.
import { inflateSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import {
  animate,
  bars,
  grid,
  heatmap,
  histogram,
  image,
  line,
  plot,
  scatter,
} from "../../dist/magics/plot/index.js";
import * as jl from "../../dist/runtime/index.js";
import { ofType, result, useKernel } from "../support/kernel.js";
import { decodePng } from "../support/png.js";
import { refusal } from "../support/refusal.js";

beforeAll(() => jl.setDevice("cpu"));

const bundleOf = (shown: object) => (shown as any)[Symbol.for("Jupyter.display")]();
const plotlyOf = (shown: object) => bundleOf(shown)["application/vnd.plotly.v1+json"];
const pixels = (shown: { png(): Uint8Array | undefined }) => decodePng(shown.png() ?? new Uint8Array());

const t = [0, 1, 2, 3];

test("a grid is one picture of several plots, row by row", () => {
  const [one, other] = [line(t, { title: "One" }), scatter(t, [3, 1, 2, 4], { title: "Other" })];
  const size = (shown: { png(): Uint8Array | undefined }) => {
    const { width, height } = pixels(shown);
    return [width, height] as const;
  };
  const [width, height] = size(one);
  const [wide, high] = size(grid([one, other, one]));
  expect(wide).toBeGreaterThan(1.9 * width);
  expect(high).toBeGreaterThan(1.9 * height);
  expect(size(grid([one, other], { columns: 1 }))[0]).toBe(width);
  expect(String(grid([one, other]))).toMatch(/One.*Other/s);
  expect(Object.keys(bundleOf(grid([one])))).toEqual(["image/png", "text/plain"]);
  expect(refusal(() => grid([]))).toContain("grid: plots");
  expect(refusal(() => grid([one], { columns: 0 }))).toContain("grid: columns");
  expect(refusal(() => grid([image([[1, 2]]) as any]))).toContain("grid: plots");
});

test.each([
  ["line", () => line(t, { title: "T" })],
  ["scatter", () => scatter(t, [3, 1, 2, 4], { title: "T" })],
  ["histogram", () => histogram([1, 2, 2, 3], { title: "T" })],
  ["bars", () => bars(["a", "b"], [1, 2], { title: "T" })],
  ["heatmap", () => heatmap([[1, 2]], { title: "T" })],
] as const)("%s has four forms", (_, make) => {
  const bundle = bundleOf(make());
  expect(Object.keys(bundle)).toEqual([
    "application/vnd.plotly.v1+json",
    "text/html",
    "image/png",
    "text/plain",
  ]);
  expect(bundle["text/plain"]).toMatch(/^T\n/);
  expect(bundle["application/vnd.plotly.v1+json"].layout.title.text).toBe("T");
  expect(bundle["text/html"]).toContain('<img alt="T"');
  expect(pixels(make()).width).toBe(2 * bundle["application/vnd.plotly.v1+json"].layout.meta.width);
});

describe("line and scatter", () => {
  test("take tensors of every dtype, typed arrays and arrays, over positions or over x", () => {
    const expected = { x: [0, 1, 2], y: [1, 2, 3] };
    for (const dtype of ["float16", "float64", "int64", "uint64", "uint8"] as const)
      expect(plotlyOf(line(jl.tensor([1, 2, 3], { dtype }))).data[0]).toMatchObject(expected);
    expect(plotlyOf(line(jl.tensor([true, false]))).data[0]).toMatchObject({ y: [1, 0] });
    expect(plotlyOf(line(new Float32Array([1, 2, 3]))).data[0]).toMatchObject(expected);
    expect(plotlyOf(line([10, 20, 30], [1n, 2n, 3n])).data[0]).toMatchObject({
      x: [10, 20, 30],
      y: [1, 2, 3],
    });
  });

  test("dashes draw a named series without points; an unknown name is refused", () => {
    const plot = line([1, 2], { measured: [3, 4], limit: [5, 5] }, { dashed: ["limit"] });
    const [measured, limit] = plotlyOf(plot).data as any[];
    expect([measured.mode, measured.line.dash]).toEqual(["lines+markers", undefined]);
    expect([limit.mode, limit.line.dash]).toEqual(["lines", "dash"]);
    expect(() => line([1, 2], { a: [3, 4] }, { dashed: ["b"] })).toThrow(
      /line: dashed.*names of series \(a\).*"b"/s,
    );
  });

  test("name several rows, and leave out what is not finite", () => {
    const { data, layout } = plotlyOf(line(t, { up: [1, Number.NaN, 3, 4], down: jl.tensor([4, 3, 2, 1]) }));
    expect(data.map(({ name, x }: any) => [name, x])).toEqual([
      ["up", [0, 2, 3]],
      ["down", t],
    ]);
    // The names are at the ends of the curves, from the top.
    const texts = layout.annotations.map(({ text }: any) => text);
    expect(texts.map((text: string) => text.replace(/<[^>]*>/g, ""))).toEqual(["● up", "● down"]);
    expect(texts[0]).toContain(data[0].line.color);
    expect(layout.showlegend).toBe(false);
    expect(plotlyOf(line(t)).layout).toMatchObject({ showlegend: false, annotations: [] });
    const nine = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`n${i}`, [i, i]]));
    expect(plotlyOf(line(nine)).layout).toMatchObject({ showlegend: true, annotations: [] });
  });

  test("names at the ends do not overlap and stay in the figure", () => {
    const { layout } = plotlyOf(line({ a: [0, 1], b: [0, 1], c: [0, 1.001], d: [5, 0] }));
    const places = layout.annotations.map(({ y }: any) => y);
    for (const [i, y] of places.entries()) {
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(1);
      if (i > 0) expect(places[i - 1] - y).toBeGreaterThan(0.04);
    }
  });

  test("colors and sizes are numbers of the points", () => {
    const plot = scatter([1, 2, 3], [1, Number.NaN, 3], {
      color: [10, 20, 30],
      size: [1, 2, 4],
      colormap: "magma",
    });
    const { marker } = plotlyOf(plot).data[0] as any;
    expect(marker).toMatchObject({ color: [10, 30], cmin: 10, cmax: 30, size: [14, 24] });
    expect(() => scatter([1, 2], [1, 2], { color: [1] })).toThrow(
      /scatter: color must be as long as x, 2, but got 1 numbers/,
    );
    expect(() => scatter([1, 2], [1, 2], { size: [1, 2, 3] })).toThrow(/scatter: size must be as long as x/);
  });

  test("keep the least and the greatest of each stretch of many points", () => {
    const many = new Float64Array(100_000);
    many[54_321] = 7;
    many[54_322] = -7;
    const { x, y, mode } = plotlyOf(line(many)).data[0];
    expect(x.length).toBeLessThanOrEqual(2000);
    expect([Math.max(...y), Math.min(...y), mode]).toEqual([7, -7, "lines"]);
    expect(x).toEqual(x.toSorted((a: number, b: number) => a - b));
  });

  test("the columns of a matrix are curves", () => {
    const { data } = plotlyOf(line(jl.arange(6).reshape(3, 2)));
    expect(data.map(({ name, y }: any) => [name, y])).toEqual([
      ["0", [0, 2, 4]],
      ["1", [1, 3, 5]],
    ]);
    const nested = [
      [1, 2],
      [3, 4],
      [5, 6],
    ];
    expect(plotlyOf(scatter([7, 8, 9], nested)).data[1]).toMatchObject({ x: [7, 8, 9], y: [2, 4, 6] });
    expect(plotlyOf(line(jl.arange(4).reshape(1, 4))).data).toHaveLength(1);
    expect(() => line(jl.zeros([2, 21]))).toThrow("at most 20 columns");
  });

  test("the texts of curves have one scale and exact whole numbers", () => {
    const high = Array.from({ length: 60 }, (_, i) => 123_456 + (i % 2));
    const [, , low, , top] = String(line({ low: high.map(() => 0), high })).split("\n");
    expect([low, top]).toEqual([expect.stringMatching(/^▁+$/), expect.stringMatching(/^█+$/)]);
    expect(String(line({ low: high.map(() => 0), high }))).toContain("high: 123456 to 123457");
    expect(String(bars(["zeros"], [123_456]))).toMatch(/ 123456$/);
  });

  test("a few bars lie on their sides with their values", () => {
    const plot = bars(["cpu", "cuda"], [3, 123_456.5], { yLabel: "GB/s" });
    const { data, layout } = plotlyOf(plot);
    expect(data[0]).toMatchObject({ orientation: "h", x: [3, 123_456.5], text: ["3", "123457"] });
    expect(layout.xaxis.title.text).toBe("GB/s");
    expect(String(plot)).toMatch(/^cpu .* 3\ncuda +█{40} +123457$/);
    const signed = plotlyOf(bars(["a", "b"], [1, -2]));
    expect(signed.data[0]).toMatchObject({ orientation: "h", base: [0, 0], x: [1, -2] });
    expect(signed.layout.xaxis.range[0]).toBeLessThan(-2);
    const holes = plotlyOf(bars(["a", "b", "c"], [0, Number.NaN, 2])).data[0];
    expect([holes.y, holes.text]).toEqual([
      [0, 2],
      ["0", "2"],
    ]);
    expect(String(bars(["a", "b"], [Number.NaN, 2]))).toMatch(/^a {2}–\nb {2}█+ 2$/);
  });

  test("counts have whole ticks", () => {
    expect(plotlyOf(histogram([1, 2, 2], { bins: 2 })).layout.yaxis.ticktext).toEqual(["0", "1", "2"]);
  });

  test("logarithmic axes", () => {
    expect(plotlyOf(line([1, 10, 100], { yScale: "log" })).layout.yaxis).toMatchObject({
      type: "log",
      range: [-1e-9, 2 + 1e-9],
    });
    expect(String(line([1e-5, 1], { yScale: "log" }))).toBe("y by x\n0: 0.00001, 1: 1");
  });

  test("the text of many points is their course", () => {
    const course = String(line(Array.from({ length: 120 }, (_, i) => i))).split("\n");
    expect(course).toEqual(["y by x from 0 to 119", "0 to 119", expect.stringMatching(/^▁+▂+▃+▄+▅+▆+▇+█+$/)]);
  });
});

test("a histogram counts every finite number once", () => {
  const { x, y } = plotlyOf(histogram([1, 1, 2, 5, Number.NaN], { bins: 4 })).data[0];
  expect(x).toEqual([1.5, 2.5, 3.5, 4.5]);
  expect(y).toEqual([2, 1, 0, 1]);
  expect(plotlyOf(histogram(jl.rand([10_000]))).data[0].y.reduce((a: number, b: number) => a + b)).toBe(
    10_000,
  );
});

test("bars of a group lie below each other, and leave a gap to the next group", () => {
  const { data, layout } = plotlyOf(bars(["a", "b"], { first: [1, 2], second: [3, -4] }));
  expect(data.map(({ orientation, name }: any) => [orientation, name])).toEqual([
    ["h", "first"],
    ["h", "second"],
  ]);
  expect(data.map(({ y, width }: any) => [y[0], width])).toEqual([
    [-0.2, 0.4],
    [0.2, 0.4],
  ]);
  expect(layout.yaxis.ticktext).toEqual(["a", "b"]);
  expect(layout.xaxis.range[0]).toBeLessThan(-4);
  const one = plotlyOf(bars(["a", "b"], [1, 2])).layout.height;
  expect(layout.height).toBeGreaterThan(one);
});

test("more than 30 bars stand, some with their names in lines of words", () => {
  const labels = Array.from({ length: 48 }, (_, i) => (i === 0 ? "add a transposed matrix" : `<${i}>`));
  const { data, layout } = plotlyOf(
    bars(
      labels,
      labels.map((_, i) => i),
    ),
  );
  expect(data[0].orientation).toBeUndefined();
  expect(layout.xaxis.ticktext.slice(0, 2)).toEqual(["add a<br>transposed<br>matrix", "&lt;2&gt;"]);
});

test("a figure without titles, labels and names has no room for them", () => {
  const height = (shown: object) => plotlyOf(shown).layout.height;
  const bare = height(line(t));
  expect(bare).toBeLessThan(330);
  for (const options of [{ title: "T" }, { xLabel: "x" }])
    expect(height(line(t, options))).toBeGreaterThan(bare);
  expect(height(scatter(t, { one: t, other: t }))).toBeGreaterThan(bare);
});

test("bars have their values, and may have a logarithmic scale", () => {
  const lying = plotlyOf(bars(["a", "b"], [0.5, 2000], { yLabel: "ms", yScale: "log" }));
  expect(lying.layout.xaxis.type).toBe("log");
  expect(lying.data[0].text).toEqual(["0.5", "2000"]);
  expect(lying.data[0].base).toEqual([0.1, 0.1]);
  const upright = plotlyOf(bars(["a", "b"], { one: [1, 10], two: [100, 5] }, { yScale: "log" }));
  expect(upright.layout.xaxis.type).toBe("log");
  // The smallest has a length, and zero none.
  expect(upright.data[0].base[0]).toBe(0.1);
  const zero = plotlyOf(bars(["a", "b"], [0, 10], { yScale: "log" })).data[0];
  expect([zero.base, zero.x, zero.text]).toEqual([
    [1, 1],
    [0, 9],
    ["0", "10"],
  ]);
  expect(refusal(() => bars(["a"], [-1], { yScale: "log" }))).toContain(
    "bars: heights on a logarithmic scale must be zero or more, but got -1",
  );
  expect(upright.data[1].text).toEqual(["100", "5"]);
});

test("heat maps have squares, numbers where there are few, and names or positions", () => {
  const plain = plotlyOf(
    heatmap([
      [1, 2],
      [3, 4],
    ]),
  );
  expect(plain.layout.yaxis).toMatchObject({ scaleanchor: "x", constrain: "domain" });
  // A number is read on the color of its cell.
  expect(plain.data[1]).toMatchObject({
    ...{ mode: "text", x: [0.5, 1.5, 0.5, 1.5], y: [0.5, 0.5, 1.5, 1.5], text: ["1", "2", "3", "4"] },
    textfont: { color: ["#ffffff", "#ffffff", "#000000", "#000000"] },
  });
  const named = plotlyOf(
    heatmap(
      [
        [1, 2],
        [3, 4],
      ],
      { x: ["left", "right"], y: [0.25, 0.75] },
    ),
  );
  expect(named.layout.xaxis.ticktext).toEqual(["left", "right"]);
  expect(named.layout.yaxis.ticktext).toEqual(["0.25", "0.75"]);
  expect(named.layout.yaxis.scaleanchor).toBeUndefined();
  expect(plotlyOf(heatmap(jl.zeros([20, 20]))).data).toHaveLength(1);
  // Positions at equal distances have round ticks; a long matrix has no squares.
  const even = plotlyOf(heatmap(jl.zeros([2, 21]), { x: jl.linspace(0, 1, 21) }));
  expect(even.layout.xaxis.ticktext).toEqual(["0", "0.2", "0.4", "0.6", "0.8", "1"]);
  expect(even.layout.xaxis.tickvals[1]).toBeCloseTo(4.5);
  expect(plotlyOf(heatmap(jl.zeros([3, 200]))).layout.yaxis.scaleanchor).toBeUndefined();
  // A square one is as wide as it needs to be.
  expect(plain.layout.meta.width).toBeLessThan(600);
  expect(() => heatmap([[1, 2]], { x: [1] })).toThrow(
    /heatmap: x must be as long as the 2 columns, but got 1 of them/,
  );
  expect(() => heatmap([[1, 2]], { y: ["a", "b"] })).toThrow(
    /heatmap: y must be as long as the 1 rows, but got 2 of them/,
  );
});

test("a legend that is wider than the picture takes several lines, in the picture's size too", () => {
  const named = (count: number) =>
    line(Object.fromEntries(Array.from({ length: count }, (_, i) => [`block ${i}00, 4 per thread`, [0, 1]])));
  const [few, many] = [named(4), named(9)].map(pixels);
  expect(many?.height).toBeGreaterThan(few?.height ?? Infinity);
});

test("long names of rows and of curves have room, also on a narrow page", () => {
  const rows = (names: string[]) => plotlyOf(heatmap([[1], [2]], { y: names })).layout.margin.l;
  expect(rows(["cat", "dog"])).toBe(70);
  expect(rows(["a name that is rather long", "dog"])).toBeGreaterThan(26 * 6);
  const least = (name: string) =>
    plotlyOf(line([1, 2], { [name]: [1, 2], other: [2, 1] })).layout.meta.leastWidth;
  expect(least("sin")).toBeLessThan(400);
  expect(least("a damped sine with a longer name")).toBeGreaterThan(480);
});

test("groups of bars have one scale as text", () => {
  const text = String(bars(["a"], { first: [20], second: [40] }));
  expect(text).toBe(`first\na  ${"█".repeat(20)} 20\nsecond\na  ${"█".repeat(40)} 40`);
});

test("a heat map shows means of neighbours beyond 256 cells", () => {
  const { z, zmin, zmax } = plotlyOf(heatmap(jl.arange(600 * 300).reshape([600, 300]))).data[0];
  expect([z.length, z[0].length]).toEqual([200, 150]);
  expect(z[0][0]).toBe((0 + 1 + 300 + 301 + 600 + 601) / 6);
  expect([zmin, zmax]).toEqual([0, 179_999]);
});

describe("image", () => {
  test("of one number per pixel takes the colormap's colors, and none for NaN", () => {
    const {
      width,
      height,
      pixels: bytes,
    } = pixels(
      image(
        [
          [0, 1],
          [0.5, Number.NaN],
        ],
        { colormap: "gray", scale: 1 },
      ),
    );
    expect([width, height]).toEqual([2, 2]);
    expect([...bytes]).toEqual([0, 0, 0, 255, 255, 255, 255, 255, 128, 128, 128, 255, 0, 0, 0, 0]);
    expect([...pixels(image(jl.tensor([[0, 1]]), { scale: 1 })).pixels]).toEqual([
      ...[0x44, 0x01, 0x54, 255],
      ...[0xfd, 0xe7, 0x25, 255],
    ]);
  });

  test("of colors from 0 to 1 or to 255, with and without opacity", () => {
    const red = [255, 0, 0, 255];
    expect([...pixels(image([[[1, 0, 0]]], { scale: 1 })).pixels]).toEqual(red);
    expect([...pixels(image([[[255, 0, 0]]], { scale: 1 })).pixels]).toEqual(red);
    expect([...pixels(image([[[1, 0, 0, 0.2]]], { scale: 1 })).pixels]).toEqual([255, 0, 0, 51]);
    const dark = jl.tensor([[[1, 0, 0]]], { dtype: "uint8" });
    expect([...pixels(image(dark, { scale: 1 })).pixels]).toEqual([1, 0, 0, 255]);
  });

  test("enlarges small images", () => {
    expect(pixels(image([[0, 1]])).width).toBe(128);
    expect(pixels(image(jl.zeros([300, 400]))).width).toBe(400);
  });
});

describe("animate", () => {
  /** The chunks of a PNG file. */
  function chunksOf(png: Uint8Array) {
    const bytes = Buffer.from(png);
    const chunks: { type: string; data: Buffer }[] = [];
    for (let at = 8; at < bytes.length; ) {
      const length = bytes.readUInt32BE(at);
      chunks.push({
        type: bytes.toString("latin1", at + 4, at + 8),
        data: bytes.subarray(at + 8, at + 8 + length),
      });
      at += 12 + length;
    }
    return chunks;
  }

  test("writes an animated PNG whose frames share their colors", () => {
    const frames = jl.tensor([0, 1, 2, 4]).reshape(2, 1, 2);
    const animation = animate(frames, { scale: 1, fps: 4, colormap: "gray" });
    expect(String(animation)).toBe("animation of 2 frames of 2 × 1 pixels, 0 to 4, 4 a second");
    const chunks = chunksOf(animation.png() as Uint8Array);
    expect(chunks.map(({ type }) => type)).toEqual([
      ...["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "IEND"],
    ]);
    expect([...chunks[1]!.data]).toEqual([0, 0, 0, 2, 0, 0, 0, 0]);
    // The second frame: its number in the sequence, its size, its place, 250 thousandths of a second.
    expect([...chunks[4]!.data]).toEqual([
      ...[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 250, 3, 232, 0, 0],
    ]);
    const rows = [inflateSync(chunks[3]!.data), inflateSync(chunks[5]!.data.subarray(4))];
    const grays = rows.map((row) => [row[1], row[5]]);
    expect(grays).toEqual([
      [0, 64],
      [128, 255],
    ]);
  });

  test("takes a list of images, and says what does not fit", () => {
    expect(String(animate([[[0, 1]], [[2, 3]]]))).toMatch(/^animation of 2 frames of 2 × 1 pixels, 0 to 3/);
    expect(refusal(() => animate([[[0, 1]], [[2]]]))).toMatch(/one of \[1, 2\] and one of \[1, 1\]/);
    expect(refusal(() => animate([]))).toMatch(/at least one, all of one size, but got none/);
    expect(refusal(() => animate(jl.ones([3, 3])))).toMatch(/3 or 4 dimensions/);
    expect(refusal(() => animate([[[1]]], { fps: 0 }))).toMatch(/fps must be a number/);
  });
});

describe("plot", () => {
  test("shows any specification, with a picture where the traces are curves or bars", () => {
    const curves = plot({ data: [{ y: jl.tensor([1, 2]), name: "s" }], layout: { title: { text: "T" } } });
    expect(plotlyOf(curves).data).toEqual([{ y: [1, 2], name: "s" }]);
    expect(String(curves)).toBe("T\n\ny by x\ns  0: 1, 1: 2");
    expect(pixels(curves).width).toBe(1720);
    expect(Object.keys(bundleOf(plot({ data: [{ type: "bar", y: new Float32Array([1, 2]) }] })))).toContain(
      "image/png",
    );
    const pie = plot({ data: [{ type: "pie", values: [1, 2] }] });
    expect(pie.png()).toBeUndefined();
    expect(Object.keys(bundleOf(pie))).toEqual(["application/vnd.plotly.v1+json", "text/html", "text/plain"]);
    expect(bundleOf(pie)["text/plain"]).toBe("A plot: pie, drawn by Plotly.");
  });
});

test.each([
  [
    "x and y of two lengths",
    () => line([1, 2], [1, 2, 3]),
    "line: y must be as long as x, 2, but got 3 numbers.",
  ],
  [
    "a text",
    () => scatter([1], "a" as any),
    "scatter: y must be numbers, or an object of several rows of them by name, but got a.",
  ],
  [
    "complex numbers",
    () => line(jl.tensor([{ re: 1, im: 1 }])),
    "line: y must be real; x.abs(), x.real() and x.angle() are, but got complex numbers.",
  ],
  [
    "a vector as an image",
    () => image(jl.ones([3]) as any),
    "image: x must be of 2 or 3 dimensions, but got a shape of [3].",
  ],
  [
    "two channels",
    () => image(jl.ones([3, 3, 2])),
    "image: x must be of shape [H, W], [H, W, 3] or [H, W, 4], but got [3, 3, 2].",
  ],
  [
    "ragged rows",
    () => heatmap([[1], [1, 2]]),
    "heatmap: matrix must be rows of one length, but got one of 1 and one of 2.",
  ],
  [
    "an unknown colormap",
    () => image([[1]], { colormap: "virids" as any }),
    'image: unknown colormap "virids".',
  ],
  [
    "bars without labels",
    () => bars(["a"], [1, 2]),
    "bars: heights must be as many as the 1 labels, but got 2 numbers.",
  ],
  [
    "no bins",
    () => histogram([1], { bins: 0 }),
    "histogram: bins must be a whole number from 1 to 10000, but got 0.",
  ],
])("%s: refused in words", (_, make, message) => {
  expect(make).toThrow(message);
});

describe("in a cell", () => {
  const kernel = useKernel({ env: { JITLAB_DEVICE: "cpu" } });

  test("it is imported, typed and shown", async () => {
    const answer = await kernel().execute(
      'import { image, line } from "jitlab/plot";\nimport * as jl from "jitlab";\nline(jl.linspace(0, 6, 50).sin())',
    );
    expect(answer.reply.content.status).toBe("ok");
    expect(Object.keys(ofType(answer, "execute_result")[0]!.content.data as any)).toContain(
      "application/vnd.plotly.v1+json",
    );
    const wrong = await kernel().execute('image([[1]], { colormap: "jet" })', { stopOnError: false });
    expect(wrong.reply.content.evalue).toContain('"jet"');
    expect(result(await kernel().execute("%config plots = png\nimage([[0]]).png().length > 50"))).toBe(
      "true",
    );
    const still = await kernel().execute("line([1, 2])");
    expect(Object.keys(ofType(still, "execute_result")[0]!.content.data as any)).toEqual([
      "image/png",
      "text/plain",
    ]);
  });

  test("Vega-Lite and any PNG show by their MIME types", async () => {
    const spec = '{ mark: "bar", data: { values: [{ a: 1 }] } }';
    const answer = await kernel().execute(
      `display({ "application/vnd.vegalite.v5+json": ${spec} }, { raw: true });\ndisplay({ "image/png": new Uint8Array([1, 2, 3]) }, { raw: true })`,
    );
    const data = ofType(answer, "display_data").map(({ content }) => content.data);
    expect(data).toEqual([
      { "application/vnd.vegalite.v5+json": { mark: "bar", data: { values: [{ a: 1 }] } } },
      { "image/png": "AQID" },
    ]);
  });
});
