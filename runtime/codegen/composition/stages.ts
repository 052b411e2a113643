// A composition in parts for processors. A step with a plain form, a long step, a user's step and a read by indexes may
// prevent vectorization, so each has a separate loop, as in its separate call. The steps between them share a loop.

import { type DType, isHalf } from "../../base/dtype.js";
import { type Stage, type StageArgument, type Stages, userTexts } from "../../functor/functor.js";
import { plainFunctions } from "../maps/element.js";
import { argumentDType } from "../maps/map-spec.js";
import type { Composition, Origin, Step } from "./composition.js";
import { callText, inputText, stepLines, storedOf, valueName } from "./step-text.js";

/** The parts of a composition; undefined if one loop suffices. */
export function stagesOf(composition: Composition): Stages | undefined {
  const parts = partsOf(
    composition,
    composition.steps.map((_, step) => step),
  );
  if (
    parts.length === 1 &&
    parts[0]?.every((step) => plainOf(composition.steps[step] as Step) === undefined)
  ) {
    return undefined;
  }
  return new Staging(composition, parts).stages();
}

/** The C type of a value between parts. */
function bufferType(type: DType): string {
  // Loops over a bool do not vectorize, and a rounded float needs no conversion.
  if (type.kind === "bool") return "uint8";
  return isHalf(type) ? "float" : type.ctype;
}

/** The parts of some steps of a composition that do not read results of the others. */
export function stagesOfSome(composition: Composition, chosen: readonly number[]): Stages {
  return new Staging(composition, partsOf(composition, chosen)).stages();
}

function plainOf({ functor, compute }: Step) {
  return functor.plain?.(compute);
}

/** The chosen steps, part by part. A step is added to the first part that may hold it. */
function partsOf({ steps }: Composition, chosen: readonly number[]): number[][] {
  const parts: number[][] = [];
  const partOf: number[] = [];
  // Parts with exactly one step.
  const own = new Set<number>();
  for (const index of chosen) {
    const step = steps[index] as Step;
    let first = 0;
    for (const from of step.inputs) {
      if (from.kind !== "step") continue;
      const made = partOf[from.step] as number;
      first = Math.max(first, own.has(made) ? made + 1 : made);
    }
    const { functor, compute } = step;
    const isScalar = userTexts(functor, compute).length > 0 || functor.addressed !== undefined;
    const alone = plainOf(step) !== undefined || functor.heavy?.(compute) === true || isScalar;
    if (alone) {
      while (first < parts.length && !own.has(first)) first++;
      partOf[index] = parts.push([index]) - 1;
      own.add(partOf[index] as number);
      continue;
    }
    while (first < parts.length && own.has(first)) first++;
    if (first === parts.length) parts.push([]);
    parts[first]?.push(index);
    partOf[index] = first;
  }
  return parts;
}

/** Writes the functions of the parts. */
class Staging {
  readonly #partOf = new Map<number, number>();
  /** The values that pass between parts: `step.output`, in the order of their buffers. */
  readonly #buffers: string[] = [];
  readonly #types: DType[] = [];

