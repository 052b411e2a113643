// The kernels of a GPU: each thread finds its elements from its position in the grid. One template per layout class.

import type { DType } from "../base/dtype.js";
import type { GridWords } from "../device/dialect.js";
import { isLongOnGrid } from "../functor/functor.js";
import { defaultBlock } from "./choice.js";
import type { Division } from "./division.js";
import { elementCall, plainComposition, plainForm } from "./element.js";
import {
  type InnerStride,
  type KernelSpec,
  type Layout,
  type MemoryOperand,
  memoryOperands,
  tileEdge,
  usesDivider,
} from "./spec.js";

type Of<K extends Layout["kind"]> = Extract<Layout, { kind: K }>;

/** How a grid shares a kernel's elements. */
export interface GridShape {
  /** Threads of a block. */
  readonly threads: number;
  /** Elements of one access, and how many accesses a thread makes. */
  readonly lanes: number;
  readonly groups: number;
  readonly perThread: number;
}

/** The shape of a spec: what was chosen, else 16 bytes of the widest operand for each of 256 threads, or 32 for each of 128. */
export function gridShape(spec: KernelSpec): GridShape {
  const { layout, choice } = spec;
  const isWide = takesTwoWords(spec);
  const threads = choice?.block ?? (isWide ? defaultBlock / 2 : defaultBlock);
  const own = choice?.perThread;
  switch (layout.kind) {
    case "contiguous": {
      const lanes = own ?? (isWide ? layout.vector : wordLanes(spec));
      return { threads, lanes, groups: 1, perThread: lanes };
    }
    case "strided": {
      const heavy = isHeavy(spec);
      const lanes = heavy ? 1 : wordLanes(spec);
      const groups = own === undefined ? (lanes === 1 && !heavy ? 4 : 1) : own / lanes;
      return { threads, lanes, groups, perThread: lanes * groups };
    }
    case "tiled":
      return { threads, lanes: 1, groups: 1, perThread: tileEdge(spec) ** 2 / threads };
    default:
      return layout satisfies never;
  }
}

/** True if two words hide what the functions of one wait for, and a thread's registers hold those of all operands. */
function takesTwoWords(spec: KernelSpec): boolean {
  return plainComposition(spec) !== undefined && memoryOperands(spec).length <= 3;
}

function isHeavy({ functor, compute }: KernelSpec): boolean {
  return isLongOnGrid(functor, compute);
}

/** Renders the grid kernel of a spec; its division has the elements per block of threads. */
export function gridKernel(
  spec: KernelSpec,
  symbol: string,
  words: GridWords,
): { text: string; division: Division } {
  const shape = gridShape(spec);
  const { threads, perThread } = shape;
  const head = `${words.kernel(symbol, threads)} {`;
  return { text: textOf(spec, head, shape, words), division: { threads, perThread } };
}

function textOf(spec: KernelSpec, head: string, shape: GridShape, words: GridWords): string {
  const { layout } = spec;
  switch (layout.kind) {
    case "contiguous": {
      const render = isHeavy(spec) && shape.lanes > 1 ? heavyKernel : flatKernel;
      return render(spec, head, shape, words);
    }
    case "strided":
      return stridedKernel(spec, layout, head, shape, words);
    case "tiled":
      return tiledKernel(spec, layout, head, shape, words);
    default:
      return layout satisfies never;
  }
}

/** Elements of one access: 16 bytes of the widest operand, as far as the layout allows. */
export function wordLanes(spec: KernelSpec): number {
  const limit = spec.layout.kind === "tiled" ? 1 : spec.layout.vector;
  const widths = memoryOperands(spec).map(({ dtype, isAddressed }) => (isAddressed ? 1 : dtype.bytes));
  return Math.max(1, Math.min(limit, 16 / Math.max(...widths)));
}

function indexType(spec: KernelSpec): string {
  return spec.index === 32 ? "uint32" : "int64";
}

