// Fourier transforms of complex tensors, and of real ones as such, with PyTorch's names and options.
import type { TransformLibrary } from "../device/device.js";
import type { Tensor } from "../tensor/tensor.js";
import {
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
import { transform } from "./lengths.js";
import { libraryTransform, transformLibrary } from "./library-transforms.js";

export type { FftOptions, FftsOptions, Norm, PlaneOptions } from "./arguments.js";

function kindOf(what: string, isInverse: boolean): Kind {
  return { what: `fft.${what}`, isInverse, isReal: false, isHalf: false };
}

/** The transform of a complex tensor, or of a real one as such, along the dimensions of a request. */
export function transformedAll(request: Request, isInverse: boolean): Tensor {
  const { x, axes, factorOf } = request;
  const library = transformLibrary(x.device);
  if (library && axes.length > 0) return transformedBy(library, request, isInverse);
  return axes.reduce(
    (result, axis) => transform(complexOf(resized(result, axis)), axis.dim, isInverse, factorOf(axis.length)),
    axes.length === 0 ? complexOf(x).clone() : x,
  );
}

/** As many dimensions at once as the library takes. */
function transformedBy(library: TransformLibrary, request: Request, isInverse: boolean): Tensor {
  const { axes, factorOf } = request;
  let result = complexOf(axes.reduce(resized, request.x));
  for (let from = 0; from < axes.length; from += library.mostDims) {
    const own = axes.slice(from, from + library.mostDims);
    const factor = own.reduce((product, { length }) => product * factorOf(length), 1);
    const dims = own.map(({ dim }) => dim);
    result = libraryTransform(library, "complex", result, dims, isInverse, factor);
  }
  return result;
}

/**
 * The discrete Fourier transform along a dimension: `X[k]` is the sum of `x[j] exp(-2 pi i j k / n)`. Any length is computed in
 * time `n log n`.
 *
 * @example jl.fft.fft(jl.tensor([1, 0, 0, 0])).real().toArray() // [1, 1, 1, 1]
 */
export function fft(x: Tensor, options?: FftOptions): Tensor {
  return transformedAll(oneOf(kindOf("fft", false), x, options), false);
}

/**
 * The inverse of `fft`.
 *
 * @example jl.fft.ifft(jl.tensor([4, 0, 0, 0])).real().toArray() // [1, 1, 1, 1]
 */
export function ifft(x: Tensor, options?: FftOptions): Tensor {
  return transformedAll(oneOf(kindOf("ifft", true), x, options), true);
}

/**
 * The transform along two dimensions, by default the last ones.
 *
 * @example jl.fft.fft2(jl.ones([2, 2])).real().toArray() // [[4, 0], [0, 0]]
 */
export function fft2(x: Tensor, options?: PlaneOptions): Tensor {
  return transformedAll(severalOf(kindOf("fft2", false), x, options, [-2, -1]), false);
}

/**
 * The inverse of `fft2`.
 *
 * @example jl.fft.ifft2(jl.ones([2, 2])).real().toArray() // [[1, 0], [0, 0]]
 */
export function ifft2(x: Tensor, options?: PlaneOptions): Tensor {
  return transformedAll(severalOf(kindOf("ifft2", true), x, options, [-2, -1]), true);
}

/**
 * The transform along several dimensions, by default all.
 *
 * @example jl.fft.fftn(jl.ones([2, 2])).real().toArray() // [[4, 0], [0, 0]]
 */
export function fftn(x: Tensor, options?: FftsOptions): Tensor {
  return transformedAll(severalOf(kindOf("fftn", false), x, options), false);
}

/**
 * The inverse of `fftn`.
 *
 * @example jl.fft.ifftn(jl.ones([2, 2])).real().toArray() // [[1, 0], [0, 0]]
 */
export function ifftn(x: Tensor, options?: FftsOptions): Tensor {
  return transformedAll(severalOf(kindOf("ifftn", true), x, options), true);
}
