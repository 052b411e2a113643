// The kernels of a GPU: each thread finds its elements from its place in the grid. One template per layout class.
import type { LaunchShape } from "../device/device.js";
import type { DType } from "../dtype.js";
import { elementCall } from "./element.js";
import { type KernelSpec, type Layout, memoryOperands, tile, usesDivider } from "./spec.js";

type Of<K extends Layout["kind"]> = Extract<Layout, { kind: K }>;

const threads = 256;

/** Renders the grid kernel of a spec; its shape says how many elements a block of threads covers. */
export function gridKernel(spec: KernelSpec, symbol: string): { text: string; shape: LaunchShape } {
  const head = `extern "C" __global__ void __launch_bounds__(${threads}) ${symbol}(const __grid_constant__ Arguments args) {`;
  const { layout } = spec;
  switch (layout.kind) {
    case "contiguous": {
      const lanes = lanesOf(spec, layout.vector);
      return { text: flatKernel(spec, head, lanes), shape: { threads, perThread: lanes } };
    }
    case "strided": {
      const lanes = lanesOf(spec, layout.vector);
      return { text: stridedKernel(spec, layout, head, lanes), shape: { threads, perThread: lanes } };
    }
    case "tiled":
      return {
        text: tiledKernel(spec, layout, head),
        shape: { threads, perThread: (tile * tile) / threads },
      };
    default:
      return layout satisfies never;
  }
}

/**
 * Elements that one thread handles: enough for 16-byte words of the narrowest operand, within what the layout allows. A
 * long functor is compiled once per thread instead: copies of it cost compile time and registers, not memory time.
 */
function lanesOf(spec: KernelSpec, limit: number): number {
  if (spec.functor.needs(spec.compute).length > 0 || spec.functor.text(spec.compute).length > 1000) return 1;
  const widths = memoryOperands(spec).map((operand) => operand.dtype.bytes);
  return Math.max(1, Math.min(limit, 16 / Math.min(...widths)));
}

function indexType(spec: KernelSpec): string {
  return spec.index === 32 ? "uint32" : "int64";
}

function threadIndex(spec: KernelSpec): string {
  return `${indexType(spec)}(blockIdx.x) * ${threads} + threadIdx.x`;
}

function packOf(operand: { readonly dtype: DType }): string {
  return `Pack<${operand.dtype.ctype}>`;
}

function packType(lanes: number): string {
  return `template <typename E> struct alignas(sizeof(E) * ${lanes} < 16 ? sizeof(E) * ${lanes} : 16) Pack { E lane[${lanes}]; };`;
}

/** Whole groups of `lanes` elements go through wide accesses; the last, incomplete group element by element. */
function flatKernel(spec: KernelSpec, head: string, lanes: number): string {
  const type = indexType(spec);
  const one = elementCall(spec, (name) => `args.${name}[i]`);
  if (lanes === 1) {
    return [head, `  const ${type} i = ${threadIndex(spec)};`, `  if (i < args.count) ${one}`, `}`].join(
      "\n",
    );
  }
  const operands = memoryOperands(spec);
  const inputs = operands.filter((o) => o.name.startsWith("in"));
  const outputs = operands.filter((o) => o.name.startsWith("out"));
  return [
    packType(lanes),
    head,
    `  const ${type} start = (${threadIndex(spec)}) * ${lanes};`,
    `  if (start + ${lanes} <= args.count) {`,
    ...inputs.map(
      (o) =>
        `    const ${packOf(o)} ${o.name} = *reinterpret_cast<const ${packOf(o)}*>(args.${o.name} + start);`,
    ),
    ...outputs.map((o) => `    ${packOf(o)} ${o.name};`),
    `#pragma unroll`,
    `    for (int k = 0; k < ${lanes}; ++k) ${elementCall(spec, (name) => `${name}.lane[k]`, "start + k")}`,
    ...outputs.map((o) => `    *reinterpret_cast<${packOf(o)}*>(args.${o.name} + start) = ${o.name};`),
    `  } else {`,
    `#pragma unroll 1`,
    `    for (${type} i = start; i < args.count; ++i) ${one}`,
    `  }`,
    `}`,
  ].join("\n");
}

