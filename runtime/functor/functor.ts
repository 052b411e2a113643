// A functor: scalar C++ code and how its arguments and results are typed. Op records and users' functors both become one, so
// that dispatch and later stages handle a single kind.
import { type DType, dtypes } from "../base/dtype.js";
import {
  type Op,
  type OpForm,
  type PlainForm,
  type Plan,
  planOf,
  returnLines,
  type Scalar,
  type Slope,
} from "../ops/op.js";

/** The type of a functor's argument: `T`, the common dtype of the inputs, or a fixed dtype. */
export type ArgumentType = "T" | DType;

/** The type of a captured parameter; `number` is T if that is floating, else float64. */
export type ParameterType = ArgumentType | "number";

/** A captured parameter: a scalar argument with a default, passed by name. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly value: Scalar;
  /** For one that the generator of random numbers sets: what of it. */
  readonly draw?: "stream" | "seed" | undefined;
}

/** The compute dtype and the result dtypes of a functor for one common dtype of its inputs. */
export type Resolution =
  | { readonly compute: DType; readonly outputs: readonly DType[] }
  | { readonly refuse: string };

/** One argument of the entry function, in the order of its signature. */
export type Argument =
  | { readonly role: "input"; readonly index: number }
  | { readonly role: "parameter"; readonly index: number }
  | { readonly role: "output"; readonly index: number }
  /** The element's flat index; only for functors without inputs, whose outputs are contiguous. */
  | { readonly role: "position" };

/** The source positions of a composed functor's operations, in the last planned program. */
export interface StepPlaces {
  steps: readonly string[];
}

/** One argument of a stage's function: an argument of the functor, or a value that stages pass on. */
export type StageArgument = Argument | { readonly role: "buffer"; readonly index: number };

/** A part of a functor: one loop over a block of elements. */
export interface Stage {
  /** The function of the part. */
  readonly entry: string;
  readonly signature: readonly StageArgument[];
  /** The function that may replace it, and its condition: a function of the same arguments without the written ones. */
  readonly plain?: { readonly entry: string; readonly when: string };
  /** The indexes of the arguments that it writes. */
  readonly writes: readonly number[];
}

/** A functor in parts. The last one writes the outputs, so that they may share memory with inputs. */
export interface Stages {
  /** The C++ text of the parts, which uses the namespaces of the functor's text. */
  readonly text: string;
  /** C types of the elements that pass between parts. */
  readonly buffers: readonly string[];
  readonly list: readonly Stage[];
}

/** Inputs of which a functor gets the address of the element at hand, by their indexes. */
export interface Addressed {
  /** It reads other elements from there, at places that it computes. */
  readonly sources: readonly number[];
  /** It sets them to 1 if a place is out of bounds, and does not read there. */
  readonly flags: readonly number[];
  /** The indexes of parameters: a place is a sum of multiples of them; undefined if it may be another one. */
  readonly strides?: readonly number[];
}

/** True for an input of which a functor gets the address. */
export function isAddressed({ addressed }: Functor, input: number): boolean {
  return addressed !== undefined && (addressed.sources.includes(input) || addressed.flags.includes(input));
}

/** Scalar code with typed arguments; the input of code generation. */
export interface Functor {
  /** A small integer, unique in this process. */
  readonly id: number;
  /** The name for users: the op's or the entry function's. */
  readonly name: string;
  /** The C++ function that the kernel calls. */
  readonly entry: string;
  readonly inputs: readonly ArgumentType[];
  /** Names of the inputs, for messages and generated code. */
  readonly inputNames: readonly string[];
  readonly parameters: readonly Parameter[];
  /** The declared types of the results; `resolve` gives the dtypes in which they are stored. */
  readonly results: readonly ArgumentType[];
  /**
   * The entry's arguments in order; outputs among them are reference parameters; without outputs it returns its one result.
   */
  readonly signature: readonly Argument[];
  /** The inputs of which the entry gets the address instead of an element; undefined if there are none. */
  readonly addressed?: Addressed | undefined;
  /** True if the entry is a template over T. */
  readonly template: boolean;
  /** The C++ text for a compute dtype. */
  readonly text: (compute: DType) => string;
  /** The text as kernels have it, where its divisions are checked. */
  readonly checked?: (compute: DType) => string;
  /** Files of ops/functors/ that the text calls for a compute dtype, dependencies first. */
  readonly needs: (compute: DType) => readonly string[];
  /** Dtypes that the text names, other than those of its arguments and results. */
  readonly uses?: readonly DType[];
  /** The faster form for ordinary arguments. */
  readonly plain?: (compute: DType) => PlainForm | undefined;
  /** Of a composed functor: the text of `plain_fused`, which a GPU's threads try first; it returns whether its results hold. */
  readonly plainText?: string | undefined;
  /** On a processor: the functor in parts, each a loop over a block of elements; absent if one loop suffices. */
  readonly stages?: Stages | undefined;
  /** For a composed functor: the source positions of its operations. */
  readonly places?: StepPlaces;
  readonly resolve: (common: DType) => Resolution;
  /** Whether the compiler may contract a*b+c into one rounding. */
  readonly fma: boolean;
  /** True for conversions, which may store any dtype; for other functors the kind may only rise. */
  readonly converts: boolean;
  /** True if copies of the text for several elements per thread cost too much compile time. */
  readonly heavy?: (compute: DType) => boolean;
  /** True if a GPU's form of a heavy functor is not long. */
  readonly brief?: (compute: DType) => boolean;
  /** The derivatives of its result by its inputs, by their names; undefined if none is known. */
  readonly slopes?: Readonly<Record<string, Slope | undefined>> | undefined;
  /** Of the derivative of a user's functor: what stands around its text for a compute dtype. */
  readonly dual?: ((compute: DType) => DualText) | undefined;
  /** True for a user's text: compile errors point into it under the functor's name. */
  readonly user: boolean;
  /** Why a user's text cannot share a kernel; undefined if it can. */
  readonly unfusable?: string | undefined;
  /** The users' texts in a composed functor, with their compute dtypes; their rules apply to the whole functor. */
  readonly composed?: readonly ComposedText[] | undefined;
  /** The source position of a user's text, for errors; without it errors use the functor's name. */
  readonly place?: TextPlace | undefined;
}

