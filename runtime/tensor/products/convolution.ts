// Convolutions and pooling of signals and images, with PyTorch's shapes and options. A pass over windows is the
// device's, else a matrix product of copied windows; where a window has few elements of one channel, it is a sum over shifted
// views, which needs no copy.
import { integersOf, optionsOf } from "../../base/arguments.js";
import { JitlabError, show } from "../../base/errors.js";
import { formatShape, sizeOf } from "../../geometry/layout.js";
import { differentiable, openCasts } from "../../launch/sink.js";
import { asProgram } from "../../program/tape/own-program.js";
import { onesLike } from "../create.js";
import { checkDevices } from "../same-device.js";
import { floating, givenFloating, wide } from "../statistic-options.js";
import { type Tensor, tensorOf, windowOf } from "../tensor.js";
import { libraryConvolution } from "./library-convolution.js";

/** A number for every dimension of space, or one for each. */
export type PerDim = number | readonly number[];

/** Options of convolutions. */
export interface ConvOptions {
  /** Added to each channel of the result. */
  readonly bias?: Tensor;
  /** The distance of windows; default 1. */
  readonly stride?: PerDim;
  /** Zeros on both sides; `same` for a result of the input's size with stride 1, `valid` (the default) for none. */
  readonly padding?: PerDim | "same" | "valid";
  /** The distance of a window's elements; default 1. */
  readonly dilation?: PerDim;
  /** How many groups the channels are divided into, each with its own part of the weight; default 1. */
  readonly groups?: number;
}

/** Options of pooling. */
export interface PoolOptions {
  /** The distance of windows; default: their size. */
  readonly stride?: PerDim;
  /** Margins on both sides, at most half the size of a window. */
  readonly padding?: PerDim;
}

/** Options of maxPool2d. */
export interface MaxPoolOptions extends PoolOptions {
  /** The distance of a window's elements; default 1. */
  readonly dilation?: PerDim;
}

/** Options of avgPool2d. */
export interface AvgPoolOptions extends PoolOptions {
  /** Whether the zeros of margins count as elements; default true. */
  readonly countIncludePad?: boolean;
}

/** Windows over the last dimensions. */
interface Windows {
  readonly size: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
}

/** The most elements of a window that is summed over shifted views. */
const mostShifts = 49;

/** A number for each dimension of space, at least `least`; throws `bad-argument`. */
export function perDim(what: string, name: string, value: PerDim, dims: number, least: number): number[] {
  const list = integersOf(what, name, value);
  const all = list.length === 1 ? new Array<number>(dims).fill(list[0] as number) : list;
  if (all.length === dims && all.every((one) => one >= least)) return all;
  throw new JitlabError(
    "bad-argument",
    `${what}: ${name} is ${show(value)}.`,
    `Give one integer from ${least} on, or one for each of ${dims} dimensions.`,
  );
}

/** Zeros before and behind each of the last dimensions. */
type Margins = readonly (readonly [before: number, after: number])[];

