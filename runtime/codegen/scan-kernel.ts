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
import {
  afterOperands,
  afterText,
  bufferedResults,
  partAfter,
  type ScanAfter,
  storesAfter,
} from "./scan-results.js";
import type { Walk } from "./walk-kernel.js";

const group = scanRun * scanRun;

const walks = new Map<string, Walk>();

/** Maps that compute a scan's elements, and those over its results, on a device of a dialect. */
export interface ScanMaps {
  readonly before?: Functor | undefined;
  readonly after?: ScanAfter | undefined;
  readonly dialect: Dialect;
}

/** Of walks with maps, by one of their functors. */
const mapped = new WeakMap<Functor, Map<string, Walk>>();

/** The walk over the parts of each lane, between maps or without; one object per form, because it owns kernels. */
export function scanWalk(
  { name }: Scan,
  plan: ScanPlan,
  dtype: DType,
  form: ScanForm,
  maps?: ScanMaps,
): Walk {
  const { first, totals, carried, threads } = form;
  const results = plan.results.map((result) => result.name);
  const { before, after } = maps ?? {};
  const own = [before?.id, after?.functor.id, after?.keeps, maps?.dialect.name];
  const key = `${name} ${dtype.name} ${results} ${first} ${totals} ${carried} ${threads} ${own}`;
  const owner = before ?? after?.functor;
  const known = owner ? (mapped.get(owner) ?? new Map<string, Walk>()) : walks;
  if (owner) mapped.set(owner, known);
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
  const { before, after, dialect } = maps ?? {};
  const elements = before && scanElements(before);
  const results = after && afterOperands(after);
  const read = elements ? elements.inputs.map((_, i) => `in${i}`) : ["in"];
  const inputs = [...read, ...(results?.inputs ?? [])];
  const outputs = results?.outputs ?? (first && !totals ? plan.results.map((_, i) => `out${i}`) : ["out0"]);
  const scalars = [...(elements?.scalars ?? []), ...(results?.scalars ?? [])];
  const functors = [before, after?.functor].filter((functor) => functor !== undefined);
  const isGrid = block || dialect?.grid !== undefined;
  const buffered = after && !isGrid ? bufferedResults(plan, "k") : undefined;
  const stores = (k: string, step = "out_step", fetched = false) =>
    buffered?.stores ??
    (after ? storesAfter(after, plan, k, step, fetched) : scanStores(plan, form, k, step));
  return {
    name: `${before ? `${before.name}_` : ""}${name}${after ? `_${after.functor.name}` : ""}_${totals ? "totals" : "results"}${block ? `_block${threads}` : ""}${first ? "" : "_parts"}`,
    operands: [
      ...outputs,
      ...(chained ? ["passed"] : []),
      ...inputs,
      ...(many ? ["part"] : []),
      ...(carried && !block ? ["carry"] : []),
    ],
    numbers: ["length", ...inputs.map((one) => `${one}_step`), "out_step", ...(chained ? ["parts"] : [])],
    scalars,
    needs: [...new Set(functors.flatMap((functor) => functor.needs(functor.results[0] as DType)))],
    helpers: [
      ...(elements ? [before.text(elements.result), before.stages?.text ?? ""] : []),
      ...(after ? [afterText(after)] : []),
      `typedef ${dtypes[plan.compute.compute].ctype} Element;`,
      plan.accumulator,
      `__device__ inline Accumulator identity() { return ${plan.identity}; }`,
      `__device__ inline Accumulator lift(Element x, int64 place) { (void)place; return ${plan.lift}; }`,
      `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`,
      ...(chained ? chainHelpers(plan) : []),
    ].join("\n"),
    uses: [
      plan.compute,
      ...functors.flatMap(({ results: made, uses = [] }) => [...(made as readonly DType[]), ...uses]),
      ...(after ? plan.results : []),
    ],
    heavy: true,
    ...(block ? { block, threads } : {}),
    // While some blocks wait for earlier ones, others keep the memory busy.
    ...(chained && plan.accumulatorBytes <= 4 ? { resident: 8 } : {}),
    body: [
      // The operand's address tells the index, before any memory answers.
      `  const int64 index = ${many ? "part - args.part" : "0"};`,
      `  const int64 begin = index * ${scanPart}, rest = length - begin, count = rest < ${scanPart} ? rest : ${scanPart};`,
      "  (void)begin;",
      ...(before && dialect ? elementsText(before, dialect) : []),
      ...(buffered?.declarations ?? []),
      ...(block
        ? scanBlock(plan, form, { isComputed: before !== undefined, stores, after })
        : threadBody(form, stores)),
      ...(after && buffered ? partAfter(after, plan) : []),
    ].join("\n"),
  };
}

function threadBody(form: ScanForm, stores: (k: string) => readonly string[]): string[] {
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
      : ["      const Accumulator a = join(prefix, own);", ...stores("k").map((line) => `      ${line}`)]),
    "    }",
    "    runs = join(runs, own);",
    `    if (k % ${group} == 0) { groups = join(groups, runs); runs = identity(); }`,
    "  }",
    ...(totals ? ["  *reinterpret_cast<Accumulator*>(out0) = join(groups, runs);"] : []),
  ];
}
