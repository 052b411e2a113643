// The runs of a GPU's thread that scans a row alone. Elements of a run that are adjacent are read and written in words of
// sixteen bytes: the threads of a warp are a row apart, and each access of theirs takes as long for a word as for an element.
import type { DType } from "../../base/dtype.js";
import type { Functor } from "../../functor/functor.js";
import type { ScanPlan } from "../../functor/scan.js";
import { type ScanElements, scanElements } from "./scan-elements.js";
import { scanRun } from "./scan-form.js";
import { afterOperands, type ScanAfter, storesAfter } from "./scan-results.js";

/** Buffers of a run in a thread's registers; with more operands elements are accessed one by one. */
const mostBuffers = 4;

/** C++ functions that read and write a run. */
export const runHelpers: readonly string[] = [
  "template <typename E> struct alignas(16) RunWord { E lane[16 / sizeof(E)]; };",
  "// True if a run from `at` on is whole words; backward, it ends at the first word's first element.",
  "template <typename E> __device__ inline bool is_words(const E* at, int64 step) {",
  `  return (step == 1 && uint64(at) % 16 == 0) || (step == -1 && uint64(at - ${scanRun - 1}) % 16 == 0);`,
  "}",
  `template <typename E> __device__ inline void load_run(const E* at, int64 step, E (&run)[${scanRun}]) {`,
  "  const int lanes = 16 / sizeof(E);",
  "  if (is_words(at, step)) {",
  `    const RunWord<E>* words = reinterpret_cast<const RunWord<E>*>(step == 1 ? at : at - ${scanRun - 1});`,
  `    RunWord<E> seen[${scanRun} / lanes];`,
  "    JITLAB_UNROLL",
  `    for (int w = 0; w < ${scanRun} / lanes; ++w) seen[w] = words[w];`,
  "    JITLAB_UNROLL",
  `    for (int j = 0; j < ${scanRun}; ++j) {`,
  `      const E forward = seen[j / lanes].lane[j % lanes], backward = seen[(${scanRun - 1} - j) / lanes].lane[(${scanRun - 1} - j) % lanes];`,
  "      run[j] = step == 1 ? forward : backward;",
  "    }",
  "  } else if (step == 0) {",
  "    const E same = *at;",
  "    JITLAB_UNROLL",
  `    for (int j = 0; j < ${scanRun}; ++j) run[j] = same;`,
  "  } else {",
  "    JITLAB_UNROLL",
  `    for (int j = 0; j < ${scanRun}; ++j) run[j] = at[j * step];`,
  "  }",
  "}",
  `template <typename E> __device__ inline void store_run(E* at, int64 step, const E (&run)[${scanRun}]) {`,
  "  const int lanes = 16 / sizeof(E);",
  "  if (is_words(at, step)) {",
  `    RunWord<E>* words = reinterpret_cast<RunWord<E>*>(step == 1 ? at : at - ${scanRun - 1});`,
  "    JITLAB_UNROLL",
  `    for (int w = 0; w < ${scanRun} / lanes; ++w) {`,
  "      RunWord<E> word;",
  "      JITLAB_UNROLL",
  "      for (int l = 0; l < lanes; ++l) {",
  `        const int j = w * lanes + l;`,
  `        word.lane[l] = step == 1 ? run[j] : run[${scanRun - 1} - j];`,
  "      }",
  "      words[w] = word;",
  "    }",
  "  } else {",
  "    JITLAB_UNROLL",
  `    for (int j = 0; j < ${scanRun}; ++j) at[j * step] = run[j];`,
  "  }",
  "}",
];

/** What a thread's runs read and write. */
export interface RunOperands {
  readonly plan: ScanPlan;
  /** The dtype of the scanned tensor, which maps compute if there are some. */
  readonly dtype: DType;
  readonly before: Functor | undefined;
  readonly after: ScanAfter | undefined;
}

interface Buffer {
  readonly name: string;
  readonly type: DType;
}

function buffersOf({ plan, dtype, before, after }: RunOperands): { read: Buffer[]; written: Buffer[] } {
  const elements: ScanElements | undefined = before && scanElements(before);
  const read = elements
    ? elements.inputs.map((type, i) => ({ name: `in${i}`, type }))
    : [{ name: "in", type: dtype }];
  if (after === undefined) {
    return { read, written: plan.results.map((type, i) => ({ name: `out${i}`, type })) };
  }
  const { functor, keeps } = after;
  const operands = functor.inputs.slice(keeps.length) as readonly DType[];
  const types = [...plan.results.filter((_, i) => keeps[i]), ...(functor.results as readonly DType[])];
  const { outputs } = afterOperands(after);
  return {
    read: [...read, ...operands.map((type, i) => ({ name: `x${i}`, type }))],
    written: outputs.map((name, i) => ({ name, type: types[i] as DType })),
  };
}

/** True if a thread's registers hold the runs. */
export function hasRuns(operands: RunOperands): boolean {
  const { read, written } = buffersOf(operands);
  return read.length + written.length <= mostBuffers;
}

/** Statements for one whole run from `k` on: `own` and `prefix` are its accumulators. */
export function wholeRun(operands: RunOperands): string[] {
  const { plan, before, after } = operands;
  const { read, written } = buffersOf(operands);
  const elements = before ? read.slice(0, before.inputs.length) : [];
  const element = before
    ? `in.of({${elements.map(({ name }) => `run_${name}[j]`).join(", ")}})`
    : "run_in[j]";
  const places = { output: (name: string) => `run_${name}[j]`, operand: (i: number) => `run_x${i}[j]` };
  const stores = after
    ? storesAfter(after, plan, places)
    : plan.results.map(({ ctype }, i) => `run_out${i}[j] = cast<${ctype}>(${plan.finish[i]});`);
  return [
    ...[...read, ...written].map(({ name, type }) => `${type.ctype} run_${name}[${scanRun}];`),
    ...read.map(({ name }) => `load_run(${name} + k * ${name}_step, ${name}_step, run_${name});`),
    "JITLAB_UNROLL",
    `for (int j = 0; j < ${scanRun}; ++j) {`,
    `  own = join(own, lift(cast<Element>(${element}), begin + k + j));`,
    "  const Accumulator a = join(prefix, own);",
    ...stores.map((line) => `  ${line}`),
    "}",
    ...written.map(({ name }) => `store_run(${name} + k * out_step, out_step, run_${name});`),
  ];
}
