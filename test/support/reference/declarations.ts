// Reads the declarations of a kernel's text into namespaces. What it does not know is left out: only what a kernel calls matters.
import { Parser } from "./parser.js";
import { type Declared, makeSpace, type Space, type TemplateParameter, type TypeNode } from "./syntax.js";
import { type Token, tokensOf } from "./tokens.js";

/** The outermost namespace of a text. */
export function declarationsOf(text: string): Space {
  const outermost = makeSpace("", undefined);
  const parser = new Parser(tokensOf(text));
  read(parser, outermost);
  return outermost;
}

function read(parser: Parser, space: Space): void {
  while (parser.at < parser.tokens.length && !parser.is("}")) one(parser, space);
}

function one(parser: Parser, space: Space): void {
  if (parser.accept(";")) return;
  if (parser.accept("namespace")) namespaceAt(parser, space);
  else if (parser.accept("static_assert")) toSemicolon(parser);
  else if (parser.next.startsWith('"')) parser.at++;
  else if (parser.accept("using")) usingAt(parser, space);
  else if (parser.accept("typedef")) {
    const type = parser.type();
    space.aliases.set(parser.name(), type);
    parser.expect(";");
  } else if (!definitionAt(parser, space)) leaveOut(parser);
}

function definitionAt(parser: Parser, space: Space): boolean {
  const template = parser.accept("template") ? templateAt(parser) : undefined;
  if (template === "specialized") return traitAt(parser, space, undefined);
  if (traitAt(parser, space, template)) return true;
  return parser.is("struct") ? structAt(parser, space, template) : functionAt(parser, space, template);
}

function namespaceAt(parser: Parser, space: Space): void {
  if (parser.is("{")) {
    parser.at++;
    read(parser, space);
    parser.expect("}");
    return;
  }
  const name = parser.qualified();
  let inner = space;
  if (parser.accept("=")) {
    const other = spaceNamed(space, parser.qualified());
    if (other) space.spaces.set(name, other);
    parser.expect(";");
    return;
  }
  for (const part of name.split("::")) {
    const own: Space = inner.spaces.get(part) ?? makeSpace(part, inner);
    inner.spaces.set(part, own);
    inner = own;
  }
  parser.expect("{");
  read(parser, inner);
  parser.expect("}");
}

/** The namespace of a name, seen from another one. */
export function spaceNamed(from: Space, name: string): Space | undefined {
  const parts = name.split("::");
  for (let outer: Space | undefined = from; outer; outer = outer.outer) {
    let found: Space | undefined = outer;
    for (const part of parts) found = found?.spaces.get(part);
    if (found) return found;
  }
  return undefined;
}

function usingAt(parser: Parser, space: Space): void {
  if (parser.accept("namespace")) {
    const used = spaceNamed(space, parser.qualified());
    if (used) space.used.push(used);
  } else {
    const name = parser.qualified();
    if (parser.accept("=")) space.aliases.set(name, parser.type());
    else {
      const at = name.lastIndexOf("::");
      const from = spaceNamed(space, name.slice(0, Math.max(0, at)));
      const own = from?.functions.get(name.slice(at + 2));
      if (own) space.functions.set(name.slice(at + 2), [...own]);
    }
  }
  toSemicolon(parser);
}

function toSemicolon(parser: Parser): void {
  while (!parser.accept(";")) {
    if (parser.is("{")) parser.skip("{", "}");
    else if (parser.at >= parser.tokens.length) return;
    else parser.at++;
  }
}

/** Goes behind a declaration that is not understood. */
function leaveOut(parser: Parser): void {
  while (parser.at < parser.tokens.length) {
    if (parser.accept(";")) return;
    if (parser.is("{")) {
      parser.skip("{", "}");
      parser.accept(";");
      return;
    }
    parser.at++;
  }
}

function templateAt(parser: Parser): readonly TemplateParameter[] | "specialized" {
  parser.expect("<");
  if (parser.accept(">")) return "specialized";
  const parameters: TemplateParameter[] = [];
  do {
    const isType = parser.accept("typename");
    if (!isType) parser.type();
    parameters.push({ name: parser.name(), isType });
    if (parser.accept("=")) parser.type();
  } while (parser.accept(","));
  parser.expect(">");
  return parameters;
}

