// Functions of the library that are made of others: their derivatives are right, or an error, but never silently wrong.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const double = { dtype: "float64" } as const;
const integers = { dtype: "int64" } as const;
const waves = (size: number) => jl.arange(0, size, 1, double).add(1).mul(0.7).sin();
const vector = () => waves(6);
const matrix = () => waves(12).reshape(3, 4);
const square = () =>
  waves(9)
    .reshape(3, 3)
    .add(jl.eye(3, 3, double).mul(3));

type Case = readonly [string, () => jl.Tensor, (x: jl.Tensor) => jl.Tensor];

const known: readonly Case[] = [
  ["lnorm", () => matrix(), (x) => jl.linalg.norm(x)],
  ["trace", () => square(), (x) => x.trace()],
  ["cov", () => matrix(), (x) => x.cov()],
  ["corrcoef", () => matrix(), (x) => x.corrcoef()],
  ["cumtrapz", () => matrix(), (x) => x.trapz()],
  ["diff", () => vector(), (x) => x.diff()],
  ["gradient", () => vector(), (x) => x.gradient()[0] as jl.Tensor],
  [
    "interp",
    () => vector(),
    (x) => jl.tensor([0.1, 0.2], double).interp(jl.tensor([0, 0.5, 1], double), x.narrow(0, 0, 3)),
  ],
  ["kth", () => matrix(), (x) => x.kthvalue(2, 1).values],
  ["median", () => vector(), (x) => x.median()],
  ["quantile", () => vector(), (x) => x.quantile(0.3)],
  ["outer", () => vector(), (x) => x.outer(x)],
  ["kron", () => square(), (x) => x.kron(x)],
  ["cross", () => vector(), (x) => x.narrow(0, 0, 3).cross(jl.tensor([1, 2, 3], double))],
  ["dot", () => vector(), (x) => x.dot(x)],
  ["rot90", () => matrix(), (x) => x.rot90()],
  ["pad", () => matrix(), (x) => x.pad([1, 2])],
  ["padr", () => matrix(), (x) => x.pad([1, 2], { mode: "reflect" })],
  ["padc", () => matrix(), (x) => x.pad([1, 2], { mode: "circular" })],
  ["tril", () => matrix(), (x) => x.tril()],
  ["triu", () => matrix(), (x) => x.triu()],
  ["diag", () => square(), (x) => x.diag()],
  ["diagf", () => vector(), (x) => x.diag()],
  ["diagE", () => vector(), (x) => x.diagEmbed()],
  ["ri", () => vector(), (x) => x.repeatInterleave(2)],
  ["repeat", () => matrix(), (x) => x.repeat(2, 1)],
  ["maskedFill", () => matrix(), (x) => x.maskedFill(x.gt(0.3), 2)],
  ["setmask", () => matrix(), (x) => x.mul(2).set([x.gt(0)], x.sum())],
  ["conv", () => matrix(), (x) => x.reshape(1, 1, 12).conv1d(jl.ones([1, 1, 3], double))],
  ["conv2", () => matrix(), (x) => x.reshape(1, 1, 3, 4).conv2d(jl.ones([1, 1, 2, 2], double))],
  ["maxpool", () => matrix(), (x) => x.reshape(1, 3, 4).maxPool2d(2)],
  ["avgpool", () => matrix(), (x) => x.reshape(1, 3, 4).avgPool2d(2)],
  ["interpolate", () => matrix(), (x) => x.reshape(1, 1, 3, 4).interpolate({ scaleFactor: 2 })],
  [
    "interpolateb",
    () => matrix(),
    (x) => x.reshape(1, 1, 3, 4).interpolate({ scaleFactor: 2, mode: "bilinear" }),
  ],
  ["nansum", () => matrix(), (x) => x.nansum()],
  ["nanmean", () => matrix(), (x) => x.nanmean()],
  ["varMean", () => matrix(), (x) => x.varMean({ dim: 1 }).variance],
  ["norm3", () => matrix(), (x) => x.norm(3)],
  ["norminf", () => matrix(), (x) => x.norm(Infinity)],
  ["polyval", () => vector(), (x) => jl.polyval(x, jl.tensor([1, 2], double))],
  ["addmm", () => jl.ones([3, 3], double), (x) => jl.addmm(x, x, square())],
  ["bmm", () => matrix(), (x) => x.reshape(1, 3, 4).bmm(x.T.reshape(1, 4, 3))],
  ["groupby", () => vector(), (x) => jl.groupBy(jl.tensor([0, 1, 1, 0, 2, 2], { dtype: "int32" })).sum(x)],
  ["groupmean", () => vector(), (x) => jl.groupBy(jl.tensor([0, 1, 1, 0, 2, 2], { dtype: "int32" })).mean(x)],
];
test.each(known)("%s", (_, x, fn) => {
  expect(jl.gradcheck(fn, [x()])).toBe(true);
});

