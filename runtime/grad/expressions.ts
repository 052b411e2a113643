// The cotangents of an operation's arguments, by the derivatives in its record: as one kernel per argument, or by separate
// operations where these are differentiated again.

import { composeExpression, type Hole, type ScalarSource } from "../api/fuse-composition.js";
import type { DType } from "../base/dtype.js";
import { compose } from "../codegen/composition/composer.js";
import type { Expression } from "../functor/expression.js";
import type { Functor } from "../functor/functor.js";
import { codeOf, type Operand } from "../functor/operand.js";
import { type NamedExpression, namedExpression, type SlopeExpression } from "../functor/slope.js";
import { isView } from "../geometry/view.js";
import { dispatch } from "../launch/map-launch.js";
import { ops } from "../ops/index.js";
import type { Op, Scalar } from "../ops/op.js";
import { opFunctor } from "../tensor/operations.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";

/** An expression over names, and its kernels. */
export interface SlopeRule extends NamedExpression {
  readonly kernels: Map<string, { readonly functor: Functor; readonly scalars: readonly ScalarSource[] }>;
}

const rules = new Map<string, SlopeRule>();

/** The cotangent of an argument over the names in its derivative; `g` is that of the result. */
export function slopeRule(slope: SlopeExpression): SlopeRule {
  return ruleFor(typeof slope === "string" ? `g * (${slope})` : slope.select);
}

/** The rule of an expression. */
export function ruleFor(text: string): SlopeRule {
  let rule = rules.get(text);
  if (rule === undefined) {
    rule = { ...namedExpression(text), kernels: new Map() };
    rules.set(text, rule);
  }
  return rule;
}

/** The expression's value for the values of its names, in one kernel. */
export function inOneKernel({ parsed, kernels }: SlopeRule, values: readonly Operand[]): Tensor {
  const tensors = [...new Set(values.filter(isView))] as Tensor[];
  const holes = values.map((value): Hole => {
    const place = tensors.indexOf(value as Tensor);
    return { code: codeOf(value, "grad"), place, called: undefined };
  });
  const key = holes.map(({ code, place }) => `${code}:${place}`).join();
  let made = kernels.get(key);
  if (made === undefined) {
    const { composition, scalars } = composeExpression(parsed, holes, tensors.map(dtypeIn), "");
    made = { functor: compose(composition, true), scalars };
    kernels.set(key, made);
  }
  const parameters = Object.fromEntries(
    made.scalars.map((source, i) => [
      `s${i}`,
      source.kind === "hole" ? (values[source.hole] as Scalar) : source.value,
    ]),
  );
  return dispatch(made.functor, tensors, emptyTensor, { parameters })[0] as Tensor;
}

function dtypeIn({ dtype }: Tensor): DType {
  return dtype;
}

/** The same by separate operations, which can be differentiated. */
export function inSteps({ parsed }: SlopeRule, values: readonly Operand[]): Tensor {
  return evaluate(parsed.root, values) as Tensor;
}

function evaluate(node: Expression, values: readonly Operand[]): Operand {
  if (node.kind === "number") return node.value;
  if (node.kind === "hole") return values[node.index] as Operand;
  if (node.kind === "apply") throw new Error("A derivative calls operations alone.");
  const args = node.args.map((one) => evaluate(one, values));
  if (args.some(isView)) return dispatch(opFunctor(node.op) as Functor, args, emptyTensor)[0] as Tensor;
  return (ops[node.op] as Op).reference(...args);
}
