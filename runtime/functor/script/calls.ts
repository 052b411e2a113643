// Calls of built-in functions: those of Math and Number, and the library's operations as in jl.math.
import type { AnyNode } from "acorn";
import { dtypes } from "../../base/dtype.js";
import { didYouMean } from "../../base/errors.js";
import { type OpName, ops } from "../../ops/index.js";
import { type Op, planOf } from "../../ops/op.js";
import { bool, float, type IntType, int32, isWide, join, type Type, whole } from "./types.js";
import { callOf, toFloat, type Value, type Visitor } from "./value.js";

type Call = (args: readonly Value[], visitor: Visitor, node: AnyNode) => Value;

interface Known {
  /** The minimum and maximum number of arguments. */
  readonly count: readonly [number, number];
  readonly call: Call;
}

const one = (call: (a: Value, visitor: Visitor) => Value): Known => ({
  count: [1, 1],
  call: ([a], visitor) => call(a as Value, visitor),
});
const two = (call: (a: Value, b: Value, visitor: Visitor) => Value): Known => ({
  count: [2, 2],
  call: ([a, b], visitor) => call(a as Value, b as Value, visitor),
});
const isInt = (value: Value): boolean => value.type?.kind === "int";

/** A function of floats that the library has under the same name. */
const library = (name: OpName, type: Type = float): Known =>
  one((a, { precision }) => callOf(`jl::${name}`, [toFloat(a, precision)], type));
/** A rounding, which leaves integers alone. */
const rounding = (name: string): Known =>
  one((a, { precision }) => (isInt(a) ? a : callOf(name, [toFloat(a, precision)], whole)));
const extreme = (name: "maximum" | "minimum"): Known => ({
  count: [1, Number.POSITIVE_INFINITY],
  call: (args, { precision }) =>
    args.reduce((a, b) => {
      if (!isInt(a) || !isInt(b)) {
        const type = join(a.type, b.type) as Type;
        return callOf(
          `js::${name}`,
          [toFloat(a, precision), toFloat(b, precision)],
          type?.kind === "float" ? type : float,
        );
      }
      const type = join(a.type, b.type) as Type;
      return callOf(
        `jl::${name}`,
        [a, b].map(({ text }) => `${precision.ctype(type)}(${text})`),
        type,
      );
    }),
});

const functions =
  "sqrt cbrt exp expm1 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split(
    " ",
  );
const mathCalls: Readonly<Record<string, Known>> = {
  ...Object.fromEntries(functions.map((name) => [name, library(name as OpName)])),
  floor: rounding("jl::floor"),
  ceil: rounding("jl::ceil"),
  trunc: rounding("jl::trunc"),
  round: rounding("js::round"),
  abs: one((a, { precision }) => {
    if (a.type?.kind !== "int") return callOf("jl::abs", [toFloat(a, precision)], a.type ?? float);
    const type = precision.int(a.type.bits + (a.type.bits >= 32 ? 1 : 0), isWide(a.type));
    return callOf("jl::abs", [`${precision.ctype(type)}(${a.text})`], type);
  }),
  sign: one((a, { precision }) => callOf("js::sign", [toFloat(a, precision)], whole)),
  fround: one((a, { precision }) => callOf(precision.float, [`float(${a.text})`], float)),
  pow: two((a, b, { precision }) =>
    callOf("js::power", [toFloat(a, precision), toFloat(b, precision)], float),
  ),
  atan2: two((a, b, { precision }) =>
    callOf("jl::atan2", [toFloat(a, precision), toFloat(b, precision)], float),
  ),
  hypot: {
    count: [1, Number.POSITIVE_INFINITY],
    call: (args, { precision }) => {
      const [first, ...rest] = args.map((value) => toFloat(value, precision));
      if (rest.length === 0) return callOf("jl::abs", [first as string], float);
      const text = rest.reduce((a, b) => `jl::hypot(${a}, ${b})`, first as string);
      return { text, type: float, atom: true };
    },
  },
  max: extreme("maximum"),
  min: extreme("minimum"),
  imul: two((a, b, visitor) =>
    callOf(
      "js::imul",
      [a, b].map((value) => low(value, visitor)),
      int32,
    ),
  ),
  clz32: one((a, visitor) => callOf("js::clz32", [low(a, visitor)], { kind: "int", bits: 7 })),
};

function low(value: Value, { precision }: Visitor): string {
  return isInt(value) ? `int32(${value.text})` : `js::to_int32(${toFloat(value, precision)})`;
}

const always: Value = { text: "true", type: bool, atom: true };
const isFiniteCall = library("isfinite", bool);
const isNaNCall = library("isnan", bool);
const numberCalls: Readonly<Record<string, Known>> = {
  isFinite: isFiniteCall,
  isNaN: isNaNCall,
  isInteger: one((a, { precision }) =>
    isInt(a) ? always : callOf("js::is_integer", [toFloat(a, precision)], bool),
  ),
  isSafeInteger: one((a, { precision }) => {
    if (a.type?.kind !== "int") return callOf("js::is_safe_integer", [toFloat(a, precision)], bool);
    return a.type.bits <= 53 ? always : callOf("js::is_safe_integer", [`int64(${a.text})`], bool);
  }),
};

/** The JavaScript functions that functors support, by their object; "" has the global ones. */
const holders: Readonly<Record<string, Readonly<Record<string, Known>>>> = {
  Math: mathCalls,
  Number: numberCalls,
  "": { isNaN: isNaNCall, isFinite: isFiniteCall },
};

