// The function and the methods of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import type { DTypeName } from "../base/dtype.js";
import type { Scalar } from "../ops/op.js";
import type { AnyDType, Divided, Floated, RealPart } from "./element-types.js";
import type { Common, CommonOf, Operand } from "./operand-types.js";
import { type OpOptions, opFunction } from "./operations.js";
import type { Tensor } from "./tensor.js";

/** Options of add. */
export interface AddOptions {
  /** The factor of b. */
  readonly alpha?: Scalar;
}
/** Options of addcdiv. */
export interface AddcdivOptions {
  /** The factor of the quotient. */
  readonly value?: Scalar;
}
/** Options of addcmul. */
export interface AddcmulOptions {
  /** The factor of the product. */
  readonly value?: Scalar;
}
/** Options of celu. */
export interface CeluOptions {
  /** The divisor of a below zero, and the factor there. */
  readonly alpha?: Scalar;
}
/** The operands of clamp after the first, by name. */
export interface ClampOptions {
  /** The operand b. */
  readonly min?: Operand | null;
  /** The operand c. */
  readonly max?: Operand | null;
}
/** Options of div. */
export interface DivOptions {
  /** How the quotient is rounded: towards zero, or towards minus infinity. Integers then stay integers. */
  readonly roundingMode?: "trunc" | "floor";
}
/** Options of elu. */
export interface EluOptions {
  /** The factor below zero. */
  readonly alpha?: Scalar;
}
/** Options of gelu. */
export interface GeluOptions {
  /** Another formula: "tanh" is the older approximation 0.5 a (1 + tanh(sqrt(2 / pi) (a + 0.044715 a^3))). */
  readonly approximate?: "tanh";
}
/** Options of hardshrink. */
export interface HardshrinkOptions {
  /** The distance from zero that gives 0. */
  readonly lambd?: Scalar;
}
/** Options of hardtanh. */
export interface HardtanhOptions {
  /** The lower bound. */
  readonly minVal?: Scalar;
  /** The upper bound. */
  readonly maxVal?: Scalar;
}
/** Options of isclose. */
export interface IscloseOptions {
  /** The tolerance as a fraction of b. */
  readonly rtol?: Scalar;
  /** The tolerance that does not depend on b. */
  readonly atol?: Scalar;
  /** Whether two NaN are close. */
  readonly equalNan?: boolean;
}
/** Options of leakyRelu. */
export interface LeakyReluOptions {
  /** The factor below zero. */
  readonly negativeSlope?: Scalar;
}
/** Options of logit. */
export interface LogitOptions {
  /** Arguments are clamped to [eps, 1 - eps]. */
  readonly eps?: Scalar;
}
/** Options of nanToNum. */
export interface NanToNumOptions {
  /** The replacement for NaN. */
  readonly nan?: Scalar;
  /** The replacement for Infinity. */
  readonly posinf?: Scalar;
  /** The replacement for -Infinity. */
  readonly neginf?: Scalar;
}
/** Options of round. */
export interface RoundOptions {
  /** Digits kept after the point; negative ones round before it. */
  readonly decimals?: Scalar;
}
/** Options of rsub. */
export interface RsubOptions {
  /** The factor of a. */
  readonly alpha?: Scalar;
}
/** Options of softplus. */
export interface SoftplusOptions {
  /** The factor of a, by which the logarithm is divided. */
  readonly beta?: Scalar;
  /** If beta a exceeds it, the result is a. */
  readonly threshold?: Scalar;
}
/** Options of softshrink. */
export interface SoftshrinkOptions {
  /** How far a moves, and the distance from zero that gives 0. */
  readonly lambd?: Scalar;
}
/** Options of sub. */
export interface SubOptions {
  /** The factor of b. */
  readonly alpha?: Scalar;
}

/**
 * Magnitude of a; real for complex numbers.
 *
 * @param a numbers; the result is real
 * @param options out: the tensor to write into
 * @example jl.abs(jl.tensor([-1, 2, -3])) // [1, 2, 3]
 * @see np.abs
 */
export const abs: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<RealPart<D>> = opFunction("abs");
/**
 * Magnitude of a; real for complex numbers. The same as abs.
 *
 * @param a numbers; the result is real
 * @param options out: the tensor to write into
 * @example jl.abs(jl.tensor([-1, 2, -3])) // [1, 2, 3]
 * @see np.abs
 */
export const absolute: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<RealPart<D>> = opFunction("abs");
/**
 * Angle whose cosine is a, from 0 to pi.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.acos(jl.linspace(-1, 1, 5)) // [3.1416, 2.0944, 1.5708, 1.0472, 0]
 * @see np.arccos
 */
export const acos: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("acos");
/**
 * Inverse hyperbolic cosine of a; NaN below 1.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.acosh(jl.linspace(1, 3, 5)) // [0, 0.96242, 1.317, 1.5668, 1.7627]
 * @see np.arccosh
 */
export const acosh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("acosh");
/**
 * Sum of a and b.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options alpha: The factor of b; out: the tensor to write into
 * @example jl.add(jl.tensor([1, 2, 3]), 10) // [11, 12, 13]
 * @see np.add
 */
export const add: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & AddOptions) => Tensor<CommonOf<A, B>> = opFunction("add");
/**
 * a + b / c.
 *
 * @param a floating or complex dtypes
 * @param b as a; shapes broadcast
 * @param c as a; shapes broadcast
 * @param options value: The factor of the quotient; out: the tensor to write into
 * @example jl.addcdiv(jl.tensor([1, 2]), jl.tensor([3, 4]), 2) // [2.5, 4]
 */
export const addcdiv: (a: Operand, b: Operand, c: Operand, options?: OpOptions & AddcdivOptions) => Tensor = opFunction("addcdiv");
/**
 * a + b c.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param c as a; shapes broadcast
 * @param options value: The factor of the product; out: the tensor to write into
 * @example jl.addcmul(jl.tensor([1, 2]), jl.tensor([3, 4]), 2) // [7, 10]
 */
export const addcmul: (a: Operand, b: Operand, c: Operand, options?: OpOptions & AddcmulOptions) => Tensor = opFunction("addcmul");
/**
 * Airy function Ai: Ai(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.airyAi(jl.tensor([-2, 0, 2])) // [0.22741, 0.35503, 0.034924]
 * @see scipy.special.airy
 */
export const airyAi: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("airyAi");
/**
 * Angle of a in the complex plane, from -pi to pi.
 *
 * @param a numbers; the result is real
 * @param options out: the tensor to write into
 * @example jl.angle(jl.tensor([{ re: 0, im: 2 }])) // [1.5708]
 * @see np.angle
 */
export const angle: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<RealPart<Floated<D>>> = opFunction("angle");
/**
 * Angle whose cosine is a, from 0 to pi. The same as acos.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.acos(jl.linspace(-1, 1, 5)) // [3.1416, 2.0944, 1.5708, 1.0472, 0]
 * @see np.arccos
 */
export const arccos: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("acos");
/**
 * Inverse hyperbolic cosine of a; NaN below 1. The same as acosh.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.acosh(jl.linspace(1, 3, 5)) // [0, 0.96242, 1.317, 1.5668, 1.7627]
 * @see np.arccosh
 */
export const arccosh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("acosh");
/**
 * Angle whose sine is a, from -pi/2 to pi/2. The same as asin.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.asin(jl.linspace(-1, 1, 5)) // [-1.5708, -0.5236, 0, 0.5236, 1.5708]
 * @see np.arcsin
 */
export const arcsin: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("asin");
/**
 * Inverse hyperbolic sine of a. The same as asinh.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.asinh(jl.linspace(-1, 1, 5)) // [-0.88137, -0.48121, 0, 0.48121, 0.88137]
 * @see np.arcsinh
 */
export const arcsinh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("asinh");
/**
 * Angle whose tangent is a, from -pi/2 to pi/2. The same as atan.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.atan(jl.linspace(-1, 1, 5)) // [-0.7854, -0.46365, 0, 0.46365, 0.7854]
 * @see np.arctan
 */
export const arctan: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("atan");
/**
 * Angle of the point with ordinate a and abscissa b, from -pi to pi. The same as atan2.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.atan2(jl.tensor([1, -1]), jl.tensor([1, -1])) // [0.7854, -2.3562]
 * @see np.arctan2
 */
export const arctan2: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("atan2");
/**
 * Inverse hyperbolic tangent of a; NaN beyond 1. The same as atanh.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.atanh(jl.linspace(-0.5, 0.5, 5)) // [-0.54931, -0.25541, 0, 0.25541, 0.54931]
 * @see np.arctanh
 */
export const arctanh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("atanh");
/**
 * Nearest whole number; halves go to the even one. The same as round.
 *
 * @param a real numbers, no bool
 * @param options decimals: Digits kept after the point; negative ones round before it; out: the tensor to write into
 * @example jl.round(jl.tensor([-1.5, 0.5, 2.5])) // [-2, 0, 2]
 * @see np.round
 */
export const around: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & RoundOptions) => Tensor<D> = opFunction("round");
/**
 * Angle whose sine is a, from -pi/2 to pi/2.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.asin(jl.linspace(-1, 1, 5)) // [-1.5708, -0.5236, 0, 0.5236, 1.5708]
 * @see np.arcsin
 */
export const asin: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("asin");
/**
 * Inverse hyperbolic sine of a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.asinh(jl.linspace(-1, 1, 5)) // [-0.88137, -0.48121, 0, 0.48121, 0.88137]
 * @see np.arcsinh
 */
export const asinh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("asinh");
/**
 * Angle whose tangent is a, from -pi/2 to pi/2.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.atan(jl.linspace(-1, 1, 5)) // [-0.7854, -0.46365, 0, 0.46365, 0.7854]
 * @see np.arctan
 */
export const atan: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("atan");
/**
 * Angle of the point with ordinate a and abscissa b, from -pi to pi.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.atan2(jl.tensor([1, -1]), jl.tensor([1, -1])) // [0.7854, -2.3562]
 * @see np.arctan2
 */
export const atan2: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("atan2");
/**
 * Inverse hyperbolic tangent of a; NaN beyond 1.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.atanh(jl.linspace(-0.5, 0.5, 5)) // [-0.54931, -0.25541, 0, 0.25541, 0.54931]
 * @see np.arctanh
 */
export const atanh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("atanh");
/**
 * Bessel function of the first kind of order 0: J₀(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.besselJ0(jl.tensor([0.5, 1, 10])) // [0.93847, 0.7652, -0.24594]
 * @see scipy.special.j0
 */
export const besselJ0: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("besselJ0");
/**
 * Bessel function of the first kind of order 1: J₁(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.besselJ1(jl.tensor([0.5, 1, 10])) // [0.24227, 0.44005, 0.043473]
 * @see scipy.special.j1
 */
export const besselJ1: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("besselJ1");
/**
 * Bessel function of the second kind of order 0; NaN below 0: Y₀(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.besselY0(jl.tensor([0.5, 1, 10])) // [-0.44452, 0.088257, 0.055671]
 * @see scipy.special.y0
 */
export const besselY0: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("besselY0");
/**
 * Bessel function of the second kind of order 1; NaN below 0: Y₁(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.besselY1(jl.tensor([0.5, 1, 10])) // [-1.4715, -0.78121, 0.24902]
 * @see scipy.special.y1
 */
export const besselY1: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("besselY1");
/**
 * Bits set in both a and b.
 *
 * @param a integers or bool
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.bitwiseAnd(jl.tensor([1n, 2n]), 3n) // [1n, 2n]
 * @see np.bitwise_and
 */
export const bitwiseAnd: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("bitwiseAnd");
/**
 * The number of bits that are set in the magnitude of a.
 *
 * @param a integers
 * @param options out: the tensor to write into
 * @example jl.bitwiseCount(jl.tensor([7n, -8n])) // [3n, 1n]
 * @see np.bitwise_count
 */
export const bitwiseCount: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("bitwiseCount");
/**
 * Every bit of a inverted; logical for bool. The same as bitwiseNot.
 *
 * @param a integers or bool
 * @param options out: the tensor to write into
 * @example jl.bitwiseNot(jl.tensor([1n, 2n])) // [-2n, -3n]
 * @see np.bitwise_not
 */
export const bitwiseInvert: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("bitwiseNot");
/**
 * a shifted b bits to the left; 0 where b is negative or not below the width. The same as leftShift.
 *
 * @param a integers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.leftShift(jl.tensor([1n, 2n]), 3n) // [8n, 16n]
 * @see np.left_shift
 */
export const bitwiseLeftShift: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("leftShift");
/**
 * Every bit of a inverted; logical for bool.
 *
 * @param a integers or bool
 * @param options out: the tensor to write into
 * @example jl.bitwiseNot(jl.tensor([1n, 2n])) // [-2n, -3n]
 * @see np.bitwise_not
 */
export const bitwiseNot: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("bitwiseNot");
/**
 * Bits set in a or b.
 *
 * @param a integers or bool
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.bitwiseOr(jl.tensor([1n, 2n]), 3n) // [3n, 3n]
 * @see np.bitwise_or
 */
export const bitwiseOr: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("bitwiseOr");
/**
 * a shifted b bits to the right; only the sign is left where b is negative or not below the width. The same as rightShift.
 *
 * @param a integers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.rightShift(jl.tensor([16n, -16n]), 3n) // [2n, -2n]
 * @see np.right_shift
 */
