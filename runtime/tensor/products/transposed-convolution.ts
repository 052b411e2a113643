// The transposed convolution of images: each element of the input adds its multiple of the weight to a window of the result. It
// is a convolution with the mirrored weight of the input with zeros between its elements.
import { optionsOf } from "../../base/arguments.js";
import { JitlabError, show } from "../../base/errors.js";
import { formatShape } from "../../geometry/layout.js";
import { openCasts } from "../../launch/sink.js";
import { givenFloating, wide } from "../statistic-options.js";
import { type Tensor, tensorOf } from "../tensor.js";
import { batched, conv2d, type PerDim, perDim, withBias } from "./convolution.js";
import { libraryConvolution } from "./library-convolution.js";

/** Options of convTranspose2d. */
export interface ConvTransposeOptions {
  /** Added to each channel of the result. */
  readonly bias?: Tensor;
  /** The distance of windows in the result; default 1. */
  readonly stride?: PerDim;
  /** How much is cut off on both sides; default 0. */
  readonly padding?: PerDim;
  /** Added to the result's extents at one side, smaller than the stride or the dilation; default 0. */
  readonly outputPadding?: PerDim;
  /** How many groups the channels are divided into; default 1. */
  readonly groups?: number;
  /** The distance of a window's elements; default 1. */
  readonly dilation?: PerDim;
}

const names = ["bias", "stride", "padding", "outputPadding", "groups", "dilation"] as const;

/**
 * The transposed convolution of images `[batch, channels, rows, columns]` with a weight `[channels, channels out / groups, rows,
 * columns]`: the gradient of conv2d with this weight.
 *
 * @example jl.ones([1, 2, 2]).convTranspose2d(jl.ones([1, 1, 2, 2])).toArray() // [[[1, 2, 1], [2, 4, 2], [1, 2, 1]]]
 */
export function convTranspose2d(x: Tensor, weight: Tensor, options?: ConvTransposeOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("convTranspose2d", convTranspose2d, [x, weight, options]);
  const what = "convTranspose2d";
  const given = optionsOf(what, options, names);
  const { groups = 1, bias } = given;
  const [images, back] = batched(what, givenFloating(what, x), 2);
  checkWeight(what, images, x, tensorOf(what, weight), groups);
  const each = (name: string, value: PerDim, least: number) => perDim(what, name, value, 2, least);
  const stride = each("stride", given.stride ?? 1, 1);
  const dilation = each("dilation", given.dilation ?? 1, 1);
  const padding = each("padding", given.padding ?? 0, 0);
  const further = each("outputPadding", given.outputPadding ?? 0, 0);
  const at = (list: readonly number[], d: number) => list[d] as number;
  if (further.some((extra, d) => extra >= Math.max(at(stride, d), at(dilation, d)))) {
    throw new JitlabError(
      "bad-argument",
      `${what}: outputPadding is ${show(further)}, with stride ${show(stride)} and dilation ${show(dilation)}.`,
      "It must be smaller than the stride or the dilation.",
    );
  }
  const margins = [0, 1].map((d) => {
    const before = at(dilation, d) * ((weight.shape[2 + d] as number) - 1) - at(padding, d);
    return [before, before + at(further, d)] as const;
  });
  const spread = [2, 3].map((dim, d) => ((images.shape[dim] as number) - 1) * at(stride, d) + 1);
  const extents = margins.map(([before, after], d) => before + after + (spread[d] as number));
  const counts = extents.map((extent, d) => extent - at(dilation, d) * ((weight.shape[2 + d] as number) - 1));
  if (counts.some((count) => count <= 0)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: the padding ${show(padding)} cuts off all of the result.`,
      "Pass a smaller one.",
    );
  }
  const shape = [images.shape[0] as number, groups * (weight.shape[1] as number), ...counts];
  // A convolution's gradient of its input takes as many rows and columns.
  const byLibrary = further.every((extra, d) => extra < at(stride, d))
    ? libraryConvolution(what, "input", [weight, images], shape, { padding, stride, dilation, groups })
    : undefined;
  const composed = () => {
    const zeros = [0, 1].reduce((image, d) => withZeros(image, 2 + d, at(stride, d)), wide(images));
    const padded = zeros.pad([...margins].reverse().flat());
    return conv2d(padded, mirrored(wide(weight), groups), { dilation, groups });
  };
  return back(withBias(what, byLibrary ?? composed(), bias)).to(x.dtype.name);
}

function checkWeight(what: string, images: Tensor, x: Tensor, weight: Tensor, groups: unknown): void {
  const channels = images.shape[1] as number;
  const isDivided = Number.isInteger(groups) && (groups as number) > 0 && channels % (groups as number) === 0;
  if (weight.ndim === 4 && weight.dtype === x.dtype && weight.shape[0] === channels && isDivided) return;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: a weight of shape ${formatShape(weight.shape)} and ${weight.dtype.name}, in ${show(groups)} groups, for ${channels} channels of ${x.dtype.name}.`,
    "It has the input's dtype, and four dimensions: channels, channels out / groups, and the window.",
  );
}

/** The weight of a convolution: `[channels out, channels / groups, window]`, mirrored. */
function mirrored(weight: Tensor, groups: number): Tensor {
  const [channels, outer, ...size] = weight.shape as [number, number, number, number];
  return weight
    .flip(2, 3)
    .reshape([groups, channels / groups, outer, ...size])
    .transpose(1, 2)
    .reshape([groups * outer, channels / groups, ...size]);
}

/** Zeros between the elements along a dimension, so that they are `stride` apart. */
function withZeros(x: Tensor, dim: number, stride: number): Tensor {
  if (stride === 1) return x;
  const extent = x.shape[dim] as number;
  const margins = [...new Array(2 * (x.ndim - 1 - dim)).fill(0), 0, stride - 1];
  const spread = x.unsqueeze(dim + 1).pad(margins);
  const shape = x.shape.with(dim, extent * stride);
  return spread.reshape(shape).narrow(dim, 0, (extent - 1) * stride + 1);
}
