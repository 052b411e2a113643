// The functions that a text with dual numbers calls: C's, those of the translation of JavaScript and the library's operations. Their
// derivatives are those in the operations' records, as C++.
import type { DType } from "../base/dtype.js";
import { ops } from "../ops/index.js";
import { type Op, planOf, type Slope } from "../ops/op.js";
import type { Expression } from "./expression.js";
import { libraryText, plainCalls } from "./library-calls.js";
import { mathCalls, mathForms, mathLines } from "./math-calls.js";
import { blanked, functionsOf } from "./signature.js";
import { isDerivative, namedExpression } from "./slope.js";

type Role = "common" | "bool" | "int32";

/** A function of dual numbers to write. */
interface DualFunction {
  readonly name: string;
  readonly roles: readonly Role[];
  /** By its arguments; undefined for a function without derivatives, such as a predicate, which takes the values. */
  readonly slopes: readonly (Slope | undefined)[] | undefined;
  /** The C++ type of such a function's result. */
  readonly returns?: string;
}

const letters = ["a", "b", "c"] as const;

function ofOp(name: string, from: string = name): DualFunction {
  const op = ops[from as keyof typeof ops] as Op;
  const roles = op.operands ?? letters.slice(0, op.arity).map(() => "common" as const);
  return { name, roles, slopes: roles.map((_, i) => op.slopes?.[letters[i] as "a"]) };
}

const common = (count: number): Role[] => new Array<Role>(count).fill("common");
const taking = (name: string, returns: string): DualFunction => ({
  name,
  roles: ["common"],
  slopes: undefined,
  returns,
});
const byName = (list: readonly DualFunction[]) => new Map(list.map((one) => [one.name, one]));

/** C's functions that are operations of the same name. */
const shared = (
  "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt cbrt sin cos tan asin acos atan tanh asinh acosh atanh floor ceil trunc pow " +
  "atan2 hypot fmod copysign fmax fmin"
).split(" ");
const mathFunctions = byName([
  ...shared.map((name) => ofOp(name)),
  ofOp("fabs", "abs"),
  ofOp("abs"),
  ofOp("rint", "round"),
  ofOp("round"),
  { name: "remainder", roles: common(2), slopes: ["1", "-round(a / b)"] },
  {
    name: "max",
    roles: common(2),
    slopes: [{ select: "a < b ? 0 : g" }, { select: "a < b ? g : 0" }],
  },
  {
    name: "min",
    roles: common(2),
    slopes: [{ select: "b < a ? 0 : g" }, { select: "b < a ? g : 0" }],
  },
  { name: "fma", roles: common(3), slopes: ["b", "a", "1"] },
  { name: "ldexp", roles: ["common", "int32"], slopes: [{ select: "ldexp(g, b)" }, undefined] },
  ...["isnan", "isinf", "isfinite", "signbit"].map((name) => taking(name, "bool")),
]);
const scriptFunctions = byName([
  ofOp("power", "pow"),
  ofOp("remainder", "fmod"),
  ofOp("round"),
  ofOp("sign"),
  ofOp("maximum"),
  ofOp("minimum"),
  taking("to_int32", "int32"),
  taking("is_integer", "bool"),
  taking("is_safe_integer", "bool"),
]);

/** What derivatives call of C's functions, by the names of operations; others are the library's. */
const inC: Readonly<Record<string, string>> = {
  ...Object.fromEntries(shared.map((name) => [name, name])),
  abs: "fabs",
  round: "rint",
  ldexp: "ldexp",
  isnan: "isnan",
  isinf: "isinf",
  isfinite: "isfinite",
  sign: "sign",
  square: "square",
};
// Written in dual.cuh.
const ownParts = ["sign", "square"];

/** The functions of a text with dual numbers. */
export interface DualFunctions {
  /** Text at the outermost level, before that of the functor's namespace. */
  readonly outside: readonly string[];
  /** The library's operations, with those of dual numbers. */
  readonly library: readonly string[];
  /** Their names, for the files that they need. */
  readonly operations: readonly string[];
  /** Declarations that bring the functions of C's names into the functor's namespace. */
  readonly using: readonly string[];
}

/**
 * The functions that a text calls, for derivatives of an order; `calls` are the operations that it names. The `real` numbers of a
 * user's C++ text are of that type, and it may call C's functions as C++ does.
 */
