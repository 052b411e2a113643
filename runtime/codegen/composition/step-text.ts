// The text of one step of a composition: its functor in a separate namespace, and the lines that call it.

import { type DType, isHalf } from "../../base/dtype.js";
import { composedText } from "../../functor/enclosed.js";
import { type Argument, isAddressed } from "../../functor/functor.js";
import { initial, plainFunctions, plainOnGpu } from "../maps/element.js";
import { argumentDType } from "../maps/map-spec.js";
import { addressedIn, type Composition, type Origin, type Step } from "./composition.js";

/** The dtype in which the separate call stores a result. */
export function storedOf(steps: readonly Step[], step: number, output: number): DType {
  return (steps[step] as Step).stored[output] as DType;
}

/** The name of a result in the text. */
export function valueName(steps: readonly Step[], step: number, output: number): string {
  return (steps[step] as Step).stored.length > 1 ? `v${step}_${output}` : `v${step}`;
}

/** The functors of the steps, each in its namespace, once. */
export function spacesText(steps: readonly Step[]): string[] {
  return different(steps).map((step) =>
    composedText({ space: spaceOf(steps, step), functor: step.functor }, step.compute),
  );
}

/** The first step of each functor and dtype. */
function different(steps: readonly Step[]): Step[] {
  const found = new Map<string, Step>();
  for (const step of steps) {
    const key = `${step.functor.id};${step.compute.id}`;
    if (!found.has(key)) found.set(key, step);
  }
  return [...found.values()];
}

/** The plain forms that a GPU takes, each beside its functor; empty if there are none. */
export function plainSpacesText(steps: readonly Step[]): string[] {
  return different(steps).flatMap((step) => {
    const plain = plainOnGpu(step.functor, step.compute);
    if (plain === undefined) return [];
    const functions = plainFunctions(step.functor, step.compute, plain, "plain", "inline");
    return [[`namespace ${spaceOf(steps, step)} {`, ...functions, `}`].join("\n")];
  });
}

/** The lines of a step by its plain form, which note in `holds` whether it holds; the step's own lines if it has none. */
export function plainLines(composition: Composition, index: number): string[] {
  const { steps } = composition;
  const step = steps[index] as Step;
  if (plainOnGpu(step.functor, step.compute) === undefined) return stepLines(composition, index);
  const space = spaceOf(steps, step);
  const condition = callText(composition, index, `${space}::is_plain`);
  return [`  holds &= ${condition};`, ...stepLines(composition, index, `${space}::plain`)];
}

/** The namespace of a step's functor: named after the functor, so that every process writes the same text. */
function spaceOf(steps: readonly Step[], { functor, compute }: Step): string {
  const alike = steps.filter((one) => one.functor.name === functor.name && one.compute === compute);
  const number = [...new Set(alike.map((one) => one.functor))].indexOf(functor);
  return `${functor.name.replace(/\W/g, "_")}_${compute.name}${number > 0 ? `_${number}` : ""}`;
}

/** The declaration of an operand in memory: its element, or its address. */
export function inputText({ inputs, steps }: Composition, index: number): string {
  const { ctype } = inputs[index] as DType;
  const { sources = [], flags = [] } = addressedIn(steps) ?? {};
  const isAddress = sources.includes(index) || flags.includes(index);
  return `${isAddress ? `const ${ctype}*` : ctype} x${index}`;
}

/** The call of a step's functor, or of another function with its arguments. */
export function callText({ inputs, steps }: Composition, index: number, callee?: string): string {
  const step = steps[index] as Step;
  const { functor, compute, inputs: from, parameters } = step;
  const argument = (role: Argument): string => {
    if (role.role === "position") return "position";
    if (role.role === "output") return `r${index}_${role.index}`;
    if (role.role === "parameter") return `s${parameters[role.index]}`;
    const origin = from[role.index] as Origin;
    const type = argumentDType(functor.inputs[role.index] ?? "T", compute);
    if (origin.kind === "scalar") return `s${origin.index}`;
    if (origin.kind === "input" && isAddressed(functor, role.index)) return `x${origin.index}`;
    if (origin.kind === "input") return converted(`x${origin.index}`, inputs[origin.index] as DType, type);
    const value = valueName(steps, origin.step, origin.output);
    // A half is held as another type.
    return isHalf(type)
      ? `cast<${type.ctype}>(${value})`
      : converted(value, storedOf(steps, origin.step, origin.output), type);
  };
  const own = `${spaceOf(steps, step)}::${functor.entry}`;
  const type = functor.template ? `<${argumentDType("T", compute).ctype}>` : "";
  return `${callee ?? `${own}${type}`}(${functor.signature.map(argument).join(", ")})`;
}

/** The lines of a step: its call, and the rounding of its results to their stored dtypes. */
export function stepLines(composition: Composition, index: number, callee?: string): string[] {
  const { steps } = composition;
  const { functor, compute, stored } = steps[index] as Step;
  const call = callText(composition, index, callee);
  const value = (output: number, raw: string) => {
    const type = stored[output] as DType;
    // Processors convert a half to bits only where it is stored.
    const ctype = isHalf(type) ? `nearest<${type.ctype}>` : type.ctype;
    return `  const ${ctype} ${valueName(steps, index, output)} = cast<${ctype}>(${raw});`;
  };
  if (!functor.signature.some(({ role }) => role === "output")) return [value(0, call)];
  return [
    ...functor.results.map(
      (result, i) => `  ${argumentDType(result, compute).ctype} r${index}_${i}${initial(functor)};`,
    ),
    `  ${call};`,
    ...functor.results.map((_, i) => value(i, `r${index}_${i}`)),
  ];
}

function converted(value: string, from: DType, to: DType): string {
  return from === to ? value : `cast<${to.ctype}>(${value})`;
}
