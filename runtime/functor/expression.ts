// The expressions of jl.fuse: C++ over the library's operations, read into a tree. Operators stand for operations of the op
// table; `${...}` in the template is a hole that the caller fills.
import { didYouMean, JitlabError } from "../base/errors.js";
import { ops } from "../ops/index.js";

/** A node of an expression; `at` is its offset in the text that errors show. */
export type Expression =
  | { readonly kind: "hole"; readonly index: number; readonly at: number }
  | { readonly kind: "number"; readonly value: number | bigint | boolean; readonly at: number }
  | {
      readonly kind: "call";
      readonly op: keyof typeof ops;
      readonly args: readonly Expression[];
      readonly at: number;
    }
  /** A call of the functor in a hole; its brackets begin at `open`. */
  | {
      readonly kind: "apply";
      readonly index: number;
      readonly args: readonly Expression[];
      readonly at: number;
      readonly open: number;
    };

/** An expression with the text that errors show. */
export interface ParsedExpression {
  readonly root: Expression;
  readonly text: string;
}

interface Token {
  readonly text: string;
  readonly at: number;
  readonly kind: "number" | "name" | "hole" | "mark" | "end";
}

type OpName = keyof typeof ops;

// C++'s operators by their precedence; a larger number binds tighter.
const binaryOps: Readonly<Record<string, readonly [number, OpName]>> = {
  "||": [1, "logicalOr"],
  "&&": [2, "logicalAnd"],
  "|": [3, "bitwiseOr"],
  "^": [4, "bitwiseXor"],
  "&": [5, "bitwiseAnd"],
  "==": [6, "eq"],
  "!=": [6, "ne"],
  "<": [7, "lt"],
  "<=": [7, "le"],
  ">": [7, "gt"],
  ">=": [7, "ge"],
  "<<": [8, "leftShift"],
  ">>": [8, "rightShift"],
  "+": [9, "add"],
  "-": [9, "sub"],
  "*": [10, "mul"],
  "/": [10, "div"],
  "%": [10, "remainder"],
  "**": [12, "pow"],
};
const unaryPrecedence = 11;
const unaryOps: Readonly<Record<string, OpName>> = { "-": "neg", "!": "logicalNot", "~": "bitwiseNot" };
const constants: Readonly<Record<string, number | boolean>> = {
  pi: Math.PI,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
  true: true,
  false: false,
};

const tokenPattern =
  /\s*(?:(\$\{\d+\})|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?)|([A-Za-z_]\w*)|(\|\||&&|\*\*|[=!<>]=|<<|>>|[-+*/%<>&|^!~?:(),]))/y;

/** Reads an expression; holes are written `${0}`, `${1}`, ... Throws `bad-expression` with a caret below the error. */
export function parseExpression(text: string): ParsedExpression {
  const tokens = tokensOf(text);
  let next = 0;
  const peek = (): Token => tokens[next] as Token;
  const take = (): Token => tokens[next++] as Token;
  const expect = (mark: string): void => {
    const token = take();
    if (token.text !== mark) throw complaint(text, token.at, `expected ${mark}, found ${nameOf(token)}`);
  };
  const call = (op: OpName, args: readonly Expression[], at: number): Expression => ({
    kind: "call",
    op,
    args,
    at,
  });

  const ternary = (): Expression => {
    const condition = binary(1);
    if (peek().text !== "?") return condition;
    const { at } = take();
    const yes = ternary();
    expect(":");
    return call("where", [condition, yes, ternary()], at);
  };
  const binary = (least: number): Expression => {
    let left = unary();
    for (;;) {
      const token = peek();
      const found = token.kind === "mark" ? binaryOps[token.text] : undefined;
      if (!found || found[0] < least) return left;
      take();
      // Powers group from the right, and bind tighter than the sign of their base.
      left = call(found[1], [left, binary(found[1] === "pow" ? found[0] : found[0] + 1)], token.at);
    }
  };
  const unary = (): Expression => {
    const token = peek();
    const op = token.kind === "mark" ? unaryOps[token.text] : undefined;
    if (op === undefined) {
      if (token.text !== "+") return primary();
      take();
      return binary(unaryPrecedence);
    }
    take();
    const operand = binary(unaryPrecedence);
    if (op === "neg" && operand.kind === "number" && typeof operand.value !== "boolean")
      return { ...operand, value: -operand.value };
    return call(op, [operand], token.at);
  };
  const primary = (): Expression => {
    const token = take();
    const { at } = token;
    if (token.kind === "hole") {
      const index = Number(token.text.slice(2, -1));
      const { text: following, at: open } = peek();
      return following === "("
        ? { kind: "apply", index, args: listed(), at, open }
        : { kind: "hole", index, at };
    }
    if (token.kind === "number") return { kind: "number", value: numberOf(token.text), at };
    if (token.text === "(") {
      const inside = ternary();
      expect(")");
      return inside;
    }
    if (token.kind !== "name") throw complaint(text, at, `${nameOf(token)} is not an operand`);
    if (peek().text === "(") return call(opOf(text, token), argumentList(token), at);
    const value = Object.hasOwn(constants, token.text) ? constants[token.text] : undefined;
    if (value !== undefined) return { kind: "number", value, at };
    throw complaint(text, at, `${token.text} is not a value`, `Write \${${token.text}} for a variable.`);
  };
  const listed = (): Expression[] => {
    expect("(");
    const args = [ternary()];
    while (peek().text === ",") {
      take();
      args.push(ternary());
    }
    expect(")");
    return args;
  };
  const argumentList = (name: Token): Expression[] => {
    const args = listed();
    const { arity } = ops[name.text as OpName];
    if (args.length === arity) return args;
    throw complaint(
      text,
      name.at,
      `${name.text} takes ${arity} ${arity === 1 ? "argument" : "arguments"}, not ${args.length}`,
    );
  };

  const root = ternary();
  if (peek().kind !== "end")
    throw complaint(text, peek().at, `${nameOf(peek())} follows a complete expression`);
  return { root, text };
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (;;) {
    const from = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (!match) {
      const at = from + (text.slice(from).length - text.slice(from).trimStart().length);
      if (at < text.length) throw complaint(text, at, `${text.charAt(at)} has no meaning here`);
      tokens.push({ text: "", at, kind: "end" });
      return tokens;
    }
    const [, hole, number, name] = match;
    const token = match[0].trimStart();
    const kind = hole ? "hole" : number ? "number" : name ? "name" : "mark";
    tokens.push({ text: token, at: tokenPattern.lastIndex - token.length, kind });
  }
}

function nameOf(token: Token): string {
  return token.kind === "end" ? "the end" : token.text;
}

/** Integers are bigints where a number would lose digits; a point, an exponent or a suffix makes a float of any value. */
function numberOf(text: string): number | bigint {
  if (!/^\d+$/.test(text)) return Number(text.replace(/[fF]$/, ""));
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function opOf(text: string, token: Token): OpName {
  if (Object.hasOwn(ops, token.text)) return token.text as OpName;
  throw complaint(
    text,
    token.at,
    `there is no operation ${token.text}`,
    didYouMean(token.text, Object.keys(ops)),
  );
}

/** An error at an offset of an expression: the line, and a caret below the offset. */
export function complaint(text: string, at: number, what: string, help = ""): JitlabError {
  const before = text.slice(0, at);
  const line = text.split("\n")[before.split("\n").length - 1] ?? "";
  const indent = (before.split("\n").at(-1) ?? "").replace(/[^\t]/g, " ");
  return new JitlabError("bad-expression", `fuse: ${what}.\n  ${line}\n  ${indent}^`, help);
}
