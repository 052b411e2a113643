// The walk of a scan where a block of threads handles a part. Blocks of one row hand their accumulators on to later blocks, so
// that memory is read and written once. They are joined in the defined order, not in the order of arrival: a block waits for
// the earlier parts of its run, the earlier runs of its group and so on, and the last part of each passes on its accumulator.
import type { ScanPlan } from "../../functor/scan.js";
import { passedText } from "../reductions/passed-accumulator.js";
import { type ScanForm, scanElement, scanPart, scanRead, scanRun, scanThreads } from "./scan-form.js";
import { fetches, type ScanAfter } from "./scan-results.js";

/** Levels of units that a block waits for: parts of a run, runs of a group, groups of a part of parts. */
const levels = 3;

/** The number of 64-bit words through which the blocks of a row pass accumulators on; they must be zero. */
export function passedWords({ accumulatorBytes }: ScanPlan, parts: number): number {
  let units = 0;
  for (let size = 1; size <= scanRun ** levels; size *= scanRun) units += Math.ceil(parts / size);
  return units * (accumulatorBytes / 4);
}

/** C++ functions that pass accumulators on, and join those of a unit. */
export function chainHelpers({ accumulatorBytes }: ScanPlan): string[] {
  return [
    ...passedText(accumulatorBytes),
    "__device__ inline Accumulator joined(const Accumulator* seen, int count) {",
    "  Accumulator all = identity();",
    "  for (int j = 0; j < count; ++j) all = join(all, seen[j]);",
    "  return all;",
    "}",
  ];
}

/** What a scan's kernel does beyond scanning. */
interface Around {
  /** True if maps compute the elements. */
  readonly isComputed: boolean;
  /** Writes the statements that store what follows from an accumulator; `fetched` elements of operands are in buffers. */
  readonly stores: (k: string, step: string, fetched?: boolean) => readonly string[];
  readonly after: ScanAfter | undefined;
}

/** Statements of the walk: threads access adjacent memory, and exchange elements in shared memory without bank conflicts. */
export function scanBlock(plan: ScanPlan, form: ScanForm, { isComputed, stores, after }: Around): string[] {
  const { first, carried, threads } = form;
  const [type, bytes] = first ? ["Element", plan.compute.bytes] : ["Accumulator", plan.accumulatorBytes];
  const staged = bytes <= 8;
  const turned = staged && (plan.results.length === 1 || !first);
  const mine = `thread * ${scanRun} + j`;
  const place = `stage[thread * ${scanRun + 1} + j]`;
  const other = `stage[thread + j * ${threads} + (thread + j * ${threads}) / ${scanRun}]`;
  const element = `${mine} < count ? ${scanElement(form, mine, staged ? place : undefined)} : identity()`;
  const each = ["  JITLAB_UNROLL", `  for (int j = 0; j < ${scanRun}; ++j) {`];
  return [
    `  __shared__ Accumulator runs[${threads}], groups[${threads / scanRun}];`,
    ...(staged
      ? [
          `  __shared__ ${type} stage[${threads * (scanRun + 1)}];`,
          ...(isComputed
            ? computed(threads)
            : [
                // A thread issues all its loads before it uses the first one.
                `  ${type} loaded[${scanRun}];`,
                ...accesses(threads, form, "in_step", (step) => `loaded[j] = ${scanRead(form, "k", step)};`),
                ...each,
                `    ${other} = loaded[j];`,
                "  }",
              ]),
          "  __syncthreads();",
        ]
      : []),
    `  const bool active = thread * ${scanRun} < count;`,
    "  Accumulator own = identity(), earlier = identity(), above = identity();",
    ...each,
    `    if (active) own = join(own, ${element});`,
    "  }",
    "  if (active) runs[thread] = own;",
    "  __syncthreads();",
    ...joinEarlier("earlier", scanRun, `thread % ${scanRun}`, `runs[thread / ${scanRun} * ${scanRun} + j]`),
    `  if (active && thread % ${scanRun} == ${scanRun - 1}) groups[thread / ${scanRun}] = join(earlier, own);`,
    "  __syncthreads();",
    ...joinEarlier("above", threads / scanRun, `thread / ${scanRun}`, "groups[j]"),
    ...(carried ? chain : ["  const Accumulator before = identity();"]),
    "  const Accumulator prefix = join(before, join(above, earlier));",
    "  own = identity();",
    ...each,
    "    if (!active) break;",
    `    own = join(own, ${element});`,
    "    const Accumulator a = join(prefix, own);",
    ...(turned
      ? [`    ${place} = a;`]
      : [`    if (${mine} < count) {`, ...stores(mine, "out_step").map((line) => `      ${line}`), "    }"]),
    "  }",
    ...(turned
      ? [
          "  __syncthreads();",
          ...(after
            ? following(threads, after, stores("k", "out_step", true))
            : accesses(threads, form, "out_step", (step) => storing(stores("k", step)))),
        ]
      : []),
  ];
}

