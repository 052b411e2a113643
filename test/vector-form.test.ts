// What the cpu's loops do for speed may not show in the values: an element's result is the same wherever it stands in a
// tensor, whatever stands beside it, and whether its loop ran in vector registers or not.
import { describe, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import { compiler } from "./support/functor-harness.js";

const odd = [0, -0, 1e-45, -1e-40, 3e38, -3e38, 7e4, -7e4, 69999.99, 1e22, Infinity, -Infinity, NaN];

/** Ordinary arguments of many sizes, and one odd one among every `every` of them. */
function mixed(count: number, every: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => {
    if (i % every === every - 1) return odd[Math.floor(i / every) % odd.length] ?? 0;
    return Math.sin(i * 12.9898) * 2 ** ((i % 40) - 24);
  });
}

const bits = (tensor: jl.Tensor): number[] => {
  const values = Float32Array.from(tensor.toArray() as number[]);
  // Not a number is one value, whatever its bits.
  return Array.from(new Uint32Array(values.buffer), (word, i) => (Number.isNaN(values[i]) ? -1 : word));
};

const names = [
  "sin",
  "cos",
  "tan",
  "exp",
  "exp2",
  "expm1",
  "log",
  "log2",
  "log10",
  "log1p",
  "tanh",
  "sigmoid",
];

describe.skipIf(!compiler)("values do not depend on the loop", () => {
  test.each(names)("%s", (name) => {
    const apply = (x: jl.Tensor): jl.Tensor => (x as unknown as Record<string, () => jl.Tensor>)[name]!();
    const on = { device: "cpu" } as const;
    const values = mixed(1031, 37);
    const whole = bits(apply(jl.tensor(values, on)));
    // Blocks of 256 without an odd argument, and each argument alone.
    const calm = mixed(1031, 5000);
    const calmWhole = bits(apply(jl.tensor(calm, on)));
    const alone = (all: Float32Array, i: number) => bits(apply(jl.tensor(all.slice(i, i + 1), on)))[0];
    for (let i = 0; i < values.length; i += 7) {
      expect(whole[i], `${name}(${values[i]})`).toBe(alone(values, i));
      expect(calmWhole[i], `${name}(${calm[i]})`).toBe(alone(calm, i));
    }
    // Every second element, which is another kernel.
    const strided = bits(apply(jl.tensor(values, on).slice("::2")));
    expect(strided).toEqual(whole.filter((_, i) => i % 2 === 0));
    const column = bits(
      apply(jl.tensor(calm.slice(0, 1024), on).view(32, 32).T)
        .contiguous()
        .view(1024),
    );
    const turned = Array.from({ length: 1024 }, (_, i) => calmWhole[(i % 32) * 32 + Math.floor(i / 32)]);
    expect(column).toEqual(turned);
  });
});
