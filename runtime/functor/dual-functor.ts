// The derivative of a user's functor as another functor: its own text computes with dual numbers, numbers that carry their
// derivatives by the wanted inputs, and the cotangents of its results are multiplied by them.
import { type DType, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import type { Slope } from "../ops/op.js";
import { checkedFiles } from "./checked-division.js";
import { drawFiles } from "./draws.js";
import { dualFunctions } from "./dual-functions.js";
import { dualRefusal } from "./dual-refusals.js";
import {
  type Argument,
  type ArgumentType,
  type DualText,
  type Functor,
  makeFunctor,
  type ParameterType,
} from "./functor.js";
import { whyNotShared } from "./kernel-sharing.js";
import { libraryCalls, libraryFiles } from "./library-calls.js";
import { mathCallsFile } from "./math-calls.js";
import { blanked } from "./signature.js";

/** What to write for a functor whose derivative does not follow from its text. */
export const slopesHelp = 'Give its derivative: jl.jit(text, { slopes: { x: "..." } }).';
/** What to write in a text whose derivative does not compile. */
export const dualHelp =
  "The derivative computes with numbers of the type T: declare as T what depends on an input, and write T(x) for a conversion to " +
  `float, int(x) for a whole number. Or: ${slopesHelp}`;

// What the text needs with dual numbers, too.
const ownFiles: readonly string[] = [...checkedFiles, mathCallsFile, ...drawFiles, "script"];

/** One derivative of a functor: by which inputs, and whose result count as inputs of the next. */
interface Level {
  readonly wanted: readonly number[];
  /** The types of the function that it differentiates: its inputs, and its results. */
  readonly inputs: readonly ArgumentType[];
  readonly results: readonly ArgumentType[];
}

interface Derivative {
  readonly functor: Functor;
  readonly levels: readonly Level[];
  readonly isFloating: boolean;
}

const derivatives = new WeakMap<Functor, Derivative>();
const made = new WeakMap<Functor, Map<string, Functor>>();

/**
 * The functor of the cotangents of some inputs of a user's functor, over its inputs, then the cotangents of its floating
 * results. `isFloating` tells whether its common type is.
 */
export function dualFunctor(functor: Functor, wanted: readonly number[], isFloating: boolean): Functor {
  const known = made.get(functor) ?? new Map<string, Functor>();
  made.set(functor, known);
  const key = `${wanted} ${isFloating}`;
  const found = known.get(key) ?? newDerivative(functor, wanted, isFloating);
  known.set(key, found);
  return found;
}

function newDerivative(functor: Functor, wanted: readonly number[], isFloating: boolean): Functor {
  const before = derivatives.get(functor);
  const original = before?.functor ?? functor;
  const { inputs, inputNames, results, parameters, resolve, text, checked } = functor;
  const floating = floatingResults(functor, isFloating);
  const cotangents = floating.map((i) => results[i] as ArgumentType);
  const levels = [...(before?.levels ?? []), { wanted, inputs, results }];
  const all = [...inputs, ...cotangents];
  const made = makeFunctor({
    name: `${functor.name}_grad`,
    entry: `${original.entry}_gradient_${levels.length}`,
    inputs: all,
    inputNames: [...inputNames, ...floating.map((i) => `cotangent_${levels.length}_${i}`)],
    parameters,
    results: wanted.map((i) => inputs[i] as ArgumentType),
    signature: [
      ...all.map((_, index): Argument => ({ role: "input", index })),
      ...parameters.map((_, index): Argument => ({ role: "parameter", index })),
      ...wanted.map((_, index): Argument => ({ role: "output", index })),
    ],
    template: true,
    text,
    ...(checked && { checked }),
    needs: (compute) => {
      const calls = callsOf(original, levels.length, compute).operations;
      const own = original.needs(compute).filter((file) => ownFiles.includes(file));
      return [...new Set([...own, ...libraryFiles(calls, compute), "dual"])];
    },
    resolve: (common) => {
      const resolution = resolve(common);
      if ("refuse" in resolution) return resolution;
      const outputs = wanted.map((i) => (inputs[i] === "T" ? common : (inputs[i] as DType)));
      return { compute: resolution.compute, outputs };
    },
    fma: false,
    converts: false,
    ...(functor.heavy && { heavy: functor.heavy }),
    user: true,
    unfusable: whyNotShared(original.text(dtypes.float32), false),
    place: functor.place,
    dual: (compute) => dualText({ functor: original, levels, isFloating }, compute),
  });
  derivatives.set(made, { functor: original, levels, isFloating });
  return made;
}

/** The same by all floating inputs of a functor of floating numbers; throws `no-derivative` if it does not follow from its text. */
export function wholeDerivative(functor: Functor): Functor {
  const { name, user, slopes, inputs } = functor;
  if (slopes !== undefined || !user) {
    const list = Object.entries(slopes ?? {}).map(([input, slope]) => `${input}: ${slopeText(slope)}`);
    throw new JitlabError(
      "no-derivative",
      `${name} has no text of a derivative: it is ${list.length > 0 ? `given, ${list.join("; ")}` : "not known"}.`,
      "Name a functor of jl.jit or %%kernel without slopes.",
    );
  }
  const refused = dualRefusal(functor);
  if (refused) throw new JitlabError("no-derivative", `${name} has no derivative: ${refused.why}.`);
  const wanted = inputs.flatMap((type, i) => (type === "T" || type.kind === "float" ? [i] : []));
  return dualFunctor(functor, wanted, true);
}

function slopeText(slope: Slope | undefined): string {
  if (slope === undefined) return "none";
  if (typeof slope === "string") return slope;
  if ("sum" in slope) return `the sum of ${slope.sum}`;
  return "refuse" in slope ? slope.refuse : slope.select;
}

/** The results of a functor that have cotangents. */
export function floatingResults({ results }: Functor, isFloating: boolean): number[] {
  return results.flatMap((type, i) => ((type === "T" ? isFloating : type.kind === "float") ? [i] : []));
}

function callsOf({ text, needs }: Functor, order: number, compute: DType) {
  const source = text(compute);
  const real = needs(compute).includes(mathCallsFile) ? "dual_real" : undefined;
  return dualFunctions(source, libraryCalls(source), order, compute, real);
}

/** What stands around a functor's text, where its numbers are dual ones. */
function dualText({ functor, levels, isFloating }: Derivative, compute: DType): DualText {
  const { outside, library, using } = callsOf(functor, levels.length, compute);
  const T = dtypes[compute.compute].ctype;
  // What a text computes in double it does here too.
  const isDouble = /\bdouble\b/.test(blanked(functor.text(compute)));
  const base = isDouble ? "double" : isFloating ? T : "float";
  const real = levels.reduceRight((type, { wanted }) => `duals::dual<${type}, ${wanted.length}>`, base);
  const writer = new Writer(functor, isFloating);
  return {
    outside,
    library,
    declarations: [`typedef ${real} dual_real;`, ...using],
    before: ["#define float dual_real", "#define double dual_real"],
    after: [
      "#undef float",
      "#undef double",
      ...levels.flatMap((level, k) => writer.levelText(level, k, T)),
      ...writer.entryText(levels, isDouble ? "double" : isFloating ? "T" : "float"),
    ],
  };
}

/** Writes the functions that call a text with dual numbers, from the innermost on. */
class Writer {
  constructor(
    readonly functor: Functor,
    readonly isFloating: boolean,
  ) {}

  #isReal(type: ParameterType): boolean {
    if (type === "T") return this.isFloating;
    return type === "number" || type.kind === "float";
  }

  /** A type in a function over F; `F` for floating numbers. */
  #type(type: ParameterType, real: string): string {
    if (this.#isReal(type)) return real;
    return type === "T" || type === "number" ? "T" : type.ctype;
  }

  /** The function of the cotangents of one level, by those of the level before. */
  levelText({ wanted, inputs, results }: Level, k: number, T: string): string[] {
    const { functor } = this;
    const isReal = (type: ParameterType) => this.#isReal(type);
    const cotangents = results.flatMap((type, i) => (isReal(type) ? [i] : []));
    const list = [
      ...inputs.map((type, i) => `${this.#type(type, "F")} x${i}`),
      ...cotangents.map((i) => `F g${i}`),
      ...functor.parameters.map(({ type }, i) => `${this.#type(type, "F")} p${i}`),
      ...wanted.map((_, i) => `F& by${i}`),
    ];
    const own = (argument: Argument): string => {
      if (argument.role === "position") throw new Error("A functor with inputs has no position of its own.");
      const { role, index } = argument;
      if (role === "output") return `r${index}`;
      if (role === "parameter")
        return isReal(functor.parameters[index]?.type ?? "T") ? `D::constant(p${index})` : `p${index}`;
      if (wanted.includes(index)) return `D::input(x${index}, ${wanted.indexOf(index)})`;
      return isReal(inputs[index] ?? "T") ? `D::constant(x${index})` : `x${index}`;
    };
    const values = results.map((type, i) => `${this.#type(type, "D")} r${i};`).join(" ");
    const sum = (i: number) =>
      cotangents.map((r) => `dual_math::times(g${r}, r${r}.d[${i}])`).join(" + ") || "F(0)";
    return [
      `template <typename T, typename F> __device__ inline void ${this.#level(k)}(${list.join(", ")}) {`,
      `  typedef duals::dual<F, ${wanted.length}> D;`,
      `  ${values}`,
      `  ${k === 0 ? this.#call(functor.signature.map(own), T) : this.#callLevel(k - 1, inputs, results, own)};`,
      ...wanted.map((_, i) => `  by${i} = ${sum(i)};`),
      "}",
    ];
  }

  #level(k: number): string {
    return `${this.functor.entry}_by_${k + 1}`;
  }

  /** The call of the text's entry. */
  #call(args: readonly string[], T: string): string {
    const { functor, isFloating } = this;
    const type = functor.template ? `<${isFloating ? "D" : T}>` : "";
    const call = `${functor.entry}${type}(${args.join(", ")})`;
    return functor.signature.some(({ role }) => role === "output") ? call : `r0 = ${call}`;
  }

  #callLevel(
    k: number,
    inputs: readonly ArgumentType[],
    results: readonly ArgumentType[],
    own: (argument: Argument) => string,
  ): string {
    const args = [
      ...inputs.map((_, index) => own({ role: "input", index })),
      ...this.functor.parameters.map((_, index) => own({ role: "parameter", index })),
      ...results.map((_, index) => own({ role: "output", index })),
    ];
    return `${this.#level(k)}<T, D>(${args.join(", ")})`;
  }

  /** The function that a kernel calls, with the types that it has. */
  entryText(levels: readonly Level[], real: string): string[] {
    const { functor } = this;
    const { wanted, inputs, results } = levels.at(-1) as Level;
    const typeOf = (type: ParameterType) =>
      type === "T" ? "T" : type === "number" ? (this.isFloating ? "T" : "double") : type.ctype;
    const cotangents = results.flatMap((type, i) => (this.#isReal(type) ? [i] : []));
    const given: readonly (readonly [ParameterType, string])[] = [
      ...inputs.map((type, i) => [type, `x${i}`] as const),
      ...cotangents.map((i) => [results[i] as ArgumentType, `g${i}`] as const),
      ...functor.parameters.map(({ type }, i) => [type, `p${i}`] as const),
    ];
    const outputs = wanted.map((i) => inputs[i] as ArgumentType);
    const list = [
      ...given.map(([type, name]) => `${typeOf(type)} ${name}`),
      ...outputs.map((type, i) => `${typeOf(type)}& out${i}`),
    ];
    const values = given.map(([type, name]) => (this.#isReal(type) ? `F(${name})` : name));
    return [
      `template <typename T> __device__ inline void ${functor.entry}_gradient_${levels.length}(${list.join(", ")}) {`,
      `  typedef ${real} F;`,
      `  F ${outputs.map((_, i) => `by${i}`).join(", ")};`,
      `  ${this.#level(levels.length - 1)}<T, F>(${[...values, ...outputs.map((_, i) => `by${i}`)].join(", ")});`,
      ...outputs.map((type, i) => `  out${i} = ${typeOf(type)}(by${i});`),
      "}",
    ];
  }
}
