// The table of element types and PyTorch's promotion between them.
import { didYouMean, JitlabError, show } from "./errors.js";

const writers = ["toString", Symbol.for("nodejs.util.inspect.custom"), "toJSON"];

/** Makes template literals, notebooks, console.log and JSON.stringify print the object as its name; returns it. */
export function printedAs<T extends object>(object: T, name: string): T {
  for (const key of writers) Object.defineProperty(object, key, { value: () => name });
  return object;
}

/** The category of a dtype; promotion orders them `bool < unsigned, signed < float < complex`. */
export type Kind = "bool" | "unsigned" | "signed" | "float" | "complex";

/** The names of the element types. */
export type DTypeName =
  | "bool"
  | "uint8"
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float16"
  | "bfloat16"
  | "float32"
  | "float64"
  | "complex64"
  | "complex128";

/** The typed arrays for elements of dtypes. */
export type TypedArray =
  | Uint8Array
  | Int8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

interface ArrayConstructor {
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
  readonly BYTES_PER_ELEMENT: number;
}

/** One element type: its size, its names in generated code and its typed array on the host. */
export interface DType {
  readonly name: DTypeName;
  /** A small integer, for keys: the row of the table. */
  readonly id: number;
  /** Bytes of one element. */
  readonly bytes: number;
  readonly kind: Kind;
  /** The C++ type of a stored element, from prelude.h. */
  readonly ctype: string;
  /** The dtype in which functors compute: float32 for the half types, itself otherwise. */
  readonly compute: DTypeName;
  /** The host array of stored elements; complex types hold interleaved pairs, half types their bits. */
  readonly array: ArrayConstructor;
}

type Row = readonly [DTypeName, number, Kind, string, DTypeName, ArrayConstructor];

const rows: readonly Row[] = [
  ["bool", 1, "bool", "bool", "bool", Uint8Array],
  ["uint8", 1, "unsigned", "uint8", "uint8", Uint8Array],
  ["int8", 1, "signed", "int8", "int8", Int8Array],
  ["int16", 2, "signed", "int16", "int16", Int16Array],
  ["int32", 4, "signed", "int32", "int32", Int32Array],
  ["int64", 8, "signed", "int64", "int64", BigInt64Array],
  ["uint16", 2, "unsigned", "uint16", "uint16", Uint16Array],
  ["uint32", 4, "unsigned", "uint32", "uint32", Uint32Array],
  ["uint64", 8, "unsigned", "uint64", "uint64", BigUint64Array],
  ["float16", 2, "float", "float16", "float32", Uint16Array],
  ["bfloat16", 2, "float", "bfloat16", "float32", Uint16Array],
  ["float32", 4, "float", "float", "float32", Float32Array],
  ["float64", 8, "float", "double", "float64", Float64Array],
  ["complex64", 8, "complex", "complex<float>", "complex64", Float32Array],
  ["complex128", 16, "complex", "complex<double>", "complex128", Float64Array],
];

/** Every dtype by name. */
export const dtypes = Object.fromEntries(
  rows.map(([name, bytes, kind, ctype, compute, array], id) => {
    const dtype = { name, id, bytes, kind, ctype, compute, array };
    return [name, Object.freeze(printedAs(dtype, name))];
  }),
) as Readonly<Record<DTypeName, DType>>;

/** The dtypes in the order of their ids. */
export const dtypeList: readonly DType[] = rows.map(([name]) => dtypes[name]);

/** The dtype of a name; for other values throws `unknown-dtype` with the nearest name. */
export function dtypeOf(name: DTypeName | DType, others = ""): DType {
  const own = typeof name === "object" && name !== null && isOwn(name) ? name.name : name;
  const found = typeof own === "string" && Object.hasOwn(dtypes, own) ? dtypes[own] : undefined;
  if (found && (found === name || own === name)) return found;
  throw new JitlabError(
    "unknown-dtype",
    `Unknown dtype ${show(name)}.`,
    `${typeof name === "string" ? didYouMean(name, Object.keys(dtypes)) : ""} The dtypes are ${Object.keys(dtypes).join(", ")}${others}.`.trim(),
  );
}

function isOwn(dtype: DType): boolean {
  return dtypeList.includes(dtype);
}

/** True for the integer kinds, bool excluded. */
export function isInteger(dtype: DType): boolean {
  return dtype.kind === "signed" || dtype.kind === "unsigned";
}

/** True for the floating dtypes of two bytes. */
export function isHalf(dtype: DType): boolean {
  return dtype.kind === "float" && dtype.bytes === 2;
}

const signedAbove: Readonly<Record<number, DType>> = { 1: dtypes.int16, 2: dtypes.int32, 4: dtypes.int64 };
const floatOrder: readonly DTypeName[] = ["float16", "bfloat16", "float32", "float64"];

/**
 * The dtype that both `a` and `b` promote to, as in torch.promote_types (without complex32). Pairs with an unsigned dtype
 * above uint8, which that rejects, follow NumPy.
 */
export function promote(a: DType, b: DType): DType {
  if (a === b) return a;
  if (a.kind === "complex" || b.kind === "complex") {
    const double = [a, b].some((t) => t.name === "complex128" || t.name === "float64");
    return double ? dtypes.complex128 : dtypes.complex64;
  }
  if (a.kind === "float" && b.kind === "float") {
    const halves = a.bytes === 2 && b.bytes === 2;
    if (halves) return dtypes.float32;
    return floatOrder.indexOf(a.name) > floatOrder.indexOf(b.name) ? a : b;
  }
  if (a.kind === "float") return a;
  if (b.kind === "float") return b;
  if (a.kind === "bool") return b;
  if (b.kind === "bool") return a;
  // Both integers: the wider one, unless an unsigned one is at least as wide as a signed one: they need the next signed
  // width.
  const [wider, other] = a.bytes >= b.bytes ? [a, b] : [b, a];
  if (a.kind === b.kind || (wider.kind === "signed" && wider.bytes > other.bytes)) return wider;
  return signedAbove[wider.bytes] ?? dtypes.float64;
}

/**
 * PyTorch's promotion of two dtype names, such as `promoteTypes("int32", "float16")`, which is `"float16"`.
 *
 * @example jl.promoteTypes("int32", "float16") // "float16"
 */
export function promoteTypes(a: DTypeName, b: DTypeName): DTypeName {
  return promote(dtypeOf(a), dtypeOf(b)).name;
}
