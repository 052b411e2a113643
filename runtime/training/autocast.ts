// jl.autocast: the sink that gives products their operands in a half type and sensitive functions theirs in float32. It is above
// all other sinks; what records derivatives or defers operations goes beneath it and sees the casts.
import { checkFunction, checkSynchronous } from "../base/arguments.js";
import { type DType, type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Device } from "../device/device.js";
import { PooledStorage } from "../device/pooled-storage.js";
import type { Storage } from "../device/storage.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { View } from "../geometry/view.js";
import { dispatch } from "../launch/dispatch.js";
import { dispatchReduction } from "../launch/reduce-launch.js";
import {
  type CallOptions,
  type Casts,
  type IndexCheck,
  type MakeOutput,
  newStorage,
  openCasts,
  openSink,
  type ReduceCall,
  type Sink,
  sendingTo,
  type WholeOperation,
  type WriteOperation,
} from "../launch/sink.js";
import { type Value, valueIn } from "../program/graph/ir.js";
import { sameWindow, type Window, windowOn } from "../program/graph/window.js";
import { Tensor } from "../tensor/tensor.js";
import { wholeResults, writeWhole } from "../tensor/whole.js";

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
    "layerNorm rmsNorm crossEntropy nllLoss mseLoss l1Loss huberLoss",
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

class Autocast implements Sink, Casts {
  /** The casts of tensors that were not made inside, by the elements that they had. */
  #done = new Map<Value, Cast[]>();
  readonly #made = new WeakSet<Storage>();
  readonly kernel?: NonNullable<Sink["kernel"]>;
  readonly constant?: NonNullable<Sink["constant"]>;

  constructor(
    readonly lower: DType,
    readonly outer: Sink | undefined,
  ) {
    if (outer?.kernel) this.kernel = (kernel) => outer.kernel?.(kernel);
    if (outer?.constant) this.constant = (run) => this.#constant(outer, run);
  }

  get casts(): Casts {
    return this;
  }

  get dtype(): DTypeName {
    return this.lower.name;
  }

  // What the sink beneath does stands for this one.

  get keeps(): NonNullable<Sink["keeps"]> {
    return this.outer?.keeps ?? "casts";
  }

  get takesGathers(): boolean {
    return this.outer?.takesGathers ?? false;
  }

  get past(): Sink | undefined {
    return this.outer?.past;
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
    const known = this.#done.get(value) ?? [];
    const window = windowOn(x);
    const isSame = (one: Cast) =>
      one.window.dtype === x.dtype && one.result.dtype === to && sameWindow(one.window, window);
    const found = known.find(isSame)?.result;
    if (found) return found;
    const result = x.to(to.name);
    this.#done.set(value, [...known, { window, result }]);
    return result;
  }

  /** Notes tensors that are made inside. */
  #noted<V extends readonly View[]>(results: V): V {
    for (const { storage } of results) if (storage) this.#made.add(storage);
    return results;
  }

  map<V extends View>(
    functor: Functor,
    operands: readonly Operand[],
    makeOutput: MakeOutput<V>,
    options: CallOptions,
  ): readonly V[] {
    const to = functor.user || options.out ? undefined : this.#dtypeOf(functor.name);
    return this.beneath(() => {
      const own = to
        ? operands.map((one) => (one instanceof Tensor ? (this.#cast(one, to) as Operand) : one))
        : operands;
      return this.#noted(dispatch(functor, own, makeOutput, options));
    });
  }

  reduce<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V {
    const { reduction, input, isDtypeGiven } = call;
    const to = input instanceof Tensor && !isDtypeGiven ? this.#dtypeOf(reduction.name) : undefined;
    return this.beneath(() => {
      const own = to ? this.#cast(input as Tensor, to) : input;
      const plan = own === input ? call.plan : reduction.plan(own.dtype);
      if ("refuse" in plan) throw new Error(`${reduction.name} refuses ${own.dtype.name}.`);
      const result = dispatchReduction({ ...call, input: own, plan }, makeOutput);
      this.#noted([result]);
      return result;
    });
  }

  whole<V extends View>(
    operation: WholeOperation,
    inputs: readonly View[],
    _makeOutput: MakeOutput<V>,
    undo?: () => void,
  ): readonly V[] {
    const run = () => this.#noted(wholeResults(operation, inputs as readonly Tensor[], undo));
    return this.beneath(run) as unknown as readonly V[];
  }

  write(operation: WriteOperation, inputs: readonly View[], target: View, check: IndexCheck): boolean {
    this.beneath(() => writeWhole(operation, inputs as readonly Tensor[], target as Tensor, check));
    return true;
  }

  launching(name: string, used: readonly View[]): ((written: readonly View[]) => void) | undefined {
    return this.outer?.launching?.(name, used);
  }

  /** A cast that is not differentiated is not one for other code, nor the inverse. */
  #constant<T>(outer: Sink, run: () => T): T {
    const done = this.#done;
    this.#done = new Map();
    try {
      return outer.constant?.(run) as T;
    } finally {
      this.#done = done;
    }
  }

  storage(device: Device, bytes: number): Storage {
    const made = this.beneath(() => newStorage(device, bytes));
    this.#made.add(made);
    return made;
  }
}
