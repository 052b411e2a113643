// The kernels of reductions in both dialects. Every accumulator has a fixed list of elements and accumulators are joined in
// a fixed tree, which depend on shape and layout alone: the same call gives the same bits, however threads are scheduled.
import type { LaunchShape } from "../device/device.js";
import { maxDims } from "../layout.js";
import {
  type ReduceSpec,
  readType,
  reduceColumns,
  reduceCounts,
  reduceThreads,
  reduceUnit,
  reduceVariant,
} from "./reduce-spec.js";
import { preludes, type Rendered } from "./render.js";

/** Renders the kernel of one pass. Equal specs give equal text. */
export function renderReduction(spec: ReduceSpec): Rendered {
  const { name, input, plan, dialect } = spec;
  const symbol = [name, input.name, plan.result.name, reduceVariant(spec).replace(/\W+/g, "_")].join("_");
  const title = `// ${name}: ${plan.result.name}, ${input.name}; ${reduceVariant(spec)}; ${dialect.title}`;
  const used = [input, plan.compute, plan.result];
  const kernel = dialect.grid ? gridKernel(spec, symbol) : rangeKernel(spec, symbol);
  const shape: LaunchShape = dialect.grid
    ? { threads: reduceThreads, perThread: 1 }
    : { threads: 1, perThread: reduceUnit };
  const body = [ownText(spec), argumentsText(spec), kernel];
  const text = [title, ...preludes(dialect, used, body), ...body].join("\n");
  return { source: `${text}\n`, symbol, shape };
}

/** The reduction itself. */
function ownText({ plan }: ReduceSpec): string {
  return [
    `typedef ${plan.compute.ctype} T;`,
    plan.accumulator,
    `__device__ inline Accumulator identity() { return ${plan.identity}; }`,
    `__device__ inline Accumulator lift(T x, int64 place) { return ${plan.lift}; }`,
    `__device__ inline Accumulator join(Accumulator a, Accumulator b) { return ${plan.join}; }`,
    `__device__ inline ${plan.result.ctype} finish(Accumulator a, int64 total) { return cast<${plan.result.ctype}>(${plan.finish}); }`,
  ].join("\n");
}

function argumentsText(spec: ReduceSpec): string {
  const { last, plan, spacing, dialect } = spec;
  const index = spec.index === 32 ? "uint32" : "int64";
  const offset = {
    dense: [`  return k;`],
    even: [`  return k * args.reduced[0].in;`],
    nested: [
      `  ${index} rest = k;`,
      `  int64 at = 0;`,
      `  for (int d = 0; d < args.reduced_rank; ++d) {`,
      `    const ${index} size = args.reduced[d].size, quotient = rest / size;`,
      `    at += (rest - quotient * size) * args.reduced[d].in;`,
      `    rest = quotient;`,
      `  }`,
      `  return at;`,
    ],
  };
  return [
    `struct Arguments {`,
    `  ${dialect.pointer(`const ${readType(spec).ctype}`)} in;`,
    `  ${dialect.pointer(last ? plan.result.ctype : "Accumulator")} out;`,
    `  int64 ${reduceCounts.join(", ")};`,
    `  struct Kept { int64 size, in, out; } kept[${maxDims}];  // innermost first; strides in elements`,
    `  struct Reduced { int64 size, in; } reduced[${maxDims}];`,
    `};`,
    `// Where result number \`result\` has its elements and its place.`,
    `__device__ inline void locate(const Arguments& args, int64 result, int64& in, int64& out) {`,
    `  ${index} rest = result;`,
    `  in = 0;`,
    `  out = 0;`,
    `  for (int d = 0; d < args.kept_rank; ++d) {`,
    `    const ${index} size = args.kept[d].size, quotient = rest / size, index = rest - quotient * size;`,
    `    in += index * args.kept[d].in;`,
    `    out += index * args.kept[d].out;`,
    `    rest = quotient;`,
    `  }`,
    `}`,
    `// Where element \`k\` lies behind the first element of its result.`,
    `__device__ inline int64 offset(const Arguments& args, int64 k) {`,
    ...offset[spacing],
    `}`,
  ].join("\n");
}

/** An element, or an accumulator of the pass before, as an accumulator. */
function lifted(spec: ReduceSpec, value: string, place: string): string {
  return spec.first ? `lift(cast<T>(${value}), ${place})` : value;
}

