// jl.whileLoop in compiled functions: its step is recorded once, with the bits of the plain loop and the stream of its draws.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const random = (...shape: number[]) => jl.randn(shape, { device });
type Loop = (x: jl.Tensor, most: number) => { carry: unknown; steps: number };

/** The tensors of a tree by their keys' order in the alphabet. */
function leavesOf(tree: unknown): jl.Tensor[] {
  if (tree instanceof jl.Tensor) return [tree];
  const keys = Object.keys(tree as object).sort();
  return keys.flatMap((key) => leavesOf((tree as Record<string, unknown>)[key]));
}

/** All bits of a loop's carry and layouts, its steps, and the next draw. */
function endOf(loop: (x: jl.Tensor) => { carry: unknown; steps: number }, x: jl.Tensor) {
  jl.manualSeed(4);
  const { carry, steps } = loop(x);
  const tensors = leavesOf(carry);
  return [steps, tensors.map((one) => ({ ...bitsOf(one), strides: one.strides })), bitsOf(jl.rand([2]))];
}

const loops: Readonly<Record<string, readonly [Loop, ...number[]]>> = {
  "of one element": [
    (x, most) =>
      jl.whileLoop(
        (a) => a.lt(100),
        (a) => a.mul(3).add(1),
        x.abs().sum(),
        { most },
      ),
    3,
  ],
  "of maps": [
    (x, most) =>
      jl.whileLoop(
        (a) => a.amax().lt(9),
        (a) => a.mul(1.5).add(0.5).tanh().add(a),
        x,
        { most },
      ),
    ...[2, 5],
  ],
  "of products": [
    (x, most) => {
      const w = x.mul(0.1).add(jl.eye(3));
      return jl.whileLoop(
        (a) => a.square().sum().lt(40),
        (a) => a.matmul(w).mul(1.3).add(0.1),
        x,
        { most },
      );
    },
    ...[3, 3],
  ],
  "of draws": [
    (x, most) =>
      jl.whileLoop(
        (a) => a.mean().lt(2),
        (a) => a.add(jl.rand([4])),
        x,
        { most },
      ),
    4,
  ],
  "of a tree whose keys change their order": [
    (x, most) =>
      jl.whileLoop(
        ({ last }) => last.lt(10),
        ({ a, n, last }) => ({
          last: last.add(n),
          n: n.add(1),
          a: [a[0], a[0].mul(0.5)] as [jl.Tensor, jl.Tensor],
        }),
        { a: [x, x] as [jl.Tensor, jl.Tensor], n: jl.tensor(0), last: jl.tensor(0) },
        { most },
      ),
    3,
  ],
  "whose first step changes a layout": [
    (x, most) =>
      jl.whileLoop(
        (a) => a.amax().lt(5),
        (a) => a.contiguous().mul(1.3).add(0.1),
        x.T,
        { most },
      ),
    ...[2, 3],
  ],
  "whose steps change the layout": [
    (x, most) =>
      jl.whileLoop(
        (a) => a.amax().lt(5),
        (a) => a.T.mul(1.3).add(0.1),
        x,
        { most },
      ),
    ...[3, 3],
  ],
  "with a loop in its step": [
    (x, most) =>
      jl.whileLoop(
        (a) => a.amax().lt(5),
        (a) => jl.scan((s: jl.Tensor) => [s.mul(1.1).add(0.1)], a, undefined, { length: 3 }).carry,
        x,
        { most },
      ),
    4,
  ],
  "whose step reads elements": [
    (x, most) =>
      jl.whileLoop(
        (a) => a.amax().lt(5),
        (a) => a.add((a.amax().item() as number) > 2 ? 1 : 0.7),
        x,
        { most },
      ),
    4,
  ],
  "that hands on what it got": [
    (x, most) =>
      jl.whileLoop(
        ([, b]: jl.Tensor[]) => (b as jl.Tensor).amax().lt(5),
        ([a, b]: jl.Tensor[]) => [b as jl.Tensor, (a as jl.Tensor).add(1)],
        [x, x.mul(2)],
        { most },
      ),
    3,
  ],
};

describe("whileLoop in a compiled function is the plain loop", () => {
  test.each(Object.entries(loops))("%s", (_what, [loop, ...shape]) => {
    const x = random(...shape);
    for (const most of [0, 1, 2, 3, 40]) {
      const want = endOf((x) => loop(x, most), x);
      const compiled = jl.compile((x: jl.Tensor) => loop(x, most));
      for (let call = 0; call < 3; call++) expect(endOf(compiled, x), `most ${most}`).toEqual(want);
    }
  });

  test("with operations around it", () => {
    const f = (x: jl.Tensor) => {
      const start = x.sin().add(1);
      const { carry, steps } = jl.whileLoop(
        (a) => a.sum().lt(50),
        (a) => a.mul(1.2),
        start,
        { most: 99 },
      );
      return carry.mul(steps).add(start);
    };
    const x = random(5);
    expect(bitsOf(jl.compile(f)(x))).toEqual(bitsOf(f(x)));
  });
});

test("its body runs to be recorded, not for each step", () => {
  let bodies = 0;
  const f = jl.compile((x: jl.Tensor) =>
    jl.whileLoop(
      (a) => a.lt(500),
      (a) => {
        bodies++;
        return a.add(1);
      },
      x,
      { most: 1000 },
    ),
  );
  expect(f(jl.tensor(0)).steps).toBe(500);
  expect(bodies).toBeLessThan(5);
});

test("a step that does something else each time is refused, with its place", () => {
  let i = 0;
  const f = jl.compile((x: jl.Tensor) =>
    jl.whileLoop(
      (a) => a.lt(500),
      (a) => a.add(++i),
      x,
      { most: 1000 },
    ),
  );
  expect(refusal(() => f(jl.tensor(0)))).toMatch(/^impure-step: whileLoop: .*while-loop\.test/);
});
