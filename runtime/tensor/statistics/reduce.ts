// Reductions: functions and methods that join elements along dimensions. A call is one kernel or a few in sequence:
// reduce-passes.ts decides how many.

import { type DType, type DTypeName, dtypeOf } from "../../base/dtype.js";
import { isArray, JitlabError, show } from "../../base/errors.js";
import type { Target } from "../../device/device.js";
import {
  type Reduction,
  type ReductionName,
  type ReductionPlan,
  reductions,
} from "../../functor/reduction.js";
import { formatShape, sameNumbers } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import { dimensionOrOnly } from "../../geometry/views.js";
import type { KernelRequest } from "../../launch/obtain.js";
import { dispatchReduction, passesOfCall, requestOfPass } from "../../launch/reduce-launch.js";
import { differentiable, openCasts } from "../../launch/sink.js";
import type { Scalar } from "../../ops/op.js";
import { asProgram } from "../../program/tape/own-program.js";
import type { Accumulated, AnyDType } from "../element-types.js";
import { attach, emptyTensor, outputOf, Tensor } from "../tensor.js";
import { type ReduceOptions, reduceOptions } from "./reduce-options.js";

export type { ReduceOptions } from "./reduce-options.js";

/** Dimensions, or options. */
export type ReduceDims<R extends DTypeName = AnyDType> = number | readonly number[] | ReduceOptions<R>;

/** The dtypes of reductions of a tensor of dtype `D`, without a dtype option. */
interface Reduced<D extends DTypeName> extends Record<ReductionName, DTypeName> {
  sum: Accumulated<D>;
  prod: Accumulated<D>;
  mean: D;
  min: D;
  max: D;
  any: "bool";
  all: "bool";
  argmin: "int64";
  argmax: "int64";
}

/** Elements along a dimension and their indexes. */
export interface Placed<D extends DTypeName = AnyDType> {
  readonly values: Tensor<D>;
  readonly indices: Tensor<"int64">;
}

/** The result of a reduction: a tensor, or a pair for min and max with `indices`. */
type Outcome<D extends DTypeName, R extends DTypeName, I> = [I] extends [true] ? Placed<D> : Tensor<R>;

/** A reduction of a tensor: over all dimensions, or over `dim`. */
export type ReduceFunction<K extends ReductionName = ReductionName> = <
  D extends DTypeName,
  R extends DTypeName = Reduced<D>[K],
  I extends boolean = false,
>(
  a: Tensor<D>,
  dim?: ReduceDims<R>,
  options?: ReduceOptions<R, I>,
) => Outcome<D, R, I>;

/** Every reduction as a method, with its documentation. */
export type ReduceMethods<D extends DTypeName = AnyDType> = {
  readonly [K in keyof typeof reductions]: <R extends DTypeName = Reduced<D>[K], I extends boolean = false>(
    dim?: ReduceDims<R>,
    options?: ReduceOptions<R, I>,
  ) => Outcome<D, R, I>;
};

declare module "../tensor.js" {
  interface Tensor<out D extends DTypeName = AnyDType> extends ReduceMethods<D> {}
}

const known = new WeakMap<object, Reduction>();
const explainers = new WeakMap<object, (error: unknown) => unknown>();

/** The reduction of a function such as `jl.sum`; undefined for other values. */
export function reductionOf(fn: unknown): Reduction | undefined {
  return typeof fn === "function" ? known.get(fn) : undefined;
}

/** The function of a user's reduction; `explain` reports its errors in the user's lines. */
export function functionOfReduction(
  reduction: Reduction,
  explain: (error: unknown) => unknown,
  check: (a: Tensor) => void,
): (a: Tensor, dim?: ReduceDims, options?: ReduceOptions) => Tensor {
  const fn = (a: Tensor, ...args: unknown[]): Tensor => {
    const options = reduceOptions(reduction.name, args);
    try {
      check(a);
      return reduce(reduction, a, options);
    } catch (error) {
      throw explain(error);
    }
  };
  Object.defineProperty(fn, "name", { value: reduction.name });
  known.set(fn, reduction);
  explainers.set(fn, explain);
  return fn;
}