/** How many windows fit along each dimension; throws if none does. */
function countsOf(what: string, x: Tensor, { size, stride, dilation }: Windows, margins?: Margins): number[] {
  const own = x.shape.slice(-size.length);
  const space = own.map((extent, d) => {
    const [before, after] = margins?.[d] ?? [0, 0];
    return before + extent + after;
  });
  const counts = size.map((length, d) => {
    const extent = (dilation[d] as number) * (length - 1) + 1;
    return Math.floor(((space[d] as number) - extent) / (stride[d] as number)) + 1;
  });
  if (counts.every((count) => count > 0)) return counts;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: windows of ${formatShape(size)} are larger than ${formatShape(space)}.`,
    "Add margins with padding, or pass a smaller window.",
  );
}

/** The windows as a view: `[lead..., counts..., size...]`. */
function windowsIn(x: Tensor, counts: readonly number[], { size, stride, dilation }: Windows): Tensor {
  const lead = x.ndim - size.length;
  const steps = x.strides.slice(lead);
  const times = (factors: readonly number[]) => factors.map((factor, d) => factor * (steps[d] as number));
  return windowOf(x, {
    shape: [...x.shape.slice(0, lead), ...counts, ...size],
    strides: [...x.strides.slice(0, lead), ...times(stride), ...times(dilation)],
    offset: 0,
  });
}

/** The views of all windows' elements at each place of a window, in row-major order. */
function shiftsOf(x: Tensor, counts: readonly number[], windows: Windows): Tensor[] {
  const all = windowsIn(x, counts, windows);
  const lead = all.ndim - windows.size.length;
  return Array.from({ length: sizeOf(windows.size) }, (_, place) => {
    let rest = place;
    let view = all;
    for (let d = windows.size.length - 1; d >= 0; d--) {
      const extent = windows.size[d] as number;
      view = view.select(lead + d, rest % extent);
      rest = Math.floor(rest / extent);
    }
    return view;
  });
}

/** Margins of `[before, after]` for the last dimensions, filled with a number. */
function withMargins(x: Tensor, margins: Margins, value: number): Tensor {
  if (margins.every(([before, after]) => before === 0 && after === 0)) return x;
  return x.pad([...margins].reverse().flat(), { value });
}

/** The tensor with a batch dimension, and the inverse; throws for another number of dimensions. */
export function batched(
  what: string,
  x: Tensor,
  dims: number,
): readonly [Tensor, (result: Tensor) => Tensor] {
  if (x.ndim === dims + 2) return [x, (result) => result];
  if (x.ndim === dims + 1) return [x.unsqueeze(0), (result) => result.squeeze(0)];
  throw new JitlabError(
    "bad-dimension",
    `${what}: the shape ${formatShape(x.shape)}.`,
    `It takes channels of ${dims} dimensions, or a batch of them: ${dims + 1} or ${dims + 2} dimensions.`,
  );
}

/**
 * The convolution (cross-correlation) of signals `[batch, channels, length]` with a weight `[channels out, channels / groups,
 * size]`.
 *
 * @example jl.tensor([[1, 2, 4, 8]]).conv1d(jl.tensor([[[-1, 1]]])).toArray() // [[1, 2, 4]]
 */
export function conv1d(x: Tensor, weight: Tensor, options?: ConvOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("conv1d", conv1d, [x, weight, options]);
  return convolved("conv1d", x, weight, options, 1);
}

/**
 * The convolution (cross-correlation) of images `[batch, channels, rows, columns]` with a weight `[channels out, channels /
 * groups, rows, columns]`.
 *
 * @example jl.ones([1, 3, 3]).conv2d(jl.ones([1, 1, 2, 2])).toArray() // [[[4, 4], [4, 4]]]
 */
export function conv2d(x: Tensor, weight: Tensor, options?: ConvOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("conv2d", conv2d, [x, weight, options]);
  return convolved("conv2d", x, weight, options, 2);
}

function convolved(
  what: string,
  given: Tensor,
  weight: Tensor,
  options: ConvOptions | undefined,
  dims: number,
): Tensor {
  const names = ["bias", "stride", "padding", "dilation", "groups"] as const;
  const { bias, stride = 1, padding = 0, dilation = 1, groups = 1 } = optionsOf(what, options, names);
  const [x, back] = batched(what, givenFloating(what, given), dims);
  checkDevices(what, x, tensorOf(what, weight), ["the input", "the weight"]);
  const [channels, outer] = [x.shape[1] as number, weight.shape[0] as number];
  const isDivided = Number.isInteger(groups) && groups > 0 && channels % groups === 0 && outer % groups === 0;
  if (
    weight.ndim !== dims + 2 ||
    weight.dtype !== given.dtype ||
    !isDivided ||
    weight.shape[1] !== channels / groups
  ) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: a weight of shape ${formatShape(weight.shape)} and ${weight.dtype.name}, in ${show(groups)} groups, for ${channels} channels of ${given.dtype.name}.`,
      `It has the input's dtype, and ${dims + 2} dimensions: channels out, channels / groups, and the window.`,
    );
  }
  const size = weight.shape.slice(2);
  const windows = {
    size,
    stride: perDim(what, "stride", stride, dims, 1),
    dilation: perDim(what, "dilation", dilation, dims, 1),
  };
  const margins = marginsOf(what, padding, windows);
  const counts = countsOf(what, x, windows, margins);
  const isShifted = channels === groups && sizeOf(size) <= mostShifts;
  const isEven = margins.every(([before, after]) => before === after);
  // Windows of one element are no copy for a product.
  const isProduct = sizeOf(size) === 1 && x.dtype.name === x.dtype.compute;
  const place = { ...windows, padding: margins.map(([margin]) => margin), groups };
  const composed = () =>
    withPadding(wide(x), margins, (padded) =>
      isShifted
        ? shifted(what, padded, wide(weight), counts, windows)
        : multiplied(padded, wide(weight), counts, windows, groups),
    );
  const output = [x.shape[0] as number, outer, ...counts];
  // In a half type the library rounds the sums, which it adds up in float32.
  const byLibrary =
    isShifted || isProduct || !isEven
      ? undefined
      : libraryConvolution(what, "output", [x, weight], output, place);
  const found = byLibrary ?? composed();
  return back(withBias(what, found, bias)).to(given.dtype.name);
}

