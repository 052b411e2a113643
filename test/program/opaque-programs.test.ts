// Operations of whole tensors in compiled functions, such as sorts and matrix products: opaque steps of their programs.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useDevice } from "../support/device.js";
import { shown } from "../support/shown.js";

type Body = (x: jl.Tensor, w: jl.Tensor) => jl.Tensor | jl.Tensor[];

const table = (rows: number, columns: number) =>
  jl
    .arange(rows * columns)
    .view(rows, columns)
    .mul(0.37)
    .sin();

/** Writes by indexes; the first argument is also written in place. */
const writes: readonly (readonly [string, (x: jl.Tensor, i: jl.Tensor) => jl.Tensor | jl.Tensor[]])[] = [
  [
    "indexAdd of maps",
    (x, i) =>
      x
        .mul(2)
        .indexAdd(0, i.add(1), x.narrow(0, 0, 3).mul(3))
        .add(1),
  ],
  ["scatter of columns", (x, i) => x.T.scatter(1, i.view(1, 3), 7).add(1)],
  ["means of groups", (x, i) => x.scatterReduce(0, i.view(3, 1).expand(3, 4), x, "mean").mul(2)],
  [
    "writes into a result",
    (x, i) => {
      const y = x.add(1);
      y.indexPut_([i, i], 4, { accumulate: true }).mul_(2).set([":", i], 3);
      return [y, y.add(1)];
    },
  ],
  [
    "between other writes into an argument",
    (x, i) => {
      const before = x.mul_(2).add(1);
      const after = x.indexAdd_(0, i, before.narrow(0, 0, 3)).add(1);
      return [before, after, x.sub_(1)];
    },
  ],
  ["into a view of an argument", (x, i) => [x.T.scatterAdd_(0, i.view(3, 1), x.T.add(1)), x.add(1)]],
  ["of the argument's own rows", (x, i) => x.indexCopy_(0, i, x.narrow(0, 2, 3))],
];

describe("a write by indexes in a compiled function", () => {
  beforeAll(useDevice);

  test.each(writes)("%s", (_, body) => {
    const thrice = (fn: typeof body) => {
      const x = table(6, 4);
      const results = [1, 2, 3].map(() => shown(fn(x, jl.tensor([1n, 3n, 1n]))));
      return [results, shown(x)];
    };
    const want = thrice(body);
    const compiled = jl.compile(body, { fullGraph: true });
    expect(thrice(compiled)).toEqual(want);
    expect(compiled.report()).toMatchObject({ calls: 3, hits: 2, misses: [], breaks: [] });
    for (const backend of ["steps", "eager"] as const)
      expect(thrice(jl.compile(body, { backend }))).toEqual(want);
    expect(jl.explain(compiled, table(6, 4), jl.tensor([1n, 3n, 1n])).length).toBeGreaterThan(0);
  });

  test("that refuses an index names it, and leaves its tensor and later writes undone", () => {
    const body = (x: jl.Tensor, i: jl.Tensor) => {
      x.mul_(2);
      x.indexAdd_(0, i.add(1), x.narrow(0, 0, 3).neg());
      x.add_(5);
    };
    const [want, got] = [table(6, 4), table(6, 4)];
    const indexes = jl.tensor([0n, 9n, 1n]);
    const error = /index 10 at position \[1\] of the index tensor is outside dimension 0/;
    expect(() => body(want, indexes)).toThrow(error);
    expect(() => jl.compile(body)(got, indexes)).toThrow(error);
    expect(shown(got)).toEqual(shown(want));
    const last = jl.compile((x: jl.Tensor, i: jl.Tensor) => void x.mul_(2).indexFill_(0, i.add(1), 7));
    expect(() => last(got, indexes)).toThrow(error);
    expect(() => last(got, indexes)).toThrow(/indexFill_ of .*opaque-programs/);
    expect(shown(got)).toEqual(shown(want.mul_(4)));
  });
});