/** What makes the numbers of a user's text dual ones; see dual-functor.ts. */
export interface DualText {
  /** Lines at the outermost level. */
  readonly outside: readonly string[];
  /** The operations that it calls, instead of those of plain numbers. */
  readonly library: readonly string[];
  /** Declarations, and lines before the text and behind it, in its namespace. */
  readonly declarations: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A user's text in a composed functor, and the dtype that it computes in. */
export interface ComposedText {
  readonly text: string;
  readonly compute: DType;
}

/** The file or cell of a text, and the text's first line and column there, counted from 1. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number | undefined;
}

/** The users' texts in a functor that computes in `compute`. */
export function userTexts(functor: Functor, compute: DType): readonly ComposedText[] {
  return functor.user ? [{ text: functor.text(compute), compute }] : (functor.composed ?? []);
}

/** Users' texts as errors show them; undefined if there are none. */
export function joinedTexts(texts: readonly ComposedText[]): string | undefined {
  return texts.length === 0 ? undefined : texts.map(({ text }) => text).join("\n\n");
}

/** True if copies of a functor for several elements of a GPU's thread cost too much compile time. */
export function isLongOnGpu({ heavy, brief }: Functor, compute: DType): boolean {
  return heavy?.(compute) === true && brief?.(compute) !== true;
}

let nextId = 1;

/** Gives a functor its id. */
export function makeFunctor(fields: Omit<Functor, "id">): Functor {
  return Object.freeze({ id: nextId++, ...fields });
}

const argumentNames = ["a", "b", "c"] as const;

/** The functor of an op record; its parameters are those of the form for its options. */
export function functorOfOp(name: string, op: Op, parameters: OpForm["parameters"] = {}): Functor {
  const names = argumentNames.slice(0, op.arity);
  const roles = op.operands ?? names.map(() => "common" as const);
  const inputs = roles.map((role): ArgumentType => (role === "common" ? "T" : dtypes[role]));
  const captured = Object.entries(parameters).map(
    ([parameter, type]): Parameter => ({
      name: parameter,
      type: type === "T" ? type : dtypes[type],
      value: 0,
    }),
  );
  const plans = new Map<DType, Plan>();
  const planFor = (compute: DType): Plan => {
    const plan = plans.get(compute) ?? planOf(op, compute);
    plans.set(compute, plan);
    return plan;
  };
  const expressionOf = (compute: DType) => {
    const plan = planFor(compute);
    return "refuse" in plan ? undefined : plan;
  };
  return makeFunctor({
    name,
    entry: `op_${name}`,
    inputs,
    inputNames: names,
    parameters: captured,
    results: ["T"],
    signature: [
      ...names.map((_, index) => ({ role: "input" as const, index })),
      ...captured.map((_, index) => ({ role: "parameter" as const, index })),
    ],
    template: true,
    fma: false,
    converts: false,
    heavy: (compute) => (typeof op.heavy === "object" ? op.heavy.includes(compute.name) : op.heavy === true),
    brief: (compute) => op.brief?.includes(compute.name) === true,
    user: false,
    needs: (compute) => {
      const plan = expressionOf(compute);
      const needs = plan?.needs ?? [];
      return plan?.halves ? [...new Set(["numeric", ...needs, "halves.cuda"])] : needs;
    },
    plain: (compute) => expressionOf(compute)?.plain,
    slopes: op.slopes,
    resolve: (common) => {
      const plan = planFor(common);
      return "refuse" in plan ? plan : { compute: plan.compute, outputs: [plan.out] };
    },
    text: (compute) => {
      const plan = expressionOf(compute);
      const returns = plan === undefined || plan.out === compute ? "T" : dtypes[plan.out.compute].ctype;
      const list = [
        ...names.map((n, i) => `${typeText(inputs[i] as ArgumentType)} ${n}`),
        ...captured.map((parameter) => `${typeText(parameter.type as ArgumentType)} ${parameter.name}`),
      ].join(", ");
      const own = returnLines(plan ?? { functor: op.functor, registers: undefined });
      const body = plan?.halves
        ? ["#ifdef __CUDACC__", `  return ${plan.halves};`, "#else", ...own, "#endif"]
        : own;
      return [
        "template <typename T>",
        `__device__ inline ${returns} op_${name}(${list}) {`,
        ...body,
        "}",
      ].join("\n");
    },
  });
}

function typeText(type: ArgumentType): string {
  return type === "T" ? type : type.ctype;
}

/** Converts elements: computes in the input's dtype and stores the output's dtype. */
export const copyFunctor = makeFunctor({
  name: "copy",
  entry: "op_copy",
  inputs: ["T"],
  inputNames: ["a"],
  parameters: [],
  results: ["T"],
  signature: [{ role: "input", index: 0 }],
  template: true,
  fma: false,
  converts: true,
  slopes: { a: "1" },
  user: false,
  needs: () => [],
  resolve: (common) => ({ compute: dtypes[common.compute], outputs: [common] }),
  text: () => "template <typename T>\n__device__ inline T op_copy(T a) {\n  return a;\n}",
});
