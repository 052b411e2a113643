// The functions of tensors as methods. Written by scripts/methods.mjs from the files of runtime/tensor; edit those instead.
import type { DTypeName } from "../base/dtype.js";
import type { Accumulated, AnyDType } from "./element-types.js";
import type { Nested, Tensor } from "./tensor.js";
import type { BincountOptions, HistogramOptions, SearchOptions, SortedSearchOptions } from "./counting/bins.js";
import type { Scalar } from "../ops/op.js";
import type { CloseOptions } from "./choice.js";
import type { AvgPoolOptions, ConvOptions, MaxPoolOptions, PerDim } from "./products/convolution.js";
import type { CovOptions } from "./statistics/covariance.js";
import type { DrawOptions, MultinomialOptions } from "./distributions.js";
import type { IndexAddOptions, ScatterReduceOptions, ScatterReduction } from "./indexing/scattering.js";
import type { Index } from "./indexing/index-parts.js";
import type { IndexPutOptions } from "./indexing/indexing.js";
import type { InterpolateOptions } from "./products/interpolation.js";
import type { DiffOptions } from "./matrix-parts.js";
import type { IsinOptions } from "./ordering/membership.js";
import type { PadOptions } from "./pad.js";
import type { AddmmOptions } from "./products/products.js";
import type { KeepdimOptions, QuantileOptions } from "./ordering/quantiles.js";
import type { Placed } from "./statistics/reduce.js";
import type { Extents } from "./rearrange.js";
import type { GradientOptions, InterpOptions, TrapezoidOptions } from "./statistics/samples.js";
import type { ScanOptions } from "./statistics/scan.js";
import type { SortOptions, TopkOptions } from "./ordering/sorting.js";
import type { NormOptions, SoftmaxOptions } from "./statistics/statistics.js";
import type { DimOptions, Dims } from "./statistic-options.js";
import type { ConvTransposeOptions } from "./products/transposed-convolution.js";
import type { Unique, UniqueOptions } from "./counting/unique.js";
import type { SpreadOptions } from "./statistics/variance.js";
import { searchsorted, bucketize, bincount, histc, histogram } from "./counting/bins.js";
import { cdist } from "./products/cdist.js";
import { equal, allclose, maskedFill, threshold, glu, frexp, modf, divmod } from "./choice.js";
import { viewAsReal, viewAsComplex } from "./complex-pairs.js";
import { conv1d, conv2d, maxPool2d, avgPool2d } from "./products/convolution.js";
import { cov, corrcoef } from "./statistics/covariance.js";
import { exponential_, normal_, uniform_, random_, bernoulli, bernoulli_, poisson, multinomial } from "./distributions.js";
import { gather, indexSelect, take, takeAlongDim, maskedSelect, argwhere, unravelIndex, nonzero } from "./indexing/gathering.js";
import { maskedFill_, scatter_, scatterAdd_, scatterReduce_, indexAdd_, indexCopy_, indexFill_ } from "./indexing/in-place.js";
import { at, set, indexPut_ } from "./indexing/indexing.js";
import { interpolate } from "./products/interpolation.js";
import { tril, triu, diagonal, diagEmbed, diag, trace, diff, outer } from "./matrix-parts.js";
import { isin } from "./ordering/membership.js";
import { numel, dim, tolist, float, double, half, int, short, byte, char, typeAs, viewAs, zero_, nelement, long, bool, cpu, cuda, and, or, not } from "./names.js";
import { kron, cross } from "./products/outer-products.js";
import { pad } from "./pad.js";
import { matmul, mm, bmm, mv, dot, addmm, tensordot } from "./products/products.js";
import { median, nanmedian, quantile, nanquantile, mode } from "./ordering/quantiles.js";
import { roll, flip, fliplr, flipud, rot90, repeat, tile, repeatInterleave, movedim, moveaxis, swapaxes, swapdims, t, broadcastTo, expandAs, reshapeAs, ravel, unflatten, unfold } from "./rearrange.js";
import { interp, trapezoid, trapz, gradient } from "./statistics/samples.js";
import { cumsum, cumprod, cummax, cummin, logcumsumexp } from "./statistics/scan.js";
import { scatter, scatterAdd, scatterReduce, indexAdd, indexCopy, indexFill } from "./indexing/scattering.js";
import { sort, argsort, topk, kthvalue } from "./ordering/sorting.js";
import { split, chunk, tensorSplit, unbind } from "./split.js";
import { norm, vectorNorm, amin, amax, aminmax, countNonzero, nansum, nanmean, logsumexp, softmax, logSoftmax } from "./statistics/statistics.js";
import { convTranspose2d } from "./products/transposed-convolution.js";
import { unique, uniqueConsecutive } from "./counting/unique.js";
import { var_, std, varMean, stdMean } from "./statistics/variance.js";
import { view, reshape, flatten, permute, transpose, expand, squeeze, unsqueeze, select, narrow, slice } from "./views.js";
import { methodOf } from "./operations.js";
import { attach } from "./tensor.js";

export { searchsorted, bucketize, bincount, histc, histogram } from "./counting/bins.js";
export { cdist } from "./products/cdist.js";
export { equal, allclose, maskedFill, threshold, glu, frexp, modf, divmod } from "./choice.js";
export { viewAsReal, viewAsComplex } from "./complex-pairs.js";
export { conv1d, conv2d, maxPool2d, avgPool2d } from "./products/convolution.js";
export { cov, corrcoef } from "./statistics/covariance.js";
export { exponential_, normal_, uniform_, random_, bernoulli, bernoulli_, poisson, multinomial } from "./distributions.js";
export { gather, indexSelect, take, takeAlongDim, maskedSelect, argwhere, unravelIndex, nonzero } from "./indexing/gathering.js";
export { interpolate } from "./products/interpolation.js";
export { tril, triu, diagonal, diagEmbed, diag, trace, diff, outer } from "./matrix-parts.js";
export { isin } from "./ordering/membership.js";
export { kron, cross } from "./products/outer-products.js";
export { pad } from "./pad.js";
export { matmul, mm, bmm, mv, dot, addmm, tensordot } from "./products/products.js";
export { median, nanmedian, quantile, nanquantile, mode } from "./ordering/quantiles.js";
export { roll, flip, fliplr, flipud, rot90, repeat, tile, repeatInterleave, movedim, moveaxis, swapaxes, swapdims, t, broadcastTo, expandAs, reshapeAs, ravel, unflatten, unfold } from "./rearrange.js";
export { interp, trapezoid, trapz, gradient } from "./statistics/samples.js";
export { cumsum, cumprod, cummax, cummin, logcumsumexp } from "./statistics/scan.js";
export { scatter, scatterAdd, scatterReduce, indexAdd, indexCopy, indexFill } from "./indexing/scattering.js";
export { sort, argsort, topk, kthvalue } from "./ordering/sorting.js";
export { split, chunk, tensorSplit, unbind } from "./split.js";
export { norm, vectorNorm, amin, amax, aminmax, countNonzero, nansum, nanmean, logsumexp, softmax, logSoftmax } from "./statistics/statistics.js";
export { convTranspose2d } from "./products/transposed-convolution.js";
export { unique, uniqueConsecutive } from "./counting/unique.js";
export { var_ as var, std, varMean, stdMean } from "./statistics/variance.js";
export { view, reshape, flatten, permute, transpose, expand, squeeze, unsqueeze, select, narrow, slice } from "./views.js";

