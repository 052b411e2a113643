// The part of docs/performance.md about functions of whole tensors, from the newest records of `npm run bench:tensors`.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../bench/results/", import.meta.url);
/** The fraction of PyTorch's speed below which a function is behind. */
const even = 0.98;

/** Why functions are behind on a GPU; from the first list with the function's name. */
const reasons = [
  [
    "gather take",
    "the call waits for its kernel, because an index out of bounds is an error of the call itself; a test of as many indexes before the read would read them twice",
  ],
  ["index-select", "the indexes are tested by a kernel of their own, which the call waits for"],
  [
    "scatter-add scatter-add-wide index-add k-means",
    "equal calls give equal bits: the indexes are sorted and joined in a fixed order, where PyTorch adds in the order in which threads arrive",
  ],
  ["sort argsort", "a pass for each 8 bits reads the keys twice, to count and to move; PyTorch's once"],
  ["unique masked-select nonzero", "the call waits for the number of results, and so does PyTorch's"],
  ["life", "a launch for each operation of a small board; `jl.compile` needs fewer"],
  ["cumsum", "blocks hand their sums on in a fixed order; PyTorch's in the order of arrival"],
  ["argmin-rows max-rows-indices", "not known"],
];

/** The section's lines: the functions that are behind, with milliseconds (products: TFLOP/s) of both libraries. */
export function tensorSection() {
  const file = readdirSync(folder)
    .filter((name) => name.endsWith("-tensors-cuda.json"))
    .sort()
    .at(-1);
  if (file === undefined) return [];
  const { machine, rows } = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  const measured = rows.filter(({ detail }) => detail?.["speed of torch"] > 0);
  const behind = measured
    .map(({ title, unit, ours, peers, detail }) => ({
      title,
      unit,
      ours,
      peers,
      share: detail["speed of torch"],
    }))
    .filter(({ share }) => share < even)
    .sort((a, b) => a.share - b.share);
  const why = (name) =>
    name.startsWith("matmul")
      ? "cuBLASLt in both libraries; what differs is not known"
      : (reasons.find(([names]) => names.split(" ").includes(name))?.[1] ?? "not known");
  return [
    "## Functions of whole tensors on the GPU",
    "",
    "`npm run bench:tensors` runs indexing, scans, sorting, statistics and products beside PyTorch, a call of each after the other, with all that",
    `a call does: ${machine.elements} elements; ${machine.device} ([record](../bench/results/${file})). Of ${measured.length} cases ${measured.length - behind.length} run at ${even} of PyTorch's speed or`,
    "more. The others:",
    "",
    "| case | of PyTorch | ours | PyTorch | unit | why |",
    "| --- | ---: | ---: | ---: | --- | --- |",
    ...behind.map(
      ({ title, unit, ours, peers, share }) =>
        `| ${title} | ${share.toFixed(2)} | ${ours.toPrecision(3)} | ${peers.torch.toPrecision(3)} | ${unit} | ${why(title)} |`,
    ),
    "",
  ];
}