const waves2 = () => jl.arange(1, 13, 1, double).square().mul(0.37).sin();
const tall = () => waves2().reshape(4, 3);
const numbers = (...at: number[]) => jl.tensor(at, integers);
const { linalg, fft } = jl;
const symmetric = (x: jl.Tensor) => x.add(x.mT);

// Of second order too: by random combinations of the first derivatives.
const twice: readonly Case[] = [
  ["cumprod", tall, (x) => x.cumprod(1)],
  ["cumprod with zeros", () => jl.tensor([1, 0, 2, 0, 3], double), (x) => x.cumprod(0)],
  ["prod with a zero", () => jl.tensor([1, 0, 2], double), (x) => x.prod()],
  ["logcumsumexp", tall, (x) => x.logcumsumexp(1)],
  ["cdist", tall, (x) => x.cdist(x.narrow(0, 0, 2).mul(2).add(1))],
  ["cdist of other norms", tall, (x) => x.cdist(x.flip(0).add(0.1), 3).add(x.cdist(x.flip(0), 1))],
  ["bincount", vector, (x) => numbers(0, 1, 1, 0, 2, 2).bincount({ weights: x })],
  ["mode", vector, (x) => x.mode().values.add(x.max(0, { indices: true }).values)],
  ["scatterReduce", vector, (x) => x.scatterReduce(0, numbers(0, 1, 0), x.narrow(0, 0, 3).exp(), "mean")],
  ["scatterReduce amax", vector, (x) => x.scatterReduce(0, numbers(0, 1, 0), x.narrow(0, 1, 3), "amax")],
  [
    "indexPut_",
    tall,
    (x) => x.clone().indexPut_([numbers(0, 2, 0)], x.narrow(0, 0, 3).exp(), { accumulate: true }),
  ],
  ["solve", square, (x) => linalg.solve(x, x.mul(2).add(1)).add(linalg.solve(x, x.select(0, 0)))],
  ["inv", square, (x) => linalg.inv(x)],
  ["det", () => waves2().narrow(0, 0, 8).reshape(2, 2, 2), (x) => linalg.det(x).mul(x.sum())],
  ["slogdet", square, (x) => linalg.slogdet(x).logabsdet],
  [
    "cholesky",
    square,
    (x) => linalg.cholesky(symmetric(x)).add(linalg.cholesky(symmetric(x), { upper: true })),
  ],
  ["choleskySolve", square, (x) => linalg.choleskySolve(x.add(1), linalg.cholesky(symmetric(x)))],
  ["lu", square, (x) => linalg.lu(x).L.add(linalg.lu(x).U)],
  [
    "solveTriangular",
    square,
    (x) =>
      linalg
        .solveTriangular(x, x.add(1), { upper: true })
        .add(linalg.solveTriangular(x, x, { upper: false, left: false, unitriangular: true })),
  ],
  ["qr", tall, (x) => linalg.qr(x).Q.square().add(linalg.qr(x).R.square().sum())],
  [
    "eigh",
    square,
    (x) =>
      linalg
        .eigh(symmetric(x))
        .eigenvectors.square()
        .mul(linalg.eigvalsh(symmetric(x))),
  ],
  [
    "svd",
    tall,
    (x) => {
      const { U, S, Vh } = linalg.svd(x, { fullMatrices: false });
      return U.square().matmul(Vh.square()).add(S.sum()).add(linalg.svdvals(x.mT).sum());
    },
  ],
  ["pinv", tall, (x) => linalg.pinv(x)],
  ["lstsq", tall, (x) => linalg.lstsq(x, x.narrow(1, 0, 1).square()).solution],
  [
    "fft",
    vector,
    (x) =>
      fft
        .fft(x)
        .abs()
        .add(
          fft
            .fft(x.narrow(0, 0, 5))
            .angle()
            .sum(),
        ),
  ],
  ["rfft and irfft", () => waves(7), (x) => fft.irfft(fft.rfft(x).mul(fft.rfft(x)), { n: 7 })],
];
test.each(twice)("%s, twice", (_, x, fn) => {
  expect(jl.gradcheck(fn, [x()])).toBe(true);
  const first = jl.grad((y: jl.Tensor) => fn(y).square().sum());
  expect(jl.gradcheck(first, [x()], { atol: 1e-3 })).toBe(true);
});

