// Aliases for users of PyTorch.
import type { DTypeName } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { type Nested, type Tensor, tensorOf } from "./tensor.js";

/**
 * The number of elements, as the property `size`.
 *
 * @example jl.zeros([2, 3]).numel() // 6
 */
export function numel(x: Tensor): number {
  return x.size;
}

/**
 * The number of dimensions, as the property `ndim`.
 *
 * @example jl.zeros([2, 3]).dim() // 2
 */
export function dim(x: Tensor): number {
  return x.ndim;
}

/**
 * The elements as nested arrays, as toArray.
 *
 * @example jl.arange(2).tolist() // [0, 1]
 */
export function tolist(x: Tensor): Nested {
  return x.toArray();
}

/**
 * The tensor in float32.
 *
 * @example jl.arange(2).float().dtype.name // "float32"
 */
export function float(x: Tensor): Tensor {
  return x.to("float32");
}

/**
 * The tensor in float64.
 *
 * @example jl.arange(2).double().dtype.name // "float64"
 */
export function double(x: Tensor): Tensor {
  return x.to("float64");
}

/**
 * The tensor in float16.
 *
 * @example jl.arange(2).half().dtype.name // "float16"
 */
export function half(x: Tensor): Tensor {
  return x.to("float16");
}

/**
 * The tensor in int32.
 *
 * @example jl.ones([2]).int().dtype.name // "int32"
 */
export function int(x: Tensor): Tensor {
  return x.to("int32");
}

/**
 * The tensor in int16.
 *
 * @example jl.ones([2]).short().dtype.name // "int16"
 */
export function short(x: Tensor): Tensor<"int16"> {
  return x.to("int16");
}

/**
 * The tensor in uint8.
 *
 * @example jl.ones([2]).byte().dtype.name // "uint8"
 */
export function byte(x: Tensor): Tensor<"uint8"> {
  return x.to("uint8");
}

/**
 * The tensor in int8.
 *
 * @example jl.ones([2]).char().dtype.name // "int8"
 */
export function char(x: Tensor): Tensor<"int8"> {
  return x.to("int8");
}

/**
 * The tensor in another tensor's dtype.
 *
 * @example jl.arange(2).typeAs(jl.ones([1])).dtype.name // "float32"
 */
export function typeAs<E extends DTypeName>(x: Tensor, other: Tensor<E>): Tensor<E> {
  return x.to(tensorOf("typeAs", other).dtype.name) as Tensor<E>;
}

/**
 * The tensor in another tensor's shape, without a copy.
 *
 * @example jl.arange(4).viewAs(jl.zeros([2, 2])).shape // [2, 2]
 */
export function viewAs<D extends DTypeName>(x: Tensor<D>, other: Tensor): Tensor<D> {
  return x.view(tensorOf("viewAs", other).shape);
}

/**
 * Sets every element to 0.
 *
 * @example jl.ones([2]).zero_().toArray() // [0, 0]
 */
export function zero_<D extends DTypeName>(x: Tensor<D>): Tensor<D> {
  return x.fill_(0);
}

/**
 * The number of elements, as the property `size`.
 *
 * @example jl.zeros([2, 3]).nelement() // 6
 */
export function nelement(x: Tensor): number {
  return x.size;
}

/**
 * The tensor in int64.
 *
 * @example jl.ones([2]).long().toArray() // [1n, 1n]
 */
export function long(x: Tensor): Tensor {
  return x.to("int64");
}

/**
 * The tensor in bool: whether each element is not 0.
 *
 * @example jl.tensor([0, 2]).bool().toArray() // [false, true]
 */
export function bool(x: Tensor): Tensor {
  return x.to("bool");
}

/**
 * The tensor on the cpu.
 *
 * @example jl.ones([2]).cpu().device.name // "cpu"
 */
export function cpu(x: Tensor): Tensor {
  return x.to("cpu");
}

/**
 * The tensor on the first GPU.
 *
 * @example jl.ones([2]).cuda().device.name // "cuda:0"
 */
export function cuda(x: Tensor): Tensor {
  return x.to("cuda");
}

/**
 * Where both tensors of bool are true: `logicalAnd`, which takes other dtypes too.
 *
 * @example jl.tensor([true, true]).and(jl.tensor([true, false])).toArray() // [true, false]
 */
export function and(x: Tensor, other: Tensor): Tensor<"bool"> {
  return boolOf("and", x).logicalAnd(boolOf("and", other) as never) as Tensor<"bool">;
}

/**
 * Where one of two tensors of bool is true, or both are.
 *
 * @example jl.tensor([true, false]).or(jl.tensor([false, false])).toArray() // [true, false]
 */
export function or(x: Tensor, other: Tensor): Tensor<"bool"> {
  return boolOf("or", x).logicalOr(boolOf("or", other) as never) as Tensor<"bool">;
}

/**
 * Where a tensor of bool is false.
 *
 * @example jl.tensor([true, false]).not().toArray() // [false, true]
 */
export function not(x: Tensor): Tensor<"bool"> {
  return boolOf("not", x).logicalNot() as Tensor<"bool">;
}

// Of integers, these names could mean the bits.
function boolOf(what: string, value: unknown): Tensor {
  const x = tensorOf(what, value);
  if (x.dtype.kind === "bool") return x;
  throw new JitlabError(
    "dtype-refused",
    `${what} takes tensors of bool, not ${x.dtype.name}.`,
    "Compare first, as in x.gt(0); logicalAnd, logicalOr and logicalNot take any dtype, bitwiseAnd and the like integers.",
  );
}
