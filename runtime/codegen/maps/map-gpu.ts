// The kernels of a GPU: each thread finds its elements from its position in the grid. One template per layout class.

import type { DType } from "../../base/dtype.js";
import type { GpuWords } from "../../device/dialect.js";
import { isLongOnGpu } from "../../functor/functor.js";
import { type Division, defaultBlock } from "../division.js";
import { indented } from "../indented.js";
import { elementCall, plainComposition, plainForm } from "./element.js";
import {
  type InnerStride,
  type KernelSpec,
  type Layout,
  type MemoryOperand,
  memoryOperands,
  tileEdge,
  turnedOperands,
  usesDivider,
} from "./map-spec.js";

type Of<K extends Layout["kind"]> = Extract<Layout, { kind: K }>;

/** How a GPU shares a kernel's elements. */
export interface GridShape {
  /** Threads of a block. */
  readonly threads: number;
  /** Elements of one access, and how many accesses of an operand a thread makes, each a block's elements after the last. */
  readonly lanes: number;
  readonly groups: number;
  readonly perThread: number;
}

/** Up to so many operands a thread's registers hold two words of each; longer texts are not copied for the second word. */
const manyOperands = 3;
const longText = 2000;

/**
 * The shape of a spec: two words of each operand for each of 128 threads. One word for each of 256 where a second one would cost
 * too many registers or too long a compile, and four accesses where they have less than a word.
 */
export function gridShape(spec: KernelSpec): GridShape {
  if (spec.layout.kind === "tiled") {
    return { threads: defaultBlock, lanes: 1, groups: 1, perThread: tileEdge(spec) ** 2 / defaultBlock };
  }
  const lanes = isHeavy(spec) ? 1 : wordLanes(spec);
  const groups = ownGroups(spec, lanes);
  const threads = groups === 2 ? defaultBlock / 2 : defaultBlock;
  return { threads, lanes, groups, perThread: groups * lanes };
}

function ownGroups(spec: KernelSpec, lanes: number): number {
  const { functor, compute } = spec;
  const operands = memoryOperands(spec);
  if (lanes === 1 && operands.every(({ dtype }) => dtype.bytes < 16)) return 4;
  return operands.length <= manyOperands && functor.text(compute).length <= longText ? 2 : 1;
}

/** True if one copy of the functor computes all elements of a thread, one by one. */
function isHeavy({ functor, compute }: KernelSpec): boolean {
  return isLongOnGpu(functor, compute);
}

/** Renders the kernel of a spec for a GPU; its division has the elements per block of threads. */
export function gpuKernel(
  spec: KernelSpec,
  symbol: string,
  words: GpuWords,
): { text: string; division: Division } {
  const shape = gridShape(spec);
  const { threads, perThread } = shape;
  const head = `${words.kernel(symbol, threads)} {`;
  return { text: textOf(spec, head, shape, words), division: { threads, perThread } };
}

function textOf(spec: KernelSpec, head: string, shape: GridShape, words: GpuWords): string {
  const { layout } = spec;
  switch (layout.kind) {
    case "contiguous":
      return flatKernel(spec, head, shape, words);
    case "strided":
      return stridedKernel(spec, layout, head, shape, words);
    case "tiled":
      return tiledKernel(spec, layout, head, shape, words);
    default:
      return layout satisfies never;
  }
}

/** Elements of one access: 16 bytes of the widest operand, as far as the layout allows. */
function wordLanes(spec: KernelSpec): number {
  const limit = spec.layout.kind === "tiled" ? 1 : spec.layout.vector;
  const widths = memoryOperands(spec).map(({ dtype, isAddressed }) => (isAddressed ? 1 : dtype.bytes));
  return Math.max(1, Math.min(limit, 16 / Math.max(...widths)));
}

function indexType(spec: KernelSpec): string {
  return spec.index === 32 ? "uint32" : "int64";
}

/** The inputs that a thread reads before it calls the functor, for each of its elements. */
function readInputs<O extends MemoryOperand>(operands: readonly O[]): O[] {
  return operands.filter((o) => o.name.startsWith("in") && !o.isAddressed && !o.isSingle);
}

/** Reads the inputs of one element. */
function readSingles(operands: readonly MemoryOperand[]): string[] {
  return operands.flatMap((o) => (o.isSingle ? [`  const ${o.ctype} ${o.name} = *args.${o.name};`] : []));
}

function packOf(operand: { readonly dtype: DType }): string {
  return `Pack<${operand.dtype.ctype}>`;
}

/** The type of `lanes` elements that are one access, or several of 16 bytes. */
export function packType(lanes: number): string {
  return `template <typename E> struct alignas(sizeof(E) * ${lanes} < 16 ? sizeof(E) * ${lanes} : 16) Pack { E lane[${lanes}]; };`;
}

