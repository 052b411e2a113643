// The frequencies of a transform's elements, and their order.
import { countOf, integersOf, numberOf, optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { dimensionsOf } from "../geometry/views.js";
import { arange } from "../tensor/create.js";
import type { AnyDType } from "../tensor/element-types.js";
import type { TensorOptions } from "../tensor/placement.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";

/** Options of frequencies. */
export interface FrequencyOptions<D extends DTypeName = AnyDType> extends TensorOptions<D> {
  /** The distance of two samples; default 1. */
  readonly d?: number;
}

/** Frequencies from a function of whole numbers. */
function frequencies(
  what: string,
  n: number,
  given: FrequencyOptions | undefined,
  whole: (length: number, place: TensorOptions) => Tensor,
): Tensor {
  const { d = 1, dtype = "float32", device } = optionsOf(what, given, ["d", "dtype", "device"]);
  const length = countOf(what, "n", n);
  const step = length * numberOf(what, "d", d);
  if (step === 0) {
    throw new JitlabError("bad-argument", `${what}: n is ${length} and d is ${d}.`, "Neither may be 0.");
  }
  const place = { dtype: "int64", ...(device === undefined ? {} : { device }) } as const;
  return whole(length, place).to("float64").div(step).to(dtype);
}

/**
 * The frequency of each element of `fft`, in cycles per sample or per unit of `d`: 0 and the positive ones, then the negative.
 *
 * @example jl.fft.fftfreq(4).toArray() // [0, 0.25, -0.5, -0.25]
 */
export function fftfreq(n: number, options?: FrequencyOptions): Tensor {
  return frequencies("fft.fftfreq", n, options, (length, place) => {
    const whole = arange(0, length, 1, place);
    return whole.lt(Math.ceil(length / 2)).where(whole, whole.sub(length)) as Tensor;
  });
}

/**
 * The frequency of each element of `rfft`.
 *
 * @example jl.fft.rfftfreq(4).toArray() // [0, 0.25, 0.5]
 */
export function rfftfreq(n: number, options?: FrequencyOptions): Tensor {
  return frequencies("fft.rfftfreq", n, options, (length, place) =>
    arange(0, Math.floor(length / 2) + 1, 1, place),
  );
}

function shifted(what: string, x: Tensor, dim: number | readonly number[] | undefined, up: boolean): Tensor {
  const { ndim, shape } = tensorOf(what, x);
  const dims =
    dim === undefined ? shape.map((_, d) => d) : dimensionsOf(what, integersOf(what, "dim", dim), ndim);
  const half = dims.map((d) => (shape[d] as number) / 2);
  return dims.length === 0 ? x.clone() : x.roll(half.map(up ? Math.floor : Math.ceil), dims);
}

/**
 * Moves frequency 0 from the first place to the middle, along all dimensions or those given.
 *
 * @example jl.fft.fftshift(jl.tensor([0, 1, 2, -2, -1])).toArray() // [-2, -1, 0, 1, 2]
 */
export function fftshift<D extends DTypeName>(x: Tensor<D>, dim?: number | readonly number[]): Tensor<D> {
  return shifted("fft.fftshift", x, dim, true) as Tensor<D>;
}

/**
 * The inverse of `fftshift`.
 *
 * @example jl.fft.ifftshift(jl.tensor([-2, -1, 0, 1, 2])).toArray() // [0, 1, 2, -2, -1]
 */
export function ifftshift<D extends DTypeName>(x: Tensor<D>, dim?: number | readonly number[]): Tensor<D> {
  return shifted("fft.ifftshift", x, dim, false) as Tensor<D>;
}
