// Complex numbers as pairs of real ones in a last dimension, and back.
import type { DTypeName } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { stack } from "./join.js";
import { type Tensor, tensorOf } from "./tensor.js";

/**
 * The real and imaginary parts of complex numbers, in a new last dimension; a copy (PyTorch gives a view).
 *
 * @example jl.tensor([{ re: 1, im: 2 }]).viewAsReal().toArray() // [[1, 2]]
 */
export function viewAsReal(x: Tensor): Tensor {
  const { dtype } = tensorOf("viewAsReal", x);
  if (dtype.kind === "complex") return stack([x.real(), x.imag()], -1);
  throw new JitlabError(
    "dtype-refused",
    `viewAsReal does not take ${dtype.name}: it takes complex dtypes only.`,
  );
}

const complexNames: Partial<Record<DTypeName, DTypeName>> = { float32: "complex64", float64: "complex128" };

/**
 * The complex numbers whose real and imaginary parts are in the last dimension; a copy (PyTorch gives a view).
 *
 * @example jl.tensor([[1, 2]]).viewAsComplex().toArray() // [{ re: 1, im: 2 }]
 */
export function viewAsComplex(x: Tensor): Tensor {
  const what = "viewAsComplex";
  const { dtype, shape } = tensorOf(what, x);
  if (complexNames[dtype.name] === undefined) {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${dtype.name}: it takes float32 and float64; convert with .to("float32") first.`,
    );
  }
  if (shape.at(-1) === 2) return x.select(-1, 0).complex(x.select(-1, 1) as never);
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the last extent of ${formatShape(shape)} is not 2.`,
    "It holds the real and the imaginary part.",
  );
}
