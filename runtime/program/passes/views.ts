// Views of values that a program computes: the maps that compute such a value read their operands through the view instead, so
// that a kernel may continue with its result. A value that is seen through several views is computed for each of them, if
// that costs little and saves a kernel or memory traffic. A copy is never stored: a value that would be is computed once.

import { distinctElements, overlapsItself, sameNumbers, sizeOf } from "../../geometry/layout.js";
import { isMap, isOpaque, type MapNode, type Node, type Value, windowOf } from "../operations/ir.js";
import { isPositioned, readsFrom, readsOf } from "../operations/reads.js";
import { sameWindow, type Window } from "../operations/window.js";
import { isRepeatable, pays, timeOf, timeRead } from "./cost.js";
import { isAtPoint } from "./loop.js";
import { movedMaps, originOf, readingWhole, seenBy } from "./moved-maps.js";
import type { Graph, Pass } from "./pass.js";

// How often copies are tried; each time with those that would be stored left out.
const mostRounds = 4;

/** Moves views; of the graphs without and with copies, the one with fewer loops is the result. */
export const views: Pass = (graph, rest) => {
  const { nodes, kept } = graph;
  if (!isMovable(graph)) return rest(graph);
  const moved = pushViews(nodes, { kept, single: undefined });
  const plain = rest({ ...graph, nodes: moved.nodes });
  if (!moved.isPartial) return plain;
  const single = new Set<Value>();
  for (let round = 0; round < mostRounds; round++) {
    const copied = pushViews(nodes, { kept, single });
    const copies = copiesIn(copied.nodes);
    if (copies.size === 0) break;
    const found = rest({ ...graph, nodes: copied.nodes });
    const stored = found.loops.flatMap((loop) => [...loop.stored]).map(originOf);
    const failing = stored.filter((value) => copies.has(value));
    if (failing.length === 0) return found.loops.length <= plain.loops.length ? found : plain;
    for (const value of failing) single.add(value);
  }
  return plain;
};

/** Only memory of the plan itself may have a value's elements in another order; it is on one device. */
function isMovable({ nodes, isLast }: Graph): boolean {
  return isLast && nodes.every(({ slot }) => slot.device === nodes[0]?.slot.device);
}

/** The values that several nodes compute, or one whose result has more elements. */
function copiesIn(nodes: readonly Node[]): ReadonlySet<Value> {
  const seen = new Set<Value>();
  const found = new Set<Value>();
  for (const value of nodes.flatMap(({ made }) => made)) {
    const origin = originOf(value);
    if (seen.has(origin) || value.bytes > origin.bytes) found.add(origin);
    seen.add(origin);
  }
  return found;
}

/** What a program needs of its values. */
interface Needs {
  /** Values that are needed as they are. */
  readonly kept: ReadonlySet<Value>;
  /** Values that are computed at most once; undefined for all. */
  readonly single: ReadonlySet<Value> | undefined;
}

/** Nodes with views moved from results to operands. */
interface Pushed {
  /** In their order; copies follow their originals, with the same id. */
  readonly nodes: readonly Node[];
  /** True if views were left that need copies. */
  readonly isPartial: boolean;
}

/** Moves views from results to operands. */
function pushViews(nodes: readonly Node[], needs: Needs): Pushed {
  if (!nodes.some(readsView)) return { nodes, isPartial: false };
  const pushing = new Pushing(nodes, needs);
  for (let i = nodes.length - 1; i >= 0; i--) pushing.push(i);
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: Node) => places.get(id) as number;
  return { nodes: pushing.nodes.sort((a, b) => placeOf(a) - placeOf(b)), isPartial: pushing.isPartial };
}

/** True if a node reads a result through a view. */
function readsView(node: Node): boolean {
  return node.values.some((value, i) => {
    const window = value?.node && windowOf(node, i);
    return window !== undefined && !value?.isWhole(seenBy(node, window));
  });
}

const mostViews = 8;
// Maps that compute an element for each of its repetitions.
const mostSpread = 4;

class Pushing {
  readonly nodes: Node[];
  isPartial = false;
  /** The indexes of the nodes that read a value. */
  readonly #readers = new Map<Value, Set<number>>();
  readonly #made = new Set<Value>();

  constructor(
    nodes: readonly Node[],
    readonly needs: Needs,
  ) {
    this.nodes = [...nodes];
    for (const [index, node] of nodes.entries()) this.#note(node, index);
  }

