// Functions of numbers that the JavaScript of a kernel calls.
interface Complex {
  readonly re: number;
  readonly im: number;
}
type Round = (x: number) => number;

const { fround } = Math;
const two63 = 2 ** 63;
const word = new DataView(new ArrayBuffer(8));

function nearestEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest === 0 || !Number.isFinite(x)) return x;
  const near = rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
  return near === 0 && x < 0 ? -0 : near;
}

const two32 = 2 ** 32;

/** The low and the high 32 bits of a whole number; of a negative one those of its complement by two. */
function words(x: number | bigint): readonly [low: number, high: number] {
  if (typeof x === "number" && x >= 0) return [x % two32, Math.floor(x / two32)];
  const bits = BigInt.asUintN(64, BigInt(x));
  return [Number(bits & 0xffffffffn), Number(bits >> 32n)];
}

/** The high 32 bits of a product of 32-bit numbers. */
function highProduct(x: number, y: number): number {
  const [x0, x1, y0, y1] = [x & 0xffff, x >>> 16, y & 0xffff, y >>> 16];
  const middle = x1 * y0 + Math.floor((x0 * y0) / 65536);
  return x1 * y1 + Math.floor(middle / 65536) + Math.floor(((middle % 65536) + x0 * y1) / 65536);
}

const lowProduct = (x: number, y: number) => Math.imul(x, y) >>> 0;

/** Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011): 64 bits for an element of a stream. Without bigints, which are slow. */
function randomBits(element: number, stream: number | bigint, seed: number): bigint {
  const [low, high] = words(element);
  // Two elements share a block.
  let [c0, c1] = [((low >>> 1) | (high << 31)) >>> 0, high >>> 1];
  let [c2, c3] = words(stream);
  let [k0, k1] = words(seed);
  for (let round = 0; round < 10; round++) {
    const [p0, p1] = [highProduct(0xd2511f53, c0), highProduct(0xcd9e8d57, c2)];
    const [l0, l1] = [lowProduct(0xd2511f53, c0), lowProduct(0xcd9e8d57, c2)];
    [c0, c1, c2, c3] = [(p1 ^ c1 ^ k0) >>> 0, l1, (p0 ^ c3 ^ k1) >>> 0, l0];
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  const second = Math.abs(element % 2) === 1;
  return (BigInt(second ? c3 : c1) << 32n) | BigInt(second ? c2 : c0);
}

/** By the names that the translator writes. */
export const helpers = {
  fround,
  same: (x: number) => x,
  nearestEven,
  awayFromZero: (x: number) => (x < 0 ? -Math.floor(0.5 - x) : Math.floor(x + 0.5)),
  power: (x: number, y: number) =>
    x === 1 || y === 0 ? 1 : x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY ? 1 : x ** y,
  powerOfTwo: (x: number) => 2 ** x,
  remainder: (x: number, y: number) => x % y,
  multipliedAndAdded: (x: number, y: number, z: number) => x * y + z,
  polynomialAt: (x: number, c: ArrayLike<number>, at: number, count: number) => {
    let sum = 0;
    for (let i = count - 1; i >= 0; i--) sum = sum * x + (c[at + i] as number);
    return sum;
  },
  smaller: (x: number, y: number) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  larger: (x: number, y: number) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  withSign: (x: number, y: number) => (isNegative(y) ? -Math.abs(x) : Math.abs(x)),
  reciprocal: (x: number) => 1 / x,
  reciprocalRoot: (x: number) => 1 / Math.sqrt(x),
  scaledByPower: (x: number, y: number) => x * 2 ** y,
  isInfinite: (x: number) => Math.abs(x) === Number.POSITIVE_INFINITY,
  isNegative,
  trailingZeros: (x: number | bigint) => {
    if (typeof x === "number") return 31 - Math.clz32(x & -x);
    const low = Number(x & 0xffffffffn);
    return low ? 31 - Math.clz32(low & -low) : 63 - Math.clz32(Number(x >> 32n) & -Number(x >> 32n));
  },
  integer: (x: number | bigint) => {
    if (typeof x === "number") return x;
    const number = Number(x);
    return number >= two63 ? two63 - 1024 : number;
  },
  isNonzero: ({ re, im }: Complex) => re !== 0 || im !== 0,
  areEqual: (a: Complex, b: Complex) => a.re === b.re && a.im === b.im,
  rounded: ({ re, im }: Complex): Complex => ({ re: fround(re), im: fround(im) }),
  complex_negative: ({ re, im }: Complex): Complex => ({ re: -re, im: -im }),
  complex_sum: (a: Complex, b: Complex, r: Round): Complex => ({ re: r(a.re + b.re), im: r(a.im + b.im) }),
  complex_difference: (a: Complex, b: Complex, r: Round): Complex => ({
    re: r(a.re - b.re),
    im: r(a.im - b.im),
  }),
  complex_product: (a: Complex, b: Complex, r: Round): Complex => ({
    re: r(r(a.re * b.re) - r(a.im * b.im)),
    im: r(r(a.re * b.im) + r(a.im * b.re)),
  }),
  complex_quotient: (a: Complex, b: Complex, r: Round): Complex => {
    const wide = Math.abs(b.re) >= Math.abs(b.im);
    const [large, small] = wide ? [b.re, b.im] : [b.im, b.re];
    if (large === 0) return { re: r(a.re / Math.abs(large)), im: r(a.im / Math.abs(large)) };
    const ratio = r(small / large);
    const norm = r(large + r(small * ratio));
    const [re, im] = [r(a.re * ratio), r(a.im * ratio)];
    return { re: r(r(wide ? a.re + im : re + a.im) / norm), im: r(r(wide ? a.im - re : im - a.re) / norm) };
  },
  storeComplex: (array: Float64Array, at: number, value: Complex): Complex => {
    array[at] = value.re;
    array[at + 1] = value.im;
    return value;
  },
  asComplex: (x: unknown, r: Round): Complex => {
    if (typeof x === "object" && x !== null) return { re: r((x as Complex).re), im: r((x as Complex).im) };
    return { re: r(Number(x)), im: 0 };
  },
  asInteger: (x: unknown, name: string): number | bigint => {
    const whole = typeof x === "bigint" ? x : BigInt(Math.trunc(Number.isFinite(Number(x)) ? Number(x) : 0));
    const bits = Number(/\d+$/.exec(name)?.[0]);
    if (name === "uint64") return BigInt.asUintN(64, whole);
    const number = Number(name.startsWith("u") ? BigInt.asUintN(bits, whole) : BigInt.asIntN(bits, whole));
    return number >= two63 ? two63 - 1024 : number;
  },
  checkedQuotient: (x: number, y: number) => (y === 0 ? 0 : Math.trunc(x / y) + 0),
  checkedRest: (x: number, y: number) => (y === 0 ? 0 : (x % y) + 0),
  checkedQuotientBig: (x: bigint, y: bigint) => (y === 0n ? 0n : x / y),
  checkedRestBig: (x: bigint, y: bigint) => (y === 0n ? 0n : x % y),
  randomBits,
  keyOfDouble: (x: number, isTurned: boolean): bigint => {
    if (Number.isNaN(x)) return -(2n ** 63n);
    word.setFloat64(0, x + 0);
    const bits = word.getBigInt64(0);
    const key = bits ^ ((bits >> 63n) & (2n ** 63n - 1n));
    return isTurned ? ~key : key;
  },
  isBelow: (x: number, y: number): boolean =>
    x >= 0 && y >= 0 ? x < y : BigInt.asUintN(64, BigInt(x)) < BigInt.asUintN(64, BigInt(y)),
  unreachable: (): never => {
    throw new Error("A form for ordinary arguments was called.");
  },
};

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}