export const bitwiseRightShift: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("rightShift");
/**
 * Bits set in exactly one of a and b.
 *
 * @param a integers or bool
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.bitwiseXor(jl.tensor([1n, 2n]), 3n) // [2n, 1n]
 * @see np.bitwise_xor
 */
export const bitwiseXor: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("bitwiseXor");
/**
 * Cube root of a.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.cbrt(jl.tensor([1, 8, -27])) // [1, 2, -3]
 * @see np.cbrt
 */
export const cbrt: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("cbrt");
/**
 * Smallest whole number not below a.
 *
 * @param a real numbers, no bool
 * @param options out: the tensor to write into
 * @example jl.ceil(jl.tensor([-1.5, 0.5, 2.5])) // [-1, 1, 3]
 * @see np.ceil
 */
export const ceil: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("ceil");
/**
 * Continuously differentiable elu; elu itself for alpha = 1.
 *
 * @param a floating dtypes
 * @param options alpha: The divisor of a below zero, and the factor there; out: the tensor to write into
 * @example jl.celu(jl.tensor([-2, 0, 2])) // [-0.86466, 0, 2]
 */
export const celu: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & CeluOptions) => Tensor<D> = opFunction("celu");
/**
 * Chebyshev's polynomial of the first kind of degree b.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.chebyshevPolynomialT(jl.tensor([0.25, 0.5, 0.75]), 3) // [-0.6875, -1, -0.5625]
 * @see scipy.special.eval_chebyt(n, x)
 */
export const chebyshevPolynomialT: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("chebyshevPolynomialT");
/**
 * Chebyshev's polynomial of the second kind of degree b.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.chebyshevPolynomialU(jl.tensor([0.25, 0.5, 0.75]), 3) // [-0.875, -1, 0.375]
 * @see scipy.special.eval_chebyu(n, x)
 */
export const chebyshevPolynomialU: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("chebyshevPolynomialU");
/**
 * Chebyshev's polynomial of the third kind of degree b.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.chebyshevPolynomialV(jl.tensor([0.25, 0.5, 0.75]), 3) // [-0.125, -1, -0.875]
 */
export const chebyshevPolynomialV: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("chebyshevPolynomialV");
/**
 * Chebyshev's polynomial of the fourth kind of degree b.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.chebyshevPolynomialW(jl.tensor([0.25, 0.5, 0.75]), 3) // [-1.625, -1, 1.625]
 */
export const chebyshevPolynomialW: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("chebyshevPolynomialW");
/**
 * a clamped to [b, c].
 *
 * @param a real numbers, no bool
 * @param b as a; shapes broadcast. Or b and c by name: { min, max }
 * @param c as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.clamp(jl.tensor([-5, 0, 5]), -1, 1) // [-1, 0, 1]
 * @see np.clip
 */
export const clamp: (a: Operand, b?: Operand | null | (OpOptions & ClampOptions), c?: Operand | null, options?: OpOptions) => Tensor = opFunction("clamp");
/**
 * a, but at most b.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.clampMax(jl.tensor([-5, 0, 5]), 1) // [-5, 0, 1]
 * @see np.clip(a, None, b)
 */
export const clampMax: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("clampMax");
/**
 * a, but at least b.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.clampMin(jl.tensor([-5, 0, 5]), -1) // [-1, 0, 5]
 * @see np.clip(a, b, None)
 */
export const clampMin: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("clampMin");
/**
 * a clamped to [b, c]. The same as clamp.
 *
 * @param a real numbers, no bool
 * @param b as a; shapes broadcast. Or b and c by name: { min, max }
 * @param c as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.clamp(jl.tensor([-5, 0, 5]), -1, 1) // [-1, 0, 1]
 * @see np.clip
 */
export const clip: (a: Operand, b?: Operand | null | (OpOptions & ClampOptions), c?: Operand | null, options?: OpOptions) => Tensor = opFunction("clamp");
/**
 * The complex number with real part a and imaginary part b.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.complex(jl.tensor([1, 2]), jl.tensor([0, 1])) // [{ re: 1, im: 0 }, { re: 2, im: 1 }]
 * @see a + 1j * b
 */
export const complex: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("complex");
/**
 * Complex conjugate of a.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.conj(jl.tensor([{ re: 1, im: 2 }])) // [{ re: 1, im: -2 }]
 * @see np.conj
 */
export const conj: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("conj");
/**
 * Complex conjugate of a. The same as conj.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.conj(jl.tensor([{ re: 1, im: 2 }])) // [{ re: 1, im: -2 }]
 * @see np.conj
 */
export const conjugate: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("conj");
/**
 * Magnitude of a with the sign of b; a NaN in b counts as positive.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.copysign(jl.tensor([1, 2, 3]), -1) // [-1, -2, -3]
 * @see np.copysign
 */
export const copysign: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("copysign");
/**
 * Cosine of a in radians.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.cos(jl.linspace(0, Math.PI, 5)) // [1, 0.70711, -4.3711e-8, -0.70711, -1]
 * @see np.cos
 */
export const cos: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("cos");
/**
 * Hyperbolic cosine of a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.cosh(jl.linspace(-1, 1, 5)) // [1.5431, 1.1276, 1, 1.1276, 1.5431]
 * @see np.cosh
 */
export const cosh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("cosh");
/**
 * Radians of an angle a in degrees.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.deg2rad(jl.tensor([90, 180])) // [1.5708, 3.1416]
 * @see np.deg2rad
 */
export const deg2rad: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("deg2rad");
/**
 * Degrees of an angle a in radians. The same as rad2deg.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.rad2deg(jl.tensor([Math.PI, 1])) // [180, 57.296]
 * @see np.rad2deg
 */
export const degrees: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("rad2deg");
/**
 * Derivative of the logarithm of the gamma function: ψ(a) = Γ'(a) / Γ(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.digamma(jl.tensor([0.5, 1, 5])) // [-1.9635, -0.57722, 1.5061]
 * @see scipy.special.digamma
 */
export const digamma: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("digamma");
/**
 * Quotient of a and b; integers are divided as float32.
 *
 * @param a numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options roundingMode: How the quotient is rounded: towards zero, or towards minus infinity. Integers then stay integers; out: the tensor to write into
 * @example jl.div(jl.tensor([1, 2, 3]), 2) // [0.5, 1, 1.5]
 * @see np.divide
 */
export const div: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & DivOptions) => Tensor<Divided<CommonOf<A, B>>> = opFunction("div");
/**
 * Quotient of a and b; integers are divided as float32. The same as div.
 *
 * @param a numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options roundingMode: How the quotient is rounded: towards zero, or towards minus infinity. Integers then stay integers; out: the tensor to write into
 * @example jl.div(jl.tensor([1, 2, 3]), 2) // [0.5, 1, 1.5]
 * @see np.divide
 */
export const divide: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & DivOptions) => Tensor<Divided<CommonOf<A, B>>> = opFunction("div");
/**
 * a above zero, e^a - 1 below.
 *
 * @param a floating dtypes
 * @param options alpha: The factor below zero; out: the tensor to write into
 * @example jl.elu(jl.tensor([-2, 0, 2])) // [-0.86466, 0, 2]
 */
export const elu: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & EluOptions) => Tensor<D> = opFunction("elu");
/**
 * -a log(a), the entropy of one outcome; 0 at 0 and -Infinity below.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.entr(jl.tensor([0.1, 0.5, 1])) // [0.23026, 0.34657, -0]
 */
export const entr: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("entr");
/**
 * True where a equals b.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.eq(jl.tensor([1, 2, 3]), 2) // [false, true, false]
 * @see np.equal
 */
export const eq: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("eq");
/**
 * Error function: 2 / √π ∫ e^(-t²) dt from 0 to a.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.erf(jl.tensor([0.25, 0.5, 0.75])) // [0.27633, 0.5205, 0.71116]
 * @see scipy.special.erf
 */
export const erf: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("erf");
/**
 * Complement of the error function, 1 - erf(a), without cancellation: 1 - erf(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.erfc(jl.tensor([0.25, 0.5, 0.75])) // [0.72367, 0.4795, 0.28884]
 * @see scipy.special.erfc
 */
export const erfc: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("erfc");
/**
 * Complement of the error function times e^(a^2): e^(a²) erfc(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.erfcx(jl.tensor([0.25, 0.5, 0.75])) // [0.77035, 0.61569, 0.50694]
 * @see scipy.special.erfcx
 */
export const erfcx: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("erfcx");
/**
 * Inverse of the error function: the b with erf(b) = a.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.erfinv(jl.tensor([0.25, 0.5, 0.75])) // [0.22531, 0.47694, 0.81342]
 * @see scipy.special.erfinv
 */
export const erfinv: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("erfinv");
/**
 * Exponential e^a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.exp(jl.tensor([0, 1, 2])) // [1, 2.7183, 7.3891]
 * @see np.exp
 */
export const exp: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("exp");
/**
 * Two to the power of a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.exp2(jl.tensor([0, 1, 10])) // [1, 2, 1024]
 * @see np.exp2
 */
export const exp2: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("exp2");
/**
 * Logistic function 1 / (1 + e^-a). The same as sigmoid.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.sigmoid(jl.tensor([-2, 0, 2])) // [0.1192, 0.5, 0.8808]
 * @see scipy.special.expit
 */
export const expit: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("sigmoid");
/**
 * e^a - 1 without cancellation near 0.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.expm1(jl.tensor([1e-8, 1])) // [1e-8, 1.7183]
 * @see np.expm1
 */
export const expm1: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("expm1");
/**
 * Whole part of a, rounded towards zero. The same as trunc.
 *
 * @param a real numbers, no bool
 * @param options out: the tensor to write into
 * @example jl.trunc(jl.tensor([-1.5, 0.5, 2.5])) // [-1, 0, 2]
 * @see np.trunc
 */
export const fix: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("trunc");
/**
 * a to the power of b in float64, or complex128.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.floatPower(jl.tensor([1, 2, 3]), 0.5) // [1, 1.4142, 1.7321]
 * @see np.float_power
 */
export const floatPower: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("floatPower");
/**
 * Largest whole number not above a.
 *
 * @param a real numbers, no bool
 * @param options out: the tensor to write into
 * @example jl.floor(jl.tensor([-1.5, 0.5, 2.5])) // [-2, 0, 2]
 * @see np.floor
 */
export const floor: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("floor");
/**
 * Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0.
 *
 * @param a real numbers, no bool
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.floorDivide(jl.tensor([7, -7, 8]), 2) // [3, -4, 4]
 * @see np.floor_divide
 */
export const floorDivide: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("floorDivide");
/**
 * The larger of a and b; ignores a single NaN.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.fmax(jl.tensor([1, NaN, 3]), 2) // [2, 2, 3]
 * @see np.fmax
 */
export const fmax: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("fmax");
/**
 * The smaller of a and b; ignores a single NaN.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.fmin(jl.tensor([1, NaN, 3]), 2) // [1, 2, 2]
 * @see np.fmin
 */
export const fmin: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("fmin");
/**
 * Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0.
 *
 * @param a real numbers, no bool
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.fmod(jl.tensor([7, -7, 8]), 3) // [1, -1, 2]
 * @see np.fmod
 */
export const fmod: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("fmod");
/**
 * Fractional part of a, with its sign.
 *
 * @param a floating dtypes
 * @param options out: the tensor to write into
 * @example jl.frac(jl.tensor([-1.5, 0.5, 2.25])) // [-0.5, 0.5, 0.25]
 */
export const frac: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("frac");
/**
 * Regularized lower incomplete gamma function of order a at b: P(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from 0 to b.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.gammainc(2, jl.tensor([0.5, 1, 5])) // [0.090204, 0.26424, 0.95957]
 * @see scipy.special.gammainc
 */
export const gammainc: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("gammainc");
/**
 * Regularized upper incomplete gamma function of order a at b: Q(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from b to ∞.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.gammaincc(2, jl.tensor([0.5, 1, 5])) // [0.9098, 0.73576, 0.040428]
 * @see scipy.special.gammaincc
 */
export const gammaincc: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("gammaincc");
/**
 * Logarithm of the magnitude of the gamma function: log |Γ(a)|. The same as lgamma.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.lgamma(jl.tensor([0.5, 1, 5])) // [0.57236, 0, 3.1781]
 * @see scipy.special.gammaln
 */
export const gammaln: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("lgamma");
/**
 * Greatest common divisor of a and b; of a signed dtype's lowest number it may be negative, as in PyTorch.
 *
 * @param a integers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.gcd(jl.tensor([12, 18, 7], { dtype: "int32" }), 6) // [6, 6, 1]
 * @see np.gcd
 */
export const gcd: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("gcd");
/**
 * True where a is greater than or equal to b.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.ge(jl.tensor([1, 2, 3]), 2) // [false, true, true]
 * @see np.greater_equal
 */
export const ge: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("ge");
/**
 * Gaussian error linear unit, a ndtr(a).
 *
 * @param a floating dtypes
 * @param options approximate: Another formula: "tanh" is the older approximation 0.5 a (1 + tanh(sqrt(2 / pi) (a + 0.044715 a^3))); out: the tensor to write into
 * @example jl.gelu(jl.tensor([-1, 0, 1])) // [-0.15866, 0, 0.84134]
 */
