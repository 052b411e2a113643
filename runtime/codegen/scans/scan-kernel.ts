// The walks of scans. A row is cut into parts of 4096 elements, a part into 16 groups of 16 runs of 16; docs/reductions.md
// defines the order of joining. On a processor one position handles a part. On a GPU a block of threads does, with a run per
// thread, or a position handles a group, so that threads read adjacent rows. All join in the same order and give the same bits.
import { type DType, dtypes } from "../../base/dtype.js";
import type { Dialect } from "../../device/dialect.js";
import type { Functor } from "../../functor/functor.js";
import type { Scan, ScanPlan } from "../../functor/scan.js";
import type { Walk } from "../walk-kernel.js";
import { chainHelpers, scanBlock } from "./scan-block.js";
import { elementsText, mapsText, scanElements } from "./scan-elements.js";
import { type ScanForm, scanElement, scanGroup, scanPart, scanRun, scanStores } from "./scan-form.js";
import {
  afterOperands,
  afterText,
  bufferedResults,
  partAfter,
  placesAt,
  type ScanAfter,
  storesAfter,
} from "./scan-results.js";
import { hasRuns, runHelpers, wholeRun } from "./scan-runs.js";

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
  const { first, totals, carried, threads, grouped } = form;
  const results = plan.results.map((result) => result.name);
  const { before, after } = maps ?? {};
  const own = [before?.id, after?.functor.id, after?.keeps, maps?.dialect.name];
  const key = `${name} ${dtype.name} ${results} ${first} ${totals} ${carried} ${threads} ${grouped} ${own}`;
  const owner = before ?? after?.functor;
  const known = owner ? (mapped.get(owner) ?? new Map<string, Walk>()) : walks;
  if (owner) mapped.set(owner, known);
  let walk = known.get(key);
  if (walk === undefined) {
    walk = makeWalk(name, plan, dtype, form, maps);
    known.set(key, walk);
  }
  return walk;
}

function makeWalk(name: string, plan: ScanPlan, dtype: DType, form: ScanForm, maps?: ScanMaps): Walk {
  const { first, totals, carried, threads, grouped = false } = form;
  const block = threads > 0;
  const many = totals || carried || grouped;
  const unit = grouped ? scanGroup : scanPart;
  const chained = block && carried;
  const { before, after, dialect } = maps ?? {};
  const elements = before && scanElements(before);
  const results = after && afterOperands(after);
  const read = elements ? elements.inputs.map((_, i) => `in${i}`) : ["in"];
  const inputs = [...read, ...(results?.inputs ?? [])];
  const outputs = results?.outputs ?? (first && !totals ? plan.results.map((_, i) => `out${i}`) : ["out0"]);
  const scalars = [...(elements?.scalars ?? []), ...(results?.scalars ?? [])];
  const functors = [before, after?.functor].filter((functor) => functor !== undefined);
  const isGpu = block || dialect?.gpu !== undefined;
  const buffered = after && !isGpu ? bufferedResults(plan, "k") : undefined;
  const stores = (k: string, step = "out_step", fetched = false) =>
    buffered?.stores ??
    (after ? storesAfter(after, plan, placesAt(k, step, fetched)) : scanStores(plan, form, k, step));
  const operandsOfRuns = { plan, dtype, before, after };
  const isAlone = maps?.dialect.gpu !== undefined && first && !block && !many;
  const whole = isAlone && hasRuns(operandsOfRuns) ? wholeRun(operandsOfRuns) : undefined;
  return {
    name: `${before ? `${before.name}_` : ""}${name}${after ? `_${after.functor.name}` : ""}_${totals ? "totals" : "results"}${grouped ? "_groups" : ""}${block ? `_block${threads}` : ""}${first ? "" : "_parts"}`,
    operands: [
      ...outputs,
      ...(chained ? ["passed"] : []),
      ...inputs,
      ...(many ? ["part"] : []),
      ...(carried && !block ? ["carry"] : []),
      ...(grouped && !totals ? ["groups"] : []),
    ],
    numbers: [
      "length",
      ...inputs.map((one) => `${one}_step`),
      "out_step",
      ...(chained ? ["parts"] : []),
      ...(grouped && !totals ? ["lanes"] : []),
    ],
    scalars,
    needs: [...new Set(functors.flatMap((functor) => functor.needs(functor.results[0] as DType)))],
    helpers: [
      ...(before ? [mapsText(before, isGpu)] : []),
      ...(after ? [afterText(after, isGpu)] : []),
      ...joining(plan),
      ...(chained ? chainHelpers(plan) : []),
      ...(whole ? runHelpers : []),
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
      `  const int64 begin = index * ${unit}, rest = length - begin, count = rest < ${unit} ? rest : ${unit};`,
      "  (void)begin;",
      ...(before && dialect ? elementsText(before, dialect) : []),
      ...(buffered?.declarations ?? []),
      ...(block
        ? scanBlock(plan, form, { isComputed: before !== undefined, stores, after })
        : threadBody(form, stores, dialect?.gpu !== undefined || grouped, whole)),
      ...(after && buffered ? partAfter(after, plan) : []),
    ].join("\n"),
  };
}