  constructor(
    readonly composition: Composition,
    readonly parts: readonly (readonly number[])[],
  ) {
    parts.forEach((part, number) => {
      for (const step of part) this.#partOf.set(step, number);
    });
    const last = parts.length - 1;
    for (const [index, number] of this.#partOf) {
      for (const from of composition.steps[index]?.inputs ?? []) {
        if (from.kind === "step" && this.#partOf.get(from.step) !== number) {
          this.#bufferOf(from.step, from.output);
        }
      }
    }
    for (const { step, output } of composition.outputs) {
      if (this.#partOf.get(step) !== last) this.#bufferOf(step, output);
    }
  }

  stages(): Stages {
    const written = this.parts.map((part, number) => this.#part(part, number));
    return {
      text: written.map(({ text }) => text).join("\n"),
      buffers: this.#types.map(bufferType),
      list: written.map(({ stage }) => stage),
    };
  }

  #bufferOf(step: number, output: number): number {
    const name = `${step}.${output}`;
    const known = this.#buffers.indexOf(name);
    if (known >= 0) return known;
    this.#types.push(storedOf(this.composition.steps, step, output));
    return this.#buffers.push(name) - 1;
  }

  #part(part: readonly number[], number: number): { readonly text: string; readonly stage: Stage } {
    const { steps, outputs } = this.composition;
    const last = number === this.parts.length - 1;
    const list: string[] = [];
    const signature: StageArgument[] = [];
    const take = (declared: string, argument: StageArgument) => {
      if (list.includes(declared)) return;
      list.push(declared);
      signature.push(argument);
    };
    const read = (from: Origin) => {
      if (from.kind === "input")
        take(inputText(this.composition, from.index), { role: "input", index: from.index });
      else if (from.kind === "step" && !part.includes(from.step)) {
        const type = storedOf(steps, from.step, from.output);
        const index = this.#bufferOf(from.step, from.output);
        const declared = type.kind === "bool" ? type.ctype : bufferType(type);
        take(`${declared} ${valueName(steps, from.step, from.output)}`, { role: "buffer", index });
      }
    };
    for (const index of part) {
      const { functor, compute, inputs: origins, parameters } = steps[index] as Step;
      if (functor.signature.some(({ role }) => role === "position"))
        take("int64 position", { role: "position" });
      origins.forEach((from, i) => {
        read(from);
        if (from.kind !== "scalar") return;
        const { ctype } = argumentDType(functor.inputs[i] ?? "T", compute);
        take(`${ctype} s${from.index}`, { role: "parameter", index: from.index });
      });
      parameters.forEach((scalar, i) => {
        const { ctype } = argumentDType(functor.parameters[i]?.type ?? "T", compute);
        take(`${ctype} s${scalar}`, { role: "parameter", index: scalar });
      });
    }
    if (last) for (const { step, output } of outputs) read({ kind: "step", step, output });
    const firstWrite = list.length;
    const stores: string[] = [];
    const made = this.#buffers.flatMap((name, index) => {
      const [step, output] = name.split(".").map(Number) as [number, number];
      return part.includes(step) ? [{ step, output, index }] : [];
    });
    for (const { step, output, index } of made) {
      const buffered = bufferType(this.#types[index] as DType);
      take(`${buffered}& b${index}`, { role: "buffer", index });
      stores.push(`  b${index} = cast<${buffered}>(${valueName(steps, step, output)});`);
    }
    if (last) {
      outputs.forEach(({ step, output }, index) => {
        const { ctype } = storedOf(steps, step, output);
        take(`${ctype}& y${index}`, { role: "output", index });
        stores.push(`  y${index} = cast<${ctype}>(${valueName(steps, step, output)});`);
      });
    }
    const writes = list.slice(firstWrite).map((_, i) => firstWrite + i);
    const lines = part.flatMap((index) => stepLines(this.composition, index));
    const entry = `stage${number}`;
    const text = [`inline void ${entry}(${list.join(", ")}) {`, ...lines, ...stores, `}`];
    const [only] = part as [number];
    const plain = part.length === 1 ? plainOf(steps[only] as Step) : undefined;
    if (!plain) return { text: text.join("\n"), stage: { entry, signature, writes } };
    const { functor, compute } = steps[only] as Step;
    const own = `plain${number}`;
    const head = list.slice(0, firstWrite).join(", ");
    text.unshift(...plainFunctions(functor, compute, plain, own, "__forceinline__"));
    const call = callText(this.composition, only, `is_${own}`);
    text.push(
      `inline void plain_${entry}(${list.join(", ")}) {`,
      ...stepLines(this.composition, only, own),
      ...stores,
      `}`,
      `inline bool when_${entry}(${head}) { return ${call}; }`,
    );
    return {
      text: text.join("\n"),
      stage: { entry, signature, writes, plain: { entry: `plain_${entry}`, when: `when_${entry}` } },
    };
  }
}