/** Reports an error of a user's reduction in the user's lines; other errors are unchanged. */
export function explainReduction(fn: unknown, error: unknown): unknown {
  return typeof fn === "function" ? (explainers.get(fn)?.(error) ?? error) : error;
}

function reduceFunction<K extends ReductionName>(name: K): ReduceFunction<K> {
  const reduction: Reduction = reductions[name];
  const fn = (a: Tensor, ...args: unknown[]) => {
    const options = reduceOptions(name, args);
    if (options.where !== undefined) return reduceWhere(reduction, a, options.where, options);
    return options.indices ? withPlaces(reduction, a, options) : reduce(reduction, a, options);
  };
  Object.defineProperty(fn, "name", { value: name });
  const method = function (this: Tensor, ...args: unknown[]): Tensor | Placed {
    return fn(this, ...args);
  };
  attach(name, method);
  known.set(fn, reduction);
  return fn as ReduceFunction<K>;
}

// What leaves a result unchanged; a mean is a sum over a count.
const neutral: Readonly<Record<string, Scalar>> = { sum: 0, prod: 1, mean: 0, any: false, all: true };

/** The reduction of the elements where a mask is true. */
function reduceWhere(reduction: Reduction, a: Tensor, where: Tensor, options: ReduceOptions): Tensor {
  const { name } = reduction;
  const mask = maskOf(name, checked(name, a), where);
  const { dim, keepdim, dtype, out } = options;
  const casts = dtype === undefined && name === "mean" ? openCasts() : undefined;
  if (casts) return casts.call(name, (own: Tensor) => reduceWhere(reduction, own, mask, options), [a]);
  const chosen = () => mask.where(a as never, neutral[name] as never) as Tensor;
  if (name !== "mean")
    return asProgram(name, a, () => reduce(reduction, chosen(), { dim, keepdim, dtype, out }));
  const own = planFor(reduction, a.dtype, dtype).result;
  const found = asProgram(name, a, () => {
    const sums = reduce(reductions.sum, chosen(), { dim, keepdim, dtype: own.compute });
    const counts = reduce(reductions.sum, mask, { dim, keepdim }).to(own.compute);
    return sums.div(counts as never).to(own.name);
  });
  return out ? outputOf(out).copy_(found) : found;
}

function maskOf(name: string, a: Tensor, where: unknown): Tensor {
  if (where instanceof Tensor && where.dtype.kind === "bool") return where.expand(a.shape);
  throw new JitlabError(
    "bad-argument",
    `${name}: where is ${where instanceof Tensor ? where.dtype.name : show(where)}.`,
    "It is a tensor of bool, such as x.gt(0), whose shape broadcasts to the tensor's.",
  );
}

/** The smallest or largest elements along one dimension with their indexes. */
function withPlaces(reduction: Reduction, a: Tensor, options: ReduceOptions): Placed {
  const { name } = reduction;
  const { dim, keepdim, out } = options;
  if (dim === undefined || out !== undefined) {
    throw new JitlabError(
      "bad-argument",
      `${name}: { indices: true } ${out ? "does not support out" : "needs one dimension"}.`,
      `Call it as x.${name}(1, { indices: true }); x.arg${name}() is an index of the whole tensor.`,
    );
  }
  const places = reductions[name === "min" ? "argmin" : "argmax"];
  // The derivative goes to the index alone; that of the values by themselves is shared among equal ones.
  const taken = () => {
    const indices = reduce(places, a, { dim, keepdim: true }) as Tensor<"int64">;
    const values = a.takeAlongDim(indices, Number(dim));
    const own = (x: Tensor) => (keepdim ? x : x.squeeze(Number(dim)));
    return { values: own(values), indices: own(indices) as Tensor<"int64"> };
  };
  const both = () => ({
    values: reduce(reduction, a, { dim, keepdim }),
    indices: reduce(places, a, { dim, keepdim }) as Tensor<"int64">,
  });
  return differentiable(() => (isLongRow(a, dim) ? asProgram(name, a, both) : both()), taken);
}

