// The reduction kernel of a GPU. A block takes one part of one or more results. Its steps (load, join within a thread, join
// across threads, finish) use the order of reduction-order.ts for any number of threads.
import type { GpuWords } from "../../device/dialect.js";
import { indented } from "../indented.js";
import { packType } from "../maps/map-gpu.js";
import { elementAt, lifted, stored } from "./reduce-pieces.js";
import { blockThreads, prologueSpec, type ReduceSpec, readTypes } from "./reduce-spec.js";
import { treeOf } from "./reduction-order.js";

const warp = 32;

/** Renders the kernel of a pass for a GPU. */
export function reduceGpu(spec: ReduceSpec, symbol: string, words: GpuWords): string {
  const { kind, threads, sources, word } = spec;
  const { thread, block } = words;
  const side = blockThreads(spec) / threads;
  const [lane, row] = kind === "row" ? [`% ${threads}`, `/ ${threads}`] : [`/ ${side}`, `% ${side}`];
  const types = readTypes(spec);
  return [
    ...(spec.first && sources.some(({ packed }) => packed) ? [packType(word)] : []),
    `${words.kernel(symbol, blockThreads(spec), undefined, residentBlocks(spec))} {`,
    `  const int lane = ${thread} ${lane};`,
    // Divisions of 32 bits: 64 take NVRTC and the GPU longer.
    `  const uint32 parts = args.parts;`,
    `  const int64 group = ${block} / parts, part = ${block} % parts;`,
    `  const int64 result = group * ${side} + ${thread} ${row};`,
    `  Accumulator own[${countOf(spec)}];`,
    `#pragma unroll`,
    `  for (int u = 0; u < ${countOf(spec)}; ++u) own[u] = identity();`,
    `  int64 at[${types.length}] = {}, to = 0;`,
    `  if (result < args.results) {`,
    `    locate(args, result, at, to);`,
    ...types.map((ctype, i) => `    const ${ctype}* in${i} = args.in${i} + at[${i}];`),
    `    const int64 begin = part * args.part;`,
    `    const int64 end = begin + args.part < args.length ? begin + args.part : args.length;`,
    ...indented(joinedElements(spec), "    "),
    `  }`,
    ...indented(isNear(spec) ? joinedNear(spec, words) : joinedFar(spec, words), "  "),
    `  if (lane == 0 && result < args.results) ${stored(spec, "to", "own[0]")}`,
    `}`,
  ].join("\n");
}

/**
 * The blocks of long rows' parts that a multiprocessor shall hold at once, so that all parts run in one wave. Undefined where
 * a thread would have too few registers.
 */
function residentBlocks(spec: ReduceSpec): number | undefined {
  const { kind, first, last, input, plan } = spec;
  const operands = prologueSpec(spec)?.inputs ?? [{ dtype: input }];
  const isLong = kind === "row" && first && !last && blockThreads(spec) === 256;
  const isNarrow =
    [{ dtype: input }, ...operands].every(({ dtype }) => dtype.bytes <= 4) && plan.accumulatorBytes <= 8;
  return isLong && isNarrow && operands.length <= 2 ? 8 : undefined;
}

/** Accumulators of one thread. */
function countOf({ width, threads }: ReduceSpec): number {
  return width / threads;
}

/** True if accumulators are joined with their neighbors first: a thread then holds words of neighbors. */
function isNear({ kind, first }: ReduceSpec): boolean {
  return kind === "row" || !first;
}

/** Joins the elements from `begin` to `end` into the accumulators of the thread, in rounds of the width. */
function joinedElements(spec: ReduceSpec): string[] {
  const { width, threads, word, sources } = spec;
  const count = countOf(spec);
  const near = isNear(spec);
  const first = near ? `begin + lane * ${word}` : `begin + lane`;
  // The offset of element u of a round from the thread's first element.
  const behind = (u: number) => (near ? Math.floor(u / word) * threads * word + (u % word) : u * threads);
  const at = near
    ? count === word
      ? "u"
      : `u / ${word} * ${threads * word} + u % ${word}`
    : `u * ${threads}`;
  const one = (i: number) => elementAt(spec, i, `k + ${at}`);
  const join = `own[u] = join(own[u], ${lifted(spec, one, `k + ${at}`)});`;
  const rest = [`#pragma unroll`, `for (int u = 0; u < ${count}; ++u)`, `  if (k + ${at} < end) ${join}`];
  // A later pass has as many accumulators as parts, so one round.
  if (!spec.first) return [`const int64 k = ${first};`, ...rest];
  const isPacked = sources.some(({ packed }) => packed);
  const inWord = `k + u * ${threads} + v`;
  const lane = (i: number) => (sources[i]?.packed ? `pack${i}.lane[v]` : elementAt(spec, i, inWord));
  const body = isPacked
    ? [
        `#pragma unroll`,
        `  for (int u = 0; u < ${count}; u += ${word}) {`,
        ...readTypes(spec).flatMap((ctype, i) =>
          sources[i]?.packed
            ? [
                `    const Pack<${ctype}> pack${i} = *reinterpret_cast<const Pack<${ctype}>*>(in${i} + k + u * ${threads});`,
              ]
            : [],
        ),
        `#pragma unroll`,
        `    for (int v = 0; v < ${word}; ++v)`,
        `      own[u + v] = join(own[u + v], ${lifted(spec, lane, inWord)});`,
        `  }`,
      ]
    : [`#pragma unroll`, `  for (int u = 0; u < ${count}; ++u) ${join}`];
  return [
    `int64 k = ${first};`,
    `#pragma unroll ${Math.max(1, Math.floor(loadsOf(spec) / count))}`,
    `for (; k + ${behind(count - 1)} < end; k += ${width}) {`,
    ...body,
    `}`,
    `// The last round may be incomplete.`,
    ...rest,
  ];
}