const plane = () => jl.complex(waves(6), waves(6).flip(0).add(0.3));
const planes = () =>
  plane()
    .narrow(0, 0, 4)
    .reshape(2, 2)
    .add(jl.eye(2, 2, double).mul(2));
const complexes: readonly Case[] = [
  ["products and quotients", plane, (x) => x.mul(x).mul({ re: 1, im: 2 }).div(x.add(3)).add(x.reciprocal())],
  ["a real factor", vector, (x) => x.mul(plane()).add(x.to("complex128"))],
  ["parts", plane, (x) => x.real().mul(x.imag()).mul(x.conj())],
  ["abs, angle and sgn", plane, (x) => x.abs().mul(x.angle()).mul(x.sgn())],
  ["complex and polar", vector, (x) => jl.complex(x, x.mul(2)).mul(jl.polar(x, x.mul(3)))],
  ["powers", plane, (x) => x.pow(3).add(x.pow(x)).add(x.sqrt()).add(x.square()).add(x.rsqrt())],
  [
    "functions",
    plane,
    (x) =>
      [
        x.exp(),
        x.log(),
        x.sin(),
        x.cos(),
        x.tan(),
        x.tanh(),
        x.sinh(),
        x.cosh(),
        x.asin(),
        x.acos(),
        x.atan(),
        x.asinh(),
        x.acosh(),
      ].reduce(
        (sum, one) => sum.add(one),
        x.atanh().add(x.exp2()).add(x.expm1()).add(x.log2()).add(x.log10()).add(x.log1p()).add(x.sigmoid()),
      ),
  ],
  ["sums and products", plane, (x) => x.sum().mul(x.mean()).mul(x.prod()).add(x.cumsum(0)).add(x.cumprod(0))],
  [
    "lookups and writes",
    plane,
    (x) => x.indexSelect(0, numbers(0, 0, 3)).scatterAdd(0, numbers(1, 1), x.narrow(0, 0, 2)),
  ],
  ["matrix products", planes, (x) => x.matmul(x.mT).add(jl.einsum("ij,kj->ik", x, x.conj()))],
  [
    "linalg",
    planes,
    (x) =>
      linalg
        .inv(x)
        .mul(linalg.det(x))
        .add(linalg.cholesky(x.matmul(x.mT.conj()))),
  ],
  ["eigh", planes, (x) => linalg.eigh(x.add(x.mT.conj())).eigenvectors.abs()],
  [
    "svd and qr",
    planes,
    (x) => {
      const { U, Vh } = linalg.svd(x, { fullMatrices: false });
      const { Q, R } = linalg.qr(x);
      return U.matmul(Vh).mul(Q.matmul(R.mul(R)));
    },
  ],
  [
    "fft",
    plane,
    (x) =>
      fft
        .fft(x)
        .mul(x)
        .add(fft.irfft(x, { n: 9 }).sum()),
  ],
];
test.each(complexes)("%s of complex numbers, twice", (_, x, fn) => {
  expect(jl.gradcheck(fn, [x()])).toBe(true);
  const first = jl.grad((y: jl.Tensor) => fn(y).abs().square().sum());
  expect(jl.gradcheck(first, [x()], { atol: 1e-2 })).toBe(true);
});

test("the value of the gradient of a complex function is refused, and that of its part is PyTorch's", () => {
  const x = jl.tensor([{ re: 1, im: 2 }]);
  expect(refusal(() => jl.grad((y: jl.Tensor) => y.sum())(x))).toContain("for example, abs() or real()");
  expect(
    jl
      .grad((y: jl.Tensor) => y.abs().square().sum())(x)
      .toArray(),
  ).toEqual([{ re: 2, im: 4 }]);
});

const unknown: readonly Case[] = [
  ["lu of a matrix that is not square", tall, (x) => linalg.luFactor(x).LU],
  ["qr of a wide matrix", tall, (x) => linalg.qr(x.mT).R],
  ["all columns of U", tall, (x) => linalg.svd(x).U],
  [
    "luSolve by its factors",
    square,
    (x) => {
      const { LU, pivots } = linalg.luFactor(x);
      return linalg.luSolve(LU, pivots, x);
    },
  ],
  [
    "a custom reduction",
    vector,
    (x) => jl.reduction((a: number, b: number) => Math.max(a, b), { identity: 0 })(x),
  ],
];
test.each(unknown)("%s is refused, with its place", (_, x, fn) => {
  expect(refusal(() => jl.gradcheck(fn, [x()]))).toMatch(/no-derivative: .* at functions\.test\.ts:\d+:\d+/);
});

