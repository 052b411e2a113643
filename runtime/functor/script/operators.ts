// JavaScript's operators in C++: sums and products that cannot overflow, quotients that are never integers, and bit operations
// on 32 bits.
import type { AnyNode, BinaryOperator } from "acorn";
import { bitsOf, bool, float, type IntType, int32, isWide, type Type, whole } from "./types.js";
import { callOf, floatLiteral, operand, ranks, toFloat, type Value, type Visitor } from "./value.js";

type Writer = (a: Value, b: Value, visitor: Visitor, node: AnyNode) => Value;

/** A number literal. */
export function literalValue(value: number, visitor: Visitor): Value {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    const type: Type = { kind: "int", bits: bitsOf(value) };
    const text = bitsOf(value) > 32 ? `${value}LL` : `${value}`;
    return { text, type, atom: value >= 0, literal: value };
  }
  const text = floatLiteral(value, visitor.precision);
  return { text, type: Number.isInteger(value) ? whole : float, atom: !text.startsWith("-"), literal: value };
}

/** `a op b`. */
export function binary(operator: BinaryOperator, a: Value, b: Value, visitor: Visitor, node: AnyNode): Value {
  const write = Object.hasOwn(writers, operator) ? writers[operator] : undefined;
  if (write === undefined)
    return visitor.fail(node, `${operator} has no meaning on numbers`, "Compare numbers.");
  return write(a, b, visitor, node);
}

/** Sums, differences and products: exact integers where they fit, else floats. */
function arithmetic(operator: "+" | "-" | "*", bits: (a: number, b: number) => number): Writer {
  return (a, b, { precision }) => {
    if (a.type === undefined || b.type === undefined) return infix(a, operator, b, undefined);
    if (a.type.kind === "int" && b.type.kind === "int") {
      const type = precision.int(bits(a.type.bits, b.type.bits), isWide(a.type) || isWide(b.type));
      if (type.kind === "float") {
        return infix(floated(a, precision.float), operator, floated(b, precision.float), type);
      }
      return infix(isWide(type) ? widened(a) : a, operator, b, type);
    }
    const both = [a.type, b.type].every((one) => one?.kind === "int" || (one?.kind === "float" && one.whole));
    return infix(matched(a, precision), operator, matched(b, precision), both ? whole : float);
  };
}

/** A literal next to a float becomes one; C++ converts other integers. */
function matched(value: Value, precision: Visitor["precision"]): Value {
  if (value.literal === undefined) return value;
  const text = floatLiteral(value.literal, precision);
  return { ...value, text, atom: !text.startsWith("-") };
}

function floated(value: Value, type: string): Value {
  return { ...value, text: `${type}(${value.text})`, atom: true };
}

function widened(value: Value): Value {
  return isWide(value.type as IntType) ? value : { ...value, text: `int64(${value.text})`, atom: true };
}

/** `a op b`; operators of equal rank group from the left, as in JavaScript. */
function infix(a: Value, operator: string, b: Value, type: Type): Value {
  const rank = /^[-+]$/.test(operator)
    ? ranks.sum
    : /^[*/%]$/.test(operator)
      ? ranks.product
      : ranks.comparison;
  // A chain of comparisons would look like a comparison of three values.
  const left = rank === ranks.comparison ? ranks.sum : rank;
  return {
    text: `${operand(a, left)} ${operator} ${operand(b, left === rank ? rank + 1 : left)}`,
    type,
    atom: false,
    rank,
  };
}

function comparison(operator: string): Writer {
  return (a, b, visitor, node) => {
    if (a.type && b.type && (a.type.kind === "bool") !== (b.type.kind === "bool")) {
      visitor.fail(node, "a boolean is compared with a number", "Compare values of one kind.");
    }
    if (a.type?.kind === "bool" && !/^[!=]=$/.test(operator)) {
      visitor.fail(node, "booleans have no order", "Compare numbers, or use === and !==.");
    }
    const mixed = a.type?.kind === "float" || b.type?.kind === "float";
    const [left, right] = mixed ? [a, b].map((one) => matched(one, visitor.precision)) : [a, b];
    return infix(left as Value, operator, right as Value, bool);
  };
}

/** ToInt32. */
function to32(value: Value): string {
  if (value.type?.kind === "float") return `js::to_int32(${value.text})`;
  if (value.type?.kind === "int" && isWide(value.type)) return `int32(${value.text})`;
  return operand(value);
}