/** A loop over a thread's groups, with a copy of the body for each. */
function groupLoop(groups: number, body: readonly string[]): string[] {
  return body.length === 0
    ? []
    : [`#pragma unroll`, `  for (int g = 0; g < ${groups}; ++g) {`, ...body, `  }`];
}

/**
 * A loop in which the groups take turns in one copy of the body. What was read for the next one moves to the front, so that
 * indexes of registers are constant.
 */
function turnLoop(groups: number, arrays: readonly string[], body: readonly string[]): string[] {
  const moves = arrays.map((name) => `      ${name}[n - 1] = ${name}[n];`);
  const next = [`#pragma unroll`, `    for (int n = 1; n < ${groups}; ++n) {`, ...moves, `    }`];
  return [
    `#pragma unroll 1`,
    `  for (int g = 0; g < ${groups}; ++g) {`,
    ...body,
    ...(moves.length > 0 ? next : []),
    `  }`,
  ];
}

/**
 * A thread takes groups of `lanes` elements that lie a block apart, so that the accesses of a warp are adjacent. All are read
 * before the first is computed, so that their reads overlap. The last block, if it is incomplete, is handled element by element:
 * a condition that all threads of a block share lets them share constants in registers too.
 */
function flatKernel(spec: KernelSpec, head: string, shape: GridShape, words: GpuWords): string {
  const { threads, lanes, groups, perThread } = shape;
  if (lanes === 1) return narrowKernel(spec, head, shape, words);
  const type = indexType(spec);
  const operands = memoryOperands(spec);
  const inputs = readInputs(operands);
  const outputs = operands.filter((o) => o.name.startsWith("out"));
  const tries = plainForm(spec) !== undefined || plainComposition(spec) !== undefined;
  const start = `first + g * ${threads * lanes}`;
  const word = (o: MemoryOperand) => `*reinterpret_cast<${packOf(o)}*>(args.${o.name} + ${start})`;
  const lane = (name: string, k: number) => {
    if (operands[k]?.isSingle) return name;
    return operands[k]?.isAddressed ? `args.${name}[${start} + k]` : `${name}[g].lane[k]`;
  };
  const last = (name: string, k: number) => (operands[k]?.isSingle ? name : `args.${name}[i]`);
  const call = elementCall(spec, lane, `${start} + k`, tries ? "plain_element" : "element");
  const stores = outputs.map((o) => `    ${word(o)} = ${o.name}[g];`);
  const lanesOf = [
    `#pragma unroll`,
    `    for (int k = 0; k < ${lanes}; ++k) ${tries ? "holds &= " : ""}${call}`,
  ];
  const whole = [
    ...[...inputs, ...outputs].map((o) => `  ${packOf(o)} ${o.name}[${groups}];`),
    ...groupLoop(
      groups,
      inputs.map((o) => `    ${o.name}[g] = ${word(o)};`),
    ),
    ...(tries
      ? [
          `  bool holds = true;`,
          ...groupLoop(groups, lanesOf),
          `  if (holds) {`,
          ...indented(groupLoop(groups, stores), "  "),
          `    return;`,
          `  }`,
        ]
      : [...groupLoop(groups, [...lanesOf, ...stores]), `  return;`]),
  ];
  return [
    packType(lanes),
    head,
    ...readSingles(operands),
    `  const ${type} begin = ${type}(${words.block}) * ${threads * perThread}, first = begin + ${words.thread} * ${lanes};`,
    `  if (begin + ${threads * perThread} <= args.count) {`,
    ...indented(whole, "  "),
    `  }`,
    `#pragma unroll 1`,
    `  for (int g = 0; g < ${groups}; ++g) {`,
    `#pragma unroll 1`,
    `    for (${type} k = 0, i = ${start}; k < ${lanes} && i < args.count; ++k, ++i) ${elementCall(spec, last)}`,
    `  }`,
    `}`,
  ].join("\n");
}

/** The same for accesses of one element, where memory is not aligned or the functor is long: one copy computes all. */
function narrowKernel(spec: KernelSpec, head: string, shape: GridShape, words: GpuWords): string {
  const { threads, groups, perThread } = shape;
  const type = indexType(spec);
  const operands = memoryOperands(spec);
  const inputs = readInputs(operands);
  const start = `    const ${type} i = first + g * ${threads};`;
  const isRead = (name: string) => inputs.some((o) => o.name === name);
  const access = (name: string, k: number) => {
    if (operands[k]?.isSingle) return name;
    return isRead(name) ? `${name}[0]` : `args.${name}[i]`;
  };
  const body = [start, `    if (i < args.count) ${elementCall(spec, access)}`];
  const names = inputs.map(({ name }) => name);
  return [
    head,
    ...readSingles(operands),
    `  const ${type} first = ${type}(${words.block}) * ${threads * perThread} + ${words.thread};`,
    ...inputs.map((o) => `  ${o.dtype.ctype} ${o.name}[${groups}];`),
    ...(inputs.length > 0
      ? groupLoop(groups, [
          start,
          ...names.map((name) => `    if (i < args.count) ${name}[g] = args.${name}[i];`),
        ])
      : []),
    ...turnLoop(groups, names, body),
    `}`,
  ].join("\n");
}

