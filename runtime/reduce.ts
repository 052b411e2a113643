// Reductions: functions and methods that join elements along dimensions. A call is one kernel or a few in turn; see
// reduce-passes.ts for how many and why.
import type { KernelRequest } from "./cache/kernels.js";
import type { Target } from "./device/device.js";
import { type DType, type DTypeName, dtypeOf, dtypes } from "./dtype.js";
import { JitlabError, show } from "./errors.js";
import { openGraph } from "./graph.js";
import { contiguousStrides, formatShape, sameNumbers } from "./layout.js";
import { launchPass, requestOfPass } from "./reduce-launch.js";
import { passesOf, type ReduceGeometry, reduceGeometry } from "./reduce-passes.js";
import { type Reduction, type ReductionName, type ReductionPlan, reductions } from "./reduction.js";
import { attach, emptyTensor, outputOf, Tensor } from "./tensor.js";
import type { View } from "./view.js";
import { dimension } from "./views.js";

/** Options of a reduction. */
export interface ReduceOptions {
  /** The dimensions that go away; default: all. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keeps them with extent 1. */
  readonly keepdim?: boolean | undefined;
  /** Of sum, prod and mean: the dtype to convert elements to first, which is also the result's. */
  readonly dtype?: DTypeName | undefined;
  /** The tensor to write the result into: of the result's shape and dtype. */
  readonly out?: Tensor | undefined;
}

/** Dimensions, or options. */
export type ReduceDims = number | readonly number[] | ReduceOptions;
/** A reduction of a tensor: over all dimensions, or over `dim`. */
export type ReduceFunction = (a: Tensor, dim?: ReduceDims, options?: ReduceOptions) => Tensor;
/** Every reduction as a method, with its documentation. */
export type ReduceMethods = {
  readonly [K in keyof typeof reductions]: (dim?: ReduceDims, options?: ReduceOptions) => Tensor;
};

declare module "./tensor.js" {
  interface Tensor extends ReduceMethods {}
}

const known = new Map<unknown, Reduction>();

/** The reduction behind a function such as `jl.sum`; undefined for any other value. */
export function reductionOf(fn: unknown): Reduction | undefined {
  return known.get(fn);
}

function reduceFunction(name: ReductionName): ReduceFunction {
  const reduction: Reduction = reductions[name];
  const fn: ReduceFunction = (a, dim, options) => reduce(reduction, a, optionsOf(dim, options));
  Object.defineProperty(fn, "name", { value: name });
  const method = function (this: Tensor, dim?: ReduceDims, options?: ReduceOptions): Tensor {
    return fn(this, dim, options);
  };
  attach(name, method);
  known.set(fn, reduction);
  return fn;
}

/** Sum of the elements; of integers and bool in int64. */
export const sum: ReduceFunction = reduceFunction("sum");
/** Product of the elements; of integers and bool in int64. */
export const prod: ReduceFunction = reduceFunction("prod");
/** Mean of the elements of a floating or complex dtype. */
export const mean: ReduceFunction = reduceFunction("mean");
/** The least element; NaN where there is one. */
export const min: ReduceFunction = reduceFunction("min");
/** The greatest element; NaN where there is one. */
export const max: ReduceFunction = reduceFunction("max");
/** Whether some element is not zero. */
export const any: ReduceFunction = reduceFunction("any");
/** Whether no element is zero. */
export const all: ReduceFunction = reduceFunction("all");
/** Place of the first of the least elements, or of the first NaN: along one dimension, or in row-major order. */
export const argmin: ReduceFunction = reduceFunction("argmin");
/** Place of the first of the greatest elements, or of the first NaN: along one dimension, or in row-major order. */
export const argmax: ReduceFunction = reduceFunction("argmax");

function optionsOf(dim: ReduceDims | undefined, options: ReduceOptions | undefined): ReduceOptions {
  if (typeof dim === "object" && dim !== null && !Array.isArray(dim)) return dim as ReduceOptions;
  return dim === undefined ? (options ?? {}) : { ...options, dim: dim as number | readonly number[] };
}

