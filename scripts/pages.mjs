// Writes the generated pages of docs/: operations.md from the op records, tensors.md and library.md from the comments of
// runtime/, accuracy.md from the errors that are recorded beside the points of test/data/accuracy, performance.md
// and its charts (performance.mjs) from records of the benchmark, magics.md and environment.md from their tables. `npm run docs` writes
// them; test/project/pages.test.ts fails where they are old.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { agentsPage, llmsText } from "./agents.mjs";
import { performancePage, speedCharts } from "./performance.mjs";
import { errorCases, reference } from "./reference.mjs";
import { newestRecord, tasksChart } from "./tasks-chart.mjs";

const root = new URL("../", import.meta.url);
const json = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
const { planOf } = await import(new URL("dist/runtime/ops/op.js", root).href);
const { ops } = await import(new URL("dist/runtime/ops/index.js", root).href);
const { helpText, magics } = await import(new URL("dist/magics/table.js", root).href);
const { optionText } = await import(new URL("dist/magics/child/reference.js", root).href);
const { variables } = await import(new URL("dist/runtime/base/env.js", root).href);
const { reductions } = await import(new URL("dist/runtime/functor/reduction.js", root).href);
const { dtypeList } = await import(new URL("dist/runtime/base/dtype.js", root).href);

const written = "<!-- Written by scripts/pages.mjs (npm run docs). -->";

/** The families of operations: a file of records each, in the order of the table. */
async function families() {
  const files = readdirSync(new URL("dist/runtime/ops/", root)).filter(
    (file) => file.endsWith(".js") && !["index.js", "op.js", "rules.js"].includes(file),
  );
  const order = Object.keys(ops);
  const found = [];
  for (const file of files) {
    const records = Object.values(await import(new URL(`dist/runtime/ops/${file}`, root).href)).flatMap(
      (value) => Object.keys(value).filter((name) => ops[name] !== undefined && ops[name] === value[name]),
    );
    const title = file.replace(".js", "").replaceAll("-", " ");
    if (records.length > 0) found.push({ title: title[0].toUpperCase() + title.slice(1), names: records });
  }
  return found.sort((a, b) => order.indexOf(a.names[0]) - order.indexOf(b.names[0]));
}

/** The dtypes of an operation, joined where result and argument are of one kind. */
function dtypesOf(op) {
  const taken = new Map();
  for (const dtype of dtypeList) {
    const plan = planOf(op, dtype);
    if ("refuse" in plan) continue;
    const result = plan.out.name === dtype.name ? "" : plan.out.name;
    taken.set(result, [...(taken.get(result) ?? []), dtype.name]);
  }
  return [...taken]
    .map(([result, names]) => (result ? `${names.join(" ")} → ${result}` : names.join(" ")))
    .join("; ");
}

/** A record's accuracy. */
function accuracyOf({ ulp }) {
  if (ulp.float32 === 0 && ulp.float64 === 0) return "exact, or correctly rounded";
  return ulp.float32 === ulp.float64
    ? `${ulp.float32} ULP`
    : `${ulp.float32} ULP in float32, ${ulp.float64} ULP in float64`;
}

/** An option with its values and meaning. */
function optionOf(name, option) {
  const values = option.choices
    ? Object.keys(option.choices)
        .map((choice) => `\`"${choice}"\``)
        .join(" or ")
    : typeof option.default === "string"
      ? `a number (default: ${option.default})`
      : `default \`${option.default}\``;
  return `\`${name}\`, ${values}: ${option.doc}`;
}

/** The call that names the operands after the first. */
function byNames(name, { without }) {
  const [b, c] = Object.keys(without);
  return `\`jl.${name}(a, { ${b}: b, ${c}: c })\`, or one of them`;
}

function operationOf(name) {
  const op = ops[name];
  const roles = op.operands ?? [];
  const names = ["a", "b", "c"].slice(0, op.arity);
  const signature = names.map((letter, i) => {
    const role = roles[i] ?? "common";
    return role === "common" ? letter : `${letter}: ${role}`;
  });
  const lines = [
    `### ${name}`,
    "",
    `\`jl.${name}(${signature.join(", ")}, { ${[...Object.keys(op.options ?? {}), "out"].map((key) => `${key}?`).join(", ")} })\`${op.operator ? `, \`${op.operator}\` in jl.fuse` : ""}: ${op.doc}`,
    "",
    `- dtypes: ${dtypesOf(op)}`,
    `- accuracy: ${accuracyOf(op)}`,
    `- tested on: ${op.domain[0]} to ${op.domain[1]}, and special values`,
  ];
  for (const [key, option] of Object.entries(op.options ?? {})) lines.push(`- ${optionOf(key, option)}`);
  if (op.without) lines.push(`- b and c by name: ${byNames(name, op)}`);
  if (op.aliases) lines.push(`- also: ${op.aliases.map((alias) => `\`${alias}\``).join(", ")}`);
  if (op.numpy) lines.push(`- elsewhere: \`${op.numpy}\``);
  return [...lines, "", "```ts", op.example, "```", ""];
}

