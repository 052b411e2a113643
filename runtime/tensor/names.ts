// What PyTorch's users type without looking: the same under another name.
import type { DTypeName } from "../base/dtype.js";
import { type Nested, type Tensor, tensorOf } from "./tensor.js";

/** The number of elements, as the property `size`. */
export function numel(x: Tensor): number {
  return x.size;
}

/** The number of dimensions, as the property `ndim`. */
export function dim(x: Tensor): number {
  return x.ndim;
}

/** The elements as nested arrays, as toArray. */
export function tolist(x: Tensor): Nested {
  return x.toArray();
}

/** The tensor in float32. */
export function float(x: Tensor): Tensor {
  return x.to("float32");
}

/** The tensor in float64. */
export function double(x: Tensor): Tensor {
  return x.to("float64");
}

/** The tensor in float16. */
export function half(x: Tensor): Tensor {
  return x.to("float16");
}

/** The tensor in int32. */
export function int(x: Tensor): Tensor {
  return x.to("int32");
}

/** The tensor in int16. */
export function short(x: Tensor): Tensor<"int16"> {
  return x.to("int16");
}

/** The tensor in uint8. */
export function byte(x: Tensor): Tensor<"uint8"> {
  return x.to("uint8");
}

/** The tensor in int8. */
export function char(x: Tensor): Tensor<"int8"> {
  return x.to("int8");
}

/** The tensor in another tensor's dtype. */
export function typeAs<E extends DTypeName>(x: Tensor, other: Tensor<E>): Tensor<E> {
  return x.to(tensorOf("typeAs", other).dtype.name) as Tensor<E>;
}

/** The tensor in another tensor's shape, without a copy. */
export function viewAs<D extends DTypeName>(x: Tensor<D>, other: Tensor): Tensor<D> {
  return x.view(tensorOf("viewAs", other).shape);
}

/** Sets every element to 0. */
export function zero_<D extends DTypeName>(x: Tensor<D>): Tensor<D> {
  return x.fill_(0);
}

/** The number of elements, as the property `size`. */
export function nelement(x: Tensor): number {
  return x.size;
}

/** The tensor in int64. */
export function long(x: Tensor): Tensor {
  return x.to("int64");
}

/** The tensor in bool: whether each element is not 0. */
export function bool(x: Tensor): Tensor {
  return x.to("bool");
}

/** The tensor on the cpu. */
export function cpu(x: Tensor): Tensor {
  return x.to("cpu");
}

/** The tensor on the first GPU. */
export function cuda(x: Tensor): Tensor {
  return x.to("cuda");
}
