// Views of values that a program computes: the maps that compute such a value read their operands through the view instead, so
// that a kernel may continue with its result. No element is computed twice: all readers of the value see it through one view
// that repeats no element, and the maps compute nothing else.

import { overlapsItself, sameNumbers } from "../geometry/layout.js";
import { isMap, type MapNode, type Node, type Value } from "./ir.js";
import { movedMaps, readingWhole } from "./moved-maps.js";
import { isElementwise, isPositioned, readsOf } from "./node-operands.js";
import { sameWindow, type Window } from "./window.js";

/** The nodes with views moved from results to operands, in their order; `kept` are the values that are needed as they are. */
export function pushViews(nodes: readonly Node[], kept: ReadonlySet<Value>): readonly Node[] {
  const pushing = new Pushing(nodes, kept);
  for (let i = nodes.length - 1; i >= 0; i--) pushing.push(i);
  return pushing.nodes;
}

class Pushing {
  readonly nodes: Node[];
  /** The indexes of the nodes that read a value. */
  readonly #readers = new Map<Value, Set<number>>();

  constructor(
    nodes: readonly Node[],
    readonly kept: ReadonlySet<Value>,
  ) {
    this.nodes = [...nodes];
    for (const [index, node] of nodes.entries()) this.#note(node, index);
  }

  /** Moves the view through which a node's result is read. */
  push(index: number): void {
    const node = this.nodes[index] as Node;
    const [value] = node.made as readonly [Value];
    const window = this.#canMove(node) ? this.#viewOf(value) : undefined;
    const cluster = window && this.#clusterOf(index);
    const maps = cluster?.map((at) => this.nodes[at] as MapNode);
    const moved = maps && movedMaps(maps, window as Window);
    if (moved === undefined) return;
    const readers = this.#readers.get(value) ?? [];
    for (const [i, at] of (cluster ?? []).entries()) this.#replace(at, moved[i] as MapNode);
    const [result] = (this.nodes[index] as Node).made as readonly [Value];
    for (const at of readers) this.#replace(at, readingWhole(this.nodes[at] as Node, value, result));
  }

  #note(node: Node, index: number): void {
    for (const { value } of readsOf(node)) {
      this.#readers.set(value, (this.#readers.get(value) ?? new Set()).add(index));
    }
  }

  #replace(index: number, node: Node): void {
    this.nodes[index] = node;
    this.#note(node, index);
  }

  /** True for a map whose result may have another layout. */
  #canMove(node: Node): node is MapNode {
    const [value] = node.made as readonly [Value];
    return (
      isMap(node) &&
      node.made.length === 1 &&
      !isPositioned(node) &&
      node.bases.every((base) => base === undefined) &&
      !this.kept.has(value) &&
      value.shape !== undefined &&
      sameNumbers(value.shape, node.slot.domain)
    );
  }

  /**
   * The view through which all readers see a value; undefined if there are several, if one sees the whole value, or if none
   * could continue with its elements.
   */
  #viewOf(value: Value): Window | undefined {
    let view: Window | undefined;
    let isContinued = false;
    for (const reader of this.#readers.get(value) ?? []) {
      const node = this.nodes[reader] as Node;
      for (const { value: read, window } of readsOf(node)) {
        if (read !== value) continue;
        isContinued ||= !isMap(node) || sameNumbers(window.shape, node.slot.domain);
        if (value.isWhole(window) || (view && !sameWindow(view, window))) return undefined;
        view = window;
      }
    }
    if (view === undefined || view.size === 0 || overlapsItself(view.shape, view.strides)) return undefined;
    return isContinued ? view : undefined;
  }

  /**
   * The maps that compute nothing but the result of the last of them, latest first; undefined if others need what they read
   * from maps that share their kernel.
   */
  #clusterOf(index: number): readonly number[] | undefined {
    const found = new Set([index]);
    for (let at = index - 1; at >= 0; at--) {
      const node = this.nodes[at] as Node;
      const [value] = node.made as readonly [Value];
      const readers = [...(this.#readers.get(value) ?? [])];
      const isNear = readers.some((reader) => found.has(reader) && this.#isElementwise(reader, value));
      if (!isNear || !isMap(node) || this.kept.has(value)) continue;
      if (!this.#canMove(node)) return undefined;
      if (!readers.every((reader) => found.has(reader) && this.#isElementwise(reader, value)))
        return undefined;
      found.add(at);
    }
    return [...found];
  }

  /** True if a map reads a value element by element. */
  #isElementwise(reader: number, value: Value): boolean {
    const node = this.nodes[reader] as MapNode;
    return readsOf(node).every((read) => read.value !== value || isElementwise(read, node.slot.domain));
  }
}
