// jl.fuse: one kernel for an expression of tensors and numbers. Each operation computes in the dtype of its separate call,
// so the result equals that of the separate calls, without their intermediate tensors.

import { optionsOf } from "../base/arguments.js";
import type { DType } from "../base/dtype.js";
import { CompileError, isArray, JitlabError, show } from "../base/errors.js";
import { compose } from "../codegen/composition/composer.js";
import { type ParsedExpression, parseExpression } from "../functor/expression.js";
import type { Functor } from "../functor/functor.js";
import { codeOf } from "../functor/operand.js";
import { explainComposedError } from "../launch/functor-error.js";
import { dispatch } from "../launch/map-launch.js";
import type { Scalar } from "../ops/op.js";
import { callSite } from "../program/tape/call-site.js";
import { emptyTensor, outputOf, Tensor } from "../tensor/tensor.js";
import { composeExpression, type Hole, type ScalarSource } from "./fuse-composition.js";
import { calledBy, type JitFunction } from "./jit.js";

/** Options of a fused expression. */
export interface FuseOptions {
  /** The tensor to write the result into. */
  readonly out?: Tensor;
}

/** The values that a template's `${...}` accepts: a tensor, a number, or a functor of jl.jit before its arguments in brackets. */
export type FuseValue = Tensor | Scalar | Pick<JitFunction, "source" | "parameters" | "check">;

/** The tag of a template: computes its expression. */
export type FuseTag = (strings: TemplateStringsArray, ...values: FuseValue[]) => Tensor;

/** The functor of an expression for one list of operand dtypes and functors. */
interface Fused {
  readonly functor: Functor;
  readonly scalars: readonly ScalarSource[];
}

interface Template {
  readonly parsed: ParsedExpression;
  readonly fused: Map<string, Fused>;
}

const templates = new WeakMap<TemplateStringsArray, Template>();

/**
 * Computes an expression in one kernel: C++ operators, the operations of the library by name and functors of jl.jit, over
 * tensors and numbers in `${...}`. A new number reuses the kernel. Values between operations are not rounded to half
 * types.
 *
 * @example jl.fuse`sin(${jl.zeros([2])}) * 2 + ${jl.ones([2])}`.toArray() // [1, 1]
 */
export function fuse(options: FuseOptions): FuseTag;
export function fuse(strings: TemplateStringsArray, ...values: FuseValue[]): Tensor;
export function fuse(first: FuseOptions | TemplateStringsArray, ...values: FuseValue[]): Tensor | FuseTag {
  if (isTextList(first)) return run(first, values, {});
  const options = optionsOf("fuse", first, ["out"]);
  return (strings, ...rest) => run(strings, rest, options);
}

function isTextList(value: unknown): value is TemplateStringsArray {
  return isArray(value) && value.every((part) => typeof part === "string");
}

function run(strings: TemplateStringsArray, values: readonly FuseValue[], options: FuseOptions): Tensor {
  if (!isTextList(strings)) {
    throw new JitlabError(
      "bad-argument",
      `fuse: ${show(strings)} is not a template.`,
      "Write the expression in backquotes right after the name, with tensors in dollar signs and braces.",
    );
  }
  const { parsed, fused } = templateOf(strings);
  const tensors = [...new Set(values.filter((value): value is Tensor => value instanceof Tensor))];
  const holes = values.map((value): Hole => {
    const called = calledBy(value);
    const code = called === undefined ? codeOf(value, "fuse") : undefined;
    return { code, called, place: tensors.indexOf(value as Tensor) };
  });
  if (tensors.length === 0) {
    throw new JitlabError(
      "no-tensor",
      `fuse: none of the values in ${parsed.text.trim()} is a tensor.`,
      `Write tensors as \${x}; a number by itself needs no kernel.`,
    );
  }
  const key = holes.map(({ code, place, called }) => `${code ?? `f${called?.functor.id}`}:${place}`).join();
  let made = fused.get(key);
  if (!made) {
    made = fusedOf(
      parsed,
      holes,
      tensors.map(({ dtype }) => dtype),
    );
    fused.set(key, made);
  }
  const { functor, scalars } = made;
  const parameters = Object.fromEntries(
    scalars.map((source, i) => [`s${i}`, scalarOf(source, values, holes)]),
  );
  const out = options.out ? [outputOf(options.out)] : undefined;
  try {
    return dispatch(functor, tensors, emptyTensor, { parameters, out })[0] as Tensor;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const types = [...new Set(tensors.map(({ dtype }) => dtype.name))].join(", ");
    throw explainComposedError(
      error,
      holes.flatMap(({ called }) => (called ? [{ functor: called.functor, types }] : [])),
    );
  }
}

function fusedOf(parsed: ParsedExpression, holes: readonly Hole[], inputs: readonly DType[]): Fused {
  const { composition, scalars } = composeExpression(parsed, holes, inputs, callSite());
  return { functor: compose(composition, true), scalars };
}

/** The value of a scalar at this call. */
function scalarOf(source: ScalarSource, values: readonly FuseValue[], holes: readonly Hole[]): Scalar {
  if (source.kind === "number") return source.value;
  if (source.kind === "hole") return values[source.hole] as Scalar;
  const called = holes[source.hole]?.called;
  return called?.captured?.()[source.name] ?? source.value;
}

function templateOf(strings: TemplateStringsArray): Template {
  let template = templates.get(strings);
  if (!template) {
    const text = strings.map((part, i) => (i === 0 ? part : `\${${i - 1}}${part}`)).join("");
    template = { parsed: parseExpression(text), fused: new Map() };
    templates.set(strings, template);
  }
  return template;
}
