// Draws the diagrams of the documentation and the notebooks into assets/diagrams. Usage: node scripts/diagrams.mjs Each is
// an SVG with its own background, so that it is readable on light and on dark pages; texts stay readable on a phone.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const width = 640;
const style = `
  .page { fill: #ffffff } .box { fill: #eef3fd; stroke: #3f6fd8 } .warm { fill: #e6f6ec; stroke: #2f9157 } .cold { fill: #fdf0e4; stroke: #c76a1a }
  .plain { fill: none; stroke: #9aa3b2; stroke-dasharray: 5 4 } .line { stroke: #5b6475; fill: none } .head { fill: #5b6475 }
  .over .line { stroke: #ffffff } .over .head { fill: #ffffff } .a { fill: #3f6fd8 } .b { fill: #e07b39 } .none { fill: #d9dee7 }
  text { fill: #1f2430; font: 16px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
  .code { font: 15px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace } .title { font-weight: 600 } .quiet { fill: #5b6475 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1b1f28 } .box { fill: #22304d; stroke: #6f9bf5 } .warm { fill: #1d3a2a; stroke: #58b981 } .cold { fill: #40301f; stroke: #e09a5a }
    .line { stroke: #a5aebd } .head { fill: #a5aebd } .over .line { stroke: #ffffff } .over .head { fill: #ffffff } text { fill: #e6e9ef } .quiet { fill: #a5aebd } .none { fill: #3a4150 }
  }`;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** A line of text. */
export const words = (x, y, text, classes = "", anchor = "start") =>
  `<text x="${x}" y="${y}" class="${classes}" text-anchor="${anchor}">${escaped(text)}</text>`;
const rect = (x, y, w, h, classes) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="7" class="${classes}"/>`;

/** A box of centered lines; the first one is its title. */
function box(x, y, w, lines, classes = "box", first = "title") {
  const height = 20 + lines.length * 21;
  const texts = lines.map((line, i) =>
    words(x + w / 2, y + 28 + i * 21, line, i === 0 ? first : "quiet", "middle"),
  );
  return rect(x, y, w, height, classes) + texts.join("");
}

/** An arrow along points, with its head at the last one. */
function arrow(...points) {
  const [[fromX, fromY], [toX, toY]] = points.slice(-2);
  const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
  const path = points.map(([x, y]) => `${x},${y}`).join(" ");
  const head = `<path d="M0 0 L-9 -5 L-9 5 Z" class="head" transform="translate(${toX} ${toY}) rotate(${angle})"/>`;
  return `<polyline points="${path}" class="line" stroke-width="1.6"/>${head}`;
}

/** A diagram: its title for screen readers, its height and its parts. */
export function svg(title, height, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${style}
</style>
<rect width="${width}" height="${height}" rx="10" class="page"/>
${parts.join("\n")}
</svg>
`;
}

/** Horizontal bars with their values; a color is the class of a fill. */
export function barChart(title, subtitle, bars) {
  const [left, step, longest] = [196, 34, Math.max(...bars.map(({ value }) => value))];
  const rows = bars.flatMap(({ label, value, color }, i) => {
    const [y, length] = [86 + i * step, (value / longest) * (width - left - 70)];
    return [
      words(left - 12, y + 17, label, "", "end"),
      `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="24" class="${color}"/>`,
      words(left + length + 8, y + 17, String(value)),
    ];
  });
  const head = [words(20, 36, title, "title"), words(20, 62, subtitle, "quiet")];
  return svg(`${title}. ${subtitle}`, 96 + bars.length * step, [...head, ...rows]);
}

function firstCall() {
  const [left, wide, middle] = [24, 360, 204];
  const rows = [
    [20, ["x.gcd(y)"], "box", "code"],
    [91, ["dtypes and layout class", "a small key, no text"], "box"],
    [183, ["in this process?", "loaded kernels, by key"], "warm"],
    [275, ["generate", "C++ for these dtypes, this layout"], "box"],
    [367, ["on disk?", "one database for all your processes"], "warm"],
    [459, ["compile, once across processes", "NVRTC, a C++ compiler or clang"], "cold"],
    [551, ["store on disk"], "cold"],
    [622, ["load"], "box"],
    [693, ["launch"], "box"],
  ];
  const heights = rows.map(([y, lines]) => y + 20 + lines.length * 21);
  const down = rows.slice(1).map(([y], i) => arrow([middle, heights[i]], [middle, y]));
  const right = left + wide;
  return svg("The way of a call: the first one, and every later one", 754, [
    ...rows.map(([y, lines, classes, first]) => box(left, y, wide, lines, classes, first)),
    ...down,
    arrow([right, 214], [600, 214], [600, 714], [right, 714]),
    words(612, 205, "yes: every later call", "", "end"),
    arrow([right, 398], [564, 398], [564, 643], [right, 643]),
    words(552, 389, "yes: compiled", "", "end"),
    words(552, 420, "by another process", "", "end"),
    words(middle + 12, 267, "no", "quiet"),
    words(middle + 12, 451, "no: the first call ever", "quiet"),
  ]);
}

/** A matrix as cells; `fill` names the class of each. */
function cells(x, y, rows, columns, fill) {
  const all = [];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      all.push(
        `<rect x="${x + j * 20}" y="${y + i * 20}" width="17" height="17" rx="3" class="${fill(i, j)}"/>`,
      );
  return all.join("");
}