export function dualFunctions(
  text: string,
  calls: readonly string[],
  order: number,
  compute: DType,
  real: string | undefined,
): DualFunctions {
  const code = blanked(text);
  const own = new Set(functionsOf(text).map(({ name }) => name));
  const words = new Set([...(code.match(/\b[A-Za-z_]\w*\b/g) ?? []), ...(real ? mathCalls(text) : [])]);
  const plain = [...mathFunctions.keys()].filter((name) => words.has(name) && !own.has(name));
  const scripted = new Set([...code.matchAll(/\bjs::(\w+)/g)].map((match) => match[1] as string));
  const script = [...scriptFunctions.values()].filter(({ name }) => scripted.has(name));
  const library = new Set(calls);
  let dual = [...calls];
  for (let level = 1; level <= order; level++) {
    dual = [...library];
    for (const name of dual.flatMap((one) => calledBy(ofOp(one))))
      if (inC[name] === undefined) library.add(name);
  }
  const callers = [...script, ...dual.map((name) => ofOp(name))];
  const math = closureOf([...plain, ...callers.flatMap(mathCalledBy)]);
  return {
    outside: [...mathText(math), ...script.flatMap(scriptText)],
    operations: [...library],
    library: withDuals(libraryText([...library], compute), dual, compute),
    using: real
      ? mathLines(text, callLines(text, plain), real)
      : plain.map((name) => `using dual_math::${name};`),
  };
}

/** The lines that declare one of C's functions, for dual numbers if it is `known` for them, and for others. */
function callLines(text: string, known: readonly string[]): (name: string) => string[] {
  const library = plainCalls(text);
  return (name) => {
    if (library.includes(name)) return [`using functions::${name};`];
    return mathForms(name, known.includes(name) ? "dual_math" : "");
  };
}

/** C's functions that derivatives of a function call. */
function mathCalledBy(one: DualFunction): string[] {
  const names = calledBy(one).map((name) => inC[name]);
  return names.filter((name) => name !== undefined && !ownParts.includes(name)) as string[];
}

/** Those functions, and what derivatives of any order call of them: where texts share a kernel, each has all that it needs. */
function closureOf(names: readonly string[]): DualFunction[] {
  const found = new Set(names);
  // A set visits what is added meanwhile.
  for (const name of found) for (const called of mathCalledBy(mathFunction(name))) found.add(called);
  return [...found].map(mathFunction);
}

function mathFunction(name: string): DualFunction {
  return mathFunctions.get(name) as DualFunction;
}

/** The operations that the derivatives of a function call. */
function calledBy({ slopes }: DualFunction): string[] {
  const found: string[] = [];
  const visit = (node: Expression): void => {
    if (node.kind !== "call") return;
    if (!Object.hasOwn(signs, node.op) && node.op !== "where" && node.op !== "neg") found.push(node.op);
    for (const one of node.args) visit(one);
  };
  for (const slope of slopes ?? []) {
    if (isDerivative(slope))
      visit(namedExpression(typeof slope === "string" ? slope : slope.select).parsed.root);
  }
  return found;
}

/** Lines that stand in a kernel once, though several of its texts have them. */
function once(name: string, lines: readonly string[]): string[] {
  return [`#ifndef JITLAB_DUAL_${name}`, `#define JITLAB_DUAL_${name}`, ...lines, "#endif"];
}

function mathText(functions: readonly DualFunction[]): string[] {
  if (functions.length === 0) return [];
  return [
    "namespace dual_math {",
    ...functions.flatMap((one) => once(`HEAD_${one.name}`, [`using ::${one.name};`, ...headsOf(one)])),
    ...functions.flatMap((one) => once(`BODY_${one.name}`, definitionsOf(one))),
    "}",
  ];
}

function scriptText(one: DualFunction): string[] {
  return once(`SCRIPT_${one.name}`, ["namespace js {", ...headsOf(one), ...definitionsOf(one), "}"]);
}

/** The library's operations with those of dual numbers, in their namespace. */
function withDuals(text: readonly string[], names: readonly string[], compute: DType): string[] {
  if (text.length === 0) return [];
  const functions = names.map((name): DualFunction => {
    const plan = planOf(ops[name as keyof typeof ops], compute);
    const known = ofOp(name);
    const isTest = !("refuse" in plan) && plan.out.kind === "bool";
    return isTest ? { ...known, slopes: undefined, returns: "bool" } : known;
  });
  return [
    ...text.slice(0, -1),
    ...functions.flatMap(headsOf),
    ...functions.flatMap((one) => [...refusalOf(one), ...definitionsOf(one)]),
    "}",
  ];
}

/** What makes a call without a derivative a compile error that says so. */
function refusalOf({ name, slopes, roles }: DualFunction): string[] {
  if (slopes === undefined) return [];
  const reasons = slopes.flatMap((slope) =>
    typeof slope === "object" && "refuse" in slope ? [slope.refuse] : [],
  );
  const missing = slopes.some((slope, i) => roles[i] === "common" && !isDerivative(slope));
  if (!missing) return [];
  const why = JSON.stringify(
    `jl::${name} has no derivative here: ${reasons[0] ?? "no closed form is known"}`,
  );
  return [
    `template <typename F, int N> struct ${name}_call<duals::dual<F, N>> {`,
    `  static_assert(N < 0, ${why});`,
    "  typedef duals::dual<F, N> type;",
    `  static type run(${roles.map((role) => (role === "common" ? "type" : role)).join(", ")}) { return type(); }`,
    "};",
  ];
}