export const gelu: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & GeluOptions) => Tensor<D> = opFunction("gelu");
/**
 * True where a is greater than b. The same as gt.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.gt(jl.tensor([1, 2, 3]), 2) // [false, false, true]
 * @see np.greater
 */
export const greater: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("gt");
/**
 * True where a is greater than or equal to b. The same as ge.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.ge(jl.tensor([1, 2, 3]), 2) // [false, true, true]
 * @see np.greater_equal
 */
export const greaterEqual: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("ge");
/**
 * True where a is greater than b.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.gt(jl.tensor([1, 2, 3]), 2) // [false, false, true]
 * @see np.greater
 */
export const gt: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("gt");
/**
 * a, and 0 within 0.5 of zero.
 *
 * @param a floating dtypes
 * @param options lambd: The distance from zero that gives 0; out: the tensor to write into
 * @example jl.hardshrink(jl.tensor([-2, 0, 2])) // [-2, 0, 2]
 */
export const hardshrink: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & HardshrinkOptions) => Tensor<D> = opFunction("hardshrink");
/**
 * relu6(a + 3) / 6.
 *
 * @param a floating dtypes
 * @param options out: the tensor to write into
 * @example jl.hardsigmoid(jl.tensor([-2, 0, 2])) // [0.16667, 0.5, 0.83333]
 */
export const hardsigmoid: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("hardsigmoid");
/**
 * a relu6(a + 3) / 6.
 *
 * @param a floating dtypes
 * @param options out: the tensor to write into
 * @example jl.hardswish(jl.tensor([-2, 0, 2])) // [-0.33333, 0, 1.6667]
 */
export const hardswish: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("hardswish");
/**
 * a clamped to [-1, 1].
 *
 * @param a real numbers, no bool
 * @param options minVal: The lower bound; maxVal: The upper bound; out: the tensor to write into
 * @example jl.hardtanh(jl.tensor([-2, 0, 2])) // [-1, 0, 1]
 */
export const hardtanh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & HardtanhOptions) => Tensor<D> = opFunction("hardtanh");
/**
 * 0 below zero, 1 above, and b at zero.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.heaviside(jl.tensor([-1, 0, 1]), 0.5) // [0, 0.5, 1]
 * @see np.heaviside
 */
export const heaviside: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("heaviside");
/**
 * Hermite's polynomial of degree b, as physicists scale it.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.hermitePolynomialH(jl.tensor([0.25, 0.5, 0.75]), 3) // [-2.875, -5, -5.625]
 * @see scipy.special.eval_hermite(n, x)
 */
export const hermitePolynomialH: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("hermitePolynomialH");
/**
 * Hermite's polynomial of degree b, as statisticians scale it.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.hermitePolynomialHe(jl.tensor([0.25, 0.5, 0.75]), 3) // [-0.73438, -1.375, -1.8281]
 * @see scipy.special.eval_hermitenorm(n, x)
 */
export const hermitePolynomialHe: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("hermitePolynomialHe");
/**
 * Length of the hypotenuse over a and b without overflow.
 *
 * @param a floating dtypes
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.hypot(jl.tensor([3, 5]), jl.tensor([4, 12])) // [5, 13]
 * @see np.hypot
 */
export const hypot: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("hypot");
/**
 * Modified Bessel function of the first kind of order 0: I₀(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.i0(jl.tensor([0, 1, 10])) // [1, 1.2661, 2815.7]
 * @see np.i0
 */
export const i0: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("i0");
/**
 * Modified Bessel function of order 0 times e^-|a|: e^-|a| I₀(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.i0e(jl.tensor([0, 1, 10])) // [1, 0.46576, 0.12783]
 * @see scipy.special.i0e
 */
export const i0e: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("i0e");
/**
 * Modified Bessel function of the first kind of order 1: I₁(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.i1(jl.tensor([0, 1, 10])) // [0, 0.56516, 2671]
 * @see scipy.special.i1
 */
export const i1: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("i1");
/**
 * Modified Bessel function of order 1 times e^-|a|: e^-|a| I₁(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.i1e(jl.tensor([0, 1, 10])) // [0, 0.20791, 0.12126]
 * @see scipy.special.i1e
 */
export const i1e: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("i1e");
/**
 * Regularized lower incomplete gamma function of order a at b: P(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from 0 to b. The same as gammainc.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.gammainc(2, jl.tensor([0.5, 1, 5])) // [0.090204, 0.26424, 0.95957]
 * @see scipy.special.gammainc
 */
export const igamma: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("gammainc");
/**
 * Regularized upper incomplete gamma function of order a at b: Q(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from b to ∞. The same as gammaincc.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.gammaincc(2, jl.tensor([0.5, 1, 5])) // [0.9098, 0.73576, 0.040428]
 * @see scipy.special.gammaincc
 */
export const igammac: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("gammaincc");
/**
 * Imaginary part of a; 0 for real numbers.
 *
 * @param a numbers; the result is real
 * @param options out: the tensor to write into
 * @example jl.imag(jl.tensor([{ re: 1, im: 2 }])) // [2]
 * @see np.imag
 */
export const imag: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<RealPart<D>> = opFunction("imag");
/**
 * True where a and b differ by at most 1e-8 + 1e-5 |b|.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options rtol: The tolerance as a fraction of b; atol: The tolerance that does not depend on b; equalNan: Whether two NaN are close; out: the tensor to write into
 * @example jl.isclose(jl.tensor([1, 2]), jl.tensor([1.000001, 2.1])) // [true, false]
 * @see np.isclose
 */
export const isclose: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & IscloseOptions) => Tensor<"bool"> = opFunction("isclose");
/**
 * True where a is neither infinite nor NaN.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.isfinite(jl.tensor([1, Infinity])) // [true, false]
 * @see np.isfinite
 */
export const isfinite: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("isfinite");
/**
 * True where a is infinite.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.isinf(jl.tensor([1, Infinity])) // [false, true]
 * @see np.isinf
 */
export const isinf: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("isinf");
/**
 * True where a is NaN.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.isnan(jl.tensor([1, NaN])) // [false, true]
 * @see np.isnan
 */
export const isnan: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("isnan");
/**
 * True where a is negative infinity.
 *
 * @param a real numbers
 * @param options out: the tensor to write into
 * @example jl.isneginf(jl.tensor([1, -Infinity])) // [false, true]
 * @see np.isneginf
 */
export const isneginf: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("isneginf");
/**
 * True where a is positive infinity.
 *
 * @param a real numbers
 * @param options out: the tensor to write into
 * @example jl.isposinf(jl.tensor([1, Infinity])) // [false, true]
 * @see np.isposinf
 */
export const isposinf: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("isposinf");
/**
 * True where a has no imaginary part.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.isreal(jl.tensor([{ re: 1, im: 2 }])) // [false]
 * @see np.isreal
 */
export const isreal: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("isreal");
/**
 * Laguerre's polynomial of degree b.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.laguerrePolynomialL(jl.tensor([0.25, 0.5, 0.75]), 3) // [0.34115, -0.14583, -0.47656]
 * @see scipy.special.eval_laguerre(n, x)
 */
export const laguerrePolynomialL: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("laguerrePolynomialL");
/**
 * Least common multiple of a and b; wraps where it does not fit the dtype.
 *
 * @param a integers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.lcm(jl.tensor([4, 6, 7], { dtype: "int32" }), 6) // [12, 6, 42]
 * @see np.lcm
 */
export const lcm: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("lcm");
/**
 * a times 2 to the power of b.
 *
 * @param a numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.ldexp(jl.tensor([1, 2, 3]), 4) // [16, 32, 48]
 * @see np.ldexp
 */
export const ldexp: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("ldexp");
/**
 * True where a is less than or equal to b.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.le(jl.tensor([1, 2, 3]), 2) // [true, true, false]
 * @see np.less_equal
 */
export const le: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("le");
/**
 * a above zero, a / 100 below.
 *
 * @param a floating dtypes
 * @param options negativeSlope: The factor below zero; out: the tensor to write into
 * @example jl.leakyRelu(jl.tensor([-2, 0, 2])) // [-0.02, 0, 2]
 */
export const leakyRelu: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & LeakyReluOptions) => Tensor<D> = opFunction("leakyRelu");
/**
 * a shifted b bits to the left; 0 where b is negative or not below the width.
 *
 * @param a integers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.leftShift(jl.tensor([1n, 2n]), 3n) // [8n, 16n]
 * @see np.left_shift
 */
export const leftShift: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("leftShift");
/**
 * Legendre's polynomial of degree b.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.legendrePolynomialP(jl.tensor([0.25, 0.5, 0.75]), 3) // [-0.33594, -0.4375, -0.070313]
 * @see scipy.special.eval_legendre(n, x)
 */
export const legendrePolynomialP: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("legendrePolynomialP");
/**
 * a + c (b - a), the point at weight c between a and b.
 *
 * @param a floating or complex dtypes
 * @param b as a; shapes broadcast
 * @param c as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.lerp(jl.tensor([0, 10]), jl.tensor([1, 20]), 0.5) // [0.5, 15]
 */
export const lerp: (a: Operand, b: Operand, c: Operand, options?: OpOptions) => Tensor = opFunction("lerp");
/**
 * True where a is less than b. The same as lt.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.lt(jl.tensor([1, 2, 3]), 2) // [true, false, false]
 * @see np.less
 */
export const less: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("lt");
/**
 * True where a is less than or equal to b. The same as le.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.le(jl.tensor([1, 2, 3]), 2) // [true, true, false]
 * @see np.less_equal
 */
export const lessEqual: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("le");
/**
 * Logarithm of the magnitude of the gamma function: log |Γ(a)|.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.lgamma(jl.tensor([0.5, 1, 5])) // [0.57236, 0, 3.1781]
 * @see scipy.special.gammaln
 */
export const lgamma: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("lgamma");
/**
 * Natural logarithm of a; NaN below zero.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.log(jl.tensor([1, Math.E, 10])) // [0, 1, 2.3026]
 * @see np.log
 */
export const log: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("log");
/**
 * Logarithm of a to the base 10.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.log10(jl.tensor([1, 10, 1000])) // [0, 1, 3]
 * @see np.log10
 */
export const log10: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("log10");
/**
 * log(1 + a) without cancellation near 0.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.log1p(jl.tensor([1e-8, 1])) // [1e-8, 0.69315]
 * @see np.log1p
 */
export const log1p: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("log1p");
/**
 * Logarithm of a to the base 2.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.log2(jl.tensor([1, 2, 1024])) // [0, 1, 10]
 * @see np.log2
 */
export const log2: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("log2");
/**
 * Logarithm of ndtr, without underflow: log Φ(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.logNdtr(jl.tensor([0.25, 0.5, 0.75])) // [-0.51298, -0.36895, -0.25699]
 * @see scipy.special.log_ndtr
 */
export const logNdtr: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("logNdtr");
/**
 * log(e^a + e^b) without overflow.
 *
 * @param a floating or complex dtypes
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.logaddexp(jl.tensor([1000, 2]), jl.tensor([1000, 1])) // [1000.7, 2.3133]
 * @see np.logaddexp
 */
export const logaddexp: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("logaddexp");
/**
 * log2(2^a + 2^b) without overflow.
 *
 * @param a floating dtypes
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.logaddexp2(jl.tensor([1000, 2]), jl.tensor([1000, 1])) // [1001, 2.585]
 * @see np.logaddexp2
 */
export const logaddexp2: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("logaddexp2");
/**
 * True where both a and b are not zero.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.logicalAnd(jl.tensor([0, 1, 2]), jl.tensor([0, 0, 1])) // [false, false, true]
 * @see np.logical_and
 */
export const logicalAnd: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("logicalAnd");
/**
 * True where a is zero.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.logicalNot(jl.tensor([0, 1, 2])) // [true, false, false]
 * @see np.logical_not
 */
export const logicalNot: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("logicalNot");
/**
 * True where a or b is not zero.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.logicalOr(jl.tensor([0, 1, 2]), jl.tensor([0, 0, 1])) // [false, true, true]
 * @see np.logical_or
 */
export const logicalOr: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("logicalOr");
/**
 * True where exactly one of a and b is not zero.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.logicalXor(jl.tensor([0, 1, 2]), jl.tensor([0, 0, 1])) // [false, true, false]
 * @see np.logical_xor
 */
export const logicalXor: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("logicalXor");
/**
 * log(a / (1 - a)), the inverse of the logistic function.
 *
 * @param a real numbers; integers become float32
 * @param options eps: Arguments are clamped to [eps, 1 - eps]; out: the tensor to write into
 * @example jl.logit(jl.tensor([0.1, 0.5, 0.9])) // [-2.1972, 0, 2.1972]
 */
export const logit: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & LogitOptions) => Tensor<Floated<D>> = opFunction("logit");
/**
 * Logarithm of the logistic function.
 *
 * @param a floating dtypes
 * @param options out: the tensor to write into
 * @example jl.logsigmoid(jl.tensor([-2, 0, 2])) // [-2.1269, -0.69315, -0.12693]
 */
export const logsigmoid: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("logsigmoid");
/**
 * True where a is less than b.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.lt(jl.tensor([1, 2, 3]), 2) // [true, false, false]
 * @see np.less
 */
export const lt: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("lt");
/**
 * The larger of a and b; NaN where either is NaN.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.maximum(jl.tensor([1, 5, 3]), 2) // [2, 5, 3]
 * @see np.maximum
 */
