// Functions as people write them, for the translator: each is run by V8 and by a kernel. `ulp` is the error that a kernel's
// mathematical functions may have; arithmetic is exact.
import { type DTypeName, math } from "../../dist/runtime/index.js";

export interface ScriptCase {
  readonly fn: (x: number, y: number) => number | boolean;
  readonly ulp?: number;
  /** True where integers give integers; else tensors of integers are refused until the result is said to be a float. */
  readonly integers?: boolean;
  /** The dtypes that its numbers do not fit into. */
  readonly except?: readonly DTypeName[];
}

const square = (v: number) => v * v;
const hypotenuse = (a: number, b: number) => Math.sqrt(square(a) + square(b));
/** What the functions close over. */
export const use = { square, hypotenuse, gain: 2.5, steps: 7, inverted: true, gcd: math.gcd };
const { gain, steps, inverted, gcd } = use;

export const corpus: Readonly<Record<string, ScriptCase>> = {
  // Arithmetic.
  sum: { fn: (x, y) => x + y, integers: true },
  polynomial: { fn: (x) => ((2 * x - 3) * x + 0.5) * x - 1 / 3 },
  quotient: { fn: (x, y) => (x + 1) / (y * y + 1) },
  thirds: { fn: (x) => x * (1 / 3) + 7 / 2 - 1 / 4 },
  remainder: { fn: (x, y) => x % (y + 0.25) },
  negativeRemainder: { fn: (x) => (x * 10) % 3, integers: true },
  negation: { fn: (x, y) => -x - -y + +x, integers: true },
  power: { fn: (x, y) => Math.abs(x) ** y, ulp: 2 },
  powersOfOne: { fn: (x, y) => 1 ** (x / 0) + (-1) ** (y / 0) },
  roots: { fn: (x) => Math.sqrt(Math.abs(x)) * Math.cbrt(x), ulp: 2 },
  literals: { fn: (x) => x * 1e-3 + 0x1f - 0b11 + 1_000 + 2.5e2 + 4294967296 },
  fround: { fn: (x, y) => Math.fround(x / 3) + Math.fround(y) },
  // Mathematical functions.
  swish: { fn: (x) => x / (1 + Math.exp(-1.5 * x)), ulp: 4 },
  gaussian: { fn: (x, y) => Math.exp(-(x * x + y * y) / 2) / Math.sqrt(2 * Math.PI), ulp: 4 },
  logistic: { fn: (x) => 1 / (1 + Math.exp(-x)), ulp: 4 },
  circle: { fn: (x, y) => Math.sin(x) ** 2 + Math.cos(x) ** 2 + 0 * y, ulp: 4 },
  angle: { fn: (x, y) => Math.atan2(y, x), ulp: 2 },
  distance: { fn: (x, y) => Math.hypot(x, y), ulp: 2 },
  logs: {
    fn: (x) => Math.log(x * x + 1) + Math.log2(x * x + 2) + Math.log10(x * x + 3) + Math.log1p(x * x),
    ulp: 4,
  },
  hyperbolic: { fn: (x) => Math.tanh(x) + Math.sinh(x) ** 2 + Math.cosh(x), ulp: 8 },
  inverse: { fn: (x) => Math.asin(x / 100) + Math.acos(x / 100) + Math.atan(x), ulp: 4 },
  inverseHyperbolic: { fn: (x) => Math.asinh(x) + Math.acosh(x * x + 1) + Math.atanh(x / 100), ulp: 4 },
  constants: { fn: (x) => x * Math.PI + Math.E - Math.SQRT2 * Math.LN2 + Number.EPSILON },
  // Rounding and comparison.
  rounding: {
    fn: (x) => Math.floor(x) + 10 * Math.ceil(x) + 100 * Math.round(x) + 1000 * Math.trunc(x),
    integers: true,
  },
  halves: { fn: (x) => Math.round(x / 2) + Math.round(-x / 2), integers: true },
  fraction: { fn: (x) => x - Math.floor(x), integers: true },
  signs: { fn: (x, y) => Math.sign(x) * 2 + Math.sign(y), integers: true },
  magnitude: { fn: (x, y) => Math.abs(x - y), integers: true },
  extremes: { fn: (x, y) => Math.max(x, y) - Math.min(x, y, 1), integers: true },
  clamp: { fn: (x) => Math.min(Math.max(x, -2), 2), integers: true },
  inRange: { fn: (x, y) => x > -1 && x <= y, integers: true },
  either: { fn: (x, y) => x < -2 || !(y >= 0), integers: true },
  different: { fn: (x, y) => x !== y, integers: true },
  kinds: { fn: (x) => Number.isNaN(x / 0 - x / 0) || !Number.isFinite(x), integers: true },
  wholeness: { fn: (x) => Number.isInteger(x), integers: true },
  wholeChoices: {
    fn: (x) =>
      Number(Number.isInteger(x >= 1 ? 1e3 : x)) +
      2 * Number(Number.isSafeInteger(x >= 1 ? x : 2 ** 53)) +
      4 * Number(Number.isSafeInteger(x / 2)) +
      8 * Number(Number.isSafeInteger(x | 0)),
    integers: true,
  },
  safeExtreme: { fn: (x) => Math.min(Number.MIN_SAFE_INTEGER, x), integers: true, except: ["int32"] },
  // Branches.
  leaky: { fn: (x) => (x > 0 ? x : x * 0.125) },
  early: {
    fn: (x, y) => {
      if (x > y) return x;
      if (x < -y) return -x;
      return 0;
    },
    integers: true,
  },
  piecewise: {
    fn: (x) => {
      let r = 0;
      if (x < -1) {
        r = -1;
      } else if (x < 1) {
        r = x;
      } else {
        r = 1;
      }
      return r;
    },
    integers: true,
  },
  nested: { fn: (x, y) => (x > 0 ? (y > 0 ? 1 : 4) : y > 0 ? 2 : 3), integers: true },
  booleans: {
    fn: (x, y) => {
      const positive = x > 0;
      let flag = positive === y > 0;
      if (inverted) flag = !flag;
      return flag ? 1 : 0;
    },
    integers: true,
  },
  counted: { fn: (x, y) => Number(x > 0) + Number(y > 0), integers: true },
  // Loops.
  mandelbrot: {
    fn: (x, y) => {
      let a = 0;
      let b = 0;
      let n = 0;
      while (n < 50 && a * a + b * b < 4) {
        const t = a * a - b * b + x;
        b = 2 * a * b + y;
        a = t;
        n++;
      }
      return n;
    },
    integers: true,
  },
  series: {
    fn: (x) => {
      let sum = 0;
      let term = 1;
      for (let k = 1; k < 20; k++) {
        sum += term;
        term *= x / k;
      }
      return sum;
    },
  },
  newton: {
    fn: (x) => {
      let r = 1;
      for (let i = 0; i < 30; i += 1) r = 0.5 * (r + Math.abs(x) / r);
      return r;
    },
  },
  leaving: {
    fn: (x) => {
      let n = 0;
      for (;;) {
        n += 2;
        if (n % 3 === 0) continue;
        if (n > Math.abs(x) * 4) break;
      }
      return n;
    },
    integers: true,
  },
  doubleLoop: {
    fn: (x, y) => {
      let sum = 0;
      for (let i = 0; i < 4; i++) for (let j = i; j < 4; j++) sum += i * x + j * y;
      return sum;
    },
    integers: true,
  },
  factorial: {
    fn: (x) => {
      let p = 1;
      for (let i = 2; i <= Math.abs(x) * 5; i++) p *= i;
      return p;
    },
    except: ["int32", "int64"],
  },
  fibonacci: {
    fn: (x) => {
      let a = 0;
      let b = 1;
      for (let i = 0; i < Math.abs(x) * 20; i++) {
        const t = a + b;
        a = b;
        b = t;
      }
      return a;
    },
    except: ["int32", "int64"],
  },
  collatz: {
    fn: (x) => {
      let n = Math.floor(Math.abs(x) * 3) + 1;
      let count = 0;
      while (n > 1) {
        n = n % 2 === 0 ? n / 2 : 3 * n + 1;
        count++;
      }
      return count;
    },
    integers: true,
  },
  doWhile: {
    fn: (x) => {
      let v = x;
      do v = v / 2;
      while (Math.abs(v) > 1);
      return v;
    },
  },
  counters: {
    fn: (x) => {
      let b = (x < 0 ? -2147483648 : 2147483647) | 0;
      const c = x < 0 ? b-- : b++;
      let d = b;
      d += x < 0 ? -3 : 3;
      let n = 0;
      for (let i = 0; i < 40_000; i++) n += 60_000;
      return b + d - c + n;
    },
    integers: true,
    except: ["int32", "float16"],
  },
  // Bits.
  bits: { fn: (x, y) => ((x * 7) | 0) ^ ((y * 5) & 0xff), integers: true },
  zeros: { fn: (x) => 1 / (x | 0) + 1 / ~~(x / 8) + 1 / (x >> 0) },
  shifts: { fn: (x, y) => (x << 3) + (y >> 1) + ((x * y) >>> 28) + ~x, integers: true },
  hash: {
    fn: (x, y) => {
      let h = 0x811c9dc5 | 0;
      for (let i = 0; i < 4; i++) {
        h = Math.imul(h ^ (x * 1000 + i), 16777619);
        h ^= h >>> 13;
        h = (h * 31 + y * 10) | 0;
      }
      return h;
    },
    integers: true,
    except: ["float32", "float16"],
  },
  xorshift: {
    fn: (x) => {
      let s = (x * 1e6) | 1;
      s ^= s << 13;
      s ^= s >>> 17;
      s ^= s << 5;
      return (s >>> 0) / 4294967296;
    },
  },
  wideConversion: {
    fn: (x, y) => ((x * 1e12) | 0) + ((y * 1e15) >>> 0),
    except: ["float32", "float16", "int32", "int64"],
  },
  leadingZeros: { fn: (x) => Math.clz32(x * 1000), integers: true },
  popcount: {
    fn: (x) => {
      let n = (x * 12345) | 0;
      let count = 0;
      while (n !== 0) {
        n &= n - 1;
        count++;
      }
      return count;
    },
    integers: true,
  },
  // Functions and captured values.
  helpers: { fn: (x, y) => hypotenuse(x, y) + square(x - 1) },
  captured: { fn: (x) => gain * x + steps },
  local: {
    fn: (x, y) => {
      const mix = (a: number, t: number) => a * (1 - t) + y * t;
      function cube(v: number) {
        return v * square(v);
      }
      return mix(x, 0.25) + cube(y);
    },
  },
  operations: { fn: (x, y) => math.lerp(x, y, 0.25) + math.maximum(x, y) + math.relu(x) },
  special: { fn: (x) => math.i0(x) + math.erf(x) + math.lgamma(x + 200), ulp: 64 },
  divisors: { fn: (x, y) => gcd(Math.trunc(x) | 0, Math.trunc(y * 4) | 0), integers: true },
  // What minifiers write.
  sideEffects: {
    fn: (x, y) => {
      let t = x;
      // biome-ignore lint/suspicious/noAssignInExpressions: minified code assigns so
      const r = t * (t = y) + t++ * 2 + --t;
      t += 1;
      return r + t;
    },
    integers: true,
  },
};
