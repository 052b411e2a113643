// Composes the functors of several operations into one with several outputs. Every operation calls its own functor, in a
// separate namespace, and its result is rounded to the dtype in which the separate call would store it, so that one kernel
// gives the bits of many.

import type { DType } from "../../base/dtype.js";
import { RecentValues } from "../../base/recent-values.js";
import {
  type Argument,
  type ComposedText,
  type Functor,
  isLongOnGpu,
  makeFunctor,
  type Parameter,
  userTexts,
} from "../../functor/functor.js";
import { argumentDType } from "../maps/map-spec.js";
import { foldedCasts } from "./cast-folding.js";
import { withoutRepeats } from "./common-steps.js";
import { addressedIn, type Composition, originKey, type Step } from "./composition.js";
import { flattened } from "./flattening.js";
import { mayContract, relaxationText, relaxed } from "./relaxation.js";
import { stagesOf } from "./stages.js";
import { notePlaces } from "./step-places.js";
import {
  inputText,
  plainLines,
  plainSpacesText,
  spacesText,
  stepLines,
  storedOf,
  valueName,
} from "./step-text.js";

/** A composed functor, and for each of its steps the given one that it comes from. */
interface Composed {
  readonly functor: Functor;
  readonly origins: readonly number[];
}

/** By the composition as it is given, because a program may have a hundred equal ones, and by what is left of it. */
const composed = new RecentValues<Composed>(1024);
const functors = new RecentValues<Functor>(1024);
/** What composed functors are made of, for compositions that they are steps of. */
const compositions = new WeakMap<Functor, Composition>();

/** The functor of a composition. Equal compositions share one functor. `exact` keeps every rounding. */
export function compose(given: Composition, exact: boolean): Functor {
  const prefix = exact ? "" : "relaxed ";
  const { functor, origins } = composed.get(`${prefix}${keyOf(given)}`, () => {
    const steps = given.steps.map((step, i) => ({ ...step, place: `${i}` }));
    const whole = flattened({ ...given, steps }, (functor) => compositions.get(functor));
    const composition = withoutRepeats(foldedCasts(exact ? whole : relaxed(whole)));
    const functor = functors.get(`${prefix}${keyOf(composition)}`, () => {
      const made = build(composition, exact);
      compositions.set(made, composition);
      return made;
    });
    return { functor, origins: composition.steps.map(({ place }) => Number(place)) };
  });
  return notePlaces(
    functor,
    origins.map((i) => given.steps[i] as Step),
  );
}

/** True if a functor's text can share a kernel. */
export function isComposable({ unfusable, fma }: Functor): boolean {
  return unfusable === undefined && !fma;
}

/** The text of a composition; equal compositions have equal texts. */
export function keyOf({ inputs, steps, outputs }: Composition): string {
  const lines = steps.map(
    ({ functor, compute, inputs: from, parameters, stored }) =>
      `${functor.id}:${compute.id}(${from.map(originKey)}|${parameters})${stored.map(({ id }) => id)}`,
  );
  return `${inputs.map(({ id }) => id)};${lines.join(";")};${outputs.map(({ step, output }) => `${step}.${output}`)}`;
}