/** What `use` makes of the tensor with margins of zeros. */
function withPadding(x: Tensor, margins: Margins, use: (padded: Tensor) => Tensor): Tensor {
  const padded = withMargins(x, margins, 0);
  const result = use(padded);
  if (padded !== x) padded.dispose();
  return result;
}

/** The result with a number added to each of its channels. */
export function withBias(what: string, found: Tensor, bias: Tensor | undefined): Tensor {
  if (bias === undefined) return found;
  const { shape } = tensorOf(what, bias);
  if (shape.length === 1 && shape[0] === found.shape[1]) {
    const each = bias.to(found.dtype.name).reshape([-1, ...found.shape.slice(2).map(() => 1)]);
    return found.add(each as never);
  }
  throw new JitlabError(
    "shape-mismatch",
    `${what}: a bias of shape ${formatShape(shape)} for ${found.shape[1]} channels.`,
    "It is a vector with an element for each channel of the result.",
  );
}

function marginsOf(
  what: string,
  padding: PerDim | "same" | "valid",
  { size, stride, dilation }: Windows,
): Margins {
  if (padding === "valid") return size.map(() => [0, 0]);
  if (padding !== "same") {
    return perDim(what, "padding", padding, size.length, 0).map((margin) => [margin, margin]);
  }
  if (stride.some((step) => step !== 1)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: padding is "same", but stride ${show(stride)}.`,
      "Use stride 1.",
    );
  }
  return size.map((length, d) => {
    const total = (dilation[d] as number) * (length - 1);
    return [Math.floor(total / 2), Math.ceil(total / 2)];
  });
}

/** The sum over shifted views, for groups of one channel. */
function shifted(
  what: string,
  x: Tensor,
  weight: Tensor,
  counts: readonly number[],
  windows: Windows,
): Tensor {
  return asProgram(what, x, () => {
    const [batch, channels] = x.shape as [number, number];
    const outer = weight.shape[0] as number;
    const space = counts.map(() => 1);
    const factors = weight.reshape([channels, outer / channels, -1]);
    const sum = shiftsOf(x, counts, windows)
      .map((view, place) => {
        const factor = factors.select(2, place).reshape([channels, outer / channels, ...space]);
        return view.unsqueeze(2).mul(factor as never);
      })
      .reduce((total, part) => total.add(part));
    return sum.reshape([batch, outer, ...counts]);
  });
}

/** The product of the weight and the copied windows. */
function multiplied(
  x: Tensor,
  weight: Tensor,
  counts: readonly number[],
  windows: Windows,
  groups: number,
): Tensor {
  const [batch, channels] = x.shape as [number, number];
  const outer = weight.shape[0] as number;
  const dims = counts.length;
  const view = windowsIn(x, counts, windows);
  const order = [0, 1, ...counts.map((_, d) => 2 + dims + d), ...counts.map((_, d) => 2 + d)];
  const inner = (channels / groups) * sizeOf(windows.size);
  const columns = view.permute(order).reshape([batch, groups, inner, sizeOf(counts)]);
  const product = weight.reshape([1, groups, outer / groups, inner]).matmul(columns as never);
  // Windows of one element are no copy.
  if (columns.storage !== x.storage) columns.dispose();
  return product.reshape([batch, outer, ...counts]);
}

/** Checked windows of pooling over images. */
function pooled(what: string, given: Tensor, size: PerDim, options: MaxPoolOptions) {
  const [x, back] = batched(what, floating(what, given, false), 2);
  const windows = {
    size: perDim(what, "the size", size, 2, 1),
    stride: perDim(what, "stride", options.stride ?? size, 2, 1),
    dilation: perDim(what, "dilation", options.dilation ?? 1, 2, 1),
  };
  const margins = perDim(what, "padding", options.padding ?? 0, 2, 0);
  if (margins.some((margin, d) => margin > (windows.size[d] as number) / 2)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: margins of ${show(margins)} for windows of ${formatShape(windows.size)}.`,
      "They are at most half as large.",
    );
  }
  return { x, windows, margins: margins.map((margin) => [margin, margin] as const), back };
}

