// The options of the library's functions as data: names, types, defaults and meanings, from the comments of the types that declare
// them and from the functions that read them. reference.mjs puts them into the pages and into the text of `name?`.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-6";
import { docOf, parsed, textOf } from "./methods.mjs";

const runtime = join(dirname(fileURLToPath(import.meta.url)), "..", "runtime");

let declared;

/** The types of objects that runtime/ declares, by name: their members and the names of the types that they extend. */
function types() {
  if (declared) return declared;
  declared = new Map();
  for (const file of readdirSync(runtime, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const source = parsed(join(runtime, file));
    for (const node of source.statements) {
      if (ts.isInterfaceDeclaration(node)) {
        const bases = (node.heritageClauses ?? []).flatMap((clause) =>
          clause.types.map((one) => textOf(one, source)),
        );
        const limits = new Map(
          (node.typeParameters ?? []).map((one) => [
            one.name.text,
            textOf(one.constraint, source) || "unknown",
          ]),
        );
        const members = membersOf(node.members, source).map((member) => ({
          ...member,
          type: limits.get(member.type) ?? member.type,
        }));
        declared.set(node.name.text, { members, bases });
      } else if (ts.isTypeAliasDeclaration(node)) {
        declared.set(node.name.text, { members: [], bases: [textOf(node.type, source)] });
      }
    }
  }
  return declared;
}

function membersOf(members, source) {
  return members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(source),
    isOptional: member.questionToken !== undefined,
    type: textOf(member.type, source).replace(/ \| undefined$/, ""),
    doc: plain(docOf(member, source)),
  }));
}

/** The text of a comment without its marks. */
function plain(comment) {
  return comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replace(/\n\s*\*/g, " ")
    .replace(/\{@link (\w+)\}/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** The members of a type's text: of the types that it names, and of objects that it spells out. */
function membersIn(text) {
  const found = new Map();
  const node = parseType(text);
  const visit = (type) => {
    if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) for (const one of type.types) visit(one);
    else if (ts.isTypeLiteralNode(type)) {
      for (const one of membersOf(type.members, type.getSourceFile())) found.set(one.name, one);
    } else if (ts.isTypeReferenceNode(type)) {
      const name = type.typeName.getText();
      const [first, second] = type.typeArguments ?? [];
      if (name === "Readonly" || name === "Partial") visit(first);
      else if (name === "Omit" || name === "Pick") {
        const names = second.getText().match(/\w+/g);
        for (const [key, member] of membersIn(first.getText()))
          if (names.includes(key) === (name === "Pick")) found.set(key, member);
      } else {
        const { members = [], bases = [] } = types().get(name) ?? {};
        for (const base of bases) for (const [key, member] of membersIn(base)) found.set(key, member);
        for (const member of members) found.set(member.name, member);
      }
    }
  };
  visit(node);
  return found;
}

function parseType(text) {
  const source = ts.createSourceFile("t.ts", `type T = ${text};`, ts.ScriptTarget.Latest, true);
  return source.statements[0].type;
}

/** The defaults in `const { padding = 0 } = optionsOf(...)` of a function, by name. */
export function defaultsIn(node, source) {
  const found = new Map();
  const visit = (one) => {
    if (ts.isBindingElement(one) && one.initializer && ts.isObjectBindingPattern(one.parent ?? {}))
      found.set((one.propertyName ?? one.name).getText(source), textOf(one.initializer, source));
    ts.forEachChild(one, (child) => {
      child.parent ??= one;
      visit(child);
    });
  };
  visit(node);
  return found;
}

/** The options among a signature's parameters, as they are written: those of an optional object of optional members. */
export function optionsIn(parameters, defaults = new Map()) {
  const found = parameters.flatMap((parameter) => {
    const [, name, type] = /^(\w+\??): (.*)$/.exec(parameter) ?? [];
    if (type === undefined || !/[A-Z{]/.test(type)) return [];
    const members = [...membersIn(type).values()];
    // Other parameters may be an object of optional members too, such as a dimension or options.
    if (name !== "options" && !(name.endsWith("?") && members.every(({ isOptional }) => isOptional)))
      return [];
    return members.map(({ name, type, doc }) => ({
      ...{ name, type, doc },
      // A comment that names the default says it in words.
      ...(!/\bdefault\b/i.test(doc) && defaultOf(name, type, defaults)),
    }));
  });
  return [...new Map(found.map((option) => [option.name, option])).values()];
}

/** What the function takes where the option is missing: a condition is false. */
function defaultOf(name, type, defaults) {
  if (defaults.has(name)) return { default: defaults.get(name) };
  return type === "boolean" ? { default: "false" } : undefined;
}
