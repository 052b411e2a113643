// The loop nest and its divider, and random shapes, strides and broadcasts against plain loops over host arrays.
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { contiguousStrides } from "../../dist/runtime/geometry/layout.js";
import { loopNest } from "../../dist/runtime/geometry/loop-nest.js";
import * as jl from "../../dist/runtime/index.js";
import { dividerOf } from "../../dist/runtime/launch/argument-writers.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const dense = (shape: number[]) => ({ shape, strides: contiguousStrides(shape) });

describe("the loop nest", () => {
  test("is flat for dense operands of one shape, in any common order", () => {
    expect(loopNest("t", 1, [], [dense([2, 3, 4])]).rank).toBe(0);
    const turned = { shape: [4, 3], strides: [1, 4] };
    const nest = loopNest("t", 1, [], [turned, turned]);
    expect(nest.rank).toBe(0);
    expect(nest.outStrides).toEqual([1, 4]);
  });
  test("merges what every operand walks as one", () => {
    const nest = loopNest("t", 1, [], [dense([2, 3, 4]), { shape: [2, 1, 1], strides: [1, 1, 1] }]);
    expect(nest.sizes).toEqual([12, 2]);
    expect(nest.strides).toEqual([
      [1, 12],
      [1, 12],
      [0, 1],
    ]);
  });
  test("drops dimensions of extent 1 and keeps negative strides", () => {
    const nest = loopNest("t", 1, [], [{ shape: [1, 5], strides: [99, -1] }]);
    expect(nest.sizes).toEqual([5]);
    expect(nest.strides).toEqual([[1], [-1]]);
  });
  test("knows when 32 bits do not suffice", () => {
    expect(loopNest("t", 1, [], [dense([2 ** 31 - 1])]).fits32).toBe(true);
    expect(loopNest("t", 1, [], [dense([2 ** 31])]).fits32).toBe(false);
    expect(loopNest("t", 1, [], [{ shape: [3], strides: [2 ** 30] }]).fits32).toBe(false);
  });
});

test("the divider divides every 31-bit number", () => {
  const below = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), below, (d, n) => {
      const { magic, shift } = dividerOf(d);
      const high = Number((BigInt(n) * BigInt(magic)) >> 32n);
      expect(Math.floor((high + n) / 2 ** shift)).toBe(Math.floor(n / d));
    }),
    { numRuns: 5000 },
  );
  for (const d of [1, 2, 3, 7, 2 ** 16, 2 ** 30, 2 ** 31 - 1]) {
    const { magic, shift } = dividerOf(d);
    for (const n of [0, d - 1, d, 2 ** 31 - 1]) {
      const high = Number((BigInt(n) * BigInt(magic)) >> 32n);
      expect(Math.floor((high + n) / 2 ** shift)).toBe(Math.floor(n / d));
    }
  }
});

type Nested = number | Nested[];
const at = (array: Nested, index: number[]): number =>
  index.reduce<Nested>((part, i) => (part as Nested[])[i] as Nested, array) as number;

/** A random view of a random tensor, with its values on the host. */
const view = (shape: number[]): fc.Arbitrary<jl.Tensor> =>
  fc
    .record({
      steps: fc.array(fc.constantFrom(1, 2, -1), { minLength: shape.length, maxLength: shape.length }),
      turned: fc.boolean(),
      stretched: fc.array(fc.boolean(), { minLength: shape.length, maxLength: shape.length }),
    })
    .map(({ steps, turned, stretched }) => {
      const kept = shape.map((extent, d) => (stretched[d] ? 1 : extent));
      const room = kept.map((extent, d) => extent * Math.abs(steps[d] as number));
      const base = turned
        ? jl
            .arange(product(room))
            .reshape(...[...room].reverse())
            .permute(...room.map((_, d) => room.length - 1 - d))
        : jl.arange(product(room)).reshape(...room);
      const slice = steps.map((step) => (step === 1 ? ":" : `::${step}`)).join(", ");
      return base.slice(slice).to("float32");
    });
const product = (shape: number[]) => shape.reduce((a, b) => a * b, 1);

test("random views broadcast and compute as plain loops do", () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
  const pairs = shapes.chain((shape) => fc.tuple(fc.constant(shape), view(shape), view(shape)));
  fc.assert(
    fc.property(pairs, ([, a, b]) => {
      const sum = jl.sub(a, b);
      const [x, y, got] = [a.toArray(), b.toArray(), sum.toArray()] as [Nested, Nested, Nested];
      const walk = (index: number[]): void => {
        if (index.length === sum.shape.length) {
          const clip = (shape: readonly number[]) => index.map((i, d) => (shape[d] === 1 ? 0 : i));
          expect(at(got, index)).toBe(at(x, clip(a.shape)) - at(y, clip(b.shape)));
          return;
        }
        for (let i = 0; i < (sum.shape[index.length] as number); i++) walk([...index, i]);
      };
      walk([]);
      const out = jl.empty(sum.shape.slice());
      expect(jl.sub(a, b, { out }).toArray()).toEqual(got);
    }),
    { numRuns: 150 },
  );
});
