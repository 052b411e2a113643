// Derivatives of functions: views, writes in place, nested calls, compiled functions, what is refused, and that nothing stays open.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const double = { dtype: "float64" } as const;
function numbers(...shape: number[]): jl.Tensor {
  const size = shape.reduce((a, b) => a * b, 1);
  return jl
    .arange(0, size, 1, double)
    .add(1)
    .mul(0.7)
    .sin()
    .reshape(...shape);
}
const places = (...at: number[]) => jl.tensor(at, { dtype: "int64" });

type Fn = (...args: jl.Tensor[]) => jl.Tensor;
const programs: readonly (readonly [string, readonly (readonly number[])[], Fn])[] = [
  ["broadcasts", [[3, 4], [4], [3, 1], []], (a, b, c, d) => a.mul(b).add(c).div(d.add(2))],
  ["transposed and sliced views", [[3, 4]], (x) => x.T.narrow(0, 1, 2).mul(x.narrow(1, 0, 2).T)],
  ["a view used twice", [[4, 3]], (x) => x.select(0, 1).mul(x.select(0, 1)).add(x.at("::2").sum(0))],
  [
    "expand, flip, diagonal",
    [[3, 3], [3]],
    (x, y) => x.flip(0).diagonal().mul(y.expand(2, 3)).mul(x.diagonal()),
  ],
  [
    "overlapping windows",
    [[7]],
    (x) =>
      x
        .unfold(0, 3, 2)
        .square()
        .mul(x.unfold(0, 3, 1).narrow(0, 0, 3)),
  ],
  ["writes in place", [[4]], (x) => x.mul(2).sin_().mul_(x).add_(1).square()],
  [
    "partial writes",
    [[4], [2]],
    (x, y) => {
      const z = x.mul(3);
      z.narrow(0, 1, 2).copy_(y.square());
      z.select(0, 0).fill_(7);
      return z.mul(z).mul(x);
    },
  ],
  [
    "a tensor overwritten after its use",
    [[3]],
    (x) => {
      const y = x.exp();
      const z = y.square();
      y.fill_(0);
      return z.add(y);
    },
  ],
  [
    "out and dispose",
    [[3]],
    (x) => {
      const out = jl.empty([3], double);
      const y = x.exp();
      jl.sin(y, { out });
      y.dispose();
      return out.mul(out);
    },
  ],
  [
    "sums and means over dimensions",
    [[2, 3, 4]],
    (x) =>
      x
        .square()
        .sum([0, 2])
        .mul(x.mean({ dim: 1, keepdim: true }).sum()),
  ],
  [
    "extremes",
    [[3, 4]],
    (x) =>
      x
        .max(1)
        .mul(x.min())
        .add(x.amax([0, 1])),
  ],
  ["products", [[3, 4]], (x) => x.prod(1).add(x.prod())],
  [
    "matrix products",
    [[2, 3], [3, 4], [4]],
    (a, b, c) =>
      a
        .matmul(b)
        .matmul(c)
        .mul(a.matmul(b.matmul(c))),
  ],
  [
    "batches of products",
    [
      [2, 1, 2, 3],
      [4, 3, 2],
    ],
    (a, b) => a.matmul(b).tanh(),
  ],
  [
    "transposed factors",
    [
      [3, 2],
      [4, 3],
    ],
    (a, b) => a.T.matmul(b.T),
  ],
  [
    "einsum",
    [
      [2, 3],
      [3, 4],
    ],
    (a, b) => jl.einsum("ij,jk->ki", a, b),
  ],
  ["softmax and its kin", [[2, 5]], (x) => x.softmax(1).mul(x.logSoftmax(0)).sum(1).add(x.logsumexp(1))],
  ["var, std, norm", [[3, 4]], (x) => x.var(1).add(x.std(1)).mul(x.norm())],
  ["scans", [[3, 4]], (x) => x.cumsum(1).mul(x.cummax(0).values)],
  ["sorts", [[3, 4]], (x) => x.sort(1).values.mul(x.topk(2, 1).values.sum(1, { keepdim: true }))],
  ["gather", [[3, 4]], (x) => x.gather(1, places(0, 0, 3, 1, 1, 1).reshape(3, 2)).square()],
  [
    "indexSelect and take",
    [[3, 4]],
    (x) => x.indexSelect(0, places(2, 0, 2)).mul(x.take(places(-1, 0, 0, 5))),
  ],
  ["indexes for several dimensions", [[3, 4]], (x) => x.at(places(0, 2, 2), places(1, -1, -1)).square()],
  ["masks", [[2, 3]], (x) => x.maskedSelect(x.gt(0)).square().sum().add(x.lt(0).where(x, x.exp()))],
  [
    "scatter",
    [
      [3, 4],
      [2, 4],
    ],
    (x, y) => x.scatter(0, places(0, 2, 2, 1, 0, 1).reshape(2, 3), y).square(),
  ],
  [
    "scatterAdd",
    [
      [3, 4],
      [2, 4],
    ],
    (x, y) => x.scatterAdd(0, places(0, 2, 2, 0, 0, 1).reshape(2, 3), y).square(),
  ],
  [
    "indexAdd",
    [
      [3, 4],
      [3, 4],
    ],
    (x, y) => x.indexAdd(0, places(2, 0, 2), y).square(),
  ],
  [
    "indexCopy and indexFill",
    [
      [3, 4],
      [2, 4],
    ],
    (x, y) => x.indexCopy(0, places(2, 2), y).indexFill(1, places(1), 3).square(),
  ],
  [
    "set by indexes",
    [[3, 4], [2], []],
    (x, y, z) => {
      const copy = x.mul(2);
      copy.indexPut_([places(0, 0), places(1, 1)], y);
      copy.indexPut_([places(2)], z);
      return copy.square();
    },
  ],
  [
    "joins",
    [
      [2, 3],
      [1, 3],
    ],
    (x, y) => jl.cat([x, y, x.mul(y)]).mul(jl.stack([y, y]).sum()),
  ],
  ["roll, pad, tril", [[3, 3]], (x) => x.roll(1, 0).mul(x.tril()).add(x.T)],
  ["a cast", [[3]], (x) => x.to("float64").exp()],
  ["elements that decide", [[3]], (x) => ((x.sum().item() as number) > 0 ? x.square() : x.exp())],
  ["jl.eager inside", [[3]], (x) => jl.eager(() => x.sin()).mul(x)],
  [
    "jl.compile inside",
    [[3]],
    (x) =>
      jl
        .compile((y: jl.Tensor) => y.sin().mul(y))(x)
        .mul(x),
  ],
];