// Two reductions of shorter rows take no longer than one kernel for both on a processor.
const leastInRow = 128;

function isLongRow(a: unknown, dim: ReduceOptions["dim"]): a is Tensor {
  if (!(a instanceof Tensor) || (a.shape.at(-1) ?? 0) < leastInRow) return false;
  return dim === -1 || dim === a.ndim - 1;
}

/**
 * Sum of the elements; of integers and bool in int64.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).sum(1).toArray() // [3, 7]
 */
export const sum: ReduceFunction<"sum"> = reduceFunction("sum");
/**
 * Product of the elements; of integers and bool in int64.
 *
 * @example jl.tensor([2, 3, 4]).prod().item() // 24
 */
export const prod: ReduceFunction<"prod"> = reduceFunction("prod");
/**
 * Mean of the elements of a floating or complex dtype.
 *
 * @example jl.tensor([[1, 2], [3, 4]]).mean({ dim: 0, keepdim: true }).toArray() // [[2, 3]]
 */
export const mean: ReduceFunction<"mean"> = reduceFunction("mean");
/**
 * The smallest element; NaN if there is one. `{ indices: true }` gives `{ values, indices }` along a dimension.
 *
 * @example jl.tensor([3, 1, 2]).min().item() // 1
 */
export const min: ReduceFunction<"min"> = reduceFunction("min");
/**
 * The largest element; NaN if there is one. `{ indices: true }` gives `{ values, indices }` along a dimension.
 *
 * @example jl.tensor([[1, 5, 3]]).max(1, { indices: true }).indices.toArray() // [1n]
 */
export const max: ReduceFunction<"max"> = reduceFunction("max");
/**
 * Whether any element is not zero.
 *
 * @example jl.tensor([0, 2]).any().item() // true
 */
export const any: ReduceFunction<"any"> = reduceFunction("any");
/**
 * Whether all elements are not zero.
 *
 * @example jl.tensor([0, 2]).all().item() // false
 */
export const all: ReduceFunction<"all"> = reduceFunction("all");
/**
 * Index of the first least element, or of the first NaN: along one dimension, or in row-major order.
 *
 * @example jl.tensor([3, 1, 2]).argmin().item() // 1n
 */
export const argmin: ReduceFunction<"argmin"> = reduceFunction("argmin");
/**
 * Index of the first greatest element, or of the first NaN: along one dimension, or in row-major order.
 *
 * @example jl.tensor([[1, 5, 3]]).argmax(1).toArray() // [1n]
 */
export const argmax: ReduceFunction<"argmax"> = reduceFunction("argmax");

function checked(name: string, a: unknown): Tensor {
  if (a instanceof Tensor) return a;
  throw new JitlabError(
    "bad-operand",
    `${name}: ${show(a)} is not a tensor.`,
    "Make a tensor of an array with jl.tensor(...).",
  );
}

/** The extreme over dimensions of `amin` and `amax`, which differ in their derivatives from `min` and `max`, as in PyTorch. */
export function extreme(name: "min" | "max", a: Tensor, options: ReduceOptions): Tensor {
  return reduce(reductions[name], a, reduceOptions(name, [options]), true);
}

function reduce(reduction: Reduction, a: Tensor, options: ReduceOptions, isNanSpread = false): Tensor {
  const { name } = reduction;
  checked(name, a);
  const { plan, gone } = prepare(reduction, a, options);
  const shape = a.shape.flatMap((extent, d) => (gone[d] ? (options.keepdim ? [1] : []) : [extent]));
  checkOutput(name, shape, plan.result, options.out === undefined ? undefined : outputOf(options.out));
  const result = dispatchReduction(
    { reduction, plan, input: a, gone, shape, isDtypeGiven: options.dtype !== undefined, isNanSpread },
    emptyTensor,
  );
  return options.out ? options.out.copy_(result) : result;
}

