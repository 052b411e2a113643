// Number theory on integers.
import { binary, type Op } from "./op.js";
import { byKind } from "./reference/scalar.js";

const exact = { float32: 0, float64: 0 } as const;

const magnitude = (a: bigint) => (a < 0n ? -a : a);
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? magnitude(a) : gcd(b, a % b));
const lcm = (a: bigint, b: bigint): bigint => (a === 0n || b === 0n ? 0n : magnitude((a / gcd(a, b)) * b));
const onlyIntegers = () => Number.NaN;

export const integer = {
  gcd: binary({
    rule: "integersOnly",
    functor: "jl::gcd(a, b)",
    needs: ["wrapping", "arithmetic", "integer"],
    heavy: true,
    reference: byKind({ integer: gcd, real: onlyIntegers }),
    domain: [-1000, 1000],
    ulp: exact,
    doc: "Greatest common divisor of a and b, not negative; a signed dtype's lowest number where the divisor is its magnitude.",
    numpy: "np.gcd",
    example: 'jl.gcd(jl.tensor([12, 18, 7], { dtype: "int32" }), 6) // [6, 6, 1]',
    commutative: true,
  }),
  lcm: binary({
    rule: "integersOnly",
    functor: "jl::lcm(a, b)",
    needs: ["wrapping", "arithmetic", "integer"],
    heavy: true,
    reference: byKind({ integer: lcm, real: onlyIntegers }),
    domain: [-1000, 1000],
    ulp: exact,
    doc: "Least common multiple of a and b; wraps where it does not fit the dtype.",
    numpy: "np.lcm",
    example: 'jl.lcm(jl.tensor([4, 6, 7], { dtype: "int32" }), 6) // [12, 6, 42]',
    commutative: true,
  }),
} as const satisfies Record<string, Op>;
