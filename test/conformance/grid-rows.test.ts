// The row kernels of a GPU by threads of the host: rows that fill all words of their threads have a form without tests of
// their end, with the bits of the form that has them, and rows that several blocks share have the bits of reductions and maps.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { compiler } from "../support/functor-harness.js";
import { type GridKernel, type GridOptions, onGrid } from "../support/grid-device.js";
import { rowPrograms } from "../support/row-programs.js";
import { shown } from "../support/shown.js";
import { sumInOrder } from "../support/sum-in-order.js";

beforeAll(() => jl.setDevice("cpu"));

type Rows = (...values: jl.Tensor[]) => jl.Tensor | readonly jl.Tensor[];

/** A matrix, aligned or not, and two rows. */
function operands(rows: number, length: number, late: number): [jl.Tensor, jl.Tensor, jl.Tensor] {
  const row = () => jl.randn([length + late]).narrow(0, late, length);
  return [
    jl
      .randn([rows * length + late])
      .narrow(0, late, rows * length)
      .reshape(rows, length),
    row(),
    row(),
  ];
}

/** Runs a program of one kernel, compiled. */
function compiled(body: Rows, args: readonly jl.Tensor[], options: GridOptions = {}) {
  const { result, launches } = onGrid(() => jl.compile(body)(...args), options);
  expect(launches).toHaveLength(1);
  return { made: [result].flat(), kernel: launches[0] as GridKernel };
}

/** The greatest difference between two tensors. */
const distance = (a: jl.Tensor, b: jl.Tensor) =>
  a.to("float64").sub(b.to("float64")).abs().max().item() as number;

describe.skipIf(!compiler)("full rows of a GPU on the host (needs a C++ compiler)", () => {
  test.each(Object.entries(rowPrograms))("%s", { timeout: 120_000 }, (_, body) => {
    for (const [rows, length, late] of [
      [11, 1024, 0],
      [3, 1024, 1],
      [2, 8192, 0],
    ] as const) {
      const full = compiled(body, operands(rows, length, late));
      // The kernel of shorter rows tests where they end.
      const { kernel } = compiled(body, operands(rows, length - 4, late));
      expect([full.kernel.symbol, kernel.symbol]).toEqual([
        expect.stringMatching(/_full_/),
        expect.not.stringMatching(/_full_/),
      ]);
      const args = operands(rows, length, late);
      const [own, other] = [full.kernel, kernel].map(
        (one) => compiled(body, args, { instead: () => one }).made,
      ) as [jl.Tensor[], jl.Tensor[]];
      expect(shown(own), `${rows} rows of ${length}, ${late} late`).toEqual(shown(other));
      [body(...args)].flat().forEach((want, i) => {
        expect(distance(own[i] as jl.Tensor, want)).toBeLessThan(1e-4);
      });
    }
  });

  test.each(Object.entries(rowPrograms))("%s by several blocks", { timeout: 300_000 }, (_, body) => {
    for (const [rows, length, late] of [
      [3, 16_384, 0],
      [2, 16_387, 1],
    ] as const) {
      const args = operands(rows, length, late);
      const { made, kernel } = compiled(body, args, {
        blocksTogether: 4,
        together: ({ blocks }) => blocks / rows,
      });
      expect(kernel.symbol).toContain("_in_16_blocks");
      [body(...args)].flat().forEach((want, i) => {
        const error = distance(made[i] as jl.Tensor, want);
        expect(error, `${rows} rows of ${length}, ${late} late`).toBeLessThan(1e-4);
      });
    }
  });

  const chosen = (index: jl.Tensor) => (x: jl.Tensor, gain: jl.Tensor, bias: jl.Tensor) =>
    (rowPrograms.layernorm as Rows)(x.indexSelect(0, index), gain, bias);

  test("chosen rows in words, and single elements where rows do not lie so", { timeout: 120_000 }, () => {
    const body = chosen(jl.tensor([4, 0, 3, 4, 2], { dtype: "int64" })) as Rows;
    for (const [length, late, isWord] of [
      [1024, 0, true],
      [1024, 1, false],
      [40, 0, true],
      [37, 0, false],
    ] as const) {
      const args = operands(5, length, late);
      const { made, kernel } = compiled(body, args);
      expect(/const Chosen</.test(kernel.source), `rows of ${length}, ${late} late`).toBe(isWord);
      const error = distance(made[0] as jl.Tensor, body(...args) as jl.Tensor);
      expect(error, `rows of ${length}, ${late} late`).toBeLessThan(1e-5);
    }
  });

  test("a chosen row out of bounds", { timeout: 120_000 }, () => {
    const body = chosen(jl.tensor([1, 5], { dtype: "int64" })) as Rows;
    expect(() => onGrid(() => [jl.compile(body)(...operands(5, 1024, 0))].flat()[0]?.toArray())).toThrow(/5/);
  });

  test("sums of rows by many blocks in the order of parts", { timeout: 300_000 }, () => {
    const length = 18 * 8192 + 5;
    const x = jl.randn([1, length]);
    const { made } = compiled((y) => y.sub(y.sum(-1, { keepdim: true }).mul(1e-6)), [x], {
      blocksTogether: 128,
      together: ({ blocks }) => blocks,
    });
    const sum = sumInOrder((x.toArray() as number[][])[0] as number[], "row", true);
    expect(shown(made)).toEqual(shown(x.sub(Math.fround(sum * Math.fround(1e-6)))));
  });
});
