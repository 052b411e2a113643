// `node scripts/bench-chart.mjs RESULT.json`: draws a result of `npm run bench -- device` on a GPU beside its peers, as two pictures
// for docs/performance.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { curveColors } from "../dist/magics/render/figure.js";
import { formatRatio } from "../dist/magics/render/format.js";
import { svgToPng } from "../dist/magics/render/png.js";
import { figureSvg } from "../dist/magics/render/svg.js";

/** The pictures: the rows whose ids fit, in milliseconds or as they are. */
const charts = [
  {
    file: "bench-calls.png",
    title: "Time of a call",
    panel: "logarithmic scale; shorter is better",
    ids: /^(host\/(add|digamma|jit)|first\/\w+-(cold|disk))$/,
    axis: { label: "time of one call", scale: "log", unit: "time" },
    better: "less",
  },
  {
    file: "bench-throughput.png",
    title: "Throughput, 2^28 elements",
    panel: "TB/s of inputs and outputs; more is better",
    ids: /^bandwidth\//,
    axis: { label: "TB/s", scale: "linear", unit: "amount" },
    better: "more",
  },
];
const peers = ["torch", "cupy", "jax"];
const perUnit = { us: 1e-3, ms: 1, s: 1e3, "TB/s": 1 };

const program = new Command("bench-chart")
  .description("Draws a result of npm run bench -- device.")
  .argument("<result>", "the JSON file that it wrote");

program.action((path) => {
  const result = JSON.parse(readFileSync(path, "utf8"));
  const docs = fileURLToPath(new URL("../docs", import.meta.url));
  for (const chart of charts) {
    const svg = figureSvg(figureOf(chart, result)).replace("<svg ", '<svg style="background: white" ');
    writeFileSync(join(docs, chart.file), svgToPng(svg));
    process.stdout.write(`docs/${chart.file}\n`);
  }
});
program.parse();

function figureOf(chart, { rows, machine, date }) {
  const shown = rows.filter(({ id, ours }) => chart.ids.test(id) && ours !== undefined);
  const scaled = (row, value) => (value === undefined ? undefined : value * (perUnit[row.unit] ?? 1));
  const color = (i) => curveColors[i] ?? "#808890";
  const ours = { name: "jitlab", color: color(0), values: shown.map((row) => scaled(row, row.ours)) };
  const others = peers.map((peer, i) => ({
    name: peer,
    color: color(i + 1),
    values: shown.map((row) => scaled(row, row.peers[peer])),
  }));
  return {
    title: `${chart.title}: ${machine.device ?? ""}, ${date.slice(0, 10)}`,
    rows: shown.map(({ title }) => title),
    panels: [
      {
        kind: "dots",
        title: chart.panel,
        x: chart.axis,
        series: [ours, ...others.filter(({ values }) => values.some((value) => value !== undefined))],
        notes: shown.map((row) => comparison(row, chart.better)),
      },
    ],
  };
}

/** Which of jitlab and torch is faster, and how many times. */
function comparison({ ours, peers: { torch } }, better) {
  if (ours === undefined || torch === undefined) return "";
  const ratio = better === "less" ? torch / ours : ours / torch;
  const [low, high] = [0.95, 1.05];
  if (ratio > low && ratio < high) return "as fast as torch";
  return ratio > 1 ? `${formatRatio(ratio)} as fast as torch` : `torch ${formatRatio(1 / ratio)} as fast`;
}
