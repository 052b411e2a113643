// The chart of tasks, once there is a record: whole computations beside PyTorch and JAX, from the newest record of `npm run bench -- tasks` on a GPU, or
// else on a processor. A task without a figure says so.
import { readdirSync, readFileSync } from "node:fs";
import { svg, words } from "./diagrams.mjs";

const results = new URL("../bench/results/", import.meta.url);

/** The tasks by the names in bench/tasks.ts; PyTorch and JAX compile what jitlab compiles. */
const tasks = [
  ["add-1M", "x.add(1), 1M elements"],
  ["add-16M", "x.add(1), 16M elements"],
  ["gray-scott", "reaction and diffusion"],
  ["gray-scott-compiled", "the same, compiled"],
  ["n-body", "n bodies, compiled"],
  ["asian-option", "price of an Asian option, compiled"],
  ["k-means", "k-means"],
  ["logistic-regression", "logistic regression, compiled"],
  ["mlp-step", "step of training, compiled"],
  ["mlp-step-donated", "the same, replayed and donated"],
  ["image", "filters of an image"],
  ["rows", "a loop over rows, compiled"],
  ["recurrence", "gradient of a recurrence, compiled"],
];

/** The newest record of the tasks, of a GPU before that of a processor; undefined where there is none. */
export function newestRecord() {
  const files = readdirSync(results).filter((name) =>
    /^\d{4}-\d\d-\d\d-tasks-(?:cuda|cpu)\.json$/.test(name),
  );
  const file = files.sort((a, b) => isOfGpu(a) - isOfGpu(b) || (a < b ? -1 : 1)).at(-1);
  return file && { file, ...JSON.parse(readFileSync(new URL(file, results), "utf8")) };
}

const isOfGpu = (name) => Number(name.endsWith("-cuda.json"));

/** The chart of a record: how long each task takes, and a bar of jitlab's speed relative to the fastest peer's. */
export function tasksChart(record = newestRecord()) {
  const [named, own, torch, jax, bar, most] = [20, 376, 446, 512, 524, 106];
  const found = tasks.map(([name, title]) => {
    const row = rowOf(record, name);
    // Replay and donation are jitlab's; their peers are those of the plain step.
    const { peers = {} } = rowOf(record, name.replace(/-donated$/, "")) ?? {};
    const torch = peers["torch.compile"] ?? peers.torch;
    const { jax } = peers;
    const fastest = Math.min(...[torch, jax].filter((value) => value > 0));
    return {
      title,
      ours: row?.ours,
      torch,
      jax,
      ratio: row?.ours > 0 && Number.isFinite(fastest) ? fastest / row.ours : undefined,
    };
  });
  const largest = Math.max(1, ...found.flatMap(({ ratio }) => ratio ?? []));
  const one = bar + most / largest;
  const [top, step] = [82, 21];
  const rows = found.flatMap(({ title, ours, torch: first, jax: second, ratio }, i) => {
    const y = top + i * step;
    const name = words(named, y + 16, title);
    if (ours === undefined) return [name, words(own, y + 16, "no record", "quiet", "end")];
    return [
      name,
      words(own, y + 16, time(ours), "", "end"),
      words(torch, y + 16, time(first), "quiet", "end"),
      words(jax, y + 16, time(second), "quiet", "end"),
      ratio === undefined
        ? ""
        : `<rect x="${bar}" y="${y + 3}" width="${((ratio / largest) * most).toFixed(1)}" height="14" class="${ratio >= 0.95 ? "a" : "b"}"/>`,
    ];
  });
  const bottom = top + tasks.length * step;
  const where = record
    ? `${record.machine.device ?? "a processor"}, ${record.date.slice(0, 10)}`
    : "no record yet";
  return svg(`Time of a call in whole computations: ${where}`, bottom + 12, [
    words(named, 28, `Time of a call, ${where}`, "title"),
    words(named, 50, "bar: speed beside the faster of the two; line: as fast", "quiet"),
    words(own, 74, "jitlab", "title", "end"),
    words(torch, 74, "PyTorch", "quiet", "end"),
    words(jax, 74, "JAX", "quiet", "end"),
    ...rows,
    record
      ? `<line x1="${one.toFixed(1)}" x2="${one.toFixed(1)}" y1="${top}" y2="${bottom}" class="line"/>`
      : "",
  ]);
}

function rowOf(record, name) {
  return record?.rows.find(({ id }) => id === `tasks/${name}/later`);
}

/** Microseconds as text. */
function time(us) {
  if (us === undefined) return "–";
  return us < 1000 ? `${Number(us.toPrecision(3))} μs` : `${Number((us / 1000).toPrecision(3))} ms`;
}
