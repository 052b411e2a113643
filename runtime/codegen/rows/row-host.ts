// The row kernel of a processor. A task owns its rows and computes each in phases and blocks: first loops over the block, so
// that functions stay vectorized, then the reductions of their results. Values for reductions and later phases stay in the
// task's cache. Reductions use the order of reduction-order.ts.

import { indented } from "../indented.js";
import { blockSize } from "../maps/element.js";
import { blocks, type PlacedArgument, stageLoops } from "../maps/staged-loop.js";
import { liftedElement } from "../reductions/reduce-pieces.js";
import { searchFunction } from "../reductions/reduce-search.js";
import { reduceUnit } from "../reductions/reduce-spec.js";
import { hostOrder, partsOrder, shortRow } from "../reductions/reduction-order.js";
import {
  accessOf,
  atOf,
  phasesOf,
  type RowLoops,
  type RowReduction,
  type RowSpec,
  rowBufferBytes,
} from "./row-spec.js";
import { asByte, baseOf, elementsOf, liveValues, pointerTo, valueType } from "./row-values.js";

const fewParts = 16;

/** The functions that join the elements of a row, for a reduction's namespace. */
export function rowJoins(spec: RowSpec, one: RowReduction): string[] {
  const { part } = hostOrder("row", shortRow, one.plan.accumulatorBytes);
  const { ctype } = rowOf(spec, one.value);
  const [few, many] = [partsOrder(1).width, partsOrder(fewParts + 1).width];
  return [
    ...joinedPart(spec, one),
    `inline Accumulator joined(const ${ctype}* values, int64 step, int64 n) {`,
    `  if (n <= ${part}) return joined_part(values, step, 0, n);`,
    `  // The values of parts meet in pairs, neighbors first: \`pairs[b]\` holds the value of 2^b of them.`,
    `  const int64 width = n <= ${part * fewParts} ? ${few} : ${many};`,
    `  Accumulator value, pairs[8];`,
    `  for (int64 k = 0; k < width; ++k) {`,
    `    const int64 from = k * ${part}, end = n - from < ${part} ? n : from + ${part};`,
    `    value = identity();`,
    `    if (from < n) value = join(value, joined_part(values, step, from, end));`,
    `    int b = 0;`,
    `    for (; k >> b & 1; ++b) value = join(pairs[b], value);`,
    `    pairs[b] = value;`,
    `  }`,
    `  return value;`,
    `}`,
  ];
}

/** The function that joins a part: its elements are joined to accumulators in vector registers, in turn. */
function joinedPart(spec: RowSpec, { plan, value }: RowReduction): string[] {
  const { width } = hostOrder("row", shortRow, plan.accumulatorBytes);
  const { access } = elementsOf(spec, value);
  const { ctype } = rowOf(spec, value);
  const head = `Accumulator joined_part(const ${ctype}* values, int64 step, int64 from, int64 end) {`;
  if (plan.first && access === "dense") {
    return [
      ...searchFunction(plan, plan.first, ctype),
      `inline ${head}`,
      `  return first_of(values + from, end - from, from);`,
      `}`,
    ];
  }
  const place = (k: string) => (access === "row" ? "0" : access === "even" ? `(${k}) * step` : k);
  const element = (k: string) => liftedElement(`values[${place(k)}]`, k);
  return [
    `__noinline__ static ${head}`,
    `  Accumulator own[${width}];`,
    `  for (int u = 0; u < ${width}; ++u) own[u] = identity();`,
    `  int64 k = from;`,
    `  for (; k + ${width} <= end; k += ${width}) {`,
    `    JITLAB_INDEPENDENT`,
    `    for (int u = 0; u < ${width}; ++u) own[u] = join(own[u], ${element("k + u")});`,
    `  }`,
    `  for (int u = 0; k < end; ++u, ++k) own[u] = join(own[u], ${element("k")});`,
    `  JITLAB_UNROLL`,
    `  for (int step = ${width / 2}; step > 0; step /= 2)`,
    `    for (int u = 0; u < step; ++u) own[u] = join(own[u], own[u + step]);`,
    `  return own[0];`,
    `}`,
  ];
}

/** The functions of the loops, one namespace per phase. */
export function rowLoops({ body }: RowSpec): string[] {
  return body.loops.map(({ phase, stages }) => `namespace phase${phase} {\n${stages.text}\n}`);
}

