// The checks of matrices that jl.linalg takes, and their layouts for routines.
import { type DType, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { broadcastShapes, formatShape } from "../geometry/layout.js";
import { checkDevices } from "../tensor/same-device.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";

const taken: readonly DType[] = [dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128];

/** A matrix, or a batch of them, of a dtype that is factored. */
export function matricesOf(what: string, value: unknown, name = "the tensor"): Tensor {
  const x = tensorOf(what, value);
  if (!taken.includes(x.dtype)) {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${x.dtype.name}: it takes float32, float64, complex64 and complex128; convert with .to("float32") first.`,
    );
  }
  if (x.ndim >= 2) return x;
  throw new JitlabError(
    "bad-dimension",
    `${what}: ${name} of shape ${formatShape(x.shape)} is not a matrix.`,
    "It takes a matrix, or a batch of them: two dimensions or more.",
  );
}

/** The same for square matrices. */
export function squareOf(what: string, value: unknown, name?: string): Tensor {
  const x = matricesOf(what, value, name);
  const [rows, columns] = x.shape.slice(-2);
  if (rows === columns) return x;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the matrices of shape ${formatShape(x.shape)} are not square.`,
    "Their last two extents must be equal; jl.linalg.lstsq solves systems that are not square.",
  );
}

/** Throws unless two tensors have one dtype and one device. */
export function checkAlike(what: string, x: Tensor, other: Tensor): void {
  checkDevices(what, x, other);
  if (x.dtype === other.dtype) return;
  throw new JitlabError(
    "dtype-refused",
    `${what} does not take ${x.dtype.name} and ${other.dtype.name}: both tensors must have the same dtype; convert one with .to("${x.dtype.name}").`,
  );
}

/** Matrices and their right sides in one batch. */
export interface System {
  readonly a: Tensor;
  readonly b: Tensor;
  /** The solution in the shape of the given right side. */
  readonly back: (x: Tensor) => Tensor;
}

/**
 * Checks a system of equations with PyTorch's rule: `b` is a vector for each matrix if it has one dimension, or the shape of
 * `a` without its last one.
 */
export function systemOf(what: string, a: Tensor, given: unknown, takesVectors = true): System {
  const value = tensorOf(what, given);
  checkAlike(what, a, value);
  const [rows] = a.shape.slice(-2) as [number];
  const lead = a.shape.slice(0, -1);
  const isVector =
    takesVectors &&
    (value.ndim === 1 ||
      (value.ndim === lead.length && value.shape.every((extent, d) => extent === lead[d])));
  const b = isVector ? value.unsqueeze(-1) : matricesOf(what, value, "the right side");
  if (b.shape.at(-2) !== rows) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: matrices of shape ${formatShape(a.shape)} and right sides of shape ${formatShape(value.shape)} do not fit: ${rows} rows and ${b.shape.at(-2)}.`,
      "The right side needs as many rows as the matrix.",
    );
  }
  const batch = broadcastShapes(what, [a.shape.slice(0, -2), b.shape.slice(0, -2)]);
  return {
    a: a.expand([...batch, ...a.shape.slice(-2)]),
    b: b.expand([...batch, ...b.shape.slice(-2)]),
    back: (x) => (isVector ? x.squeeze(-1) : x),
  };
}

/** The adjoint of matrices: transposed and conjugated. */
export function adjointOf<T extends Tensor>(x: T): T {
  return (x.dtype.kind === "complex" ? x.mT.conj() : x.mT) as T;
}