/** The reductions, with the JSDoc of their records. */
function reductionsSection() {
  const source = readFileSync(new URL("runtime/functor/reduction.ts", root), "utf8");
  const rows = Object.entries(reductions).map(([name, reduction]) => {
    const [, doc = ""] = new RegExp(`/\\*\\* ([^*]*) \\*/\\s+${name}: \\{`).exec(source) ?? [];
    return `| ${name} | ${doc} | ${reducedDtypes(reduction)} | ${reduction.needsElements ? "refused" : "its own value"} |`;
  });
  return [
    "## Reductions",
    "",
    "`jl.sum(x, dim?, { keepdim?, dtype?, out? })` and `x.sum(...)`: over all dimensions, over one (negative ones count from the end) or over a",
    "list of them. Equal calls give equal bits on one device: the [order of the additions](reductions.md) depends only on shape, strides and dtype.",
    "`dtype` converts the elements first (`sum`, `prod`, `mean`).",
    "",
    "| reduction | result | dtypes | of no elements |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ];
}

/** The dtypes of a reduction, joined where the results' are. */
function reducedDtypes({ plan }) {
  const taken = new Map();
  for (const dtype of dtypeList) {
    const found = plan(dtype);
    if ("refuse" in found) continue;
    const result = found.result.name === dtype.name ? "" : found.result.name;
    taken.set(result, [...(taken.get(result) ?? []), dtype.name]);
  }
  return [...taken]
    .map(([result, names]) => (result ? `${names.join(" ")} → ${result}` : names.join(" ")))
    .join("; ");
}

/** docs/operations.md */
export async function operationsPage() {
  const groups = await families();
  const index = groups.map(
    ({ title, names }) => `- ${title}: ${names.map((name) => `[${name}](#${name.toLowerCase()})`).join(" ")}`,
  );
  return `${[
    written,
    "# Operations",
    "",
    `The ${Object.keys(ops).length} elementwise operations. Each is a function \`jl.add(a, b)\`, a method \`a.add(b)\` and a method \`a.add_(b)\` that writes into \`a\`.`,
    "Options are an object after the operands. A new value of an option reuses the kernel. `out` is the tensor to write into.",
    "Operands are tensors or numbers whose shapes broadcast. They are converted to a common dtype, by PyTorch's rules (`jl.promoteTypes`). Each entry lists",
    "the common dtypes that it accepts; `→` names the result's dtype if it differs. Half types compute in float32. The accuracy is the largest",
    "error of real numbers in units in the last place (ULP); [accuracy.md](accuracy.md) has the measured errors.",
    "",
    ...index,
    "",
    ...groups.flatMap(({ title, names }) => [`## ${title}`, "", ...names.flatMap(operationOf)]),
    ...reductionsSection(),
  ]
    .join("\n")
    .trimEnd()}\n`;
}

/** A page of entries of the reference, by file. */
function referencePage(title, lead, sections) {
  const entry = ({ name, forms }) => [
    `### ${name}`,
    "",
    ...forms.flatMap(({ calls, text, options = [], example, gives }) => [
      calls.map((call) => `\`${call}\``).join(", "),
      "",
      ...(text ? [text, ""] : []),
      ...options.map((option) => `- ${optionText({ ...option, type: `\`${option.type}\`` })}`),
      ...(options.length > 0 ? [""] : []),
      ...(example ? ["```ts", `${example} // ${gives}`, "```", ""] : []),
    ]),
  ];
  const body = sections.flatMap((section) => [`## ${section.title}`, "", ...section.entries.flatMap(entry)]);
  return `${[written, `# ${title}`, "", ...lead, "", ...body].join("\n").trimEnd()}\n`;
}

/** docs/tensors.md: the functions and methods of tensors. */
function tensorsPage() {
  return referencePage(
    "Functions of tensors",
    [
      "All functions that are not elementwise; [operations.md](operations.md) has the others. A function whose first argument is a tensor is also a method: `x.sort()`.",
      "Names, options and results are PyTorch's. A name that ends in `_` writes into its tensor. In a notebook, `x.slice?` and `%help jl.rand` show the same text.",
      "Each example is executed as a test.",
      "",
      "A call with invalid arguments throws a `JitlabError`. Its `code` is one of",
      "",
      "| code | when | example |",
      "| --- | --- | --- |",
      ...errorCases.map(({ code, when, call }) => `| \`${code}\` | ${when} | \`${call}\` |`),
    ],
    reference().filter(({ tensors }) => tensors),
  );
}

