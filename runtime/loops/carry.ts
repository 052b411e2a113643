// The carry of a loop: a tree of tensors that keeps its structure, shapes and dtypes from step to step.
import { isArray, JitlabError, show } from "../base/errors.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { Tensor } from "../tensor/tensor.js";
import { isBranch, mapTree, withLeaves } from "../tensor/tree.js";

/** The tensors of a carry, with where each stands in it. */
interface Part {
  readonly place: string;
  readonly x: Tensor;
}

/** What a carry has to keep. */
export class Carry {
  readonly #parts: readonly Part[];

  constructor(
    readonly what: string,
    readonly init: unknown,
  ) {
    this.#parts = this.#partsOf(init, "the initial carry");
    if (this.#parts.length > 0) return;
    throw new JitlabError(
      "bad-argument",
      `${what}: the initial carry has no tensor.`,
      "It is a tensor, or arrays and objects of tensors.",
    );
  }

  #partsOf(carry: unknown, place: string): Part[] {
    const parts: Part[] = [];
    let count = 0;
    withLeaves(carry, `in the carry of ${this.what}`, (leaf) => {
      if (leaf instanceof Tensor) {
        parts.push({ place: `tensor ${count++} of the carry`, x: leaf });
      } else if (leaf !== undefined && leaf !== null) {
        throw new JitlabError(
          "bad-argument",
          `${this.what}: ${place} has ${show(leaf)}, which is not a tensor.`,
          typeof leaf === "object"
            ? "A carry is a tensor, or arrays and plain objects of tensors: pass a Map's or an instance's tensors in one."
            : "Pass a tensor, such as jl.tensor(0); numbers that stay the same may come from the surroundings.",
        );
      }
    });
    return parts;
  }

  /** Throws if the carry after a step differs in its structure, a shape or a dtype from the initial one. */
  check(carry: unknown, step: number): void {
    const parts = this.#partsOf(inOrder(carry, this.init), `the carry after step ${step}`);
    if (parts.length !== this.#parts.length) {
      throw new JitlabError(
        "shape-mismatch",
        `${this.what}: the carry has ${parts.length} tensors after step ${step}, and had ${this.#parts.length}.`,
        "Each step returns a carry in the structure of the initial one.",
      );
    }
    for (const [i, { place, x }] of this.#parts.entries()) {
      const own = (parts[i] as Part).x;
      if (own.dtype !== x.dtype) {
        throw new JitlabError(
          "dtype-refused",
          `${this.what}: ${place} is ${own.dtype.name} after step ${step}, and was ${x.dtype.name}.`,
          `Begin with .to("${own.dtype.name}"), or convert it in each step.`,
        );
      }
      if (!sameNumbers(own.shape, x.shape)) {
        throw new JitlabError(
          "shape-mismatch",
          `${this.what}: ${place} has the shape ${formatShape(own.shape)} after step ${step}, and had ${formatShape(x.shape)}.`,
          "Begin with a carry of that shape, or keep its shape in each step.",
        );
      }
    }
  }
}

/** The tensors of a carry in the order of the initial one, whose keys may stand in another. */
export function alike(what: string, carry: unknown, init: unknown): Tensor[] {
  if (init instanceof Tensor) {
    if (carry instanceof Tensor) return [carry];
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the carry has ${show(carry)} after a step where the initial one has a tensor.`,
      "Each step returns a carry in the structure of the initial one.",
    );
  }
  if (!isBranch(init)) return [];
  return Object.entries(init).flatMap(([key, one]) =>
    alike(what, isBranch(carry) ? (carry as Record<string, unknown>)[key] : undefined, one),
  );
}

/** A tree with other tensors, in their order. */
export function treeOf<T>(tree: T, tensors: readonly View[]): T {
  let k = 0;
  return mapTree(tree, () => tensors[k++], true) as T;
}

/** A carry with the keys in the order of the initial one. */
function inOrder(carry: unknown, init: unknown): unknown {
  if (!isBranch(carry) || !isBranch(init) || isArray(carry) !== isArray(init)) return carry;
  const [own, first] = [carry, init] as [Record<string, unknown>, Record<string, unknown>];
  const keys = [...new Set([...Object.keys(first).filter((key) => key in own), ...Object.keys(own)])];
  const ordered = keys.map((key) => [key, inOrder(own[key], first[key])] as const);
  return isArray(carry) ? ordered.map(([, one]) => one) : Object.fromEntries(ordered);
}