function layoutClasses() {
  const card = (column, row, title, say, drawing) => {
    const [x, y] = [16 + column * 308, 16 + row * 246];
    const lines = say.map((line, i) => words(x + 16, y + 176 + i * 22, line, "quiet"));
    return (
      rect(x, y, 296, 234, "box") +
      words(x + 16, y + 30, title, "title") +
      drawing(x + 16, y + 50) +
      lines.join("")
    );
  };
  const run = (x, y, w, down = 0) => `<g class="over">${arrow([x, y], [x + (down ? 0 : w), y + down])}</g>`;
  return svg("The layout classes", 508, [
    card(
      0,
      0,
      "contiguous",
      ["One loop over all elements;", "16 bytes for each access."],
      (x, y) =>
        cells(x, y, 5, 5, () => "a") +
        run(x, y + 8, 96) +
        cells(x + 140, y, 5, 5, () => "b") +
        run(x + 140, y + 8, 96),
    ),
    card(
      1,
      0,
      "strided: a row repeats",
      ["Dense along rows; a row", "or a column is read again."],
      (x, y) =>
        cells(x, y, 5, 5, () => "a") +
        run(x, y + 8, 96) +
        cells(x + 140, y + 40, 1, 5, () => "b") +
        run(x + 140, y + 48, 96),
    ),
    card(
      0,
      1,
      "tiled: one is transposed",
      ["Tiles turn in shared memory,", "so both sides follow rows."],
      (x, y) =>
        cells(x, y, 5, 5, (i, j) => (i < 3 && j < 3 ? "a" : "none")) +
        run(x, y + 8, 56) +
        cells(x + 140, y, 5, 5, (i, j) => (i < 3 && j < 3 ? "b" : "none")) +
        run(x + 148, y, 0, 58),
    ),
    card(
      1,
      1,
      "strided: gaps",
      ["Offsets are computed for each", "element; gaps cost bytes."],
      (x, y) =>
        cells(x, y, 5, 5, () => "a") +
        run(x, y + 8, 96) +
        cells(x + 140, y, 5, 6, (_, j) => (j % 2 ? "none" : "b")) +
        run(x + 140, y + 8, 116),
    ),
  ]);
}

function deferral() {
  const [y, step] = [64, 74];
  const lines = ["d = x.sub(m)", "w = d.mul(d)", "e = w.exp()", "e.sum(-1)"];
  const nodes = ["sub", "mul", "exp", "sum"];
  const at = (i) => y + i * step;
  const codes = lines.map((line, i) => box(16, at(i), 176, [line], "plain", "code"));
  const tape = nodes.map((name, i) => box(252, at(i), 116, [name], "box", "code"));
  const recorded = nodes.map((_, i) => arrow([192, at(i) + 20], [252, at(i) + 20]));
  const order = nodes.slice(1).map((_, i) => arrow([310, at(i) + 41], [310, at(i + 1)]));
  return svg("What deferral records, and what fusion makes of it", 440, [
    words(104, 40, "the function runs", "title", "middle"),
    words(310, 40, "the tape", "title", "middle"),
    words(524, 40, "one kernel", "title", "middle"),
    ...codes,
    ...tape,
    ...recorded,
    ...order,
    rect(428, at(0), 192, 3 * step + 41, "warm"),
    ...["read x and m", "sub, mul, exp", "in registers", "add up", "write the sums"].map((line, i) =>
      words(524, at(0) + 48 + i * 46, line, i === 1 ? "code" : "", "middle"),
    ),
    arrow([368, at(3) + 20], [428, at(3) + 20]),
    words(16, 372, "Nothing is launched while the function runs. The first look at an", "quiet"),
    words(16, 394, "element, or the function's end, computes the tape. A next call that", "quiet"),
    words(16, 416, "takes the same path finds the plan that was made here.", "quiet"),
  ]);
}

function rowKernel() {
  const threads = [0, 1, 2, 3].map((i) =>
    box(28 + i * 150, 150, 134, [`thread ${i}`, "its registers"], "box"),
  );
  return svg("A row kernel: softmax of one row", 500, [
    words(28, 40, "a row in memory", "title"),
    cells(28, 56, 1, 30, (_, j) => (Math.floor(j / 7.5) % 2 ? "b" : "a")),
    ...[0, 1, 2, 3].map((i) => arrow([95 + i * 150, 78], [95 + i * 150, 150])),
    words(320, 118, "one read", "quiet", "middle"),
    ...threads,
    arrow([320, 212], [320, 244]),
    box(120, 244, 400, ["largest of the row", "joined in the fixed order"], "warm"),
    arrow([320, 306], [320, 330]),
    box(120, 330, 400, ["exp(x - largest), and its sum", "again in the fixed order"], "warm"),
    arrow([320, 392], [320, 430]),
    words(332, 417, "one write", "quiet"),
    cells(28, 432, 1, 30, (_, j) => (Math.floor(j / 7.5) % 2 ? "b" : "a")),
    words(28, 478, "Separate calls read or write the row once for each operation.", "quiet"),
  ]);
}

/** The diagrams by their files, as functions that draw them. */
export const diagrams = {
  "first-call.svg": firstCall,
  "layout-classes.svg": layoutClasses,
  "deferral.svg": deferral,
  "row-kernel.svg": rowKernel,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL("../assets/diagrams/", import.meta.url);
  for (const [name, draw] of Object.entries(diagrams)) writeFileSync(new URL(name, folder), draw());
}
