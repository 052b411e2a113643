// jl.fuse: one kernel for an expression of tensors and numbers. Each operation of the expression computes in the dtype that
// it would have by itself, so the result is that of the separate calls, without their tensors in between.

import { optionsOf } from "../base/arguments.js";
import { type DType, dtypes } from "../base/dtype.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import { complaint, type Expression, type ParsedExpression, parseExpression } from "../functor/expression.js";
import { type Functor, functorOfOp, makeFunctor, type Parameter } from "../functor/functor.js";
import { codeOf, commonDType, isScalarCode, type Operand, resultCode } from "../functor/operand.js";
import { dispatch } from "../launch/dispatch.js";
import { ops } from "../ops/index.js";
import { type Op, planOf, type Scalar } from "../ops/op.js";
import { emptyTensor, outputOf, Tensor } from "../tensor/tensor.js";

/** Options of a fused expression. */
export interface FuseOptions {
  /** The tensor to write the result into. */
  readonly out?: Tensor;
}

/** What a template's `${...}` may hold. */
export type FuseValue = Tensor | Scalar;

/** The tag of a template: computes its expression. */
export type FuseTag = (strings: TemplateStringsArray, ...values: FuseValue[]) => Tensor;

/** The functor of an expression for one list of operand dtypes. */
interface Fused {
  readonly functor: Functor;
  /** The holes that are captured parameters, by their place in the template. */
  readonly captured: readonly number[];
}

interface Template {
  readonly parsed: ParsedExpression;
  readonly fused: Map<string, Fused>;
}

const templates = new WeakMap<TemplateStringsArray, Template>();

/**
 * Computes an expression in one kernel: C++ operators and the operations of the library by name, over tensors and numbers
 * in `${...}`. Numbers are captured: another value needs no other kernel. Values between operations are not rounded to half
 * types.
 *
 * @example jl.fuse`sin(${jl.zeros([2])}) * 2 + ${jl.ones([2])}`.toArray() // [1, 1]
 */
