// docs/performance.md from the records of `npm run bench:functions` in bench/results and the errors of test/data/accuracy.
import { readdirSync, readFileSync } from "node:fs";
import { tensorSection } from "./tensor-performance.mjs";

const root = new URL("../", import.meta.url);
const json = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
/** The fraction of PyTorch's speed below which a function is behind: turns on a busy machine differ by as much. */
const even = 0.98;

const same = "CUDA's own function in both libraries; what differs is not known";
/** Why functions are behind, by device; from the first list with the function's name, or its name and dtype. */
const reasons = {
  cpu: [
    [
      "erfc gelu ndtr logNdtr ndtri",
      "in registers with tables; ours keeps the digits of the tail, which takes more instructions",
    ],
    [
      "exp log log2 log10 sigmoid silu erf erfinv atanh tanhshrink lgamma",
      "in registers with tables, as PyTorch's: what differs is the launch and what else the machine does",
    ],
    [
      "softplus logsigmoid logit logaddexp",
      "what the exponential, the sum and the division lose counts in ours",
    ],
    ["sqrt", "from an estimate, as PyTorch's; in this record by the processor's slower instruction"],
    ["logaddexp2", "of exp2 and log1p, which evaluate polynomials without tables"],
    ["ldexp", "a whole exponent is exact, which is asked of each element"],
    ["i0e i1e", "a series and a tail in two words for every argument"],
    [
      "exp2 log1p sin cos tan tanh asin acos atan sinh cosh asinh acosh",
      "PyTorch's are Intel's, with tables; ours evaluate polynomials, without them",
    ],
    [
      "besselJ0 besselJ1 besselY0 besselY1",
      "in this record one element at a time; since then in vector registers, by a table of pieces",
    ],
    [
      "gammainc gammaincc zeta",
      "in vector registers since this record, which has the form of one element at a time",
    ],
    ["digamma", "ours keeps the digits of every argument, in two words and one element at a time"],
    [
      "abs add angle ceil clampMax clampMin deg2rad div floor frac hardshrink hardsigmoid hardswish hardtanh isneginf isposinf isreal leakyRelu logicalAnd logicalNot logicalOr maximum minimum mul nanToNum neg rad2deg reciprocal relu relu6 round rsub sgn sign softshrink square sub trunc",
      "waits for the L2 cache, where the loop over three operands takes 13 to 17 us by the pages that they lie in; a launch that V8 has not compiled, as the first of this record, takes 2 us more",
    ],
  ],
  cuda: [
    [
      "sin cos sinc",
      "a large angle is reduced with integers instead of doubles, and every angle in two words",
    ],
    ["tan", "the angle and the quotient in two words"],
    ["gelu", "the normal distribution keeps the digits of its tail"],
    ["logit", "keeps what the subtraction and the division lose"],
    [
      "lgamma digamma polygamma trigamma zeta",
      "keeps the digits beside the zeros and below zero, in two words; an argument below zero holds up those beside it",
    ],
    ["erf erfc asin acos atan sinh cosh tanh asinh acosh atanh log1p exp exp2 pow fmod remainder", same],
  ],
};
const other = "not known";
/** For real numbers these are views in PyTorch, which take no time. */
const views = ["conj", "positive", "real"];

/** The newest record of a subject, or undefined. */
function newest(subject) {
  const file = readdirSync(new URL("bench/results/", root))
    .filter((name) => name.endsWith(`-${subject}.json`))
    .sort()
    .at(-1);
  return file === undefined ? undefined : { file, ...json(`bench/results/${file}`) };
}

/** The largest errors of a function, ours and PyTorch's; halves are float32's results rounded once. */
function errorsOf(device, name, dtype) {
  const width = dtype === "float64" ? "float64" : dtype === "float32" ? "float32" : undefined;
  const peer = json(`test/data/accuracy-torch-${device}.json`).ops[name]?.[width]?.largest;
  if (peer === undefined) return ["–", "–"];
  const show = (value) =>
    value === undefined ? "–" : value < 1e4 ? value.toFixed(2) : value.toExponential(0);
  if (device === "cuda")
    return [show(json("bench/results/accuracy-2026-11-21-h200.json").ops[name]?.[width]), show(peer)];
  const points = json(`test/data/accuracy/${name}.json`)[width];
  return [show(Math.max(...points.map((row) => Number(row.split(" ").at(-1))))), show(peer)];
}