/** Every function of a tensor as a method. */
export interface TensorMethods<D extends DTypeName> {
  /**
 * The insertion index of each value into sorted rows: a vector, or rows with the values' leading dimensions.
 *
 * @example jl.tensor([1, 3, 5]).searchsorted(jl.tensor([3, 4])).toArray() // [1n, 2n]
 */
  searchsorted(values: Tensor | number, options?: SortedSearchOptions): Tensor<"int64">;
  /**
 * The bin of each element among sorted boundaries: 0 before the first, their number after the last.
 *
 * @example jl.tensor([1, 4]).bucketize(jl.tensor([0, 2, 4])).toArray() // [1n, 2n]
 */
  bucketize(boundaries: Tensor, options?: SearchOptions): Tensor<"int64">;
  /**
 * Counts how often each integer from 0 on is in a vector.
 *
 * @example jl.tensor([1n, 3n, 1n]).bincount().toArray() // [0n, 2n, 0n, 1n]
 */
  bincount(options?: BincountOptions): Tensor;
  /**
 * Counts elements in equal bins from `min` to `max`, by default the elements' range; ignores others.
 *
 * @example jl.tensor([1, 2, 1]).histc(4, 0, 3).toArray() // [0, 2, 1, 0]
 */
  histc(bins?: number, min?: number, max?: number): Tensor;
  /**
 * Counts elements in bins, and returns the bins' boundaries: equal bins, or a vector of sorted boundaries.
 *
 * @example jl.tensor([0, 1, 1, 3]).histogram(3).hist.toArray() // [1, 2, 1]
 */
  histogram(bins?: number | Tensor, options?: HistogramOptions): { hist: Tensor; binEdges: Tensor };
  /**
 * The distances between the rows of two matrices, or of batches: the `p`-norm of their difference.
 *
 * @example jl.tensor([[0, 0], [3, 4]]).cdist(jl.tensor([[0, 0]])).toArray() // [[0], [5]]
 */
  cdist(other: Tensor<D>, p?: number): Tensor<D>;
  /**
 * Whether two tensors have the same shape and equal elements.
 *
 * @example jl.tensor([0, 1]).equal(jl.tensor([0, 1])) // true
 */
  equal(other: Tensor): boolean;
  /**
 * Whether all elements are close to those of another tensor, as in isclose.
 *
 * @example jl.tensor([1, 2]).allclose(jl.tensor([1, 2.000001])) // true
 */
  allclose(other: Tensor | Scalar, options?: CloseOptions): boolean;
  /**
 * Writes `value` where the mask is true and keeps the dtype; the mask broadcasts.
 *
 * @example jl.arange(3).maskedFill(jl.tensor([true, false, true]), 9).toArray() // [9, 1, 9]
 */
  maskedFill(mask: Tensor, value: Tensor | Scalar): Tensor<D>;
  /**
 * The elements above `threshold`, and `value` elsewhere; NaN stays.
 *
 * @example jl.tensor([-1, 2]).threshold(0, 9).toArray() // [9, 2]
 */
  threshold(threshold: number, value: number): Tensor<D>;
  /**
 * The first half of a dimension times the sigmoid of the second.
 *
 * @example jl.tensor([1, 2, 0, 0]).glu().toArray() // [0.5, 1]
 */
  glu(dim?: number): Tensor;
  /**
 * The mantissa, from 0.5 up to 1, and the exponent of 2 as `{ mantissa, exponent }`.
 *
 * @example jl.tensor([8]).frexp().exponent.toArray() // [4]
 */
  frexp(): { mantissa: Tensor; exponent: Tensor };
  /**
 * The fractional and the integral part as `{ fractional, integral }`, both with the sign of the number.
 *
 * @example jl.tensor([-1.5]).modf().fractional.toArray() // [-0.5]
 */
  modf(): { fractional: Tensor; integral: Tensor };
  /**
 * Quotient, rounded down, and remainder as `{ quotient, remainder }`.
 *
 * @example jl.tensor([7, -7]).divmod(2).quotient.toArray() // [3, -4]
 */
  divmod(divisor: Tensor | Scalar): { quotient: Tensor; remainder: Tensor };
  /**
 * The real and imaginary parts of complex numbers, in a new last dimension; a copy (PyTorch gives a view).
 *
 * @example jl.tensor([{ re: 1, im: 2 }]).viewAsReal().toArray() // [[1, 2]]
 */
  viewAsReal(): Tensor;
  /**
 * The complex numbers whose real and imaginary parts are in the last dimension; a copy (PyTorch gives a view).
 *
 * @example jl.tensor([[1, 2]]).viewAsComplex().toArray() // [{ re: 1, im: 2 }]
 */
  viewAsComplex(): Tensor;
  /**
 * The convolution (cross-correlation) of signals `[batch, channels, length]` with a weight `[channels out, channels / groups,
 * size]`.
 *
 * @example jl.tensor([[1, 2, 4, 8]]).conv1d(jl.tensor([[[-1, 1]]])).toArray() // [[1, 2, 4]]
 */
  conv1d(weight: Tensor, options?: ConvOptions): Tensor;
  /**
 * The convolution (cross-correlation) of images `[batch, channels, rows, columns]` with a weight `[channels out, channels /
 * groups, rows, columns]`.
 *
 * @example jl.ones([1, 3, 3]).conv2d(jl.ones([1, 1, 2, 2])).toArray() // [[[4, 4], [4, 4]]]
 */
  conv2d(weight: Tensor, options?: ConvOptions): Tensor;
  /**
 * The largest element of each window of images `[batch, channels, rows, columns]`; NaN if there is one.
 *
 * @example jl.arange(16).float().reshape(1, 4, 4).maxPool2d(2).toArray() // [[[5, 7], [13, 15]]]
 */
  maxPool2d(size: PerDim, options?: MaxPoolOptions): Tensor;
  /**
 * The mean of each window of images `[batch, channels, rows, columns]`.
 *
 * @example jl.arange(16).float().reshape(1, 4, 4).avgPool2d(2).toArray() // [[[2.5, 4.5], [10.5, 12.5]]]
 */
  avgPool2d(size: PerDim, options?: AvgPoolOptions): Tensor;
  /**
 * The covariance matrix of variables: rows are variables, columns observations. Of a vector, its variance.
 *
 * @example jl.tensor([[0, 1, 2], [2, 1, 0]]).cov().toArray() // [[1, -1], [-1, 1]]
 */
  cov(options?: CovOptions): Tensor;
  /**
 * The correlation coefficients of variables: rows are variables, columns observations.
 *
 * @example jl.tensor([[0, 1, 2], [4, 2, 0]]).corrcoef().toArray() // [[1, -1], [-1, 1]]
 */
  corrcoef(): Tensor;
  /**
 * Fills the tensor with exponential numbers of a rate.
 *
 * @example jl.zeros([9]).exponential_(2).ge(0).all().item() // true
 */
  exponential_(rate?: number, options?: DrawOptions): Tensor<D>;
  /**
 * Fills the tensor with normal numbers.
 *
 * @example jl.zeros([9]).normal_(5, 0).toArray()[0] // 5
 */
  normal_(mean?: number, std?: number, options?: DrawOptions): Tensor<D>;
  /**
 * Fills the tensor with uniform numbers from `from` up to, not including, `to`.
 *
 * @example jl.zeros([2]).uniform_(2, 3).floor().toArray() // [2, 2]
 */
  uniform_(from?: number, to?: number, options?: DrawOptions): Tensor<D>;
  /**
 * Fills the tensor with integers from `from` up to, not including, `to`.
 *
 * @example jl.zeros([2]).random_(5, 6).toArray() // [5, 5]
 */
  random_(from: number, to: number, options?: DrawOptions): Tensor<D>;
  /**
 * Ones with the elements as probabilities, else zeros, in the tensor's dtype.
 *
 * @example jl.tensor([0, 1]).bernoulli().toArray() // [0, 1]
 */
  bernoulli(options?: DrawOptions): Tensor<D>;
  /**
 * Fills the tensor with ones with a probability, and zeros.
 *
 * @example jl.zeros([2]).bernoulli_(1).toArray() // [1, 1]
 */
  bernoulli_(p?: number, options?: DrawOptions): Tensor<D>;
  /**
 * Poisson numbers with the elements as rates, in the tensor's dtype.
 *
 * @example jl.tensor([0, 0]).poisson().toArray() // [0, 0]
 */
  poisson(options?: DrawOptions): Tensor<D>;
  /**
 * Indexes drawn with the probabilities of a vector, or of each row of a matrix, which need not add up to 1.
 *
 * @example jl.tensor([0, 1, 0]).multinomial(2, { replacement: true }).toArray() // [1n, 1n]
 */
  multinomial(samples: number, options?: MultinomialOptions): Tensor<"int64">;
  /**
 * The elements along `dim` that the index tensor names; the index's other extents are at most the tensor's.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).gather(1, jl.tensor([[0n, 0n], [1n, 0n]])).toArray() // [[1, 1], [4, 3]]
 */
  gather(dim: number, index: Tensor): Tensor<D>;
  /**
 * The sub-tensors at some indexes of a dimension, in the order of a vector of indexes.
 *
 * @example jl.tensor([10, 20, 30]).indexSelect(0, jl.tensor([2n, 0n])).toArray() // [30, 10]
 */
  indexSelect(dim: number, index: Tensor): Tensor<D>;
  /**
 * The elements at positions in row-major order, in the shape of the index; negative ones count from the end.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).take(jl.tensor([3n, 0n, -1n])).toArray() // [4, 1, 4]
 */
  take(index: Tensor): Tensor<D>;
  /**
 * As {@link gather}, with tensor and index broadcast against each other; without `dim`, from the elements in row-major
 * order.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).takeAlongDim(jl.tensor([[1n], [0n]]), 1).toArray() // [[2], [3]]
 */
  takeAlongDim(index: Tensor, dim?: number): Tensor<D>;
  /**
 * The elements where a mask is true, in row-major order; tensor and mask broadcast.
 *
 * @example jl.tensor([5, 6, 7]).maskedSelect(jl.tensor([true, false, true])).toArray() // [5, 7]
 */
  maskedSelect(mask: Tensor): Tensor<D>;
  /**
 * The same as {@link nonzero}.
 *
 * @example jl.tensor([0, 5, 7]).argwhere().toArray() // [[1n], [2n]]
 */
  argwhere(): Tensor<"int64">;
  /**
 * The indexes along each dimension of a shape, from places in row-major order.
 *
 * @example jl.tensor([5], { dtype: "int64" }).unravelIndex([2, 3]).map((index) => index.toArray()) // [[1n], [2n]]
 */
  unravelIndex(shape: readonly number[]): Tensor[];
  /**
 * The indexes of the nonzero elements in row-major order: one row of `ndim` int64 per element.
 *
 * @example jl.tensor([0, 5, 7]).nonzero().toArray() // [[1n], [2n]]
 */
  nonzero(): Tensor<"int64">;
  /** With `asTuple: true` a vector for each dimension: the indexes of `at(...)`. */
  nonzero(options: { readonly asTuple: true }): Tensor<"int64">[];
  /**
 * Writes `value` where the mask is true.
 *
 * @example jl.arange(3).maskedFill_(jl.tensor([true, false, true]), 9).toArray() // [9, 1, 9]
 */
  maskedFill_(mask: Tensor, value: Tensor | Scalar): Tensor<D>;
  /**
 * Writes the elements of `source`, or one value, at the positions along `dim` that the index names. If an index repeats, the last value stays.
 *
 * @example jl.zeros([3]).scatter_(0, jl.tensor([2n, 0n]), jl.tensor([5, 6])).toArray() // [6, 0, 5]
 */
  scatter_(dim: number, index: Tensor, source: Tensor | Scalar): Tensor<D>;
  /**
 * Adds the elements of `source` at the positions along `dim` that the index names.
 *
 * @example jl.zeros([3]).scatterAdd_(0, jl.tensor([1n, 1n]), jl.tensor([5, 6])).toArray() // [0, 11, 0]
 */
  scatterAdd_(dim: number, index: Tensor, source: Tensor): Tensor<D>;
  /**
 * Joins the elements of `source` at the positions along `dim` that the index names: `sum`, `prod`, `mean`, `amax` or `amin`.
 *
 * @example jl.ones([2]).scatterReduce_(0, jl.tensor([1n, 1n]), jl.tensor([5, 6]), "amax").toArray() // [1, 6]
 */
  scatterReduce_(dim: number, index: Tensor, source: Tensor, reduce: ScatterReduction, options?: ScatterReduceOptions): Tensor<D>;
  /**
 * Adds the sub-tensors of `source` at some indexes of a dimension.
 *
 * @example jl.zeros([2, 2]).indexAdd_(0, jl.tensor([1n]), jl.ones([1, 2])).toArray() // [[0, 0], [1, 1]]
 */
  indexAdd_(dim: number, index: Tensor, source: Tensor, options?: IndexAddOptions): Tensor<D>;
  /**
 * Writes the sub-tensors of `source` at some indexes of a dimension. If an index repeats, the last sub-tensor stays.
 *
 * @example jl.zeros([2, 2]).indexCopy_(0, jl.tensor([1n]), jl.tensor([[5, 6]])).toArray() // [[0, 0], [5, 6]]
 */
  indexCopy_(dim: number, index: Tensor, source: Tensor): Tensor<D>;
  /**
 * Writes one value at some indexes of a dimension.
 *
 * @example jl.zeros([3]).indexFill_(0, jl.tensor([1n]), 7).toArray() // [0, 7, 0]
 */
  indexFill_(dim: number, index: Tensor, value: Scalar): Tensor<D>;
  /**
 * The element or sub-tensor at leading indexes: `x.at(0, -1)`. Text slices, as in `x.at(0, "::2")`; null is a new dimension.
 * For these the result is a view. A tensor of integers selects elements by index, a tensor of bool by mask; the result is
 * then a copy.
 *
 * @example jl.arange(6).view(2, 3).at(1, "::2").toArray() // [3, 5]
 */
  at(...indexes: Index[]): Tensor<D>;
  /**
 * Writes a value, or a broadcast tensor, at indexes as in {@link at}: `x.set("1:3, ::2", 0)`, `x.set([mask], y)`. If an
 * element is written several times, the last value stays.
 *
 * @example jl.zeros([4]).set("::2", 1).toArray() // [1, 0, 1, 0]
 */
  set(indexes: Index | readonly Index[], value: Tensor | Scalar): Tensor<D>;
  /**
 * Writes values at index tensors, one per leading dimension; null selects a whole dimension.
 *
 * @example jl.zeros([3]).indexPut_([jl.tensor([0n, 2n])], jl.tensor([5, 6])).toArray() // [5, 0, 6]
 */
  indexPut_(indexes: readonly (Tensor | null)[], values: Tensor | Scalar, options?: IndexPutOptions): Tensor<D>;
  /**
 * A batch of signals `[batch, channels, length]` or images `[batch, channels, rows, columns]` in another size.
 *
 * @example jl.tensor([[[1, 2]]]).interpolate({ scaleFactor: 2 }).toArray() // [[[1, 1, 2, 2]]]
 */
  interpolate(options: InterpolateOptions): Tensor;
  /**
 * The lower triangle of each matrix, up to a diagonal (0 is the main one, 1 the one above it); zero elsewhere.
 *
 * @example jl.ones([2, 3]).tril().toArray() // [[1, 0, 0], [1, 1, 0]]
 */
  tril(diagonal?: number): Tensor<D>;
  /**
 * The upper triangle of each matrix, from a diagonal on; zero elsewhere.
 *
 * @example jl.ones([2, 3]).triu(1).toArray() // [[0, 1, 1], [0, 0, 1]]
 */
  triu(diagonal?: number): Tensor<D>;
  /**
 * A diagonal of two dimensions as a new last dimension; a view. `offset` counts diagonals above the main one.
 *
 * @example jl.arange(4).reshape(2, 2).diagonal().toArray() // [0, 3]
 */
  diagonal(offset?: number, dim1?: number, dim2?: number): Tensor<D>;
  /**
 * Matrices with the last dimension of `x` on a diagonal, in two new dimensions; zero elsewhere.
 *
 * @example jl.tensor([1, 2]).diagEmbed().toArray() // [[1, 0], [0, 2]]
 */
  diagEmbed(offset?: number, dim1?: number, dim2?: number): Tensor<D>;
  /**
 * For a vector, the matrix with it on a diagonal; for a matrix, a copy of that diagonal.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).diag().toArray() // [1, 4]
 */
  diag(offset?: number): Tensor<D>;
  /**
 * Sum of the main diagonal of a matrix; of integers in int64.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).trace().item() // 5
 */
  trace(): Tensor;
  /**
 * Differences of neighbors along a dimension, `n` times; for bool, whether they differ.
 *
 * @example jl.tensor([1, 4, 9]).diff().toArray() // [3, 5]
 */
  diff(n?: number, dim?: number, options?: DiffOptions): Tensor;
  /**
 * Every product of an element of a vector with one of another, as a matrix.
 *
 * @example jl.tensor([1, 2]).outer(jl.tensor([3, 4])).toArray() // [[3, 4], [6, 8]]
 */
  outer(other: Tensor): Tensor;
  /**
 * Whether each element is in another tensor, or equals a number; NaN never is.
 *
 * @example jl.arange(4).isin(jl.tensor([1, 3])).toArray() // [false, true, false, true]
 */
  isin(others: Tensor | Scalar, given?: IsinOptions): Tensor<"bool">;
  /**
 * The number of elements, as the property `size`.
 *
 * @example jl.zeros([2, 3]).numel() // 6
 */
  numel(): number;
  /**
 * The number of dimensions, as the property `ndim`.
 *
 * @example jl.zeros([2, 3]).dim() // 2
 */
  dim(): number;
  /**
 * The elements as nested arrays, as toArray.
 *
 * @example jl.arange(2).tolist() // [0, 1]
 */
  tolist(): Nested;
  /**
 * The tensor in float32.
 *
 * @example jl.arange(2).float().dtype.name // "float32"
 */
  float(): Tensor;
  /**
 * The tensor in float64.
 *
 * @example jl.arange(2).double().dtype.name // "float64"
 */
  double(): Tensor;
  /**
 * The tensor in float16.
 *
 * @example jl.arange(2).half().dtype.name // "float16"
 */
  half(): Tensor;
  /**
 * The tensor in int32.
 *
 * @example jl.ones([2]).int().dtype.name // "int32"
 */
  int(): Tensor;
  /**
 * The tensor in int16.
 *
 * @example jl.ones([2]).short().dtype.name // "int16"
 */
  short(): Tensor<"int16">;
  /**
 * The tensor in uint8.
 *
 * @example jl.ones([2]).byte().dtype.name // "uint8"
 */
  byte(): Tensor<"uint8">;
  /**
 * The tensor in int8.
 *
 * @example jl.ones([2]).char().dtype.name // "int8"
 */
  char(): Tensor<"int8">;
  /**
 * The tensor in another tensor's dtype.
 *
 * @example jl.arange(2).typeAs(jl.ones([1])).dtype.name // "float32"
 */
  typeAs<E extends DTypeName>(other: Tensor<E>): Tensor<E>;
  /**
 * The tensor in another tensor's shape, without a copy.
 *
 * @example jl.arange(4).viewAs(jl.zeros([2, 2])).shape // [2, 2]
 */
  viewAs(other: Tensor): Tensor<D>;
  /**
 * Sets every element to 0.
 *
 * @example jl.ones([2]).zero_().toArray() // [0, 0]
 */
  zero_(): Tensor<D>;
  /**
 * The number of elements, as the property `size`.
 *
 * @example jl.zeros([2, 3]).nelement() // 6
 */
  nelement(): number;
  /**
 * The tensor in int64.
 *
 * @example jl.ones([2]).long().toArray() // [1n, 1n]
 */
  long(): Tensor;
  /**
 * The tensor in bool: whether each element is not 0.
 *
 * @example jl.tensor([0, 2]).bool().toArray() // [false, true]
 */
  bool(): Tensor;
  /**
 * The tensor on the cpu.
 *
 * @example jl.ones([2]).cpu().device.name // "cpu"
 */
  cpu(): Tensor;
  /**
 * The tensor on the first GPU.
 *
 * @example jl.ones([2]).cuda().device.name // "cuda:0"
 */
  cuda(): Tensor;
  /**
 * Where both tensors of bool are true: `logicalAnd`, which takes other dtypes too.
 *
 * @example jl.tensor([true, true]).and(jl.tensor([true, false])).toArray() // [true, false]
 */
  and(other: Tensor): Tensor<"bool">;
  /**
 * Where one of two tensors of bool is true, or both are.
 *
 * @example jl.tensor([true, false]).or(jl.tensor([false, false])).toArray() // [true, false]
 */
  or(other: Tensor): Tensor<"bool">;
  /**
 * Where a tensor of bool is false.
 *
 * @example jl.tensor([true, false]).not().toArray() // [false, true]
 */
  not(): Tensor<"bool">;
  /**
 * The Kronecker product: a copy of the second tensor for each element of the first, times that element.
 *
 * @example jl.tensor([1, 10]).kron(jl.tensor([1, 2])).toArray() // [1, 2, 10, 20]
 */
  kron(other: Tensor): Tensor;
  /**
 * The cross product of vectors of three elements along a dimension, by default the last; the others broadcast.
 *
 * @example jl.tensor([1, 0, 0]).cross(jl.tensor([0, 1, 0])).toArray() // [0, 0, 1]
 */
  cross(other: Tensor, dim?: number): Tensor;
  /**
 * Adds margins of `[before, after]` elements: the first pair is for the last dimension, the next for the one before it. A
 * negative constant margin crops.
 *
 * @example jl.tensor([1, 2]).pad([1, 2]).toArray() // [0, 1, 2, 0, 0]
 */
  pad(padding: readonly number[], given?: PadOptions): Tensor<D>;
  /**
 * The product of matrices, batches of matrices, or vectors: dimensions before the last two broadcast.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).matmul(jl.tensor([1, 10])).toArray() // [21, 43]
 */
  matmul(other: Tensor): Tensor;
  /**
 * The product of two matrices.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).mm(jl.tensor([[1], [10]])).toArray() // [[21], [43]]
 */
  mm(other: Tensor): Tensor;
  /**
 * The products of two equally large batches of matrices.
 *
 * @example jl.ones([2, 1, 3]).bmm(jl.ones([2, 3, 1])).toArray() // [[[3]], [[3]]]
 */
  bmm(other: Tensor): Tensor;
  /**
 * The product of a matrix and a vector.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).mv(jl.tensor([1, 10])).toArray() // [21, 43]
 */
  mv(vector: Tensor): Tensor;
  /**
 * The sum of the products of two vectors' elements.
 *
 * @example jl.tensor([1, 2]).dot(jl.tensor([3, 4])).item() // 11
 */
  dot(other: Tensor): Tensor;
  /**
 * beta times the tensor, broadcast, plus alpha times the product of two matrices.
 *
 * @example jl.ones([2, 2]).addmm(jl.eye(2), jl.eye(2), { alpha: 2 }).toArray() // [[3, 1], [1, 3]]
 */
  addmm(left: Tensor, right: Tensor, options?: AddmmOptions): Tensor;
  /**
 * The product summed over dimensions: the last `dims` of the first and the first of the second, or those in two lists.
 *
 * @example jl.ones([2, 3]).tensordot(jl.ones([3, 4]), 1).shape // [2, 4]
 */
  tensordot(other: Tensor, dims?: number | readonly [readonly number[], readonly number[]]): Tensor;
  /**
 * The median element, the smaller of two: NaN if there is one. Along a dimension `{ values, indices }`.
 *
 * @example jl.tensor([3, 1, 2]).median().item() // 2
 */
  median(): Tensor<D>;
  /** The median elements along a dimension and their indexes. */
  median(dim: number, options?: KeepdimOptions): Placed<D>;
  /**
 * As {@link median}, ignoring NaN.
 *
 * @example jl.tensor([1, NaN, 3, 2]).nanmedian().item() // 2
 */
  nanmedian(): Tensor<D>;
  /** As {@link median} along a dimension, ignoring NaN. */
  nanmedian(dim: number, options?: KeepdimOptions): Placed<D>;
  /**
 * Quantiles: `q` is a fraction from 0 to 1, or several of them, which adds a first dimension.
 *
 * @example jl.tensor([0, 10]).quantile(0.25).item() // 2.5
 */
  quantile(q: number | readonly number[] | Tensor, dim?: number, options?: QuantileOptions): Tensor;
  /**
 * As {@link quantile}, ignoring NaN.
 *
 * @example jl.tensor([1, NaN, 3]).nanquantile(0.5).item() // 2
 */
  nanquantile(q: number | readonly number[] | Tensor, dim?: number, options?: QuantileOptions): Tensor;
  /**
 * The most frequent element along a dimension (the smallest of several), and its last index. NaN equals nothing, so it is
 * returned only if there is nothing else.
 *
 * @example jl.tensor([2, NaN, 1, 2, NaN, NaN]).mode().values.item() // 2
 */
  mode(dim?: number, options?: KeepdimOptions): Placed<D>;
  /**
 * Shifts the elements along dimensions; elements that leave one end enter at the other. Without `dims` they move in row-major order.
 *
 * @example jl.arange(5).roll(2).toArray() // [3, 4, 0, 1, 2]
 */
  roll(shifts: number | readonly number[], dims?: number | readonly number[]): Tensor<D>;
  /**
 * Reverses dimensions; a copy. `x.slice("::-1")` is the view.
 *
 * @example jl.arange(6).reshape(2, 3).flip(1).toArray() // [[2, 1, 0], [5, 4, 3]]
 */
  flip(...dims: Extents): Tensor<D>;
  /**
 * The columns in reverse order; a copy.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).fliplr().toArray() // [[2, 1], [4, 3]]
 */
  fliplr(): Tensor<D>;
  /**
 * The rows in reverse order; a copy.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).flipud().toArray() // [[3, 4], [1, 2]]
 */
  flipud(): Tensor<D>;
  /**
 * Rotates by `k` right angles in the plane of two dimensions, from the first to the second; a copy.
 *
 * @example jl.arange(4).reshape(2, 2).rot90().toArray() // [[1, 3], [0, 2]]
 */
  rot90(k?: number, dims?: readonly number[]): Tensor<D>;
  /**
 * Repeats the tensor `sizes[d]` times along each dimension `d`; additional sizes add leading dimensions.
 *
 * @example jl.tensor([1, 2]).repeat(2, 2).toArray() // [[1, 2, 1, 2], [1, 2, 1, 2]]
 */
  repeat(...sizes: Extents): Tensor<D>;
  /**
 * As {@link repeat}; missing sizes are 1.
 *
 * @example jl.tensor([[1, 2]]).tile(2).toArray() // [[1, 2, 1, 2]]
 */
  tile(...sizes: Extents): Tensor<D>;
  /**
 * Repeats each element along a dimension: a number of times, or a vector with one number per element. Without `dim`, the
 * elements in row-major order.
 *
 * @example jl.tensor([1, 2]).repeatInterleave(2).toArray() // [1, 1, 2, 2]
 */
  repeatInterleave(repeats: number | Tensor, dim?: number): Tensor<D>;
  /**
 * Moves dimensions to other positions; the others keep their order. A view.
 *
 * @example jl.zeros([2, 3, 4]).movedim(0, -1).shape // [3, 4, 2]
 */
  movedim(source: number | readonly number[], destination: number | readonly number[]): Tensor<D>;
  /**
 * As {@link movedim}.
 *
 * @example jl.zeros([2, 3, 4]).moveaxis(0, -1).shape // [3, 4, 2]
 */
  moveaxis(source: number | readonly number[], destination: number | readonly number[]): Tensor<D>;
  /**
 * Swaps two dimensions, as transpose; a view.
 *
 * @example jl.zeros([2, 3, 4]).swapaxes(0, 2).shape // [4, 3, 2]
 */
  swapaxes(a: number, b: number): Tensor<D>;
  /**
 * Swaps two dimensions, as transpose; a view.
 *
 * @example jl.zeros([2, 3, 4]).swapdims(0, 2).shape // [4, 3, 2]
 */
  swapdims(a: number, b: number): Tensor<D>;
  /**
 * The transposed matrix, a view; a tensor with fewer dimensions unchanged.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).t().toArray() // [[1, 3], [2, 4]]
 */
  t(): Tensor<D>;
  /**
 * The tensor broadcast to a shape; a view.
 *
 * @example jl.arange(2).broadcastTo([2, 2]).toArray() // [[0, 1], [0, 1]]
 */
  broadcastTo(...shape: Extents): Tensor<D>;
  /**
 * The tensor with the shape of another one, as {@link broadcastTo}; a view.
 *
 * @example jl.arange(2).expandAs(jl.zeros([2, 2])).toArray() // [[0, 1], [0, 1]]
 */
  expandAs(other: Tensor): Tensor<D>;
  /**
 * The elements in the shape of another tensor, as reshape.
 *
 * @example jl.arange(4).reshapeAs(jl.zeros([2, 2])).toArray() // [[0, 1], [2, 3]]
 */
  reshapeAs(other: Tensor): Tensor<D>;
  /**
 * All elements in one dimension: a view where possible, else a copy.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).ravel().toArray() // [1, 2, 3, 4]
 */
  ravel(): Tensor<D>;
  /**
 * Splits one dimension into several; one size may be -1. A view.
 *
 * @example jl.arange(6).unflatten(0, [2, -1]).shape // [2, 3]
 */
  unflatten(dim: number, sizes: readonly number[]): Tensor<D>;
  /**
 * Windows of `size` elements along a dimension, every `step`, as a new last dimension; a view.
 *
 * @example jl.arange(5).unfold(0, 2, 1).toArray() // [[0, 1], [1, 2], [2, 3], [3, 4]]
 */
  unfold(dim: number, size: number, step: number): Tensor<D>;
  /**
 * The piecewise linear function through points, at each element: `xp` are the ascending places of the points, `fp` their
 * values, both vectors. Beyond the points it is constant.
 *
 * @example jl.tensor([0.5, 3]).interp(jl.tensor([0, 1, 2]), jl.tensor([0, 10, 40])).toArray() // [5, 40]
 */
  interp(xp: Tensor, fp: Tensor, options?: InterpOptions): Tensor;
  /**
 * The integral along a dimension by the trapezoidal rule. The places of the samples may come first: `y.trapezoid(places)`.
 *
 * @example jl.tensor([0, 1, 4]).trapezoid({ dx: 2 }).item() // 6
 */
  trapezoid(places?: Tensor | TrapezoidOptions, options?: TrapezoidOptions): Tensor;
  /**
 * The same as {@link trapezoid}.
 *
 * @example jl.tensor([0, 1, 4]).trapz(jl.tensor([0, 1, 3])).item() // 5.5
 */
  trapz(places?: Tensor | TrapezoidOptions, options?: TrapezoidOptions): Tensor;
  /**
 * The derivatives of samples along dimensions, one tensor for each: central differences, of the second order inside.
 *
 * @example jl.tensor([0, 1, 4, 9]).gradient().map((one) => one.toArray()) // [[1, 2, 4, 5]]
 */
  gradient(options?: GradientOptions): Tensor[];
  /**
 * The sums of the elements up to each, along a dimension; of integers and bool in int64.
 *
 * @example jl.tensor([1, 2, 3]).cumsum(0).toArray() // [1, 3, 6]
 */
  cumsum<R extends DTypeName = Accumulated<D>>(dim: number, options?: ScanOptions<R>): Tensor<R>;
  /**
 * The products of the elements up to each, along a dimension; of integers and bool in int64.
 *
 * @example jl.tensor([1, 2, 3]).cumprod(0).toArray() // [1, 2, 6]
 */
  cumprod<R extends DTypeName = Accumulated<D>>(dim: number, options?: ScanOptions<R>): Tensor<R>;
  /**
 * The largest element up to each and its index, along a dimension; the last of equal ones.
 *
 * @example jl.tensor([1, 3, 2]).cummax(0).values.toArray() // [1, 3, 3]
 */
  cummax(dim: number): Placed<D>;
  /**
 * The smallest element up to each and its index, along a dimension; the last of equal ones.
 *
 * @example jl.tensor([3, 1, 2]).cummin(0).values.toArray() // [3, 1, 1]
 */
  cummin(dim: number): Placed<D>;
  /**
 * The logarithm of the running sum of exponentials, along a dimension; it does not overflow.
 *
 * @example jl.tensor([0, -Infinity]).logcumsumexp(0).toArray() // [0, 0]
 */
  logcumsumexp(dim: number): Tensor<D>;
  /**
 * Writes the elements of `source`, or one value, at the positions along `dim` that the index names; the last of several
 * stays.
 *
 * @example jl.zeros([3]).scatter(0, jl.tensor([2n, 0n]), jl.tensor([5, 6])).toArray() // [6, 0, 5]
 */
  scatter(dim: number, index: Tensor, source: Tensor | Scalar): Tensor<D>;
  /**
 * Adds the elements of `source` at the positions along `dim` that the index names; every sum is rounded once.
 *
 * @example jl.zeros([3]).scatterAdd(0, jl.tensor([2n, 0n, 2n]), jl.tensor([5, 6, 7])).toArray() // [6, 0, 12]
 */
  scatterAdd(dim: number, index: Tensor, source: Tensor): Tensor<D>;
  /**
 * As {@link scatterAdd}, with another join: `sum`, `prod`, `mean`, `amax` or `amin`.
 *
 * @example jl.ones([2]).scatterReduce(0, jl.tensor([1n, 1n]), jl.tensor([5, 6]), "amax").toArray() // [1, 6]
 */
  scatterReduce(dim: number, index: Tensor, source: Tensor, reduce: ScatterReduction, options?: ScatterReduceOptions): Tensor<D>;
  /**
 * Adds the sub-tensors of `source` at some indexes of a dimension.
 *
 * @example jl.zeros([2, 2]).indexAdd(0, jl.tensor([1n]), jl.ones([1, 2])).toArray() // [[0, 0], [1, 1]]
 */
  indexAdd(dim: number, index: Tensor, source: Tensor, options?: IndexAddOptions): Tensor<D>;
  /**
 * Writes the sub-tensors of `source` at some indexes of a dimension; the last of several stays.
 *
 * @example jl.zeros([2, 2]).indexCopy(0, jl.tensor([1n]), jl.tensor([[5, 6]])).toArray() // [[0, 0], [5, 6]]
 */
  indexCopy(dim: number, index: Tensor, source: Tensor): Tensor<D>;
  /**
 * Writes one value at some indexes of a dimension.
 *
 * @example jl.zeros([3]).indexFill(0, jl.tensor([1n]), 7).toArray() // [0, 7, 0]
 */
  indexFill(dim: number, index: Tensor, value: Scalar): Tensor<D>;
  /**
 * The sorted elements along a dimension, and their indexes, as `{ values, indices }`.
 *
 * @example jl.tensor([3, 1, 2]).sort().indices.toArray() // [1n, 2n, 0n]
 */
  sort(dim?: number, options?: SortOptions): Placed<D>;
  /**
 * The indexes of the sorted elements along a dimension.
 *
 * @example jl.tensor([3, 1, 2]).argsort().toArray() // [1n, 2n, 0n]
 */
  argsort(dim?: number, options?: SortOptions): Tensor<"int64">;
  /**
 * The `k` largest elements along a dimension, in order, and their indexes.
 *
 * @example jl.tensor([3, 1, 2]).topk(2).values.toArray() // [3, 2]
 */
  topk(k: number, dim?: number, options?: TopkOptions): Placed<D>;
  /**
 * The `k`-th smallest element along a dimension, counted from 1, and its index.
 *
 * @example jl.tensor([3, 1, 2]).kthvalue(2).values.item() // 2
 */
  kthvalue(k: number, dim?: number, options?: { readonly keepdim?: boolean }): Placed<D>;
  /**
 * Parts of `size` elements (the last one may be shorter), or of the lengths in a list; views.
 *
 * @example jl.arange(5).split(2).map((part) => part.toArray()) // [[0, 1], [2, 3], [4]]
 */
  split(size: number | readonly number[], dim?: number): Tensor<D>[];
  /**
 * At most `chunks` parts of one size (the last one may be shorter); views.
 *
 * @example jl.arange(5).chunk(2).map((part) => part.toArray()) // [[0, 1, 2], [3, 4]]
 */
  chunk(chunks: number, dim?: number): Tensor<D>[];
  /**
 * `sections` parts, the first ones longer by one if needed, or parts between the indexes in a list; views.
 *
 * @example jl.arange(5).tensorSplit(3).map((part) => part.toArray()) // [[0, 1], [2, 3], [4]]
 */
  tensorSplit(sections: number | readonly number[], dim?: number): Tensor<D>[];
  /**
 * The sub-tensors at each index of a dimension, without that dimension; views.
 *
 * @example jl.arange(4).view(2, 2).unbind().map((part) => part.toArray()) // [[0, 1], [2, 3]]
 */
  unbind(dim?: number): Tensor<D>[];
  /**
 * The vector norm of order `p` of the elements' magnitudes. Order and dimensions may come first: `x.norm(1, 0)`.
 *
 * @example jl.tensor([3, 4]).norm().item() // 5
 */
  norm(p?: NormOptions["p"] | NormOptions, dim?: Dims<NormOptions>, options?: NormOptions): Tensor;
  /**
 * The norm of order `p` over dimensions, as {@link norm}.
 *
 * @example jl.tensor([3, 4]).vectorNorm().item() // 5
 */
  vectorNorm(p?: NormOptions["p"] | NormOptions, dim?: Dims<NormOptions>, options?: NormOptions): Tensor;
  /**
 * The smallest element over dimensions; NaN if there is one.
 *
 * @example jl.tensor([[3, 1], [2, 5]]).amin(1).toArray() // [1, 2]
 */
  amin(dim?: Dims, options?: DimOptions): Tensor;
  /**
 * The largest element over dimensions; NaN if there is one.
 *
 * @example jl.tensor([[3, 1], [2, 5]]).amax(1).toArray() // [3, 5]
 */
  amax(dim?: Dims, options?: DimOptions): Tensor;
  /**
 * The smallest and the largest element as `{ min, max }`.
 *
 * @example jl.tensor([3, 1, 2]).aminmax().max.item() // 3
 */
  aminmax(options?: DimOptions): { min: Tensor; max: Tensor };
  /**
 * The number of elements that are not 0, as int64.
 *
 * @example jl.tensor([0, 5, 7]).countNonzero().item() // 2n
 */
  countNonzero(dim?: number | readonly number[]): Tensor;
  /**
 * Sum of the elements, ignoring NaN; of integers and bool in int64.
 *
 * @example jl.tensor([1, NaN, 3]).nansum().item() // 4
 */
  nansum(dim?: Dims, options?: DimOptions): Tensor;
  /**
 * Mean of the elements, ignoring NaN; NaN if there are no others.
 *
 * @example jl.tensor([1, NaN, 3]).nanmean().item() // 2
 */
  nanmean(dim?: Dims, options?: DimOptions): Tensor;
  /**
 * The logarithm of the sum of exponentials, which does not overflow; integers as float32.
 *
 * @example jl.tensor([1000, 1000]).logsumexp().item() // 1000.6931762695312
 */
  logsumexp(dim?: Dims, options?: DimOptions): Tensor;
  /**
 * The exponentials along a dimension, divided by their sum.
 *
 * @example jl.zeros([2]).softmax(0).toArray() // [0.5, 0.5]
 */
  softmax(dim: number, options?: SoftmaxOptions): Tensor;
  /**
 * The logarithm of {@link softmax}, which does not underflow.
 *
 * @example jl.tensor([0, 1000]).logSoftmax(0).toArray() // [-1000, 0]
 */
  logSoftmax(dim: number, options?: SoftmaxOptions): Tensor;
  /**
 * The transposed convolution of images `[batch, channels, rows, columns]` with a weight `[channels, channels out / groups, rows,
 * columns]`: the gradient of conv2d with this weight.
 *
 * @example jl.ones([1, 2, 2]).convTranspose2d(jl.ones([1, 1, 2, 2])).toArray() // [[[1, 2, 1], [2, 4, 2], [1, 2, 1]]]
 */
  convTranspose2d(weight: Tensor, options?: ConvTransposeOptions): Tensor;
  /**
 * Each element once, in order; with `returnInverse` or `returnCounts` as `{ values, inverse, counts }`. NaN equals nothing.
 *
 * @example jl.tensor([3, 1, 3]).unique().toArray() // [1, 3]
 */
  unique(options: UniqueOptions & ({ readonly returnInverse: true } | { readonly returnCounts: true })): Unique<D>;
  /** Each element once, in order. */
  unique(options?: UniqueOptions): Tensor<D>;
  /**
 * Each run of equal neighbors once, in order; options and results as in {@link unique}.
 *
 * @example jl.tensor([1, 1, 2, 1]).uniqueConsecutive().toArray() // [1, 2, 1]
 */
  uniqueConsecutive(options: UniqueOptions & ({ readonly returnInverse: true } | { readonly returnCounts: true })): Unique<D>;
  /** Each run of equal neighbors once, in order. */
  uniqueConsecutive(options?: UniqueOptions): Tensor<D>;
  /**
 * Variance: the mean square of the distance from the mean, over the number of elements less `correction`.
 *
 * @example jl.tensor([1, 2, 3]).var().item() // 1
 */
  var(dim?: Dims<SpreadOptions>, options?: SpreadOptions): Tensor;
  /**
 * Standard deviation: the square root of the variance.
 *
 * @example jl.tensor([1, 2, 3]).std().item() // 1
 */
  std(dim?: Dims<SpreadOptions>, options?: SpreadOptions): Tensor;
  /**
 * Variance and mean as `{ variance, mean }`.
 *
 * @example jl.tensor([1, 2, 3]).varMean().mean.item() // 2
 */
  varMean(dim?: Dims<SpreadOptions>, options?: SpreadOptions): { variance: Tensor; mean: Tensor };
  /**
 * Standard deviation and mean as `{ std, mean }`.
 *
 * @example jl.tensor([1, 2, 3]).stdMean().std.item() // 1
 */
  stdMean(dim?: Dims<SpreadOptions>, options?: SpreadOptions): { std: Tensor; mean: Tensor };
  /**
 * The same elements in another shape without a copy; one extent may be -1. Throws if the strides do not allow it.
 *
 * @example jl.arange(6).view(2, 3).toArray() // [[0, 1, 2], [3, 4, 5]]
 */
  view(...extents: (number | readonly number[])[]): Tensor<D>;
  /**
 * The same elements in another shape: a view where possible, else a copy.
 *
 * @example jl.arange(6).reshape(3, -1).shape // [3, 2]
 */
  reshape(...extents: (number | readonly number[])[]): Tensor<D>;
  /**
 * The dimensions from `start` to `end`, all of them by default, as one; a view where the strides allow it.
 *
 * @example jl.zeros([2, 3, 4]).flatten(1).shape // [2, 12]
 */
  flatten(start?: number, end?: number): Tensor<D>;
  /**
 * The dimensions in another order; a view.
 *
 * @example jl.zeros([2, 3, 4]).permute(2, 0, 1).shape // [4, 2, 3]
 */
  permute(...order: (number | readonly number[])[]): Tensor<D>;
  /**
 * Swaps two dimensions; a view.
 *
 * @example jl.zeros([2, 3]).transpose(0, 1).shape // [3, 2]
 */
  transpose(a: number, b: number): Tensor<D>;
  /**
 * Dimensions of extent 1 stretched to `shape` with stride 0; -1 keeps an extent. A view.
 *
 * @example jl.arange(2).unsqueeze(1).expand(2, 3).toArray() // [[0, 0, 0], [1, 1, 1]]
 */
  expand(...extents: (number | readonly number[])[]): Tensor<D>;
  /**
 * Without dimensions of extent 1, or without those of `dim` whose extent is 1; a view.
 *
 * @example jl.zeros([1, 2, 1]).squeeze().shape // [2]
 */
  squeeze(dim?: number | readonly number[]): Tensor<D>;
  /**
 * With a dimension of extent 1 put in at `dim`; a view.
 *
 * @example jl.arange(2).unsqueeze(1).toArray() // [[0], [1]]
 */
  unsqueeze(dim: number): Tensor<D>;
  /**
 * Index `index` of dimension `dim`, which goes away; a view.
 *
 * @example jl.arange(6).view(2, 3).select(0, 1).toArray() // [3, 4, 5]
 */
  select(dim: number, index: number): Tensor<D>;
  /**
 * `length` indexes of dimension `dim` from `start`; a view.
 *
 * @example jl.arange(6).narrow(0, 2, 3).toArray() // [2, 3, 4]
 */
  narrow(dim: number, start: number, length: number): Tensor<D>;
  /**
 * NumPy's slice notation, such as `x.slice("1:3, ::2")`, negative steps included; a view.
 *
 * @example jl.arange(6).slice("1:5:2").toArray() // [1, 3]
 */
  slice(text: string): Tensor<D>;
}

