// Optimizations of the cpu's loops must not change values: an element's result does not depend on its position, its
// neighbors, or on vectorization.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { compiler } from "../support/functor-harness.js";

const odd = [0, -0, 1e-45, -1e-40, 3e38, -3e38, 7e4, -7e4, 69999.99, 1e22, Infinity, -Infinity, NaN];

/** Ordinary arguments of many sizes, and one odd one among every `every` of them. */
function mixed(count: number, every: number, phase = 0): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => {
    if (i % every === every - 1) return odd[Math.floor(i / every + 5 * phase) % odd.length] ?? 0;
    return Math.sin((i + phase) * 12.9898) * 2 ** (((i + phase) % 40) - 24);
  });
}

const bits = (tensor: jl.Tensor): (number | bigint)[] => {
  const values = tensor.data() as Float32Array | Float64Array;
  const { buffer } = values.slice();
  const words =
    values instanceof Float32Array ? [...new Uint32Array(buffer)] : [...new BigUint64Array(buffer)];
  // Not a number is one value, whatever its bits.
  return words.map((word, i) => (Number.isNaN(values[i]) ? -1 : word));
};

const one =
  "sin cos tan exp exp2 expm1 log log2 log10 log1p tanh sigmoid asin acos atan erf erfc ndtr gelu erfinv ndtri silu mish logit sqrt rsqrt cbrt asinh acosh".split(
    " ",
  );
const two = "atan2 hypot fmod remainder floorDivide nextafter pow".split(" ");
const widths = ["float32", "float64"] as const;
/** Functions with a form for ordinary arguments, and an interval of such. */
const shortOfTwo = [
  ["zeta", 1.1, 20],
  ["polygamma", 0.6, 9],
  ["gammainc", 0.5, 16],
  ["gammaincc", 4, 16],
] as const;

describe.skipIf(!compiler)("values do not depend on the loop (needs a C++ compiler)", () => {
  const cases = widths.flatMap((dtype) => [...one, ...two].map((name) => [name, dtype] as const));
  test.each(cases)("%s of %s", (name, dtype) => {
    const apply = (...given: readonly jl.Tensor[]): jl.Tensor => {
      const call = (jl as unknown as Record<string, (...inputs: readonly jl.Tensor[]) => jl.Tensor>)[name];
      return call!(...given.slice(0, two.includes(name) ? 2 : 1));
    };
    const tensors = (count: number, every: number) =>
      [0, 3].map((phase) => jl.tensor(mixed(count, every, phase), { dtype, device: "cpu" }));
    const inputs = tensors(1031, 37);
    const whole = bits(apply(...inputs));
    // Blocks of 256 without an odd argument, and each argument alone.
    const calm = tensors(1031, 5000);
    const calmWhole = bits(apply(...calm));
    const alone = (all: readonly jl.Tensor[], i: number) =>
      bits(apply(...all.map((x) => x.narrow(0, i, 1))))[0];
    for (let i = 0; i < whole.length; i += 7) {
      expect(whole[i], `${name} of number ${i}`).toBe(alone(inputs, i));
      expect(calmWhole[i], `${name} of number ${i} of ordinary ones`).toBe(alone(calm, i));
    }
    // Every second element, which is another kernel.
    const strided = bits(apply(...inputs.map((x) => x.slice("::2"))));
    expect(strided).toEqual(whole.filter((_, i) => i % 2 === 0));
    const turn = (x: jl.Tensor) => x.narrow(0, 0, 1024).view(32, 32).T;
    const column = bits(
      apply(...calm.map(turn))
        .contiguous()
        .view(1024),
    );
    const turned = Array.from({ length: 1024 }, (_, i) => calmWhole[(i % 32) * 32 + Math.floor(i / 32)]);
    expect(column).toEqual(turned);
  });
});