function section(device, title) {
  const record = newest(`functions-${device}`);
  if (record === undefined) return [];
  // Functions that were measured again after they changed, unless all were since.
  const part = newest(`halves-${device}`);
  const again = part && part.date > record.date ? part : undefined;
  const latest = new Map([...record.rows, ...(again?.rows ?? [])].map((row) => [row.id, row]));
  const rows = [...latest.values()].filter(
    ({ id, ours, peers }) => ours !== undefined && peers.torch > 0 && !views.includes(id.split("/")[1]),
  );
  const behind = rows
    .map((row) => ({ ...row, share: row.ours / row.peers.torch }))
    .filter(({ share }) => share < even)
    .sort((a, b) => a.share - b.share);
  const why = (name) => reasons[device].find(([names]) => names.split(" ").includes(name))?.[1] ?? other;
  const unit = rows[0]?.unit ?? "";
  const machine = Object.entries(record.machine)
    .filter(([key]) => ["cpu", "device", "elements", "compiler"].includes(key))
    .map(([, value]) => value)
    .join("; ");
  return [
    `## ${title}`,
    "",
    `${machine} ([record](../bench/results/${record.file})${again ? `, those that changed [again](../bench/results/${again.file})` : ""}). Of ${rows.length} functions and dtypes that both libraries have, ${rows.length - behind.length}`,
    `run at ${even} of PyTorch's speed or more. The others, with ${unit} of both and the largest errors of both in units of the last place:`,
    "",
    "| function | dtype | of PyTorch | ours | PyTorch | our error | its error | why |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ...behind.map(({ id, share, ours: own, peers }) => {
      const [, name, dtype] = id.split("/");
      const [error, peer] = errorsOf(device, name, dtype);
      return `| ${name} | ${dtype} | ${share.toFixed(2)} | ${own.toPrecision(3)} | ${peers.torch.toPrecision(3)} | ${error} | ${peer} | ${why(name)} |`;
    }),
    "",
  ];
}