/** Draws with a tensor's elements as probabilities or rates. */
const draws: readonly (readonly [string, (x: jl.Tensor) => jl.Tensor | jl.Tensor[]])[] = [
  ["bernoulli", (x) => x.sigmoid().bernoulli().mul(x)],
  [
    "bernoulli of halves, in another order",
    (x) =>
      x
        .sigmoid()
        .to("float16")
        .T.bernoulli()
        .add(jl.rand([10, 6])),
  ],
  ["bernoulli_", (x) => [x.bernoulli_(0.3).add(1), x.mul(2)]],
  [
    "poisson",
    (x) =>
      x
        .exp()
        .mul(5)
        .poisson()
        .add(jl.randn([6, 10])),
  ],
  ["poisson before a write", (x) => [x.exp().poisson().add(1), x.mul_(2)]],
  ["multinomial", (x) => x.exp().multinomial(4).add(1)],
  [
    "multinomial with replacement",
    (x) =>
      x
        .exp()
        .multinomial(12, { replacement: true })
        .mul(jl.rand([6, 12])),
  ],
];

describe("a draw in a compiled function", () => {
  beforeAll(useDevice);

  test.each(draws)("%s", (_, body) => {
    const often = (fn: typeof body) => {
      jl.manualSeed(5);
      const x = table(6, 10);
      const results = Array.from({ length: 6 }, () => shown(fn(x)));
      return [results, shown(x), shown(jl.rand([2]))];
    };
    const want = often(body);
    const compiled = jl.compile(body, { fullGraph: true });
    expect(often(compiled)).toEqual(want);
    expect(compiled.report()).toMatchObject({ calls: 6, hits: 5, misses: [], breaks: [] });
    for (const options of [{ backend: "steps" }, { backend: "eager" }, { replay: true }] as const)
      expect(often(jl.compile(body, options))).toEqual(want);
  });

  test("is explained with the test of its elements, which runs once", () => {
    const compiled = jl.compile((x: jl.Tensor) => x.sigmoid().bernoulli().add(x.exp().poisson()));
    const x = table(6, 10);
    const launched = jl.record(() => compiled(x)).launches.map(({ op }) => op);
    expect(launched.filter((op) => op === "all" || op === "any")).toHaveLength(2);
    expect(jl.explain(compiled, x).map(({ op }) => op)).toEqual(launched);
  });

  test.each<[string, (x: jl.Tensor) => jl.Tensor, RegExp]>([
    ["bernoulli", (x) => x.bernoulli(), /bernoulli: an element is not a probability/],
    ["poisson", (x) => x.poisson(), /poisson: an element is below 0/],
    ["multinomial", (x) => x.multinomial(1), /multinomial: 1 samples of \[2\] probabilities/],
  ])("%s that refuses an element leaves later draws and writes undone", (_, draw, error) => {
    const use = (x: jl.Tensor) => {
      jl.rand([2]);
      x.mul_(2);
      const drawn = draw(x);
      jl.rand([2]);
      x.add_(5);
      return drawn;
    };
    const unused = (x: jl.Tensor) => void draw(x.neg()).add(jl.rand([2]).sum());
    for (const body of [use, unused]) {
      const left = (fn: (x: jl.Tensor) => unknown) => {
        jl.manualSeed(5);
        const x = jl.tensor(body === use ? [0.25, -1] : [-0.25, 1]);
        expect(() => fn(x)).toThrow(error);
        return [shown(x), shown(jl.rand([2]))];
      };
      const want = left(body);
      expect(left(jl.compile(body))).toEqual(want);
      expect(left(jl.compile(body, { replay: true }))).toEqual(want);
    }
  });

  test("is replayed unless its elements may be refused", () => {
    const report = (body: (x: jl.Tensor) => jl.Tensor) => {
      const step = jl.compile(body, { replay: true });
      const x = table(6, 10);
      for (let call = 0; call < 6; call++) step(x);
      return step.report();
    };
    expect(report((x) => jl.zeros([6, 10]).bernoulli_(0.5).mul(x))).toMatchObject({
      replayed: 2,
      unreplayed: [],
    });
    const { replayed, unreplayed } = report((x) => x.sigmoid().bernoulli());
    expect([replayed, unreplayed.join()]).toEqual([0, expect.stringContaining("elements may be refused")]);
  });
});

