// jl.reduction: a reduction of a user's functors, which are texts in CUDA C++ or functions of numbers.
import { optionsOf } from "../base/arguments.js";
import { CompileError, isRevoked, JitlabError, show } from "../base/errors.js";
import { accumulatorOf } from "../functor/accumulator.js";
import { type CalledFunctor, calledText } from "../functor/called-functor.js";
import { customReduction } from "../functor/custom-reduction.js";
import { functorName } from "../functor/declaration.js";
import { type ScriptFunction, type ScriptOptions, scriptFunctor } from "../functor/script/script-functor.js";
import { functionsOf } from "../functor/signature.js";
import { getDevice, targetOf } from "../launch/devices.js";
import { checkFunctor, explainCompileError } from "../launch/functor-error.js";
import { openSink } from "../launch/sink.js";
import { functionOfReduction, type ReduceDims, type ReduceOptions } from "../tensor/statistics/reduce.js";
import { Tensor } from "../tensor/tensor.js";
import { checkByCalls, checkByLaunches } from "./reduction-identity.js";

/** The accumulator of a reduction: one value or several by name; a bigint is a 64-bit integer. */
export type Carried = number | bigint | boolean | { readonly [field: string]: number | bigint | boolean };

/** The accumulator as seen by functions. */
export type CarriedValue<A> = A extends boolean
  ? boolean
  : A extends number | bigint
    ? number
    : { readonly [K in keyof A]: A[K] extends boolean ? boolean : number };

/** The parts of a reduction other than its join. */
export interface ReductionOptions<A extends Carried = Carried>
  extends Pick<ScriptOptions, "name" | "returns" | "use" | "place"> {
  /** The accumulator of no elements; joining it changes nothing. */
  readonly identity: A;
  /** Makes an accumulator from an element; default: the element. */
  readonly map?: string | ((x: number) => CarriedValue<A>) | undefined;
  /** Makes the result from an accumulator; default: the accumulator. */
  readonly finish?: string | ((a: CarriedValue<A>) => number | boolean) | undefined;
}

const names = ["identity", "map", "finish", "name", "returns", "use", "place"] as const;

/** A function made by jl.reduction: call it like jl.sum, with dimensions and options. */
export interface ReductionFunction {
  (a: Tensor, dim?: ReduceDims, options?: ReduceOptions): Tensor;
  readonly name: string;
  /** The text that joins two accumulators. */
  readonly source: string;
  /** Has a compiler parse the texts; throws CompileError that points at the line. */
  check(device?: string): void;
}

/**
 * A reduction along dimensions from a join of two accumulators, which must be commutative and associative. It runs on every
 * device and joins in the library's order.
 *
 * @example jl.reduction((a, b) => a * b, { identity: 1 })(jl.tensor([[2, 3], [4, 5]]), 0).toArray() // [8, 15]
 */
export function reduction<A extends Carried>(
  combine: string | ((a: CarriedValue<A>, b: CarriedValue<A>) => CarriedValue<A>),
  options: ReductionOptions<A>,
): ReductionFunction {
  const {
    identity,
    map,
    finish,
    returns = "same",
    use,
    place,
    ...rest
  } = optionsOf("reduction", options, names);
  const name = functorName(rest.name ?? nameOf(combine));
  const accumulator = accumulatorOf(name, identity);
  const part = (text: unknown, own: string, taken: number, returned: boolean, more = {}): CalledFunctor => {
    const given = { name: own, ...(place && { place }), ...more };
    if (typeof text === "string") return calledText("reduction", text, given);
    if (typeof text !== "function") {
      throw new JitlabError(
        "bad-argument",
        `reduction: ${own} is ${show(text)}.`,
        "Pass a function of numbers, or a text in CUDA C++.",
      );
    }
    const roles = { accumulator, taken, returned };
    return scriptFunctor("reduction", text as ScriptFunction, { ...given, ...(use && { use }) }, roles);
  };
  const parts = {
    combine: part(combine, name, 2, true),
    map: map === undefined ? undefined : part(map, `${name}_map`, 0, true),
    finish: finish === undefined ? undefined : part(finish, `${name}_finish`, 1, false, { returns }),
  };
  const reduction = customReduction({ name, accumulator, returns, ...parts });
  checkByCalls(name, accumulator, { combine, map });
  let isChecked = typeof combine === "function";
  const run = functionOfReduction(
    reduction,
    (error) => told(error, Object.values(parts)),
    (a) => {
      if (isChecked || !(a instanceof Tensor) || openSink() !== undefined) return;
      isChecked = true;
      checkByLaunches(name, accumulator, parts, a);
    },
  );
  return Object.defineProperties(run, {
    source: { value: parts.combine.source, enumerable: true },
    check: {
      value: (device?: string) => {
        const target = device === undefined ? getDevice().target : targetOf(device);
        for (const one of Object.values(parts)) {
          try {
            if (one) checkFunctor(one.functor, target);
          } catch (error) {
            throw told(error, [one]);
          }
        }
      },
    },
  }) as unknown as ReductionFunction;
}

/** The name of a function, or of a text's entry. */
function nameOf(combine: unknown): string {
  if (typeof combine === "string") return functionsOf(combine).at(-1)?.name ?? "reduction";
  const name = typeof combine === "function" && !isRevoked(combine) ? combine.name : "";
  return typeof name === "string" && /^[A-Za-z_]\w*$/.test(name) ? name : "reduction";
}

/** A compile error in the lines of its part. */
function told(error: unknown, parts: readonly (CalledFunctor | undefined)[]): unknown {
  if (!(error instanceof CompileError)) return error;
  const functors = parts.flatMap((part) => part?.functor ?? []);
  const found = functors.find(({ name }) => new RegExp(`^${name}[(:]`, "m").test(error.log)) ?? functors[0];
  return found ? explainCompileError(found, error) : error;
}