declare module "./tensor.js" {
  interface Tensor<out D extends DTypeName = AnyDType> extends TensorMethods<D> {}
}

const methods = { searchsorted, bucketize, bincount, histc, histogram, cdist, equal, allclose, maskedFill, threshold, glu, frexp, modf, divmod, viewAsReal, viewAsComplex, conv1d, conv2d, maxPool2d, avgPool2d, cov, corrcoef, exponential_, normal_, uniform_, random_, bernoulli, bernoulli_, poisson, multinomial, gather, indexSelect, take, takeAlongDim, maskedSelect, argwhere, unravelIndex, nonzero, maskedFill_, scatter_, scatterAdd_, scatterReduce_, indexAdd_, indexCopy_, indexFill_, at, set, indexPut_, interpolate, tril, triu, diagonal, diagEmbed, diag, trace, diff, outer, isin, numel, dim, tolist, float, double, half, int, short, byte, char, typeAs, viewAs, zero_, nelement, long, bool, cpu, cuda, and, or, not, kron, cross, pad, matmul, mm, bmm, mv, dot, addmm, tensordot, median, nanmedian, quantile, nanquantile, mode, roll, flip, fliplr, flipud, rot90, repeat, tile, repeatInterleave, movedim, moveaxis, swapaxes, swapdims, t, broadcastTo, expandAs, reshapeAs, ravel, unflatten, unfold, interp, trapezoid, trapz, gradient, cumsum, cumprod, cummax, cummin, logcumsumexp, scatter, scatterAdd, scatterReduce, indexAdd, indexCopy, indexFill, sort, argsort, topk, kthvalue, split, chunk, tensorSplit, unbind, norm, vectorNorm, amin, amax, aminmax, countNonzero, nansum, nanmean, logsumexp, softmax, logSoftmax, convTranspose2d, unique, uniqueConsecutive, var: var_, std, varMean, stdMean, view, reshape, flatten, permute, transpose, expand, squeeze, unsqueeze, select, narrow, slice };
for (const [name, fn] of Object.entries(methods)) attach(name, methodOf(fn as (...args: unknown[]) => unknown));
