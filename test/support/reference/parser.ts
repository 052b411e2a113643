// Reads expressions, statements and types of a kernel's text.
import type { Declared, Expr, Statement, TypeNode } from "./syntax.js";
import type { Token } from "./tokens.js";

/** A text that the reference device cannot run. */
export class Unsupported extends Error {}

const precedence: Readonly<Record<string, number>> = {
  ...{ "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7 },
  ...{ "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10 },
};
const assigning = new Set(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]);
const plainTypes = new Set(
  "void bool char int long unsigned float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 int32_t uint32_t uint64_t".split(
    " ",
  ),
);

/** Reads a sequence of words. */
export class Parser {
  at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  get next(): string {
    return this.tokens[this.at]?.text ?? "";
  }

  is(text: string): boolean {
    return this.next === text;
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.fail(`"${text}"`);
  }

  fail(wanted: string): never {
    const near = this.tokens.slice(Math.max(0, this.at - 8), this.at + 6).map(({ text }) => text);
    throw new Unsupported(`${wanted} is expected at "${this.next}" in: ${near.join(" ")}`);
  }

  name(): string {
    const token = this.tokens[this.at];
    if (token?.kind !== "name") this.fail("a name");
    this.at++;
    return token.text;
  }

  /** The result of `read`, or undefined, at the earlier place, where it fails. */
  try<R>(read: () => R | undefined): R | undefined {
    const before = this.at;
    try {
      const result = read();
      if (result !== undefined) return result;
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
    }
    this.at = before;
    return undefined;
  }

  /** Goes behind the bracket that closes the one at hand. */
  skip(open: string, close: string): void {
    let depth = 0;
    do {
      if (this.at >= this.tokens.length) this.fail(`"${close}"`);
      if (this.is(open)) depth++;
      if (this.is(close)) depth--;
      this.at++;
    } while (depth > 0);
  }

  qualified(): string {
    this.accept("::");
    let name = this.name();
    while (this.is("::") && this.tokens[this.at + 1]?.kind === "name") {
      this.at++;
      name += `::${this.name()}`;
    }
    return name;
  }

  type(): TypeNode {
    const alignment = this.alignment();
    this.accept("typename");
    let name = this.qualified();
    if (name === "unsigned" || name === "long" || name === "signed") {
      const words = [name];
      while (["int", "long", "char", "short"].includes(this.next)) words.push(this.name());
      name = words.includes("long") ? "int64" : words.includes("char") ? "int8" : "int32";
      if (words.includes("unsigned")) name = `u${name}`;
    }
    const args = this.is("<") ? (this.typeArguments() ?? []) : [];
    const member = args.length > 0 && this.accept("::") ? this.name() : undefined;
    let pointers = 0;
    while (this.accept("*")) pointers++;
    const isReference = this.accept("&");
    return { name, args, member, pointers, isReference, alignment };
  }

  alignment(): Expr | undefined {
    if (!this.accept("alignas")) return undefined;
    this.expect("(");
    const value = this.expression();
    this.expect(")");
    return value;
  }

  typeArguments(): readonly (TypeNode | Expr)[] | undefined {
    return this.try(() => {
      this.expect("<");
      const args: (TypeNode | Expr)[] = [];
      do {
        const token = this.tokens[this.at];
        const isLiteral = token?.kind === "number" || token?.text === "true" || token?.text === "false";
        args.push(isLiteral ? this.primary() : this.type());
      } while (this.accept(","));
      if (this.is(">>")) {
        // The end of two lists.
        (this.tokens as Token[]).splice(this.at, 1, { kind: "sign", text: ">" }, { kind: "sign", text: ">" });
      }
      this.expect(">");
      return args;
    });
  }

  /** The name of a declaration, behind its type. */
  declarator(base: TypeNode): Declared {
    let pointers = base.pointers;
    let isReference = base.isReference;
    while (this.accept("*")) pointers++;
    if (this.accept("&")) isReference = true;
    let name = "";
    if (this.accept("(")) {
      this.expect("&");
      name = this.name();
      this.expect(")");
    } else if (this.tokens[this.at]?.kind === "name") name = this.name();
    const dims: Expr[] = [];
    while (this.accept("[")) {
      dims.push(this.is("]") ? { k: "number", text: "0" } : this.expression());
      this.expect("]");
    }
    return { type: { ...base, pointers, isReference }, name, dims };
  }

  /** A declaration with its `;`; undefined if there is none here. */
  declaration(): Statement | undefined {
    return this.try(() => {
      if (this.tokens[this.at]?.kind !== "name" && !this.is("::")) return undefined;
      const type = this.type();
      if (this.tokens[this.at]?.kind !== "name" && !this.is("*") && !this.is("&")) return undefined;
      const base = { ...type, pointers: 0, isReference: false };
      const vars: Declared[] = [];
      do {
        const declared = this.declarator(vars.length === 0 ? type : base);
        if (declared.name === "" || !["=", ";", ",", "{", "("].includes(this.next)) return undefined;
        let init: Expr | undefined;
        if (this.accept("=")) init = this.is("{") ? this.list() : this.assignment();
        else if (this.is("{")) init = this.list();
        else if (this.is("(")) init = { k: "make", type, args: this.args("(", ")") };
        vars.push({ ...declared, init });
      } while (this.accept(","));
      this.expect(";");
      return { k: "declare" as const, vars };
    });
  }

  statement(): Statement {
    if (this.is("{")) return { k: "block", body: this.block() };
    if (this.accept(";")) return { k: "block", body: [] };
    if (this.accept("if")) {
      this.expect("(");
      const when = this.expression();
      this.expect(")");
      const then = this.statement();
      return { k: "if", when, then, otherwise: this.accept("else") ? this.statement() : undefined };
    }
    if (this.accept("for")) {
      this.expect("(");
      const init = this.accept(";") ? undefined : (this.declaration() ?? this.expressions());
      const when = this.is(";") ? undefined : this.expression();
      this.expect(";");
      const next = this.is(")") ? [] : this.separated();
      this.expect(")");
      return { k: "for", init, when, next, body: this.statement() };
    }
    if (this.accept("while")) {
      this.expect("(");
      const when = this.expression();
      this.expect(")");
      return { k: "while", when, body: this.statement(), isDo: false };
    }
    if (this.accept("do")) {
      const body = this.statement();
      this.expect("while");
      this.expect("(");
      const when = this.expression();
      this.expect(")");
      this.expect(";");
      return { k: "while", when, body, isDo: true };
    }
    if (this.accept("return")) {
      const value = this.is(";") ? undefined : this.is("{") ? this.list() : this.expression();
      this.expect(";");
      return { k: "return", value };
    }
    for (const k of ["break", "continue"] as const) {
      if (!this.accept(k)) continue;
      this.expect(";");
      return { k };
    }
    return this.declaration() ?? this.expressions();
  }

  block(): Statement[] {
    this.expect("{");
    const body: Statement[] = [];
    while (!this.accept("}")) body.push(this.statement());
    return body;
  }

  expressions(): Statement {
    const exprs = this.separated();
    this.expect(";");
    return { k: "do", exprs };
  }

  separated(): Expr[] {
    const exprs = [this.assignment()];
    while (this.accept(",")) exprs.push(this.assignment());
    return exprs;
  }

  list(): Expr {
    return { k: "list", args: this.args("{", "}") };
  }

  args(open: string, close: string): Expr[] {
    this.expect(open);
    const args: Expr[] = [];
    while (!this.accept(close)) {
      args.push(this.is("{") ? this.list() : this.assignment());
      if (!this.is(close)) this.expect(",");
    }
    return args;
  }

  expression(): Expr {
    return this.assignment();
  }

  assignment(): Expr {
    const to = this.choice();
    if (!assigning.has(this.next)) return to;
    const op = this.next;
    this.at++;
    return { k: "assign", op, to, value: this.is("{") ? this.list() : this.assignment() };
  }

  choice(): Expr {
    const when = this.binary(1);
    if (!this.accept("?")) return when;
    const then = this.assignment();
    this.expect(":");
    return { k: "choose", when, then, otherwise: this.assignment() };
  }

  binary(least: number): Expr {
    let left = this.unary();
    for (
      let level = precedence[this.next];
      level !== undefined && level >= least;
      level = precedence[this.next]
    ) {
      const op = this.next;
      this.at++;
      left = { k: "binary", op, left, right: this.binary(level + 1) };
    }
    return left;
  }

  unary(): Expr {
    for (const op of ["++", "--"]) {
      if (this.accept(op)) return { k: "step", op, of: this.unary(), isPrefix: true };
    }
    for (const op of ["-", "+", "!", "~", "*", "&"]) {
      if (this.accept(op)) return { k: "unary", op, of: this.unary() };
    }
    const cast =
      this.is("(") && plainTypes.has(this.tokens[this.at + 1]?.text ?? "") ? this.cCast() : undefined;
    return cast ?? this.postfix(this.primary());
  }

  cCast(): Expr | undefined {
    return this.try(() => {
      this.expect("(");
      const type = this.type();
      this.expect(")");
      return { k: "cast" as const, type, of: this.unary() };
    });
  }

  postfix(start: Expr): Expr {
    let of = start;
    for (;;) {
      if (this.accept("[")) {
        of = { k: "at", of, index: this.expression() };
        this.expect("]");
      } else if (this.is("(")) of = { k: "call", callee: of, args: this.args("(", ")") };
      else if (this.accept(".")) of = { k: "field", of, name: this.name() };
      else if (this.accept("->")) of = { k: "field", of: { k: "unary", op: "*", of }, name: this.name() };
      else if (this.is("++") || this.is("--")) {
        of = { k: "step", op: this.next, of, isPrefix: false };
        this.at++;
      } else return of;
    }
  }

  primary(): Expr {
    const token = this.tokens[this.at];
    if (token === undefined) this.fail("an expression");
    if (token.kind === "number") {
      this.at++;
      return { k: "number", text: token.text };
    }
    if (this.accept("(")) {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    if (token.kind === "sign" && token.text !== "::") this.fail("an expression");
    if (["static_cast", "reinterpret_cast", "const_cast"].includes(token.text)) {
      this.at++;
      this.expect("<");
      const type = this.type();
      this.expect(">");
      this.expect("(");
      const of = this.expression();
      this.expect(")");
      return { k: "cast", type, of };
    }
    if (this.accept("sizeof")) {
      this.expect("(");
      const type = this.type();
      this.expect(")");
      return { k: "size", type };
    }
    let name = this.qualified();
    if (name === "unsigned" || name === "long") name = name === "long" ? "int64" : "uint32";
    const args = this.is("<")
      ? this.try(() => {
          const found = this.typeArguments();
          return found && ["(", "{", "::"].includes(this.next) ? found : undefined;
        })
      : undefined;
    if (args && this.accept("::")) return { k: "name", name: `${name}::${this.name()}`, args };
    if (this.is("{")) {
      const type = { name, args: args ?? [], pointers: 0, isReference: false };
      return { k: "make", type, args: this.args("{", "}") };
    }
    return { k: "name", name, ...(args ? { args } : {}) };
  }
}