describe("beside differences", () => {
  test.each(programs)("%s", (_, shapes, fn) => {
    expect(
      jl.gradcheck(
        fn,
        shapes.map((shape, i) => numbers(...shape).add(i / 7)),
        { atol: 1e-7 },
      ),
    ).toBe(true);
  });
});

const twice = programs.filter(([name]) =>
  /broadcasts|views|writes|softmax|matrix|sums|einsum|scatter|gather|sorts/.test(name),
);
describe("twice", () => {
  test.each(twice)("%s", (_, shapes, fn) => {
    const args = shapes.map((shape, i) => numbers(...shape).add(i / 7));
    expect(
      jl.gradcheck(
        jl.grad((...all: jl.Tensor[]) =>
          fn(...all)
            .square()
            .sum(),
        ),
        args,
        { atol: 1e-5 },
      ),
    ).toBe(true);
  });
});

describe("compiled", () => {
  test.each(programs)("%s: the bits of the call that is not", (_, shapes, fn) => {
    const args = shapes.map((shape, i) =>
      numbers(...shape)
        .add(i / 7)
        .to("float32"),
    );
    const both = jl.valueAndGrad((...all: jl.Tensor[]) => fn(...all).sum(), {
      argnums: shapes.map((__, i) => i),
    });
    const bits = ({ value, grad }: { value: jl.Tensor; grad: unknown }) =>
      [value, ...(grad as jl.Tensor[])].map((one) => [...one.data()]);
    const wanted = bits(both(...args) as never);
    const compiled = jl.compile(both);
    expect(bits(compiled(...args) as never)).toEqual(wanted);
    expect(bits(compiled(...args) as never)).toEqual(wanted);
  });
});

test("trees of arguments; other leaves have no derivative", () => {
  const parameters = {
    w: numbers(2, 2),
    layers: [{ b: numbers(2), name: "first" }],
    steps: jl.tensor([1n]),
    rate: 0.5,
  };
  const { value, grad } = jl.valueAndGrad((p: typeof parameters) =>
    p.w.matmul(p.layers[0]?.b as jl.Tensor).sum(),
  )(parameters);
  expect(value.size).toBe(1);
  expect(grad.w.toArray()).toEqual([numbers(2).toArray(), numbers(2).toArray()]);
  expect(grad.layers[0]?.b.shape).toEqual([2]);
  expect([grad.layers[0]?.name, grad.steps, grad.rate]).toEqual([undefined, undefined, undefined]);
});