/** C++ of the accumulator and its functions. */
function joining(plan: ScanPlan): string[] {
  return [
    `typedef ${dtypes[plan.compute.compute].ctype} Element;`,
    plan.accumulator,
    `__device__ inline Accumulator identity() { return ${plan.identity}; }`,
    `__device__ inline Accumulator lift(Element x, int64 place) { (void)place; return ${plan.lift}; }`,
    `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`,
  ];
}

const groupWalks = new Map<string, Walk>();

/** The walk that joins the accumulators of each part's groups, which lie `lanes` apart. */
export function groupsWalk({ name }: Scan, plan: ScanPlan, dtype: DType): Walk {
  const key = `${name} ${dtype.name}`;
  let walk = groupWalks.get(key);
  if (walk === undefined) {
    walk = {
      name: `${name}_totals_joined`,
      operands: ["total", "group", "part"],
      numbers: ["groups", "lanes"],
      helpers: joining(plan).join("\n"),
      uses: [plan.compute],
      heavy: true,
      body: [
        `  const int64 rest = groups - (part - args.part) * ${scanRun};`,
        "  Accumulator all = identity();",
        `  for (int j = 0; j < ${scanRun} && j < rest; ++j) all = join(all, reinterpret_cast<const Accumulator*>(group)[j * lanes]);`,
        "  *reinterpret_cast<Accumulator*>(total) = all;",
      ].join("\n"),
    };
    groupWalks.set(key, walk);
  }
  return walk;
}

/** `whole` are the statements of a run that is not cut short. */
function threadBody(
  form: ScanForm,
  stores: (k: string) => readonly string[],
  isGpu: boolean,
  whole?: readonly string[],
): string[] {
  const { first, totals, carried, grouped } = form;
  const earlier = grouped ? `index / ${scanRun}` : "index";
  const before = carried
    ? `${earlier} > 0 ? reinterpret_cast<const Accumulator*>(carry)[${grouped ? `${earlier} - 1` : "-1"}] : identity()`
    : "identity()";
  const step = (k: string, element: string) => [
    `own = join(own, ${element});`,
    ...(totals ? [] : ["const Accumulator a = join(prefix, own);", ...stores(k)]),
  ];
  const each = `for (int j = 0; j < ${scanRun} && k + j < stop; ++j)`;
  // A GPU's thread issues all loads of a run before it uses the first one.
  const one = [
    "for (; k < stop; ++k) {",
    ...step("k", scanElement(form, "k")).map((line) => `  ${line}`),
    "}",
  ];
  const run = whole
    ? [
        `if (stop - k == ${scanRun}) {`,
        ...whole.map((line) => `  ${line}`),
        "  k = stop;",
        "} else {",
        "  #pragma unroll 1",
        ...one.map((line) => `  ${line}`),
        "}",
      ]
    : isGpu && first
      ? [
          `Element loaded[${scanRun}];`,
          "JITLAB_UNROLL",
          `${each} loaded[j] = cast<Element>(in[(k + j) * in_step]);`,
          "JITLAB_UNROLL",
          `${each} {`,
          ...step("k + j", "lift(loaded[j], begin + k + j)").map((line) => `  ${line}`),
          "}",
          "k = stop;",
        ]
      : one;
  return [
    ...(totals ? [] : [`  const Accumulator before = ${before};`]),
    "  Accumulator sums = identity(), runs = identity();",
    ...(grouped && !totals
      ? [
          `  for (int64 j = index / ${scanRun} * ${scanRun}; j < index; ++j)`,
          "    sums = join(sums, reinterpret_cast<const Accumulator*>(groups)[j * lanes]);",
        ]
      : []),
    "  for (int64 k = 0; k < count;) {",
    ...(totals ? [] : ["    const Accumulator prefix = join(before, join(sums, runs));"]),
    `    const int64 stop = k + ${scanRun} < count ? k + ${scanRun} : count;`,
    "    Accumulator own = identity();",
    ...run.map((line) => `    ${line}`),
    "    runs = join(runs, own);",
    ...(grouped ? [] : [`    if (k % ${scanGroup} == 0) { sums = join(sums, runs); runs = identity(); }`]),
    "  }",
    ...(totals
      ? [`  *reinterpret_cast<Accumulator*>(out0) = ${grouped ? "runs" : "join(sums, runs)"};`]
      : []),
  ];
}