/** The kernels that a reduction of `a` would launch, rendered for a target. */
export function reduceRequests(
  reduction: Reduction,
  a: View,
  options: ReduceDims | undefined,
  target: Target,
): KernelRequest[] {
  const { plan, gone } = prepare(reduction, a, reduceOptions(reduction.name, [options]));
  const { passes } = passesOfCall({ reduction, plan, input: a, gone, shape: [] }, target.dialect);
  return passes.map((pass) => requestOfPass(pass.spec, target));
}

function prepare(
  reduction: Reduction,
  a: View,
  options: ReduceOptions,
): { plan: ReductionPlan; gone: readonly boolean[] } {
  const plan = planFor(reduction, a.dtype, options.dtype);
  const gone = goneDims(reduction, a.shape, options.dim);
  if (a.size === 0 && reduction.needsElements && a.shape.every((extent, d) => gone[d] || extent > 0)) {
    throw new JitlabError(
      "empty-reduction",
      `${reduction.name}: the shape ${formatShape(a.shape)} has no elements along the reduced dimensions.`,
      "Reduce dimensions that have elements; sum, prod, mean, any, all and the like have a result for none.",
    );
  }
  return { plan, gone };
}

function planFor(
  { name, converts, plan }: Reduction,
  own: DType,
  wanted: DTypeName | undefined,
): ReductionPlan {
  if (wanted !== undefined && !converts) {
    throw new JitlabError(
      "bad-argument",
      `${name} takes no dtype.`,
      `Convert the tensor first, for example with x.to("float32").`,
    );
  }
  const dtype = wanted === undefined ? own : dtypeOf(wanted);
  const found = plan(dtype);
  if ("refuse" in found) {
    throw new JitlabError("dtype-refused", `${name} does not take ${dtype.name}: ${found.refuse}.`);
  }
  return wanted === undefined || found.user ? found : { ...found, result: dtype };
}

/** The dimensions to reduce. */
function goneDims(
  { name, ordered }: Reduction,
  shape: readonly number[],
  dim: ReduceOptions["dim"],
): boolean[] {
  if (dim === undefined) return shape.map(() => true);
  const dims = typeof dim === "number" ? [dim] : dim;
  if (!isArray(dims)) {
    throw new JitlabError(
      "bad-dimension",
      `${name}: ${show(dim)} is not a dimension.`,
      "Name one, or a list of them.",
    );
  }
  if (ordered && dims.length !== 1) {
    throw new JitlabError(
      "bad-dimension",
      `${name}: an index along ${dims.length} dimensions is not one number.`,
      "Pass one dimension, or none for the index in row-major order.",
    );
  }
  const gone = shape.map(() => false);
  for (const each of dims) {
    const d = dimensionOrOnly(name, each, shape.length);
    if (gone[d]) {
      throw new JitlabError(
        "bad-dimension",
        `${name}: dimension ${d} is named twice in ${formatShape(dims)}.`,
        "Name each dimension once.",
      );
    }
    gone[d] = true;
  }
  return shape.length === 0 ? [] : gone;
}

function checkOutput(name: string, shape: readonly number[], dtype: DType, out: Tensor | undefined): void {
  if (out === undefined) return;
  if (!sameNumbers(out.shape, shape)) {
    throw new JitlabError(
      "shape-mismatch",
      `${name}: the result has shape ${formatShape(shape)}, but the output has shape ${formatShape(out.shape)}.`,
      "Pass an output of the result's shape, or omit it.",
    );
  }
  if (out.dtype !== dtype) {
    throw new JitlabError(
      "output-dtype",
      `${name}: the result is ${dtype.name}, but the output is ${out.dtype.name}.`,
      `Pass an output of dtype ${dtype.name}, or omit it.`,
    );
  }
}
