// Reductions over rows with the maps around them, compiled: the bits of the separate calls, and one kernel.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { sendTo } from "../../dist/runtime/launch/sink.js";
import { Collector } from "../../dist/runtime/program/schedule/collect.js";
import { device, useAnyDevice } from "../support/device.js";
import { rowPrograms } from "../support/row-programs.js";
import { rounding, shown } from "../support/shown.js";

beforeAll(useAnyDevice);

const isGpu = device.startsWith("cuda");
const dtypes = ["float32", "float16", "bfloat16", "float64"] as const;
// Of each number of threads and words that rows have, whole and not; fewer of them for other dtypes.
const lengths = [1, 3, 16, 17, 64, 70, 300, 1024, 1030, 2052, 8192] as const;
const fewLengths = [3, 33, 300, 1030] as const;

/** A matrix of values that round in every dtype; misaligned where it begins one element late. */
function matrix(rows: number, length: number, dtype: jl.DTypeName, late: number): jl.Tensor {
  const size = rows * length;
  return rounding([size + late], dtype)
    .narrow(0, late, size)
    .reshape(rows, length);
}

interface Call {
  readonly what: string;
  readonly args: readonly [x: jl.Tensor, gain: jl.Tensor, bias: jl.Tensor];
}

function callsOf(dtype: jl.DTypeName): Call[] {
  return (dtype === "float32" ? lengths : fewLengths).flatMap((length) =>
    [0, 1].map((late): Call => {
      const row = (at: number) => matrix(1, length, dtype, at).select(0, 0);
      const x = matrix(length > 1000 ? 3 : 13, length, dtype, late);
      return { what: `rows of ${length}, ${late} late`, args: [x, row(0), row(1)] };
    }),
  );
}

describe.each(dtypes)("%s", (dtype) => {
  // Compiled together beforehand, on all cores: one by one the kernels take most of the time.
  beforeAll(() => {
    const collector = new Collector();
    sendTo(collector);
    for (const body of Object.values(rowPrograms)) {
      for (const { args } of callsOf(dtype)) {
        body(...args);
        jl.compile(body)(...args);
      }
    }
    sendTo(undefined);
    collector.compile((error) => {
      throw error;
    });
  }, 600_000);

  test.each(Object.entries(rowPrograms))("%s has the bits of the separate calls", (_, body) => {
    const f = jl.compile(body);
    for (const { what, args } of callsOf(dtype)) {
      expect(shown(f(...args)), what).toEqual(shown(body(...args)));
      const { launches } = jl.record(() => f(...args));
      if (isGpu || (args[0].shape[1] as number) <= 4096) expect(launches, what).toHaveLength(1);
    }
  });
});

// A processor takes long rows where there are many, in several parts; on a GPU they are several kernels.
test.skipIf(isGpu)("many long rows are one kernel, also of a reduction of many parts", () => {
  for (const length of [5000, 16_400]) {
    const args = [
      matrix(16, length, "float32", 1),
      ...[0, 1].map((at) => matrix(1, length, "float32", at).select(0, 0)),
    ] as const;
    for (const body of Object.values(rowPrograms)) {
      const f = jl.compile(body);
      expect(shown(f(...(args as Call["args"])))).toEqual(shown(body(...(args as Call["args"]))));
      expect(f.program()?.kernels).toHaveLength(1);
    }
  }
});

// A processor takes them in bundles; the last one of a task may be incomplete.
test("many short rows, adjacent, at a distance, broadcast and transposed", () => {
  const body = (x: jl.Tensor, gain: jl.Tensor) => x.sub(x.mean({ dim: -1, keepdim: true })).mul(gain);
  for (const length of [1, 2, 7, 15, 31]) {
    const gain = matrix(1, length, "float32", 0).select(0, 0);
    const x = matrix(700, length, "float32", 1);
    for (const view of [x, x.slice("::2"), ...(length === 7 ? [matrix(7, 700, "float32", 0).T] : [])]) {
      const got = jl.compile(body)(view, gain);
      expect(shown(got), `strides ${view.strides}`).toEqual(shown(body(view, gain)));
    }
  }
});

