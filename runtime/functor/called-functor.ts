// A functor as its callers see it: with the names that they may pass, and the values passed automatically.
import type { Scalar } from "../ops/op.js";
import type { Functor, Parameter } from "./functor.js";
import { type PositionUse, positionName, positionsOf } from "./position.js";
import { functionsOf } from "./signature.js";
import { type TextOptions, textFunctor } from "./text-functor.js";

/** A functor as its callers see it, whether it was written in C++ or in TypeScript. */
export interface CalledFunctor {
  readonly functor: Functor;
  /** The text that the user wrote. */
  readonly source: string;
  /** The names of the inputs that a caller passes; positions come after them. */
  readonly inputNames: readonly string[];
  /** The parameters that a caller may name, with their defaults. */
  readonly parameters: readonly Parameter[];
  /** The positions and extents that the functor uses, in the order of its arguments. */
  readonly positions: readonly PositionUse[];
  /** The keys of results that are returned as an object; without them several results are an array. */
  readonly keys: readonly string[] | undefined;
  /** Reads the captured variables, by the names of their parameters; undefined if there are none. */
  readonly captured: (() => Record<string, Scalar>) | undefined;
}

/** The functor of a C++ text as its callers see it; throws `bad-functor` for an invalid signature. */
export function calledText(what: string, source: string, options: TextOptions | undefined): CalledFunctor {
  const functor = textFunctor(what, source, options);
  const positions = positionsOf(source, functionsOf(source));
  const own = (names: readonly string[]) =>
    names.filter((name) => !positions.some((use) => positionName(use) === name));
  return {
    functor,
    source,
    inputNames: own(functor.inputNames),
    parameters: functor.parameters.filter(({ name }) => own([name]).length === 1),
    positions,
    keys: undefined,
    captured: undefined,
  };
}