export const maximum: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("maximum");
/**
 * The smaller of a and b; NaN where either is NaN.
 *
 * @param a real numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.minimum(jl.tensor([1, 5, 3]), 2) // [1, 2, 2]
 * @see np.minimum
 */
export const minimum: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("minimum");
/**
 * a tanh(log(1 + e^a)).
 *
 * @param a floating dtypes
 * @param options out: the tensor to write into
 * @example jl.mish(jl.tensor([-2, 0, 2])) // [-0.2525, 0, 1.944]
 */
export const mish: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("mish");
/**
 * Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. The same as remainder.
 *
 * @param a real numbers, no bool
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.remainder(jl.tensor([7, -7, 8]), 3) // [1, 2, 2]
 * @see np.remainder
 */
export const mod: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("remainder");
/**
 * Modified Bessel function of the first kind of order 0, another name of i0: I₀(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.modifiedBesselI0(jl.tensor([0, 1, 10])) // [1, 1.2661, 2815.7]
 * @see scipy.special.i0
 */
export const modifiedBesselI0: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("modifiedBesselI0");
/**
 * Modified Bessel function of the first kind of order 1, another name of i1: I₁(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.modifiedBesselI1(jl.tensor([0, 1, 10])) // [0, 0.56516, 2671]
 * @see scipy.special.i1
 */
export const modifiedBesselI1: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("modifiedBesselI1");
/**
 * Modified Bessel function of the second kind of order 0: K₀(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.modifiedBesselK0(jl.tensor([0.5, 1, 10])) // [0.92442, 0.42102, 0.00001778]
 * @see scipy.special.k0
 */
export const modifiedBesselK0: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("modifiedBesselK0");
/**
 * Modified Bessel function of the second kind of order 1: K₁(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.modifiedBesselK1(jl.tensor([0.5, 1, 10])) // [1.6564, 0.60191, 0.000018649]
 * @see scipy.special.k1
 */
export const modifiedBesselK1: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("modifiedBesselK1");
/**
 * Product of a and b.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.mul(jl.tensor([1, 2, 3]), 2) // [2, 4, 6]
 * @see np.multiply
 */
export const mul: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("mul");
/**
 * Logarithm of the multivariate gamma function of b dimensions: log Γ_b(a) = b (b - 1) / 4 log π + Σ log Γ(a - (k - 1) / 2) over k from 1 to b.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.multigammaln(jl.tensor([3, 4, 5]), 2) // [1.5502, 3.5651, 6.2042]
 * @see scipy.special.multigammaln
 */
export const multigammaln: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("multigammaln");
/**
 * Product of a and b. The same as mul.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.mul(jl.tensor([1, 2, 3]), 2) // [2, 4, 6]
 * @see np.multiply
 */
export const multiply: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("mul");
/**
 * Logarithm of the multivariate gamma function of b dimensions: log Γ_b(a) = b (b - 1) / 4 log π + Σ log Γ(a - (k - 1) / 2) over k from 1 to b. The same as multigammaln.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.multigammaln(jl.tensor([3, 4, 5]), 2) // [1.5502, 3.5651, 6.2042]
 * @see scipy.special.multigammaln
 */
export const mvlgamma: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("multigammaln");
/**
 * a with NaN as 0 and the infinities as the largest finite numbers.
 *
 * @param a any dtype
 * @param options nan: The replacement for NaN; posinf: The replacement for Infinity; neginf: The replacement for -Infinity; out: the tensor to write into
 * @example jl.nanToNum(jl.tensor([NaN, Infinity, 1])) // [0, 3.4028e+38, 1]
 * @see np.nan_to_num
 */
export const nanToNum: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & NanToNumOptions) => Tensor<D> = opFunction("nanToNum");
/**
 * Probability that a standard normal variable is below a: Φ(a) = (1 + erf(a / √2)) / 2.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.ndtr(jl.tensor([0.25, 0.5, 0.75])) // [0.59871, 0.69146, 0.77337]
 * @see scipy.special.ndtr
 */
export const ndtr: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("ndtr");
/**
 * Inverse of ndtr: the quantile of the standard normal distribution: the b with Φ(b) = a.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.ndtri(jl.tensor([0.25, 0.5, 0.75])) // [-0.67449, 0, 0.67449]
 * @see scipy.special.ndtri
 */
export const ndtri: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("ndtri");
/**
 * True where a differs from b.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.ne(jl.tensor([1, 2, 3]), 2) // [true, false, true]
 * @see np.not_equal
 */
export const ne: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("ne");
/**
 * Negative of a.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.neg(jl.tensor([1, -2, 3])) // [-1, 2, -3]
 * @see np.negative
 */
export const neg: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("neg");
/**
 * Negative of a. The same as neg.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.neg(jl.tensor([1, -2, 3])) // [-1, 2, -3]
 * @see np.negative
 */
export const negative: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("neg");
/**
 * The floating number after a in the direction of b.
 *
 * @param a floating dtypes
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.nextafter(jl.tensor([1, 2]), 3) // [1, 2]
 * @see np.nextafter
 */
export const nextafter: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("nextafter");
/**
 * True where a differs from b. The same as ne.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.ne(jl.tensor([1, 2, 3]), 2) // [true, false, true]
 * @see np.not_equal
 */
export const notEqual: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<"bool"> = opFunction("ne");
/**
 * The complex number with magnitude a and angle b.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.polar(jl.tensor([1, 2]), jl.tensor([0, 1])) // [{ re: 1, im: 0 }, { re: 1.0806, im: 1.6829 }]
 * @see a * np.exp(1j * b)
 */
export const polar: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("polar");
/**
 * Derivative of order a of digamma at b; a is a whole number: the derivative of order a of ψ(b); (-1)^(a+1) a! ζ(a + 1, b).
 *
 * @param a whole numbers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.polygamma(2, jl.tensor([0.5, 1, 5])) // [-16.829, -2.4041, -0.04879]
 * @see scipy.special.polygamma
 */
export const polygamma: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("polygamma");
/**
 * a itself.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.positive(jl.tensor([1, -2, 3])) // [1, -2, 3]
 * @see np.positive
 */
export const positive: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("positive");
/**
 * a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.pow(jl.tensor([1, 2, 3]), 2) // [1, 4, 9]
 * @see np.power
 */
export const pow: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("pow");
/**
 * a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error. The same as pow.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.pow(jl.tensor([1, 2, 3]), 2) // [1, 4, 9]
 * @see np.power
 */
export const power: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("pow");
/**
 * a above zero, a b below, for a slope b.
 *
 * @param a floating dtypes
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.prelu(jl.tensor([-2, 0, 2]), 0.25) // [-0.5, 0, 2]
 */
export const prelu: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("prelu");
/**
 * Derivative of the logarithm of the gamma function: ψ(a) = Γ'(a) / Γ(a). The same as digamma.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.digamma(jl.tensor([0.5, 1, 5])) // [-1.9635, -0.57722, 1.5061]
 * @see scipy.special.digamma
 */
export const psi: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("digamma");
/**
 * Degrees of an angle a in radians.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.rad2deg(jl.tensor([Math.PI, 1])) // [180, 57.296]
 * @see np.rad2deg
 */
export const rad2deg: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("rad2deg");
/**
 * Radians of an angle a in degrees. The same as deg2rad.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.deg2rad(jl.tensor([90, 180])) // [1.5708, 3.1416]
 * @see np.deg2rad
 */
export const radians: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("deg2rad");
/**
 * Real part of a.
 *
 * @param a numbers; the result is real
 * @param options out: the tensor to write into
 * @example jl.real(jl.tensor([{ re: 1, im: 2 }])) // [1]
 * @see np.real
 */
export const real: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<RealPart<D>> = opFunction("real");
/**
 * 1 / a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.reciprocal(jl.tensor([1, 4, 2])) // [1, 0.25, 0.5]
 * @see np.reciprocal
 */
export const reciprocal: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("reciprocal");
/**
 * a where it is positive, 0 elsewhere.
 *
 * @param a real numbers, no bool
 * @param options out: the tensor to write into
 * @example jl.relu(jl.tensor([-2, 0, 2])) // [0, 0, 2]
 */
export const relu: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("relu");
/**
 * a clamped to [0, 6].
 *
 * @param a real numbers, no bool
 * @param options out: the tensor to write into
 * @example jl.relu6(jl.tensor([-2, 0, 2])) // [0, 0, 2]
 */
export const relu6: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("relu6");
/**
 * Remainder of the floor division, with the sign of b; an integer modulo zero gives 0.
 *
 * @param a real numbers, no bool
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.remainder(jl.tensor([7, -7, 8]), 3) // [1, 2, 2]
 * @see np.remainder
 */
export const remainder: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("remainder");
/**
 * a shifted b bits to the right; only the sign is left where b is negative or not below the width.
 *
 * @param a integers
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.rightShift(jl.tensor([16n, -16n]), 3n) // [2n, -2n]
 * @see np.right_shift
 */
export const rightShift: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<CommonOf<A, B>> = opFunction("rightShift");
/**
 * Nearest whole number; halves go to the even one.
 *
 * @param a real numbers, no bool
 * @param options decimals: Digits kept after the point; negative ones round before it; out: the tensor to write into
 * @example jl.round(jl.tensor([-1.5, 0.5, 2.5])) // [-2, 0, 2]
 * @see np.round
 */
export const round: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & RoundOptions) => Tensor<D> = opFunction("round");
/**
 * Reciprocal of the square root of a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.rsqrt(jl.tensor([1, 4, 2])) // [1, 0.5, 0.70711]
 */
export const rsqrt: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("rsqrt");
/**
 * b - a, the reversed difference.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options alpha: The factor of a; out: the tensor to write into
 * @example jl.rsub(jl.tensor([1, 2, 3]), 10) // [9, 8, 7]
 */
export const rsub: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & RsubOptions) => Tensor<CommonOf<A, B>> = opFunction("rsub");
/**
 * Modified Bessel function of the second kind of order 0 times e^a: e^a K₀(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.scaledModifiedBesselK0(jl.tensor([0.5, 1, 10])) // [1.5241, 1.1445, 0.39163]
 * @see scipy.special.k0e
 */
export const scaledModifiedBesselK0: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("scaledModifiedBesselK0");
/**
 * Modified Bessel function of the second kind of order 1 times e^a: e^a K₁(a).
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.scaledModifiedBesselK1(jl.tensor([0.5, 1, 10])) // [2.731, 1.6362, 0.41077]
 * @see scipy.special.k1e
 */
export const scaledModifiedBesselK1: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("scaledModifiedBesselK1");
/**
 * Scaled elu, which keeps mean 0 and variance 1.
 *
 * @param a floating dtypes
 * @param options out: the tensor to write into
 * @example jl.selu(jl.tensor([-2, 0, 2])) // [-1.5202, 0, 2.1014]
 */
export const selu: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("selu");
/**
 * a divided by its magnitude, and 0 at 0: the sign of a complex number.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.sgn(jl.tensor([-2, 0, 3])) // [-1, 0, 1]
 * @see np.sign
 */
export const sgn: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("sgn");
/**
 * Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.shiftedChebyshevPolynomialT(jl.tensor([0.25, 0.5, 0.75]), 3) // [1, -0, -1]
 * @see scipy.special.eval_sh_chebyt(n, x)
 */
export const shiftedChebyshevPolynomialT: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("shiftedChebyshevPolynomialT");
/**
 * Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.shiftedChebyshevPolynomialU(jl.tensor([0.25, 0.5, 0.75]), 3) // [1, -0, -1]
 * @see scipy.special.eval_sh_chebyu(n, x)
 */
export const shiftedChebyshevPolynomialU: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("shiftedChebyshevPolynomialU");
/**
 * Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.shiftedChebyshevPolynomialV(jl.tensor([0.25, 0.5, 0.75]), 3) // [1, 1, -1]
 */
export const shiftedChebyshevPolynomialV: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("shiftedChebyshevPolynomialV");
/**
 * Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1.
 *
 * @param a real numbers; integers become float32
 * @param b whole numbers
 * @param options out: the tensor to write into
 * @example jl.shiftedChebyshevPolynomialW(jl.tensor([0.25, 0.5, 0.75]), 3) // [1, -1, -1]
 */
export const shiftedChebyshevPolynomialW: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor = opFunction("shiftedChebyshevPolynomialW");
/**
 * Logistic function 1 / (1 + e^-a).
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.sigmoid(jl.tensor([-2, 0, 2])) // [0.1192, 0.5, 0.8808]
 * @see scipy.special.expit
 */
export const sigmoid: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("sigmoid");
/**
 * -1, 0 or 1, the sign of a.
 *
 * @param a real numbers
 * @param options out: the tensor to write into
 * @example jl.sign(jl.tensor([-2, 0, 3])) // [-1, 0, 1]
 * @see np.sign
 */
export const sign: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("sign");
/**
 * True where a is negative or -0; false for NaN, which has no sign.
 *
 * @param a real numbers
 * @param options out: the tensor to write into
 * @example jl.signbit(jl.tensor([-2, -0, 3])) // [true, true, false]
 * @see np.signbit
 */
export const signbit: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<"bool"> = opFunction("signbit");
/**
 * a times its logistic function.
 *
 * @param a floating or complex dtypes
 * @param options out: the tensor to write into
 * @example jl.silu(jl.tensor([-2, 0, 2])) // [-0.23841, 0, 1.7616]
 */