function bitwise(operator: "&" | "|" | "^"): Writer {
  return (a, b) => {
    // `x | 0` is JavaScript's conversion to an integer.
    if (operator === "|" && b.literal === 0) {
      const text = to32(a);
      return { text, type: int32, atom: true };
    }
    return { text: `${to32(a)} ${operator} ${to32(b)}`, type: int32, atom: false };
  };
}

/** The count of a shift: its low five bits. */
function count(value: Value): string {
  return value.literal !== undefined && Number.isSafeInteger(value.literal)
    ? `${value.literal & 31}`
    : `(${to32(value)} & 31)`;
}

const writers: Readonly<Partial<Record<BinaryOperator, Writer>>> = {
  "+": arithmetic("+", (a, b) => Math.max(a, b) + 1),
  "-": arithmetic("-", (a, b) => Math.max(a, b) + 1),
  "*": arithmetic("*", (a, b) => a + b),
  "/": (a, b, { precision }) => infix(quotientPart(a, precision), "/", quotientPart(b, precision), float),
  "%": remainder,
  "**": (a, b, { precision }) => callOf("js::power", [toFloat(a, precision), toFloat(b, precision)], float),
  "===": comparison("=="),
  "!==": comparison("!="),
  "==": comparison("=="),
  "!=": comparison("!="),
  "<": comparison("<"),
  "<=": comparison("<="),
  ">": comparison(">"),
  ">=": comparison(">="),
  "&": bitwise("&"),
  "|": bitwise("|"),
  "^": bitwise("^"),
  "<<": (a, b) => ({ text: `int32(uint32(${to32(a)}) << ${count(b)})`, type: int32, atom: true }),
  ">>": (a, b) => ({ text: `${to32(a)} >> ${count(b)}`, type: int32, atom: false }),
  ">>>": (a, b) => ({
    text: `int64(uint32(${to32(a)}) >> ${count(b)})`,
    type: { kind: "int", bits: 33, wide: true },
    atom: true,
  }),
};

function quotientPart(value: Value, precision: Visitor["precision"]): Value {
  const text = toFloat(value, precision);
  const unchanged = value.type?.kind === "float" && value.literal === undefined;
  return { ...value, text, atom: unchanged ? value.atom : !text.startsWith("-") };
}

function remainder(a: Value, b: Value, { precision }: Visitor): Value {
  if (a.type?.kind === "int" && b.type?.kind === "int") {
    const { literal } = b;
    if (literal !== undefined && literal !== 0 && literal !== -1) {
      const bits = Math.min(a.type.bits, b.type.bits);
      return infix(a, "%", b, { kind: "int", bits, wide: isWide(a.type) || isWide(b.type) });
    }
    if (precision.integral) {
      const type: IntType = { kind: "int", bits: Math.min(a.type.bits, b.type.bits), wide: true };
      return callOf("js::rest", [`int64(${a.text})`, `int64(${b.text})`], type);
    }
  }
  const both = [a.type, b.type].every((one) => one?.kind === "int" || (one?.kind === "float" && one.whole));
  return callOf("js::remainder", [toFloat(a, precision), toFloat(b, precision)], both ? whole : float);
}

/** `Number(a)`: a boolean as 0 or 1. */
export function numberOf(value: Value): Value {
  if (value.type?.kind !== "bool") return value;
  return { text: `${operand(value)} ? 1 : 0`, type: { kind: "int", bits: 2 }, atom: false };
}

/** `-a`, `+a`, `~a` and `!a`. */
export function unary(operator: string, node: AnyNode, visitor: Visitor): Value {
  if (operator === "!") {
    const argument = visitor.value(node);
    // Minified code writes !0 and !1 for true and false.
    if (argument.literal !== undefined)
      return { text: argument.literal === 0 ? "true" : "false", type: bool, atom: true };
    const condition =
      argument.type?.kind === "bool" || argument.type === undefined ? argument : visitor.condition(node);
    return { text: `!${operand(condition)}`, type: bool, atom: true };
  }
  // Minified code writes +condition for Number(condition).
  if (operator === "+") return numberOf(visitor.value(node));
  const a = visitor.number(node);
  if (operator === "-") {
    if (a.literal !== undefined) return literalValue(-a.literal, visitor);
    const type =
      a.type?.kind === "int"
        ? visitor.precision.int(a.type.bits + (a.type.bits >= 32 ? 1 : 0), isWide(a.type))
        : a.type;
    return { text: `-${operand(type?.kind === "int" && isWide(type) ? widened(a) : a)}`, type, atom: false };
  }
  if (operator === "~") return { text: `~${to32(a)}`, type: int32, atom: false };
  return visitor.fail(
    node,
    `${operator} has no meaning in a functor`,
    "Use arithmetic, comparisons and logic.",
  );
}
