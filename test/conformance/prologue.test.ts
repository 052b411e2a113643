// Reductions with the maps before them in their kernel, compiled: the bits of the separate calls, and few kernels.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";
import { lossPrograms } from "../support/loss-programs.js";
import { rounding, shown } from "../support/shown.js";

beforeAll(useDevice);

// Rows that no kernel holds, of one part and of several, whole and not; columns of several parts.
const shapes = [
  [2, 8208],
  [3, 70_001],
  [1200, 130],
] as const;

/** A matrix of values that round in every dtype; misaligned where it begins one element late. */
function matrix([rows, length]: readonly [number, number], dtype: jl.DTypeName, late: number): jl.Tensor {
  const size = rows * length;
  return rounding([size + late], dtype)
    .narrow(0, late, size)
    .reshape(rows, length);
}

describe.each(["float32", "float16", "float64"] as const)("%s", (dtype) => {
  test.each(Object.entries(lossPrograms))(
    "%s has the bits of the separate calls",
    { timeout: 120_000 },
    (_, { body, kernels, isSharable }) => {
      const expected = device.startsWith("cuda") && isSharable ? 1 : kernels;
      for (const shape of shapes) {
        for (const late of [0, 1]) {
          const [x, y] = [matrix(shape, dtype, late), matrix(shape, dtype, 1 - late).neg()];
          const row = matrix([1, shape[1]], dtype, late).select(0, 0);
          const f = jl.compile(body);
          const [first, again] = [f(x, y, row), f(x, y, row)];
          const what = `${shape}, ${late} late`;
          expect(shown(first), what).toEqual(shown(body(x, y, row)));
          expect(shown(again), what).toEqual(shown(first));
          // A shorter row is one kernel with all that is around its reductions.
          if (shape[1] < 4096) continue;
          expect(f.report().programs, what).toMatchObject([{ kernels: expected }]);
        }
      }
    },
  );
});

test("what lies across a reduction's order stays a kernel of its own, and so does what is asked for later", () => {
  const x = matrix([300, 130], "float32", 0);
  const turned = jl.compile((y: jl.Tensor) => y.mul(x.T.reshape(300, 130)).mul(y.T.reshape(300, 130)).sum(0));
  expect(shown(turned(x))).toEqual(shown(x.mul(x.T.reshape(300, 130)).mul(x.T.reshape(300, 130)).sum(0)));
  // Each round reads what the last one stored once it is long.
  const rounds = (y: jl.Tensor) => {
    let [value, total] = [y, 0];
    for (let i = 0; i < 40; i++) {
      value = value.mul(0.99).add(0.5);
      total += value.sum().item() as number;
    }
    return [value, value.mul(total)];
  };
  expect(shown(jl.compile(rounds)(x))).toEqual(shown(rounds(x)));
});

test("parts that a later write replaces are read before it", () => {
  const body = (x: jl.Tensor) => {
    const d = x.mul(2);
    x.narrow(0, 0, 1).fill_(7);
    return [d.sum(), d.neg().add(1).mean(0), x];
  };
  expect(shown(jl.compile(body)(matrix([4, 70], "float32", 0)))).toEqual(
    shown(body(matrix([4, 70], "float32", 0))),
  );
});
