// The KernelSpec: all inputs of a kernel's text, and the resulting argument block.
import { type DType, dtypes } from "../../base/dtype.js";
import type { Dialect } from "../../device/dialect.js";
import {
  type Functor,
  isAddressed,
  isLongOnGpu,
  type ParameterType,
  userTexts,
} from "../../functor/functor.js";
import { ArgumentFields, type BlockLayout } from "../argument-fields.js";

/** The class of memory layouts that one kernel serves. Dimensions are merged and listed innermost first. */
export type Layout =
  /** One flat loop, in accesses of up to `vector` elements. */
  | { readonly kind: "contiguous"; readonly vector: number }
  /** Any strides; rows divide into groups of `vector` elements. */
  | {
      readonly kind: "strided";
      readonly rank: number;
      readonly inner: readonly InnerStride[];
      readonly vector: number;
    }
  /** Some operands are dense along dimension 1 instead of 0: square tiles of them pass through shared memory. */
  | { readonly kind: "tiled"; readonly rank: number; readonly inner: readonly InnerStride[] };

/** An innermost stride in a kernel's text: 0, 1, read from the arguments, or dense along dimension 1. */
export type InnerStride = "broadcast" | "unit" | "any" | "turned";

/** The minimum extent for tiles. */
export const leastTiled = 32;

/** Edge of a tile in elements: 64 where the tiles of all turned operands then take at most 24 KiB, else 32. */
export function tileEdge(spec: KernelSpec): number {
  if (spec.layout.kind !== "tiled") return 1;
  const bytes = turnedOperands(spec).reduce((sum, { dtype }) => sum + dtype.bytes, 0);
  return bytes * 64 * 65 <= 24 * 1024 ? 64 : 32;
}

/**
 * The operands whose tiles pass through a buffer because they are dense along dimension 1, each with its place among the operands
 * in memory. The buffers fit into the 48 KiB of a GPU's static shared memory; operands beyond that are accessed with their strides.
 */
export function turnedOperands(spec: KernelSpec): readonly (MemoryOperand & { readonly k: number })[] {
  const { layout } = spec;
  let left = 48 * 1024;
  return memoryOperands(spec).flatMap((o, k) => {
    const isTurned = layout.kind === "tiled" && layout.inner[k] === "turned" && !o.isAddressed;
    const bytes = o.dtype.bytes * 32 * 33;
    if (!isTurned || bytes > left) return [];
    left -= bytes;
    return [{ ...o, k }];
  });
}

/** One operand of a kernel. */
export interface OperandSpec {
  /** The stored dtype; for a scalar the dtype in which it is passed. */
  readonly dtype: DType;
  /** True for a kernel argument instead of memory. */
  readonly scalar: boolean;
  /** True for memory of one element, which a flat loop reads for all elements. */
  readonly single?: boolean;
}

/** All inputs of a kernel's text. */
export interface KernelSpec {
  readonly functor: Functor;
  readonly compute: DType;
  readonly outputs: readonly OperandSpec[];
  readonly inputs: readonly OperandSpec[];
  readonly layout: Layout;
  /** The width of indexes in bits. */
  readonly index: 32 | 64;
  readonly dialect: Dialect;
  /** The maximum number of operand groups per launch; undefined for a single group, whose arguments are the block. */
  readonly groups?: number;
}

/** The dtype in which an argument with a declared type is passed. */
export function argumentDType(type: ParameterType, compute: DType): DType {
  if (type === "T" || (type === "number" && compute.kind === "float")) return dtypes[compute.compute];
  return type === "number" ? dtypes.float64 : type;
}

/** An operand that is memory. */
export interface MemoryOperand {
  readonly name: string;
  readonly dtype: DType;
  /** The C type that its pointer points to. */
  readonly ctype: string;
  /** True if the functor gets its address. */
  readonly isAddressed: boolean;
  /** True for one element beside all others. */
  readonly isSingle: boolean;
}

