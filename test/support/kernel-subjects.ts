// Calls whose kernels are kept as checksums: each kind of map, the programs that other tests run, scans, and calls of the functions of
// whole tensors. No random programs: each new function changes what is drawn. Together they ask for every kind of kernel in most of its forms.
import * as jl from "../../dist/runtime/index.js";
import { epiloguePrograms } from "./epilogue-programs.js";
import { jointPrograms } from "./joint-programs.js";
import { lossPrograms } from "./loss-programs.js";
import { ownRowPrograms } from "./own-row-programs.js";
import { corpus } from "./program-corpus.js";
import { rowPrograms } from "./row-programs.js";
import { textFunctors } from "./text-functors.js";

type T = jl.Tensor;
type Results = T | readonly T[];
type Body = (x: T, y: T, row: T) => Results;

/** A call, and its name. */
export type Subject = readonly [name: string, call: () => unknown];

const filled = (shape: readonly number[], dtype: jl.DTypeName = "float32") => jl.zeros(shape, { dtype });

/** Programs over two matrices and a row of their width, compiled, over matrices of each shape. */
function programs(
  family: string,
  bodies: Readonly<Record<string, Body>>,
  shapes: readonly (readonly [number, number])[],
  dtype: jl.DTypeName = "float32",
): Subject[] {
  return shapes.flatMap((shape) =>
    Object.entries(bodies).map(([name, body]): Subject => {
      const compiled = jl.compile(body);
      const call = () => compiled(filled(shape, dtype), filled(shape, dtype), filled([shape[1]], dtype));
      return [`${family} ${name} ${dtype} ${shape.join("x")}`, call];
    }),
  );
}

function maps(): Subject[] {
  return ["float32", "float16", "float64", "int8", "complex64", "bool"].flatMap((dtype): Subject[] => {
    const make = () => filled([64, 96], dtype as jl.DTypeName);
    const all: Readonly<Record<string, (x: T) => unknown>> = {
      add: (x) => x.add(x),
      row: (x) => x.eq(x.select(0, 0)),
      column: (x) => x.ne(x.select(1, 0).unsqueeze(1)),
      pairs: (x) => x.slice(":, ::2").add(x.slice(":, 1::2")),
      turned: (x) => x.narrow(1, 0, 64).add(x.narrow(1, 0, 64).T),
      late: (x) => x.flatten().narrow(0, 1, 1000).add(1),
      general: (x) =>
        x
          .reshape(4, 16, 8, 12)
          .permute(2, 0, 3, 1)
          .add(x.reshape(8, 4, 12, 16)),
      converted: (x) => x.to("float32"),
    };
    const floats: typeof all = {
      sin: (x) => x.sin(),
      digamma: (x) => x.digamma(),
      gelu: (x) => x.gelu(),
      frexp: (x) => x.frexp(),
      out: (x) => jl.add(x, 2, { out: x.T.contiguous().T }),
    };
    const chosen = dtype.startsWith("float") ? { ...all, ...floats } : all;
    return Object.entries(chosen).map(
      ([name, call]): Subject => [`map ${name} ${dtype}`, () => call(make())],
    );
  });
}

const scans: Readonly<Record<string, Body>> = {
  "maps before it": (x, _, row) => x.sin().mul(row).cumsum(1),
  "columns and maps after them": (x, _, row) => x.cumsum(0).div(row),
  "two results": (x) => [x.neg().cummax(1).indices, x.cummin(0).values.mul(2)],
  "maps on both sides": (x, _, row) => x.add(row).cumsum(1).mul(row),
  "elements used again after it": (x) => x.mul(2).cumsum(1).div(x.mul(2)),
  "a scan of a scan": (x) => x.cumsum(1).mul(2).cumsum(0),
  "rows around it": (x) =>
    x
      .sub(x.mean(1, { keepdim: true }))
      .cumsum(1)
      .add(1),
  "everything in one": (x) => x.flatten().logcumsumexp(0).mul(3),
};