describe("an opaque step of a compiled function", () => {
  beforeAll(useDevice);

  // Each with the names of the program's kernels and opaque steps on a processor.
  const cases: readonly (readonly [string, Body, string])[] = [
    [
      "sort",
      (x) => {
        const { values, indices } = x.mul(2).sort();
        return [values.add(1), indices];
      },
      "mul sort add",
    ],
    ["sort of columns", (x) => x.neg().sort(0, { descending: true }).values.mul(3), "neg sort fused_mul"],
    ["argsort", (x) => x.add(1).argsort(1).add(1), "add argsort add"],
    ["topk", (x) => x.mul(2).topk(3).values.neg(), "mul sort fused_neg"],
    [
      "topk of many",
      (x) => {
        const { values, indices } = x.expand(300, 6, 10).reshape(-1).mul(2).topk(3);
        return [values.neg(), indices.add(1)];
      },
      "copy mul select gather sort fused_gather_neg_add",
    ],
    ["kthvalue", (x) => x.mul(2).kthvalue(3).values.neg(), "mul sort fused_neg"],
    ["median of columns", (x) => x.mul(2).median(0).values.neg(), ""],
    ["median of many", (x) => x.expand(300, 6, 10).reshape(-1).mul(2).median().neg(), ""],
    ["quantiles", (x) => x.mul(2).quantile([0.3, 0.6], 1).neg(), ""],
    ["mode", (x) => x.mul(2).round().mode(1).values.neg(), "fused_mul_round sort mode neg"],
    ["searchsorted", (x) => x.reshape(-1).sort().values.searchsorted(x.mul(2)).add(1), ""],
    ["isin", (x) => x.round().isin(jl.arange(3)).logicalNot(), ""],
    ["matmul", (x, w) => x.mul(2).matmul(w.sin()).add(1).relu(), "mul sin matmul fused_add_relu"],
    ["transposed factors", (x, w) => w.T.mul(2).matmul(x.T).add(1), "mul matmul add"],
    ["factors that are views", (x, w) => x.add(1).slice(":, ::2").matmul(w.slice("::2")).T.mul(2), ""],
    ["two layers", (x, w) => x.matmul(w).relu().matmul(w.T).softmax(1), ""],
    ["halves", (x, w) => x.to("float16").matmul(w.to("float16")).add(1), ""],
    ["integers", (x, w) => x.mul(10).to("int8").matmul(w.mul(10).to("int8")).add(1), ""],
    ["a batch", (x, w) => x.expand(3, 6, 10).matmul(w).add(1), ""],
    ["einsum", (x, w) => jl.einsum("ij,jk->ki", x, w).mul(2), "matmul mul"],
    ["addmm", (x, w) => x.select(1, 0).unsqueeze(1).addmm(x, w).mul(2), "matmul fused_add_mul"],
    ["mv and dot", (x, w) => x.mv(w.select(1, 0)).exp().dot(x.select(1, 0)), "matmul exp matmul"],
    ["cdist", (x) => x.add(1).cdist(x).argmin(1), "add cdist argmin"],
    ["histc", (x) => x.mul(2).histc(4, -1, 1).mul(3), "mul range tally fused_copy_mul"],
    ["histc of many", (x) => x.expand(300, 6, 10).mul(2).histc(4, -1, 1).mul(3), ""],
    [
      "histogram",
      (x) => {
        const { hist, binEdges } = x.mul(2).histogram(5, { range: [-1, 2], weight: x.exp(), density: true });
        return [hist.mul(2), binEdges];
      },
      "",
    ],
    ["histogram by boundaries", (x) => x.histogram(x.select(0, 1).sort().values).hist.add(1), ""],
    [
      "nothing",
      (x, w) => [x.slice(":0").add(1).matmul(w).sort(0).values, x.slice(":, :0").matmul(w.slice(":0"))],
      "",
    ],
    [
      "writes into its operand and its result",
      (x, w) => {
        const own = x.add(1);
        const product = own.matmul(w);
        own.fill_(2);
        product.add_(1);
        return [product, own.matmul(w)];
      },
      "",
    ],
  ];

  test.each(cases)("%s", (_, body, kernels) => {
    const [x, w] = [table(6, 10), table(10, 7).cos()];
    const want = shown(body(x, w));
    const compiled = jl.compile(body, { fullGraph: true });
    expect(shown(compiled(x, w))).toEqual(want);
    expect(shown(compiled(x, w))).toEqual(want);
    expect(compiled.report()).toMatchObject({ calls: 2, hits: 1, misses: [], breaks: [] });
    if (kernels !== "" && device === "cpu")
      expect(
        compiled
          .program()
          ?.kernels.map(({ name }) => name)
          .join(" "),
      ).toBe(kernels);
    for (const backend of ["steps", "eager"] as const)
      expect(shown(jl.compile(body, { backend })(x, w))).toEqual(want);
  });

  test("is explained without a launch", () => {
    const x = table(6, 10);
    const compiled = jl.compile((y: jl.Tensor) => y.mul(2).sort().values.matmul(y.T).neg());
    const launched = jl.record(() => compiled(x)).launches.map(({ op }) => op);
    const { launches } = jl.record(() => {
      expect(jl.explain(compiled, x).map(({ op }) => op)).toEqual(launched);
    });
    expect(launches).toEqual([]);
  });

  test("is replayed, and its result may be kept, donated to and computed later", () => {
    const [x, w] = [table(6, 10), table(10, 7)];
    const body = (y: jl.Tensor, v: jl.Tensor) => y.neg().matmul(v).sort().values.add(1);
    const want = shown(body(x, w));
    const replayed = jl.compile(body, { replay: true });
    for (let call = 0; call < 6; call++) expect(shown(replayed(x, w))).toEqual(want);
    expect(replayed.report()).toMatchObject({ replayed: 2, unreplayed: [] });
    expect(shown(jl.compile(body, { donate: [0] })(x.clone(), w))).toEqual(want);
    let kept: jl.Tensor | undefined;
    jl.compile((y: jl.Tensor) => {
      kept = y.matmul(y.T).mul(3);
      y.add(1);
    })(x);
    expect(kept?.data()).toEqual(x.matmul(x.T).mul(3).data());
  });

  test("may follow a map with several results of no elements", () => {
    const parts = jl.compile((x: jl.Tensor) => Object.values(jl.frexp(x.slice(":0").add(1))));
    expect(parts(table(2, 3)).map(({ shape }) => shape)).toEqual([
      [0, 3],
      [0, 3],
    ]);
  });

  test("gives the error of the separate call, with the place of what is wrong", () => {
    const compiled = jl.compile((x: jl.Tensor) => x.add(1).matmul(x));
    expect(() => compiled(table(2, 3))).toThrow(/matmul: the shapes \[2, 3\] and \[2, 3\] do not fit/);
  });
});