  /** Moves the views through which a node's result is read. */
  push(index: number): void {
    const node = this.nodes[index] as Node;
    const [value] = node.made as readonly [Value];
    const views = this.#canMove(node) ? this.#viewsOf(value) : [];
    const moving = views.filter((view) => !value.isWhole(view));
    const [only] = views as readonly [Window];
    const isMove = views.length === 1 && !overlapsItself(only.shape, only.strides);
    this.isPartial ||= moving.length > 0 && !isMove;
    if (moving.length === 0 || (!isMove && this.needs.single === undefined)) return;
    const cluster = this.#clusterOf(index);
    if (cluster === undefined) return;
    const maps = cluster.map((at) => this.nodes[at] as MapNode);
    if (!isMove && !this.#mayCopy(value, maps, views, moving)) return;
    const moved = moving.map((view) => movedMaps(maps, view));
    if (!moved.every((one) => one !== undefined)) return;
    const copied = () => moved.reduce((sum, copy) => sum + timeRead(copy), 0);
    if (!isMove && !paysCopied(copied(), value, maps, views, moving.length)) return;
    moving.forEach((view, i) => {
      const own = moved[i] as readonly MapNode[];
      // The first copy replaces the original if nothing reads that.
      if (i === 0 && moving.length === views.length) {
        cluster.forEach((at, k) => void this.#replace(at, own[k] as MapNode));
      } else {
        for (const copy of own) this.#replace(this.nodes.length, copy);
      }
      const [result] = (own[0] as MapNode).made as readonly [Value];
      for (const at of this.#readers.get(value) ?? [])
        this.#replace(at, readingWhole(this.nodes[at] as Node, value, view, result));
    });
  }

  #note(node: Node, index: number): void {
    for (const value of node.made) this.#made.add(value);
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
      !this.needs.kept.has(value) &&
      value.shape !== undefined &&
      sameNumbers(value.shape, node.slot.domain)
    );
  }

  /** The different views through which a value is read; none if a kernel could not continue with one of them. */
  #viewsOf(value: Value): readonly Window[] {
    const views: Window[] = [];
    for (const reader of this.#readers.get(value) ?? []) {
      const node = this.nodes[reader] as Node;
      for (const { value: read, window } of readsOf(node)) {
        if (read !== value) continue;
        const view = seenBy(node, window);
        // A reduction's order depends on the strides of what it reads, and what an opaque operation computes.
        const isRepeated = !isMap(node) && overlapsItself(view.shape, view.strides);
        if (isOpaque(node) && !value.isWhole(view)) return [];
        if (isRepeated || view.size === 0) return [];
        if (!views.some((one) => sameWindow(one, view))) views.push(view);
      }
    }
    return views.length > mostViews ? [] : views;
  }

  /** True if a value may be computed for each of its views, by copies of maps. */
  #mayCopy(
    value: Value,
    maps: readonly MapNode[],
    views: readonly Window[],
    moving: readonly Window[],
  ): boolean {
    const { single } = this.needs;
    if (single === undefined || maps.some(({ made }) => single.has(originOf(made[0] as Value)))) return false;
    const elements = views.reduce((sum, { size }) => sum + size, 0);
    if (elements > sizeOf(value.shape ?? []) && !isRepeatable(maps)) return false;
    const isSpread = views.some(({ shape, strides }) => overlapsItself(shape, strides));
    const isFromLeaves = () => readsFrom(maps).every((read) => !this.#made.has(read.value));
    if (isSpread && (maps.length > mostSpread || !isFromLeaves())) return false;
    // Most copies that would not pay are never made: each reads what its view shows of the operands that have an element for
    // each of the value's.
    const least = readsFrom(maps).reduce((sum, { window: { shape, strides, dtype } }) => {
      return distinctElements(shape, strides) === sizeOf(value.shape ?? []) ? sum + dtype.bytes : sum;
    }, 0);
    const seen = moving.reduce((sum, { shape, strides }) => sum + distinctElements(shape, strides), 0);
    return paysCopied(least * seen, value, maps, views, moving.length);
  }

  /**
   * The maps that compute nothing but the result of the last of them, latest first; undefined if others need what they read
   * from maps that share their kernel.
   */
  #clusterOf(index: number): readonly number[] | undefined {
    const found = new Set([index]);
    const read = new Set(
      (this.nodes[index] as Node).values.filter((value) => value && this.#made.has(value)),
    );
    for (let at = index - 1; at >= 0 && read.size > 0; at--) {
      const node = this.nodes[at] as Node;
      const [value] = node.made as readonly [Value];
      if (!read.delete(value)) continue;
      const readers = [...(this.#readers.get(value) ?? [])];
      const isNear = readers.some((reader) => found.has(reader) && this.#isElementwise(reader, value));
      if (!isNear || !isMap(node) || this.needs.kept.has(value)) continue;
      if (!this.#canMove(node)) return undefined;
      if (!readers.every((reader) => found.has(reader) && this.#isElementwise(reader, value)))
        return undefined;
      found.add(at);
      for (const source of node.values) if (source && this.#made.has(source)) read.add(source);
    }
    return [...found];
  }

  /** True if a map reads a value element by element. */
  #isElementwise(reader: number, value: Value): boolean {
    const node = this.nodes[reader] as MapNode;
    return readsOf(node).every((read) => read.value !== value || isAtPoint(read, node.slot.domain));
  }
}

/** True if copies of maps, which read so much, cost no more than storing their value and reading it through views. */
function paysCopied(
  read: number,
  value: Value,
  maps: readonly MapNode[],
  views: readonly Window[],
  copies: number,
): boolean {
  // Maps stay where a view is not moved.
  const made = views.length > copies ? 0 : timeRead(maps);
  return pays(read, made, value, timeOf(views));
}