/** A thread's group lies in one row: dense operands move as words, broadcast ones as one element, others lane by lane. */
function stridedKernel(spec: KernelSpec, layout: Of<"strided">, head: string, lanes: number): string {
  const { rank, inner } = layout;
  const operands = memoryOperands(spec);
  const type = indexType(spec);
  const offset = spec.index === 32 ? "int32" : "int64";
  const divide = usesDivider(spec) ? "(__umulhi(rest, dim.magic) + rest) >> dim.shift" : "rest / dim.size";
  const find = [
    `  ${type} rest = ${lanes === 1 ? "i" : `i * ${lanes}`};`,
    `  if (rest >= args.count) return;`,
    `  ${offset} ${operands.map((o) => `at_${o.name} = 0`).join(", ")};`,
    `#pragma unroll`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    const Arguments::Dim& dim = args.dim[d];`,
    `    const ${type} quotient = d == ${rank - 1} ? 0 : ${divide};`,
    `    const ${offset} index = rest - quotient * dim.size;`,
    ...operands.map((o, k) => `    at_${o.name} += index * dim.stride[${k}];`),
    `    rest = quotient;`,
    `  }`,
  ];
  const start = [head, `  const ${type} i = ${threadIndex(spec)};`, ...find];
  if (lanes === 1) {
    return [...start, `  ${elementCall(spec, (name) => `args.${name}[at_${name}]`)}`, `}`].join("\n");
  }
  const dense = operands.filter((_, k) => inner[k] === "unit");
  const word = (o: (typeof operands)[number]) =>
    `*reinterpret_cast<${packOf(o)}*>(args.${o.name} + at_${o.name})`;
  const access = (name: string, k: number): string => {
    if (inner[k] === "unit") return `${name}.lane[k]`;
    return inner[k] === "broadcast"
      ? `args.${name}[at_${name}]`
      : `args.${name}[at_${name} + k * args.dim[0].stride[${k}]]`;
  };
  return [
    packType(lanes),
    ...start,
    ...dense.map((o) =>
      o.name.startsWith("in") ? `  const ${packOf(o)} ${o.name} = ${word(o)};` : `  ${packOf(o)} ${o.name};`,
    ),
    `#pragma unroll`,
    `  for (int k = 0; k < ${lanes}; ++k) ${elementCall(spec, access)}`,
    ...dense.filter((o) => o.name.startsWith("out")).map((o) => `  ${word(o)} = ${o.name};`),
    `}`,
  ].join("\n");
}

/**
 * A block covers a square tile of dimensions 0 and 1. Inputs that are dense along dimension 1 are read along it into shared
 * memory, whose rows are one element longer than the tile so that columns fall into different banks.
 */
function tiledKernel(spec: KernelSpec, layout: Of<"tiled">, head: string): string {
  const { rank, inner } = layout;
  const operands = memoryOperands(spec);
  const rows = threads / tile;
  const turned = operands.flatMap((o, k) => (inner[k] === "turned" ? [{ ...o, k }] : []));
  const stride = (d: number, k: number) => `args.dim[${d}].stride[${k}]`;
  const access = (name: string, k: number): string => {
    if (inner[k] === "turned") return `tile_${name}[x][y]`;
    return `args.${name}[at_${name} + column * ${stride(0, k)} + row * ${stride(1, k)}]`;
  };
  return [
    head,
    ...turned.map((o) => `  __shared__ ${o.dtype.ctype} tile_${o.name}[${tile}][${tile + 1}];`),
    `  const uint32 columns = args.dim[0].size, rows = args.dim[1].size;`,
    `  const uint32 tiles_across = (columns + ${tile - 1}) / ${tile}, tiles_down = (rows + ${tile - 1}) / ${tile};`,
    `  const uint32 left = blockIdx.x % tiles_across * ${tile};`,
    `  uint32 rest = blockIdx.x / tiles_across;`,
    `  const uint32 top = rest % tiles_down * ${tile};`,
    `  rest /= tiles_down;`,
    `  int32 ${operands.map((o) => `at_${o.name} = 0`).join(", ")};`,
    ...(rank > 2
      ? [
          `#pragma unroll`,
          `  for (int d = 2; d < ${rank}; ++d) {`,
          `    const uint32 index = rest % args.dim[d].size;`,
          ...operands.map((o, k) => `    at_${o.name} += index * args.dim[d].stride[${k}];`),
          `    rest /= args.dim[d].size;`,
          `  }`,
        ]
      : []),
    `  const uint32 x = threadIdx.x % ${tile};`,
    `#pragma unroll`,
    `  for (uint32 y = threadIdx.x / ${tile}; y < ${tile}; y += ${rows}) {`,
    `    const uint32 column = left + y, row = top + x;`,
    `    if (column < columns && row < rows) {`,
    ...turned.map(
      (o) => `      tile_${o.name}[y][x] = args.${o.name}[at_${o.name} + column * ${stride(0, o.k)} + row];`,
    ),
    `    }`,
    `  }`,
    `  __syncthreads();`,
    `#pragma unroll`,
    `  for (uint32 y = threadIdx.x / ${tile}; y < ${tile}; y += ${rows}) {`,
    `    const uint32 column = left + x, row = top + y;`,
    `    if (column < columns && row < rows) ${elementCall(spec, access)}`,
    `  }`,
    `}`,
  ].join("\n");
}