export const silu: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("silu");
/**
 * Sine of a in radians.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.sin(jl.linspace(0, Math.PI, 5)) // [0, 0.70711, 1, 0.70711, -8.7423e-8]
 * @see np.sin
 */
export const sin: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("sin");
/**
 * sin(pi a) / (pi a), and 1 at 0.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.sinc(jl.linspace(-2, 2, 5)) // [-0, 0, 1, -0, 0]
 * @see np.sinc
 */
export const sinc: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("sinc");
/**
 * Hyperbolic sine of a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.sinh(jl.linspace(-1, 1, 5)) // [-1.1752, -0.5211, 0, 0.5211, 1.1752]
 * @see np.sinh
 */
export const sinh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("sinh");
/**
 * log(1 + e^a), and a itself above 20.
 *
 * @param a floating dtypes
 * @param options beta: The factor of a, by which the logarithm is divided; threshold: If beta a exceeds it, the result is a; out: the tensor to write into
 * @example jl.softplus(jl.tensor([-2, 0, 2])) // [0.12693, 0.69315, 2.1269]
 */
export const softplus: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & SoftplusOptions) => Tensor<D> = opFunction("softplus");
/**
 * a moved by 0.5 towards zero, and 0 within 0.5 of it.
 *
 * @param a floating dtypes
 * @param options lambd: How far a moves, and the distance from zero that gives 0; out: the tensor to write into
 * @example jl.softshrink(jl.tensor([-2, 0, 2])) // [-1.5, 0, 1.5]
 */
export const softshrink: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions & SoftshrinkOptions) => Tensor<D> = opFunction("softshrink");
/**
 * a / (1 + |a|).
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.softsign(jl.tensor([-2, 0, 2])) // [-0.66667, 0, 0.66667]
 */
export const softsign: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("softsign");
/**
 * The distance from a to the next number away from zero, with the sign of a.
 *
 * @param a floating dtypes
 * @param options out: the tensor to write into
 * @example jl.spacing(jl.tensor([1, -1000])) // [1.1921e-7, -0.000061035]
 * @see np.spacing
 */
export const spacing: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("spacing");
/**
 * Spherical Bessel function of the first kind of order 0, sin(a) / a: j₀(a) = sin(a) / a.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.sphericalBesselJ0(jl.tensor([0.5, 1, 10])) // [0.95885, 0.84147, -0.054402]
 * @see scipy.special.spherical_jn(0, x)
 */
export const sphericalBesselJ0: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("sphericalBesselJ0");
/**
 * Square root of a; NaN below zero.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.sqrt(jl.tensor([1, 4, 2])) // [1, 2, 1.4142]
 * @see np.sqrt
 */
export const sqrt: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("sqrt");
/**
 * Square of a; a bool is squared as int64.
 *
 * @param a any dtype
 * @param options out: the tensor to write into
 * @example jl.square(jl.tensor([1, -2, 3])) // [1, 4, 9]
 * @see np.square
 */
export const square: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor = opFunction("square");
/**
 * Difference of a and b.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options alpha: The factor of b; out: the tensor to write into
 * @example jl.sub(jl.tensor([10, 20, 30]), jl.tensor([1, 2, 3])) // [9, 18, 27]
 * @see np.subtract
 */
export const sub: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & SubOptions) => Tensor<CommonOf<A, B>> = opFunction("sub");
/**
 * Difference of a and b. The same as sub.
 *
 * @param a any dtype
 * @param b as a; shapes broadcast
 * @param options alpha: The factor of b; out: the tensor to write into
 * @example jl.sub(jl.tensor([10, 20, 30]), jl.tensor([1, 2, 3])) // [9, 18, 27]
 * @see np.subtract
 */
export const subtract: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & SubOptions) => Tensor<CommonOf<A, B>> = opFunction("sub");
/**
 * Tangent of a in radians.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.tan(jl.linspace(0, 1, 5)) // [0, 0.25534, 0.5463, 0.9316, 1.5574]
 * @see np.tan
 */
export const tan: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("tan");
/**
 * Hyperbolic tangent of a.
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.tanh(jl.linspace(-2, 2, 5)) // [-0.96403, -0.76159, 0, 0.76159, 0.96403]
 * @see np.tanh
 */
export const tanh: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("tanh");
/**
 * a - tanh(a).
 *
 * @param a numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.tanhshrink(jl.tensor([-2, 0, 2])) // [-1.036, 0, 1.036]
 */
export const tanhshrink: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("tanhshrink");
/**
 * Second derivative of the logarithm of the gamma function: ψ'(a) = Σ 1 / (a + k)² over k from 0.
 *
 * @param a real numbers; integers become float32
 * @param options out: the tensor to write into
 * @example jl.trigamma(jl.tensor([0.5, 1, 5])) // [4.9348, 1.6449, 0.22132]
 * @see scipy.special.polygamma(1, x)
 */
export const trigamma: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<Floated<D>> = opFunction("trigamma");
/**
 * Quotient of a and b; integers are divided as float32. The same as div.
 *
 * @param a numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options roundingMode: How the quotient is rounded: towards zero, or towards minus infinity. Integers then stay integers; out: the tensor to write into
 * @example jl.div(jl.tensor([1, 2, 3]), 2) // [0.5, 1, 1.5]
 * @see np.divide
 */
export const trueDivide: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions & DivOptions) => Tensor<Divided<CommonOf<A, B>>> = opFunction("div");
/**
 * Whole part of a, rounded towards zero.
 *
 * @param a real numbers, no bool
 * @param options out: the tensor to write into
 * @example jl.trunc(jl.tensor([-1.5, 0.5, 2.5])) // [-1, 0, 2]
 * @see np.trunc
 */
export const trunc: <D extends DTypeName>(a: Tensor<D>, options?: OpOptions) => Tensor<D> = opFunction("trunc");
/**
 * b where the condition a holds, c elsewhere; as a method of tensors, mask.where(b, c).
 *
 * @param a a condition: bool, or numbers of which 0 is false
 * @param b as a; shapes broadcast
 * @param c as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.where(jl.tensor([true, false]), jl.tensor([1, 2]), 0) // [1, 0]
 * @see np.where
 */
export const where: (a: Operand, b: Operand, c: Operand, options?: OpOptions) => Tensor = opFunction("where");
/**
 * a log(1 + b), and 0 where a is 0.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.xlog1py(jl.tensor([0, 1, 2]), jl.tensor([-1, 2, 3])) // [0, 1.0986, 2.7726]
 * @see scipy.special.xlog1py
 */
export const xlog1py: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("xlog1py");
/**
 * a log(b), and 0 where a is 0.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.xlogy(jl.tensor([0, 1, 2]), jl.tensor([0, 2, 3])) // [0, 0.69315, 2.1972]
 * @see scipy.special.xlogy
 */
export const xlogy: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("xlogy");
/**
 * Hurwitz's zeta function: the sum of (b + k)^-a over k from 0: ζ(a, b) = Σ (b + k)^-a over k from 0.
 *
 * @param a real numbers; integers become float32
 * @param b as a; shapes broadcast
 * @param options out: the tensor to write into
 * @example jl.zeta(jl.tensor([2, 3, 4]), 1) // [1.6449, 1.2021, 1.0823]
 * @see scipy.special.zeta
 */
export const zeta: <A extends Operand, B extends Operand>(a: A, b: B, options?: OpOptions) => Tensor<Floated<CommonOf<A, B>>> = opFunction("zeta");