function stored(spec: ReduceSpec, value: string): string {
  return spec.last ? `finish(${value}, args.total)` : value;
}

/** Joins `count` accumulators in `name` pairwise into the first. */
function pairwise(name: string, count: number): string[] {
  return [
    `JITLAB_UNROLL`,
    `for (int step = ${count / 2}; step > 0; step /= 2)`,
    `  for (int u = 0; u < step; ++u) ${name}[u] = join(${name}[u], ${name}[u + step]);`,
  ];
}

function indented(lines: readonly string[], by: string): string[] {
  return lines.map((line) => (line.startsWith("#") ? line : by + line));
}

/**
 * A block of threads takes one part of the elements behind one result or some: `lanes` threads share those behind each,
 * and join what they have in a tree through shared memory.
 */
function gridKernel(spec: ReduceSpec, symbol: string): string {
  const { kind, lanes } = spec;
  const side = reduceThreads / lanes;
  const inner = kind === "inner";
  const partner = inner ? "threadIdx.x + step" : `threadIdx.x + step * ${side}`;
  return [
    ...(spec.vector > 1
      ? [
          `struct alignas(${spec.vector * readType(spec).bytes}) Pack { ${readType(spec).ctype} lane[${spec.vector}]; };`,
        ]
      : []),
    `extern "C" __global__ void __launch_bounds__(${reduceThreads}) ${symbol}(const __grid_constant__ Arguments args) {`,
    `  const int lane = threadIdx.x ${inner ? "%" : "/"} ${inner ? lanes : side};`,
    `  const int64 group = blockIdx.x / args.parts, part = blockIdx.x % args.parts;`,
    `  const int64 result = group * ${side} + threadIdx.x ${inner ? "/" : "%"} ${inner ? lanes : side};`,
    `  Accumulator all = identity();`,
    `  int64 at = 0, to = 0;`,
    `  if (result < args.results) {`,
    `    locate(args, result, at, to);`,
    `    const ${readType(spec).ctype}* in = args.in + at;`,
    `    const int64 begin = part * args.part;`,
    `    const int64 end = begin + args.part < args.length ? begin + args.part : args.length;`,
    ...indented(spec.vector > 1 ? packedLoop(spec) : spacedLoop(spec), "    "),
    `  }`,
    ...(lanes > 1
      ? [
          `  __shared__ Accumulator shared[${reduceThreads}];`,
          `  for (int step = ${lanes / 2}; step > 0; step /= 2) {`,
          `    shared[threadIdx.x] = all;`,
          `    __syncthreads();`,
          `    if (lane < step) all = join(all, shared[${partner}]);`,
          `    __syncthreads();`,
          `  }`,
        ]
      : []),
    `  if (lane == 0 && result < args.results) args.out[to + part * args.part_step] = ${stored(spec, "all")};`,
    `}`,
  ].join("\n");
}

/** Dense elements in words of `vector`; each place in the word has an accumulator. */
function packedLoop(spec: ReduceSpec): string[] {
  const { vector, lanes } = spec;
  return [
    `Accumulator own[${vector}];`,
    `#pragma unroll`,
    `for (int u = 0; u < ${vector}; ++u) own[u] = identity();`,
    `int64 k = begin + lane * ${vector};`,
    `#pragma unroll 8`,
    `for (; k + ${vector} <= end; k += ${lanes * vector}) {`,
    `  const Pack pack = *reinterpret_cast<const Pack*>(in + k);`,
    `#pragma unroll`,
    `  for (int u = 0; u < ${vector}; ++u) own[u] = join(own[u], ${lifted(spec, "pack.lane[u]", "k + u")});`,
    `}`,
    `// The last word may be incomplete; its thread takes what there is.`,
    `for (; k < end; ++k) own[0] = join(own[0], ${lifted(spec, "in[k]", "k")});`,
    ...pairwise("own", vector),
    `all = own[0];`,
  ];
}

