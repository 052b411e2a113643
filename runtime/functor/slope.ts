// The derivatives in operations' records and in users' options as expressions over names.
import type { Slope } from "../ops/op.js";
import { type ParsedExpression, parseExpression } from "./expression.js";

/** An expression whose holes stand for names. */
export interface NamedExpression {
  readonly names: readonly string[];
  readonly parsed: ParsedExpression;
}

const constants = ["pi", "inf", "nan", "true", "false"];
const known = new Map<string, NamedExpression>();

/** An expression of names. */
export function namedExpression(text: string): NamedExpression {
  let expression = known.get(text);
  if (expression === undefined) {
    const names: string[] = [];
    const holes = text.replace(/(?<![\w.])([A-Za-z_]\w*)\b(?!\s*\()/g, (name) => {
      if (constants.includes(name)) return name;
      if (!names.includes(name)) names.push(name);
      return `\${${names.indexOf(name)}}`;
    });
    expression = { names, parsed: parseExpression(holes) };
    known.set(text, expression);
  }
  return expression;
}

/** A derivative that is one expression. */
export type SlopeExpression = string | { readonly select: string };

/** True for a derivative that is one expression. */
export function isDerivative(slope: Slope | undefined): slope is SlopeExpression {
  return typeof slope === "string" || (slope !== undefined && "select" in slope);
}
