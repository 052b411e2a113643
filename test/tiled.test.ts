// Operands that are dense along another dimension than the result: tiles of every size, whole and cut, against copies.
import { describe, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import { compiler } from "./support/functor-harness.js";

const on = { device: "cpu" } as const;
const numbers = (shape: number[], dtype: jl.DTypeName) => {
  const count = shape.reduce((product, extent) => product * extent, 1);
  return jl
    .arange(count, on)
    .remainder(113)
    .to(dtype)
    .view(...shape);
};

describe.skipIf(!compiler)("tiles (needs a C++ compiler)", () => {
  test.each([
    [[32, 32], "float32"],
    [[33, 70], "float32"],
    [[129, 64], "float64"],
    [[65, 200], "int8"],
    [[100, 41], "float16"],
    [[40, 130], "complex64"],
  ] as const)("%j %s", (extents, dtype) => {
    const [rows, columns] = extents;
    const a = numbers([rows, columns], dtype);
    const turned = numbers([columns, rows], dtype).T;
    const sum = a.add(turned);
    const kernels = jl.timings().filter((row) => row.op === "add" && row.dtypes[0] === dtype);
    expect(kernels.map((row) => row.variant)).toContain("tiled2");
    expect(sum.toArray()).toEqual(a.add(turned.contiguous()).toArray());
    // Two inputs, one of which has a row only.
    expect(turned.mul(numbers([columns], dtype).add(a)).toArray()).toEqual(
      turned
        .contiguous()
        .mul(numbers([columns], dtype).add(a))
        .toArray(),
    );
  });

  test("more dimensions, and elements whose form depends on their block", () => {
    const a = jl.linspace(-8, 8, 3 * 40 * 70, on).view(3, 40, 70);
    const turned = jl
      .linspace(0, 9, 3 * 40 * 70, on)
      .view(3, 70, 40)
      .transpose(1, 2);
    expect(a.add(turned).toArray()).toEqual(a.add(turned.contiguous()).toArray());
    const out = jl.empty([3, 40, 70], on);
    turned.mul(1e4).sin({ out });
    expect(out.toArray()).toEqual(turned.mul(1e4).contiguous().sin().toArray());
  });
});