/** docs/library.md: the functions that are not tensors' own. */
function libraryPage() {
  return referencePage(
    "Functions of the library",
    [
      "Kernels, programs, devices and their costs. Each example is executed as a test; the one of `rawKernel` needs a GPU.",
    ],
    reference().filter(({ tensors }) => !tensors),
  );
}

const widths = ["float32", "float64"];
/** The errors of a GPU, recorded there by `JITLAB_TEST_DEVICE=cuda JITLAB_ACCURACY_SUMMARY=... npm run test:conformance -- accuracy`. */
const gpuRun = "bench/results/accuracy-2026-11-21-h200.json";
/** The errors of the wasm device, recorded by `JITLAB_TEST_DEVICE=wasm npm run test:conformance -- accuracy`. */
const wasmRun = "bench/results/accuracy-2026-11-22-wasm.json";

const vector = "without branches and tables, for vector registers";
const tables = "in one word, by tables in registers";
const because = (reason, names) =>
  Object.fromEntries(names.split(" ").flatMap((name) => widths.map((width) => [`${name} ${width}`, reason])));
/** Why PyTorch is more accurate, for each pair of function and dtype where it is by 0.05 units. */
const reasons = {
  cpu: {
    ...because(vector, "acos asin atan atan2 cos exp2 expm1 pow sin tan"),
    ...because(tables, "atanh erf erfc erfinv exp lgamma log log2 log10 ndtri sigmoid tanh"),
    "logsigmoid float32":
      "the same formula as PyTorch's, with another rounding of exp; on ten times as many other points both reach 1.14",
  },
  cuda: {
    "i0 float64": "in one word, for twice the throughput",
  },
};

/** The largest errors at Boost's points, of test/ops/boost.test.ts and scripts/boost_points.py. */
function boostTable() {
  const [ours, peers] = [json("test/data/boost-cpu.json"), json("test/data/boost-peers.json")];
  const show = (value) =>
    value >= 1000 ? value.toExponential(0).replace("+", "") : String(Number(value.toPrecision(2)));
  const peer = (library, op) => {
    const { largest, above200 } = peers[library][op] ?? {};
    return largest === undefined ? "–" : `${show(largest)}${above200 > 0 ? `, ${above200} above 200` : ""}`;
  };
  return [
    "## At the points of Boost",
    "",
    "Boost publishes 7 628 points for its tests of these 22 functions, and SciPy ships them. The largest relative error, in units of 2^-52, and the number of points",
    `above 200 units; float64 on a processor, PyTorch ${peers.versions.torch}, SciPy ${peers.versions.scipy} (\`scripts/boost_points.py\`, \`test/ops/boost.test.ts\`).`,
    "",
    "| function | jitlab | PyTorch | SciPy |",
    "| --- | ---: | ---: | ---: |",
    ...Object.entries(ours).map(
      ([op, error]) => `| ${op} | ${show(error)} | ${peer("torch", op)} | ${peer("scipy", op)} |`,
    ),
    "",
    "digamma is farthest from the exact value near its zeros below 0.",
    "",
    "## At points of our own",
    "",
  ];
}