/** Renders the range kernel of a spec. */
export function rowHost(spec: RowSpec, symbol: string): string {
  const { body, rank } = spec;
  const operands = spec.access.length;
  let offset = 0;
  const held = liveValues(spec).map(({ name, ctype, bytes }) => {
    const own = { name, ctype, offset };
    offset += bytes;
    return own;
  });
  return [
    `extern "C" void ${symbol}(const void* block, int64 begin_task, int64 end_task) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
    `  const int64 n = args.length, group = n < ${reduceUnit} ? ${reduceUnit} / n : 1;`,
    ...body.scalars.map(({ ctype }, i) => `  const ${ctype} s${i} = args.s${i};`),
    ...(held.length > 0
      ? [
          `  alignas(64) char buffer[${rowBufferBytes}];`,
          `  const int64 capacity = (n + 63) / 64 * 64;`,
          ...held.map(
            ({ name, ctype, offset }) =>
              `  ${ctype}* kept_${name} = reinterpret_cast<${ctype}*>(buffer + ${offset} * capacity);`,
          ),
        ]
      : []),
    `  const int64 begin = begin_task / ${reduceUnit} * group, stop = end_task / ${reduceUnit} * group;`,
    `  const int64 end = stop < args.rows ? stop : args.rows;`,
    `  for (int64 place = begin; place < end; ++place) {`,
    `    int64 at[${operands}] = {};`,
    ...(rank > 0
      ? [
          `    uint32 rest = place;`,
          `    for (int d = 0; d < ${rank}; ++d) {`,
          `      const uint32 size = args.dim[d].size, quotient = d + 1 < ${rank} ? rest / size : 0, index = rest - quotient * size;`,
          `      for (int k = 0; k < ${operands}; ++k) at[k] += index * args.dim[d].stride[k];`,
          `      rest = quotient;`,
          `    }`,
        ]
      : []),
    ...indented(pointersText(spec), "    "),
    ...Array.from({ length: phasesOf(body) }, (_, phase) => indented(phaseText(spec, phase), "    ")).flat(),
    `  }`,
    `}`,
  ].join("\n");
}

/** The start of a row in each operand, and the operands' elements that are constant within the row. */
function pointersText(spec: RowSpec): string[] {
  const { outputs, inputs } = spec.body;
  return [
    ...outputs.flatMap(({ dtype, domain }, i) =>
      domain === "points" ? [`${dtype.ctype}* out${i} = args.out${i} + at[${i}];`] : [],
    ),
    ...inputs.map(({ dtype: { ctype }, isAddressed }, i) => {
      const first = `args.in${i} + ${atOf(spec, i)}`;
      if (isAddressed && accessOf(spec, i) === "row") return `const ${ctype}* x${i} = ${first};`;
      return accessOf(spec, i) === "row"
        ? `const ${ctype} x${i} = *(${first});`
        : `const ${ctype}* in${i} = ${first};`;
    }),
  ];
}

/** One phase: the values of the row, then of its elements and their reductions. */
function phaseText(spec: RowSpec, phase: number): string[] {
  const { body } = spec;
  const ofRow = body.steps.filter((step) => step.phase === phase && step.domain === "kept");
  const loops = body.loops.find((one) => one.phase === phase);
  const reductions = body.reductions.filter((one) => one.phase === phase);
  const written = body.outputs.flatMap((output, i) =>
    output.phase === phase && output.domain === "kept" ? [`args.out${i}[at[${i}]] = ${output.value};`] : [],
  );
  return [
    ...ofRow.flatMap((step) => step.lines.map((line) => line.trimStart())),
    ...(loops ? blocks("0", "n", loopsText(spec, loops), blockSize) : []),
    ...reductions.map(({ plan, value, result }) => {
      const { pointer, step } = rowOf(spec, value);
      return `const ${plan.result.ctype} ${result} = of_${result}::finish(of_${result}::joined(${pointer}, ${step}, n), n);`;
    }),
    ...written,
  ];
}

function loopsText(spec: RowSpec, { phase, stages, given, made }: RowLoops): string[] {
  const { body } = spec;
  const operands = body.inputs.length + body.reductions.length;
  const spelled = (argument: PlacedArgument): string => {
    if (argument.role === "output") return `${baseOf(spec, made[argument.index] as string)}[j]`;
    if (argument.role === "parameter") return `s${argument.index}`;
    const { index } = argument;
    return index < operands ? inputAs(spec, index) : readAs(spec, given[index - operands] as string);
  };
  return stageLoops(stages, "j", spelled, blockSize, `phase${phase}::`);
}

/** A value of an earlier phase, or of the row. */
function readAs(spec: RowSpec, name: string): string {
  const type = valueType(spec, name);
  return type === undefined ? name : asByte(`${baseOf(spec, name)}[j]`, type);
}

/** An operand in memory, or the result of a reduction. */
function inputAs(spec: RowSpec, index: number): string {
  const access = accessOf(spec, index);
  const input = spec.body.inputs[index];
  if (input === undefined || access === "row") return `x${index}`;
  const step = access === "even" ? ` * args.step[${spec.body.outputs.length + index}]` : "";
  const place = `in${index}[j${step}]`;
  return input.isAddressed ? `&${place}` : asByte(place, input.dtype.ctype);
}

/** The elements that a reduction joins: their type, the address of the first, and their step. */
function rowOf(spec: RowSpec, name: string): { ctype: string; pointer: string; step: string } {
  const { base, ctype, access, input = 0 } = elementsOf(spec, name);
  const step = access === "even" ? `args.step[${spec.body.outputs.length + input}]` : "1";
  return { ...pointerTo(access === "row" ? `&${base}` : base, ctype), step };
}
