// Operations of two matrices that make a matrix of the same shape: of every kind of launch, so that any of them may follow any other.
import * as jl from "../../dist/runtime/index.js";

/** The matrices' extents. */
export const extent = 4;

/** Makes a matrix of two. */
export type MatrixOperation = (x: jl.Tensor, y: jl.Tensor) => jl.Tensor;

const shape = [extent, extent];
const last = { dim: -1, keepdim: true } as const;
const places = (x: jl.Tensor) => x.abs().mul(7).floor().remainder(extent).nanToNum().to("int64");
const square = (x: jl.Tensor) => x.expand(shape).clone();
const tamed = (x: jl.Tensor) => x.nanToNum().tanh();
/** A matrix that has an inverse. */
const regular = (x: jl.Tensor) => tamed(x).add(jl.eye(extent).mul(3));
const positive = (x: jl.Tensor) => tamed(x).matmul(tamed(x).T).add(jl.eye(extent));

/** What the reference device runs: everything but functors in C++. */
export const matrixOperations: Readonly<Record<string, MatrixOperation>> = {
  // Maps, by layout, number of operands, of results, and where these lie.
  add: (x, y) => x.add(y),
  addSelf: (x) => x.add(x),
  scaled: (x) => x.mul(0.5),
  turned: (x, y) => x.T.sub(y),
  row: (x, y) => x.mul(y.select(0, 0)),
  element: (x, y) => x.mul(y.select(0, 0).select(0, 1)),
  reversed: (x, y) => x.flip(0).add(y),
  where: (x, y) => jl.where(x.gt(y), x, y),
  four: (x, y) => x.addcmul(y, x, { value: 0.5 }),
  cast: (x) => x.to("float64").to("float32"),
  clone: (x) => x.T.clone(),
  written: (x, y) => y.clone().copy_(x),
  inPlace: (x, y) => x.clone().add_(y),
  part: (x, y) => {
    const z = y.clone();
    z.narrow(0, 1, 2).mul_(x.narrow(0, 0, 2));
    return z;
  },
  filled: (x) => x.clone().fill_(2),
  out: (x, y) => jl.add(x, y, { out: jl.zeros(shape) }),
  tril: (x) => x.tril(),
  roll: (x) => x.roll(1, 0),
  pad: (x) => x.narrow(0, 0, extent - 1).pad([0, 0, 0, 1]),
  cat: (x, y) => jl.cat([x.narrow(0, 0, 2), y.narrow(0, 2, 2)]),
  stack: (x, y) => jl.stack([x.select(0, 0), y.select(0, 1), x.select(1, 2), y.select(0, 3)]),
  // Reductions, rows and scans.
  sum: (x) => square(x.sum(last)),
  total: (x) => square(x.sum()),
  max: (x) => square(x.amax(0, { keepdim: true })),
  argmax: (x) => square(x.argmax(1, { keepdim: true }).to("float32")),
  variance: (x) => square(x.var(last)),
  norm: (x) => square(x.norm(2, { dim: 1, keepdim: true })),
  logsumexp: (x) => square(x.logsumexp(1, { keepdim: true })),
  softmax: (x) => x.softmax(1),
  cumsum: (x) => x.cumsum(1),
  cummax: (x) => x.cummax(0).values,
  logcumsumexp: (x) => x.logcumsumexp(1),
  // Walks: orders, reads and writes by indexes, and what tensors are searched for.
  sort: (x) => x.sort(1).values,
  sorted: (x) => x.sort(0, { descending: true }).values,
  argsort: (x) => x.argsort(1).to("float32"),
  topk: (x) => x.topk(extent, 1).values,
  median: (x) => square(x.median(1, { keepdim: true }).values),
  quantile: (x) => square(x.quantile(0.3, 1, { keepdim: true })),
  mode: (x) => square(x.mode(1, { keepdim: true }).values),
  gather: (x, y) => x.gather(1, places(y)),
  take: (x, y) => x.take(places(y)),
  indexSelect: (x, y) => x.indexSelect(0, places(y).select(0, 0)),
  at: (x, y) => x.at(places(y).select(0, 1)),
  scatter: (x, y) => x.scatter(1, places(y), y),
  scatterAdd: (x, y) => x.scatterAdd(0, places(y), y),
  scatterReduce: (x, y) => x.scatterReduce(1, places(y), y, "amax"),
  indexAdd: (x, y) => x.indexAdd(0, places(y).select(0, 0), y),
  indexPut: (x, y) => x.clone().indexPut_([places(y).select(0, 0)], 5),
  set: (x, y) => {
    const z = x.clone();
    z.set([places(y).select(1, 0)], 7);
    return z;
  },
  masked: (x, y) => x.clone().maskedFill_(y.gt(0), 3),
  searchsorted: (x, y) => jl.searchsorted(x.sort(1).values, y).to("float32"),
  isin: (x, y) => x.isin(y).to("float32"),
  cdist: (x, y) => jl.cdist(x, y),
  repeatInterleave: (x) => x.narrow(0, 0, 2).repeatInterleave(2, 0),
  // Products, libraries' routines and transforms.
  matmul: (x, y) => x.matmul(y),
  turnedProduct: (x, y) => x.T.matmul(y.T),
  batch: (x, y) =>
    jl
      .stack([x, y])
      .matmul(jl.stack([y, x]))
      .select(0, 1),
  einsum: (x, y) => jl.einsum("ij,kj->ki", x, y),
  outer: (x, y) => x.select(0, 0).outer(y.select(1, 0)),
  convolution: (x, y) =>
    jl
      .conv2d(x.view(1, 1, extent, extent), y.narrow(0, 0, 3).narrow(1, 0, 3).view(1, 1, 3, 3), {
        padding: 1,
      })
      .view(shape),
  inverse: (x) => jl.linalg.inv(regular(x)),
  solve: (x, y) => jl.linalg.solve(regular(x), y.nanToNum().tanh()),
  triangular: (x, y) => jl.linalg.solveTriangular(regular(x).tril(), tamed(y), { upper: false }),
  cholesky: (x) => jl.linalg.cholesky(positive(x)),
  qr: (x) => jl.linalg.qr(regular(x)).R,
  transform: (x) => jl.fft.ifft(jl.fft.fft(x.to("complex64"), { dim: 1 }), { dim: 0 }).real(),
  realTransform: (x) => jl.fft.irfft(jl.fft.rfft(x), { n: extent }),
};