/** docs/accuracy.md */
export function accuracyPage() {
  const gpu = json(gpuRun);
  const embedded = json(wasmRun);
  const torch = {
    cpu: json("test/data/accuracy-torch-cpu.json"),
    cuda: json("test/data/accuracy-torch-cuda.json"),
  };
  const behind = { cpu: [], cuda: [] };
  const show = (value) =>
    value === undefined ? "–" : value < 1e6 ? value.toFixed(2) : value.toExponential(1);
  const rows = readdirSync(new URL("test/data/accuracy/", root))
    .sort()
    .flatMap((file) => {
      const table = json(`test/data/accuracy/${file}`);
      const name = table.op;
      return widths.map((width) => {
        const points = table[width];
        const cpu = Math.max(...points.map((row) => Number(row.split(" ").at(-1))));
        const cuda = gpu.ops[name]?.[width];
        const wasm = embedded.ops[name]?.[width];
        const against = (device, ours) => {
          const { largest: peer, missed } = torch[device].ops[name]?.[width] ?? {};
          if (ours > peer + 0.05) behind[device].push({ pair: `${name} ${width}`, ours, peer });
          const better = ours < peer - 0.05 || (missed > 0 && ours <= peer + 0.05);
          return `${better ? `**${show(ours)}**` : show(ours)} | ${show(peer)}${missed ? `, ${missed} missed` : ""}`;
        };
        const stated = ops[name].ulp[width];
        return `| ${name} | ${width} | ${points.length} | ${stated} | ${against("cpu", cpu)} | ${against("cuda", cuda)} | ${show(wasm)} |`;
      });
    });
  const nearer = (device, where) => [
    `### ${where}`,
    "",
    ...behind[device].map(({ pair, ours, peer }) => {
      const reason = reasons[device][pair];
      if (reason === undefined) throw new Error(`${pair} fell behind PyTorch: ${ours} instead of ${peer}`);
      return `- ${pair.replace(" ", ", ")}: ${ours.toFixed(2)} instead of ${peer.toFixed(2)}; ${reason}.`;
    }),
    "",
  ];
  return `${[
    written,
    "# Accuracy: errors of jitlab's and PyTorch's functions",
    "",
    ...boostTable(),
    "The table lists the largest error of each function that is not exact, in units in the last place (ULP) of the exact result. mpmath computed the exact values",
    `with 50 digits, at the points in \`test/data/accuracy\` (\`scripts/accuracy.py\`). For digamma, lgamma and multigammaln the unit is that of max(|f|, 0.25),`,
    "because their zeros are not representable. `test/ops/accuracy.test.ts` fails if the error at one point grows.",
    "",
    "A function of a half type is the float32 result, rounded once. On a GPU sixteen of them compute only the digits that the half type keeps",
    "(`halves.cuda.cuh`), within 0.51 ULP. `test/conformance/half.test.ts` compares all 65536 arguments of every function of one operand.",
    "",
    `cpu: g++ 12.2, glibc 2.36, x86-64. cuda: ${gpu.machine} (\`${gpuRun}\`). wasm: ${embedded.machine.replace(/^WebAssembly, \d+ threads, /, "")} (\`${wasmRun}\`). PyTorch: ${torch.cpu.torch} and ${torch.cuda.torch}, on the same device and points`,
    "(`scripts/accuracy_torch.py`). – : PyTorch lacks the function, or the run did not measure it. Missed: points where the result is infinite or NaN and",
    "the exact one is not, or the reverse. Bold: jitlab is more accurate than PyTorch by 0.05 ULP or more, or misses no point where PyTorch does.",
    "",
    "| function | dtype | points | stated | cpu | PyTorch cpu | cuda | PyTorch cuda | wasm |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    "## Functions where PyTorch is more accurate",
    "",
    "By 0.05 ULP or more. jitlab stays within the stated error at each of these points.",
    "",
    ...nearer("cpu", "On the cpu"),
    ...nearer("cuda", "On the GPU"),
  ].join("\n")}\n`;
}

/** Every magic with its help from `%name?`. */
function magicsPage() {
  const sections = magics.map((magic) => {
    const names = magic.kinds.map((kind) => `${kind === "cell" ? "%%" : "%"}${magic.name}`);
    return `### ${names.join(", ")}\n\n\`\`\`text\n${helpText(magic)}\n\`\`\`\n`;
  });
  const index = magics.map((magic) => {
    const names = magic.kinds.map((kind) => `${kind === "cell" ? "%%" : "%"}${magic.name}`);
    const [summary = ""] = /^.*?[.:](?=\s|$)/s.exec(magic.doc) ?? [magic.doc];
    return `| \`${names.join("`, `")}\` | ${summary.replace(/[.:]$/, "").replace(/\s+/g, " ").replaceAll("|", "\\|")} |`;
  });
  const lead =
    "A line that starts with `%` is a magic, and so is a cell that starts with `%%`. `%lsmagic` lists them, `%name?` shows the text below.";
  return `# Magics\n\n${written}\n\n${lead}\n\n| magic | does |\n| --- | --- |\n${index.join("\n")}\n\n${sections.join("\n")}`;
}

/** Every environment variable that jitlab reads. */
function environmentPage() {
  const cell = (text) => text.replaceAll("|", "\\|");
  const rows = Object.values(variables).map(
    ({ name, type, default: value, doc }) => `| \`${name}\` | ${type} | ${cell(value)} | ${cell(doc)} |`,
  );
  const head = "| variable | type | default | meaning |\n| --- | --- | --- | --- |";
  return `# Environment variables\n\n${written}\n\n${head}\n${rows.join("\n")}\n`;
}

/** The pages by their paths, as functions that make them. */
export const pages = {
  "docs/operations.md": operationsPage,
  "docs/tensors.md": tensorsPage,
  "docs/library.md": libraryPage,
  "docs/accuracy.md": accuracyPage,
  "docs/performance.md": () => performancePage(written),
  "docs/speed-cpu.svg": speedCharts.cpu,
  "docs/speed-cuda.svg": speedCharts.cuda,
  ...(newestRecord() && { "docs/tasks.svg": () => tasksChart() }),
  "docs/magics.md": magicsPage,
  "docs/environment.md": environmentPage,
  "AGENTS.md": agentsPage,
  "llms.txt": llmsText,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, page] of Object.entries(pages)) writeFileSync(new URL(path, root), await page());
}
