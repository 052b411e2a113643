// The row kernel of a processor for short rows. A task takes its rows in bundles: its loops run over all elements of a
// bundle, so that a row costs no loop of its own, and reductions of the shortest rows join element k of all rows together.
// Values of a row are held for each row of the bundle, and once more for each element if a loop over elements needs them.

import { indented } from "../indented.js";
import { blockSize } from "../maps/element.js";
import { blocks, type PlacedArgument, stageLoops } from "../maps/staged-loop.js";
import { liftedElement } from "../reductions/reduce-pieces.js";
import { searchFunction } from "../reductions/reduce-search.js";
import { reduceUnit } from "../reductions/reduce-spec.js";
import { hostOrder, shortRow } from "../reductions/reduction-order.js";
import {
  accessOf,
  bundledRow,
  phasesOf,
  type RowInput,
  type RowReduction,
  type RowSpec,
  rowBufferBytes,
} from "./row-spec.js";
import { asByte, baseOf, elementsOf, liveValues, pointerTo, valueType } from "./row-values.js";

/** The most rows and elements of a bundle: enough for vector registers, few enough for the L1 cache. */
const mostRows = 128;
const mostElements = 1024;
/** A value of a row is copied to that many elements at once; the next row overwrites those behind the row's end. */
const copied = 4;

/** The function that joins the rows of a bundle, for a reduction's namespace. */
export function bundleJoins(spec: RowSpec, { plan, value }: RowReduction): string[] {
  const [few, many] = [1, shortRow].map((length) => hostOrder("row", length, plan.accumulatorBytes).width);
  const { ctype } = joinedAs(spec, value);
  const place = elementsOf(spec, value).access === "row" ? "r" : "r * n + k";
  const head = `static void join_rows(const ${ctype}* values, int64 n, int64 rows, ${plan.result.ctype}* results) {`;
  if (plan.first && place !== "r") {
    return [
      ...searchFunction(plan, plan.first, ctype),
      head,
      `  for (int64 r = 0; r < rows; ++r) results[r] = finish(first_of(values + r * n, n, 0), n);`,
      `}`,
    ];
  }
  return [
    head,
    `  Accumulator own[${many}][${mostRows}];`,
    `  const int64 width = n < ${shortRow} ? ${few} : ${many};`,
    `  for (int64 u = 0; u < width; ++u)`,
    `    for (int64 r = 0; r < rows; ++r) own[u][r] = identity();`,
    `  for (int64 k = 0; k < n; ++k) {`,
    `    Accumulator* to = own[k % width];`,
    `    JITLAB_INDEPENDENT`,
    `    for (int64 r = 0; r < rows; ++r) to[r] = join(to[r], ${liftedElement(`values[${place}]`, "k")});`,
    `  }`,
    `  for (int64 step = width / 2; step > 0; step /= 2)`,
    `    for (int64 u = 0; u < step; ++u)`,
    `      for (int64 r = 0; r < rows; ++r) own[u][r] = join(own[u][r], own[u + step][r]);`,
    `  for (int64 r = 0; r < rows; ++r) results[r] = finish(own[0][r], n);`,
    `}`,
  ];
}