test("a tensor that is two arguments, or known from elsewhere, is a constant there", () => {
  const x = jl.tensor([2, 3]);
  const product = (a: jl.Tensor, b: jl.Tensor) => a.mul(b).sum();
  expect(jl.grad(product)(x, x).toArray()).toEqual([2, 3]);
  expect(
    jl
      .grad((a: jl.Tensor) => a.mul(x).sum())(x)
      .toArray(),
  ).toEqual([2, 3]);
  expect(jl.gradients(() => x.mul(x).sum(), { x }).grad.x.toArray()).toEqual([4, 6]);
  expect(jl.gradients(() => x.sum(), x.narrow(0, 0, 1)).grad.toArray()).toEqual([1]);
});

test("constants", () => {
  const x = jl.tensor([2, 3]);
  expect(
    jl
      .grad((a: jl.Tensor) => a.mul(jl.stopGradient(a)).sum())(x)
      .toArray(),
  ).toEqual([2, 3]);
  expect(
    jl
      .grad((a: jl.Tensor) =>
        a
          .mul(jl.stopGradient(() => a.exp().unique().sum()))
          .mul(0)
          .sum(),
      )(x)
      .toArray(),
  ).toEqual([0, 0]);
  expect(
    jl
      .grad((a: jl.Tensor) => a.floor().add(a.round()).sum())(x)
      .toArray(),
  ).toEqual([0, 0]);
});

test("half types have the gradient of float32, rounded", () => {
  const x = jl.tensor([0.1, -0.7, 1.3]);
  const loss = (a: jl.Tensor) => a.sigmoid().sum();
  const half = jl.grad(loss)(x.to("bfloat16"));
  expect(half.dtype.name).toBe("bfloat16");
  const exact = jl.grad(loss)(x.to("bfloat16").to("float32"));
  expect(half.sub(exact).abs().max().item()).toBeLessThan(2 ** -9);
});

test("cotangents of several results, once", () => {
  const x = jl.tensor([2, 3]);
  const { value, pull } = jl.vjp((a: jl.Tensor, b: jl.Tensor) => ({ sum: a.add(b), more: [a.mul(b)] }), x, x);
  expect(value.more[0]?.toArray()).toEqual([4, 9]);
  expect(refusal(() => pull({ sum: jl.ones([2]), more: [] }))).toMatch(/shape-mismatch: vjp: the cotangents/);
  const [ga, gb] = pull({ sum: jl.ones([2]), more: [jl.tensor([1, 10])] });
  expect([ga.toArray(), gb.toArray()]).toEqual([
    [3, 31],
    [3, 31],
  ]);
  expect(refusal(() => pull({ sum: jl.ones([2]), more: [jl.ones([2])] }))).toMatch(/pull was already called/);
});

test("what is refused, with the way out", () => {
  const x = jl.tensor([2, 3]);
  const of = (fn: (a: jl.Tensor) => unknown) => refusal(() => jl.grad(fn as (a: jl.Tensor) => jl.Tensor)(x));
  expect(of((a) => a)).toMatch(/float32 of shape \[2\], not one floating number[\s\S]*sum\(\) or mean\(\)/);
  expect(of(() => 3)).toMatch(/the function returned 3/);
  expect(of(async (a) => a.sum())).toMatch(/the function is async/);
  expect(of((a) => jl.linalg.qr(a.outer(jl.ones([3]))).R.sum())).toMatch(
    /recorder\.test\.ts:\d+:\d+ has no derivative/,
  );
  expect(of((a) => jl.fuse`sin(${a})`.sum())).toMatch(/no-derivative: fused_sin at .* jl\.fuse/);
  expect(of((a) => jl.complex(a, a).sum())).toMatch(/abs\(\) or real\(\)/);
  expect(refusal(() => jl.grad((a: jl.Tensor) => a.sum())(jl.tensor([1n])))).toMatch(
    /no floating tensor[\s\S]*int64/,
  );
  expect(refusal(() => jl.grad((a: jl.Tensor) => a.sum(), { argnums: -1 as 0 })(x))).toMatch(
    /argnums cannot be -1/,
  );
  expect(refusal(() => jl.graph(() => jl.grad((a: jl.Tensor) => a.sum())(x)))).toMatch(
    /while a graph is recorded/,
  );
  const replay = jl.graph(() => x.mul(2));
  expect(of((a) => a.mul(replay()).sum())).toMatch(/can neither record nor replay a graph/);
  expect(of((a) => a.mul(jl.histc(a).sum()).sum())).not.toMatch(/no-derivative/);
  expect(refusal(() => (x as unknown as { backward(): void }).backward())).toMatch(
    /Tensors have no backward[\s\S]*jl\.gradients/,
  );
  expect(
    refusal(() => {
      (x as unknown as { requiresGrad: boolean }).requiresGrad = true;
    }),
  ).toMatch(/Tensors have no requiresGrad/);
});