function reduce(reduction: Reduction, a: Tensor, options: ReduceOptions): Tensor {
  const { name } = reduction;
  if (!(a instanceof Tensor)) {
    throw new JitlabError(
      "bad-operand",
      `${name}: ${show(a)} is no tensor.`,
      "Make a tensor of an array with jl.tensor(...).",
    );
  }
  const { plan, gone, geometry } = prepare(reduction, a, options);
  const shape = a.shape.flatMap((extent, d) => (gone[d] ? (options.keepdim ? [1] : []) : [extent]));
  checkOutput(name, shape, plan.result, options.out === undefined ? undefined : outputOf(options.out));
  const { device } = a;
  const result = emptyTensor(shape, contiguousStrides(shape), plan.result, device);
  if (geometry.results > 0) {
    const passes = passesOf(reduction, plan, a.dtype, geometry, a.pointer, device.target.dialect);
    let source: Tensor = a;
    for (const pass of passes) {
      const bytes = geometry.results * pass.parts * plan.accumulatorBytes;
      const target = pass.spec.last ? result : emptyTensor([bytes], [1], dtypes.uint8, device);
      launchPass(pass, device, source, target, geometry.length);
      // What is queued later on the device may have the memory of the parts; a graph keeps it.
      if (source !== a && !openGraph()) source.dispose();
      source = target;
    }
  }
  return options.out ? options.out.copy_(result) : result;
}

/** The kernels that a reduction of `a` would launch, rendered for a target. */
export function reduceRequests(
  reduction: Reduction,
  a: View,
  options: ReduceDims | undefined,
  target: Target,
): KernelRequest[] {
  const { plan, geometry } = prepare(reduction, a, optionsOf(options, undefined));
  const passes = passesOf(reduction, plan, a.dtype, geometry, 0, target.dialect);
  return passes.map((pass) => requestOfPass(pass.spec, target));
}

function prepare(
  reduction: Reduction,
  a: View,
  options: ReduceOptions,
): { plan: ReductionPlan; gone: readonly boolean[]; geometry: ReduceGeometry } {
  const plan = planFor(reduction, a.dtype, options.dtype);
  const gone = goneDims(reduction, a.shape, options.dim);
  const geometry = reduceGeometry(a.shape, a.strides, gone, reduction.ordered);
  if (geometry.length === 0 && reduction.needsElements && geometry.results > 0) {
    throw new JitlabError(
      "empty-reduction",
      `${reduction.name}: the shape ${formatShape(a.shape)} has no elements along what is reduced.`,
      "Only sum, prod, mean, any and all have a value of no elements.",
    );
  }
  return { plan, gone, geometry };
}

const converting: readonly string[] = ["sum", "prod", "mean"];

function planFor({ name, plan }: Reduction, own: DType, wanted: DTypeName | undefined): ReductionPlan {
  if (wanted !== undefined && !converting.includes(name)) {
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
  return wanted === undefined ? found : { ...found, result: dtype };
}

/** Which dimensions go away. */
function goneDims(
  { name, ordered }: Reduction,
  shape: readonly number[],
  dim: ReduceOptions["dim"],
): boolean[] {
  if (dim === undefined) return shape.map(() => true);
  const dims = typeof dim === "number" ? [dim] : dim;
  if (!Array.isArray(dims)) {
    throw new JitlabError(
      "bad-dimension",
      `${name}: ${show(dim)} is no dimension.`,
      "Name one, or a list of them.",
    );
  }
  if (ordered && dims.length !== 1) {
    throw new JitlabError(
      "bad-dimension",
      `${name}: places along ${dims.length} dimensions at once are not one number.`,
      "Name one dimension, or none for the place in row-major order.",
    );
  }
  const gone = shape.map(() => false);
  for (const each of dims) {
    const d = dimension(name, each, shape.length);
    if (gone[d]) {
      throw new JitlabError(
        "bad-dimension",
        `${name}: dimension ${d} is named twice in ${formatShape(dims)}.`,
        "Name each dimension once.",
      );
    }
    gone[d] = true;
  }
  return gone;
}

function checkOutput(name: string, shape: readonly number[], dtype: DType, out: Tensor | undefined): void {
  if (out === undefined) return;
  if (!sameNumbers(out.shape, shape)) {
    throw new JitlabError(
      "shape-mismatch",
      `${name}: the result has shape ${formatShape(shape)}, but the output has shape ${formatShape(out.shape)}.`,
      "Give an output of the result's shape, or none.",
    );
  }
  if (out.dtype !== dtype) {
    throw new JitlabError(
      "output-dtype",
      `${name}: the result is ${dtype.name}, but the output is ${out.dtype.name}.`,
      `Give an output of dtype ${dtype.name}, or none.`,
    );
  }
}
