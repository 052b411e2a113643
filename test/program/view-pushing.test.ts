// Views of values that a compiled function computes: the bits and strides of the separate calls, and few kernels.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { rounding as filled, shown } from "../support/shown.js";

beforeAll(useAnyDevice);

type T = jl.Tensor;

interface Case {
  readonly kernels: number;
  readonly body: (x: T, y: T, row: T) => T | readonly T[];
}

// Over two matrices of 40 x 30 and a row of 30.
const cases: Readonly<Record<string, Case>> = {
  "a transposed result": { kernels: 1, body: (x) => x.sin().mul(2).T.exp() },
  "a transposed result beside an operand": { kernels: 1, body: (x, y) => x.mul(y).T.add(y.T) },
  "part of a result": { kernels: 1, body: (x, y) => x.mul(y).narrow(0, 3, 20).slice(":, ::2").abs() },
  "a result backwards": { kernels: 1, body: (x) => x.add(1).slice("::-1").mul(x) },
  "a result in another shape": {
    kernels: 1,
    body: (x) => x.mul(0.5).reshape(10, 4, 30).transpose(0, 1).sin(),
  },
  "a diagonal": { kernels: 1, body: (x) => x.add(1).diagonal().mul(2) },
  "a flat result": { kernels: 1, body: (x, y) => x.mul(y).flatten().add(1) },
  "one row of a result": { kernels: 1, body: (x, _, row) => x.add(row).select(0, 7).mul(row) },
  "a row repeated": { kernels: 1, body: (x, _, row) => x.mul(row).T.add(1) },
  "maps with common operands": {
    kernels: 1,
    body: (x, y) => {
      const d = x.sub(y);
      return d.mul(d).add(d.sigmoid()).T.sqrt();
    },
  },
  "two views, one after the other": { kernels: 1, body: (x, y) => x.add(1).T.mul(y.T).narrow(0, 2, 9).exp() },
  "the same part twice": {
    kernels: 1,
    body: (x) => {
      const y = x.exp();
      return y.T.mul(y.T.add(1));
    },
  },
  "a sum of a flat result": { kernels: 1, body: (x, y) => x.mul(y).flatten().sum() },
  "rows of a result": { kernels: 1, body: (x) => x.mul(2).reshape(40, 3, 10).sum(-1) },
  "columns of a transposed result": { kernels: 1, body: (x) => x.mul(2).T.sum(0) },
  "rows of a transposed result": { kernels: 1, body: (x, y) => x.mul(y).T.max(-1) },
  "softmax of a result in another shape": {
    kernels: 1,
    body: (x) => {
      const z = x.mul(0.5).reshape(80, 15);
      const e = z.sub(z.max({ dim: -1, keepdim: true })).exp();
      return e.div(e.sum({ dim: -1, keepdim: true }));
    },
  },
  // What is needed as it is, is stored.
  "a result that is returned too": {
    kernels: 2,
    body: (x) => {
      const y = x.sin();
      return [y, y.T.add(1)];
    },
  },
  // Seen through several views, a value is computed for each.
  "a result and its transposed one": {
    kernels: 1,
    body: (x) => {
      const y = x.narrow(0, 0, 30).exp();
      return y.add(y.T);
    },
  },
  // Two operands read across their rows take longer than one.
  "a product and its transposed one": {
    kernels: 2,
    body: (x, y) => {
      const z = x.narrow(0, 0, 30).mul(y.narrow(0, 0, 30));
      return z.add(z.T);
    },
  },
  "two halves": {
    kernels: 1,
    body: (x, y) => {
      const [a, b] = x.mul(y).chunk(2, 1) as [T, T];
      return a.sigmoid().mul(b);
    },
  },
  "every other element and the others": {
    kernels: 1,
    body: (x) => {
      const y = x.sin();
      return y.slice(":, ::2").mul(y.slice(":, 1::2")).add(1);
    },
  },
  "an element and its neighbors": {
    kernels: 1,
    body: (x) => {
      const y = x.mul(0.5);
      const inside = y.narrow(1, 1, 28);
      return inside
        .mul(2)
        .sub(y.narrow(1, 0, 28))
        .sub(y.narrow(1, 2, 28));
    },
  },
  "parts in a reduction and in a map": {
    kernels: 2,
    body: (x) => {
      const y = x.add(1);
      return [y.narrow(0, 0, 10).sum(), y.narrow(0, 10, 30).exp()];
    },
  },
  "rows of parts": {
    kernels: 1,
    body: (x, y) => {
      const [a, b] = x.add(y).chunk(2, 0) as [T, T];
      return a.sub(a.max({ dim: -1, keepdim: true })).mul(b.sum({ dim: -1, keepdim: true }));
    },
  },
  "views of views": {
    kernels: 1,
    body: (x) => {
      const y = x.mul(2);
      const z = y.narrow(1, 1, 29).sub(y.narrow(1, 0, 29));
      return z.narrow(1, 1, 28).mul(z.narrow(1, 0, 28));
    },
  },
  // Elements that a view repeats are computed again where that costs little.
  "an expanded result": { kernels: 1, body: (x, _, row) => row.mul(2).unsqueeze(0).expand(40, 30).mul(x) },
  "a row for all rows": { kernels: 1, body: (x, _, row) => x.mul(row.add(1)) },
  "a column and a row": {
    kernels: 1,
    body: (_x, _y, row) => {
      const y = row.mul(2);
      return y.unsqueeze(1).sub(y.unsqueeze(0));
    },
  },
  "a long function for all rows": { kernels: 2, body: (x, _, row) => x.mul(row.digamma()) },
  "a long function and its neighbors": {
    kernels: 2,
    body: (x) => {
      const y = x.digamma();
      return y.narrow(1, 1, 29).sub(y.narrow(1, 0, 29));
    },
  },
  "sums for all rows": { kernels: 2, body: (x) => x.add(x.sum(0).mul(2)) },
  "more views than a kernel should compute": {
    kernels: 2,
    body: (x) => {
      const y = x.mul(2);
      return Array.from({ length: 9 }, (_, i) => y.narrow(1, i, 20)).reduce((sum, one) => sum.add(one));
    },
  },
  // A row repeats in the result, so it has no flat view.
  "a flat result with a row": { kernels: 2, body: (x, _, row) => x.mul(row).flatten().add(1) },
  "a diagonal of a result with a row": { kernels: 2, body: (x, _, row) => x.add(row).diagonal().mul(2) },
  // The maps also compute something else.
  "a part of what softmax computes": {
    kernels: 2,
    body: (x) => {
      const e = x.sub(x.max({ dim: -1, keepdim: true })).exp();
      return e.div(e.sum({ dim: -1, keepdim: true })).T.mul(2);
    },
  },
};