test("an error inside leaves nothing open, and no memory kept", () => {
  const x = jl.tensor([2, 3]);
  const broken = (a: jl.Tensor): jl.Tensor => {
    a.exp().sin();
    throw new RangeError("mine");
  };
  expect(() => jl.gradients(() => broken(x), x)).toThrow("mine");
  expect(x.storage.isRead).toBe(false);
  expect(
    jl
      .compile(() => x.mul(2))()
      .toArray(),
  ).toEqual([4, 6]);
  x.add_(1);
  expect(
    jl
      .grad((a: jl.Tensor) => a.square().sum())(x)
      .toArray(),
  ).toEqual([6, 8]);
});

test("a constant is a copy, with a derivative and without one", () => {
  const x = jl.tensor([1, 2]);
  const stops: Record<string, (y: jl.Tensor) => jl.Tensor> = {
    tensor: (y) => jl.stopGradient(y),
    result: (y) => jl.stopGradient(() => y),
    view: (y) => jl.stopGradient(() => y.flip(0).flip(0)),
    part: (y) => jl.stopGradient(() => ({ parts: [y.narrow(0, 0, 2)], name: "y" })).parts[0] as jl.Tensor,
    written: (y) => jl.stopGradient(() => y.mul_(1)),
  };
  for (const [name, stop] of Object.entries(stops)) {
    const f = (a: jl.Tensor) => {
      const y = a.mul(2);
      const stopped = stop(y);
      y.mul_(3);
      return y.mul(stopped).sum();
    };
    for (const one of [f, jl.compile(f)]) {
      expect(one(x).item(), name).toBe(60);
      const { value, grad } = jl.valueAndGrad(one)(x);
      expect([value.item(), grad.toArray()], name).toEqual([60, name === "written" ? [0, 0] : [12, 24]]);
    }
  }
  expect(jl.stopGradient(() => 3)).toBe(3);
});

test("a check finds a wrong derivative", () => {
  const wrong = (a: jl.Tensor) => a.mul(jl.stopGradient(a));
  expect(refusal(() => jl.gradcheck(wrong, [numbers(2)]))).toMatch(
    /gradcheck-failed: .* element 0 of tensor 0 is 0\.348/,
  );
  expect(refusal(() => jl.gradcheck((a: jl.Tensor) => a, [jl.tensor([1])]))).toMatch(
    /need tensors of float64/,
  );
});

test("what happens to results and arguments between a vjp and its pull changes nothing", () => {
  const x = jl.tensor([0, 1], double);
  const ones = jl.ones([2], double);
  const wanted = jl.grad((y: jl.Tensor) => y.exp().mul(y).sum())(x);
  const changes: ((x: jl.Tensor, y: jl.Tensor) => unknown)[] = [
    (x, y) => [x.fill_(7), y.fill_(9)],
    (x, y) => [x.dispose(), y.dispose()],
    (_, y) => y.narrow(0, 0, 1).mul_(3),
  ];
  for (const change of changes) {
    const own = x.clone();
    const { value, pull } = jl.vjp((y: jl.Tensor) => y.exp().mul(y), own);
    change(own, value);
    expect(pull(ones)[0]?.equal(wanted)).toBe(true);
  }
});

test.skipIf(device !== "cpu")(
  "tensors whose memory the host shares are differentiated by, and through",
  () => {
    const x = jl.fromTypedArray(Float64Array.of(1, 2));
    const loss = (y: jl.Tensor) => y.mul(y).mul(3).sum();
    const found = [
      jl.gradients(() => loss(x), x).grad,
      jl.compile(() => jl.gradients(() => loss(x), x))().grad,
      jl.grad(loss)(x),
    ];
    expect(found.map((one) => one.toArray())).toEqual([
      [6, 12],
      [6, 12],
      [6, 12],
    ]);
    const seen = (y: jl.Tensor) => {
      const z = y.mul(2);
      expect(z.asTypedArray()?.[1]).toBe(4);
      return z.mul(z).sum();
    };
    expect(jl.grad(seen)(x).toArray()).toEqual([8, 16]);
    const written = jl.gradients(() => {
      const before = x.mul(x).sum();
      x.narrow(0, 0, 1).mul_(5);
      return before.add(x.mul(x).sum());
    }, x);
    expect(written.grad.toArray()).toEqual([2 + 2 * 5 * 5, 4 + 4]);
    expect(x.toArray()).toEqual([5, 2]);
  },
);
