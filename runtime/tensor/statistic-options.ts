// The options that statistics share, and the dtype in which they compute.
import { optionsOf } from "../base/arguments.js";
import { type DType, type DTypeName, dtypes } from "../base/dtype.js";
import { isArray, JitlabError } from "../base/errors.js";
import { differentiable } from "../launch/sink.js";
import { type Tensor, tensorOf } from "./tensor.js";

/** The dimensions of a statistic. */
export interface DimOptions {
  /** The dimensions to reduce; default: all. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keeps them with extent 1. */
  readonly keepdim?: boolean | undefined;
}

/** Dimensions, or options. */
export type Dims<O extends DimOptions = DimOptions> = number | readonly number[] | O;

/** The names of {@link DimOptions}. */
export const dimNames = ["dim", "keepdim"] as const;

/** The options of a call that may name dimensions first. */
export function optionsFrom<O extends DimOptions>(
  what: string,
  dim: Dims<O> | undefined,
  options: O | undefined,
  names: readonly (keyof O & string)[] = dimNames,
): Partial<O> {
  if (typeof dim === "object" && !isArray(dim)) return optionsOf(what, dim as O, names);
  const given = optionsOf(what, options, names);
  return dim === undefined ? given : { ...given, dim };
}

/** The tensor in the compute dtype; throws `dtype-refused` unless it is floating or complex. */
export function floating(what: string, value: unknown, complex = true): Tensor {
  return wide(givenFloating(what, value, complex));
}

/** The tensor as it is, if it has a floating dtype, or a complex one where these are defined; throws `dtype-refused`. */
export function givenFloating(what: string, value: unknown, complex = true): Tensor {
  const x = tensorOf(what, value);
  const fits = x.dtype.kind === "float" || (complex && x.dtype.kind === "complex");
  if (fits) return x;
  throw new JitlabError(
    "dtype-refused",
    `${what} does not take ${x.dtype.name}: it is defined for floating${complex ? " and complex" : ""} dtypes only; convert with .to("float32") first.`,
  );
}

/** The tensor in the dtype in which functors compute. */
export function wide(tensor: Tensor): Tensor {
  return tensor.to(tensor.dtype.compute);
}

/**
 * The result of `use` on an intermediate result, whose memory is then free at once, and still warm for the next one. `use`
 * returns neither the intermediate result nor a view of it.
 */
export function releasing<R>(intermediate: Tensor, use: (intermediate: Tensor) => R): R {
  const result = use(intermediate);
  intermediate.dispose();
  return result;
}

const realOf: Partial<Record<DTypeName, DType>> = { complex64: dtypes.float32, complex128: dtypes.float64 };

/** The result in the dtype of the real numbers of `x`. */
export function likeReal(result: Tensor, x: Tensor): Tensor {
  return result.to((realOf[x.dtype.name] ?? x.dtype).name);
}

/** The root of sums of powers, with the derivative 0 where it is 0, as distances have in PyTorch. */
export function rootOf(sums: Tensor, order = 2): Tensor {
  const root = (x: Tensor) => (order === 2 ? x.sqrt() : x.pow(1 / order));
  const composed = () => {
    const isZero = sums.eq(0);
    return isZero.where(0, root(isZero.where(1, sums)));
  };
  return differentiable(() => root(sums), order < 0 ? () => root(sums) : composed);
}