/**
 * Like the flat kernel, for groups that lie each in one row: dense operands use wide accesses, broadcast ones a single element,
 * others one access per lane.
 */
function stridedKernel(
  spec: KernelSpec,
  layout: Of<"strided">,
  head: string,
  { threads, lanes, groups }: GridShape,
  words: GpuWords,
): string {
  const { rank, inner } = layout;
  const operands = memoryOperands(spec).map((o, k) => ({ ...o, k, inner: inner[k] }));
  const inputs = readInputs(operands);
  const outputs = operands.filter((o) => o.name.startsWith("out"));
  const type = indexType(spec);
  const offset = spec.index === 32 ? "int32" : "int64";
  const divide = usesDivider(spec)
    ? `(${words.highProduct("rest", "dim.magic")} + rest) >> dim.shift`
    : "rest / dim.size";
  const turns = isHeavy(spec);
  const now = turns ? 0 : "g";
  type Own = (typeof operands)[number];
  const valueType = (o: Own) => (o.inner === "broadcast" || lanes === 1 ? o.dtype.ctype : packOf(o));
  const at = (o: Own, g: "g" | 0) => `args.${o.name} + at_${o.name}[${g}]`;
  const read = (o: Own): string[] => {
    if (o.inner === "broadcast" || lanes === 1) return [`    ${o.name}[g] = *(${at(o, "g")});`];
    if (o.inner === "unit")
      return [`    ${o.name}[g] = *reinterpret_cast<const ${packOf(o)}*>(${at(o, "g")});`];
    return [
      `#pragma unroll`,
      `    for (int k = 0; k < ${lanes}; ++k) ${o.name}[g].lane[k] = (${at(o, "g")})[k * args.dim[0].stride[${o.k}]];`,
    ];
  };
  const access = (name: string, k: number): string => {
    const place = `(${at(operands[k] as Own, now)})`;
    if (operands[k]?.isAddressed) {
      const step = { broadcast: "0", unit: "k", any: `k * args.dim[0].stride[${k}]`, turned: "0" };
      return `${place}[${lanes === 1 ? "0" : step[inner[k] as InnerStride]}]`;
    }
    if (name.startsWith("out")) {
      if (lanes === 1) return `${place}[0]`;
      return inner[k] === "unit" ? `${name}.lane[k]` : `${place}[k * args.dim[0].stride[${k}]]`;
    }
    return inner[k] === "broadcast" || lanes === 1 ? `${name}[${now}]` : `${name}[${now}].lane[k]`;
  };
  const dense = lanes > 1 ? outputs.filter((o) => o.inner === "unit") : [];
  const start = `(first + g * ${threads})${lanes === 1 ? "" : ` * ${lanes}`}`;
  const call = elementCall(spec, access);
  const body = [
    `    if (${start} >= args.count) break;`,
    ...dense.map((o) => `    ${packOf(o)} ${o.name};`),
    ...(lanes > 1 ? [`#pragma unroll`, `    for (int k = 0; k < ${lanes}; ++k) ${call}`] : [`    ${call}`]),
    ...dense.map((o) => `    *reinterpret_cast<${packOf(o)}*>(${at(o, now)}) = ${o.name};`),
  ];
  const arrays = [...operands.map(({ name }) => `at_${name}`), ...inputs.map(({ name }) => name)];
  return [
    ...(lanes > 1 ? [packType(lanes)] : []),
    head,
    `  const ${type} first = ${type}(${words.block}) * ${threads * groups} + ${words.thread};`,
    `  ${offset} ${operands.map((o) => `at_${o.name}[${groups}]`).join(", ")};`,
    ...inputs.map((o) => `  ${valueType(o)} ${o.name}[${groups}];`),
    ...groupLoop(groups, [
      `    ${type} rest = ${start};`,
      `    if (rest >= args.count) break;`,
      `    ${operands.map((o) => `at_${o.name}[g] = `).join("")}0;`,
      `#pragma unroll`,
      `    for (int d = 0; d < ${rank}; ++d) {`,
      `      const Arguments::Dim& dim = args.dim[d];`,
      `      const ${type} quotient = d == ${rank - 1} ? 0 : ${divide};`,
      `      const ${offset} index = rest - quotient * dim.size;`,
      ...operands.map((o) => `      at_${o.name}[g] += index * dim.stride[${o.k}];`),
      `      rest = quotient;`,
      `    }`,
      ...inputs.flatMap(read),
    ]),
    ...(turns ? turnLoop(groups, arrays, body) : groupLoop(groups, body)),
    `}`,
  ].join("\n");
}

