// Trees as text: what a file of a tree has in its header. Tensors are named, everything else is written out.
import { isArray, JitlabError, show } from "../../base/errors.js";
import { formatShape } from "../../geometry/layout.js";
import { Generator } from "../random.js";
import { Tensor } from "../tensor.js";
import { isBranch, mostLevels } from "../tree.js";

/** A tree as JSON: a text, a finite number, a bool and null are themselves; all else is an object with one key for its kind. */
export type Written =
  | string
  | number
  | boolean
  | null
  | { readonly tensor: string; readonly dtype?: "complex128" }
  | { readonly list: readonly Written[] }
  | { readonly object: readonly (readonly [key: string, value: Written])[] }
  | { readonly number: string }
  | { readonly bigint: string }
  | { readonly generator: readonly [number: number, seed: string, stream: number] }
  | { readonly undefined: true };

/** A tree as text, and its tensors by their names; a tensor that is at several places has one name. */
export function writtenTree(what: string, tree: unknown): { written: Written; tensors: Map<string, Tensor> } {
  const names = new Map<Tensor, string>();
  const tensors = new Map<string, Tensor>();
  const generators = new Map<Generator, number>();
  const above = new Set<unknown>();
  const named = (tensor: Tensor, place: string) => {
    const known = names.get(tensor);
    if (known !== undefined) return known;
    let name = place === "" ? "tensor" : place;
    while (tensors.has(name) || name === "__metadata__" || name === "__proto__") name += "_";
    names.set(tensor, name);
    tensors.set(name, tensor);
    return name;
  };
  const visit = (node: unknown, place: string): Written => {
    if (node instanceof Tensor) {
      const name = named(node, place);
      return node.dtype.name === "complex128" ? { tensor: name, dtype: "complex128" } : { tensor: name };
    }
    if (isBranch(node)) {
      if (above.has(node) || above.size === mostLevels) {
        const why = above.has(node) ? "contains itself" : `has more than ${mostLevels} levels`;
        throw new JitlabError("bad-argument", `${what}: the tree ${why}.`, "Save a tree without it.");
      }
      above.add(node);
      const written = isArray(node)
        ? { list: Array.from(node, (one, i) => visit(one, inside(place, i))) }
        : {
            object: Object.entries(node).map(([key, one]) => [key, visit(one, inside(place, key))] as const),
          };
      above.delete(node);
      return written;
    }
    if (Generator.is(node)) {
      const number = generators.get(node) ?? generators.size;
      generators.set(node, number);
      const { seed, stream } = node.state();
      return { generator: [number, String(seed), stream] };
    }
    if (typeof node === "number")
      return Number.isFinite(node) && !Object.is(node, -0)
        ? node
        : { number: Object.is(node, -0) ? "-0" : String(node) };
    if (typeof node === "bigint") return { bigint: String(node) };
    if (node === undefined) return { undefined: true };
    if (typeof node === "string" || typeof node === "boolean" || node === null) return node;
    throw new JitlabError(
      "bad-argument",
      `${what}: ${show(node)}${at(place)} cannot be saved.`,
      "A tree has tensors, numbers, texts, bools, null, undefined and generators, in arrays and plain objects.",
    );
  };
  return { written: visit(tree, ""), tensors };
}

/** The tree of a text, with tensors by their names; undefined if the text is not one. */
export function treeOf(
  text: unknown,
  tensorOf: (name: string, isComplex: boolean) => Tensor | undefined,
): { tree: unknown } | undefined {
  const generators = new Map<number, Generator>();
  const visit = (node: unknown, level: number): unknown => {
    if (typeof node !== "object" || node === null) {
      if (typeof node === "string" || typeof node === "number" || typeof node === "boolean" || node === null)
        return node;
      throw new NoTree();
    }
    const [entry, ...others] = Object.entries(node);
    const [kind, value] = entry ?? [];
    if (level > mostLevels || (others.length > 0 && kind !== "tensor")) throw new NoTree();
    switch (kind) {
      case "tensor": {
        const tensor = tensorOf(String(value), (node as { dtype?: unknown }).dtype === "complex128");
        if (tensor === undefined) throw new NoTree();
        return tensor;
      }
      case "list":
        return listOf(value).map((one) => visit(one, level + 1));
      case "object":
        return Object.fromEntries(
          listOf(value).map((pair) => {
            const [key, one] = listOf(pair);
            return [String(key), visit(one, level + 1)];
          }),
        );
      case "number":
        return Number(value);
      case "bigint":
        return integerOf(value);
      case "generator": {
        const [number, seed, stream] = listOf(value);
        if (!Number.isSafeInteger(stream) || (stream as number) < 0) throw new NoTree();
        const known =
          generators.get(number as number) ??
          new Generator({ seed: BigInt.asIntN(64, integerOf(seed)), stream: stream as number });
        generators.set(number as number, known);
        return known;
      }
      case "undefined":
        return undefined;
      default:
        throw new NoTree();
    }
  };
  try {
    return { tree: visit(text, 0) };
  } catch (error) {
    if (error instanceof NoTree) return undefined;
    throw error;
  }
}

/** A text that is not a tree. */
class NoTree extends Error {}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new NoTree();
}

function integerOf(value: unknown): bigint {
  if (typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  throw new NoTree();
}

/** The first difference between a file's tree and another of the same structure, in words; undefined if there is none. */
export function firstDifference(file: unknown, like: unknown, place = ""): string | undefined {
  if (isBranch(file) && isBranch(like) && isArray(file) === isArray(like)) {
    const keys = new Set([...Object.keys(like), ...Object.keys(file)]);
    const part = (tree: object, key: string) =>
      Object.hasOwn(tree, key) ? (tree as Readonly<Record<string, unknown>>)[key] : undefined;
    for (const key of keys) {
      const found = firstDifference(part(file, key), part(like, key), inside(place, key));
      if (found !== undefined) return found;
    }
    return isArray(file) && isArray(like) && file.length !== like.length
      ? `the file has ${describe(file)}${at(place)}, and like ${describe(like)}`
      : undefined;
  }
  const [own, other] = [describe(file), describe(like)];
  return own === other ? undefined : `the file has ${own}${at(place)}, and like ${other}`;
}

function describe(node: unknown): string {
  if (node instanceof Tensor) return `a ${node.dtype.name} tensor of shape ${formatShape(node.shape)}`;
  if (isArray(node)) return `a list of ${node.length}`;
  if (isBranch(node)) return "an object";
  if (Generator.is(node)) return "a generator";
  if (node === undefined) return "nothing";
  if (node === null) return "null";
  return typeof node === "object" ? show(node) : `a ${typeof node}`;
}

function inside(place: string, key: string | number): string {
  return place === "" ? `${key}` : `${place}.${key}`;
}

function at(place: string): string {
  return place === "" ? "" : ` at ${place}`;
}