/** The positions of the arguments that may be dual numbers. */
function dualPlaces({ slopes, roles }: DualFunction): number[] {
  return roles.flatMap((role, i) =>
    role === "common" && (slopes === undefined || isDerivative(slopes[i])) ? [i] : [],
  );
}

/** The choices of arguments that are dual numbers; the first one is all that may be. */
function choicesOf(one: DualFunction): (readonly number[])[] {
  const sets: number[][] = [[]];
  for (const place of dualPlaces(one)) sets.unshift(...sets.map((set) => [...set, place]));
  return sets.filter((set) => set.length > 0);
}

function headOf(
  { name, roles, slopes, returns }: DualFunction,
  dual: readonly number[],
  isFirst: boolean,
): string {
  const plain = roles.flatMap((role, i) => (role === "common" && !dual.includes(i) ? [i] : []));
  const list = roles.map((role, i) => {
    if (dual.includes(i)) return `const duals::dual<F, N>& x${i}`;
    return role === "common" ? `S${i} x${i}` : `${role} x${i}`;
  });
  const types = plain.map(
    (i) =>
      `, typename S${i}, typename duals::only<duals::is_scalar<S${i}>, int>::type${isFirst ? " = 0" : ""}`,
  );
  const result = slopes === undefined ? returns : "duals::dual<F, N>";
  return `template <typename F, int N${types.join("")}> __device__ inline ${result} ${name}(${list.join(", ")})`;
}

function headsOf(one: DualFunction): string[] {
  return choicesOf(one).map((dual) => `${headOf(one, dual, true)};`);
}

function definitionsOf(one: DualFunction): string[] {
  const [whole = [], ...others] = choicesOf(one);
  if (whole.length === 0) return [];
  const { name, roles } = one;
  return [
    `${headOf(one, whole, false)} {`,
    ...bodyOf(one, whole),
    "}",
    ...others.map((dual) => {
      const list = roles.map((_, i) =>
        whole.includes(i) && !dual.includes(i) ? `duals::dual<F, N>(x${i})` : `x${i}`,
      );
      return `${headOf(one, dual, false)} { return ${name}(${list.join(", ")}); }`;
    }),
  ];
}

function bodyOf({ name, roles, slopes }: DualFunction, dual: readonly number[]): string[] {
  const values = roles.map((role, i) =>
    dual.includes(i)
      ? `const F ${letters[i]} = x${i}.v;`
      : `const ${role === "common" ? "F" : role} ${letters[i]} = ${role === "common" ? `F(x${i})` : `x${i}`};`,
  );
  const call = `${name}(${letters.slice(0, roles.length).join(", ")})`;
  const lines = values.map((line) => `  ${line}`);
  if (slopes === undefined) return [...lines, `  return ${call};`];
  const factors: string[] = [];
  const terms = dual.flatMap((i) => {
    const slope = slopes[i] as Slope;
    const d = `x${i}.d[i]`;
    if (slope === "0" || !isDerivative(slope)) return [];
    if (slope === "1") return [d];
    if (typeof slope === "object" && "select" in slope)
      return [`(dual_math::is_zero(${d}) ? F(0) : F(${cppOf(slope.select, d)}))`];
    factors.push(`  const F by_${letters[i]} = ${cppOf(slope, d)};`);
    return [`dual_math::times(by_${letters[i]}, ${d})`];
  });
  return [
    ...lines,
    `  const F y = F(${call});`,
    ...factors,
    "  duals::dual<F, N> r = duals::dual<F, N>::constant(y);",
    ...(terms.length > 0 ? [`  for (int i = 0; i < N; ++i) r.d[i] = ${terms.join(" + ")};`] : []),
    "  return r;",
  ];
}

// Operations that are signs in C++, by their results: numbers or truth.
const signs: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  bitwiseOr: "||",
  bitwiseAnd: "&&",
  logicalOr: "||",
  logicalAnd: "&&",
};

/** A derivative as C++ over values of F; `g` is the text of the derivative that it multiplies. */
function cppOf(slope: string, g: string): string {
  const { names, parsed } = namedExpression(slope);
  const write = (node: Expression): string => {
    if (node.kind === "number")
      return typeof node.value === "boolean" ? `${node.value}` : `F(${numberText(Number(node.value))})`;
    if (node.kind === "hole") return names[node.index] === "g" ? g : (names[node.index] as string);
    if (node.kind === "apply") throw new Error("A derivative calls operations alone.");
    const args = node.args.map(write);
    const [a, b, c] = args;
    if (node.op === "where") return `(${a} ? F(${b}) : F(${c}))`;
    if (node.op === "neg") return `(-${a})`;
    const sign = signs[node.op];
    if (sign !== undefined) return `(${a} ${sign} ${b})`;
    const name = inC[node.op];
    return name === undefined
      ? `F(${node.op}(${args.join(", ")}))`
      : `dual_math::${name}(${args.join(", ")})`;
  };
  return write(parsed.root);
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY || Number.isNaN(value))
    throw new Error("A derivative has finite constants.");
  return /[.e]/.test(`${value}`) ? `${value}` : `${value}.0`;
}