function build(composition: Composition, exact: boolean): Functor {
  const { inputs, steps, outputs } = composition;
  const types = scalarTypes(composition);
  const parameters = types.map((type, i): Parameter => ({ name: `s${i}`, type, value: 0 }));
  const positioned = steps.some(({ functor }) => functor.signature.some(({ role }) => role === "position"));
  const results = outputs.map(({ step, output }) => storedOf(steps, step, output));
  const fma = !exact && mayContract(composition);
  const own = textOf(composition, parameters, positioned);
  const text = exact ? own : [...relaxationText(fma), own].join("\n");
  const needs = [...new Set(steps.flatMap(({ functor, compute }) => functor.needs(compute)))];
  const names = [...new Set(steps.map(({ functor }) => functor.name))];
  const signature: Argument[] = [
    ...(positioned ? [{ role: "position" as const }] : []),
    ...inputs.map((_, index) => ({ role: "input" as const, index })),
    ...parameters.map((_, index) => ({ role: "parameter" as const, index })),
    ...outputs.map((_, index) => ({ role: "output" as const, index })),
  ];
  return makeFunctor({
    name: ["fused", ...names].slice(0, 5).join("_"),
    entry: "fused",
    inputs,
    inputNames: inputs.map((_, i) => `x${i}`),
    parameters,
    results,
    signature,
    addressed: addressedIn(steps),
    template: false,
    text: () => text,
    needs: () => needs,
    uses: typesOf(composition),
    stages: stagesOf(composition),
    plainText: plainText(composition, parameters, positioned),
    places: { steps: [] },
    resolve: () => ({ compute: results[0] as DType, outputs: results }),
    fma,
    heavy: () => steps.some(({ functor, compute }) => functor.heavy?.(compute) === true),
    brief: () => !steps.some(({ functor, compute }) => isLongOnGpu(functor, compute)),
    converts: true,
    user: false,
    composed: composedIn(steps),
  });
}

/** The users' texts in steps. */
export function composedIn(steps: readonly Step[]): readonly ComposedText[] {
  return steps.flatMap(({ functor, compute }) => userTexts(functor, compute));
}

/** The dtype in which each scalar is passed, as in its separate call. */
export function scalarTypes({ scalars, steps }: Composition): DType[] {
  const types = new Array<DType>(scalars);
  for (const { functor, compute, inputs, parameters } of steps) {
    inputs.forEach((from, i) => {
      if (from.kind === "scalar") types[from.index] = argumentDType(functor.inputs[i] ?? "T", compute);
    });
    parameters.forEach((scalar, i) => {
      types[scalar] = argumentDType(functor.parameters[i]?.type ?? "T", compute);
    });
  }
  return types;
}

/** Every dtype that the text of a composition names. */
export function typesOf({ inputs, steps }: Composition): DType[] {
  const used = new Set(inputs);
  for (const { functor, compute, stored } of steps) {
    used.add(compute);
    for (const dtype of stored) used.add(dtype);
    const declared = [...functor.inputs, ...functor.results, ...functor.parameters.map(({ type }) => type)];
    for (const type of declared) used.add(argumentDType(type, compute));
  }
  return [...used];
}

function textOf(composition: Composition, parameters: readonly Parameter[], positioned: boolean): string {
  const { steps } = composition;
  return [
    ...spacesText(steps),
    `__device__ inline void fused(${listOf(composition, parameters, positioned)}) {`,
    ...steps.flatMap((_, i) => stepLines(composition, i)),
    ...storesOf(composition),
    `}`,
  ].join("\n");
}

/** The same by plain forms, with whether they hold as its result; undefined without any. */
function plainText(
  composition: Composition,
  parameters: readonly Parameter[],
  positioned: boolean,
): string | undefined {
  const { steps } = composition;
  const spaces = plainSpacesText(steps);
  if (spaces.length === 0) return undefined;
  return [
    `// Threads compute ordinary arguments by this function, without branches between them.`,
    ...spaces,
    `__device__ inline bool plain_fused(${listOf(composition, parameters, positioned)}) {`,
    `  bool holds = true;`,
    ...steps.flatMap((_, i) => plainLines(composition, i)),
    ...storesOf(composition),
    `  return holds;`,
    `}`,
  ].join("\n");
}

function listOf(composition: Composition, parameters: readonly Parameter[], positioned: boolean): string {
  const { inputs, steps, outputs } = composition;
  return [
    ...(positioned ? ["int64 position"] : []),
    ...inputs.map((_, i) => inputText(composition, i)),
    ...parameters.map(({ name, type }) => `${(type as DType).ctype} ${name}`),
    ...outputs.map(({ step, output }, i) => `${storedOf(steps, step, output).ctype}& y${i}`),
  ].join(", ");
}

function storesOf({ steps, outputs }: Composition): string[] {
  return outputs.map(({ step, output }, i) => `  y${i} = ${valueName(steps, step, output)};`);
}