test("medians of all elements keep dimensions inside of a gradient as outside", () => {
  for (const name of ["median", "nanmedian"] as const) {
    const middle = (x: jl.Tensor) =>
      (x[name] as (...args: unknown[]) => jl.Tensor)(undefined, { keepdim: true });
    const shapes: (readonly number[])[] = [middle(matrix()).shape];
    jl.grad((x: jl.Tensor) => {
      const found = middle(x);
      shapes.push(found.shape);
      return found.sum();
    })(matrix());
    expect(shapes, name).toEqual([
      [1, 1],
      [1, 1],
    ]);
  }
});

test("NaN has PyTorch's derivatives in extremes and medians", () => {
  const x = jl.tensor(
    [
      [1, NaN, 3, NaN],
      [2, 5, 5, 1],
    ],
    double,
  );
  const none = [0, 0, 0, 0];
  const all = [NaN, NaN, NaN, NaN];
  const shared = [[0, 1, 0, 1], none];
  const wanted: readonly (readonly [string, (x: jl.Tensor) => jl.Tensor, readonly (readonly number[])[]])[] =
    [
      ["amax(1)", (x) => x.amax(1), [all, [0, 2, 2, 0]]],
      ["amin(1)", (x) => x.amin(1), [all, [0, 0, 0, 4]]],
      ["amax()", (x) => x.amax(), [all, all]],
      ["aminmax", (x) => x.aminmax({ dim: 1 }).max, [all, [0, 2, 2, 0]]],
      ["max()", (x) => x.max(), shared],
      ["min()", (x) => x.min(), shared],
      [
        "max with indices",
        (x) => x.max(1, { indices: true }).values,
        [
          [0, 2, 0, 0],
          [0, 4, 0, 0],
        ],
      ],
      [
        "min with indices",
        (x) => x.min(1, { indices: true }).values,
        [
          [0, 2, 0, 0],
          [0, 0, 0, 4],
        ],
      ],
      ["median()", (x) => x.median(), shared],
      [
        "median(1)",
        (x) => x.median(1).values,
        [
          [0, 2, 0, 0],
          [4, 0, 0, 0],
        ],
      ],
      ["norm", (x) => x.norm(Infinity, 1), [none, [0, 2, 2, 0]]],
    ];
  for (const [name, run, gradient] of wanted) {
    const loss = (x: jl.Tensor) => {
      const y = run(x);
      return y
        .mul(
          jl
            .arange(1, y.size + 1, 1, double)
            .mul(2)
            .reshape(y.shape),
        )
        .sum();
    };
    expect(jl.grad(loss)(x).toArray(), name).toEqual(gradient);
    expect(jl.compile(jl.grad(loss))(x).toArray(), name).toEqual(gradient);
  }
  expect(jl.jvp((y: jl.Tensor) => y.amax(1), [x], [jl.ones([2, 4], double)]).tangent.toArray()).toEqual([
    NaN,
    1,
  ]);
});

test("the first of equal elements of a pooled window gets its derivative, as in PyTorch", () => {
  const pooled = (x: jl.Tensor) =>
    x
      .reshape(1, 1, 4, 4)
      .maxPool2d(2)
      .mul(
        jl.tensor(
          [
            [1, 2],
            [3, 4],
          ],
          double,
        ),
      )
      .sum();
  const first = jl.tensor([1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0], double);
  const gradient = jl.grad(pooled);
  expect(gradient(jl.zeros([16], double)).equal(first)).toBe(true);
  expect(
    jl
      .compile(gradient)(jl.zeros([16], double))
      .equal(first),
  ).toBe(true);
  expect(gradient(jl.zeros([16], double).set([0], NaN)).equal(first)).toBe(true);
  const wide = (x: jl.Tensor) => x.maxPool2d(8, { stride: 2 }).sum();
  const corners = jl
    .zeros([1, 10, 10], double)
    .set([0, jl.tensor([0n, 0n, 2n, 2n]), jl.tensor([0n, 2n, 0n, 2n])], 1);
  expect(
    jl
      .grad(wide)(jl.ones([1, 10, 10], double))
      .equal(corners),
  ).toBe(true);
});
