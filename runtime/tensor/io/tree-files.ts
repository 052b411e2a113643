// Files of trees: a .safetensors file with the tensors, and the structure with everything else in its header. Other readers of the format
// see the tensors by their places, such as "model.w.0".
import { optionsOf, textOf } from "../../base/arguments.js";
import { JitlabError, show } from "../../base/errors.js";
import { viewAsComplex, viewAsReal } from "../complex-pairs.js";
import type { Tensor } from "../tensor.js";
import { tensorsIn } from "../tree.js";
import { damaged, readSafetensors, safetensorsParts } from "./safetensors.js";
import { readBytes, replaceFile } from "./tensor-files.js";
import { firstDifference, treeOf, writtenTree } from "./tree-structure.js";

// The entry of the header, and the format that this version writes.
const entry = "jitlab.tree";
const version = 1;

/** Options of loadTree. */
export interface LoadTreeOptions<T = unknown> {
  /** A tree of the expected structure, dtypes and shapes, such as one before training; its numbers and texts may differ. */
  readonly like?: T;
  /** Where the tensors are; default: the device of the tensors of `like`, else that of new tensors. */
  readonly device?: string;
}

/**
 * Writes a tree to a file: tensors, numbers, texts, bools, null, undefined and generators in arrays and plain objects. The file is new
 * before it replaces an earlier one of its name.
 *
 * @example jl.saveTree("run.safetensors", { w: jl.ones([2]), epoch: 3 }) // undefined
 */
export function saveTree(path: string, tree: unknown): void {
  const what = `saveTree: ${textOf("saveTree", "the path", path)}`;
  const { written, tensors } = writtenTree(what, tree);
  // The format has no complex128: its numbers are pairs.
  const named = Object.fromEntries(
    [...tensors].map(([name, x]) => [name, x.dtype.name === "complex128" ? viewAsReal(x) : x]),
  );
  const metadata = { [entry]: JSON.stringify({ version, tree: written }) };
  replaceFile("saveTree", path, safetensorsParts(what, named, metadata), "safetensors-file");
}

/**
 * Reads a tree that {@link saveTree} wrote. With `like` the first difference to its structure is an error.
 *
 * @example (jl.saveTree("run.safetensors", { w: jl.ones([2]), epoch: 3 }), jl.loadTree("run.safetensors", { like: { w: jl.zeros([2]), epoch: 0 } }).epoch) // 3
 */
// biome-ignore lint/suspicious/noExplicitAny: a tree of any structure, unless `like` has one
export function loadTree<T = any>(path: string, options?: LoadTreeOptions<T>): T {
  const what = `loadTree: ${textOf("loadTree", "the path", path)}`;
  const given = optionsOf("loadTree", options, ["like", "device"]);
  const device = given.device ?? tensorsIn(given.like)[0]?.device.name;
  const { entries, metadata, read } = readSafetensors(what, readBytes("loadTree", path, "safetensors-file"));
  const tensors = new Map<string, Tensor>();
  const tensorOf = (name: string, isComplex: boolean) => {
    const found = entries.get(name);
    if (found === undefined || (isComplex && (found.dtype.name !== "float64" || found.shape.at(-1) !== 2)))
      return undefined;
    const known = tensors.get(name) ?? (isComplex ? viewAsComplex(read(found, device)) : read(found, device));
    tensors.set(name, known);
    return known;
  };
  const loaded = treeOf(structureIn(what, metadata), tensorOf);
  if (loaded === undefined) throw damaged(what, "its tree is not one that saveTree writes");
  const { tree } = loaded;
  const difference = "like" in given ? firstDifference(tree, given.like) : undefined;
  if (difference === undefined) return tree as T;
  throw new JitlabError(
    "tree-mismatch",
    `${what}: ${difference}.`,
    "Pass a tree like the one that was saved, or leave out like and look at what the file has.",
  );
}

/** The text of the tree in a file's header. */
function structureIn(what: string, metadata: unknown): unknown {
  const text = (metadata as Partial<Record<string, unknown>> | undefined)?.[entry];
  if (typeof text !== "string") {
    throw new JitlabError(
      "tree-missing",
      `${what} has no tree.`,
      "jl.saveTree writes such files; jl.loadSafetensors reads the tensors of others by their names.",
    );
  }
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw damaged(what, `its tree is not JSON: ${(error as Error).message}`);
  }
  const { version: its, tree } = (found ?? {}) as { readonly version?: unknown; readonly tree?: unknown };
  if (its === version) return tree;
  if (typeof its === "number" && its > version) {
    throw new JitlabError(
      "tree-version",
      `${what} has the format ${its}, and this version of jitlab reads format ${version}.`,
      "Update jitlab: npm install jitlab@latest.",
    );
  }
  throw damaged(what, `its tree has the format ${show(its)}`);
}
