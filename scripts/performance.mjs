// docs/performance.md and its charts, from the newest records of `npm run bench -- functions` and `npm run bench -- tensors` in
// bench/results and the errors of test/data/accuracy.
import { readdirSync, readFileSync } from "node:fs";
import { barChart } from "./diagrams.mjs";

const root = new URL("../", import.meta.url);
const json = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));

/** Below this fraction of PyTorch's speed the page names a function and its reason. */
const gap = 0.85;
/** For real numbers these are views in PyTorch, which take no time. */
const views = ["conj", "positive", "real"];
const tail = "keeps the digits of small results";

/** The devices: their records, the functions whose code changed since, and the proven reasons for gaps by name. */
const devices = {
  cpu: {
    title: "On a processor",
    subject: "One Intel Xeon with AVX-512 and GCC 12",
    records: ["functions-cpu", "tensors-cpu"],
    changed: "besselJ0 besselJ1 besselY0 besselY1 gammainc gammaincc sqrt zeta".split(" "),
    reasons: {
      gelu: tail,
      "add mul sub":
        "both wait for the L2 cache, where the same loop takes 13 to 17 μs, depending on the memory pages of its operands",
      matmul: "Debian's OpenBLAS, and for bfloat16 jitlab's own kernel; PyTorch contains Intel's library",
    },
  },
  cuda: {
    title: "On a GPU",
    subject: "One NVIDIA H200",
    records: ["functions-cuda", "halves-cuda", "tensors-cuda", "order-cuda"],
    changed: ["digamma", "lgamma"],
    reasons: {
      gelu: tail,
      logit: "keeps the digits that the subtraction and the division lose",
      asin: "in this record a thread loads one word at a time; it now loads two ahead, and reaches 1.01",
      "index-add":
        "adds in a fixed order, so that equal calls give equal bits; PyTorch adds in the order of arrival",
      "k-means life":
        "many small calls: in this record their intermediate results stayed until a full collection of garbage; minor ones now [find them](memory.md). [jl.compile](compile.md) joins such calls",
    },
  },
};

/** The classes of speed in a chart: a label, the smallest fraction of PyTorch's speed, and a color. */
const classes = [
  ["below 0.5 (slower)", 0, "b"],
  ["0.5 to 0.8 (slower)", 0.5, "b"],
  ["0.8 to 0.95 (slower)", 0.8, "b"],
  ["equal within 5 %", 0.95, "none"],
  ["1.05 to 1.25 (faster)", 1.05, "a"],
  ["1.25 to 2 (faster)", 1.25, "a"],
  ["2 to 5 (faster)", 2, "a"],
  ["above 5 (faster)", 5, "a"],
];

/** The newest record of a subject. */
function newest(subject) {
  const files = readdirSync(new URL("bench/results/", root)).filter(
    (name) => name.slice("2026-01-01-".length) === `${subject}.json`,
  );
  const file = files.sort().at(-1);
  return { file, ...json(`bench/results/${file}`) };
}

/** The measured cases of a device with their fraction of PyTorch's speed; a later record replaces a case of an earlier one. */
function measured({ records, changed }) {
  const rows = new Map(records.flatMap((subject) => newest(subject).rows).map((row) => [row.id, row]));
  const cases = [];
  for (const { id, ours, peers, detail } of rows.values()) {
    const [kind, name, dtype] = id.split("/");
    const share = kind === "functions" ? ours / peers.torch : detail?.["speed of torch"];
    if (share > 0 && peers.torch > 0 && !views.includes(name) && !changed.includes(name))
      cases.push({ name, dtype, share });
  }
  return cases;
}

/** Removes the cases of these functions from a list and returns them. */
function take(cases, names) {
  const found = cases.filter(({ name }) => names.some((one) => name === one || name.startsWith(`${one}-`)));
  for (const one of found) cases.splice(cases.indexOf(one), 1);
  return found;
}

function caseName({ name, dtype }) {
  return dtype ? `${name}, ${dtype}` : name.replace(/^(matmul)-(\w+)-\d+$/, "$1, $2");
}

function range(cases) {
  const shares = cases.map(({ share }) => share.toFixed(2)).sort();
  return [...new Set([shares[0], shares.at(-1)])].join(" to ");
}