describe.each(["float32", "float16"] as const)("%s", (dtype) => {
  test.each(Object.entries(cases))("%s", (_, { body, kernels }) => {
    const f = jl.compile(body);
    const args = () => [filled([40, 30], dtype), filled([40, 30], dtype).neg(), filled([30], dtype)] as const;
    const want = shown(body(...args()));
    expect(shown(f(...args()))).toEqual(want);
    expect(shown(f(...args()))).toEqual(want);
    expect(f.report()).toMatchObject({ misses: [], programs: [{ kernels }] });
  });
});

test("a write between a result and its view has the order of the function", () => {
  const body = (x: T) => {
    const y = x.mul(2);
    x.narrow(0, 0, 1).fill_(7);
    return [y.T.add(1), x.add(1).T.mul(3), x];
  };
  expect(shown(jl.compile(body)(filled([4, 5], "float32")))).toEqual(shown(body(filled([4, 5], "float32"))));
});

test("a closure keeps a result of which there are several copies", () => {
  let kept: T | undefined;
  const f = jl.compile((x: T) => {
    kept = x.mul(2);
    return kept.narrow(0, 0, 3).add(kept.narrow(0, 1, 3));
  });
  const x = filled([4, 5], "float32");
  const want = x
    .mul(2)
    .narrow(0, 0, 3)
    .add(x.mul(2).narrow(0, 1, 3));
  for (let call = 0; call < 2; call++) {
    expect(shown(f(x))).toEqual(shown(want));
    expect(f.program()?.kernels).toHaveLength(1);
    expect(shown(kept as T)).toEqual(shown(x.mul(2)));
  }
});

test("a write between a result and its views", () => {
  const body = (x: T) => {
    const y = x.mul(2);
    x.narrow(0, 0, 1).fill_(7);
    return [y.narrow(0, 0, 3).add(y.narrow(0, 1, 3)), x];
  };
  expect(shown(jl.compile(body)(filled([4, 5], "float32")))).toEqual(shown(body(filled([4, 5], "float32"))));
});

test("a result that a closure keeps has its elements in its own order", () => {
  let kept: T | undefined;
  const f = jl.compile((x: T) => {
    kept = x.mul(2);
    return kept.T.add(1);
  });
  const x = filled([4, 5], "float32");
  f(x);
  expect(shown(kept as T)).toEqual(shown(x.mul(2)));
});
