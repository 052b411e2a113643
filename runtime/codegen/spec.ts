// The KernelSpec: all inputs of a kernel's text, and the resulting argument block.
import { type DType, dtypes } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import {
  type Functor,
  isAddressed,
  isLongOnGrid,
  type Parameter,
  type ParameterType,
  userTexts,
} from "../functor/functor.js";
import { ArgumentFields, type Field } from "./argument-fields.js";
import { type Choice, choiceSuffix } from "./choice.js";

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
  /** What was tuned; undefined for the default. */
  readonly choice?: Choice | undefined;
}

/** The offset of each argument in the block; all fields have their natural alignment. */
export interface ArgumentLayout {
  /** Pointers of the outputs, then of the inputs that are memory. */
  readonly pointers: readonly Field[];
  /** Scalar inputs by input position, then parameters. */
  readonly scalars: readonly (Field & { readonly input: number; readonly dtype: DType })[];
  readonly parameters: readonly (Field & { readonly parameter: Parameter; readonly dtype: DType })[];
  /** The element count; undefined if the kernel gets a range. */
  readonly count: Field | undefined;
  /** The first byte of the dimensions. */
  readonly dims: { readonly offset: number; readonly bytesPerDim: number } | undefined;
  readonly bytes: number;
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
}

/** The operands in memory, outputs first; these have strides. */
export function memoryOperands(spec: KernelSpec): readonly MemoryOperand[] {
  // Host compilers do not vectorize loops that load a bool; they do vectorize a comparison of a byte with 0.
  const read = (dtype: DType) => (dtype.kind === "bool" && !spec.dialect.grid ? "uint8" : dtype.ctype);
  return [
    ...spec.outputs.map(({ dtype }, i) => ({
      name: `out${i}`,
      dtype,
      ctype: dtype.ctype,
      isAddressed: false,
    })),
    ...spec.inputs.flatMap(({ scalar, dtype }, i) => {
      if (scalar) return [];
      const own = isAddressed(spec.functor, i);
      return [{ name: `in${i}`, dtype, ctype: own ? dtype.ctype : read(dtype), isAddressed: own }];
    }),
  ];
}

/** Lays out the argument block of a spec: pointers, scalars, parameters, count, dimensions. */
export function argumentLayout(spec: KernelSpec): ArgumentLayout {
  const fields = new ArgumentFields();
  const operands = memoryOperands(spec);
  const pointers = operands.map(({ name, ctype }) => fields.add(name, spec.dialect.pointer(ctype), 8));
  // Without spread, which gives V8 objects of many shapes: every launch reads these fields.
  const scalars = spec.inputs.flatMap(({ scalar, dtype }, input) => {
    if (!scalar) return [];
    const { name, ctype, offset, bytes } = addScalar(fields, `in${input}`, dtype);
    return [{ name, ctype, offset, bytes, input, dtype }];
  });
  const parameters = parameterFields(fields, spec.functor, spec.compute);
  const word = spec.index / 8;
  const count = spec.dialect.grid
    ? fields.add("count", spec.index === 32 ? "uint32" : "int64", word)
    : undefined;
  let dims: ArgumentLayout["dims"];
  if (spec.layout.kind !== "contiguous") {
    const bytesPerDim = dimWords(spec, operands.length) * word;
    dims = { offset: fields.skip(bytesPerDim * spec.layout.rank, 8), bytesPerDim };
  }
  return { pointers, scalars, parameters, count, dims, bytes: fields.bytes };
}

/** Places the parameters of a functor. */
export function parameterFields(
  fields: ArgumentFields,
  { parameters }: Functor,
  compute: DType,
  prefix = "param_",
): ArgumentLayout["parameters"] {
  return parameters.map((parameter) => {
    const dtype = dtypes[argumentDType(parameter.type, compute).compute];
    const { name, ctype, offset, bytes } = addScalar(fields, `${prefix}${parameter.name}`, dtype);
    return { name, ctype, offset, bytes, parameter, dtype };
  });
}

/** Words of one dimension: its size, the divider if the kernel divides by it, and a stride per operand. */
export function dimWords(spec: KernelSpec, operands: number): number {
  return (usesDivider(spec) ? 3 : 1) + operands;
}

/** True if indexes are split by multiplication: 32-bit indexes of a grid's threads. */
export function usesDivider(spec: KernelSpec): boolean {
  return spec.dialect.grid !== undefined && spec.index === 32;
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
  return !loops && !isLongOnGrid(functor, compute);
}

/** Adds a scalar; a complex one is aligned like its parts. */
function addScalar(fields: ArgumentFields, name: string, dtype: DType): Field {
  const alignment = dtype.kind === "complex" ? dtype.bytes / 2 : dtype.bytes;
  return fields.add(name, dtype.ctype, dtype.bytes, alignment);
}

/** What users read for a layout, index width and choice: `contiguous`, `strided2`, `tiled2`, `strided3 i64`. */
export function variantName(spec: KernelSpec): string {
  const wide = spec.index === 64 && spec.dialect.grid ? " i64" : "";
  const groups = spec.groups === undefined ? "" : ` up to ${spec.groups} groups`;
  return `${layoutName(spec.layout)}${wide}${groups}${choiceSuffix(spec.choice)}`;
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
