// Where the blocks of a GPU that share a row meet: each passes on its part's accumulator, waits for those of the others, and
// joins all of them in the order of parts. The memory is zero before a launch, and the last block of a row makes it zero again.
import type { GpuWords } from "../../device/dialect.js";
import type { ReductionPlan } from "../../functor/reduction.js";
import { indented } from "../indented.js";
import { wordsOfPassed } from "../reductions/passed-accumulator.js";

import type { RowBody, RowReduction, RowShare } from "./row-spec.js";

const warp = 32;

const wordsOf = ({ plan }: { readonly plan: ReductionPlan }) => wordsOfPassed(plan.accumulatorBytes);
const passedOf = (reductions: readonly RowReduction[]) =>
  reductions.reduce((sum, one) => sum + wordsOf(one), 0);

/** The 64-bit words in which the blocks of a row meet: the passed accumulators, and how many blocks have taken all. */
export function exchangeWords({ reductions }: RowBody, parts: number): number {
  return passedOf(reductions) * parts + 1;
}

/** Statements at the start of a kernel: the memory of the block's row. */
export function exchangeStart({ reductions }: RowBody): string[] {
  const words = passedOf(reductions);
  return [`int64* const met = args.meeting + place * (${words} * int64(parts) + 1);`];
}

/** The place of a reduction's accumulators. */
function passedAt({ reductions }: RowBody, one: RowReduction): string {
  const before = passedOf(reductions.slice(0, reductions.indexOf(one)));
  return before === 0 ? "met" : `met + ${before} * parts`;
}

/** Statements of the first warp that join the accumulators of a block's warps, and pass the result on. */
export function passText(
  body: RowBody,
  one: RowReduction,
  { memory, count }: { readonly memory: string; readonly count: number },
  { thread }: GpuWords,
): string[] {
  const space = `of_${one.result}`;
  return [
    `if (${thread} < ${warp}) {`,
    `  ${space}::Accumulator all = ${memory}[${thread} % ${count}];`,
    `#pragma unroll`,
    `  for (int step = 1; step < ${count}; step *= 2) all = ${space}::join(all, from_thread(all, step, ${count}));`,
    `  if (${thread} == 0) ${space}::pass(${passedAt(body, one)} + part * ${space}::words, all);`,
    `}`,
  ];
}

/** Statements of the first warp that join the accumulators of all parts; the result is in the block's memory `whole_NAME`. */
export function meetText(
  body: RowBody,
  one: RowReduction,
  { blocks }: RowShare,
  { thread, shared }: GpuWords,
): string[] {
  const space = `of_${one.result}`;
  const all = `parts_${one.result}`;
  const lanes = Math.min(blocks, warp);
  const count = blocks / lanes;
  const each = (statement: string) => [`#pragma unroll`, `  for (int u = 0; u < ${count}; ++u) ${statement}`];
  const join = (a: string, b: string) => `${a} = ${space}::join(${a}, ${b});`;
  const place = `${passedAt(body, one)} + (${thread} + u * ${lanes}) * ${space}::words`;
  return [
    `${shared} ${space}::Accumulator whole_${one.result};`,
    `if (${thread} < ${warp}) {`,
    `  ${space}::Accumulator ${all}[${count}];`,
    `  bool there[${count}], waits = true;`,
    ...each(`there[u] = ${thread} >= ${lanes} || ${thread} + u * ${lanes} >= parts;`),
    // The warp asks as one: threads that wait alone would hold up the others.
    `  while (__ballot_sync(0xffffffffu, waits) != 0) {`,
    `    waits = false;`,
    ...indented(
      each(`{ if (!there[u]) there[u] = ${space}::take(${place}, ${all}[u]); waits = waits || !there[u]; }`),
      "  ",
    ),
    `  }`,
    ...each(
      `${all}[u] = ${thread} + u * ${lanes} < parts ? ${space}::join(${space}::identity(), ${all}[u]) : ${space}::identity();`,
    ),
    `#pragma unroll`,
    `  for (int step = 1; step < ${lanes}; step *= 2)`,
    `    for (int u = 0; u < ${count}; ++u) ${join(`${all}[u]`, `from_thread(${all}[u], step, ${lanes})`)}`,
    `#pragma unroll`,
    `  for (int step = 1; step < ${count}; step *= 2)`,
    `    for (int u = 0; u < ${count}; u += 2 * step) ${join(`${all}[u]`, `${all}[u + step]`)}`,
    `  if (${thread} == 0) whole_${one.result} = ${all}[0];`,
    `}`,
  ];
}

/** Statements of the first warp after all blocks' accumulators were taken: the last block of a row clears their memory. */
export function leaveText({ reductions }: RowBody, { thread, shared }: GpuWords): string[] {
  return [
    `if (${thread} < ${warp}) {`,
    `  ${shared} bool is_last;`,
    ...indented(
      [
        `if (${thread} == 0) is_last = atomicAdd(reinterpret_cast<int*>(met + ${passedOf(reductions)} * parts), 1) == int(parts) - 1;`,
        `__syncwarp();`,
        `if (is_last) for (uint32 k = ${thread}; k <= ${passedOf(reductions)} * parts; k += ${warp}) met[k] = 0;`,
      ],
      "  ",
    ),
    `}`,
  ];
}