/** The largest errors of a case, jitlab's and PyTorch's, as text; empty if they were not measured. */
function errorsOf(device, { name, dtype }) {
  const peer = json(`test/data/accuracy-torch-${device}.json`).ops[name]?.[dtype]?.largest;
  if (peer === undefined) return "";
  const own =
    device === "cuda"
      ? json("bench/results/accuracy-2026-11-21-h200.json").ops[name]?.[dtype]
      : Math.max(
          ...json(`test/data/accuracy/${name}.json`)[dtype].map((row) => Number(row.split(" ").at(-1))),
        );
  const show = (value) => (value < 1e4 ? value.toFixed(1) : value.toExponential(0));
  return `; largest error ${show(own)} ULP, PyTorch's ${show(peer)}`;
}

function chart(device) {
  const { subject } = devices[device];
  const cases = measured(devices[device]);
  const bars = classes.map(([label, from, color], i) => {
    const below = classes[i + 1]?.[1] ?? Number.POSITIVE_INFINITY;
    return { label, color, value: cases.filter(({ share }) => share >= from && share < below).length };
  });
  return barChart(
    subject,
    `${cases.length} functions and dtypes, by jitlab's speed relative to PyTorch's`,
    bars,
  );
}

function section(device) {
  const { title, subject, records, changed, reasons } = devices[device];
  const cases = measured(devices[device]);
  const links = records.map((one) => `[${one}](../bench/results/${newest(one).file})`).join(", ");
  const behind = cases.filter((one) => one.share < gap).sort((a, b) => a.share - b.share);
  const rows = Object.entries(reasons).map(([names, reason]) => {
    const found = take(behind, names.split(" "));
    if (found.length === 0) throw new Error(`${device}: ${names} no longer needs a reason`);
    return `| ${[...new Set(found.map(caseName))].join("<br>")} | ${range(found)} | ${reason}${errorsOf(device, found[0])} |`;
  });
  const others = behind.map((one) => `${caseName(one)} (${one.share.toFixed(2)})`);
  const share = Math.round((100 * cases.filter((one) => one.share >= 0.95).length) / cases.length);
  return [
    `## ${title}`,
    "",
    `${subject}. ${share} % of the ${cases.length} measured functions and dtypes run at 0.95 of PyTorch's speed or more. Records: ${links}.`,
    "",
    `![${subject}: how many functions are slower than PyTorch's, equal, and faster](speed-${device}.svg)`,
    "",
    `Below ${gap} of PyTorch's speed:`,
    "",
    "| function | speed ÷ PyTorch's | reason |",
    "| --- | ---: | --- |",
    ...rows,
    "",
    ...(others.length > 0 ? [`Also: ${others.join(", ")}.`, ""] : []),
    `Not counted, because the code changed after the record: ${changed.map((name) => `\`${name}\``).join(", ")}.`,
    "",
  ];
}

/** The charts of docs/performance.md, by device. */
export const speedCharts = { cpu: () => chart("cpu"), cuda: () => chart("cuda") };

const number = (value) => (value === undefined ? "–" : String(Number(value.toPrecision(3))));
const recorded = (file) => `[${file}](../bench/results/${file})`;

/** What the two charts above show, and more, as numbers. */
function deviceTable() {
  const { file, rows, peers } = newest("cuda");
  const names = ["torch", "cupy", "jax"];
  const shown = [
    ...["first/gcd-cold", "first/gcd-disk", "first/start", "host/add", "host/jit"],
    ...["bandwidth/add", "bandwidth/row", "bandwidth/transposed", "bandwidth/chain", "bandwidth/lgamma"],
  ].map((id) => rows.find((row) => row.id === id));
  return [
    "Less is better for s, ms and μs, more for TB/s.",
    "",
    `|  | unit | jitlab | ${names.map((name) => `${name} ${peers[name]}`).join(" | ")} |`,
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...shown.map(
      (row) =>
        `| ${row.title} | ${row.unit.replace("us", "μs")} | ${[row.ours, ...names.map((name) => row.peers[name])].map(number).join(" | ")} |`,
    ),
    "",
    `Recorded in ${recorded(file)}, with everything else that was measured.`,
    "",
  ];
}

/** What the kernels of notebooks do, beside times of the newest record. */
const kernelFacts = [
  ["language", "TypeScript", "Python", "TypeScript", "TypeScript"],
  ["types are checked before a cell runs", "yes", "no", "no", "yes"],
  ["completion", "language service", "IPython, jedi", "evaluates the prefix", "language service"],
  ["hover shows types", "yes", "docstrings", "no", "yes"],
  ["heartbeat while a cell runs", "yes", "yes", "yes", "no"],
  ["a crash of native code keeps the kernel", "yes, values lost", "no", "no", "no"],
  ["magics", "about 50", "about 100", "none", "none"],
  ["widgets", "yes", "yes", "send only", "no"],
  ["a debugger in the front end", "yes", "yes", "no", "no"],
  ["packages of its language", "npm", "PyPI", "npm, JSR, URLs", "npm"],
];

function kernelTable() {
  const { file, rows, peers } = newest("kernel");
  const names = ["ipykernel", "deno", "tslab"];
  const timed = [
    ["kernel/first-cell", "start until the first cell is done, ms"],
    ["kernel/cell", "a trivial cell, ms"],
    ["kernel/complete-busy", "completion while a cell of some seconds runs, ms"],
  ].map(([id, title]) => {
    const row = rows.find((one) => one.id === id);
    const values = [row.ours, ...names.map((name) => row.peers[name])];
    return `| ${[title, ...values.map(number)].join(" | ")} |`;
  });
  return [
    `|  | jitlab | ${names.map((name) => `${name} ${/\d+\.\d+/.exec(peers[name])?.[0]}`).join(" | ")} |`,
    "| --- | --- | --- | --- | --- |",
    ...timed,
    ...kernelFacts.map((row) => `| ${row.join(" | ")} |`),
    "",
    `Times on two processor cores (${recorded(file)}), by \`npm run bench:kernel:peers\` and then \`npm run bench -- kernel\`.`,
    "",
  ];
}

