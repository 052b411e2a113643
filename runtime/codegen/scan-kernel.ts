// The walks of scans. A row is cut into parts of 4096 elements, a part into 16 groups of 16 runs of 16; docs/reductions.md
// defines the order of joining. On a processor, and for many adjacent rows on a GPU, one position handles a part; else a
// block of threads does, with a run per thread. Both join in the same order and give the same bits.
import { type DType, dtypes } from "../base/dtype.js";
import type { Scan, ScanPlan } from "../functor/scan.js";
import type { Walk } from "./walk-kernel.js";

/** Elements of a part. */
export const scanPart = 4096;
const run = 16;
const group = run * run;

/** Selects a kernel of a scan. */
export interface ScanForm {
  /** True if it reads the tensor's elements, false for accumulators of parts. */
  readonly first: boolean;
  /** True if it writes the accumulators of parts, false for results. */
  readonly totals: boolean;
  /** True if it reads the accumulators of earlier parts. */
  readonly carried: boolean;
  /** True if a block of threads handles a part. */
  readonly block: boolean;
}

const walks = new Map<string, Walk>();

/** The walk over the parts of each lane; one object per form, because it owns kernels. */
export function scanWalk({ name }: Scan, plan: ScanPlan, dtype: DType, form: ScanForm): Walk {
  const key = [name, dtype.name, ...plan.results.map((result) => result.name), JSON.stringify(form)].join(
    " ",
  );
  let walk = walks.get(key);
  if (walk === undefined) {
    walk = makeWalk(name, plan, form);
    walks.set(key, walk);
  }
  return walk;
}

function makeWalk(name: string, plan: ScanPlan, form: ScanForm): Walk {
  const { first, totals, carried, block } = form;
  const outputs = first && !totals ? plan.results.map((_, i) => `out${i}`) : ["out0"];
  return {
    name: `${name}_${totals ? "totals" : "results"}${block ? "_block" : ""}${first ? "" : "_parts"}`,
    operands: [...outputs, "in", "part", ...(carried ? ["carry"] : [])],
    numbers: ["length", "in_step", "out_step"],
    helpers: [
      `typedef ${dtypes[plan.compute.compute].ctype} Element;`,
      plan.accumulator,
      `__device__ inline Accumulator identity() { return ${plan.identity}; }`,
      `__device__ inline Accumulator lift(Element x, int64 place) { (void)place; return ${plan.lift}; }`,
      `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`,
    ].join("\n"),
    uses: [plan.compute],
    heavy: true,
    block,
    body: [
      `  const int64 begin = *part * ${scanPart}, rest = length - begin, count = rest < ${scanPart} ? rest : ${scanPart};`,
      `  const Accumulator before = ${carried ? "*part > 0 ? reinterpret_cast<const Accumulator*>(carry)[-1] : identity()" : "identity()"};`,
      "  (void)before; (void)begin;",
      ...(block ? blockBody(plan, form) : threadBody(plan, form)),
    ].join("\n"),
  };
}

/** The accumulator of the element at `k` of the part. */
function element({ first }: ScanForm, k: string, read = `cast<Element>(in[(${k}) * in_step])`): string {
  return first ? `lift(${read}, begin + ${k})` : `reinterpret_cast<const Accumulator*>(in)[${k}]`;
}

/** Statements that store the result \`a\` at `k`. */
function stores({ results, finish }: ScanPlan, { first }: ScanForm, k: string): string[] {
  if (!first) return [`reinterpret_cast<Accumulator*>(out0)[${k}] = a;`];
  return results.map(({ ctype }, i) => `out${i}[(${k}) * out_step] = cast<${ctype}>(${finish[i]});`);
}