/**
 * A block covers a square tile of dimensions 0 and 1. Inputs that are dense along dimension 1 are read along it into shared
 * memory, whose rows are one element longer than the tile so that columns fall into different banks; the other inputs are
 * read while those loads are in flight. Outputs that are dense along dimension 1 are written along it from shared memory.
 */
function tiledKernel(
  spec: KernelSpec,
  layout: Of<"tiled">,
  head: string,
  { threads }: GridShape,
  words: GpuWords,
): string {
  const { thread, block } = words;
  const { rank } = layout;
  const edge = tileEdge(spec);
  const operands = memoryOperands(spec).map((o, k) => ({ ...o, k }));
  const turned = turnedOperands(spec);
  const isTurned = (k: number) => turned.some((o) => o.k === k);
  const straight = readInputs(operands).filter((o) => !isTurned(o.k));
  const step = threads / edge;
  const each = edge / step;
  const stride = (d: number, k: number) => `args.dim[${d}].stride[${k}]`;
  const place = (o: { readonly name: string; readonly k: number }) =>
    `args.${o.name}[at_${o.name} + column * ${stride(0, o.k)} + row * ${stride(1, o.k)}]`;
  type Placed = (typeof operands)[number];
  const tileLoop = (places: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [
          `#pragma unroll`,
          `  for (int i = 0; i < ${each}; ++i) {`,
          `    const uint32 ${places} + i * ${step};`,
          `    if (column >= columns || row >= rows) continue;`,
          ...lines.map((line) => `    ${line}`),
          `  }`,
        ];
  const rowwise = (lines: readonly string[]) => tileLoop("column = left + x, row = top + y", lines);
  const columnwise = (list: readonly Placed[], line: (tile: string, memory: string) => string) => {
    const memory = (o: Placed) => `args.${o.name}[at_${o.name} + column * ${stride(0, o.k)} + row]`;
    return tileLoop(
      "row = top + x, column = left + y",
      list.map((o) => line(`tile_${o.name}[y + i * ${step}][x]`, memory(o))),
    );
  };
  const outputs = turned.filter((o) => o.name.startsWith("out"));
  const access = (name: string, k: number): string => {
    if (isTurned(k)) return `tile_${name}[x][y + i * ${step}]`;
    return name.startsWith("in") && !operands[k]?.isAddressed ? `${name}[i]` : place({ name, k });
  };
  return [
    head,
    ...turned.map((o) => `  ${words.shared} ${o.dtype.ctype} tile_${o.name}[${edge}][${edge + 1}];`),
    `  const uint32 columns = args.dim[0].size, rows = args.dim[1].size;`,
    `  const uint32 tiles_across = (columns + ${edge - 1}) / ${edge}, tiles_down = (rows + ${edge - 1}) / ${edge};`,
    `  const uint32 left = ${block} % tiles_across * ${edge};`,
    `  uint32 rest = ${block} / tiles_across;`,
    `  const uint32 top = rest % tiles_down * ${edge};`,
    `  rest /= tiles_down;`,
    `  int32 ${operands.map((o) => `at_${o.name} = 0`).join(", ")};`,
    ...(rank > 2
      ? [
          `#pragma unroll`,
          `  for (int d = 2; d < ${rank}; ++d) {`,
          `    const uint32 index = rest % args.dim[d].size;`,
          ...operands.map((o) => `    at_${o.name} += index * args.dim[d].stride[${o.k}];`),
          `    rest /= args.dim[d].size;`,
          `  }`,
        ]
      : []),
    `  const uint32 x = ${thread} % ${edge}, y = ${thread} / ${edge};`,
    ...columnwise(readInputs(turned), (tile, memory) => `${tile} = ${memory};`),
    ...straight.map((o) => `  ${o.dtype.ctype} ${o.name}[${each}];`),
    ...rowwise(straight.map((o) => `${o.name}[i] = ${place(o)};`)),
    `  ${words.barrier};`,
    ...rowwise([elementCall(spec, access)]),
    ...(outputs.length > 0 ? [`  ${words.barrier};`] : []),
    ...columnwise(outputs, (tile, memory) => `${memory} = ${tile};`),
    `}`,
  ].join("\n");
}
