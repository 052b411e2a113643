// The walks of scans. A row is cut into parts of 4096 elements, a part into 16 groups of 16 runs of 16; docs/reductions.md
// defines the order of joining. On a processor, and for many adjacent rows on a GPU, one position handles a part; else a
// block of threads does, with a run per thread. Both join in the same order and give the same bits.
import { type DType, dtypes } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import type { Functor } from "../functor/functor.js";
import type { Scan, ScanPlan } from "../functor/scan.js";
import { chainHelpers, scanBlock } from "./scan-block.js";
import { elementsText, scanElements } from "./scan-elements.js";
import { type ScanForm, scanElement, scanPart, scanRun, scanStores } from "./scan-form.js";
import type { Walk } from "./walk-kernel.js";

const group = scanRun * scanRun;

const walks = new Map<string, Walk>();

/** Maps that compute a scan's elements, on a device of a dialect. */
export interface ScanMaps {
  readonly functor: Functor;
  readonly dialect: Dialect;
}

const mapped = new WeakMap<Functor, Map<string, Walk>>();

/** The walk over the parts of each lane, of elements in memory or of maps; one object per form, because it owns kernels. */
export function scanWalk(
  { name }: Scan,
  plan: ScanPlan,
  dtype: DType,
  form: ScanForm,
  maps?: ScanMaps,
): Walk {
  const { first, totals, carried, threads } = form;
  const results = plan.results.map((result) => result.name);
  const key = `${name} ${dtype.name} ${results} ${first} ${totals} ${carried} ${threads} ${maps?.dialect.name}`;
  const known = maps ? (mapped.get(maps.functor) ?? new Map<string, Walk>()) : walks;
  if (maps) mapped.set(maps.functor, known);
  let walk = known.get(key);
  if (walk === undefined) {
    walk = makeWalk(name, plan, form, maps);
    known.set(key, walk);
  }
  return walk;
}

function makeWalk(name: string, plan: ScanPlan, form: ScanForm, maps?: ScanMaps): Walk {
  const { first, totals, carried, threads } = form;
  const block = threads > 0;
  const many = totals || carried;
  const chained = block && carried;
  const elements = maps && scanElements(maps.functor);
  const read = elements ? elements.inputs.map((_, i) => `in${i}`) : ["in"];
  const outputs = first && !totals ? plan.results.map((_, i) => `out${i}`) : ["out0"];
  return {
    name: `${maps ? `${maps.functor.name}_` : ""}${name}_${totals ? "totals" : "results"}${block ? `_block${threads}` : ""}${first ? "" : "_parts"}`,
    operands: [
      ...outputs,
      ...(chained ? ["passed"] : []),
      ...read,
      ...(many ? ["part"] : []),
      ...(carried && !block ? ["carry"] : []),
    ],
    numbers: ["length", ...read.map((one) => `${one}_step`), "out_step", ...(chained ? ["parts"] : [])],
    ...(elements ? { scalars: elements.scalars, needs: maps.functor.needs(elements.result) } : {}),
    helpers: [
      ...(elements ? [maps.functor.text(elements.result), maps.functor.stages?.text ?? ""] : []),
      `typedef ${dtypes[plan.compute.compute].ctype} Element;`,
      plan.accumulator,
      `__device__ inline Accumulator identity() { return ${plan.identity}; }`,
      `__device__ inline Accumulator lift(Element x, int64 place) { (void)place; return ${plan.lift}; }`,
      `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`,
      ...(chained ? chainHelpers(plan) : []),
    ].join("\n"),
    uses: [plan.compute, ...(elements ? [elements.result, ...(maps.functor.uses ?? [])] : [])],
    heavy: true,
    ...(block ? { block, threads } : {}),
    // While some blocks wait for earlier ones, others keep the memory busy.
    ...(chained && plan.accumulatorBytes <= 4 ? { resident: 8 } : {}),
    body: [
      // The operand's address tells the index, before any memory answers.
      `  const int64 index = ${many ? "part - args.part" : "0"};`,
      `  const int64 begin = index * ${scanPart}, rest = length - begin, count = rest < ${scanPart} ? rest : ${scanPart};`,
      "  (void)begin;",
      ...(maps ? elementsText(maps.functor, maps.dialect) : []),
      ...(block ? scanBlock(plan, form, maps !== undefined) : threadBody(plan, form)),
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
