// The walks of scans. A row is cut into parts of 4096 elements, a part into 16 groups of 16 runs of 16; docs/reductions.md
// defines the order of joining. On a processor, and for many adjacent rows on a GPU, one position handles a part; else a
// block of threads does, with a run per thread. Both join in the same order and give the same bits.
import { type DType, dtypes } from "../base/dtype.js";
import type { Scan, ScanPlan } from "../functor/scan.js";
import { chainHelpers, scanBlock } from "./scan-block.js";
import { type ScanForm, scanElement, scanPart, scanRun, scanStores } from "./scan-form.js";
import type { Walk } from "./walk-kernel.js";

const group = scanRun * scanRun;

const walks = new Map<string, Walk>();

/** The walk over the parts of each lane; one object per form, because it owns kernels. */
export function scanWalk({ name }: Scan, plan: ScanPlan, dtype: DType, form: ScanForm): Walk {
  const { first, totals, carried, threads } = form;
  const results = plan.results.map((result) => result.name);
  const key = `${name} ${dtype.name} ${results} ${first} ${totals} ${carried} ${threads}`;
  let walk = walks.get(key);
  if (walk === undefined) {
    walk = makeWalk(name, plan, form);
    walks.set(key, walk);
  }
  return walk;
}

function makeWalk(name: string, plan: ScanPlan, form: ScanForm): Walk {
  const { first, totals, carried, threads } = form;
  const block = threads > 0;
  const many = totals || carried;
  const chained = block && carried;
  const outputs = first && !totals ? plan.results.map((_, i) => `out${i}`) : ["out0"];
  return {
    name: `${name}_${totals ? "totals" : "results"}${block ? `_block${threads}` : ""}${first ? "" : "_parts"}`,
    operands: [
      ...outputs,
      ...(chained ? ["passed"] : []),
      "in",
      ...(many ? ["part"] : []),
      ...(carried && !block ? ["carry"] : []),
    ],
    numbers: ["length", "in_step", "out_step", ...(chained ? ["parts"] : [])],
    helpers: [
      `typedef ${dtypes[plan.compute.compute].ctype} Element;`,
      plan.accumulator,
      `__device__ inline Accumulator identity() { return ${plan.identity}; }`,
      `__device__ inline Accumulator lift(Element x, int64 place) { (void)place; return ${plan.lift}; }`,
      `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`,
      ...(chained ? chainHelpers(plan) : []),
    ].join("\n"),
    uses: [plan.compute],
    heavy: true,
    ...(block ? { block, threads } : {}),
    // While some blocks wait for earlier ones, others keep the memory busy.
    ...(chained && plan.accumulatorBytes <= 4 ? { resident: 8 } : {}),
    body: [
      // The operand's address tells the index, before any memory answers.
      `  const int64 index = ${many ? "part - args.part" : "0"};`,
      `  const int64 begin = index * ${scanPart}, rest = length - begin, count = rest < ${scanPart} ? rest : ${scanPart};`,
      "  (void)begin;",
      ...(block ? scanBlock(plan, form) : threadBody(plan, form)),
    ].join("\n"),
  };
}

function threadBody(plan: ScanPlan, form: ScanForm): string[] {
  const { totals, carried } = form;
  const before = carried
    ? "index > 0 ? reinterpret_cast<const Accumulator*>(carry)[-1] : identity()"
    : "identity()";
  return [
    ...(totals ? [] : [`  const Accumulator before = ${before};`]),
    "  Accumulator groups = identity(), runs = identity();",
    "  for (int64 k = 0; k < count;) {",
    ...(totals ? [] : ["    const Accumulator prefix = join(before, join(groups, runs));"]),
    `    const int64 stop = k + ${scanRun} < count ? k + ${scanRun} : count;`,
    "    Accumulator own = identity();",
    "    for (; k < stop; ++k) {",
    `      own = join(own, ${scanElement(form, "k")});`,
    ...(totals
      ? []
      : [
          "      const Accumulator a = join(prefix, own);",
          ...scanStores(plan, form, "k").map((line) => `      ${line}`),
        ]),
    "    }",
    "    runs = join(runs, own);",
    `    if (k % ${group} == 0) { groups = join(groups, runs); runs = identity(); }`,
    "  }",
    ...(totals ? ["  *reinterpret_cast<Accumulator*>(out0) = join(groups, runs);"] : []),
  ];
}