/** Elements one by one, in four accumulators, so that reads overlap. */
function spacedLoop(spec: ReduceSpec): string[] {
  const { lanes } = spec;
  return [
    `Accumulator own[4];`,
    `#pragma unroll`,
    `for (int u = 0; u < 4; ++u) own[u] = identity();`,
    `int64 k = begin + lane;`,
    `#pragma unroll 2`,
    `for (; k + ${3 * lanes} < end; k += ${4 * lanes}) {`,
    `#pragma unroll`,
    `  for (int u = 0; u < 4; ++u)`,
    `    own[u] = join(own[u], ${lifted(spec, `in[offset(args, k + u * ${lanes})]`, `k + u * ${lanes}`)});`,
    `}`,
    `for (; k < end; k += ${lanes}) own[0] = join(own[0], ${lifted(spec, "in[offset(args, k)]", "k")});`,
    ...pairwise("own", 4),
    `all = own[0];`,
  ];
}

/** A task takes one part behind some results; tasks are independent, so that any thread may run any of them. */
function rangeKernel(spec: ReduceSpec, symbol: string): string {
  return [
    `extern "C" void ${symbol}(const void* block, int64 begin_task, int64 end_task) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
    `  for (int64 task = begin_task / ${reduceUnit}; task < end_task / ${reduceUnit}; ++task) {`,
    `    const int64 part = task % args.parts, from = task / args.parts * args.group;`,
    `    const int64 to = from + args.group < args.results ? from + args.group : args.results;`,
    `    const int64 begin = part * args.part;`,
    `    const int64 end = begin + args.part < args.length ? begin + args.part : args.length;`,
    ...indented(spec.kind === "inner" ? rowTask(spec) : columnTask(spec), "    "),
    `  }`,
    `}`,
  ].join("\n");
}

/** Accumulators of one loop of a processor: some vector registers full. */
export function rowWidth(accumulatorBytes: number): number {
  return Math.max(4, Math.min(64, 256 / accumulatorBytes));
}

/** Result by result: its elements go in turn to accumulators that stay in vector registers. */
function rowTask(spec: ReduceSpec): string[] {
  const width = rowWidth(spec.plan.accumulatorBytes);
  const element = (k: string) => lifted(spec, `in[offset(args, ${k})]`, k);
  return [
    `for (int64 result = from; result < to; ++result) {`,
    `  int64 at, place;`,
    `  locate(args, result, at, place);`,
    `  const ${readType(spec).ctype}* in = args.in + at;`,
    `  Accumulator own[${width}];`,
    `  for (int u = 0; u < ${width}; ++u) own[u] = identity();`,
    `  int64 k = begin;`,
    `  for (; k + ${width} <= end; k += ${width}) {`,
    `    JITLAB_INDEPENDENT`,
    `    for (int u = 0; u < ${width}; ++u) own[u] = join(own[u], ${element("k + u")});`,
    `  }`,
    `  for (int u = 0; k < end; ++u, ++k) own[u] = join(own[u], ${element("k")});`,
    ...indented(pairwise("own", width), "  "),
    `  args.out[place + part * args.part_step] = ${stored(spec, "own[0]")};`,
    `}`,
  ];
}

/** Results side by side, each with an accumulator: rows are read along memory. */
function columnTask(spec: ReduceSpec): string[] {
  const element = (place: string) => lifted(spec, `row[${place}]`, "k");
  return [
    `const int columns = to - from;`,
    `int64 at[${reduceColumns}], place[${reduceColumns}];`,
    `bool dense = columns == ${reduceColumns};`,
    `for (int c = 0; c < columns; ++c) {`,
    `  locate(args, from + c, at[c], place[c]);`,
    `  if (at[c] != at[0] + c) dense = false;`,
    `}`,
    `Accumulator own[${reduceColumns}];`,
    `for (int c = 0; c < ${reduceColumns}; ++c) own[c] = identity();`,
    `for (int64 k = begin; k < end; ++k) {`,
    `  const ${readType(spec).ctype}* row = args.in + offset(args, k);`,
    `  if (dense) {`,
    `    row += at[0];`,
    `    JITLAB_INDEPENDENT`,
    `    for (int c = 0; c < ${reduceColumns}; ++c) own[c] = join(own[c], ${element("c")});`,
    `  } else {`,
    `    for (int c = 0; c < columns; ++c) own[c] = join(own[c], ${element("at[c]")});`,
    `  }`,
    `}`,
    `for (int c = 0; c < columns; ++c) args.out[place[c] + part * args.part_step] = ${stored(spec, "own[c]")};`,
  ];
}
