// Signals and images in other sizes, with PyTorch's modes: along each dimension, an element of the result is a weighted sum of a
// few elements, whose places and weights the host computes.
import { integersOf, numberOf, optionsOf } from "../../base/arguments.js";
import { isArray, JitlabError, show } from "../../base/errors.js";
import { formatShape } from "../../geometry/layout.js";
import { openCasts } from "../../launch/sink.js";
import { tensor } from "../create.js";
import { floating } from "../statistic-options.js";
import type { Tensor } from "../tensor.js";

/** Options of interpolate: a size or a factor. */
export interface InterpolateOptions {
  /** The extents of the result's dimensions of space, or one for all. */
  readonly size?: number | readonly number[];
  /** The factors of the extents, or one for all. */
  readonly scaleFactor?: number | readonly number[];
  /** `nearest` is the default; `linear` is for signals, `bilinear` and `bicubic` are for images. */
  readonly mode?: "nearest" | "linear" | "bilinear" | "bicubic";
  /** Whether the centers of the first and last elements stay in place, not their edges; default false. */
  readonly alignCorners?: boolean;
}

/** The elements that an element of the result is summed of: their distances from a place, and their weights. */
interface Taps {
  readonly first: number;
  weights(fraction: number): readonly number[];
}

const linear: Taps = { first: 0, weights: (t) => [1 - t, t] };

// Keys, Cubic convolution interpolation for digital image processing, 1981, with PyTorch's coefficient.
const a = -0.75;
const near = (t: number) => ((a + 2) * t - (a + 3)) * t * t + 1;
const far = (t: number) => ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
const cubic: Taps = { first: -1, weights: (t) => [far(1 + t), near(t), near(1 - t), far(2 - t)] };

const modes = {
  nearest: { dims: 0, taps: undefined },
  linear: { dims: 1, taps: linear },
  bilinear: { dims: 2, taps: linear },
  bicubic: { dims: 2, taps: cubic },
} as const;

const names = ["size", "scaleFactor", "mode", "alignCorners"] as const;

/**
 * A batch of signals `[batch, channels, length]` or images `[batch, channels, rows, columns]` in another size.
 *
 * @example jl.tensor([[[1, 2]]]).interpolate({ scaleFactor: 2 }).toArray() // [[[1, 1, 2, 2]]]
 */
export function interpolate(x: Tensor, options: InterpolateOptions): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("interpolate", interpolate, [x, options]);
  const what = "interpolate";
  const given = optionsOf(what, options, names);
  const { mode = "nearest", alignCorners = false } = given;
  const value = floating(what, x, false);
  const dims = value.ndim - 2;
  const known = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (!known || (known.dims !== 0 && known.dims !== dims) || dims < 1 || dims > 2) {
    throw new JitlabError(
      "bad-argument",
      `${what}: the mode ${show(mode)} for a tensor of shape ${formatShape(x.shape)}.`,
      "Signals have three dimensions (nearest, linear), images four (nearest, bilinear, bicubic): batch, channels and space.",
    );
  }
  if (alignCorners && known.taps === undefined) {
    throw new JitlabError(
      "bad-argument",
      `${what}: alignCorners with the mode nearest.`,
      "The nearest element does not depend on it: leave it out.",
    );
  }
  const space = x.shape.slice(2);
  const axes = axesOf(what, space, given);
  if (value.size === 0) {
    throw new JitlabError("bad-argument", `${what}: the shape ${formatShape(x.shape)} has no elements.`);
  }
  const result = axes.reduce((image, axis, d) => {
    return known.taps === undefined
      ? nearest(image, 2 + d, axis)
      : weighted(image, 2 + d, axis, known.taps, alignCorners);
  }, value);
  return (result === value ? value.clone() : result).to(x.dtype.name);
}

/** The extents of one dimension, and how many elements of the input one of the result is. */
interface Axis {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

function axesOf(what: string, space: readonly number[], options: Partial<InterpolateOptions>): Axis[] {
  const { size, scaleFactor } = options;
  if ((size === undefined) === (scaleFactor === undefined)) {
    throw new JitlabError(
      "bad-argument",
      `${what}: ${size === undefined ? "there is no size" : "there are a size and a factor"}.`,
      "Pass { size: [rows, columns] } or { scaleFactor: 2 }.",
    );
  }
  const each = (value: number | readonly number[]) => (isArray(value) ? value : space.map(() => value));
  if (scaleFactor !== undefined) {
    return each(scaleFactor).map((given, d) => {
      const factor = numberOf(what, "scaleFactor", given);
      return axisOf(what, space[d], Math.floor((space[d] as number) * factor), 1 / factor);
    });
  }
  const sizes = integersOf(what, "size", each(size as number));
  return sizes.map((to, d) => axisOf(what, space[d], to, (space[d] as number) / to));
}

function axisOf(what: string, from: number | undefined, to: number, step: number): Axis {
  if (from !== undefined && to >= 1 && Number.isFinite(step) && Number.isSafeInteger(to))
    return { from, to, step };
  throw new JitlabError(
    "bad-argument",
    `${what}: the extent ${from ?? "of a dimension that does not exist"} cannot become ${to}.`,
    "Give one positive size or factor, or one for each dimension of space.",
  );
}

/** PyTorch computes the places in float32. */
function nearest(x: Tensor, dim: number, { from, to, step }: Axis): Tensor {
  if (from === to && step === 1) return x;
  const scale = Math.fround(step);
  const places = Int32Array.from({ length: to }, (_, i) =>
    Math.min(Math.floor(Math.fround(i * scale)), from - 1),
  );
  return x.indexSelect(dim, tensor(places, { device: x.device.name }));
}

function weighted(
  x: Tensor,
  dim: number,
  axis: Axis,
  { first, weights }: Taps,
  alignCorners: boolean,
): Tensor {
  const { from, to } = axis;
  if (from === to && (alignCorners || axis.step === 1)) return x;
  const step = alignCorners ? (to > 1 ? (from - 1) / (to - 1) : 0) : axis.step;
  const count = weights(0).length;
  const places = Array.from({ length: count }, () => new Int32Array(to));
  const factors = Array.from({ length: count }, () => new Float64Array(to));
  for (let i = 0; i < to; i++) {
    const centered = alignCorners ? i * step : (i + 0.5) * step - 0.5;
    // Cubic sums go on beyond the edge, linear ones begin there.
    const place = first < 0 ? centered : Math.max(0, centered);
    const whole = Math.floor(place);
    for (const [k, weight] of weights(place - whole).entries()) {
      (places[k] as Int32Array)[i] = Math.min(Math.max(whole + first + k, 0), from - 1);
      (factors[k] as Float64Array)[i] = weight;
    }
  }
  const tail = x.shape.slice(dim + 1).map(() => 1);
  const device = x.device.name;
  return places
    .map((own, k) => {
      const factor = tensor(factors[k] as Float64Array, { dtype: x.dtype.name, device });
      return x.indexSelect(dim, tensor(own, { device })).mul(factor.reshape([to, ...tail]) as never);
    })
    .reduce((sum, part) => sum.add(part as never));
}
