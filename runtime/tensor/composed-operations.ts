// Functions composed of elementwise operations: they compare tensors, replace elements, or take numbers apart.

import { optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { dtypes } from "../base/dtype.js";
import { inNameOf, JitlabError } from "../base/errors.js";
import { makeFunctor } from "../functor/functor.js";
import { codeOf, scalarParts } from "../functor/operand.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { dimension } from "../geometry/views.js";
import { dispatch } from "../launch/map-launch.js";
import type { Scalar } from "../ops/op.js";
import { asProgram } from "../program/tape/own-program.js";
import { emptyTensor, Tensor, tensorOf } from "./tensor.js";
import { hostReads } from "./transfer.js";

/** Options of {@link allclose}. */
export interface CloseOptions {
  /** The relative tolerance, as a fraction of the other number; default 1e-5. */
  readonly rtol?: number;
  /** The absolute tolerance; default 1e-8. */
  readonly atol?: number;
  /** Whether two NaN are close. */
  readonly equalNan?: boolean;
}

/**
 * Whether two tensors have the same shape and equal elements.
 *
 * @example jl.tensor([0, 1]).equal(jl.tensor([0, 1])) // true
 */
export function equal(x: Tensor, other: Tensor): boolean {
  if (!sameNumbers(tensorOf("equal", x).shape, tensorOf("equal", other).shape)) return false;
  for (const one of [x, other]) hostReads("equal", one);
  return asProgram("equal", x, () => x.eq(other).all()).item() as boolean;
}

/**
 * Whether all elements are close to those of another tensor, as in isclose.
 *
 * @example jl.tensor([1, 2]).allclose(jl.tensor([1, 2.000001])) // true
 */
export function allclose(x: Tensor, other: Tensor | Scalar, options?: CloseOptions): boolean {
  for (const one of [tensorOf("allclose", x), other]) if (one instanceof Tensor) hostReads("allclose", one);
  return tensorOf("allclose", x)
    .isclose(other, optionsOf("allclose", options, ["rtol", "atol", "equalNan"]))
    .all()
    .item() as boolean;
}

/**
 * Writes `value` where the mask is true and keeps the dtype; the mask broadcasts.
 *
 * @example jl.arange(3).maskedFill(jl.tensor([true, false, true]), 9).toArray() // [9, 1, 9]
 */
export function maskedFill<D extends DTypeName>(
  x: Tensor<D>,
  mask: Tensor,
  value: Tensor | Scalar,
): Tensor<D> {
  const chosen = fitting("maskedFill", tensorOf("maskedFill", x), value);
  return inNameOf("maskedFill", "where", () => maskOf("maskedFill", mask).where(chosen, x));
}

/** Checks a mask; throws `dtype-refused` unless it is bool. */
export function maskOf(what: string, mask: Tensor): Tensor {
  if (tensorOf(what, mask).dtype === dtypes.bool) return mask;
  throw new JitlabError(
    "dtype-refused",
    `${what}: the mask is ${mask.dtype.name}.`,
    "A mask is a bool tensor, such as x.gt(0).",
  );
}

/** Converts a value to the tensor's dtype; throws if the dtype cannot hold it. */
export function fitting(what: string, x: Tensor, value: Tensor | Scalar): Tensor | Scalar {
  if (value instanceof Tensor) {
    if (value.ndim === 0) return value.to(x.dtype.name);
    throw new JitlabError(
      "bad-argument",
      `${what}: the value has the shape ${formatShape(value.shape)}.`,
      "It is a number or a 0-d tensor; where(...) takes tensors.",
    );
  }
  codeOf(value, what); // throws for anything but numbers
  const { kind } = x.dtype;
  if (kind === "float" || kind === "complex") {
    if (typeof value !== "object" || kind === "complex") return value;
  }
  const { re } = scalarParts(value, x.dtype, what);
  return kind === "bool" ? re !== 0 : re;
}

/**
 * The elements above `threshold`, and `value` elsewhere; NaN stays.
 *
 * @example jl.tensor([-1, 2]).threshold(0, 9).toArray() // [9, 2]
 */
export function threshold<D extends DTypeName>(x: Tensor<D>, threshold: number, value: number): Tensor<D> {
  if (tensorOf("threshold", x).dtype.kind === "bool") {
    throw new JitlabError("dtype-refused", 'threshold does not take bool: convert with .to("uint8") first.');
  }
  return maskedFill(x, x.le(threshold), value);
}

/**
 * The first half of a dimension times the sigmoid of the second.
 *
 * @example jl.tensor([1, 2, 0, 0]).glu().toArray() // [0.5, 1]
 */
export function glu(x: Tensor, dim = -1): Tensor {
  const d = dimension("glu", dim, tensorOf("glu", x).ndim);
  const half = (x.shape[d] as number) / 2;
  if (!Number.isInteger(half)) {
    throw new JitlabError(
      "shape-mismatch",
      `glu: dimension ${d} has ${x.shape[d]} elements, an odd number.`,
      "It takes an even one.",
    );
  }
  return x.narrow(d, 0, half).mul(x.narrow(d, half, half).sigmoid());
}

/** The format of a floating dtype: its word, the mantissa's bits, and 2^scale, which makes subnormal numbers normal. */
interface FloatBits {
  readonly word: string;
  readonly digits: number;
  readonly exponents: number;
  readonly half: number;
  readonly least: string;
  readonly scale: number;
  readonly factor: string;
}

const floatBits: FloatBits = {
  word: "unsigned",
  digits: 23,
  exponents: 0xff,
  half: 126,
  least: "1.17549435e-38f",
  scale: 24,
  factor: "16777216.0f",
};
const doubleBits: FloatBits = {
  word: "unsigned long long",
  digits: 52,
  exponents: 0x7ff,
  half: 1022,
  least: "2.2250738585072014e-308",
  scale: 54,
  factor: "18014398509481984.0",
};

// Computed from the bits, because frexp of a double crashes the embedded compiler.
function frexpText({ word, digits, exponents, half, least, scale, factor }: FloatBits): string {
  return `template <typename T>
__device__ inline void op_frexp(T a, T& mantissa, int32& exponent) {
  mantissa = a;
  exponent = 0;
  if (a == T(0) || !isfinite(a)) return;
  const bool subnormal = fabs(a) < ${least};
  const ${word} bits = bits_of(subnormal ? a * ${factor} : a), field = (${word})${exponents} << ${digits};
  exponent = int32((bits & field) >> ${digits}) - ${half} - (subnormal ? ${scale} : 0);
  mantissa = float_of((bits & ~field) | (${word})${half} << ${digits});
}`;
}

const parted = makeFunctor({
  name: "frexp",
  entry: "op_frexp",
  inputs: ["T"],
  inputNames: ["a"],
  parameters: [],
  results: ["T", dtypes.int32],
  signature: [
    { role: "input", index: 0 },
    { role: "output", index: 0 },
    { role: "output", index: 1 },
  ],
  template: true,
  fma: false,
  converts: false,
  user: false,
  needs: () => [],
  resolve: (common) =>
    common.kind === "float"
      ? { compute: dtypes[common.compute], outputs: [common, dtypes.int32] }
      : { refuse: 'it is defined for floating dtypes only; convert with .to("float32") first' },
  text: (compute) => frexpText(compute.name === "float64" ? doubleBits : floatBits),
});

/**
 * The mantissa, from 0.5 up to 1, and the exponent of 2 as `{ mantissa, exponent }`.
 *
 * @example jl.tensor([8]).frexp().exponent.toArray() // [4]
 */
export function frexp(x: Tensor): { mantissa: Tensor; exponent: Tensor } {
  const [mantissa, exponent] = dispatch(parted, [tensorOf("frexp", x)], emptyTensor);
  return { mantissa: mantissa as Tensor, exponent: exponent as Tensor };
}

/**
 * The fractional and the integral part as `{ fractional, integral }`, both with the sign of the number.
 *
 * @example jl.tensor([-1.5]).modf().fractional.toArray() // [-0.5]
 */
export function modf(x: Tensor): { fractional: Tensor; integral: Tensor } {
  const integral = tensorOf("modf", x).trunc();
  if (x.dtype.kind !== "float") return { fractional: x.sub(integral), integral };
  return { fractional: x.isinf().where(0, x.sub(integral)).copysign(x), integral };
}

/**
 * Quotient, rounded down, and remainder as `{ quotient, remainder }`.
 *
 * @example jl.tensor([7, -7]).divmod(2).quotient.toArray() // [3, -4]
 */
export function divmod(x: Tensor, divisor: Tensor | Scalar): { quotient: Tensor; remainder: Tensor } {
  return { quotient: tensorOf("divmod", x).floorDivide(divisor), remainder: x.remainder(divisor) };
}
