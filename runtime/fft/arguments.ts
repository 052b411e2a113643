// The arguments of Fourier transforms: dimensions, lengths and norms, and the dtypes that they take.
import { integerOf, integersOf, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { dimension, dimensionsOf } from "../geometry/views.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";

/** What results are multiplied by, for a length n: `backward` (the default) divides inverses by n, `forward` the others, `ortho` both by its root. */
export type Norm = "backward" | "ortho" | "forward";

/** Options of a transform along one dimension. */
export interface FftOptions {
  /** The length that the dimension is cut or filled with zeros to; default: its own. For `irfft` that of the result. */
  readonly n?: number;
  /** Default: the last one. */
  readonly dim?: number;
  /** Where the factor 1/n stands: `backward` (the default), in the inverse; `forward`; `ortho`, its root in both. */
  readonly norm?: Norm;
}

/** Options of a transform along several dimensions. */
export interface FftsOptions {
  /** The lengths that the dimensions are cut or filled with zeros to; -1 for its own. */
  readonly s?: readonly number[];
  /** Default: all dimensions, or the last ones if `s` is given. */
  readonly dim?: number | readonly number[];
  /** Where the factor 1/n stands: `backward` (the default), in the inverse; `forward`; `ortho`, its root in both. */
  readonly norm?: Norm;
}

/** Options of a transform along two dimensions. */
export interface PlaneOptions extends FftsOptions {
  /** Default: the last two. */
  readonly dim?: readonly number[];
}

/** One dimension of a transform: its place, and the length to give it. */
export interface Axis {
  readonly dim: number;
  readonly length: number;
}

/** A checked call. */
export interface Request {
  readonly x: Tensor;
  readonly axes: readonly Axis[];
  /** What is multiplied along each dimension of such a length. */
  readonly factorOf: (length: number) => number;
}

/** Which transform it is. */
export interface Kind {
  readonly what: string;
  readonly isInverse: boolean;
  /** True if its input is real. */
  readonly isReal: boolean;
  /** True if its result is real: the given length is that of the result, from half the spectrum by default. */
  readonly isHalf: boolean;
}

/** The tensor in a dtype that is transformed: integers as float32, as in PyTorch. */
function operandOf({ what, isReal }: Kind, value: unknown): Tensor {
  const x = tensorOf(what, value);
  const { kind, bytes, name } = x.dtype;
  if (kind === "float" && bytes === 2) {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${name}: transforms compute in float32 and float64; convert with .to("float32") first.`,
    );
  }
  if (kind === "complex" && isReal) {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${name}: its input is real.`,
      "jl.fft.fft and jl.fft.fftn take complex tensors.",
    );
  }
  return kind === "float" || kind === "complex" ? x : x.to("float32");
}

/** A call along one dimension. */
export function oneOf(kind: Kind, value: unknown, options: FftOptions | undefined): Request {
  const { n, dim = -1, norm } = optionsOf(kind.what, options, ["n", "dim", "norm"]);
  const x = operandOf(kind, value);
  return requestOf(kind, x, [dimension(kind.what, dim, x.ndim)], [n], norm);
}

/** A call along several dimensions. */
export function severalOf(
  kind: Kind,
  value: unknown,
  options: FftsOptions | undefined,
  fallback?: readonly number[],
): Request {
  const { what } = kind;
  const { s, dim = fallback, norm } = optionsOf(what, options, ["s", "dim", "norm"]);
  const x = operandOf(kind, value);
  const lengths = s === undefined ? undefined : integersOf(what, "s", s);
  const all = x.shape.map((_, d) => d);
  const last = lengths === undefined ? all : all.slice(Math.max(0, all.length - lengths.length));
  const dims = dim === undefined ? last : dimensionsOf(what, integersOf(what, "dim", dim), x.ndim);
  if (lengths !== undefined && lengths.length !== dims.length) {
    throw new JitlabError(
      "bad-argument",
      `${what}: s has ${lengths.length} lengths, for ${dims.length} dimensions of ${formatShape(x.shape)}.`,
      "Give one for each dimension in dim.",
    );
  }
  if (dims.length === 0 && (kind.isReal || kind.isHalf)) {
    throw new JitlabError(
      "bad-dimension",
      `${what}: there is no dimension to transform.`,
      "Name one with dim.",
    );
  }
  return requestOf(kind, x, dims, lengths?.map((one) => (one === -1 ? undefined : one)) ?? [], norm);
}

function requestOf(
  kind: Kind,
  x: Tensor,
  dims: readonly number[],
  lengths: readonly (number | undefined)[],
  norm: Norm | undefined,
): Request {
  const axes = dims.map((dim, i): Axis => {
    const own = x.shape[dim] as number;
    const isLastHalf = kind.isHalf && i === dims.length - 1;
    const given = lengths[i];
    const length =
      given === undefined ? (isLastHalf ? 2 * (own - 1) : own) : integerOf(kind.what, "the length", given);
    if (length >= 1) return { dim, length };
    throw new JitlabError(
      "bad-argument",
      `${kind.what}: the length ${length} along dimension ${dim} of ${formatShape(x.shape)}.`,
      "Transforms have at least one element; pass a length from 1 on.",
    );
  });
  return { x, axes, factorOf: factorOf(kind, norm) };
}

function factorOf({ what, isInverse }: Kind, norm: Norm = "backward"): Request["factorOf"] {
  switch (norm) {
    case "backward":
      return (length) => (isInverse ? 1 / length : 1);
    case "forward":
      return (length) => (isInverse ? 1 : 1 / length);
    case "ortho":
      return (length) => 1 / Math.sqrt(length);
    default:
      throw new JitlabError(
        "bad-argument",
        `${what}: the norm is ${show(norm satisfies never)}.`,
        "It is backward, ortho or forward.",
      );
  }
}

/** Cuts a dimension to a length, or fills it with zeros. */
export function resized(x: Tensor, { dim, length }: Axis): Tensor {
  const own = x.shape[dim] as number;
  if (length <= own) return length === own ? x : x.narrow(dim, 0, length);
  return x.pad([...new Array(2 * (x.ndim - 1 - dim)).fill(0), 0, length - own]);
}

/** A tensor as complex numbers of its precision. */
export function complexOf(x: Tensor): Tensor {
  if (x.dtype.kind === "complex") return x;
  return x.to(x.dtype.name === "float64" ? "complex128" : "complex64");
}