function threadIndex(spec: KernelSpec, threads: number, { block, thread }: GridWords): string {
  return `${indexType(spec)}(${block}) * ${threads} + ${thread}`;
}

/** The inputs that a thread reads before it calls the functor. */
function readInputs<O extends MemoryOperand>(operands: readonly O[]): O[] {
  return operands.filter((o) => o.name.startsWith("in") && !o.isAddressed);
}

function packOf(operand: { readonly dtype: DType }): string {
  return `Pack<${operand.dtype.ctype}>`;
}

/** The type of `lanes` elements that are one access, or several of 16 bytes. */
export function packType(lanes: number): string {
  return `template <typename E> struct alignas(sizeof(E) * ${lanes} < 16 ? sizeof(E) * ${lanes} : 16) Pack { E lane[${lanes}]; };`;
}

/**
 * Whole groups of `lanes` elements use wide accesses, and the functor's form for ordinary arguments where it has one. The last,
 * incomplete group is handled element by element, and so is one with other arguments.
 */
function flatKernel(spec: KernelSpec, head: string, { threads, lanes }: GridShape, words: GridWords): string {
  const type = indexType(spec);
  const one = elementCall(spec, (name) => `args.${name}[i]`);
  if (lanes === 1) {
    return [
      head,
      `  const ${type} i = ${threadIndex(spec, threads, words)};`,
      `  if (i < args.count) ${one}`,
      `}`,
    ].join("\n");
  }
  const operands = memoryOperands(spec);
  const inputs = readInputs(operands);
  const outputs = operands.filter((o) => o.name.startsWith("out"));
  const lane = (name: string, k: number) =>
    operands[k]?.isAddressed ? `args.${name}[start + k]` : `${name}.lane[k]`;
  const tries = plainForm(spec) !== undefined || plainComposition(spec) !== undefined;
  const stored = [
    ...outputs.map((o) => `    *reinterpret_cast<${packOf(o)}*>(args.${o.name} + start) = ${o.name};`),
    `    return;`,
  ];
  const call = elementCall(spec, lane, "start + k", tries ? "plain_element" : "element");
  return [
    packType(lanes),
    head,
    `  const ${type} start = (${threadIndex(spec, threads, words)}) * ${lanes};`,
    `  if (start + ${lanes} <= args.count) {`,
    ...inputs.map(
      (o) =>
        `    const ${packOf(o)} ${o.name} = *reinterpret_cast<const ${packOf(o)}*>(args.${o.name} + start);`,
    ),
    ...outputs.map((o) => `    ${packOf(o)} ${o.name};`),
    ...(tries ? [`    bool holds = true;`] : []),
    `#pragma unroll`,
    `    for (int k = 0; k < ${lanes}; ++k) ${tries ? "holds &= " : ""}${call}`,
    ...(tries ? [`    if (holds) {`, ...stored.map((line) => `  ${line}`), `    }`] : stored),
    `  }`,
    `#pragma unroll 1`,
    `  for (${type} i = start; i < args.count && i < start + ${lanes}; ++i) ${one}`,
    `}`,
  ].join("\n");
}

/**
 * Like the flat kernel, with one copy of a long functor: compile time and registers of one element, but wide memory
 * accesses. The lanes pass through it in turn, so that register indexes are constant.
 */