test("a product reads the original of a copy, unless the copy is a result or one of them is written", () => {
  const x = jl.arange(0, 36, 1, { dtype: "float32" }).sin().reshape(6, 6);
  const names = (f: { program(): jl.Program | undefined }) => f.program()?.kernels.map(({ name }) => name);
  const bodies: [body: (x: jl.Tensor) => jl.Tensor | jl.Tensor[], kernels: string[]][] = [
    [(a) => a.clone().clone().matmul(a.mul(2)), ["mul", "matmul"]],
    [(a) => a.clone().matmul(a.T.clone()), ["copy", "matmul"]],
    [
      (a) => {
        const copy = a.clone();
        return [copy, copy.matmul(copy)];
      },
      ["copy", "matmul"],
    ],
    [
      (a) => {
        const copy = a.clone();
        copy.narrow(0, 0, 2).fill_(1);
        return copy.matmul(a);
      },
      ["copy", "copy", "matmul"],
    ],
    [
      (a) => {
        const copy = a.clone();
        a.narrow(0, 0, 2).fill_(1);
        return copy.matmul(a);
      },
      ["copy", "copy", "matmul"],
    ],
    [
      (a) => {
        const copy = a.clone();
        a.mul_(3);
        return copy.matmul(copy);
      },
      ["matmul", "mul"],
    ],
  ];
  for (const [body, kernels] of bodies) {
    const [plain, own] = [x.clone(), x.clone()];
    const wanted = shown(body(plain));
    const f = jl.compile(body);
    expect(shown(f(own))).toEqual(wanted);
    expect(shown(own)).toEqual(shown(plain));
    expect(names(f)?.toSorted()).toEqual(kernels.toSorted());
    const replayed = jl.compile(body, { replay: true });
    for (let call = 0; call < 5; call++) {
      const again = x.clone();
      expect(shown(replayed(again))).toEqual(wanted);
      expect(shown(again)).toEqual(shown(plain));
    }
  }
});
