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
  ["index-select", "a kernel of its own tests the indexes, and the call waits for that one"],
  [
    "scatter-add scatter-add-wide index-add",
    "equal calls give equal bits: the indexes are sorted and joined in a fixed order, where PyTorch adds in the order in which threads arrive",
  ],
  ["sort argsort", "a pass for each 8 bits reads the keys twice, to count and to move; PyTorch's once"],
  ["unique masked-select nonzero", "the call waits for the number of results, as PyTorch's does"],
  [
    "life k-means",
    "many small launches, and new memory for the intermediate results of a call, which stay until the next collection; Python counts references",
  ],
  ["cumsum", "blocks hand their sums on in a fixed order; PyTorch's in the order of arrival"],
];

/** The newest record of a subject, or undefined. */
function newest(subject) {
  const file = readdirSync(folder)
    .filter((name) => name.endsWith(`-${subject}.json`))
    .sort()
    .at(-1);
  return file === undefined
    ? undefined
    : { file, ...JSON.parse(readFileSync(new URL(file, folder), "utf8")) };
}

function reasonOf(name) {
  if (name.startsWith("matmul")) return "cuBLASLt in both libraries; what differs is not known";
  return reasons.find(([names]) => names.split(" ").includes(name))?.[1] ?? "not known";
}

/** The section's lines: the functions that are behind, with both libraries' milliseconds, or TFLOP/s of products. */
export function tensorSection() {
  const record = newest("tensors-cuda");
  if (record === undefined) return [];
  // Functions that were measured again after they changed, unless all were since.
  const part = newest("order-cuda");
  const again = part && part.date > record.date ? part : undefined;
  const latest = new Map([...record.rows, ...(again?.rows ?? [])].map((row) => [row.id, row]));
  const measured = [...latest.values()].filter(({ detail }) => detail?.["speed of torch"] > 0);
  const behind = measured
    .map((row) => ({ ...row, share: row.detail["speed of torch"] }))
    .filter(({ share }) => share < even)
    .sort((a, b) => a.share - b.share);
  const files = `([record](../bench/results/${record.file})${again ? `, those that changed [again](../bench/results/${again.file})` : ""})`;
  return [
    "## Functions of whole tensors on the GPU",
    "",
    "`npm run bench:tensors` runs indexing, scans, sorting, statistics and products beside PyTorch, with all that a call does:",
    `${record.machine.elements} elements; ${record.machine.device} ${files}. Of ${measured.length} cases ${measured.length - behind.length} run at ${even} of PyTorch's speed or more. The others:`,
    "",
    "| case | of PyTorch | ours | PyTorch | unit | why |",
    "| --- | ---: | ---: | ---: | --- | --- |",
    ...behind.map(
      ({ title, unit, ours, peers, share }) =>
        `| ${title} | ${share.toFixed(2)} | ${ours.toPrecision(3)} | ${peers.torch.toPrecision(3)} | ${unit} | ${reasonOf(title)} |`,
    ),
    "",
  ];
}