function heavyKernel(
  spec: KernelSpec,
  head: string,
  { threads, lanes }: GridShape,
  words: GridWords,
): string {
  const type = indexType(spec);
  const operands = memoryOperands(spec);
  const inputs = readInputs(operands);
  const outputs = operands.filter((o) => o.name.startsWith("out"));
  const word = (o: (typeof operands)[number]) => `*reinterpret_cast<${packOf(o)}*>(args.${o.name} + start)`;
  const lane = (name: string, k: number) => {
    // Lanes behind the end compute the first one again.
    if (operands[k]?.isAddressed) return `args.${name}[start + (whole || start + k < args.count ? k : 0)]`;
    return name.startsWith("in") ? `${name}.lane[0]` : `next_${name}`;
  };
  return [
    packType(lanes),
    `template <typename E> __device__ inline void turn(Pack<E>& pack, E last) {`,
    `#pragma unroll`,
    `  for (int k = 0; k < ${lanes - 1}; ++k) pack.lane[k] = pack.lane[k + 1];`,
    `  pack.lane[${lanes - 1}] = last;`,
    `}`,
    head,
    `  const ${type} start = (${threadIndex(spec, threads, words)}) * ${lanes};`,
    `  if (start >= args.count) return;`,
    `  const bool whole = start + ${lanes} <= args.count;`,
    ...inputs.map((o) => `  ${packOf(o)} ${o.name} = {};`),
    ...outputs.map((o) => `  ${packOf(o)} ${o.name};`),
    ...(inputs.length > 0
      ? [
          `  if (whole) {`,
          ...inputs.map((o) => `    ${o.name} = ${word(o)};`),
          `  } else {`,
          `#pragma unroll`,
          `    for (int k = 0; k < ${lanes}; ++k) {`,
          `      if (start + k >= args.count) continue;`,
          ...inputs.map((o) => `      ${o.name}.lane[k] = args.${o.name}[start + k];`),
          `    }`,
          `  }`,
        ]
      : []),
    `#pragma unroll 1`,
    `  for (int k = 0; k < ${lanes}; ++k) {`,
    ...outputs.map((o) => `    ${o.dtype.ctype} next_${o.name};`),
    `    ${elementCall(spec, lane, "start + k")}`,
    ...inputs.map((o) => `    turn(${o.name}, ${o.name}.lane[0]);`),
    ...outputs.map((o) => `    turn(${o.name}, next_${o.name});`),
    `  }`,
    `  if (whole) {`,
    ...outputs.map((o) => `    ${word(o)} = ${o.name};`),
    `  } else {`,
    `#pragma unroll`,
    `    for (int k = 0; k < ${lanes}; ++k) {`,
    `      if (start + k >= args.count) continue;`,
    ...outputs.map((o) => `      args.${o.name}[start + k] = ${o.name}.lane[k];`),
    `    }`,
    `  }`,
    `}`,
  ].join("\n");
}

/**
 * A thread takes groups of `lanes` elements, each in one row: dense operands use wide accesses, broadcast ones a single
 * element, others one access per lane. All groups are read before any is written, so that their reads overlap.
 */
function stridedKernel(
  spec: KernelSpec,
  layout: Of<"strided">,
  head: string,
  { threads, lanes, groups }: GridShape,
  words: GridWords,
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
  const valueType = (o: (typeof operands)[number]) =>
    o.inner === "broadcast" || lanes === 1 ? o.dtype.ctype : packOf(o);
  const at = (o: (typeof operands)[number]) => `args.${o.name} + at_${o.name}[g]`;
  const read = (o: (typeof operands)[number]): string[] => {
    if (o.inner === "broadcast" || lanes === 1) return [`    ${o.name}[g] = *(${at(o)});`];
    if (o.inner === "unit") return [`    ${o.name}[g] = *reinterpret_cast<const ${packOf(o)}*>(${at(o)});`];
    return [
      `#pragma unroll`,
      `    for (int k = 0; k < ${lanes}; ++k) ${o.name}[g].lane[k] = (${at(o)})[k * args.dim[0].stride[${o.k}]];`,
    ];
  };
  const access = (name: string, k: number): string => {
    if (operands[k]?.isAddressed) {
      const step = { broadcast: "0", unit: "k", any: `k * args.dim[0].stride[${k}]`, turned: "0" };
      return `(${at(operands[k] as (typeof operands)[number])})[${lanes === 1 ? "0" : step[inner[k] as InnerStride]}]`;
    }
    if (name.startsWith("out")) {
      if (lanes === 1) return `(${at(operands[k] as (typeof operands)[number])})[0]`;
      return inner[k] === "unit"
        ? `${name}.lane[k]`
        : `(args.${name} + at_${name}[g])[k * args.dim[0].stride[${k}]]`;
    }
    return inner[k] === "broadcast" || lanes === 1 ? `${name}[g]` : `${name}[g].lane[k]`;
  };
  const dense = lanes > 1 ? outputs.filter((o) => o.inner === "unit") : [];
  const start = `(first + g * ${threads})${lanes === 1 ? "" : ` * ${lanes}`}`;
  return [
    ...(lanes > 1 ? [packType(lanes)] : []),
    head,
    `  const ${type} first = ${type}(${words.block}) * ${threads * groups} + ${words.thread};`,
    `  ${offset} ${operands.map((o) => `at_${o.name}[${groups}]`).join(", ")};`,
    ...inputs.map((o) => `  ${valueType(o)} ${o.name}[${groups}];`),
    `#pragma unroll`,
    `  for (int g = 0; g < ${groups}; ++g) {`,
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
    `  }`,
    `#pragma unroll`,
    `  for (int g = 0; g < ${groups}; ++g) {`,
    `    if (${start} >= args.count) break;`,
    ...dense.map((o) => `    ${packOf(o)} ${o.name};`),
    ...(lanes > 1
      ? [`#pragma unroll`, `    for (int k = 0; k < ${lanes}; ++k) ${elementCall(spec, access)}`]
      : [`    ${elementCall(spec, access)}`]),
    ...dense.map((o) => `    *reinterpret_cast<${packOf(o)}*>(${at(o)}) = ${o.name};`),
    `  }`,
    `}`,
  ].join("\n");
}

