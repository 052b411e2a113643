// Looks up what a name means where a function stands: types, functions and constants, from the innermost namespace outwards.
import { spaceNamed } from "./declarations.js";
import { Unsupported } from "./parser.js";
import type { Declared, Expr, FunctionNode, Space, StructNode, TypeNode } from "./syntax.js";
import {
  alignmentOf,
  bytesOf,
  elementOf,
  keyOf,
  type StructType,
  scalar,
  scalarNamed,
  type Type,
} from "./types.js";

/** What the parameters of templates stand for. */
export type Arguments = ReadonlyMap<string, Type | number>;

/** Everything under a name, from the innermost namespace that has it. */
function found<T>(
  from: Space,
  name: string,
  of: (space: Space, last: string) => T | undefined,
): T | undefined {
  const at = name.lastIndexOf("::");
  if (at >= 0) {
    const space = spaceNamed(from, name.slice(0, at));
    return space && foundIn(space, name.slice(at + 2), of);
  }
  for (let space: Space | undefined = from; space; space = space.outer) {
    const own = foundIn(space, name, of);
    if (own !== undefined) return own;
  }
  return undefined;
}

function foundIn<T>(
  space: Space,
  name: string,
  of: (space: Space, last: string) => T | undefined,
): T | undefined {
  const own = of(space, name);
  if (own !== undefined) return own;
  for (const used of space.used) {
    const theirs = of(used, name);
    if (theirs !== undefined) return theirs;
  }
  return undefined;
}

/** The functions of a name. */
export function functionsNamed(from: Space, name: string): readonly FunctionNode[] {
  return found(from, name, ({ functions }, last) => functions.get(last)) ?? [];
}

/** The constant of a name. */
export function constantNamed(from: Space, name: string): { declared: Declared; space: Space } | undefined {
  return found(from, name, (space, last) => {
    const declared = space.constants.get(last);
    return declared && { declared, space };
  });
}

/** The value of an expression that is known before a kernel runs; undefined for others. */
export function numberOf(expr: Expr, from: Space, given: Arguments): number | undefined {
  if (expr.k === "number") return Number(expr.text.replace(/[uUlL]+$/, ""));
  if (expr.k === "name") {
    const value = given.get(expr.name);
    if (typeof value === "number") return value;
    const constant = constantNamed(from, expr.name);
    return constant?.declared.init && numberOf(constant.declared.init, constant.space, given);
  }
  if (expr.k === "size") return bytesOf(typeOf(expr.type, from, given));
  if (expr.k === "choose") {
    const when = numberOf(expr.when, from, given);
    return when === undefined ? undefined : numberOf(when ? expr.then : expr.otherwise, from, given);
  }
  if (expr.k !== "binary") return undefined;
  const [a, b] = [numberOf(expr.left, from, given), numberOf(expr.right, from, given)];
  if (a === undefined || b === undefined) return undefined;
  const results: Readonly<Record<string, number>> = {
    ...{ "+": a + b, "-": a - b, "*": a * b, "/": Math.trunc(a / b), "%": a % b, "<<": a * 2 ** b },
    ...{ "<": Number(a < b), ">": Number(a > b), "==": Number(a === b) },
  };
  return results[expr.op];
}

/** The type that is written; throws Unsupported for one that is not known. */
export function typeOf(node: TypeNode, from: Space, given: Arguments): Type {
  const type = typeNamed(node, from, given);
  if (type === undefined) throw new Unsupported(`the type ${node.name}`);
  return type;
}

/** The type of a name; undefined if it names none. */
export function typeNamed(node: TypeNode, from: Space, given: Arguments): Type | undefined {
  const { name, args, member, pointers } = node;
  let type =
    member === undefined ? plainType(name, args, from, given) : memberType(node, member, from, given);
  for (let i = 0; type && i < pointers; i++) type = { k: "pointer", to: type };
  return type;
}

function plainType(name: string, args: TypeNode["args"], from: Space, given: Arguments): Type | undefined {
  const bound = given.get(name);
  if (typeof bound === "object") return bound;
  const known = scalarNamed(name);
  if (known) return known;
  const first =
    args[0] && "name" in args[0] && "pointers" in args[0] ? typeNamed(args[0], from, given) : undefined;
  if (name === "complex" && first) return { k: "complex", of: keyOf(first) as "float" | "double" };
  // A half between the steps of a kernel.
  if (name === "nearest") return first;
  if (/(^|::)wrapping$/.test(name) && first) return scalar(bytesOf(first) === 8 ? "uint64" : "uint32");
  return found(from, name, (space, last) => {
    const struct = space.structs.get(last);
    if (struct) return structType(struct, space, bindings(struct, args, from, given));
    const alias = space.aliases.get(last);
    return alias && typeOf(alias, space, given);
  });
}