const indexed: Readonly<Record<string, Body>> = {
  "rows of a table": (x, y, row) => [
    x.indexSelect(0, y.select(1, 0).to("int64")).mul(row),
    x.gather(1, y.to("int64")).add(1),
  ],
  "an embedding and its norm": (x, y) => {
    const rows = x.indexSelect(0, y.select(1, 0).to("int32"));
    return rows.sub(rows.mean({ dim: -1, keepdim: true })).exp();
  },
  "a loss by classes": (x, y) =>
    x
      .logSoftmax(1)
      .gather(1, y.narrow(1, 0, 1).to("int64"))
      .neg()
      .mean(),
  "sums into rows": (x, y) => x.mul(2).scatterAdd(0, y.to("int64"), x.add(1)).mul(3),
  "a write in place": (x, y) => {
    x.indexPut_([y.select(1, 0).to("int64")], y.mul(2));
    return x.add(1);
  },
};

const optimizers: Readonly<Record<string, Body>> = {
  "Adam over a list": (x, y) => {
    const given = Array.from(
      { length: 12 },
      (_, i) => [x.narrow(0, 0, 1 + (i % 3)).clone(), y.clone()] as const,
    );
    return given.map(([p, g], i) => p.sub_(g.narrow(0, 0, 1 + (i % 3)).mul(0.1 * i)));
  },
  "clipped by a norm": (x, y) => {
    const given = [x.clone(), y.clone(), x.add(y)];
    const norm = given.map((one) => one.square().sum()).reduce((sum, one) => sum.add(one));
    return given.map((one) => one.mul(norm.sqrt().add(1e-6).reciprocal().clamp(0, 1)));
  },
  "random numbers": (x) => [x.bernoulli().mul(x), jl.randLike(x).add(x), jl.randn([70]).sin()],
  "views of what is computed": (x) => x.mul(2).T.add(x.add(1).T).reshape(-1).slice("::2").exp(),
};

function users(): Subject[] {
  return Object.entries(textFunctors).flatMap(([name, text]) => {
    const own = jl.jit(text) as unknown as (x: T, y: T) => T;
    const alone = jl.jit(text, { fma: true }) as unknown as (x: T, y: T) => T;
    return [
      [`functor ${name}`, () => own(filled([1000]), filled([1000]))] as const,
      [`functor ${name} fma`, () => alone(filled([1000]), filled([1000]))] as const,
      ...programs("functor", { [name]: (x, y) => own(x.mul(2), y).sum(-1) }, [[64, 96]]),
    ];
  });
}