/** The constants of Math and Number. */
export function constantOf(holder: string, name: string): number | undefined {
  const object = holder === "Math" ? Math : holder === "Number" ? Number : undefined;
  const value =
    object && Object.hasOwn(object, name) ? (object as unknown as Record<string, unknown>)[name] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** True for a JavaScript object with functions that a functor may call. */
export function isHolder(name: string): boolean {
  return name !== "" && Object.hasOwn(holders, name);
}

/** A call of a JavaScript function; undefined for an unknown global one. */
export function builtinCall(
  holder: string,
  name: string,
  args: readonly AnyNode[],
  visitor: Visitor,
  node: AnyNode,
): Value | undefined {
  const table = holders[holder] ?? {};
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) {
    if (holder === "") return undefined;
    const known = [...Object.keys(table), ...(holder === "Math" ? ["random"] : [])];
    const help = `${didYouMean(name, known)} A functor may call ${known.join(", ")}.`.trim();
    return visitor.fail(node, `${holder}.${name} has no translation`, help);
  }
  const [least, most] = found.count;
  checkCount(`${holder}${holder && "."}${name}`, args, least, most, visitor, node);
  const values = visitor.values(args);
  for (const [i, value] of values.entries()) {
    if (value.type?.kind === "bool") visitor.number(args[i] as AnyNode);
  }
  return found.call(values, visitor, node);
}

function checkCount(
  name: string,
  args: readonly AnyNode[],
  least: number,
  most: number,
  visitor: Visitor,
  node: AnyNode,
): void {
  if (args.length >= least && args.length <= most) return;
  const wanted = least === most ? `${least}` : `at least ${least}`;
  visitor.fail(
    node,
    `${name} takes ${wanted} ${least === 1 ? "argument" : "arguments"}, not ${args.length}`,
    "",
  );
}

/** A call of an operation of the library: `jl.math.name(...)`. */
export function operationCall(
  name: string,
  args: readonly AnyNode[],
  visitor: Visitor,
  node: AnyNode,
): Value {
  if (!Object.hasOwn(ops, name)) {
    visitor.fail(node, `jl.math has no function ${name}`, didYouMean(name, Object.keys(ops)));
  }
  const op: Op = ops[name as OpName];
  checkCount(`jl.math.${name}`, args, op.arity, op.arity, visitor, node);
  const values = visitor.values(args);
  const roles = op.operands ?? values.map(() => "common" as const);
  const common = values.filter((_, i) => roles[i] === "common");
  const { precision } = visitor;
  const type = common.reduce<Type | "mixed">(
    (all, value) => (all === "mixed" ? all : join(all, value.type)),
    undefined,
  );
  if (type === "mixed")
    visitor.fail(node, `jl.math.${name} gets booleans and numbers`, "Pass values of one kind.");
  const computed = computedType(op, type as Type, precision.float);
  if ("refuse" in computed)
    visitor.fail(
      node,
      `jl.math.${name} gets ${wordOf(type as Type)}: ${computed.refuse.replace(/;.*/, "")}`,
      helpFor(op),
    );
  const ctype = precision.ctype((computed as { type: Type }).type);
  const list = values.map((value, i) => {
    const role = roles[i];
    if (role === "bool") return visitor.condition(args[i] as AnyNode).text;
    if (role === "int32") {
      if (value.type?.kind === "float") {
        visitor.fail(
          args[i] as AnyNode,
          "an integer is needed, not a number with a fraction",
          "Write for example n | 0.",
        );
      }
      return value.text;
    }
    return value.type?.kind === "float"
      ? value.text
      : ctype === precision.float
        ? toFloat(value, precision)
        : `${ctype}(${value.text})`;
  });
  return callOf(`jl::${name}`, list, (computed as { result: Type }).result);
}

/**
 * The type in which an operation computes and that of its result; integers become floats if the operation does not support
 * them.
 */
function computedType(
  op: Op,
  type: Type,
  floatType: string,
): { readonly type: Type; readonly result: Type } | { readonly refuse: string } {
  const floats = floatType === "float" ? dtypes.float32 : dtypes.float64;
  if (type?.kind === "int") {
    const plan = planOf(op, isWide(type) ? dtypes.int64 : dtypes.int32);
    if (!("refuse" in plan) && plan.compute.kind === "signed") {
      if (plan.out.kind === "bool") return { type, result: bool };
      const bits = plan.out.bytes * 8;
      return { type, result: { kind: "int", bits: Math.max(bits, (type as IntType).bits), wide: bits > 32 } };
    }
  }
  const plan = planOf(op, type?.kind === "bool" ? dtypes.bool : floats);
  if ("refuse" in plan) return plan;
  if (type?.kind === "bool" && plan.compute.kind !== "bool") return { refuse: "it takes numbers" };
  if (plan.out.kind === "complex") return { refuse: "a functor computes with real numbers" };
  return { type: type?.kind === "bool" ? bool : float, result: plan.out.kind === "bool" ? bool : float };
}

function wordOf(type: Type): string {
  if (type?.kind === "bool") return "a boolean";
  return type?.kind === "int" ? "an integer" : "a number with a fraction";
}

function helpFor(op: Op): string {
  return op.rule.startsWith("integers") ? "Write for example x | 0 for an integer of 32 bits." : "";
}