/** Every operation as a method; one with an underscore writes into its tensor and returns it. */
export interface OpMethods<D extends DTypeName> {
  /** Magnitude of a; real for complex numbers. */
  abs(options?: OpOptions): Tensor<RealPart<D>>;
  /** Magnitude of a; real for complex numbers. Written into the tensor itself. */
  abs_(): this;
  /** Magnitude of a; real for complex numbers. The same as abs. */
  absolute(options?: OpOptions): Tensor<RealPart<D>>;
  /** Magnitude of a; real for complex numbers. The same as abs. Written into the tensor itself. */
  absolute_(): this;
  /** Angle whose cosine is a, from 0 to pi. */
  acos(options?: OpOptions): Tensor<Floated<D>>;
  /** Angle whose cosine is a, from 0 to pi. Written into the tensor itself. */
  acos_(): this;
  /** Inverse hyperbolic cosine of a; NaN below 1. */
  acosh(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse hyperbolic cosine of a; NaN below 1. Written into the tensor itself. */
  acosh_(): this;
  /** Sum of a and b. */
  add<B extends Operand>(b: B, options?: OpOptions & AddOptions): Tensor<Common<D, B>>;
  /** Sum of a and b. Written into the tensor itself. */
  add_(b: Operand, options?: AddOptions): this;
  /** a + b / c. */
  addcdiv(b: Operand, c: Operand, options?: OpOptions & AddcdivOptions): Tensor;
  /** a + b / c. Written into the tensor itself. */
  addcdiv_(b: Operand, c: Operand, options?: AddcdivOptions): this;
  /** a + b c. */
  addcmul(b: Operand, c: Operand, options?: OpOptions & AddcmulOptions): Tensor;
  /** a + b c. Written into the tensor itself. */
  addcmul_(b: Operand, c: Operand, options?: AddcmulOptions): this;
  /** Airy function Ai: Ai(a). */
  airyAi(options?: OpOptions): Tensor<Floated<D>>;
  /** Airy function Ai: Ai(a). Written into the tensor itself. */
  airyAi_(): this;
  /** Angle of a in the complex plane, from -pi to pi. */
  angle(options?: OpOptions): Tensor<RealPart<Floated<D>>>;
  /** Angle of a in the complex plane, from -pi to pi. Written into the tensor itself. */
  angle_(): this;
  /** Angle whose cosine is a, from 0 to pi. The same as acos. */
  arccos(options?: OpOptions): Tensor<Floated<D>>;
  /** Angle whose cosine is a, from 0 to pi. The same as acos. Written into the tensor itself. */
  arccos_(): this;
  /** Inverse hyperbolic cosine of a; NaN below 1. The same as acosh. */
  arccosh(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse hyperbolic cosine of a; NaN below 1. The same as acosh. Written into the tensor itself. */
  arccosh_(): this;
  /** Angle whose sine is a, from -pi/2 to pi/2. The same as asin. */
  arcsin(options?: OpOptions): Tensor<Floated<D>>;
  /** Angle whose sine is a, from -pi/2 to pi/2. The same as asin. Written into the tensor itself. */
  arcsin_(): this;
  /** Inverse hyperbolic sine of a. The same as asinh. */
  arcsinh(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse hyperbolic sine of a. The same as asinh. Written into the tensor itself. */
  arcsinh_(): this;
  /** Angle whose tangent is a, from -pi/2 to pi/2. The same as atan. */
  arctan(options?: OpOptions): Tensor<Floated<D>>;
  /** Angle whose tangent is a, from -pi/2 to pi/2. The same as atan. Written into the tensor itself. */
  arctan_(): this;
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. The same as atan2. */
  arctan2<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. The same as atan2. Written into the tensor itself. */
  arctan2_(b: Operand): this;
  /** Inverse hyperbolic tangent of a; NaN beyond 1. The same as atanh. */
  arctanh(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse hyperbolic tangent of a; NaN beyond 1. The same as atanh. Written into the tensor itself. */
  arctanh_(): this;
  /** Nearest whole number; halves go to the even one. The same as round. */
  around(options?: OpOptions & RoundOptions): Tensor<D>;
  /** Nearest whole number; halves go to the even one. The same as round. Written into the tensor itself. */
  around_(options?: RoundOptions): this;
  /** Angle whose sine is a, from -pi/2 to pi/2. */
  asin(options?: OpOptions): Tensor<Floated<D>>;
  /** Angle whose sine is a, from -pi/2 to pi/2. Written into the tensor itself. */
  asin_(): this;
  /** Inverse hyperbolic sine of a. */
  asinh(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse hyperbolic sine of a. Written into the tensor itself. */
  asinh_(): this;
  /** Angle whose tangent is a, from -pi/2 to pi/2. */
  atan(options?: OpOptions): Tensor<Floated<D>>;
  /** Angle whose tangent is a, from -pi/2 to pi/2. Written into the tensor itself. */
  atan_(): this;
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. */
  atan2<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Angle of the point with ordinate a and abscissa b, from -pi to pi. Written into the tensor itself. */
  atan2_(b: Operand): this;
  /** Inverse hyperbolic tangent of a; NaN beyond 1. */
  atanh(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse hyperbolic tangent of a; NaN beyond 1. Written into the tensor itself. */
  atanh_(): this;
  /** Bessel function of the first kind of order 0: J₀(a). */
  besselJ0(options?: OpOptions): Tensor<Floated<D>>;
  /** Bessel function of the first kind of order 0: J₀(a). Written into the tensor itself. */
  besselJ0_(): this;
  /** Bessel function of the first kind of order 1: J₁(a). */
  besselJ1(options?: OpOptions): Tensor<Floated<D>>;
  /** Bessel function of the first kind of order 1: J₁(a). Written into the tensor itself. */
  besselJ1_(): this;
  /** Bessel function of the second kind of order 0; NaN below 0: Y₀(a). */
  besselY0(options?: OpOptions): Tensor<Floated<D>>;
  /** Bessel function of the second kind of order 0; NaN below 0: Y₀(a). Written into the tensor itself. */
  besselY0_(): this;
  /** Bessel function of the second kind of order 1; NaN below 0: Y₁(a). */
  besselY1(options?: OpOptions): Tensor<Floated<D>>;
  /** Bessel function of the second kind of order 1; NaN below 0: Y₁(a). Written into the tensor itself. */
  besselY1_(): this;
  /** Bits set in both a and b. */
  bitwiseAnd<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Bits set in both a and b. Written into the tensor itself. */
  bitwiseAnd_(b: Operand): this;
  /** The number of bits that are set in the magnitude of a. */
  bitwiseCount(options?: OpOptions): Tensor<D>;
  /** The number of bits that are set in the magnitude of a. Written into the tensor itself. */
  bitwiseCount_(): this;
  /** Every bit of a inverted; logical for bool. The same as bitwiseNot. */
  bitwiseInvert(options?: OpOptions): Tensor<D>;
  /** Every bit of a inverted; logical for bool. The same as bitwiseNot. Written into the tensor itself. */
  bitwiseInvert_(): this;
  /** a shifted b bits to the left; 0 where b is negative or not below the width. The same as leftShift. */
  bitwiseLeftShift<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a shifted b bits to the left; 0 where b is negative or not below the width. The same as leftShift. Written into the tensor itself. */
  bitwiseLeftShift_(b: Operand): this;
  /** Every bit of a inverted; logical for bool. */
  bitwiseNot(options?: OpOptions): Tensor<D>;
  /** Every bit of a inverted; logical for bool. Written into the tensor itself. */
  bitwiseNot_(): this;
  /** Bits set in a or b. */
  bitwiseOr<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Bits set in a or b. Written into the tensor itself. */
  bitwiseOr_(b: Operand): this;
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. The same as rightShift. */
  bitwiseRightShift<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. The same as rightShift. Written into the tensor itself. */
  bitwiseRightShift_(b: Operand): this;
  /** Bits set in exactly one of a and b. */
  bitwiseXor<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Bits set in exactly one of a and b. Written into the tensor itself. */
  bitwiseXor_(b: Operand): this;
  /** Cube root of a. */
  cbrt(options?: OpOptions): Tensor<Floated<D>>;
  /** Cube root of a. Written into the tensor itself. */
  cbrt_(): this;
  /** Smallest whole number not below a. */
  ceil(options?: OpOptions): Tensor<D>;
  /** Smallest whole number not below a. Written into the tensor itself. */
  ceil_(): this;
  /** Continuously differentiable elu; elu itself for alpha = 1. */
  celu(options?: OpOptions & CeluOptions): Tensor<D>;
  /** Continuously differentiable elu; elu itself for alpha = 1. Written into the tensor itself. */
  celu_(options?: CeluOptions): this;
  /** Chebyshev's polynomial of the first kind of degree b. */
  chebyshevPolynomialT<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the first kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialT_(b: Operand): this;
  /** Chebyshev's polynomial of the second kind of degree b. */
  chebyshevPolynomialU<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the second kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialU_(b: Operand): this;
  /** Chebyshev's polynomial of the third kind of degree b. */
  chebyshevPolynomialV<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the third kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialV_(b: Operand): this;
  /** Chebyshev's polynomial of the fourth kind of degree b. */
  chebyshevPolynomialW<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the fourth kind of degree b. Written into the tensor itself. */
  chebyshevPolynomialW_(b: Operand): this;
  /** a clamped to [b, c]. */
  clamp(b?: Operand | null | (OpOptions & ClampOptions), c?: Operand | null, options?: OpOptions): Tensor;
  /** a clamped to [b, c]. Written into the tensor itself. */
  clamp_(b?: Operand | null | ClampOptions, c?: Operand | null): this;
  /** a, but at most b. */
  clampMax<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a, but at most b. Written into the tensor itself. */
  clampMax_(b: Operand): this;
  /** a, but at least b. */
  clampMin<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a, but at least b. Written into the tensor itself. */
  clampMin_(b: Operand): this;
  /** a clamped to [b, c]. The same as clamp. */
  clip(b?: Operand | null | (OpOptions & ClampOptions), c?: Operand | null, options?: OpOptions): Tensor;
  /** a clamped to [b, c]. The same as clamp. Written into the tensor itself. */
  clip_(b?: Operand | null | ClampOptions, c?: Operand | null): this;
  /** The complex number with real part a and imaginary part b. */
  complex<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** The complex number with real part a and imaginary part b. Written into the tensor itself. */
  complex_(b: Operand): this;
  /** Complex conjugate of a. */
  conj(options?: OpOptions): Tensor<D>;
  /** Complex conjugate of a. Written into the tensor itself. */
  conj_(): this;
  /** Complex conjugate of a. The same as conj. */
  conjugate(options?: OpOptions): Tensor<D>;
  /** Complex conjugate of a. The same as conj. Written into the tensor itself. */
  conjugate_(): this;
  /** Magnitude of a with the sign of b; a NaN in b counts as positive. */
  copysign<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Magnitude of a with the sign of b; a NaN in b counts as positive. Written into the tensor itself. */
  copysign_(b: Operand): this;
  /** Cosine of a in radians. */
  cos(options?: OpOptions): Tensor<Floated<D>>;
  /** Cosine of a in radians. Written into the tensor itself. */
  cos_(): this;
  /** Hyperbolic cosine of a. */
  cosh(options?: OpOptions): Tensor<Floated<D>>;
  /** Hyperbolic cosine of a. Written into the tensor itself. */
  cosh_(): this;
  /** Radians of an angle a in degrees. */
  deg2rad(options?: OpOptions): Tensor<Floated<D>>;
  /** Radians of an angle a in degrees. Written into the tensor itself. */
  deg2rad_(): this;
  /** Degrees of an angle a in radians. The same as rad2deg. */
  degrees(options?: OpOptions): Tensor<Floated<D>>;
  /** Degrees of an angle a in radians. The same as rad2deg. Written into the tensor itself. */
  degrees_(): this;
  /** Derivative of the logarithm of the gamma function: ψ(a) = Γ'(a) / Γ(a). */
  digamma(options?: OpOptions): Tensor<Floated<D>>;
  /** Derivative of the logarithm of the gamma function: ψ(a) = Γ'(a) / Γ(a). Written into the tensor itself. */
  digamma_(): this;
  /** Quotient of a and b; integers are divided as float32. */
  div<B extends Operand>(b: B, options?: OpOptions & DivOptions): Tensor<Divided<Common<D, B>>>;
  /** Quotient of a and b; integers are divided as float32. Written into the tensor itself. */
  div_(b: Operand, options?: DivOptions): this;
  /** Quotient of a and b; integers are divided as float32. The same as div. */
  divide<B extends Operand>(b: B, options?: OpOptions & DivOptions): Tensor<Divided<Common<D, B>>>;
  /** Quotient of a and b; integers are divided as float32. The same as div. Written into the tensor itself. */
  divide_(b: Operand, options?: DivOptions): this;
  /** a above zero, e^a - 1 below. */
  elu(options?: OpOptions & EluOptions): Tensor<D>;
  /** a above zero, e^a - 1 below. Written into the tensor itself. */
  elu_(options?: EluOptions): this;
  /** -a log(a), the entropy of one outcome; 0 at 0 and -Infinity below. */
  entr(options?: OpOptions): Tensor<Floated<D>>;
  /** -a log(a), the entropy of one outcome; 0 at 0 and -Infinity below. Written into the tensor itself. */
  entr_(): this;
  /** True where a equals b. */
  eq<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a equals b. Written into the tensor itself. */
  eq_(b: Operand): this;
  /** Error function: 2 / √π ∫ e^(-t²) dt from 0 to a. */
  erf(options?: OpOptions): Tensor<Floated<D>>;
  /** Error function: 2 / √π ∫ e^(-t²) dt from 0 to a. Written into the tensor itself. */
  erf_(): this;
  /** Complement of the error function, 1 - erf(a), without cancellation: 1 - erf(a). */
  erfc(options?: OpOptions): Tensor<Floated<D>>;
  /** Complement of the error function, 1 - erf(a), without cancellation: 1 - erf(a). Written into the tensor itself. */
  erfc_(): this;
  /** Complement of the error function times e^(a^2): e^(a²) erfc(a). */
  erfcx(options?: OpOptions): Tensor<Floated<D>>;
  /** Complement of the error function times e^(a^2): e^(a²) erfc(a). Written into the tensor itself. */
  erfcx_(): this;
  /** Inverse of the error function: the b with erf(b) = a. */
  erfinv(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse of the error function: the b with erf(b) = a. Written into the tensor itself. */
  erfinv_(): this;
  /** Exponential e^a. */
  exp(options?: OpOptions): Tensor<Floated<D>>;
  /** Exponential e^a. Written into the tensor itself. */
  exp_(): this;
  /** Two to the power of a. */
  exp2(options?: OpOptions): Tensor<Floated<D>>;
  /** Two to the power of a. Written into the tensor itself. */
  exp2_(): this;
  /** Logistic function 1 / (1 + e^-a). The same as sigmoid. */
  expit(options?: OpOptions): Tensor<Floated<D>>;
  /** Logistic function 1 / (1 + e^-a). The same as sigmoid. Written into the tensor itself. */
  expit_(): this;
  /** e^a - 1 without cancellation near 0. */
  expm1(options?: OpOptions): Tensor<Floated<D>>;
  /** e^a - 1 without cancellation near 0. Written into the tensor itself. */
  expm1_(): this;
  /** Whole part of a, rounded towards zero. The same as trunc. */
  fix(options?: OpOptions): Tensor<D>;
  /** Whole part of a, rounded towards zero. The same as trunc. Written into the tensor itself. */
  fix_(): this;
  /** a to the power of b in float64, or complex128. */
  floatPower<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** a to the power of b in float64, or complex128. Written into the tensor itself. */
  floatPower_(b: Operand): this;
  /** Largest whole number not above a. */
  floor(options?: OpOptions): Tensor<D>;
  /** Largest whole number not above a. Written into the tensor itself. */
  floor_(): this;
  /** Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0. */
  floorDivide<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Quotient of a and b rounded towards minus infinity; an integer divided by zero gives 0. Written into the tensor itself. */
  floorDivide_(b: Operand): this;
  /** The larger of a and b; ignores a single NaN. */
  fmax<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** The larger of a and b; ignores a single NaN. Written into the tensor itself. */
  fmax_(b: Operand): this;
  /** The smaller of a and b; ignores a single NaN. */
  fmin<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** The smaller of a and b; ignores a single NaN. Written into the tensor itself. */
  fmin_(b: Operand): this;
  /** Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0. */
  fmod<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Remainder of the division rounded towards zero, with the sign of a; an integer modulo zero gives 0. Written into the tensor itself. */
  fmod_(b: Operand): this;
  /** Fractional part of a, with its sign. */
  frac(options?: OpOptions): Tensor<D>;
  /** Fractional part of a, with its sign. Written into the tensor itself. */
  frac_(): this;
  /** Regularized lower incomplete gamma function of order a at b: P(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from 0 to b. */
  gammainc<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Regularized lower incomplete gamma function of order a at b: P(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from 0 to b. Written into the tensor itself. */
  gammainc_(b: Operand): this;
  /** Regularized upper incomplete gamma function of order a at b: Q(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from b to ∞. */
  gammaincc<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Regularized upper incomplete gamma function of order a at b: Q(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from b to ∞. Written into the tensor itself. */
  gammaincc_(b: Operand): this;
  /** Logarithm of the magnitude of the gamma function: log |Γ(a)|. The same as lgamma. */
  gammaln(options?: OpOptions): Tensor<Floated<D>>;
  /** Logarithm of the magnitude of the gamma function: log |Γ(a)|. The same as lgamma. Written into the tensor itself. */
  gammaln_(): this;
  /** Greatest common divisor of a and b; of a signed dtype's lowest number it may be negative, as in PyTorch. */
  gcd<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Greatest common divisor of a and b; of a signed dtype's lowest number it may be negative, as in PyTorch. Written into the tensor itself. */
  gcd_(b: Operand): this;
  /** True where a is greater than or equal to b. */
  ge<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is greater than or equal to b. Written into the tensor itself. */
  ge_(b: Operand): this;
  /** Gaussian error linear unit, a ndtr(a). */
  gelu(options?: OpOptions & GeluOptions): Tensor<D>;
  /** Gaussian error linear unit, a ndtr(a). Written into the tensor itself. */
  gelu_(options?: GeluOptions): this;
  /** True where a is greater than b. The same as gt. */
  greater<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is greater than b. The same as gt. Written into the tensor itself. */
  greater_(b: Operand): this;
  /** True where a is greater than or equal to b. The same as ge. */
  greaterEqual<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is greater than or equal to b. The same as ge. Written into the tensor itself. */
  greaterEqual_(b: Operand): this;
  /** True where a is greater than b. */
  gt<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is greater than b. Written into the tensor itself. */
  gt_(b: Operand): this;
  /** a, and 0 within 0.5 of zero. */
  hardshrink(options?: OpOptions & HardshrinkOptions): Tensor<D>;
  /** a, and 0 within 0.5 of zero. Written into the tensor itself. */
  hardshrink_(options?: HardshrinkOptions): this;
  /** relu6(a + 3) / 6. */
  hardsigmoid(options?: OpOptions): Tensor<D>;
  /** relu6(a + 3) / 6. Written into the tensor itself. */
  hardsigmoid_(): this;
  /** a relu6(a + 3) / 6. */
  hardswish(options?: OpOptions): Tensor<D>;
  /** a relu6(a + 3) / 6. Written into the tensor itself. */
  hardswish_(): this;
  /** a clamped to [-1, 1]. */
  hardtanh(options?: OpOptions & HardtanhOptions): Tensor<D>;
  /** a clamped to [-1, 1]. Written into the tensor itself. */
  hardtanh_(options?: HardtanhOptions): this;
  /** 0 below zero, 1 above, and b at zero. */
  heaviside<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** 0 below zero, 1 above, and b at zero. Written into the tensor itself. */
  heaviside_(b: Operand): this;
  /** Hermite's polynomial of degree b, as physicists scale it. */
  hermitePolynomialH<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Hermite's polynomial of degree b, as physicists scale it. Written into the tensor itself. */
  hermitePolynomialH_(b: Operand): this;
  /** Hermite's polynomial of degree b, as statisticians scale it. */
  hermitePolynomialHe<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Hermite's polynomial of degree b, as statisticians scale it. Written into the tensor itself. */
  hermitePolynomialHe_(b: Operand): this;
  /** Length of the hypotenuse over a and b without overflow. */
  hypot<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Length of the hypotenuse over a and b without overflow. Written into the tensor itself. */
  hypot_(b: Operand): this;
  /** Modified Bessel function of the first kind of order 0: I₀(a). */
  i0(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the first kind of order 0: I₀(a). Written into the tensor itself. */
  i0_(): this;
  /** Modified Bessel function of order 0 times e^-|a|: e^-|a| I₀(a). */
  i0e(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of order 0 times e^-|a|: e^-|a| I₀(a). Written into the tensor itself. */
  i0e_(): this;
  /** Modified Bessel function of the first kind of order 1: I₁(a). */
  i1(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the first kind of order 1: I₁(a). Written into the tensor itself. */
  i1_(): this;
  /** Modified Bessel function of order 1 times e^-|a|: e^-|a| I₁(a). */
  i1e(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of order 1 times e^-|a|: e^-|a| I₁(a). Written into the tensor itself. */
  i1e_(): this;
  /** Regularized lower incomplete gamma function of order a at b: P(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from 0 to b. The same as gammainc. */
  igamma<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Regularized lower incomplete gamma function of order a at b: P(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from 0 to b. The same as gammainc. Written into the tensor itself. */
  igamma_(b: Operand): this;
  /** Regularized upper incomplete gamma function of order a at b: Q(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from b to ∞. The same as gammaincc. */
  igammac<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Regularized upper incomplete gamma function of order a at b: Q(a, b) = 1 / Γ(a) ∫ t^(a-1) e^-t dt from b to ∞. The same as gammaincc. Written into the tensor itself. */
  igammac_(b: Operand): this;
  /** Imaginary part of a; 0 for real numbers. */
  imag(options?: OpOptions): Tensor<RealPart<D>>;
  /** Imaginary part of a; 0 for real numbers. Written into the tensor itself. */
  imag_(): this;
  /** True where a and b differ by at most 1e-8 + 1e-5 |b|. */
  isclose<B extends Operand>(b: B, options?: OpOptions & IscloseOptions): Tensor<"bool">;
  /** True where a and b differ by at most 1e-8 + 1e-5 |b|. Written into the tensor itself. */
  isclose_(b: Operand, options?: IscloseOptions): this;
  /** True where a is neither infinite nor NaN. */
  isfinite(options?: OpOptions): Tensor<"bool">;
  /** True where a is neither infinite nor NaN. Written into the tensor itself. */
  isfinite_(): this;
  /** True where a is infinite. */
  isinf(options?: OpOptions): Tensor<"bool">;
  /** True where a is infinite. Written into the tensor itself. */
  isinf_(): this;
  /** True where a is NaN. */
  isnan(options?: OpOptions): Tensor<"bool">;
  /** True where a is NaN. Written into the tensor itself. */
  isnan_(): this;
  /** True where a is negative infinity. */
  isneginf(options?: OpOptions): Tensor<"bool">;
  /** True where a is negative infinity. Written into the tensor itself. */
  isneginf_(): this;
  /** True where a is positive infinity. */
  isposinf(options?: OpOptions): Tensor<"bool">;
  /** True where a is positive infinity. Written into the tensor itself. */
  isposinf_(): this;
  /** True where a has no imaginary part. */
  isreal(options?: OpOptions): Tensor<"bool">;
  /** True where a has no imaginary part. Written into the tensor itself. */
  isreal_(): this;
  /** Laguerre's polynomial of degree b. */
  laguerrePolynomialL<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Laguerre's polynomial of degree b. Written into the tensor itself. */
  laguerrePolynomialL_(b: Operand): this;
  /** Least common multiple of a and b; wraps where it does not fit the dtype. */
  lcm<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Least common multiple of a and b; wraps where it does not fit the dtype. Written into the tensor itself. */
  lcm_(b: Operand): this;
  /** a times 2 to the power of b. */
  ldexp<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** a times 2 to the power of b. Written into the tensor itself. */
  ldexp_(b: Operand): this;
  /** True where a is less than or equal to b. */
  le<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is less than or equal to b. Written into the tensor itself. */
  le_(b: Operand): this;
  /** a above zero, a / 100 below. */
  leakyRelu(options?: OpOptions & LeakyReluOptions): Tensor<D>;
  /** a above zero, a / 100 below. Written into the tensor itself. */
  leakyRelu_(options?: LeakyReluOptions): this;
  /** a shifted b bits to the left; 0 where b is negative or not below the width. */
  leftShift<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a shifted b bits to the left; 0 where b is negative or not below the width. Written into the tensor itself. */
  leftShift_(b: Operand): this;
  /** Legendre's polynomial of degree b. */
  legendrePolynomialP<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Legendre's polynomial of degree b. Written into the tensor itself. */
  legendrePolynomialP_(b: Operand): this;
  /** a + c (b - a), the point at weight c between a and b. */
  lerp(b: Operand, c: Operand, options?: OpOptions): Tensor;
  /** a + c (b - a), the point at weight c between a and b. Written into the tensor itself. */
  lerp_(b: Operand, c: Operand): this;
  /** True where a is less than b. The same as lt. */
  less<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is less than b. The same as lt. Written into the tensor itself. */
  less_(b: Operand): this;
  /** True where a is less than or equal to b. The same as le. */
  lessEqual<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is less than or equal to b. The same as le. Written into the tensor itself. */
  lessEqual_(b: Operand): this;
  /** Logarithm of the magnitude of the gamma function: log |Γ(a)|. */
  lgamma(options?: OpOptions): Tensor<Floated<D>>;
  /** Logarithm of the magnitude of the gamma function: log |Γ(a)|. Written into the tensor itself. */
  lgamma_(): this;
  /** Natural logarithm of a; NaN below zero. */
  log(options?: OpOptions): Tensor<Floated<D>>;
  /** Natural logarithm of a; NaN below zero. Written into the tensor itself. */
  log_(): this;
  /** Logarithm of a to the base 10. */
  log10(options?: OpOptions): Tensor<Floated<D>>;
  /** Logarithm of a to the base 10. Written into the tensor itself. */
  log10_(): this;
  /** log(1 + a) without cancellation near 0. */
  log1p(options?: OpOptions): Tensor<Floated<D>>;
  /** log(1 + a) without cancellation near 0. Written into the tensor itself. */
  log1p_(): this;
  /** Logarithm of a to the base 2. */
  log2(options?: OpOptions): Tensor<Floated<D>>;
  /** Logarithm of a to the base 2. Written into the tensor itself. */
  log2_(): this;
  /** Logarithm of ndtr, without underflow: log Φ(a). */
  logNdtr(options?: OpOptions): Tensor<Floated<D>>;
  /** Logarithm of ndtr, without underflow: log Φ(a). Written into the tensor itself. */
  logNdtr_(): this;
  /** log(e^a + e^b) without overflow. */
  logaddexp<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** log(e^a + e^b) without overflow. Written into the tensor itself. */
  logaddexp_(b: Operand): this;
  /** log2(2^a + 2^b) without overflow. */
  logaddexp2<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** log2(2^a + 2^b) without overflow. Written into the tensor itself. */
  logaddexp2_(b: Operand): this;
  /** True where both a and b are not zero. */
  logicalAnd<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where both a and b are not zero. Written into the tensor itself. */
  logicalAnd_(b: Operand): this;
  /** True where a is zero. */
  logicalNot(options?: OpOptions): Tensor<"bool">;
  /** True where a is zero. Written into the tensor itself. */
  logicalNot_(): this;
  /** True where a or b is not zero. */
  logicalOr<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a or b is not zero. Written into the tensor itself. */
  logicalOr_(b: Operand): this;
  /** True where exactly one of a and b is not zero. */
  logicalXor<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where exactly one of a and b is not zero. Written into the tensor itself. */
  logicalXor_(b: Operand): this;
  /** log(a / (1 - a)), the inverse of the logistic function. */
  logit(options?: OpOptions & LogitOptions): Tensor<Floated<D>>;
  /** log(a / (1 - a)), the inverse of the logistic function. Written into the tensor itself. */
  logit_(options?: LogitOptions): this;
  /** Logarithm of the logistic function. */
  logsigmoid(options?: OpOptions): Tensor<D>;
  /** Logarithm of the logistic function. Written into the tensor itself. */
  logsigmoid_(): this;
  /** True where a is less than b. */
  lt<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a is less than b. Written into the tensor itself. */
  lt_(b: Operand): this;
  /** The larger of a and b; NaN where either is NaN. */
  maximum<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** The larger of a and b; NaN where either is NaN. Written into the tensor itself. */
  maximum_(b: Operand): this;
  /** The smaller of a and b; NaN where either is NaN. */
  minimum<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** The smaller of a and b; NaN where either is NaN. Written into the tensor itself. */
  minimum_(b: Operand): this;
  /** a tanh(log(1 + e^a)). */
  mish(options?: OpOptions): Tensor<D>;
  /** a tanh(log(1 + e^a)). Written into the tensor itself. */
  mish_(): this;
  /** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. The same as remainder. */
  mod<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. The same as remainder. Written into the tensor itself. */
  mod_(b: Operand): this;
  /** Modified Bessel function of the first kind of order 0, another name of i0: I₀(a). */
  modifiedBesselI0(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the first kind of order 0, another name of i0: I₀(a). Written into the tensor itself. */
  modifiedBesselI0_(): this;
  /** Modified Bessel function of the first kind of order 1, another name of i1: I₁(a). */
  modifiedBesselI1(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the first kind of order 1, another name of i1: I₁(a). Written into the tensor itself. */
  modifiedBesselI1_(): this;
  /** Modified Bessel function of the second kind of order 0: K₀(a). */
  modifiedBesselK0(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the second kind of order 0: K₀(a). Written into the tensor itself. */
  modifiedBesselK0_(): this;
  /** Modified Bessel function of the second kind of order 1: K₁(a). */
  modifiedBesselK1(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the second kind of order 1: K₁(a). Written into the tensor itself. */
  modifiedBesselK1_(): this;
  /** Product of a and b. */
  mul<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Product of a and b. Written into the tensor itself. */
  mul_(b: Operand): this;
  /** Logarithm of the multivariate gamma function of b dimensions: log Γ_b(a) = b (b - 1) / 4 log π + Σ log Γ(a - (k - 1) / 2) over k from 1 to b. */
  multigammaln<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Logarithm of the multivariate gamma function of b dimensions: log Γ_b(a) = b (b - 1) / 4 log π + Σ log Γ(a - (k - 1) / 2) over k from 1 to b. Written into the tensor itself. */
  multigammaln_(b: Operand): this;
  /** Product of a and b. The same as mul. */
  multiply<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Product of a and b. The same as mul. Written into the tensor itself. */
  multiply_(b: Operand): this;
  /** Logarithm of the multivariate gamma function of b dimensions: log Γ_b(a) = b (b - 1) / 4 log π + Σ log Γ(a - (k - 1) / 2) over k from 1 to b. The same as multigammaln. */
  mvlgamma<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Logarithm of the multivariate gamma function of b dimensions: log Γ_b(a) = b (b - 1) / 4 log π + Σ log Γ(a - (k - 1) / 2) over k from 1 to b. The same as multigammaln. Written into the tensor itself. */
  mvlgamma_(b: Operand): this;
  /** a with NaN as 0 and the infinities as the largest finite numbers. */
  nanToNum(options?: OpOptions & NanToNumOptions): Tensor<D>;
  /** a with NaN as 0 and the infinities as the largest finite numbers. Written into the tensor itself. */
  nanToNum_(options?: NanToNumOptions): this;
  /** Probability that a standard normal variable is below a: Φ(a) = (1 + erf(a / √2)) / 2. */
  ndtr(options?: OpOptions): Tensor<Floated<D>>;
  /** Probability that a standard normal variable is below a: Φ(a) = (1 + erf(a / √2)) / 2. Written into the tensor itself. */
  ndtr_(): this;
  /** Inverse of ndtr: the quantile of the standard normal distribution: the b with Φ(b) = a. */
  ndtri(options?: OpOptions): Tensor<Floated<D>>;
  /** Inverse of ndtr: the quantile of the standard normal distribution: the b with Φ(b) = a. Written into the tensor itself. */
  ndtri_(): this;
  /** True where a differs from b. */
  ne<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a differs from b. Written into the tensor itself. */
  ne_(b: Operand): this;
  /** Negative of a. */
  neg(options?: OpOptions): Tensor<D>;
  /** Negative of a. Written into the tensor itself. */
  neg_(): this;
  /** Negative of a. The same as neg. */
  negative(options?: OpOptions): Tensor<D>;
  /** Negative of a. The same as neg. Written into the tensor itself. */
  negative_(): this;
  /** The floating number after a in the direction of b. */
  nextafter<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** The floating number after a in the direction of b. Written into the tensor itself. */
  nextafter_(b: Operand): this;
  /** True where a differs from b. The same as ne. */
  notEqual<B extends Operand>(b: B, options?: OpOptions): Tensor<"bool">;
  /** True where a differs from b. The same as ne. Written into the tensor itself. */
  notEqual_(b: Operand): this;
  /** The complex number with magnitude a and angle b. */
  polar<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** The complex number with magnitude a and angle b. Written into the tensor itself. */
  polar_(b: Operand): this;
  /** Derivative of order a of digamma at b; a is a whole number: the derivative of order a of ψ(b); (-1)^(a+1) a! ζ(a + 1, b). */
  polygamma<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Derivative of order a of digamma at b; a is a whole number: the derivative of order a of ψ(b); (-1)^(a+1) a! ζ(a + 1, b). Written into the tensor itself. */
  polygamma_(b: Operand): this;
  /** a itself. */
  positive(options?: OpOptions): Tensor<D>;
  /** a itself. Written into the tensor itself. */
  positive_(): this;
  /** a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error. */
  pow<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error. Written into the tensor itself. */
  pow_(b: Operand): this;
  /** a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error. The same as pow. */
  power<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a to the power of b; integers to negative powers of a tensor are truncated reciprocals, to a negative number an error. The same as pow. Written into the tensor itself. */
  power_(b: Operand): this;
  /** a above zero, a b below, for a slope b. */
  prelu<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a above zero, a b below, for a slope b. Written into the tensor itself. */
  prelu_(b: Operand): this;
  /** Derivative of the logarithm of the gamma function: ψ(a) = Γ'(a) / Γ(a). The same as digamma. */
  psi(options?: OpOptions): Tensor<Floated<D>>;
  /** Derivative of the logarithm of the gamma function: ψ(a) = Γ'(a) / Γ(a). The same as digamma. Written into the tensor itself. */
  psi_(): this;
  /** Degrees of an angle a in radians. */
  rad2deg(options?: OpOptions): Tensor<Floated<D>>;
  /** Degrees of an angle a in radians. Written into the tensor itself. */
  rad2deg_(): this;
  /** Radians of an angle a in degrees. The same as deg2rad. */
  radians(options?: OpOptions): Tensor<Floated<D>>;
  /** Radians of an angle a in degrees. The same as deg2rad. Written into the tensor itself. */
  radians_(): this;
  /** Real part of a. */
  real(options?: OpOptions): Tensor<RealPart<D>>;
  /** Real part of a. Written into the tensor itself. */
  real_(): this;
  /** 1 / a. */
  reciprocal(options?: OpOptions): Tensor<Floated<D>>;
  /** 1 / a. Written into the tensor itself. */
  reciprocal_(): this;
  /** a where it is positive, 0 elsewhere. */
  relu(options?: OpOptions): Tensor<D>;
  /** a where it is positive, 0 elsewhere. Written into the tensor itself. */
  relu_(): this;
  /** a clamped to [0, 6]. */
  relu6(options?: OpOptions): Tensor<D>;
  /** a clamped to [0, 6]. Written into the tensor itself. */
  relu6_(): this;
  /** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. */
  remainder<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** Remainder of the floor division, with the sign of b; an integer modulo zero gives 0. Written into the tensor itself. */
  remainder_(b: Operand): this;
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. */
  rightShift<B extends Operand>(b: B, options?: OpOptions): Tensor<Common<D, B>>;
  /** a shifted b bits to the right; only the sign is left where b is negative or not below the width. Written into the tensor itself. */
  rightShift_(b: Operand): this;
  /** Nearest whole number; halves go to the even one. */
  round(options?: OpOptions & RoundOptions): Tensor<D>;
  /** Nearest whole number; halves go to the even one. Written into the tensor itself. */
  round_(options?: RoundOptions): this;
  /** Reciprocal of the square root of a. */
  rsqrt(options?: OpOptions): Tensor<Floated<D>>;
  /** Reciprocal of the square root of a. Written into the tensor itself. */
  rsqrt_(): this;
  /** b - a, the reversed difference. */
  rsub<B extends Operand>(b: B, options?: OpOptions & RsubOptions): Tensor<Common<D, B>>;
  /** b - a, the reversed difference. Written into the tensor itself. */
  rsub_(b: Operand, options?: RsubOptions): this;
  /** Modified Bessel function of the second kind of order 0 times e^a: e^a K₀(a). */
  scaledModifiedBesselK0(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the second kind of order 0 times e^a: e^a K₀(a). Written into the tensor itself. */
  scaledModifiedBesselK0_(): this;
  /** Modified Bessel function of the second kind of order 1 times e^a: e^a K₁(a). */
  scaledModifiedBesselK1(options?: OpOptions): Tensor<Floated<D>>;
  /** Modified Bessel function of the second kind of order 1 times e^a: e^a K₁(a). Written into the tensor itself. */
  scaledModifiedBesselK1_(): this;
  /** Scaled elu, which keeps mean 0 and variance 1. */
  selu(options?: OpOptions): Tensor<D>;
  /** Scaled elu, which keeps mean 0 and variance 1. Written into the tensor itself. */
  selu_(): this;
  /** a divided by its magnitude, and 0 at 0: the sign of a complex number. */
  sgn(options?: OpOptions): Tensor<D>;
  /** a divided by its magnitude, and 0 at 0: the sign of a complex number. Written into the tensor itself. */
  sgn_(): this;
  /** Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialT<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the first kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialT_(b: Operand): this;
  /** Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialU<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the second kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialU_(b: Operand): this;
  /** Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialV<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the third kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialV_(b: Operand): this;
  /** Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1. */
  shiftedChebyshevPolynomialW<B extends Operand>(b: B, options?: OpOptions): Tensor;
  /** Chebyshev's polynomial of the fourth kind of degree b, moved to the interval from 0 to 1. Written into the tensor itself. */
  shiftedChebyshevPolynomialW_(b: Operand): this;
  /** Logistic function 1 / (1 + e^-a). */
  sigmoid(options?: OpOptions): Tensor<Floated<D>>;
  /** Logistic function 1 / (1 + e^-a). Written into the tensor itself. */
  sigmoid_(): this;
  /** -1, 0 or 1, the sign of a. */
  sign(options?: OpOptions): Tensor<D>;
  /** -1, 0 or 1, the sign of a. Written into the tensor itself. */
  sign_(): this;
  /** True where a is negative or -0; false for NaN, which has no sign. */
  signbit(options?: OpOptions): Tensor<"bool">;
  /** True where a is negative or -0; false for NaN, which has no sign. Written into the tensor itself. */
  signbit_(): this;
  /** a times its logistic function. */
  silu(options?: OpOptions): Tensor<D>;
  /** a times its logistic function. Written into the tensor itself. */
  silu_(): this;
  /** Sine of a in radians. */
  sin(options?: OpOptions): Tensor<Floated<D>>;
  /** Sine of a in radians. Written into the tensor itself. */
  sin_(): this;
  /** sin(pi a) / (pi a), and 1 at 0. */
  sinc(options?: OpOptions): Tensor<Floated<D>>;
  /** sin(pi a) / (pi a), and 1 at 0. Written into the tensor itself. */
  sinc_(): this;
  /** Hyperbolic sine of a. */
  sinh(options?: OpOptions): Tensor<Floated<D>>;
  /** Hyperbolic sine of a. Written into the tensor itself. */
  sinh_(): this;
  /** log(1 + e^a), and a itself above 20. */
  softplus(options?: OpOptions & SoftplusOptions): Tensor<D>;
  /** log(1 + e^a), and a itself above 20. Written into the tensor itself. */
  softplus_(options?: SoftplusOptions): this;
  /** a moved by 0.5 towards zero, and 0 within 0.5 of it. */
  softshrink(options?: OpOptions & SoftshrinkOptions): Tensor<D>;
  /** a moved by 0.5 towards zero, and 0 within 0.5 of it. Written into the tensor itself. */
  softshrink_(options?: SoftshrinkOptions): this;
  /** a / (1 + |a|). */
  softsign(options?: OpOptions): Tensor<Floated<D>>;
  /** a / (1 + |a|). Written into the tensor itself. */
  softsign_(): this;
  /** The distance from a to the next number away from zero, with the sign of a. */
  spacing(options?: OpOptions): Tensor<D>;
  /** The distance from a to the next number away from zero, with the sign of a. Written into the tensor itself. */
  spacing_(): this;
  /** Spherical Bessel function of the first kind of order 0, sin(a) / a: j₀(a) = sin(a) / a. */
  sphericalBesselJ0(options?: OpOptions): Tensor<Floated<D>>;
  /** Spherical Bessel function of the first kind of order 0, sin(a) / a: j₀(a) = sin(a) / a. Written into the tensor itself. */
  sphericalBesselJ0_(): this;
  /** Square root of a; NaN below zero. */
  sqrt(options?: OpOptions): Tensor<Floated<D>>;
  /** Square root of a; NaN below zero. Written into the tensor itself. */
  sqrt_(): this;
  /** Square of a; a bool is squared as int64. */
  square(options?: OpOptions): Tensor;
  /** Square of a; a bool is squared as int64. Written into the tensor itself. */
  square_(): this;
  /** Difference of a and b. */
  sub<B extends Operand>(b: B, options?: OpOptions & SubOptions): Tensor<Common<D, B>>;
  /** Difference of a and b. Written into the tensor itself. */
  sub_(b: Operand, options?: SubOptions): this;
  /** Difference of a and b. The same as sub. */
  subtract<B extends Operand>(b: B, options?: OpOptions & SubOptions): Tensor<Common<D, B>>;
  /** Difference of a and b. The same as sub. Written into the tensor itself. */
  subtract_(b: Operand, options?: SubOptions): this;
  /** Tangent of a in radians. */
  tan(options?: OpOptions): Tensor<Floated<D>>;
  /** Tangent of a in radians. Written into the tensor itself. */
  tan_(): this;
  /** Hyperbolic tangent of a. */
  tanh(options?: OpOptions): Tensor<Floated<D>>;
  /** Hyperbolic tangent of a. Written into the tensor itself. */
  tanh_(): this;
  /** a - tanh(a). */
  tanhshrink(options?: OpOptions): Tensor<Floated<D>>;
  /** a - tanh(a). Written into the tensor itself. */
  tanhshrink_(): this;
  /** Second derivative of the logarithm of the gamma function: ψ'(a) = Σ 1 / (a + k)² over k from 0. */
  trigamma(options?: OpOptions): Tensor<Floated<D>>;
  /** Second derivative of the logarithm of the gamma function: ψ'(a) = Σ 1 / (a + k)² over k from 0. Written into the tensor itself. */
  trigamma_(): this;
  /** Quotient of a and b; integers are divided as float32. The same as div. */
  trueDivide<B extends Operand>(b: B, options?: OpOptions & DivOptions): Tensor<Divided<Common<D, B>>>;
  /** Quotient of a and b; integers are divided as float32. The same as div. Written into the tensor itself. */
  trueDivide_(b: Operand, options?: DivOptions): this;
  /** Whole part of a, rounded towards zero. */
  trunc(options?: OpOptions): Tensor<D>;
  /** Whole part of a, rounded towards zero. Written into the tensor itself. */
  trunc_(): this;
  /** b where the condition a holds, c elsewhere; as a method of tensors, mask.where(b, c). */
  where(b: Operand, c: Operand, options?: OpOptions): Tensor;
  /** b where the condition a holds, c elsewhere; as a method of tensors, mask.where(b, c). Written into the tensor itself. */
  where_(b: Operand, c: Operand): this;
  /** a log(1 + b), and 0 where a is 0. */
  xlog1py<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** a log(1 + b), and 0 where a is 0. Written into the tensor itself. */
  xlog1py_(b: Operand): this;
  /** a log(b), and 0 where a is 0. */
  xlogy<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** a log(b), and 0 where a is 0. Written into the tensor itself. */
  xlogy_(b: Operand): this;
  /** Hurwitz's zeta function: the sum of (b + k)^-a over k from 0: ζ(a, b) = Σ (b + k)^-a over k from 0. */
  zeta<B extends Operand>(b: B, options?: OpOptions): Tensor<Floated<Common<D, B>>>;
  /** Hurwitz's zeta function: the sum of (b + k)^-a over k from 0: ζ(a, b) = Σ (b + k)^-a over k from 0. Written into the tensor itself. */
  zeta_(b: Operand): this;
}

// The class stands below this file, so its methods are declared from here.
declare module "./tensor.js" {
  interface Tensor<out D extends DTypeName = AnyDType> extends OpMethods<D> {}
}