/** docs/performance.md */
export function performancePage(written) {
  return `${[
    written,
    "# Performance: jitlab and PyTorch, function by function",
    "",
    "## How it is measured",
    "",
    "Both libraries run in processes side by side and take turns of a few launches, so other load on the machine slows both alike. Outputs exist",
    "already. A figure is the median of the turns. Arguments are drawn from the interval that the operation's record states.",
    "",
    "- `npm run bench -- functions` measures every operation of one or two operands. On a GPU, tensors exceed its caches. On a processor, one thread works on",
    "  tensors in its L2 cache, where memory does not hide arithmetic: `taskset -c 1 npm run bench -- functions --log2 17 --turns 25`.",
    "- `npm run bench -- tensors` measures indexing, scans, sorting, statistics and matrix products, with everything that a call does.",
    "- `npm run bench -- programs` measures compiled functions: [the tables](compile.md#speed) beside torch.compile and jax.jit.",
    "",
    ...section("cpu"),
    ...section("cuda"),
    "## Beside CuPy and JAX on a GPU",
    "",
    "![Time of calls on one H200: jitlab, torch, CuPy and JAX](bench-calls.png)",
    "",
    "![Throughput on one H200: jitlab, torch, CuPy and JAX](bench-throughput.png)",
    "",
    ...deviceTable(),
    "## Kernels of notebooks",
    "",
    ...kernelTable(),
    "## What limits a function's speed",
    "",
    "- **Memory.** Arithmetic, comparisons and rounding wait for memory on every device. Only fewer passes help: put several operations into one kernel with",
    "  [`jl.compile`](compile.md) or `jl.fuse`.",
    "- **The vector unit.** GCC on a processor with AVX-512 gives the speeds above. With Clang, or without AVX-512, the same functions use plain vector code.",
    "- **Rare arguments.** Special functions compute ordinary arguments in vector registers. A block of elements with large or special arguments takes the",
    "  general path, one element at a time.",
    "- **The first calls.** V8 compiles the library's functions on threads of its own, four whatever the number of cores. The kernel's process has one less than cores;",
    "  for a script on two cores `NODE_OPTIONS=--v8-pool-size=1` takes half of the time of its first hundred steps. A V8 flag such as `--max-old-space-size` makes one import",
    "  slower: the first process with new flags keeps the library's compiled code for the next ones in the cache folder. Dropped results: [memory](memory.md).",
    "- **WebAssembly** has registers of two doubles and no fused multiply-add. Its functions of doubles compute one element at a time.",
    "",
    "Errors of every function: [accuracy.md](accuracy.md). All records: [bench/results](../bench/results).",
  ].join("\n")}\n`;
}