/** Operations of whole tensors, one by one: walks, sorts, selections, products, reductions. */
function functions(): Subject[] {
  const calls: Readonly<Record<string, (x: T, i: T) => unknown>> = {
    sum: (x) => [x.sum(), x.sum(0), x.sum(1), x.T.sum(1)],
    argmax: (x) => [x.argmax(), x.argmax(0), x.argmin(1)],
    moments: (x) => [x.var(0), x.std(), x.norm(), x.logsumexp(0), x.softmax(0)],
    all: (x) => [x.gt(0).all(), x.any(1), x.countNonzero(0), x.prod(0), x.amax([0, 1])],
    scans: (x) => [
      x.cumsum(0),
      x.cumsum(1),
      x.cumprod(1),
      x.cummax(0),
      x.flatten().cumsum(0),
      x.cumsum(1, { dtype: "float64" }),
    ],
    sort: (x) => [
      x.sort(0),
      x.argsort(1),
      x.flatten().sort(),
      x.to("int16").sort(1),
      x.expand(3, ...x.shape).sort(2),
    ],
    selection: (x) => [
      x.topk(3),
      x.flatten().topk(5),
      x.median(1),
      x.quantile(0.3, 0),
      x.kthvalue(2),
      x.mode(1),
    ],
    products: (x) => [x.matmul(x.T), x.mv(x.select(0, 0)), x.to("int8").matmul(x.T.to("int8")), x.cdist(x)],
    batches: (x) => [
      jl.einsum("ij,kj->ik", x, x),
      x.unsqueeze(0).bmm(x.T.unsqueeze(0)),
      x.to("float16").matmul(x.T.to("float16")),
    ],
    indexing: (x, i) => [
      x.gather(1, i),
      x.indexSelect(0, i.select(1, 0)),
      x.take(i),
      x.maskedSelect(x.gt(0)),
      x.nonzero(),
    ],
    writes: (x, i) => [
      x.scatter(1, i, 7),
      x.scatterAdd(0, i, x),
      x.scatterReduce(1, i, x, "amax"),
      x.indexAdd(0, i.select(1, 0), x),
    ],
    counts: (x, i) => [
      x.histc(10, -1, 1),
      i.flatten().bincount(),
      x.unique(),
      i.flatten().uniqueConsecutive(),
      x.isin(x),
    ],
    search: (x) => [x.select(0, 0).searchsorted(x), x.bucketize(x.select(0, 0))],
    moved: (x) => [
      x.flip(0),
      x.roll(3, 1),
      x.tril(),
      jl.cat([x, x], 1),
      jl.stack([x, x]),
      x.pad([1, 2]),
      x.repeat(2, 3),
    ],
    drawn: (x) => [
      jl.rand([33]),
      jl.randn([33]),
      jl.randint(0, 9, [33]),
      jl.randperm(33),
      x.abs().add(1).multinomial(2),
      x.abs().poisson(),
    ],
    made: () => [jl.arange(33), jl.linspace(0, 1, 33), jl.eye(5), jl.full([4], 3)],
    read: (x) => [x.select(0, 0).tolist(), x.sum().item(), x.allclose(x), x.T.data()],
  };
  const shapes = [
    [5, 8],
    [70, 2100],
    [3, 40_000],
  ];
  return Object.entries(calls).flatMap(([name, call]) =>
    shapes.map(
      (shape): Subject => [
        `function ${name} ${shape.join("x")}`,
        () => call(filled(shape), filled(shape, "int64")),
      ],
    ),
  );
}

function ofCorpus(scale: number): Subject[] {
  return Object.entries(corpus).map(([name, { make, run }]): Subject => {
    const through = jl.compile(run);
    return [`corpus ${name} scale ${scale}`, () => [through(make(scale), 0.5), through(make(scale), 0.25)]];
  });
}

const joint = Object.fromEntries(Object.entries(jointPrograms).map(([name, { body }]) => [name, body]));
const epilogues = Object.fromEntries(
  Object.entries(epiloguePrograms).map(([name, { body }]) => [name, body]),
);
const losses = Object.fromEntries(Object.entries(lossPrograms).map(([name, { body }]) => [name, body]));
const rows = Object.fromEntries(
  Object.entries(rowPrograms).map(([name, body]): [string, Body] => [name, (x, _, row) => body(x, row, row)]),
);

const small = [64, 96] as const;
const narrow = [3000, 5] as const;
const long = [3, 20_000] as const;

/** All of them, made when they are called. */
export function kernelSubjects(): readonly Subject[] {
  return [
    ...maps(),
    ...[1, 40].flatMap(ofCorpus),
    ...programs("row", rows, [small, [4, 7], narrow, [16, 1000], long, [2, 300_000]]),
    ...programs("row", rows, [small, long], "float16"),
    ...programs("joint", joint, [small, long]),
    ...programs("epilogue", epilogues, [small, narrow, long]),
    ...programs("loss", losses, [small, long, [20_000, 40]]),
    ...programs("own row", ownRowPrograms, [small, narrow, long]),
    ...programs("scan", scans, [small, [2, 9000], [3000, 33]]),
    ...programs("indexed", indexed, [small, long]),
    ...programs("list", optimizers, [small, long]),
    ...users(),
    ...functions(),
  ];
}
