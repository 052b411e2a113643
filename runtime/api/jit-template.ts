// The `functor` tagged template: a functor's text in a .ts file, where editors can color it as CUDA and %%kernel is
// unavailable.

import { namedOf } from "../base/arguments.js";
import { isArray } from "../base/errors.js";
import type { Tensor } from "../tensor/tensor.js";
import { type JitFunction, type JitOptions, jit } from "./jit.js";

type Piece = string | number;
type Tag = (strings: TemplateStringsArray, ...values: readonly Piece[]) => JitFunction;

/**
 * A function on tensors from CUDA C++ text, as %%kernel makes it: functor`template <typename T> T twice(T x) { return x + x;
 * }`. Values of `${...}` become part of the text; options come first: functor({ returns: "bool" })`...`.
 *
 * @example jl.functor`template <typename T> T twice(T x) { return x + x; }`(jl.tensor([1, 2])).toArray() // [2, 4]
 */
export function functor(options: JitOptions): Tag;
export function functor(strings: TemplateStringsArray, ...values: readonly Piece[]): JitFunction;
export function functor(
  first: JitOptions | TemplateStringsArray,
  ...values: readonly Piece[]
): JitFunction | Tag {
  if (isTemplate(first)) return jit<Tensor>(String.raw(first, ...values));
  const options = namedOf("functor", first);
  return (strings: TemplateStringsArray, ...rest: readonly Piece[]) =>
    jit<Tensor>(isTemplate(strings) ? String.raw(strings, ...rest) : strings, options);
}

function isTemplate(value: unknown): value is TemplateStringsArray {
  return isArray(value) && "raw" in value;
}
