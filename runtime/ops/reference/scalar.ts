// The host values of references: integers of every width as bigint, bool as boolean, floats as number, complex as `{ re, im
// }`. The caller wraps or rounds the result to the dtype under test.
import type { Scalar } from "../op.js";

/** A complex number of the host. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

/** True for a complex host value. */
export function isComplex(x: Scalar): x is { re: number; im: number } {
  return typeof x === "object";
}

/** Any real host value as a number. */
export function toNumber(x: Scalar): number {
  return isComplex(x) ? x.re : Number(x);
}

/** Any host value as a complex number. */
export function toComplex(x: Scalar): Complex {
  return isComplex(x) ? x : { re: Number(x), im: 0 };
}

/** An integer or boolean host value as a bigint. */
export function toInteger(x: Scalar): bigint {
  return BigInt(isComplex(x) ? x.re : x);
}

/** A reference on numbers, for any real arguments. */
export function onReals<R extends Scalar>(f: (...args: number[]) => R): (...args: Scalar[]) => R {
  return (...args) => f(...args.map(toNumber));
}

/** A reference that depends on the kind of its arguments; default: `real`. */
export function byKind(cases: {
  integer?: (...args: bigint[]) => Scalar;
  real: (...args: number[]) => Scalar;
  complex?: (...args: Complex[]) => Scalar;
}): (...args: Scalar[]) => Scalar {
  const { integer, real, complex } = cases;
  return (...args) => {
    // One or two numbers are by far the most frequent; the rest is slow.
    const [a, b] = args;
    if (typeof a === "number" && args.length === 1) return real(a);
    if (typeof a === "number" && typeof b === "number" && args.length === 2) return real(a, b);
    if (complex && args.some(isComplex)) return complex(...args.map(toComplex));
    const whole = args.every((x) => typeof x === "bigint" || typeof x === "boolean");
    return integer && whole ? integer(...args.map(toInteger)) : real(...args.map(toNumber));
  };
}
