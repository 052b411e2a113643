// jl.jit: a function on tensors from a functor, which is a text in CUDA C++ or a function of numbers.
import { CompileError } from "../base/errors.js";
import { type CalledFunctor, calledText } from "../functor/called-functor.js";
import type { Operand } from "../functor/operand.js";
import { type ScriptFunction, type ScriptOptions, scriptFunctor } from "../functor/script/script-functor.js";
import type { TextOptions } from "../functor/text-functor.js";
import type { CallOptions } from "../launch/calls.js";
import { getDevice, targetOf } from "../launch/devices.js";
import { checkFunctor, explainCompileError } from "../launch/functor-error.js";
import { dispatch, forget, loadedInputs } from "../launch/map-launch.js";
import type { Scalar } from "../ops/op.js";
import { tagFunctor } from "../tensor/operations.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";
import { type JitArgument, type JitCallOptions, splitArguments } from "./jit-arguments.js";

/** Options for making a function from a functor. */
export type JitOptions = TextOptions;

/** A function made by jl.jit: call it with its inputs in order; several outputs are an array. */
export interface JitFunction<R = Tensor> {
  (...args: JitArgument[]): R;
  readonly name: string;
  /** The functor's text. */
  readonly source: string;
  /** Captured parameters with their defaults. */
  readonly parameters: Readonly<Record<string, Scalar>>;
  /** Has a compiler parse the text; throws CompileError that points at the line. */
  check(device?: string): void;
  /** Frees its loaded kernels; the next calls load them from the cache. */
  unload(): void;
}

/** The result of a function of numbers: one value, or several as an array or an object. */
export type ScriptResult =
  | number
  | boolean
  | readonly (number | boolean)[]
  | { readonly [key: string]: number | boolean };

/** Named parameters of a function's last argument, with their defaults. */
export type ScriptParams = Readonly<Record<string, number | boolean>>;

/** One tensor, or one for each of several results. */
export type TensorsOf<R> = R extends number | boolean ? Tensor : { [K in keyof R]: Tensor };

/** A tensor or a number for each parameter without a default, with the names for hover and signature help. */
export type ScriptInputs<A extends readonly unknown[]> =
  Shortest<Required<A>, A> extends infer P extends readonly unknown[]
    ? { [K in keyof P]: Tensor | Scalar }
    : [];

/** The required first parameters of A. */
type Shortest<P extends readonly unknown[], A extends readonly unknown[]> = P extends [...infer Q, unknown]
  ? Q extends A
    ? Shortest<Q, A>
    : P
  : P;

/** As {@link ScriptInputs}, without the last parameter with named values. */
export type InputsBefore<A extends readonly unknown[]> = A extends [...infer Rest, unknown]
  ? ScriptInputs<Rest>
  : [];

/** Values for a call's named parameters. */
export type ParamValues<P> = { readonly [K in keyof P]?: P[K] extends boolean ? boolean : number };

/** The result of jl.jit for a function of numbers. */
export interface ScriptedFunction<I extends readonly unknown[], R, P>
  extends Pick<JitFunction, "source" | "parameters" | "check" | "unload"> {
  (...args: [...inputs: I, options?: JitCallOptions & P]): TensorsOf<R>;
}

/**
 * A function on tensors from a functor's CUDA C++ text; compiled for each dtype, layout and device at its first call.
 *
 * @example jl.jit("template <typename T> T twice(T x) { return x + x; }")(jl.tensor([1, 2])).toArray() // [2, 4]
 */
export function jit<R = Tensor>(source: string, options?: JitOptions): JitFunction<R>;
/**
 * The same from a function of numbers whose last argument has named parameters: `params` holds their defaults. TypeScript
 * cannot express "numbers, then an object", so an argument has both types.
 */
export function jit<P extends ScriptParams, F extends (...args: (number & P)[]) => ScriptResult>(
  fn: F,
  options: ScriptOptions & { readonly params: P },
): ScriptedFunction<InputsBefore<Parameters<F>>, ReturnType<F>, ParamValues<P>>;
/** The same from a function of numbers; parameters with a default are passed by name at each call. */
export function jit<F extends (...args: number[]) => ScriptResult>(
  fn: F,
  options?: ScriptOptions,
): ScriptedFunction<ScriptInputs<Parameters<F>>, ReturnType<F>, Readonly<Record<string, unknown>>>;
export function jit(source: string | ScriptFunction, options?: ScriptOptions): unknown {
  return typeof source === "function"
    ? functionOf(scriptFunctor("jit", source, options))
    : functionOf(calledText("jit", source, options));
}

/** The function that calls a functor. */
function functionOf(called: CalledFunctor): unknown {
  const { functor, source, keys } = called;
  const failed = new Set<string>();
  // The part that a dtype's error omits: whether the functor compiled for other dtypes.
  const failure = (operands: readonly Operand[], given: CallOptions | undefined, error: CompileError) => {
    const tensors = operands.filter((operand) => operand instanceof Tensor).map(({ dtype }) => dtype.name);
    const types = [...new Set([...tensors, ...(given?.dtype ? [given.dtype.name] : [])])].join(", ");
    const other = [...failed].filter((one) => one !== types);
    failed.add(types);
    const works = [...new Set(loadedInputs(functor))];
    const help = [
      other.length > 0 ? `It failed for ${other.join(" and for ")} too.` : "",
      works.length > 0 ? `It works for ${works.join(" and for ")}.` : "",
    ];
    return explainCompileError(functor, error, types, help.join(" ").trim());
  };
  const call = (...args: JitArgument[]): unknown => {
    const { operands, given } = splitArguments(called, args);
    const outputs = explained(
      () => dispatch(functor, operands, emptyTensor, given),
      (error) => failure(operands, given, error),
    );
    if (keys) return Object.fromEntries(keys.map((key, i) => [key, outputs[i]]));
    return outputs.length === 1 ? outputs[0] : outputs;
  };
  Object.defineProperties(call, {
    name: { value: functor.name },
    source: { value: source, enumerable: true },
    parameters: {
      value: Object.fromEntries(called.parameters.map(({ name, value }) => [name, value])),
      enumerable: true,
    },
    check: {
      value: (device?: string) =>
        explained(
          () => checkFunctor(functor, device === undefined ? getDevice().target : targetOf(device)),
          (error) => explainCompileError(functor, error),
        ),
    },
    unload: { value: () => forget(functor) },
  });
  calledFunctors.set(call, called);
  return tagFunctor(call, () => functor);
}

const calledFunctors = new WeakMap<object, CalledFunctor>();

/** The functor that a function of jl.jit calls; undefined for any other value. */
export function calledBy(fn: unknown): CalledFunctor | undefined {
  return typeof fn === "function" ? calledFunctors.get(fn) : undefined;
}

function explained<T>(run: () => T, explain: (error: CompileError) => CompileError): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof CompileError ? explain(error) : error;
  }
}
