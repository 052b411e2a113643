// Operands that are dense along another dimension than the result: tiles of every size, whole and cut, against copies.
import { beforeAll, describe, expect, test } from "vitest";
import { layoutClass } from "../../dist/runtime/codegen/maps/layout-class.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { MapKernel } from "../../dist/runtime/launch/launcher.js";
import type { LoadedKernel } from "../../dist/runtime/launch/loaded-kernel.js";
import type { MapOperation } from "../../dist/runtime/launch/operation.js";
import { requestOf } from "../../dist/runtime/launch/requests.js";
import { nestOf, specOf, viewsOf } from "../../dist/runtime/launch/resolve.js";
import { type Sink, sendTo } from "../../dist/runtime/launch/sink.js";
import { useAnyDevice } from "../support/device.js";
import { compiler } from "../support/functor-harness.js";
import { hostGrid, hostKernel } from "../support/grid-host.js";

beforeAll(useAnyDevice);

const numbers = (shape: number[], dtype: jl.DTypeName) => {
  const count = shape.reduce((product, extent) => product * extent, 1);
  return jl
    .arange(count)
    .remainder(113)
    .to(dtype)
    .view(...shape);
};

describe("tiles", () => {
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
    const a = jl.linspace(-8, 8, 3 * 40 * 70).view(3, 40, 70);
    const turned = jl
      .linspace(0, 9, 3 * 40 * 70)
      .view(3, 70, 40)
      .transpose(1, 2);
    expect(a.add(turned).toArray()).toEqual(a.add(turned.contiguous()).toArray());
    const out = jl.empty([3, 40, 70]);
    turned.mul(1e4).sin({ out });
    expect(out.toArray()).toEqual(turned.mul(1e4).contiguous().sin().toArray());
  });

  test.each([
    [32, 32],
    [33, 70],
    [129, 64],
  ])("outputs in two memory orders, %i by %i", (rows, columns) => {
    const plain = () => numbers([rows, columns], "float32");
    const turned = () => plain().T.clone().T;
    const step = (list: jl.Tensor[]) => {
      for (const one of list) one.mul_(3).add_(1);
      return list.map((one) => one.sub(2));
    };
    const own = [turned(), plain(), turned(), plain()];
    const made = jl.compile(step)(own);
    const wanted = plain().mul(3).add(1);
    for (const one of own) expect(one.equal(wanted)).toBe(true);
    for (const one of made) expect(one.equal(wanted.sub(2))).toBe(true);
  });

  test("operands beyond the buffers of tiles", () => {
    const turned = [1, 2, 3, 4].map((by) => numbers([40, 33], "complex128").mul(by).T);
    const plain = numbers([33, 40], "complex128");
    const sum = (x: jl.Tensor, list: jl.Tensor[]) => list.reduce((all, one) => all.add(one), x);
    expect(jl.compile(sum)(plain, turned).toArray()).toEqual(sum(plain, turned).toArray());
  });
});

/** Runs a call of one map by the text that a GPU gets, on threads of the host. */
function onGrid(call: () => unknown): string {
  let source = "";
  const run = ({ functor, inputs: operands, options }: MapOperation) => {
    const views = viewsOf(options.out, operands);
    const layout = layoutClass(nestOf(functor, views, options), views, true);
    const target = { ...getDevice("cpu").target, dialect: hostGrid };
    const spec = specOf(functor, operands, options, layout, target);
    const request = requestOf(spec, target);
    source = request.source;
    const { threads, perThread } = request.division;
    const run = hostKernel(source, request.symbol);
    const i64 = new BigInt64Array(64);
    const [i32, u32] = [new Int32Array(i64.buffer), new Uint32Array(i64.buffer)];
    const kernel = {
      fill: () => ({ i64, i32, u32 }),
      formFor: () => kernel,
      over: (elements: number) => Math.ceil(elements / (threads * perThread)),
      launch: (blocks: number) => run(i64, blocks, threads),
    };
    const out = options.out as jl.Tensor[];
    new MapKernel(spec, kernel as unknown as LoadedKernel).launch(out, operands, layout.nest, options);
    return out;
  };
  sendTo({ name: "grid", take: run } as unknown as Sink);
  try {
    call();
  } finally {
    sendTo(undefined);
  }
  return source;
}

describe.skipIf(!compiler)("tiles of a GPU on the host (needs a C++ compiler)", () => {
  beforeAll(() => jl.setDevice("cpu"));

  const pair = jl.jit((a: number, b: number) => ({ sum: a + b, difference: a - b }), { name: "pair" });

  test.each([
    [64, 33, "float32"],
    [40, 70, "float64"],
  ] as const)("outputs in two memory orders, %i by %i, %s", (rows, columns, dtype) => {
    const plain = numbers([rows, columns], dtype);
    const turned = numbers([columns, rows], dtype).T;
    const empty = (shape: number[]) => jl.full(shape, -1, { dtype });
    const call = (a: jl.Tensor, b: jl.Tensor) => {
      const out = [empty([rows, columns]), empty([columns, rows]).T] as const;
      return { out, run: () => pair(a, b, { out }) };
    };
    const { out, run } = call(plain, turned);
    expect(onGrid(run)).toContain("tiled2");
    expect(out[0].toArray()).toEqual(plain.add(turned).toArray());
    expect(out[1].toArray()).toEqual(plain.sub(turned).toArray());
  });
});