/** Joins the units of a level before the thread's own, `count` of them. */
function joinEarlier(to: string, most: number, count: string, unit: string): string[] {
  return [
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${most - 1}; ++j)`,
    `    if (active && j < ${count}) ${to} = join(${to}, ${unit});`,
  ];
}

/**
 * A statement for each element `k` of the part in the threads' order; whole dense parts need no tests and products.
 * Accumulators are dense.
 */
function accesses(
  threads: number,
  { first }: ScanForm,
  step: string,
  statement: (step: string) => string,
): string[] {
  const loop = (indent: string, test: string, of: string) => [
    `${indent}JITLAB_UNROLL`,
    `${indent}for (int j = 0; j < ${scanRun}; ++j) {`,
    `${indent}  const int k = thread + j * ${threads};`,
    `${indent}  ${test}${statement(of)}`,
    `${indent}}`,
  ];
  return [
    `  if (count == ${threads * scanRun}${first ? ` && ${step} == 1` : ""}) {`,
    ...loop("    ", "", "1"),
    "  } else {",
    ...loop("    ", "if (k < count) ", step),
    "  }",
  ];
}

function storing(stores: readonly string[]): string {
  return [`{ const Accumulator a = stage[k + k / ${scanRun}];`, ...stores, "}"].join(" ");
}

/**
 * Statements that store what follows from accumulators and operands, for a few elements at once: a store would keep the next
 * load waiting, and more copies of the maps would take the compiler long.
 */
function following(threads: number, after: ScanAfter, stores: readonly string[]): string[] {
  const { buffers, reads } = fetches(after, atOnce);
  return [
    "  #pragma unroll 1",
    `  for (int first = thread; first < ${threads * scanRun}; first += ${threads * atOnce}) {`,
    ...buffers.map((buffer) => `    ${buffer}`),
    ...[...reads, storing(stores)].flatMap((statement) => [
      "    JITLAB_UNROLL",
      `    for (int j = 0; j < ${atOnce}; ++j) {`,
      `      const int k = first + j * ${threads};`,
      `      if (k < count) { ${statement} }`,
      "    }",
    ]),
    "  }",
  ];
}

/** Elements of maps whose loads a thread issues before it computes them; more of them would take its registers. */
const atOnce = 4;

/** Statements that stage the elements that maps compute. */
function computed(threads: number): string[] {
  const loop = (test: string, load: string) => [
    "    #pragma unroll 1",
    `    for (int first = thread; first < ${threads * scanRun}; first += ${threads * atOnce}) {`,
    `      Elements::Loaded loaded[${atOnce}];`,
    ...[`loaded[j] = in.${load}(k);`, `stage[k + k / ${scanRun}] = cast<Element>(in.of(loaded[j]));`].flatMap(
      (statement) => [
        "      JITLAB_UNROLL",
        `      for (int j = 0; j < ${atOnce}; ++j) {`,
        `        const int k = first + j * ${threads};`,
        `        ${test}${statement}`,
        "      }",
      ],
    ),
    "    }",
  ];
  return [
    `  if (count == ${threads * scanRun} && in.is_dense()) {`,
    ...loop("", "load_dense"),
    "  } else {",
    ...loop("if (k < count) ", "load"),
    "  }",
  ];
}

// Blocks start in the order of their indexes, so the earlier parts of a row are running or done. The first warp waits; it asks
// for all levels at once, because an answer takes long.
const chain: readonly string[] = [
  "  __shared__ Accumulator seen[32], carry;",
  `  if (active && thread == ${scanThreads - 1}) pass(passed + index * words, join(above, groups[${scanRun - 1}]));`,
  "  if (thread < 32) {",
  "    const int64 q = index - 1;",
  `    Accumulator mine = joined(groups, ${scanRun}), next[${levels}], all[${levels}];`,
  `    int64 *units[${levels + 1}] = {passed}, *at[${levels}];`,
  `    int waits[${levels}];`,
  `    bool there[${levels}];`,
  "    JITLAB_UNROLL",
  `    for (int l = 0, size = 1; l < ${levels}; ++l, size *= ${scanRun}) {`,
  "      units[l + 1] = units[l] + (parts + size - 1) / size * words;",
  `      at[l] = units[l] + (q / (size * ${scanRun}) * ${scanRun} + thread) * words;`,
  // Of the parts up to q, the last run may be incomplete; the runs and groups before it are complete.
  `      waits[l] = q < 0 ? 0 : int(q / size % ${scanRun}) + (l == 0);`,
  "      there[l] = thread >= waits[l] || take(at[l], next[l]);",
  "    }",
  "    JITLAB_UNROLL",
  `    for (int l = 0, size = ${scanRun}; l < ${levels}; ++l, size *= ${scanRun}) {`,
  "      while (!there[l]) there[l] = take(at[l], next[l]);",
  "      if (thread < waits[l]) seen[thread] = next[l];",
  "      __syncwarp();",
  "      all[l] = joined(seen, waits[l]);",
  "      __syncwarp();",
  "      mine = join(all[l], mine);",
  "      if (thread == 0 && (index + 1) % size == 0) pass(units[l + 1] + index / size * words, mine);",
  "    }",
  "    // Earlier parts of parts, in runs and groups again.",
  `    const int64 whole = q < 0 ? 0 : q / ${scanPart};`,
  "    Accumulator base = identity(), above_base = identity(), group_base = identity(), run_base = identity();",
  "    for (int64 s = 0; s < whole; s += 32) {",
  `      if (s + thread < whole) while (!take(units[${levels}] + (s + thread) * words, seen[thread]));`,
  "      __syncwarp();",
  "      for (int64 k = s; k < whole && k < s + 32; ++k) {",
  "        run_base = join(run_base, seen[k - s]);",
  "        base = join(join(above_base, group_base), run_base);",
  `        if (k % ${scanRun} == ${scanRun - 1}) { group_base = join(group_base, run_base); run_base = identity(); }`,
  `        if (k % ${scanThreads} == ${scanThreads - 1}) { above_base = join(above_base, group_base); group_base = identity(); }`,
  "      }",
  "      __syncwarp();",
  "    }",
  "    if (thread == 0) carry = join(join(base, join(all[2], all[1])), all[0]);",
  "  }",
  "  __syncthreads();",
  "  const Accumulator before = index > 0 ? carry : identity();",
];