/** Renders the range kernel of a spec of short rows. */
export function rowBundle(spec: RowSpec, symbol: string): string {
  const { body } = spec;
  const spread = new Map<string, string>();
  const phases = Array.from({ length: phasesOf(body) }, (_, phase) => phaseText(spec, phase, spread)).flat();
  const most = elementsOfBundle(spec);
  const capacity = most + copied;
  return [
    `template <typename V> inline void spread(const V* values, int64 n, int64 rows, V* elements) {`,
    `  for (int64 r = 0; r < rows; ++r)`,
    `    for (int64 k = 0; k < n; k += ${copied})`,
    `      for (int u = 0; u < ${copied}; ++u) elements[r * n + k + u] = values[r];`,
    `}`,
    ...body.inputs.flatMap(({ dtype, isAddressed }, i) =>
      isAddressed ? [`typedef const ${dtype.ctype}* Address${i};`] : [],
    ),
    `extern "C" void ${symbol}(const void* block, int64 begin_task, int64 end_task) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
    `  const int64 n = args.length, group = ${reduceUnit} / n;`,
    ...body.scalars.map(({ ctype }, i) => `  const ${ctype} s${i} = args.s${i};`),
    ...liveValues(spec).map(({ name, ctype }) => `  alignas(64) ${ctype} kept_${name}[${capacity}];`),
    ...body.inputs.flatMap((input, i) =>
      isOfRow(spec, i) ? [] : [`  alignas(64) ${typeOf(input, i)} copy${i}[${capacity}];`],
    ),
    ...[...rowTypes(spec)].map(([name, ctype]) => `  alignas(64) ${ctype} rows_${name}[${mostRows}];`),
    ...[...spread].map(([name, ctype]) => `  alignas(64) ${ctype} each_${name}[${capacity}];`),
    `  const int64 begin = begin_task / ${reduceUnit} * group, stop = end_task / ${reduceUnit} * group;`,
    `  const int64 end = stop < args.rows ? stop : args.rows;`,
    `  const int64 bundle = n * ${mostRows} < ${most} ? ${mostRows} : ${most} / n;`,
    `  for (int64 from = begin; from < end; from += bundle) {`,
    `    const int64 rows = end - from < bundle ? end - from : bundle, count = rows * n;`,
    ...body.outputs.map(
      ({ dtype, domain }, i) =>
        `    ${dtype.ctype}* out${i} = args.out${i} + from${domain === "points" ? " * n" : ""};`,
    ),
    ...indented(inputsText(spec), "    "),
    ...indented(phases, "    "),
    `  }`,
    `}`,
  ].join("\n");
}

/** The most elements of a bundle: what it holds of them must fit into the task's memory. */
function elementsOfBundle({ body }: RowSpec): number {
  const types = [
    ...body.inputs.map(({ dtype, isAddressed }) => (isAddressed ? { bytes: 8 } : dtype)),
    ...body.steps.flatMap(({ values }) => values),
  ];
  // A value may be held and copied to each element.
  const bytes = types.reduce((sum, one) => sum + 2 * one.bytes, 0);
  return Math.max(bundledRow, Math.min(mostElements, 2 ** Math.floor(Math.log2(rowBufferBytes / bytes))));
}

/** The C type of what a step gets of an input: an element, or its address. */
function typeOf({ dtype, isAddressed }: RowInput, i: number): string {
  return isAddressed ? `Address${i}` : dtype.ctype;
}

function isOfRow(spec: RowSpec, input: number): boolean {
  return accessOf(spec, input) === "row";
}

/** Values of a row, and their C types. */
function rowTypes(spec: RowSpec): Map<string, string> {
  const { inputs, reductions, steps } = spec.body;
  return new Map([
    ...inputs.flatMap((input, i): [string, string][] =>
      isOfRow(spec, i) ? [[`x${i}`, typeOf(input, i)]] : [],
    ),
    ...reductions.map(({ result, plan }): [string, string] => [result, plan.result.ctype]),
    ...steps.flatMap(({ domain, values }) =>
      domain === "kept" ? values.map(({ name, ctype }): [string, string] => [name, ctype]) : [],
    ),
  ]);
}

/** The operands of a bundle: adjacent rows are read in place, others are copied. */
function inputsText(spec: RowSpec): string[] {
  const { body, rank } = spec;
  return body.inputs.flatMap((input, i) => {
    const operand = body.outputs.length + i;
    const isRow = isOfRow(spec, i);
    const ctype = typeOf(input, i);
    const read = (place: string) => `${input.isAddressed ? "&" : ""}args.in${i}[${place}]`;
    const copy = [
      `for (int64 r = 0; r < rows; ++r) {`,
      `  int64 at = 0;`,
      ...(rank > 0
        ? [
            `  uint32 rest = from + r;`,
            `  for (int d = 0; d < ${rank}; ++d) {`,
            `    const uint32 size = args.dim[d].size, quotient = d + 1 < ${rank} ? rest / size : 0;`,
            `    at += (rest - quotient * size) * args.dim[d].stride[${operand}];`,
            `    rest = quotient;`,
            `  }`,
          ]
        : []),
      isRow
        ? `  rows_x${i}[r] = ${read("at")};`
        : `  for (int64 k = 0; k < n; ++k) copy${i}[r * n + k] = ${read(`at + k * args.step[${operand}]`)};`,
      `}`,
    ];
    if (isRow) return copy;
    if (input.isAddressed) return [...copy, `const ${ctype}* in${i} = copy${i};`];
    const isAdjacent = rank === 0 ? "true" : `args.dim[0].stride[${operand}] == n`;
    return [
      `const ${ctype}* in${i} = args.in${i} + from * n;`,
      ...(accessOf(spec, i) === "dense" && rank <= 1 ? [`if (!(${isAdjacent})) {`] : [`{`]),
      ...indented(copy, "  "),
      `  in${i} = copy${i};`,
      `}`,
    ];
  });
}

/** One phase: the values of the rows, then of their elements and their reductions. `spread` gets values needed for each element. */
function phaseText(spec: RowSpec, phase: number, spread: Map<string, string>): string[] {
  const { body } = spec;
  const types = rowTypes(spec);
  const loops = body.loops.find((one) => one.phase === phase);
  const lines = [...rowSteps(spec, phase, types)];
  if (loops) {
    const eachOf = (name: string): string => {
      const ctype = types.get(name) as string;
      if (!spread.has(name)) lines.push(`spread(rows_${name}, n, rows, each_${name});`);
      spread.set(name, ctype);
      return asByte(`each_${name}[j]`, ctype);
    };
    const { stages, given, made } = loops;
    const spelled = ({ role, index }: PlacedArgument): string => {
      if (role === "output") return `${baseOf(spec, made[index] as string)}[j]`;
      if (role === "parameter") return `s${index}`;
      const input = body.inputs[index];
      const name = given[index - body.inputs.length - body.reductions.length] ?? `x${index}`;
      if (types.has(name)) return eachOf(name);
      const type = valueType(spec, name);
      return type === undefined
        ? asByte(`in${index}[j]`, input ? typeOf(input, index) : "")
        : asByte(`${baseOf(spec, name)}[j]`, type);
    };
    const text = stageLoops(stages, "j", spelled, blockSize, `phase${phase}::`);
    lines.push(...blocks("0", "count", text, blockSize));
  }
  for (const { result, value } of body.reductions.filter((one) => one.phase === phase))
    lines.push(`of_${result}::join_rows(${joinedAs(spec, value).pointer}, n, rows, rows_${result});`);
  body.outputs.forEach(({ domain, value, phase: own }, i) => {
    if (domain === "kept" && own === phase)
      lines.push(`for (int64 r = 0; r < rows; ++r) out${i}[r] = rows_${value}[r];`);
  });
  return lines;
}

/** The loop that computes values of the rows. */
function rowSteps({ body }: RowSpec, phase: number, types: ReadonlyMap<string, string>): string[] {
  const steps = body.steps.filter((step) => step.phase === phase && step.domain === "kept");
  if (steps.length === 0) return [];
  const lines = steps.flatMap((step) => step.lines);
  const made = steps.flatMap(({ values }) => values.map(({ name }) => name));
  const isRead = (name: string) => !made.includes(name) && new RegExp(`\\b${name}\\b`).test(lines.join("\n"));
  const read = [...types].filter(([name]) => isRead(name));
  return [
    `JITLAB_INDEPENDENT`,
    `for (int64 r = 0; r < rows; ++r) {`,
    ...read.map(([name, ctype]) => `  const ${ctype} ${name} = rows_${name}[r];`),
    ...lines,
    ...made.map((name) => `  rows_${name}[r] = ${name};`),
    `}`,
  ];
}

/** The elements that a reduction joins: for each row, or one of each row. */
function joinedAs(spec: RowSpec, value: string): { ctype: string; pointer: string } {
  const { base, ctype, access } = elementsOf(spec, value);
  return pointerTo(access === "row" ? `rows_${base}` : base, ctype);
}