function threadBody(plan: ScanPlan, form: ScanForm): string[] {
  const { totals } = form;
  return [
    "  Accumulator groups = identity(), runs = identity();",
    "  for (int64 k = 0; k < count;) {",
    ...(totals ? [] : ["    const Accumulator prefix = join(before, join(groups, runs));"]),
    `    const int64 stop = k + ${run} < count ? k + ${run} : count;`,
    "    Accumulator own = identity();",
    "    for (; k < stop; ++k) {",
    `      own = join(own, ${element(form, "k")});`,
    ...(totals
      ? []
      : [
          "      const Accumulator a = join(prefix, own);",
          ...stores(plan, form, "k").map((line) => `      ${line}`),
        ]),
    "    }",
    "    runs = join(runs, own);",
    `    if (k % ${group} == 0) { groups = join(groups, runs); runs = identity(); }`,
    "  }",
    ...(totals ? ["  *reinterpret_cast<Accumulator*>(out0) = join(groups, runs);"] : []),
  ];
}

/** Threads access adjacent memory, and exchange elements in shared memory; runs are padded by one against bank conflicts. */
function blockBody(plan: ScanPlan, form: ScanForm): string[] {
  const { first, totals } = form;
  const staged = first && plan.compute.bytes <= 8;
  const single = plan.results.length === 1;
  const mine = `thread * ${run} + j`;
  const place = `thread * ${run + 1} + j`;
  return [
    `  __shared__ Accumulator runs[${group}], groups[${run}];`,
    ...(staged
      ? [
          `  __shared__ Element stage[${group * (run + 1)}];`,
          // A thread issues all its loads before it uses the first one.
          `  Element loaded[${run}];`,
          "  JITLAB_UNROLL",
          `  for (int j = 0; j < ${run}; ++j) {`,
          `    const int k = thread + j * ${group};`,
          "    if (k < count) loaded[j] = cast<Element>(in[k * in_step]);",
          "  }",
          "  JITLAB_UNROLL",
          `  for (int j = 0; j < ${run}; ++j) stage[thread + j * ${group} + (thread + j * ${group}) / ${run}] = loaded[j];`,
          "  __syncthreads();",
        ]
      : []),
    `  Accumulator elements[${run}];`,
    "  Accumulator own = identity();",
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${run}; ++j) {`,
    `    elements[j] = ${mine} < count ? ${element(form, mine, staged ? `stage[${place}]` : undefined)} : identity();`,
    "    own = join(own, elements[j]);",
    "  }",
    "  runs[thread] = own;",
    "  __syncthreads();",
    `  if (thread < ${run}) {`,
    "    Accumulator all = identity();",
    `    for (int j = 0; j < ${run}; ++j) {`,
    `      const Accumulator next = runs[thread * ${run} + j];`,
    `      runs[thread * ${run} + j] = all;`,
    "      all = join(all, next);",
    "    }",
    "    groups[thread] = all;",
    "  }",
    "  __syncthreads();",
    "  if (thread == 0) {",
    "    Accumulator all = identity();",
    `    for (int j = 0; j < ${run}; ++j) {`,
    "      const Accumulator next = groups[j];",
    "      groups[j] = all;",
    "      all = join(all, next);",
    "    }",
    ...(totals ? ["    *reinterpret_cast<Accumulator*>(out0) = all;"] : []),
    "  }",
    ...(totals
      ? []
      : [
          "  __syncthreads();",
          `  const Accumulator prefix = join(before, join(groups[thread / ${run}], runs[thread]));`,
          "  own = identity();",
          "  JITLAB_UNROLL",
          `  for (int j = 0; j < ${run}; ++j) {`,
          "    own = join(own, elements[j]);",
          "    const Accumulator a = join(prefix, own);",
          ...(staged && single
            ? [`    stage[${place}] = a;`]
            : [
                `    if (${mine} < count) {`,
                ...stores(plan, form, mine).map((line) => `      ${line}`),
                "    }",
              ]),
          "  }",
          ...(staged && single
            ? [
                "  __syncthreads();",
                "  JITLAB_UNROLL",
                `  for (int j = 0; j < ${run}; ++j) {`,
                `    const int k = thread + j * ${group};`,
                "    if (k < count) {",
                `      const Accumulator a = stage[k + k / ${run}];`,
                ...stores(plan, form, "k").map((line) => `      ${line}`),
                "    }",
                "  }",
              ]
            : []),
        ]),
  ];
}