export function fuse(options: FuseOptions): FuseTag;
export function fuse(strings: TemplateStringsArray, ...values: FuseValue[]): Tensor;
export function fuse(first: FuseOptions | TemplateStringsArray, ...values: FuseValue[]): Tensor | FuseTag {
  if (isTextList(first)) return run(first, values, {});
  const options = optionsOf("fuse", first);
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
  const codes = values.map((value) => codeOf(value, "fuse"));
  const places = values.map((value) => tensors.indexOf(value as Tensor));
  if (tensors.length === 0) {
    throw new JitlabError(
      "no-tensor",
      `fuse: none of the values in ${parsed.text.trim()} is a tensor.`,
      `Write tensors as \${x}; a number by itself needs no kernel.`,
    );
  }
  const key = `${codes};${places}`;
  let made = fused.get(key);
  if (!made) {
    made = new Composer(parsed, codes, places, tensors.length).fused();
    fused.set(key, made);
  }
  const parameters: Record<string, Scalar> = {};
  for (const hole of made.captured) parameters[`v${hole}`] = values[hole] as Scalar;
  const out = options.out ? [outputOf(options.out)] : undefined;
  return dispatch(made.functor, tensors as readonly Operand[], emptyTensor, { parameters, out })[0] as Tensor;
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

/** Writes the functor of an expression: types from the leaves up, C++ from the root down. */
class Composer {
  readonly #inputs: DType[];
  readonly #parameters: Parameter[] = [];
  readonly #captured: number[] = [];
  readonly #operations = new Map<string, string>();
  readonly #needs = new Set<string>();
  #heavy = false;
  readonly #codes = new Map<Expression, number>();
  readonly #plans = new Map<Expression, { compute: DType; out: DType }>();

  constructor(
    readonly parsed: ParsedExpression,
    readonly codes: readonly number[],
    readonly places: readonly number[],
    inputs: number,
  ) {
    this.#inputs = new Array<DType>(inputs).fill(dtypes.float32);
    places.forEach((place, hole) => {
      if (place >= 0) this.#inputs[place] = dtypes[commonDType([codes[hole] as number]).compute];
    });
  }

  fused(): Fused {
    const { root } = this.parsed;
    const stored = commonDType([this.#codeOf(root)]);
    const result = dtypes[stored.compute];
    const value = this.#render(root, result);
    const inputs = this.#inputs.map((dtype, i) => `${dtype.ctype} x${i}`);
    const parameters = this.#parameters.map(({ name, type }) => `${(type as DType).ctype} ${name}`);
    const head = `__device__ inline ${result.ctype} fused(${[...inputs, ...parameters].join(", ")})`;
    const text = [
      ...this.#operations.values(),
      `// ${this.parsed.text.trim().replace(/\s+/g, " ")}`,
      `${head} {\n  return ${value};\n}`,
    ].join("\n");
    const names = [...new Set(callsOf(root))];
    const needs = [...this.#needs];
    const functor = makeFunctor({
      name: ["fused", ...names].slice(0, 5).join("_"),
      entry: "fused",
      inputs: this.#inputs,
      inputNames: this.#inputs.map((_, i) => `x${i}`),
      parameters: this.#parameters,
      results: [result],
      signature: [
        ...this.#inputs.map((_, index) => ({ role: "input" as const, index })),
        ...this.#parameters.map((_, index) => ({ role: "parameter" as const, index })),
      ],
      template: false,
      text: () => text,
      needs: () => needs,
      resolve: () => ({ compute: result, outputs: [stored] }),
      fma: false,
      heavy: () => this.#heavy,
      converts: false,
      user: false,
    });
    return { functor, captured: this.#captured };
  }

  /** What a node is for promotion: a tensor of some dtype, or a scalar where no tensor is below it. */
  #codeOf(node: Expression): number {
    const known = this.#codes.get(node);
    if (known !== undefined) return known;
    const code = this.#newCode(node);
    this.#codes.set(node, code);
    return code;
  }

  #newCode(node: Expression): number {
    if (node.kind === "hole") return this.codes[node.index] as number;
    if (node.kind === "number") return codeOf(node.value, "fuse");
    const codes = node.args.map((arg) => this.#codeOf(arg));
    const plan = this.#plan(node, commonDType(commonCodes(ops[node.op], codes)));
    this.#plans.set(node, plan);
    return resultCode(plan.out, codes);
  }

  #plan(node: Expression & { readonly kind: "call" }, common: DType) {
    const plan = planOf(ops[node.op], common);
    if (!("refuse" in plan)) return plan;
    const what = `${node.op} does not take ${common.name}: ${plan.refuse}`;
    throw complaint(this.parsed.text, node.at, what);
  }

  /** The C++ of a node as a value of `target`. */
  #render(node: Expression, target: DType): string {
    if (node.kind === "number") return literal(node.value, target);
    if (node.kind === "hole") {
      const place = this.places[node.index] as number;
      if (place >= 0) return converted(`x${place}`, this.#inputs[place] as DType, target);
      return this.#parameter(node.index, target);
    }
    const code = this.#codeOf(node);
    // What has no tensor below it is as precise as what it is used in.
    const plan =
      isScalarCode(code) && target.kind !== "bool" ? this.#plan(node, target) : this.#plans.get(node);
    if (!plan) throw new Error(`${node.op} has no plan`);
    const compute = dtypes[plan.compute.compute];
    const roles = (ops[node.op] as Op).operands;
    const args = node.args.map((arg, i) => {
      const role = roles?.[i] ?? "common";
      return this.#render(arg, role === "common" ? compute : dtypes[role]);
    });
    return converted(
      `${this.#operation(node.op, compute)}(${args.join(", ")})`,
      dtypes[plan.out.compute],
      target,
    );
  }

  #parameter(hole: number, type: DType): string {
    this.#parameters.push({ name: `v${hole}`, type, value: 0 });
    this.#captured.push(hole);
    return `v${hole}`;
  }

  /** The name of an operation's function for one compute dtype; its text is kept at first use. */
  #operation(name: keyof typeof ops, compute: DType): string {
    const called = `${name}_${compute.name}`;
    if (!this.#operations.has(called)) {
      const functor = functorOfOp(name, ops[name]);
      for (const file of functor.needs(compute)) this.#needs.add(file);
      if (functor.heavy?.(compute)) this.#heavy = true;
      this.#operations.set(called, functor.text(compute).replace(` ${functor.entry}(`, ` ${called}(`));
    }
    return `${called}<${compute.ctype}>`;
  }
}

function callsOf(node: Expression): string[] {
  return node.kind === "call" ? [node.op, ...node.args.flatMap(callsOf)] : [];
}

/** The codes of the arguments that decide the common dtype. */
function commonCodes(op: Op, codes: readonly number[]): number[] {
  return codes.filter((_, i) => (op.operands?.[i] ?? "common") === "common");
}

function converted(value: string, from: DType, to: DType): string {
  return from === to ? value : `cast<${to.ctype}>(${value})`;
}

/** A number as a C++ literal of a dtype. */
function literal(value: number | bigint | boolean, dtype: DType): string {
  if (typeof value === "boolean") return dtype.kind === "bool" ? `${value}` : `${dtype.ctype}(${value})`;
  if (dtype.kind === "float" || dtype.kind === "complex")
    return `${dtype.ctype}(${floatLiteral(value, dtype)})`;
  return `cast<${dtype.ctype}>(${value}${Number.isSafeInteger(Number(value)) ? "LL" : "ULL"})`;
}

function floatLiteral(value: number | bigint, dtype: DType): string {
  const narrow = dtype.name === "float32" || dtype.name === "complex64";
  const number = narrow ? Math.fround(Number(value)) : Number(value);
  if (Number.isNaN(number)) return narrow ? "float_of(0x7fc00000u)" : "float_of(0x7ff8000000000000ull)";
  if (!Number.isFinite(number)) {
    const infinity = narrow ? "float_of(0x7f800000u)" : "float_of(0x7ff0000000000000ull)";
    return number < 0 ? `-${infinity}` : infinity;
  }
  const text = Object.is(number, -0) ? "-0.0" : `${number}`;
  return `${/[.e]/.test(text) ? text : `${text}.0`}${narrow ? "f" : ""}`;
}