/** Elements of each operand that a thread reads ahead; fewer with a prologue or several reductions, which need registers. */
function loadsOf({ sources, word, prologue, plan }: ReduceSpec): number {
  if (prologue || plan.members) return (4 * word) / sources.length;
  const [source] = sources;
  return source?.packed ? 8 * word : source?.spacing === "dense" ? 16 : 8;
}

/** Joins neighbors: within words, then across threads, then the words of a thread. */
function joinedNear(spec: ReduceSpec, words: GpuWords): string[] {
  const { word } = spec;
  const count = countOf(spec);
  const heads = Array.from({ length: count / word }, (_, g) => `own[${g * word}]`);
  return [
    ...steps("own", 1, word, count),
    ...heads.flatMap((value) => acrossNear(spec, value, words)),
    ...(heads.length > 1 ? steps("own", word, count, count) : []),
  ];
}

/** Joins accumulators `from` apart, then twice as far, below `to`. */
function steps(name: string, from: number, to: number, count: number): string[] {
  return treeOf(count, from, to).map(([a, b]) => `${name}[${a}] = join(${name}[${a}], ${name}[${b}]);`);
}

/** Joins `value` of the threads of a result: by registers within a warp, by shared memory across warps. */
function acrossNear(spec: ReduceSpec, value: string, words: GpuWords): string[] {
  const { kind, threads } = spec;
  const { thread, shared, barrier } = words;
  if (threads === 1) return [];
  if (kind === "column")
    return acrossShared(spec, value, words, "step = 1; step < COUNT; step *= 2", "lane % (2 * step) == 0");
  const shuffled = (count: number, width: number) => [
    `#pragma unroll`,
    `for (int step = 1; step < ${count}; step *= 2) ${value} = join(${value}, from_thread(${value}, step, ${width}));`,
  ];
  if (threads <= warp) return shuffled(threads, threads);
  const warps = threads / warp;
  return [
    ...shuffled(warp, warp),
    `{`,
    `  ${shared} Accumulator warps[${blockThreads(spec) / warp}];`,
    `  ${barrier};`,
    `  if (${thread} % ${warp} == 0) warps[${thread} / ${warp}] = ${value};`,
    `  ${barrier};`,
    `  if (lane < ${warps}) ${value} = warps[(${thread} - lane) / ${warp} + lane];`,
    `}`,
    ...shuffled(warps, warp),
  ];
}

/** Joins accumulators half the width apart: those of a thread, then across threads. */
function joinedFar(spec: ReduceSpec, words: GpuWords): string[] {
  const count = countOf(spec);
  return [
    `#pragma unroll`,
    `for (int step = ${count / 2}; step > 0; step /= 2)`,
    `  for (int u = 0; u < step; ++u) own[u] = join(own[u], own[u + step]);`,
    ...(spec.threads === 1
      ? []
      : acrossShared(spec, "own[0]", words, "step = COUNT / 2; step > 0; step /= 2", "lane < step")),
  ];
}

/** Joins `value` of threads a block's columns apart, by shared memory. */
function acrossShared(
  spec: ReduceSpec,
  value: string,
  words: GpuWords,
  loop: string,
  takes: string,
): string[] {
  const { thread, shared, barrier } = words;
  const block = blockThreads(spec);
  return [
    `{`,
    `  ${shared} Accumulator lanes[${block}];`,
    `  for (int ${loop.replace("COUNT", String(spec.threads))}) {`,
    `    ${barrier};`,
    `    lanes[${thread}] = ${value};`,
    `    ${barrier};`,
    `    if (${takes}) ${value} = join(${value}, lanes[${thread} + step * ${block / spec.threads}]);`,
    `  }`,
    `}`,
  ];
}
