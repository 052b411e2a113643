// A compiled function without replay launches the kept launches of its plan over other memory: its results have the bits of separate calls,
// with operands that begin within a word, results over earlier elements, and scalars that change.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const calls = 6;

/** Calls both functions with arguments of each call, and compares the results. */
function expectAlike(
  run: (...args: never[]) => jl.Tensor[],
  argumentsOf: (call: number) => unknown[],
  donate?: number[],
) {
  const compiled = jl.compile(run, donate ? { donate } : {});
  const kept: jl.Tensor[] = [];
  for (let i = 0; i < calls; i++) {
    const expected = run(...(argumentsOf(i) as never[])).map((one) => one.toArray());
    const found = compiled(...(argumentsOf(i) as never[]));
    expect(
      found.map((one) => one.toArray()),
      `call ${i}`,
    ).toEqual(expected);
    // Earlier results keep their memory, so that later ones have another.
    if (i % 2 === 0) kept.push(...found);
  }
  expect(compiled.report().hits).toBeGreaterThan(calls / 2 - 1);
}

const wave = (i: number, shape: number[]) =>
  jl
    .arange(shape.reduce((a, b) => a * b, 1))
    .add(i)
    .sin()
    .reshape(shape);

test("views that begin within a word", () => {
  const run = (x: jl.Tensor, y: jl.Tensor) => [x.mul(y).add(1).sqrt(), x.sum(0, { keepdim: true }).mul(y)];
  expectAlike(run, (i) => {
    const all = wave(i, [40]).abs();
    return [all.narrow(0, 1, 21), all.narrow(0, 6, 21)];
  });
});

test("writes into parts, of which the sums of shifted views are", () => {
  const run = (x: jl.Tensor) => {
    const sums = jl.zeros([6, 6]);
    for (const [a, b] of [
      [0, 0],
      [1, 2],
      [2, 1],
    ] as const)
      sums.narrow(0, a, 4).narrow(1, b, 4).add_(x);
    return [sums, sums.mul(2).sum(1)];
  };
  expectAlike(run, (i) => [wave(i, [4, 4])]);
});

test("gradients of convolutions", () => {
  const loss = (w: jl.Tensor, x: jl.Tensor) => jl.conv2d(x, w, { padding: 1 }).relu().square().sum();
  const run = (w: jl.Tensor, x: jl.Tensor) => [...jl.grad(loss, { argnums: [0, 1] })(w, x)];
  expectAlike(run, (i) => [wave(i, [3, 2, 3, 3]), wave(2 * i, [2, 2, 5, 5])]);
});

test("scalars, and numbers drawn, that change between calls", () => {
  const run = (x: jl.Tensor, factor: number) => [x.mul(factor).exp().sum(0), x.add(jl.rand([3, 4]))];
  expectAlike(run, (i) => {
    jl.manualSeed(i);
    return [wave(i, [3, 4]), i < 3 ? 0.5 : i];
  });
});

test("indexes out of bounds are refused in every call", () => {
  const compiled = jl.compile((x: jl.Tensor, at: jl.Tensor) => x.mul(2).indexSelect(0, at).add(1));
  for (const at of [0n, 1n, 2n])
    expect(compiled(jl.arange(3), jl.tensor([at])).item()).toBe(Number(at) * 2 + 1);
  expect(() => compiled(jl.arange(3), jl.tensor([3n])).item()).toThrow("index 3");
  expect(compiled(jl.arange(3), jl.tensor([1n])).item()).toBe(3);
});

test("donated arguments, and arguments that are one tensor", () => {
  const run = (x: jl.Tensor, y: jl.Tensor) => [x.add(y).tanh(), y.mul(x)];
  expectAlike(run, (i) => [wave(i, [64]), wave(i + 1, [64])], [0]);
  expectAlike(run, (i) => {
    const x = wave(i, [64]);
    return [x, i % 2 === 0 ? x : wave(i + 1, [64])];
  });
});

test("launches are recorded and timed as before", () => {
  const compiled = jl.compile((x: jl.Tensor) => x.exp().sum(0));
  const x = wave(1, [8]);
  for (let i = 0; i < 3; i++) compiled(x).item();
  const { launches } = jl.record(() => compiled(x).item());
  expect(launches.length).toBe(compiled.program()?.kernels.length);
});
