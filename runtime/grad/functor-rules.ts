// How cotangents go back through users' functors: their own texts compute with dual numbers.
import { CompileError } from "../base/errors.js";
import { dualFunctor, floatingResults } from "../functor/dual-functor.js";
import { dualRefusal } from "../functor/dual-refusals.js";
import type { Functor } from "../functor/functor.js";
import { codeOf } from "../functor/operand.js";
import { resolveDTypes } from "../functor/resolve.js";
import { explainCompileError } from "../launch/functor-error.js";
import { dispatch } from "../launch/map-launch.js";
import type { MapOperation } from "../launch/operation.js";
import { isTensor } from "../program/operations/window.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import { Kept } from "./kept.js";
import { type Active, type Rule, refusal } from "./rule.js";
import { send } from "./send.js";

/** The rule of a user's functor. */
export const functorRule: Rule<MapOperation> = (recorder, { functor, inputs: operands, options }, active) => {
  const { name, parameters, place } = functor;
  const refused = dualRefusal(functor);
  if (refused !== undefined) {
    const { why, line } = refused;
    const where = line === undefined ? "" : `, in ${place?.file ?? name}:${line + (place?.line ?? 1) - 1}`;
    return () =>
      refusal(name, `${why}${where}`, 'Give it: jl.jit(text, { slopes: { x: "..." } }), or jl.customVjp.');
  }
  const wanted = active.flatMap((one, i) => (one ? [i] : []));
  const codes = operands.map((operand) => codeOf(operand, name));
  const isFloating = resolveDTypes(functor, codes).compute.kind === "float";
  const kept = operands.map((operand) => (isTensor(operand) ? recorder.keep(operand) : operand));
  const values = Object.fromEntries(
    parameters.map(({ name: parameter, value }, i) => [
      parameter,
      options.parameters?.[parameter] ?? options.scalars?.[i] ?? value,
    ]),
  );
  return () => (cotangents) => {
    const given = floatingResults(functor, isFloating).map((i) => cotangents[i]);
    if (given.every((g) => g === undefined)) return;
    const derivative = dualFunctor(functor, wanted, isFloating);
    const inputs = kept.map((one) => (one instanceof Kept ? one.tensor() : one));
    const found = explained(derivative, () =>
      dispatch(derivative, [...inputs, ...given.map((g) => g ?? 0)], emptyTensor, { parameters: values }),
    );
    for (const [k, i] of wanted.entries()) send(active[i] as Active, found[k] as Tensor);
  };
};

function explained<R>(derivative: Functor, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof CompileError ? explainCompileError(derivative, error) : error;
  }
}
