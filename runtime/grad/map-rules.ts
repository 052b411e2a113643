// How cotangents go back through maps: by the derivatives in the operations' records, and to the places of reads by index tensors.
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import { isDerivative } from "../functor/slope.js";
import { operandNames } from "../functor/user-slopes.js";
import type { View } from "../geometry/view.js";
import type { MapOperation } from "../launch/operation.js";
import type { Slope } from "../ops/op.js";
import { isTensor, windowOn } from "../program/operations/window.js";
import { arange, zeros } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { complexSlopes } from "./complex-rules.js";
import { inOneKernel, inSteps, type SlopeRule, slopeRule } from "./expressions.js";
import { functorRule } from "./functor-rules.js";
import { Kept } from "./kept.js";
import { type Rule, refusal } from "./rule.js";
import { send } from "./send.js";

/** The rule of a map by the derivatives in its operation's record, or those of its text. */
export const mapRule: Rule<MapOperation> = (recorder, operation, active) => {
  const { functor, inputs: operands, options } = operation;
  if (functor.addressed) return lookupRule(recorder, operation, active);
  const { name, inputNames } = functor;
  const isComplex = operands.some(isComplexOperand) || name === "complex" || name === "polar";
  const slopes = isComplex && !functor.user ? complexSlopes(name, functor.slopes) : functor.slopes;
  if (isComplex && functor.user)
    return () => refusal(name, "functors of complex numbers are not differentiated");
  if (isComplex && slopes === undefined && functor.slopes !== undefined)
    return () => refusal(name, "its derivative by complex numbers is not known");
  if (slopes === undefined && functor.user) return functorRule(recorder, operation, active);
  if (slopes === undefined) return () => refusal(name, whyNone(functor));
  const parts = active.flatMap((one, i) => {
    const slope = slopes[inputNames[i] as string];
    return one && slope !== "0" ? [{ to: one, slope, input: inputNames[i] as string }] : [];
  });
  const named = new Map<string, Operand | Kept>();
  const rules = parts.map(({ slope }) =>
    isDerivative(slope) && slope !== "1" ? slopeRule(slope) : undefined,
  );
  const isNamed = (wanted: string) => rules.some((rule) => rule?.names.includes(wanted));
  for (const [i, operand] of operands.entries()) {
    const own = operandNames(functor)[i] as string;
    if (isNamed(own)) named.set(own, isTensor(operand) ? recorder.keep(operand) : operand);
  }
  for (const [i, { name: parameter, value }] of functor.parameters.entries())
    named.set(
      functor.user ? `p_${parameter}` : parameter,
      options.parameters?.[parameter] ?? options.scalars?.[i] ?? value,
    );
  return (outputs) => {
    const [output] = outputs as readonly [View];
    const refused = parts.find(({ slope }) => !isDerivative(slope));
    if (refused !== undefined) return refusal(name, reasonOf(refused.slope, refused.input, functor.user));
    if (isNamed("y")) named.set("y", recorder.keep(output));
    return ([g]) => {
      if (g === undefined) return;
      for (const [k, { to }] of parts.entries()) {
        const rule = rules[k];
        send(
          to,
          rule === undefined ? g : cotangentBy(rule, { named, g, functor, isNested: recorder.isNested }),
        );
      }
    };
  };
};

function isComplexOperand(operand: Operand): boolean {
  return isTensor(operand) ? operand.dtype.kind === "complex" : typeof operand === "object";
}

function reasonOf(slope: Slope | undefined, input: string, user: boolean): string {
  if (user) return `its option slopes has none for ${input}`;
  return typeof slope === "object" && "refuse" in slope ? slope.refuse : "no closed form is known";
}

function whyNone({ composed, name }: Functor): string {
  if (name.startsWith("fused") || composed !== undefined)
    return "an expression of jl.fuse is not differentiated; write it with methods, which jl.compile puts into one kernel";
  return "no closed form is known";
}

interface Values {
  readonly named: ReadonlyMap<string, Operand | Kept>;
  readonly g: Tensor;
  readonly functor: Functor;
  readonly isNested: boolean;
}

function cotangentBy(rule: SlopeRule, { named, g, functor, isNested }: Values): Tensor {
  const values = rule.names.map((name): Operand => {
    if (name === "g") return g;
    const value = named.get(name) as Operand | Kept;
    if (!(value instanceof Kept)) return value;
    const x = value.tensor();
    // As the operation itself converted it.
    const isCommon = functor.inputs[operandNames(functor).indexOf(name)] === "T" || name === "y";
    return isCommon && x.dtype !== g.dtype && x.dtype.kind === g.dtype.kind ? x.to(g.dtype.name) : x;
  });
  return isNested ? inSteps(rule, values) : inOneKernel(rule, values);
}

/** A read by index tensors: its cotangents are added at the places that it read, in a fixed order. */
const lookupRule: Rule<MapOperation> = (recorder, { functor, inputs, options }, active) => {
  const [to] = active;
  const [source, , ...indexes] = inputs as readonly View[];
  if (to === undefined || source === undefined) return () => refusal(functor.name);
  const numbers = functor.parameters.map(({ name }) => Number(options.parameters?.[name]));
  const kept = indexes.map((index) => recorder.keep(index));
  const { offset, strides } = windowOn(source);
  return ([output]) => {
    const { shape } = output as View;
    return ([g]) => {
      if (g === undefined) return;
      const places = { dtype: "int64", device: g.device.name } as const;
      let at = zeros([...shape], places).add(offset);
      for (const [d, stride] of strides.entries()) {
        if (stride === 0) continue;
        const along = shape.map((extent, k) => (k === d ? extent : 1));
        at = at.add(
          arange(0, shape[d] as number, 1, places)
            .mul(stride)
            .reshape(along),
        );
      }
      for (const [k, one] of kept.entries()) {
        const [extent, stride] = [numbers[1 + 2 * k] as number, numbers[2 + 2 * k] as number];
        const index = one.tensor().to("int64");
        const wrapped = numbers[0] === 0 ? index : index.lt(0).where(index.add(extent), index);
        at = at.add(wrapped.mul(stride));
      }
      const { adjoint } = to;
      const flat = zeros([adjoint.size], { dtype: g.dtype.name, device: g.device.name });
      adjoint.add(adjoint.whole, flat.scatterAdd(0, at.reshape(-1), g.reshape(-1)));
    };
  };
};