// Ties, NaN and both zeros, of which the first one counts.
test.each(["float32", "float16", "float64", "int32", "uint8"] as const)(
  "the place of the smallest and largest element of many short rows of %s",
  (dtype) => {
    const odd = dtype.startsWith("float") ? [Number.NaN, -0, Number.POSITIVE_INFINITY] : [7, 1, 9];
    const elements = [0, ...odd, 2, 2, 0, 3, 3, ...odd.toReversed(), 3, 5, 5];
    for (const length of [1, 2, 7, 16, 31]) {
      const x = jl.tensor(
        Array.from({ length: 300 * length }, (_, i) => elements[(i * i + i) % 15] as number),
      );
      const rows = x.to(dtype).reshape(300, length);
      const body = (y: jl.Tensor) => [
        y.add(y).argmin(1),
        y.add(1).argmax(1),
        y.mul(2).min(1),
        y.mul(2).max(1),
      ];
      for (const view of [rows, rows.slice("::2"), rows.slice(":, ::-1")])
        expect(shown(jl.compile(body)(view)), `${length}`).toEqual(shown(body(view)));
    }
  },
);

test("rows of several dimensions, at a distance, broadcast and read backwards", () => {
  const x = matrix(6, 40, "float32", 0);
  const views = [
    x.reshape(2, 3, 40),
    x.narrow(1, 0, 33),
    x.slice("::2"),
    x.slice("::-1"),
    x.reshape(2, 3, 40).transpose(0, 1),
  ];
  for (const view of views) {
    const softmax = rowPrograms.softmax as (x: jl.Tensor) => jl.Tensor;
    const ofTwo = (y: jl.Tensor) =>
      y
        .sum({ dim: [-2, -1], keepdim: true })
        .mul(y)
        .add(x.select(0, 0).narrow(0, 0, y.shape.at(-1) as number));
    for (const body of [softmax, ofTwo]) {
      const [got] = [jl.compile((y: jl.Tensor) => body(y))(view)];
      expect(shown(got)).toEqual(shown(body(view)));
    }
  }
});

test("what is written in place, returned twice and looked at later", () => {
  const body = (x: jl.Tensor) => {
    const most = x.max({ dim: -1, keepdim: true });
    x.sub_(most);
    const e = x.exp();
    x.narrow(0, 0, 1).copy_(most.expand(4, 70).narrow(0, 1, 1));
    return [e, e.sum(-1), most, x];
  };
  const [a, b] = [matrix(4, 70, "float32", 0), matrix(4, 70, "float32", 0)];
  expect(shown(jl.compile(body)(a))).toEqual(shown(body(b)));
});

test("maps of one element a row, which the kernel of the rows computes", () => {
  const body = (x: jl.Tensor, w: jl.Tensor) => {
    const share = w.mul(2).add(1).relu().unsqueeze(1);
    const y = x.mul(share);
    return y.sub(y.mul(share).sum({ dim: 1, keepdim: true }).div(share));
  };
  for (const [rows, length] of [
    [7, 5],
    [64, 33],
    [3, 700],
  ] as const) {
    const [x, w] = [matrix(rows, length, "float32", 0), matrix(1, rows, "float32", 0).select(0, 0)];
    const f = jl.compile(body);
    expect(shown(f(x, w))).toEqual(shown(body(x, w)));
    expect(f.program()?.kernels).toHaveLength(1);
    // A result that others need is computed once.
    const both = (x: jl.Tensor, w: jl.Tensor) => [body(x, w), w.mul(2).add(1).relu()];
    const g = jl.compile(both);
    expect(g(x, w).map(shown)).toEqual(both(x, w).map(shown));
  }
});

test("more views of one tensor than a kernel has room for", () => {
  const x = matrix(1, 60 * 8, "float32", 0).reshape(60, 8);
  const body = () => {
    let y = x.narrow(0, 0, 4).sub(x.narrow(0, 0, 4).max({ dim: -1, keepdim: true }));
    for (let i = 1; i < 50; i++) y = y.add(x.narrow(0, i, 4));
    return y;
  };
  expect(shown(jl.compile(body)())).toEqual(shown(body()));
});
