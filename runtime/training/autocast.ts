// jl.autocast: the sink that gives products their operands in a half type and sensitive functions theirs in float32. It is above
// all other sinks; what records derivatives or defers operations goes beneath it and sees the casts.
import { checkFunction, checkSynchronous } from "../base/arguments.js";
import { type DType, type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Device } from "../device/device.js";
import { PooledStorage } from "../device/pooled-storage.js";
import type { Storage } from "../device/storage.js";
import type { View } from "../geometry/view.js";
import type { MakeOutput } from "../launch/calls.js";
import { MapOperation, type Operation, ReduceOperation } from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import {
  type Casts,
  constantRegion,
  isDifferentiated,
  newStorage,
  openCasts,
  openSink,
  type Sink,
  sendingTo,
} from "../launch/sink.js";
import { type Value, valueIn } from "../program/operations/ir.js";
import { sameWindow, type Window, windowOn } from "../program/operations/window.js";
import { Tensor } from "../tensor/tensor.js";

/** The functions that compute in the half type. */
const lower = new Set(
  "matmul mm bmm mv dot addmm tensordot einsum conv1d conv2d convTranspose2d scaledDotProductAttention prelu".split(
    " ",
  ),
);

/** The functions that compute in float32. */
const wide = new Set(
  [
    "acos asin cosh sinh tan erfinv exp expm1 log log10 log1p log2 pow reciprocal rsqrt softplus",
    "sum mean prod cumsum cumprod norm vectorNorm cdist softmax logSoftmax logsumexp interpolate",
    "layerNorm groupNorm rmsNorm crossEntropy nllLoss bceWithLogits mseLoss l1Loss huberLoss",
  ].flatMap((line) => line.split(" ")),
);

type Half = "float16" | "bfloat16";

/**
 * The function with mixed precision: products of float32 tensors in it compute and give the half type `dtype`; exponentials,
 * logarithms, sums, norms and losses compute and give float32; other functions promote as always.
 *
 * @example jl.autocast("bfloat16", (x) => x.matmul(x))(jl.eye(2)).dtype.name // "bfloat16"
 */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export function autocast<F extends (...args: any[]) => unknown>(dtype: Half, fn: F): F {
  if (dtype !== "float16" && dtype !== "bfloat16") {
    throw new JitlabError(
      "bad-argument",
      `autocast: the dtype is ${show(dtype)}.`,
      'Products take "bfloat16" or "float16"; what is not cast needs no autocast.',
    );
  }
  checkFunction("autocast", "what to run", fn);
  const run = function (this: unknown, ...args: unknown[]): unknown {
    const casts = openCasts();
    const call = () => casting(dtypes[dtype], () => fn.apply(this, args));
    return casts ? casts.beneath(call) : call();
  };
  Object.defineProperty(run, "name", { value: fn.name });
  return run as F;
}

/** Runs a function with operands cast above the open sink. */
function casting<R>(dtype: DType, run: () => R): R {
  const value = sendingTo(new Autocast(dtype, openSink()), run);
  const help = "Operands are cast while the function runs: load data before, and pass it as an argument.";
  checkSynchronous("autocast", value, "bad-argument", help);
  return value;
}

/** A tensor that was cast, and the result. */
interface Cast {
  readonly window: Window;
  readonly result: Tensor;
}

class Autocast implements Casts {
  readonly name = "casts";
  /** The casts of tensors that were not made inside, by the elements that they had, for each region of constants. */
  readonly #done = new WeakMap<object, Map<Value, Cast[]>>();
  readonly #made = new WeakSet<Storage>();

  constructor(
    readonly lower: DType,
    readonly outer: Sink | undefined,
  ) {}

  get dtype(): DTypeName {
    return this.lower.name;
  }

  beneath<R>(run: () => R): R {
    return sendingTo(this.outer, run);
  }

  around<F extends (...args: never[]) => unknown>(fn: F): F {
    return ((...args: never[]) => casting(this.lower, () => fn(...args))) as F;
  }

