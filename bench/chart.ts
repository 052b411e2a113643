// `npm run bench:chart -- RESULT.json`: draws a result on a GPU beside its peers for the README, as two pictures in docs/.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { type Axis, curveColors, type Figure } from "../magics/render/figure.js";
import { formatRatio } from "../magics/render/format.js";
import { svgToPng } from "../magics/render/png.js";
import { figureSvg } from "../magics/render/svg.js";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly ours?: number;
  readonly peers: Readonly<Record<string, number>>;
}

interface Result {
  readonly date: string;
  readonly machine: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

/** One picture: the rows whose ids fit, in milliseconds or as they are. */
interface Chart {
  readonly file: string;
  readonly title: string;
  readonly panel: string;
  readonly ids: RegExp;
  readonly axis: Axis;
  readonly better: "less" | "more";
}

const charts: readonly Chart[] = [
  {
    file: "bench-calls.png",
    title: "Calls",
    panel: "time, log scale: less is better",
    ids: /^(host\/(add|digamma|jit)|first\/\w+-(cold|disk))$/,
    axis: { label: "time", scale: "log", unit: "time" },
    better: "less",
  },
  {
    file: "bench-throughput.png",
    title: "Throughput, 2^28 elements",
    panel: "TB/s, each input and output counted once: more is better",
    ids: /^bandwidth\//,
    axis: { label: "TB/s", scale: "linear", unit: "count" },
    better: "more",
  },
];
const peers = ["torch", "cupy", "jax"] as const;
const perUnit: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3, "TB/s": 1 };

const program = new Command("bench:chart")
  .description("Draws a result of npm run bench -- --peers.")
  .argument("<result>", "the JSON file that it wrote");

program.action((path: string) => {
  const result = JSON.parse(readFileSync(path, "utf8")) as Result;
  const docs = fileURLToPath(new URL("../../docs", import.meta.url));
  for (const chart of charts) {
    const svg = figureSvg(figureOf(chart, result)).replace("<svg ", '<svg style="background: white" ');
    writeFileSync(join(docs, chart.file), svgToPng(svg));
    process.stdout.write(`docs/${chart.file}\n`);
  }
});
program.parse();

function figureOf(chart: Chart, { rows, machine, date }: Result): Figure {
  const shown = rows.filter(({ id, ours }) => chart.ids.test(id) && ours !== undefined);
  const scaled = (row: Row, value: number | undefined) =>
    value === undefined ? undefined : value * (perUnit[row.unit] ?? 1);
  const color = (i: number) => curveColors[i] ?? "#808890";
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

/** How many times as good as torch. */
function comparison({ ours, peers: { torch } }: Row, better: Chart["better"]): string {
  if (ours === undefined || torch === undefined) return "";
  return `${formatRatio(better === "less" ? torch / ours : ours / torch)} torch`;
}
