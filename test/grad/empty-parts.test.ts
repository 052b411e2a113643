// Writes into parts without elements change nothing, neither a tensor nor its derivatives.
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const x = () =>
  jl.tensor(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { dtype: "float64" },
  );
const none = () => jl.zeros([0], { dtype: "int64" });
const square = (y: jl.Tensor) => y.square().sum();

type Write = (y: jl.Tensor, own: jl.Tensor) => unknown;
/** Writes into `y`, of its own elements or those of `own`, where it has none. */
const writes: Readonly<Record<string, Write>> = {
  mul_: (y) => y.narrow(1, 1, 0).mul_(3),
  "mul_ by what is watched": (y, own) => y.narrow(1, 1, 0).mul_(own.narrow(1, 0, 0)),
  add_: (y, own) => y.narrow(0, 2, 0).add_(own.select(0, 0)),
  copy_: (y, own) => y.narrow(0, 0, 0).copy_(own.narrow(0, 1, 0)),
  fill_: (y) => y.narrow(1, 3, 0).fill_(7),
  zero_: (y) => y.narrow(1, 0, 0).zero_(),
  clamp_: (y) => y.slice("1:1").clamp_(0, 1),
  uniform_: (y) => y.slice("1:1").uniform_(0, 1),
  normal_: (y) => y.slice("1:1").normal_(0, 1),
  bernoulli_: (y) => y.slice("1:1").bernoulli_(0.5),
  out: (y, own) => jl.sin(own.narrow(0, 0, 0), { out: y.narrow(0, 0, 0) }),
  "set of a range": (y) => y.set("1:1", 7),
  "set of a range to what is watched": (y, own) => y.set("1:1", own.narrow(0, 0, 0)),
  "set at no index": (y) => y.set([none()], 7),
  "set of a column at no index": (y) => y.set([":", none()], 7),
  indexPut_: (y) => y.indexPut_([none()], 5),
  "indexPut_, accumulated": (y) => y.indexPut_([none()], 5, { accumulate: true }),
  scatter_: (y, own) => y.scatter_(1, none().reshape(2, 0), own.narrow(1, 0, 0)),
  scatterAdd_: (y, own) => y.scatterAdd_(1, none().reshape(2, 0), own.narrow(1, 0, 0)),
  ...Object.fromEntries(
    (["sum", "prod", "mean", "amax", "amin"] as const).flatMap((by) =>
      [true, false].map((includeSelf): [string, Write] => [
        `scatterReduce_ ${by}, includeSelf: ${includeSelf}`,
        (y, own) => y.scatterReduce_(0, none().reshape(0, 3), own.narrow(0, 0, 0), by, { includeSelf }),
      ]),
    ),
  ),
  indexAdd_: (y, own) => y.indexAdd_(1, none(), own.narrow(1, 0, 0)),
  indexCopy_: (y, own) => y.indexCopy_(0, none(), own.narrow(0, 0, 0)),
  indexFill_: (y) => y.indexFill_(0, none(), 3),
  maskedFill_: (y) => y.narrow(0, 0, 0).maskedFill_(jl.ones([0, 3], { dtype: "bool" }), 3),
};

describe("a write into an empty part", () => {
  const bodies: Readonly<Record<string, (write: Write) => (a: jl.Tensor) => jl.Tensor>> = {
    "of a copy": (write) => (a) => {
      const y = a.clone();
      write(y, a);
      return square(y).mul(a.sum());
    },
    "of its own source": (write) => (a) => {
      const y = a.mul(1);
      write(y, y.exp());
      return square(y).mul(a.sum());
    },
    "before another write": (write) => (a) => {
      const y = a.clone();
      write(y, a);
      y.select(0, 0).mul_(a.select(0, 1));
      write(y, a);
      return square(y).mul(a.sum());
    },
    "of zeros": (write) => (a) => {
      const y = jl.zeros([2, 3], { dtype: "float64" });
      write(y, a);
      y.add_(a);
      return square(y).mul(a.sum());
    },
  };
  const cases = Object.keys(writes).flatMap((name) =>
    Object.keys(bodies).map((where) => [name, where] as const),
  );
  it.each(cases)("%s %s", (name, where) => {
    const body = bodies[where] as (typeof bodies)[string];
    const f = body(writes[name] as Write);
    const plain = body(() => {});
    const all = (own: typeof f) => [
      jl.valueAndGrad(own)(x()).value.toArray(),
      jl.grad(own)(x()).toArray(),
      jl.compile(jl.grad(own))(x()).toArray(),
      jl
        .hessian((a: jl.Tensor) => own(a.reshape(2, 3)))(x().flatten())
        .toArray(),
      jl
        .vjp(own, x())
        .pull(jl.full([], 2, { dtype: "float64" }))[0]
        .toArray(),
      jl.grad(jl.checkpoint(own))(x()).toArray(),
    ];
    expect(all(f)).toEqual(all(plain));
  });
});

describe("a function that joins with a tensor without elements", () => {
  const empty = () => jl.zeros([0], { dtype: "float64" });
  const v = () => jl.tensor([1, 2, 3], { dtype: "float64" });
  const joins: Readonly<
    Record<string, [with_: (a: jl.Tensor) => jl.Tensor, without: (a: jl.Tensor) => jl.Tensor]>
  > = {
    "cat, behind": [(a) => jl.cat([a, empty()]), (a) => a],
    "cat, before": [(a) => jl.cat([empty(), a]), (a) => a],
    "cat, of itself": [(a) => jl.cat([a.narrow(0, 1, 0), a, a.narrow(0, 3, 0)]), (a) => a],
    hstack: [(a) => jl.hstack([a, a.narrow(0, 0, 0)]), (a) => a],
    vstack: [(a) => jl.vstack([a.view(1, 3), a.view(1, 3).narrow(0, 0, 0)]), (a) => a],
    "diff, append": [(a) => a.diff(1, 0, { append: empty() }), (a) => a.diff()],
    "diff, prepend": [(a) => a.diff(1, 0, { prepend: a.narrow(0, 0, 0) }), (a) => a.diff()],
    "pad by nothing": [(a) => a.pad([0, 0]), (a) => a],
    roll: [(a) => a.roll(0), (a) => a],
    repeat: [(a) => jl.cat([a.repeat(0), a]), (a) => a],
    "split in uneven parts": [(a) => jl.cat(a.split([0, 3, 0])), (a) => a],
  };
  it.each(Object.entries(joins))("%s", (_, [joined, plain]) => {
    for (const g of [
      (f: (a: jl.Tensor) => jl.Tensor) => jl.grad(f),
      (f: (a: jl.Tensor) => jl.Tensor) => jl.compile(jl.grad(f)),
    ]) {
      expect(g((a) => square(joined(a)))(v()).toArray()).toEqual(g((a) => square(plain(a)))(v()).toArray());
    }
  });
});

it("the inverse transform of a spectrum to one or two real numbers has derivatives", () => {
  const z = jl.complex(jl.tensor([1, 2, 3], { dtype: "float64" }), jl.zeros([3], { dtype: "float64" }));
  for (const [n, want] of [
    [1, [1, 0, 0]],
    [2, [0.5, 0.5, 0]],
    [3, [1 / 3, 2 / 3, 0]],
    [4, [0.25, 0.5, 0.25]],
  ] as const) {
    const f = (a: jl.Tensor) => jl.fft.irfft(a, { n }).select(0, 0);
    for (const g of [jl.grad(f), jl.compile(jl.grad(f))]) expect(g(z).real().toArray()).toEqual(want);
  }
});