  call<A extends readonly unknown[], R>(name: string, fn: (...args: A) => R, args: A): R {
    const to = this.#dtypeOf(name) as DType;
    return this.beneath(() => {
      const result = fn(...(args.map((one) => this.#castIn(one, to)) as never as A));
      if (result instanceof Tensor) this.#noted([result]);
      return result;
    });
  }

  #dtypeOf(name: string): DType | undefined {
    return lower.has(name) ? this.lower : wide.has(name) ? dtypes.float32 : undefined;
  }

  /** An argument, or one with the options that are tensors, in a dtype. */
  #castIn(argument: unknown, to: DType): unknown {
    if (argument instanceof Tensor) return this.#cast(argument, to);
    if (
      typeof argument !== "object" ||
      argument === null ||
      Object.getPrototypeOf(argument) !== Object.prototype
    )
      return argument;
    const cast = (one: unknown) => (one instanceof Tensor ? this.#cast(one, to) : one);
    return Object.fromEntries(Object.entries(argument).map(([key, one]) => [key, cast(one)]));
  }

  /** A floating tensor in a dtype; float64 stays. */
  #cast(x: Tensor, to: DType): Tensor {
    if (x.dtype.kind !== "float" || x.dtype === to || x.dtype.name === "float64") return x;
    const { storage } = x;
    if (!(storage instanceof PooledStorage) || storage.shared || this.#made.has(storage))
      return x.to(to.name);
    const value = valueIn(storage);
    const done = this.#doneHere();
    const known = done.get(value) ?? [];
    const window = windowOn(x);
    const isSame = (one: Cast) =>
      one.window.dtype === x.dtype && one.result.dtype === to && sameWindow(one.window, window);
    const found = known.find(isSame)?.result;
    if (found) return found;
    const result = x.to(to.name);
    done.set(value, [...known, { window, result }]);
    return result;
  }

  /** A cast that is not differentiated is not one for other code, nor the inverse. */
  #doneHere(): Map<Value, Cast[]> {
    const region = (isDifferentiated(this.outer) ? constantRegion() : undefined) ?? this;
    const done = this.#done.get(region) ?? new Map<Value, Cast[]>();
    this.#done.set(region, done);
    return done;
  }

  /** Notes tensors that are made inside. */
  #noted<V extends readonly View[]>(results: V): V {
    for (const { storage } of results) if (storage) this.#made.add(storage);
    return results;
  }

  take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    switch (operation.kind) {
      case "map":
        return this.beneath(() => this.#noted(perform(this.#castMap(operation), make)));
      case "reduce":
        return this.beneath(() => this.#noted(perform(this.#castReduction(operation), make)));
      case "scan":
      case "opaque":
        return this.beneath(() => this.#noted(perform(operation, make)));
      case "write":
        return this.beneath(() => perform(operation, make));
      case "launch":
        return this.outer?.take(operation, make);
      case "loop":
        return undefined;
      default:
        return operation satisfies never;
    }
  }

  #castMap(operation: MapOperation): MapOperation {
    const { functor, inputs, options } = operation;
    const to = functor.user || options.out ? undefined : this.#dtypeOf(functor.name);
    if (to === undefined) return operation;
    const cast = inputs.map((one) => (one instanceof Tensor ? this.#cast(one, to) : one));
    return new MapOperation(functor, cast, options);
  }

  #castReduction(operation: ReduceOperation): ReduceOperation {
    const { reduction, input, isDtypeGiven } = operation.call;
    const to = input instanceof Tensor && !isDtypeGiven ? this.#dtypeOf(reduction.name) : undefined;
    const own = to ? this.#cast(input as Tensor, to) : input;
    if (own === input) return operation;
    const plan = reduction.plan(own.dtype);
    if ("refuse" in plan) throw new Error(`${reduction.name} refuses ${own.dtype.name}.`);
    return new ReduceOperation({ ...operation.call, input: own, plan });
  }

  storage(device: Device, bytes: number): Storage {
    const made = this.beneath(() => newStorage(device, bytes));
    this.#made.add(made);
    return made;
  }
}
