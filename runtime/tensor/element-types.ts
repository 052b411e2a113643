// Tensor types include the dtype if the source states it. `Tensor<"float32">` has numbers, `Tensor<"int64">` bigints; a
// plain `Tensor` may have any dtype, and its elements may be used as any type.
import type { DTypeName } from "../base/dtype.js";
import type { TensorData } from "./transfer.js";

/** The dtype of a tensor whose source does not state it. */
// biome-ignore lint/suspicious/noExplicitAny: such a tensor may have any dtype
export type AnyDType = any;

// biome-ignore lint/suspicious/noExplicitAny: the elements of a tensor of any dtype
type AnyElement = any;

interface Elements {
  bool: boolean;
  uint8: number;
  int8: number;
  int16: number;
  int32: number;
  int64: bigint;
  uint16: number;
  uint32: number;
  uint64: bigint;
  float16: number;
  bfloat16: number;
  float32: number;
  float64: number;
  complex64: { re: number; im: number };
  complex128: { re: number; im: number };
}

interface Arrays {
  bool: Uint8Array;
  uint8: Uint8Array;
  int8: Int8Array;
  int16: Int16Array;
  int32: Int32Array;
  int64: BigInt64Array;
  uint16: Uint16Array;
  uint32: Uint32Array;
  uint64: BigUint64Array;
  float16: Float32Array;
  bfloat16: Float32Array;
  float32: Float32Array;
  float64: Float64Array;
  complex64: Float32Array;
  complex128: Float64Array;
}

/** The host value of an element. */
export type ElementOf<D extends DTypeName> = DTypeName extends D ? AnyElement : Elements[D];
/** The typed array that holds a copy of the elements. */
export type ArrayOf<D extends DTypeName> = DTypeName extends D ? AnyElement : Arrays[D];

type Complex = "complex64" | "complex128";
type Floating = "float16" | "bfloat16" | "float32" | "float64" | Complex;

/** The dtype of floating-point functions: float32 for integers and bool. */
export type Floated<D extends DTypeName> = D extends Floating ? D : "float32";
/** The dtype of quotients: for integers it depends on the rounding. */
export type Divided<D extends DTypeName> = D extends Floating ? D : AnyDType;
/** The dtype of sums and products: int64 for integers and bool. */
export type Accumulated<D extends DTypeName> = D extends Floating ? D : "int64";
/** The dtype of absolute values and of parts of complex numbers. */
export type RealPart<D extends DTypeName> = D extends "complex64"
  ? "float32"
  : D extends "complex128"
    ? "float64"
    : D;

/** The common dtype of two tensors: known if they are equal, or if one has integers and the other floats. */
export type Joined<D extends DTypeName, E extends DTypeName> = DTypeName extends D | E
  ? AnyDType
  : [D, E] extends [E, D]
    ? D
    : [D, E] extends [Floating, Exclude<DTypeName, Floating>]
      ? D
      : [D, E] extends [Exclude<DTypeName, Floating>, Floating]
        ? E
        : AnyDType;

/** The common dtype of a tensor and a weak scalar: known if the scalar's kind is not higher. */
export type JoinedScalar<D extends DTypeName, S> = S extends boolean
  ? D
  : S extends number
    ? D extends Floating
      ? D
      : AnyDType
    : S extends bigint
      ? D extends "bool"
        ? "int64"
        : D
      : D extends Complex
        ? D
        : AnyDType;

/** The dtype of host data without a dtype option. */
export type DTypeOfData<T> = [TensorData] extends [T]
  ? AnyDType
  : [T] extends [Float64Array]
    ? "float64"
    : [T] extends [Float32Array]
      ? "float32"
      : [T] extends [BigInt64Array]
        ? "int64"
        : [T] extends [BigUint64Array]
          ? "uint64"
          : [T] extends [Int32Array]
            ? "int32"
            : [T] extends [ArrayBufferView]
              ? AnyDType
              : [T] extends [readonly (infer E)[]]
                ? DTypeOfData<E>
                : DTypeOfScalar<T>;

/** The dtype of one host value. */
export type DTypeOfScalar<T> = [T] extends [number]
  ? "float32"
  : [T] extends [bigint]
    ? "int64"
    : [T] extends [boolean]
      ? "bool"
      : AnyDType;

/** The dtype of a tensor of dtype `D` after `to(target)`: a device name does not change it. */
export type Target<D extends DTypeName, T> = string extends T ? AnyDType : T extends DTypeName ? T : D;
