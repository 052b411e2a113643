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

const unknown: readonly Case[] = [
  ["cholesky", () => square(), (x) => jl.linalg.cholesky(x.matmul(x.T))],
  ["det", () => square(), (x) => jl.linalg.det(x)],
  ["cumprod", () => matrix(), (x) => x.cumprod(1)],
  ["lcse", () => matrix(), (x) => x.logcumsumexp(1)],
  ["bincount", () => vector(), (x) => jl.tensor([0, 1, 1, 0, 2, 2], integers).bincount({ weights: x })],
  ["cdist", () => matrix(), (x) => x.cdist(x.add(1))],
  ["indexReduce", () => matrix(), (x) => x.scatterReduce(0, jl.tensor([[0n, 1n, 0n, 0n]]), x, "amax")],
];
test.each(unknown)("%s is refused, with its place", (_, x, fn) => {
  expect(refusal(() => jl.gradcheck(fn, [x()]))).toMatch(/no-derivative: .* at functions\.test\.ts:\d+:\d+/);
});
