// Gradients of scans that would store much: their steps run again, segment by segment, with the bits of the plain loop.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { device, isCompiled, useDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";
import { refusal } from "../support/refusal.js";

beforeAll(useDevice);

const size = 2 ** 14;
const peak = () => jl.memory.stats().find((one) => one.device === getDevice(device).name)?.peakBytes ?? 0;
type Step = (w: jl.Tensor) => (h: jl.Tensor, x: jl.Tensor) => [jl.Tensor, jl.Tensor?];

const maps: Step = (w) => (h, x) => [h.mul(w).sin().add(x).tanh(), h.mean()];
const products: Step = (w) => (h, x) => {
  const next = h.reshape(-1, 16).matmul(w.slice(":256").reshape(16, 16)).reshape(size).add(x).tanh();
  return [next, next.slice(":3")];
};

/** The loss, and its gradients by what the step reads, the initial carry and the tensors that it goes along. */
function gradients(step: Step, reverse: boolean) {
  const loss = (w: jl.Tensor, h: jl.Tensor, xs: jl.Tensor) => {
    const { carry, ys } = jl.scan(step(w), h, xs, { reverse });
    return carry
      .square()
      .mean()
      .add((ys as jl.Tensor).sum());
  };
  const f = jl.valueAndGrad(loss, { argnums: [0, 1, 2] });
  return (w: jl.Tensor, h: jl.Tensor, xs: jl.Tensor) => {
    const { value, grad } = f(w, h, xs);
    return [value, ...(grad as unknown as jl.Tensor[])];
  };
}

// 625 steps are 25 segments; of the others some are left.
test.skipIf(!isCompiled).each([
  ["maps", maps, 625, false],
  ["maps backwards", maps, 631, true],
  ["products", products, 1301, false],
] as const)("%s have the bits of the plain loop", (_what, step, steps, reverse) => {
  jl.manualSeed(1);
  const [w, h, xs] = [jl.rand([size]).mul(0.1), jl.rand([size]), jl.rand([steps, 1])];
  const f = gradients(step, reverse);
  const before = peak();
  const found = jl.compile(f)(w, h, xs).map(bitsOf);
  // A step stores three tensors of that size.
  if (step === maps && !reverse) expect(peak() - before).toBeLessThan(1.5 * steps * size * 4);
  const want = f(w, h, xs).map(bitsOf);
  expect(found.map((one, i) => JSON.stringify(one) === JSON.stringify(want[i]))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test.skipIf(!isCompiled)("a tensor that is written after the loop is refused", () => {
  const f = jl.compile(
    jl.grad((w: jl.Tensor) => {
      const shift = jl.zeros([size]);
      const step: Step = (w) => (h, x) => [h.mul(w).add(shift).sin().add(x).tanh()];
      const loss = jl.scan(step(w), jl.ones([size]), jl.rand([1400, 1])).carry.sum();
      shift.add_(1);
      return loss;
    }),
  );
  expect(refusal(() => f(jl.rand([size])))).toMatch(
    "no-derivative: scan: a tensor that its step reads was written after the loop",
  );
});