/** The operands in memory, outputs first; these have strides. */
export function memoryOperands(spec: KernelSpec): readonly MemoryOperand[] {
  // Host compilers do not vectorize loops that load a bool; they do vectorize a comparison of a byte with 0.
  const read = (dtype: DType) => (dtype.kind === "bool" && !spec.dialect.gpu ? "uint8" : dtype.ctype);
  return [
    ...spec.outputs.map(({ dtype }, i) => ({
      name: `out${i}`,
      dtype,
      ctype: dtype.ctype,
      isAddressed: false,
      isSingle: false,
    })),
    ...spec.inputs.flatMap(({ scalar, dtype, single = false }, i) => {
      if (scalar) return [];
      const own = isAddressed(spec.functor, i);
      const ctype = own ? dtype.ctype : read(dtype);
      return [{ name: `in${i}`, dtype, ctype, isAddressed: own, isSingle: single }];
    }),
  ];
}

/** Lays out the argument block of a spec: addresses, scalars, parameters, the count unless the kernel gets a range, dimensions. */
export function argumentLayout(spec: KernelSpec): BlockLayout {
  const fields = new ArgumentFields();
  const operands = memoryOperands(spec);
  for (const { name, ctype } of operands) fields.address(name, spec.dialect.pointer(ctype));
  spec.inputs.forEach(({ scalar, dtype }, input) => {
    if (scalar) fields.scalar(`in${input}`, dtype, "scalar", input);
  });
  addParameters(fields, spec.functor, spec.compute, "param_", 0);
  const word = spec.index / 8;
  if (spec.dialect.gpu) fields.count(spec.index === 32 ? "uint32" : "int64", word);
  const rank = spec.layout.kind === "contiguous" ? 0 : spec.layout.rank;
  return fields.layout(rank * dimWords(spec, operands.length) * word);
}

/** Places the parameters of a functor, which are numbered in the call from `first` on. */
export function addParameters(
  fields: ArgumentFields,
  { parameters }: Functor,
  compute: DType,
  prefix: string,
  first: number,
): void {
  parameters.forEach(({ name, type }, i) => {
    const dtype = dtypes[argumentDType(type, compute).compute];
    fields.scalar(`${prefix}${name}`, dtype, "parameter", first + i);
  });
}

/** Words of one dimension: its size, the divider if the kernel divides by it, and a stride per operand. */
export function dimWords(spec: KernelSpec, operands: number): number {
  return (usesDivider(spec) ? 3 : 1) + operands;
}

/** True if indexes are split by multiplication: 32-bit indexes of a grid's threads. */
export function usesDivider(spec: KernelSpec): boolean {
  return spec.dialect.gpu !== undefined && spec.index === 32;
}

// More scalars are read before all else where the compiler optimizes less, and leave too few registers.
const quickScalars = 8;

/**
 * True for composed and users' functors whose time is that of their memory: short ones without loops, over contiguous
 * elements. Their code is as fast without a compiler's slow optimizations. Operations by themselves are mostly compiled ahead.
 */
export function isQuick({ functor, compute, layout, groups }: KernelSpec): boolean {
  const isFlat = layout.kind === "contiguous" && groups === undefined;
  if (!isFlat || !(functor.user || functor.places) || functor.parameters.length > quickScalars) return false;
  const loops = userTexts(functor, compute).some(({ text }) => /\b(for|while|goto)\b/.test(text));
  return !loops && !isLongOnGpu(functor, compute);
}

/** What users read for a layout and index width: `contiguous`, `strided2`, `tiled2`, `strided3 i64`. */
export function variantName(spec: KernelSpec): string {
  const wide = spec.index === 64 && spec.dialect.gpu ? " i64" : "";
  const groups = spec.groups === undefined ? "" : ` up to ${spec.groups} groups`;
  return `${layoutName(spec.layout)}${wide}${groups}`;
}

function layoutName(layout: Layout): string {
  if (layout.kind === "contiguous") return layout.vector === 8 ? "contiguous" : `contiguous/${layout.vector}`;
  const name = `${layout.kind}${layout.rank}`;
  return layout.kind === "strided" && layout.vector > 1 ? `${name}x${layout.vector}` : name;
}

/** Output dtypes, then input dtypes; scalars are marked. */
export function dtypeNames(spec: KernelSpec): string[] {
  const name = (operand: OperandSpec) =>
    operand.scalar ? `${operand.dtype.name} scalar` : operand.dtype.name;
  return [...spec.outputs.map(name), ...spec.inputs.map(name)];
}