/** The name of the namespace of a specialized struct's functions: `facts<float>`. */
export function specialized(name: string, args: readonly string[]): string {
  return `${name}<${args.join()}>`;
}

/** A struct that has nothing but names of types and functions. */
function traitAt(parser: Parser, space: Space, template: readonly TemplateParameter[] | undefined): boolean {
  const made = parser.try(() => {
    parser.expect("struct");
    const name = parser.name();
    const args = parser.is("<") ? (parser.typeArguments() ?? []) : [];
    parser.expect("{");
    const members = new Map<string, TypeNode>();
    while (parser.accept("typedef")) {
      const type = parser.type();
      members.set(parser.name(), type);
      parser.expect(";");
    }
    const own = makeSpace(
      specialized(
        name,
        args.map((arg) => ("pointers" in arg ? arg.name : "")),
      ),
      space,
    );
    while (!parser.accept("}")) if (!functionAt(parser, own, undefined)) return undefined;
    if (own.functions.size > 0) space.spaces.set(own.name, own);
    return { name, node: { template, args, members, space } };
  });
  if (!made) return false;
  space.traits.set(made.name, [...(space.traits.get(made.name) ?? []), made.node]);
  return true;
}

function structAt(parser: Parser, space: Space, template: readonly TemplateParameter[] | undefined): boolean {
  const made = parser.try(() => {
    parser.expect("struct");
    const alignment = parser.alignment();
    const name = parser.name();
    if (!parser.accept("{")) return undefined;
    const own = makeSpace(name, space);
    const fields: Declared[] = [];
    while (!parser.accept("}")) {
      if (parser.is("struct")) {
        if (!structAt(parser, own, undefined)) return undefined;
        const [inner] = [...own.structs.keys()].slice(-1);
        if (!parser.accept(";")) {
          const type = { name: inner as string, args: [], pointers: 0, isReference: false };
          do fields.push(parser.declarator(type));
          while (parser.accept(","));
          parser.expect(";");
        }
        continue;
      }
      const type = parser.type();
      const base = { ...type, pointers: 0, isReference: false };
      let first = true;
      do {
        const field = parser.declarator(first ? type : base);
        first = false;
        if (field.name === "") return undefined;
        if (parser.accept("=")) parser.assignment();
        fields.push(field);
      } while (parser.accept(","));
      parser.expect(";");
    }
    return { name, template, fields, alignment, space: own };
  });
  if (!made) return false;
  space.structs.set(made.name, made);
  return true;
}

function functionAt(
  parser: Parser,
  space: Space,
  template: readonly TemplateParameter[] | undefined,
): boolean {
  const found = parser.try(() => {
    const result = parser.type();
    if (parser.tokens[parser.at]?.kind !== "name") return undefined;
    const name = parser.qualified();
    if (parser.is("=") || parser.is("[")) {
      const dims = [];
      while (parser.accept("[")) {
        dims.push(parser.is("]") ? { k: "number" as const, text: "0" } : parser.expression());
        parser.expect("]");
      }
      parser.expect("=");
      const init = parser.is("{") ? parser.list() : parser.assignment();
      parser.expect(";");
      space.constants.set(name, { type: result, name, dims, init });
      return true;
    }
    parser.expect("(");
    const parameters: Declared[] = [];
    while (!parser.accept(")")) {
      parameters.push(parser.declarator(parser.type()));
      if (!parser.is(")")) parser.expect(",");
    }
    if (parser.accept(";")) return true;
    if (!parser.is("{")) return undefined;
    const from = parser.at;
    parser.skip("{", "}");
    const words = parser.tokens.slice(from, parser.at);
    let body: ReturnType<Parser["block"]> | undefined;
    const own = { name, template, result, parameters, space, body: () => (body ??= bodyOf(words)) };
    const others = space.functions.get(name);
    if (others) others.push(own);
    else space.functions.set(name, [own]);
    return true;
  });
  return found === true;
}

function bodyOf(words: readonly Token[]) {
  return new Parser(words.slice()).block();
}
