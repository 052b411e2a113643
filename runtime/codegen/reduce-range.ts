// The reduction kernel of a processor. A task takes one part behind some results; tasks are independent, so that any thread
// may run any of them.
import { indented, lifted, stored } from "./reduce-pieces.js";
import { type ReduceSpec, readType, reduceColumns, reduceUnit } from "./reduce-spec.js";

/** Renders the range kernel of a pass. */
export function reduceRange(spec: ReduceSpec, symbol: string): string {
  const rows = spec.first && spec.kind === "row";
  const task = rows ? rowTask(spec) : spec.first ? columnTask(spec) : partsTask(spec);
  return [
    ...(rows ? rowFunction(spec) : []),
    `extern "C" void ${symbol}(const void* block, int64 begin_task, int64 end_task) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
    `  for (int64 task = begin_task / ${reduceUnit}; task < end_task / ${reduceUnit}; ++task) {`,
    `    const int64 part = task % args.parts, from = task / args.parts * args.group;`,
    `    const int64 to = from + args.group < args.results ? from + args.group : args.results;`,
    `    const int64 begin = part * args.part;`,
    `    const int64 end = begin + args.part < args.length ? begin + args.part : args.length;`,
    ...indented(task, "    "),
    `  }`,
    `}`,
  ].join("\n");
}

/** One part of a row: its elements go in turn to accumulators that stay in vector registers. */
function rowFunction(spec: ReduceSpec): string[] {
  const { width } = spec;
  return [
    `__noinline__ static Accumulator join_row(const Arguments& args, const ${readType(spec).ctype}* in, int64 begin, int64 end) {`,
    `  Accumulator own[${width}];`,
    `  for (int u = 0; u < ${width}; ++u) own[u] = identity();`,
    `  int64 k = begin;`,
    `  for (; k + ${width} <= end; k += ${width}) {`,
    `    JITLAB_INDEPENDENT`,
    `    for (int u = 0; u < ${width}; ++u) own[u] = join(own[u], ${lifted(spec, "in[offset(args, k + u)]", "k + u")});`,
    `  }`,
    `  for (int u = 0; k < end; ++u, ++k) own[u] = join(own[u], ${lifted(spec, "in[offset(args, k)]", "k")});`,
    `  JITLAB_UNROLL`,
    `  for (int step = ${width / 2}; step > 0; step /= 2)`,
    `    for (int u = 0; u < step; ++u) own[u] = join(own[u], own[u + step]);`,
    `  return own[0];`,
    `}`,
  ];
}

/** Result by result. */
function rowTask(spec: ReduceSpec): string[] {
  return [
    `for (int64 result = from; result < to; ++result) {`,
    `  int64 at, place;`,
    `  locate(args, result, at, place);`,
    `  const Accumulator all = join_row(args, args.in + at, begin, end);`,
    `  args.out[place + part * args.part_step] = ${stored(spec, "all")};`,
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

/**
 * Joins the values of parts in pairs, neighbors first: bit b of how many were taken says whether \`pairs[b]\` holds the
 * value of 2^b of them. What is missing to the width is the identity.
 */
function partsTask(spec: ReduceSpec): string[] {
  return [
    `for (int64 result = from; result < to; ++result) {`,
    `  int64 at, place;`,
    `  locate(args, result, at, place);`,
    `  const Accumulator* in = args.in + at;`,
    `  Accumulator value, pairs[${Math.log2(spec.width) + 1}];`,
    `  for (int64 k = 0; k < ${spec.width}; ++k) {`,
    `    value = identity();`,
    `    if (begin + k < end) value = join(value, in[offset(args, begin + k)]);`,
    `    int b = 0;`,
    `    for (; k >> b & 1; ++b) value = join(pairs[b], value);`,
    `    pairs[b] = value;`,
    `  }`,
    `  args.out[place + part * args.part_step] = ${stored(spec, "value")};`,
    `}`,
  ];
}