/** A type that a struct of types names. */
function memberType(
  { name, args }: TypeNode,
  member: string,
  from: Space,
  given: Arguments,
): Type | undefined {
  const all = found(from, name, ({ traits }, last) => traits.get(last)) ?? [];
  const keys = (list: TypeNode["args"], space: Space, own: Arguments) =>
    list
      .map((arg) => ("pointers" in arg ? keyOf(typeOf(arg, space, own)) : numberOf(arg, space, own)))
      .join();
  const wanted = keys(args, from, given);
  const special = all.find((one) => one.args.length > 0 && keys(one.args, one.space, new Map()) === wanted);
  const general = all.find((one) => one.args.length === 0);
  const [first] = args;
  const bound = new Map<string, Type | number>();
  const parameter = general?.template?.[0]?.name;
  if (parameter && first && "pointers" in first) bound.set(parameter, typeOf(first, from, given));
  const trait = special ?? general;
  const type = trait?.members.get(member);
  return trait && type && typeOf(type, trait.space, bound);
}

function bindings(struct: StructNode, args: TypeNode["args"], from: Space, given: Arguments): Arguments {
  if (!struct.template) return given;
  return new Map(
    struct.template.map(({ name }, i) => {
      const arg = args[i];
      if (!arg) throw new Unsupported(`${struct.name} without its arguments`);
      return [name, "pointers" in arg ? typeOf(arg, from, given) : (numberOf(arg, from, given) as number)];
    }),
  );
}

function structType(struct: StructNode, space: Space, given: Arguments): StructType {
  let end = 0;
  let alignment = struct.alignment ? (numberOf(struct.alignment, space, given) ?? 1) : 1;
  const fields = struct.fields.map((declared) => {
    const type = declaredType(declared, struct.space, given);
    const written = declared.type.alignment && numberOf(declared.type.alignment, struct.space, given);
    const own = Math.max(alignmentOf(type), written ?? 1);
    alignment = Math.max(alignment, own);
    const offset = Math.ceil(end / own) * own;
    end = offset + bytesOf(type);
    return { name: declared.name, type, offset };
  });
  const name = struct.template
    ? `${struct.name}<${[...given.values()].map((one) => (typeof one === "number" ? one : keyOf(one)))}>`
    : struct.name;
  return { k: "struct", name, fields, bytes: Math.ceil(end / alignment) * alignment, alignment };
}

/** The type of a declared name, with its extents. */
export function declaredType({ type, dims }: Declared, from: Space, given: Arguments): Type {
  return dims.reduceRight<Type>(
    (of, dim) => {
      const count = numberOf(dim, from, given);
      if (count === undefined) throw new Unsupported("an array of unknown extent");
      return { k: "array", of, count };
    },
    typeOf(type, from, given),
  );
}

/** Finds what the parameters of a template stand for from the types of the arguments; false if they do not fit. */
export function deduced(
  node: FunctionNode,
  explicit: readonly (Type | number)[],
  args: readonly (Type | undefined)[],
): Map<string, Type | number> | undefined {
  const result = new Map<string, Type | number>();
  node.template?.forEach(({ name }, i) => {
    const own = explicit[i];
    if (own !== undefined) result.set(name, own);
  });
  const isParameter = (name: string) => node.template?.some((one) => one.name === name) === true;
  const match = (written: TypeNode, type: Type): boolean => {
    if (written.pointers > 0) {
      if (type.k !== "pointer" && type.k !== "array") return false;
      const inner = type.k === "pointer" ? type.to : type.of;
      return match({ ...written, pointers: written.pointers - 1 }, inner);
    }
    if (isParameter(written.name)) {
      if (!result.has(written.name))
        result.set(written.name, type.k === "array" ? { k: "pointer", to: type.of } : type);
      return true;
    }
    const [arg] = written.args;
    if (!arg || !("pointers" in arg)) return true;
    if (written.name === "complex") return type.k === "complex" && match(arg, scalar(type.of));
    if (type.k !== "struct" || !type.name.startsWith(`${written.name.split("::").at(-1)}<`)) return false;
    const name = /<(\w+)/.exec(type.name)?.[1] ?? "";
    const inner = scalarNamed(name);
    return inner !== undefined && match(arg, inner);
  };
  for (const [i, parameter] of node.parameters.entries()) {
    const type = args[i];
    if (!type) continue;
    if (parameter.dims.length > 0) {
      if (type.k !== "array" && type.k !== "pointer") return undefined;
      const [dim] = parameter.dims;
      if (dim?.k === "name" && isParameter(dim.name) && type.k === "array") result.set(dim.name, type.count);
      if (!match({ ...parameter.type, pointers: 0 }, elementOf(type.k === "pointer" ? type.to : type)))
        return undefined;
    } else if (!match(parameter.type, type)) return undefined;
  }
  return node.template?.every(({ name }) => result.has(name)) === false ? undefined : result;
}