/**
 * A block covers a square tile of dimensions 0 and 1. Inputs that are dense along dimension 1 are read along it into shared
 * memory, whose rows are one element longer than the tile so that columns fall into different banks; the other inputs are
 * read while those loads are in flight.
 */
function tiledKernel(
  spec: KernelSpec,
  layout: Of<"tiled">,
  head: string,
  { threads }: GridShape,
  words: GridWords,
): string {
  const { thread, block } = words;
  const { rank, inner } = layout;
  const edge = tileEdge(spec);
  const operands = memoryOperands(spec).map((o, k) => ({ ...o, k }));
  const isTurned = (k: number) => inner[k] === "turned" && !operands[k]?.isAddressed;
  const turned = operands.filter((o) => isTurned(o.k));
  const straight = readInputs(operands).filter((o) => !isTurned(o.k));
  const step = threads / edge;
  const each = edge / step;
  const stride = (d: number, k: number) => `args.dim[${d}].stride[${k}]`;
  const place = (o: { readonly name: string; readonly k: number }) =>
    `args.${o.name}[at_${o.name} + column * ${stride(0, o.k)} + row * ${stride(1, o.k)}]`;
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
    `#pragma unroll`,
    `  for (int i = 0; i < ${each}; ++i) {`,
    `    const uint32 column = left + y + i * ${step}, row = top + x;`,
    `    if (column >= columns || row >= rows) continue;`,
    ...turned.map(
      (o) =>
        `    tile_${o.name}[y + i * ${step}][x] = args.${o.name}[at_${o.name} + column * ${stride(0, o.k)} + row];`,
    ),
    `  }`,
    ...straight.map((o) => `  ${o.dtype.ctype} ${o.name}[${each}];`),
    ...(straight.length > 0
      ? [
          `#pragma unroll`,
          `  for (int i = 0; i < ${each}; ++i) {`,
          `    const uint32 column = left + x, row = top + y + i * ${step};`,
          `    if (column >= columns || row >= rows) continue;`,
          ...straight.map((o) => `    ${o.name}[i] = ${place(o)};`),
          `  }`,
        ]
      : []),
    `  ${words.barrier};`,
    `#pragma unroll`,
    `  for (int i = 0; i < ${each}; ++i) {`,
    `    const uint32 column = left + x, row = top + y + i * ${step};`,
    `    if (column < columns && row < rows) ${elementCall(spec, access)}`,
    `  }`,
    `}`,
  ].join("\n");
}