describe.skipIf(!compiler)("short forms of two arguments (need a C++ compiler)", () => {
  const outside = [0, -2.5, 1e-40, 1e30, Infinity, NaN];
  /** Arguments of an interval, and one outside it among every `every` of them. */
  const drawn = (low: number, high: number, every: number, phase: number): Float64Array =>
    Float64Array.from({ length: 1031 }, (_, i) =>
      i % every === every - 1
        ? (outside[(Math.floor(i / every) + phase) % outside.length] ?? 0)
        : low + (high - low) * (0.5 + 0.5 * Math.sin((i + phase) * 12.9898)),
    );
  const cases = widths.flatMap((dtype) =>
    shortOfTwo.map(([name, low, high]) => [name, dtype, low, high] as const),
  );
  test.each(cases)("%s of %s", (name, dtype, low, high) => {
    const call = (jl as unknown as Record<string, (...inputs: readonly jl.Tensor[]) => jl.Tensor>)[name];
    for (const every of [37, 5000]) {
      const inputs = [0, 3].map((phase) => {
        const values = drawn(low, high, every, phase);
        const whole = name === "polygamma" && phase === 0;
        const options = { dtype: whole ? "int32" : dtype, device: "cpu" } as const;
        return jl.tensor(whole ? values.map((x) => (Math.abs(x) < 20 ? Math.round(x) : 7)) : values, options);
      });
      const all = bits(call!(...inputs));
      expect(new Set(all).size).toBeGreaterThan(900);
      for (let i = 0; i < all.length; i += 7)
        expect(bits(call!(...inputs.map((x) => x.narrow(0, i, 1))))[0], `${name} of number ${i}`).toBe(
          all[i],
        );
      expect(bits(call!(...inputs.map((x) => x.slice("::2"))))).toEqual(all.filter((_, i) => i % 2 === 0));
    }
  });
});

describe.skipIf(!compiler)("sine, cosine and tangent in a user's functor (needs a C++ compiler)", () => {
  const functions = { sin: Math.sin, cos: Math.cos, tan: Math.tan };
  const on = { device: "cpu" } as const;
  const jit = (name: string) => jl.jit(`template <typename T> T f(T x) { return ${name}(x); }`);

  test.each(Object.entries(functions))("%s is within 0.51 units of every size of float", (name, exact) => {
    const words = Uint32Array.from({ length: 1 << 18 }, (_, i) => Math.imul(i, 16381) >>> 0);
    const values = new Float32Array(words.buffer);
    const results = jit(name)(jl.tensor(values, on)).data() as Float32Array;
    let worst = 0;
    for (const [i, value] of values.entries()) {
      const expected = exact(value);
      const unit = 2 ** Math.max(Math.floor(Math.log2(Math.abs(expected))) - 23, -149);
      if (Number.isFinite(value)) worst = Math.max(worst, Math.abs((results[i] ?? 0) - expected) / unit);
      else expect(results[i]).toBeNaN();
    }
    expect(worst).toBeGreaterThan(0.49);
    expect(worst).toBeLessThan(0.51);
  });

  test.each(Object.keys(functions))("%s has one value for an argument, wherever it stands", (name) => {
    const f = jit(name);
    const values = Float32Array.from(mixed(1031, 7));
    const whole = bits(f(jl.tensor(values, on)));
    expect(bits(f(jl.tensor(values, on).slice("::2")))).toEqual(whole.filter((_, i) => i % 2 === 0));
    for (let i = 0; i < values.length; i += 7) {
      expect(bits(f(jl.tensor(values.slice(i, i + 1), on)))[0], `${name}(${values[i]})`).toBe(whole[i]);
    }
  });

  test("signed zeros, infinities and NaN", () => {
    const values = jl.tensor([0, -0, Infinity, -Infinity, NaN], on);
    expect(jit("sin")(values).toArray()).toEqual([0, -0, NaN, NaN, NaN]);
    expect(jit("tan")(values).toArray()).toEqual([0, -0, NaN, NaN, NaN]);
    expect(jit("cos")(values).toArray()).toEqual([1, 1, NaN, NaN, NaN]);
  });
});
