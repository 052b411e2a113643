// Types shared by the translator's parts: values as C++ text with their types, variables, and the visitor.
import type { AnyNode } from "acorn";
import type { Precision, Type } from "./types.js";

/** An expression in C++. */
export interface Value {
  readonly text: string;
  readonly type: Type;
  /** True if the text needs no parentheses as an operand. */
  readonly atom: boolean;
  /** The precedence of the text's operator; without one it always needs parentheses. */
  readonly rank?: number;
  /** The number, if the expression is a literal. */
  readonly literal?: number;
}

/** A variable, parameter or capture of a translated function; its type widens until a pass changes none. */
export interface Variable {
  readonly kind: "variable";
  /** The user's name for it. */
  readonly label: string;
  /** Its name in C++. */
  readonly name: string;
  type: Type;
  /** The type of the values assigned to it, without steps by ++, -- and +=. */
  start: Type;
  /** How often the type was widened. */
  changes: number;
  /** The declaring function. */
  readonly owner: object;
  readonly constant: boolean;
}

/** The translator's interface for the writers of operators, calls and statements. */
export interface Visitor {
  readonly precision: Precision;
  /** An expression; its side effects are written before it. */
  value(node: AnyNode): Value;
  /** Expressions in order: a later one's side effects come after the earlier ones are read. */
  values(nodes: readonly AnyNode[]): Value[];
  /** A numeric expression. */
  number(node: AnyNode): Value;
  /** A boolean expression. */
  condition(node: AnyNode): Value;
  /** Throws an error at a position. */
  fail(node: { readonly start: number }, what: string, help: string): never;
}

/** Precedence: comparisons, sums, products, primary expressions. */
export const ranks = { comparison: 1, sum: 2, product: 3, alone: 4 } as const;

/** A value as an operand, in parentheses if its operator's precedence is below `least`. */
export function operand({ text, atom, rank = 0 }: Value, least: number = ranks.alone): string {
  return atom || rank >= least ? text : `(${text})`;
}

/** A call in C++. */
export function callOf(name: string, args: readonly string[], type: Type): Value {
  return { text: `${name}(${args.join(", ")})`, type, atom: true };
}

/** A number as a C++ literal with a fraction. */
export function floatLiteral(value: number, precision: Precision): string {
  const narrow = precision.float === "float";
  if (Number.isNaN(value)) return narrow ? "float_of(0x7fc00000u)" : "float_of(0x7ff8000000000000ull)";
  const rounded = narrow ? Math.fround(value) : value;
  if (!Number.isFinite(rounded)) {
    const infinity = narrow ? "float_of(0x7f800000u)" : "float_of(0x7ff0000000000000ull)";
    return rounded < 0 ? `-${infinity}` : infinity;
  }
  // All digits of the double, so that the text is exactly the user's number.
  const text = Object.is(value, -0) ? "-0.0" : `${narrow ? Number(rounded.toPrecision(9)) : value}`;
  return `${/[.e]/.test(text) ? text : `${text}.0`}${narrow ? "f" : ""}`;
}

/** A value as a number with a fraction. */
export function toFloat(value: Value, precision: Precision): string {
  if (value.literal !== undefined) return floatLiteral(value.literal, precision);
  return value.type?.kind === "float" ? value.text : `${precision.float}(${value.text})`;
}

/** A literal written with a fraction. */
export function floated(value: Value, { precision }: Visitor): Value {
  const text = floatLiteral(value.literal ?? 0, precision);
  return { ...value, text, atom: !text.startsWith("-") };
}

/** The names of a property chain, from its root; undefined for other expressions. */
export function pathOf(node: AnyNode): string[] | undefined {
  if (node.type === "Identifier") return [node.name];
  if (node.type === "ParenthesizedExpression") return pathOf(node.expression);
  if (node.type === "SequenceExpression") {
    // Compilers write (0, module.name)(...) for a call without this.
    return node.expressions.length === 2 && node.expressions[0]?.type === "Literal"
      ? pathOf(node.expressions[1] as AnyNode)
      : undefined;
  }
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier")
    return undefined;
  const before = pathOf(node.object as AnyNode);
  return before && [...before, node.property.name];
}

/** The entry's parameter that takes one of several results. */
export function outputName(i: number): string {
  return `result_${i}`;
}
