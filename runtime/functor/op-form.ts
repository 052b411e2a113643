// Options of operations other than `out`: they select a form of the op, a functor with the options' values as parameters.
// All values share a kernel; a call without options runs the plain functor.

import { isOptions, unknownOption } from "../base/arguments.js";
import { type DType, isInteger } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Op, OpForm, OptionTable, OptionValues, Scalar } from "../ops/op.js";
import { type Functor, functorOfOp } from "./functor.js";
import { codeOf, isScalar, type Operand } from "./operand.js";
import { resolveDTypes } from "./resolve.js";

/** The functor of a form and the values of its parameters. */
export interface FormCall {
  readonly functor: Functor;
  readonly parameters: OptionValues;
}

const functors = new Map<OpForm, Functor>();

/** The form for the options of a call; undefined if only `out` is given. Throws for unknown options. */
export function formOf(
  name: string,
  op: Op,
  operands: readonly Operand[],
  options: object,
): FormCall | undefined {
  if (!isOptions(options)) {
    throw new JitlabError(
      "argument-count",
      `${name} takes ${op.arity} ${op.arity === 1 ? "operand" : "operands"}, but got ${op.arity + 1}.`,
      `The last argument is an object of options: ${optionNames(op.options).join(", ")}.`,
    );
  }
  const given: Record<string, Scalar> = {};
  let form: OpForm | undefined;
  for (const [key, value] of Object.entries(options)) {
    if (key === "out" || value === undefined) continue;
    const option = op.options && Object.hasOwn(op.options, key) ? op.options[key] : undefined;
    if (option === undefined) throw unknownOption(name, key, optionNames(op.options));
    if ("choices" in option) {
      if (typeof value === "string" && Object.hasOwn(option.choices, value)) form = option.choices[value];
      else
        throw badOption(
          name,
          key,
          value,
          `It is ${Object.keys(option.choices)
            .map((one) => `"${one}"`)
            .join(" or ")}.`,
        );
      continue;
    }
    if (typeof option.default === "boolean" ? typeof value !== "boolean" : !isScalar(value)) {
      throw badOption(
        name,
        key,
        value,
        typeof option.default === "boolean" ? "It is true or false." : "It is a number.",
      );
    }
    given[key] = value;
    form = op.form;
  }
  if (form === undefined) return undefined;
  const functor = functorOfForm(name, op, form);
  const { compute } = resolveDTypes(
    functor,
    operands.map((operand) => codeOf(operand, name)),
  );
  const all: Record<string, Scalar> = {};
  for (const [key, option] of Object.entries(op.options ?? {})) {
    if ("choices" in option) continue;
    const value = given[key];
    if (value !== undefined) all[key] = value;
    else if (typeof option.default !== "string") all[key] = option.default;
  }
  const parameters = form.values?.(all, compute) ?? all;
  for (const [key, type] of Object.entries(form.parameters ?? {})) {
    if (type === "T") checkKind(name, key, parameters[key], compute);
  }
  return { functor, parameters };
}

/** The functor of one of an op's forms; made at first use. */
export function functorOfForm(name: string, op: Op, form: OpForm): Functor {
  let functor = functors.get(form);
  if (!functor) {
    // Properties of the record's plain functor do not apply to another form.
    const { overrides, needs, needsFor, plain, registers, halves, slopes, ...rest } = op;
    functor = functorOfOp(name, { ...rest, ...form, reference: op.reference }, form.parameters);
    functors.set(form, functor);
  }
  return functor;
}

/** Rejects a value whose kind is above that of the compute dtype. */
function checkKind(name: string, key: string, value: Scalar | undefined, compute: DType): void {
  if (typeof value === "object" && compute.kind !== "complex") {
    throw badOption(name, key, value, `It computes in ${compute.name}, so ${key} must be a real number.`);
  }
  const whole = isInteger(compute) || compute.kind === "bool";
  if (typeof value === "number" && whole && !Number.isInteger(value)) {
    throw badOption(
      name,
      key,
      value,
      `It computes in ${compute.name}, so ${key} must be an integer; convert the tensor with .to("float32").`,
    );
  }
  if (compute.kind === "unsigned" && Number(value) < 0) {
    throw badOption(
      name,
      key,
      value,
      `It computes in ${compute.name}, so ${key} must not be negative; convert the tensor with .to("int32").`,
    );
  }
}

/** The error for an option's value. */
export function badOption(name: string, key: string, value: unknown, help: string): JitlabError {
  const text = typeof value === "object" && isScalar(value) ? "complex" : show(value);
  return new JitlabError("bad-option", `${name}: the option ${key} cannot be ${text}.`, help);
}

function optionNames(table: OptionTable | undefined): string[] {
  return [...Object.keys(table ?? {}), "out"];
}
