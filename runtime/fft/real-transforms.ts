// Fourier transforms of real tensors, whose spectrum is symmetric: the half from frequency 0 on, with PyTorch's names and options.
import { cat } from "../tensor/join.js";
import type { Tensor } from "../tensor/tensor.js";
import {
  type Axis,
  complexOf,
  type FftOptions,
  type FftsOptions,
  type Kind,
  oneOf,
  type PlaneOptions,
  type Request,
  resized,
  severalOf,
} from "./arguments.js";
import { transformedAll } from "./complex-transforms.js";
import { transform } from "./lengths.js";
import { libraryTransform, transformLibrary } from "./library-transforms.js";

function kindOf(what: string, isInverse: boolean): Kind {
  return { what: `fft.${what}`, isInverse, isReal: !isInverse, isHalf: isInverse };
}

/** The last dimension to half its spectrum, then the others. */
function forward(request: Request): Tensor {
  const { x, axes, factorOf } = request;
  const last = axes.at(-1) as Axis;
  const others = axes.slice(0, -1);
  const library = transformLibrary(x.device);
  const [cut, factor] = [resized(x, last), factorOf(last.length)];
  const half = library
    ? libraryTransform(library, "real to complex", cut, [last.dim], false, factor)
    : transform(complexOf(cut), last.dim, false, factor).narrow(last.dim, 0, Math.floor(last.length / 2) + 1);
  const result = others.length === 0 ? half : transformedAll({ ...request, x: half, axes: others }, false);
  return result.contiguous();
}

/** The other dimensions, then the last one from half its spectrum. */
function backward(request: Request): Tensor {
  const { x, axes, factorOf } = request;
  const last = axes.at(-1) as Axis;
  const others = axes.slice(0, -1);
  const spectrum = others.length === 0 ? complexOf(x) : transformedAll({ ...request, axes: others }, true);
  const half = resized(spectrum, { dim: last.dim, length: Math.floor(last.length / 2) + 1 });
  const library = transformLibrary(x.device);
  if (library) {
    const factor = factorOf(last.length);
    return libraryTransform(library, "complex to real", half, [last.dim], true, factor, last.length);
  }
  const mirrored = half.narrow(last.dim, 1, last.length - (half.shape[last.dim] as number));
  const whole = cat([half, mirrored.flip(last.dim).conj()], last.dim);
  return transform(whole, last.dim, true, factorOf(last.length)).real();
}

/**
 * The transform of a real tensor along a dimension: the first `n / 2 + 1` elements, whose conjugates are the others.
 *
 * @example jl.fft.rfft(jl.tensor([1, 1, 1, 1])).real().toArray() // [4, 0, 0]
 */
export function rfft(x: Tensor, options?: FftOptions): Tensor {
  return forward(oneOf(kindOf("rfft", false), x, options));
}

/**
 * The inverse of `rfft`: real. `n` is the length of the result, by default even; name an odd one.
 *
 * @example jl.fft.irfft(jl.tensor([4, 0, 0])).toArray() // [1, 1, 1, 1]
 */
export function irfft(x: Tensor, options?: FftOptions): Tensor {
  return backward(oneOf(kindOf("irfft", true), x, options));
}

/**
 * The transform of a real tensor along two dimensions, by default the last ones; the last one keeps half its spectrum.
 *
 * @example jl.fft.rfft2(jl.ones([2, 2])).real().toArray() // [[4, 0], [0, 0]]
 */
export function rfft2(x: Tensor, options?: PlaneOptions): Tensor {
  return forward(severalOf(kindOf("rfft2", false), x, options, [-2, -1]));
}

/**
 * The inverse of `rfft2`: real.
 *
 * @example jl.fft.irfft2(jl.tensor([[4, 0], [0, 0]])).toArray() // [[1, 1], [1, 1]]
 */
export function irfft2(x: Tensor, options?: PlaneOptions): Tensor {
  return backward(severalOf(kindOf("irfft2", true), x, options, [-2, -1]));
}

/**
 * The transform of a real tensor along several dimensions, by default all; the last one keeps half its spectrum.
 *
 * @example jl.fft.rfftn(jl.ones([2, 2])).real().toArray() // [[4, 0], [0, 0]]
 */
export function rfftn(x: Tensor, options?: FftsOptions): Tensor {
  return forward(severalOf(kindOf("rfftn", false), x, options));
}

/**
 * The inverse of `rfftn`: real.
 *
 * @example jl.fft.irfftn(jl.tensor([[4, 0], [0, 0]])).toArray() // [[1, 1], [1, 1]]
 */
export function irfftn(x: Tensor, options?: FftsOptions): Tensor {
  return backward(severalOf(kindOf("irfftn", true), x, options));
}
