// The reduction kernel of a processor. A task takes one part of some results; tasks are independent, so that any thread may
// run any task.
import type { JointMember } from "../../functor/reduction.js";
import { indented } from "../indented.js";
import { blockSize } from "../maps/element.js";
import { elementLoop } from "../maps/map-host.js";
import type { KernelSpec } from "../maps/map-spec.js";
import { elementAt, lifted, liftedElement, stored } from "./reduce-pieces.js";
import { searchFunction } from "./reduce-search.js";
import { prologueSpec, type ReduceSpec, readTypes, reduceColumns, reduceUnit } from "./reduce-spec.js";

/** Renders the range kernel of a pass. */
export function reduceHost(spec: ReduceSpec, symbol: string): string {
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

/** One part of a row: its elements are joined to accumulators in vector registers, in turn. */
function rowFunction(spec: ReduceSpec): string[] {
  const { width, plan } = spec;
  if (plan.members) return jointRow(spec, plan.members);
  const prologue = prologueSpec(spec);
  if (plan.first && !prologue && spec.sources[0]?.spacing === "dense") {
    return [
      ...searchFunction(plan, plan.first, spec.input.ctype),
      `inline Accumulator join_row(const Arguments&, ${parametersOf(spec)}, int64 begin, int64 end) {`,
      `  return first_of(in0 + begin, end - begin, begin);`,
      `}`,
    ];
  }
  return [
    `__noinline__ static Accumulator join_row(const Arguments& args, ${parametersOf(spec)}, int64 begin, int64 end) {`,
    `  Accumulator own[${width}];`,
    `  for (int u = 0; u < ${width}; ++u) own[u] = identity();`,
    ...indented(prologue ? joinedBlocks(spec, prologue) : joinedElements(spec), "  "),
    ...indented(joinedPairs(width), "  "),
    `  return own[0];`,
    `}`,
  ];
}

/** One part of a row for several reductions: block by block, each joins its own elements as it would alone. */
function jointRow(spec: ReduceSpec, members: readonly JointMember[]): string[] {
  const { width } = spec;
  const prologue = prologueSpec(spec);
  const made = prologue?.outputs ?? [];
  // Operands of the prologue start with its results.
  const access = (_: string, i: number) =>
    i < made.length ? `values${i}[j - block]` : readAt(spec, i - made.length);
  const direct = members.flatMap(({ from }) => (from.role === "in" ? [from.index] : []));
  const joined = ({ from: { role, index } }: JointMember, i: number): string[] => {
    const element = (place: string) =>
      liftedElement(
        role === "out" ? `values${index}[${place} - block]` : nearAt(spec, index, place),
        place,
        `of_${i}::`,
      );
    return [`k = block;`, ...joinedRounds(spec, "stop", element, `own${i}`, `of_${i}::`)];
  };
  return [
    `__noinline__ static Accumulator join_row(const Arguments& args, ${parametersOf(spec)}, int64 begin, int64 end) {`,
    ...members.flatMap((_, i) => [
      `  of_${i}::Accumulator own${i}[${width}];`,
      `  for (int u = 0; u < ${width}; ++u) own${i}[u] = of_${i}::identity();`,
    ]),
    ...made.map(({ dtype }, i) => `  alignas(64) ${dtype.ctype} values${i}[${blockSize}];`),
    ...indented(inBlocks(spec, prologue, access, direct, [`int64 k;`, ...members.flatMap(joined)]), "  "),
    ...members.flatMap((_, i) => indented(joinedPairs(width, `own${i}`, `of_${i}::`), "  ")),
    `  return Accumulator{${members.map((_, i) => `own${i}[0]`).join(", ")}};`,
    `}`,
  ];
}

/** Joins accumulators half the width apart. */
function joinedPairs(width: number, own = "own", space = ""): string[] {
  return [
    `JITLAB_UNROLL`,
    `for (int step = ${width / 2}; step > 0; step /= 2)`,
    `  for (int u = 0; u < step; ++u) ${own}[u] = ${space}join(${own}[u], ${own}[u + step]);`,
  ];
}

function parametersOf(spec: ReduceSpec): string {
  return readTypes(spec)
    .map((ctype, i) => `const ${ctype}* in${i}`)
    .join(", ");
}

/** Joins elements in memory. */
function joinedElements(spec: ReduceSpec): string[] {
  const element = (place: string) => lifted(spec, (i) => nearAt(spec, i, place), place);
  if (!isNested(spec, 0)) return [`int64 k = begin;`, ...joinedRounds(spec, "end", element)];
  return inBlocks(
    spec,
    undefined,
    () => "",
    [0],
    [`int64 k = block;`, ...joinedRounds(spec, "stop", element)],
  );
}

/** Computes a block of elements in separate loops, so that functions stay vectorized, then joins them. */
function joinedBlocks(spec: ReduceSpec, prologue: KernelSpec): string[] {
  // Operand 0 of the prologue is its result.
  const access = (_: string, i: number) => (i === 0 ? "values[j - block]" : readAt(spec, i - 1));
  const element = (place: string) => liftedElement(`values[${place} - block]`, place);
  const joined = [`int64 k = block;`, ...joinedRounds(spec, "stop", element)];
  return [
    `alignas(64) ${prologue.outputs[0]?.dtype.ctype} values[${blockSize}];`,
    ...inBlocks(spec, prologue, access, [], joined),
  ];
}

/** Joins elements block by block, after the prologue has computed them and nested operands in `direct` are copied. */
function inBlocks(
  spec: ReduceSpec,
  prologue: KernelSpec | undefined,
  access: (name: string, i: number) => string,
  direct: readonly number[],
  joined: readonly string[],
): string[] {
  const types = readTypes(spec);
  const copied = [...new Set(direct)].filter((i) => isNested(spec, i));
  const nested = types.flatMap((_, i) => (isNested(spec, i) ? [i] : []));
  const loops = (from: string, to: string) => [
    ...(prologue ? elementLoop(prologue, "j", from, to, access) : []),
    ...copied.map((i) => `for (int64 j = ${from}; j < ${to}; ++j) near${i}[j - block] = ${readAt(spec, i)};`),
  ];
  return [
    ...copied.map((i) => `alignas(64) ${types[i]} near${i}[${blockSize}];`),
    ...nested.map((i) => `const int64 step${i} = args.reduced[0].in[${i}];`),
    `for (int64 block = begin; block < end; block += ${blockSize}) {`,
    `  const int64 stop = end - block < ${blockSize} ? end : block + ${blockSize};`,
    ...indented(
      nested.length > 0 ? inRuns(types, nested, loops("run", "last")) : loops("block", "stop"),
      "  ",
    ),
    ...indented(joined, "  "),
    `}`,
  ];
}

/** Calls loops for the elements of a block that lie at one distance: the offset of each element would take divisions. */
function inRuns(types: readonly string[], nested: readonly number[], loops: readonly string[]): string[] {
  return [
    `for (int64 run = block, last; run < stop; run = last) {`,
    `  last = run + args.reduced[0].size - run % args.reduced[0].size;`,
    `  if (last > stop) last = stop;`,
    ...nested.map((i) => `  const ${types[i]}* run${i} = in${i} + offset${i}(args, run);`),
    ...indented(loops, "  "),
    `}`,
  ];
}

/** True for an operand whose elements lie along several dimensions. */
function isNested({ sources }: ReduceSpec, i: number): boolean {
  return sources[i]?.spacing === "nested";
}

/** Element `j` of an operand, within a run if it is nested. */
function readAt(spec: ReduceSpec, i: number): string {
  return isNested(spec, i) ? `run${i}[(j - run) * step${i}]` : elementAt(spec, i, "j");
}

/** An element to join: in memory, or its copy. */
function nearAt(spec: ReduceSpec, i: number, place: string): string {
  return isNested(spec, i) ? `near${i}[${place} - block]` : elementAt(spec, i, place);
}

/** Joins elements from `k` to `end`, each with the accumulator of its index. */
function joinedRounds(
  { width }: ReduceSpec,
  end: string,
  element: (place: string) => string,
  own = "own",
  space = "",
): string[] {
  const join = (place: string) => `${own}[u] = ${space}join(${own}[u], ${element(place)});`;
  return [
    `for (; k + ${width} <= ${end}; k += ${width}) {`,
    `  JITLAB_INDEPENDENT`,
    `  for (int u = 0; u < ${width}; ++u) ${join("k + u")}`,
    `}`,
    `for (int u = 0; k < ${end}; ++u, ++k) ${join("k")}`,
  ];
}

/** Result by result. */
function rowTask(spec: ReduceSpec): string[] {
  const count = spec.sources.length;
  const operands = spec.sources.map((_, i) => `args.in${i} + at[${i}]`);
  return [
    `for (int64 result = from; result < to; ++result) {`,
    `  int64 at[${count}], place;`,
    `  locate(args, result, at, place);`,
    `  const Accumulator all = join_row(${["args", ...operands].join(", ")}, begin, end);`,
    `  ${stored(spec, "place", "all")}`,
    `}`,
  ];
}

/** Adjacent results, each with an accumulator: rows are read contiguously. */
function columnTask(spec: ReduceSpec): string[] {
  const { sources } = spec;
  const prologue = prologueSpec(spec);
  const apart = sources.map(({ across }, i) => `at[c][${i}] != at[0][${i}]${across === 0 ? "" : " + c"}`);
  const ofDense = (i: number, c: string) => (sources[i]?.across === 0 ? `row${i}[0]` : `row${i}[${c}]`);
  const joined = (value: string) => `own[c] = join(own[c], ${value})`;
  const dense = prologue
    ? [
        ...elementLoop(prologue, "c", "0", `${reduceColumns}`, (_, i) =>
          i === 0 ? "values[c]" : ofDense(i - 1, "c"),
        ),
        `JITLAB_INDEPENDENT`,
        `for (int c = 0; c < ${reduceColumns}; ++c) ${joined(liftedElement("values[c]", "k"))};`,
      ]
    : [
        `JITLAB_INDEPENDENT`,
        `for (int c = 0; c < ${reduceColumns}; ++c) ${joined(lifted(spec, (i) => ofDense(i, "c"), "k"))};`,
      ];
  return [
    `const int columns = to - from;`,
    `int64 at[${reduceColumns}][${sources.length}], place[${reduceColumns}];`,
    `bool dense = columns == ${reduceColumns};`,
    `for (int c = 0; c < columns; ++c) {`,
    `  locate(args, from + c, at[c], place[c]);`,
    `  if (${apart.join(" || ")}) dense = false;`,
    `}`,
    `Accumulator own[${reduceColumns}];`,
    `for (int c = 0; c < ${reduceColumns}; ++c) own[c] = identity();`,
    ...(prologue ? [`alignas(64) ${prologue.outputs[0]?.dtype.ctype} values[${reduceColumns}];`] : []),
    `for (int64 k = begin; k < end; ++k) {`,
    ...readTypes(spec).map((ctype, i) => `  const ${ctype}* row${i} = args.in${i} + offset${i}(args, k);`),
    `  if (dense) {`,
    ...sources.map((_, i) => `    row${i} += at[0][${i}];`),
    ...indented(dense, "    "),
    `  } else {`,
    `    for (int c = 0; c < columns; ++c) ${joined(lifted(spec, (i) => `row${i}[at[c][${i}]]`, "k"))};`,
    `  }`,
    `}`,
    `for (int c = 0; c < columns; ++c) ${stored(spec, "place[c]", "own[c]")}`,
  ];
}

/**
 * Joins the values of parts in pairs, neighbors first: bit b of the count says whether \`pairs[b]\` holds the value of 2^b
 * parts. The identity fills up to the width.
 */
function partsTask(spec: ReduceSpec): string[] {
  return [
    `for (int64 result = from; result < to; ++result) {`,
    `  int64 at[1], place;`,
    `  locate(args, result, at, place);`,
    `  const Accumulator* in0 = args.in0 + at[0];`,
    `  Accumulator value, pairs[${Math.log2(spec.width) + 1}];`,
    `  for (int64 k = 0; k < ${spec.width}; ++k) {`,
    `    value = identity();`,
    `    if (begin + k < end) value = join(value, ${elementAt(spec, 0, "begin + k")});`,
    `    int b = 0;`,
    `    for (; k >> b & 1; ++b) value = join(pairs[b], value);`,
    `    pairs[b] = value;`,
    `  }`,
    `  ${stored(spec, "place", "value")}`,
    `}`,
  ];
}