/**
 * The largest element of each window of images `[batch, channels, rows, columns]`; NaN if there is one.
 *
 * @example jl.arange(16).float().reshape(1, 4, 4).maxPool2d(2).toArray() // [[[5, 7], [13, 15]]]
 */
export function maxPool2d(x: Tensor, size: PerDim, options?: MaxPoolOptions): Tensor {
  const what = "maxPool2d";
  const given = optionsOf(what, options, ["stride", "padding", "dilation"]);
  const { x: images, windows, margins, back } = pooled(what, x, size, given);
  const padded = withMargins(images, margins, Number.NEGATIVE_INFINITY);
  const counts = countsOf(what, padded, windows);
  // Of equal elements the first one, in its value and in derivatives.
  const larger = (most: Tensor, view: Tensor): Tensor =>
    differentiable(
      () => most.maximum(view as never),
      () => view.ge(most).logicalOr(view.isnan()).where(view, most) as Tensor,
    );
  const found =
    sizeOf(windows.size) <= mostShifts
      ? asProgram(what, padded, () => shiftsOf(padded, counts, windows).toReversed().reduce(larger))
      : largestOf(windowsIn(padded, counts, windows));
  return back(sizeOf(windows.size) === 1 ? found.clone() : found).to(x.dtype.name);
}

/** The largest element of windows in the last two dimensions. */
function largestOf(windows: Tensor): Tensor {
  return differentiable(
    () => windows.amax([-2, -1]),
    () => windows.flatten(-2).max(-1, { indices: true }).values,
  );
}

/**
 * The mean of each window of images `[batch, channels, rows, columns]`.
 *
 * @example jl.arange(16).float().reshape(1, 4, 4).avgPool2d(2).toArray() // [[[2.5, 4.5], [10.5, 12.5]]]
 */
export function avgPool2d(x: Tensor, size: PerDim, options?: AvgPoolOptions): Tensor {
  const what = "avgPool2d";
  const given = optionsOf(what, options, ["stride", "padding", "countIncludePad"]);
  const { x: images, windows, margins, back } = pooled(what, x, size, given);
  const sums = (of: Tensor) => {
    const padded = withMargins(of, margins, 0);
    const counts = countsOf(what, padded, windows);
    if (sizeOf(windows.size) > mostShifts) return windowsIn(padded, counts, windows).sum([-2, -1]);
    return asProgram(what, padded, () =>
      shiftsOf(padded, counts, windows).reduce((total, view) => total.add(view as never)),
    );
  };
  const isWhole = given.countIncludePad ?? true;
  const count = isWhole ? sizeOf(windows.size) : sums(onesLike(images));
  return back(sums(images).div(count as never)).to(x.dtype.name);
}