/** docs/performance.md */
export function performancePage(written) {
  return `${[
    written,
    "# Performance",
    "",
    "What is at the hardware's limit, what is behind PyTorch and why, and how each is measured.",
    "",
    "## How it is measured",
    "",
    "`npm run bench:functions` runs every operation of one or two floating numbers on tensors that no cache of a GPU holds, and PyTorch's own in a",
    "process beside it. The two take turns of a few launches, with outputs that are there already, so that whatever else the machine does",
    "falls on both alike; a figure is the median of the turns, and counts each input and output once. On a processor two seconds of such launches come",
    "first, in which V8 compiles their code. `--device cuda` does the same on a GPU",
    "with the driver's clock. The processor's record is one of a single thread and of tensors in its L2 cache, where memory hides no",
    "arithmetic: `taskset -c 1 npm run bench:functions -- --log2 17 --turns 25`. Arguments are drawn from the interval of the operation's record. Errors are those of [accuracy.md](accuracy.md).",
    "",
    "## What bounds a function",
    "",
    "- **Memory.** Arithmetic, comparisons, rounding and the like wait for memory alone, on every device: no kernel of one operation can be",
    "  quicker, and several operations in one kernel (`jl.compile`, `jl.fuse`) are.",
    "- **Arithmetic on a processor.** Elementary functions of the library have no branches, no calls and no tables, so that the compiler puts",
    "  eight doubles or sixteen floats into a register of 512 bits. They compute in one word where the error stays within one unit, and with a",
    "  second word elsewhere; one division serves where two quotients are needed, and a double that becomes a float starts from a float's quotient.",
    "  Sine, cosine, tangent, `fmod`, `remainder` and `floorDivide` have a form for ordinary arguments, which a block of 256 takes",
    "  as a whole; a block with another argument takes the general form, for circular functions that of the C library.",
    "  So have `zeta`, `polygamma`, `gammainc` and `gammaincc`: a fixed number of terms, of doubles in two words. `gammainc` sums 64 of them as one quotient,",
    "  with two divisions in all. Beyond orders of 32 and arguments of 16 (floats: 40 and 20) these take one element at a time, a quarter of PyTorch's speed.",
    "- **Tables in registers.** With GCC and AVX-512 the most frequent functions (`exp`, `log`, `log2`, `log10`, `sigmoid`, `silu`, `mish`, `tanhshrink`, `atanh`,",
    "  `erfc`, `erfinv`, `ndtr`, `gelu`, of floats `tanh`, and of doubles `erf`, `ndtri`, `logNdtr` and `lgamma`) take a register at a time: an instruction reads",
    "  16 or 32 entries of a table that lies in registers, so that short polynomials suffice. What bounds them is the number of instructions, two in a cycle. Clang, and processors",
    "  without AVX-512, compute the forms above. A table of `gelu` of floats itself, for numbers above -5.9, was tried: PyTorch's speed (23 GB/s) at 1.2 units,",
    "  but 9 GB/s where registers hold smaller numbers too, which the form by the tail computes at 15 with 0.67 units: it stays.",
    "- **Square roots.** The processor's instructions for square roots and divisions take two to three times as long as an estimate to 14 bits and",
    "  Newton's steps, so `sqrt` and `rsqrt` of registers do that. The last step of `sqrt` rounds correctly, as the instruction does: the kernel reads",
    "  and writes 69 GB/s of floats instead of 41 and 57 of doubles instead of 20, also 27 of them where half of the numbers are negative or zero.",
    "- **Arithmetic on a GPU.** The library takes the GPU's own functions where they are accurate, and its own where they lose digits.",
    "  Sine, cosine and tangent of floats have a form for ordinary arguments there too: a thread computes all its elements by it,",
    "  without a branch between them, and again one by one if an argument was not ordinary.",
    "  A thread reads two words of each operand, which lie a block apart, before it computes the first, and all threads of a block share the",
    "  condition that it is whole, so that they share constants too. Against one word for each of 256 threads, of PyTorch on an H200: `erfc` 1.00 (0.90), `acosh` 1.00 (0.92),",
    "  `pow` 0.96 (0.86); of doubles `asin` 1.01 (0.84), `atan` 1.04 (0.90), `exp` 1.04 (0.97), `erf` 1.00 (0.84),",
    "  `gelu` 0.78 (0.71), `logit` 0.80 (0.76); copies and sums lose up to 1 %. Doubles of long functions wait for their arithmetic.",
    "  Four bytes of float32 leave time for about forty instructions, two of a half type for about twenty: half types have forms of the",
    "  functions that need more (`sin`, `cos`, `tan`, `sinc`, `sinh`, logarithms, `logit`, `sigmoid`, `silu`, `logsigmoid`, `erfc`, `gelu`), with approximate",
    "  instructions and short polynomials, that compute no more digits than the result keeps. Before and after, of PyTorch on an H200: `tan` 0.52 and 1.12,",
    "  `logit` 0.53 and 1.47, `gelu` 0.54 and 1.20, all others 0.60 to 0.98 and 1.04 to 1.77 ([record](../bench/results/2026-11-23-halves-cuda.json)).",
    "  `gelu` takes about 44 instructions of a float instead of 61, and 125 of a double instead of 240, `logit` 47 and 132 instead of 65 and 146, `lgamma` of a half",
    "  type 61, since that record. `lgamma` takes one way for all ordinary numbers since then, with 185 instructions in double where its kernel had 1011, for errors of",
    "  at most one unit instead of 0.51; so does `digamma`, with about 180 where its kernel had 531. Neither was timed since.",
    "- **WebAssembly** has neither a fused multiplication and addition nor registers of more than two doubles: functions of doubles are the C",
    "  library's, one element at a time.",
    "",
    ...section("cpu", "On the processor"),
    ...section("cuda", "On the GPU"),
    ...tensorSection(),
  ].join("\n")}\n`;
}
