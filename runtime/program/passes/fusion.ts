// Divides nodes into loops: a node joins the first loop behind its operands whose kernel may hold it. Loops are ordered so
// that each finds its inputs in memory.

import { isComposable } from "../../codegen/composition/composer.js";
import { sameNumbers } from "../../geometry/layout.js";
import {
  eachSource,
  isMap,
  isReduction,
  type Makers,
  type MapNode,
  makersOf,
  type Node,
  type Value,
} from "../operations/ir.js";
import { isPositioned, isSameRead, type Read, readsOf } from "../operations/reads.js";
import type { ResultClass } from "../operations/slot.js";
import { sameWindow, type Window } from "../operations/window.js";
import { isBrief, isWorthHolding } from "./cost.js";
import { domainIn, fitsAfter, fitsBuffer, fitsFlat, rowsOf, type Size } from "./fits.js";
import {
  type Axes,
  axesOf,
  isHere,
  type Loop,
  type ReductionParts,
  type Rows,
  reductionParts,
} from "./loop.js";
import { change, type Graph } from "./pass.js";

/** A loop for each node. */
export const alone = change((graph) => ({ loops: loopsOf(graph, true) }));

/** Lets nodes share loops. */
export const fuse = change((graph) => ({ loops: loopsOf(graph, false) }));

function loopsOf({ nodes, roots }: Graph, isAlone: boolean): Loop[] {
  const fusion = new Fusion(roots, isAlone, makersOf(nodes), nodes);
  for (const node of nodes) fusion.add(node);
  fusion.store();
  return fusion.loops.flatMap(cut);
}

/** Kernels with more parts that share no value take a compiler longer than several of them. */
const mostParts = 16;

/** A loop as several, if it has too many parts. */
function cut(loop: Loop): Loop[] {
  const parts = loop.nodes.length > mostParts ? separated(loop) : none;
  if (parts.length <= mostParts) return [loop];
  const { axes, rows } = loop;
  return Array.from({ length: Math.ceil(parts.length / mostParts) }, (_, i) => {
    const some = parts.slice(i * mostParts, (i + 1) * mostParts);
    const nodes = some.flatMap((part) => part.nodes).sort((a, b) => a.id - b.id);
    return { axes, rows, nodes, stored: new Set(some.flatMap(({ stored }) => [...stored])) };
  });
}

const none: readonly never[] = [];

/** The parts of a loop of maps that share no value, each in order. */
export function separated(loop: Loop): Loop[] {
  const { axes, nodes, stored } = loop;
  if (!nodes.every(isMap)) return [loop];
  // Union-find: each value points to another one of its part; the last one represents the part.
  const next = new Map<Value, Value>();
  const last = (value: Value): Value => {
    let one = value;
    for (let after = next.get(one); after !== undefined; after = next.get(one)) one = after;
    return one;
  };
  for (const node of nodes) {
    const end = last(node.made[0] as Value);
    for (const value of [...node.values, ...node.bases, ...node.made]) {
      if (value && last(value) !== end) next.set(last(value), end);
    }
  }
  const parts = new Map<Value, Loop>();
  for (const node of nodes) {
    const end = last(node.made[0] as Value);
    const part = parts.get(end);
    if (part) part.nodes.push(node);
    else parts.set(end, { axes, nodes: [node], rows: undefined, stored: new Set() });
  }
  for (const value of stored) parts.get(last(value))?.stored.add(value);
  return [...parts.values()];
}

/** The arguments of a loop's kernel, as known while the loop grows. */
interface LoopSize {
  readonly reads: Read[];
  outputs: number;
  scalars: number;
  /** True if one of its maps uses positions. */
  isPositioned: boolean;
  /** True if one of its nodes is a reduction. */
  hasReduction: boolean;
}

function sizeOf({ reads, outputs, scalars }: LoopSize): Omit<Size, "steps"> {
  return { operands: reads.length, outputs, scalars };
}

class Fusion {
  readonly loops: Loop[] = [];
  readonly #loopOf = new Map<Node, number>();
  /** The windows through which nodes of each loop read a value's memory, for writes into it. */
  readonly #readers = new Map<Value, { readonly at: number; readonly window: Window }[]>();
  readonly #sizes: LoopSize[] = [];
  readonly #reads = new Map<Node, readonly Read[]>();

  constructor(
    readonly roots: ReadonlySet<Value>,
    readonly isAlone: boolean,
    readonly makers: Makers,
    readonly nodes: readonly Node[],
  ) {}

  add(node: Node): void {
    const first = this.#first(node);
    let at = this.isAlone ? -1 : this.#fitting(node, first);
    if (at < 0) {
      at = this.loops.push({ axes: axesOf(node), nodes: [], rows: undefined, stored: new Set() }) - 1;
      this.#sizes.push({ reads: [], outputs: 0, scalars: 0, isPositioned: false, hasReduction: false });
    }
    const loop = this.loops[at] as Loop;
    loop.axes = this.#axesWith(loop, node, at);
    loop.nodes.push(node);
    if (isReduction(node) && !this.isAlone) loop.rows ??= this.#rowsOf(node);
    this.#loopOf.set(node, at);
    this.#note(node, at);
  }

  /** Marks the requested results, and those read outside of their kernel or not element by element. */
  store(): void {
    for (const [at, { nodes }] of this.loops.entries()) {
      for (const node of nodes) {
        for (const read of this.#readsOf(node)) if (!this.#isInside(read, node, at)) this.#keep(read.value);
        for (const base of node.bases) if (base) this.#keep(base);
      }
    }
    for (const root of this.roots) this.#keep(root);
  }

  #readsOf(node: Node): readonly Read[] {
    let reads = this.#reads.get(node);
    if (reads === undefined) {
      reads = readsOf(node);
      this.#reads.set(node, reads);
    }
    return reads;
  }

  #note(node: Node, at: number): void {
    const size = this.#sizes[at] as LoopSize;
    const reads = this.#readsOf(node);
    size.isPositioned ||= isMap(node) && isPositioned(node);
    size.hasReduction ||= isReduction(node);
    size.scalars += node.values.length - reads.length + (isMap(node) ? node.parameters.length : 0);
    node.made.forEach((value, i) => {
      if (node.bases[i] || this.roots.has(value)) size.outputs++;
    });
    for (const read of reads) {
      const { value, window } = read;
      const known = size.reads.some((one) => isSameRead(one, read));
      if (!known && !this.#isInside(read, node, at)) size.reads.push(read);
      const readers = this.#readers.get(value) ?? [];
      readers.push({ at, window });
      this.#readers.set(value, readers);
    }
  }

  #keep(value: Value): void {
    const at = this.#producer(value);
    if (at !== undefined) this.loops[at]?.stored.add(value);
  }

  /**
   * The first loop that may run a node: after the loops that store its inputs, after the readers of the memory that it overwrites,
   * and no earlier than what it comes behind.
   */
  #first(node: Node): number {
    let first = 0;
    eachSource(node, (source) => {
      const at = this.#producer(source);
      if (at !== undefined) first = Math.max(first, at + 1);
    });
    // A result that is read element by element may be read in the kernel that computes it.
    if (first > 0) {
      const last = first - 1;
      const apart = ({ value }: Read) => this.#producer(value) !== last;
      const inside = this.#readsOf(node).every((read) => apart(read) || this.#isInside(read, node, last));
      const based = node.bases.some((base) => base && this.#producer(base) === last);
      if (inside && !based) first = last;
    }
    node.bases.forEach((base, i) => {
      const written = (node.slot.results[i] as ResultClass).window;
      for (const { at, window } of (base && this.#readers.get(base)) ?? []) {
        first = Math.max(first, sameWindow(window, written) ? at : at + 1);
      }
    });
    for (const value of node.behind ?? []) first = Math.max(first, this.#producer(value) ?? 0);
    return first;
  }

  #producer(value: Value): number | undefined {
    const maker = value.deferred ? this.makers.get(value) : undefined;
    return maker && this.#loopOf.get(maker);
  }

  #isInside(read: Read, node: Node, at: number): boolean {
    if (this.#producer(read.value) !== at) return false;
    const axes = this.#axesWith(this.loops[at] as Loop, node, at);
    return isHere(read, this.makers.get(read.value) as Node, node, axes);
  }

  /** The axes of a loop with one more node: those of the first reduction. */
  #axesWith({ axes }: Loop, node: Node, at: number): Axes {
    return isReduction(node) && !this.#sizes[at]?.hasReduction ? axesOf(node) : axes;
  }

  /** The first loop from `first` on whose kernel has room for a node; -1 if there is none. */
  #fitting(node: Node, first: number): number {
    if (isMap(node) && !isComposable(node.slot.functor)) return -1;
    for (let at = first; at < this.loops.length; at++) {
      const loop = this.loops[at] as Loop;
      const { nodes, rows } = loop;
      const [other] = nodes as [Node];
      if (rows || !isMap(node)) {
        if (other.slot.device === node.slot.device && this.#fitsRows(node, at)) return at;
        continue;
      }
      const size = this.#sizes[at] as LoopSize;
      if (size.hasReduction) {
        if (this.#fitsAfter(node, loop)) return at;
        continue;
      }
      if (!isMap(other) || other.slot.device !== node.slot.device) continue;
      if (!sameNumbers(other.slot.domain, node.slot.domain) || !isComposable(other.slot.functor)) continue;
      if (fitsFlat(nodes as MapNode[], sizeOf(size), size.isPositioned, node)) return at;
    }
    return -1;
  }

  /** The rows of a reduction that a row kernel shall run. */
  #rowsOf(node: Node): Rows | undefined {
    const rows = rowsOf(node);
    return rows && isWorthHolding(node, rows, this.nodes) ? rows : undefined;
  }

  /** True if a loop's row kernel, or the one after adding a reduction, has room for a node. */
  #fitsRows(node: Node, at: number): boolean {
    const { nodes, rows: own } = this.loops[at] as Loop;
    // Excludes maps that only happen to have as many elements as there are rows, and reductions of other maps.
    const isReader = () => this.#readsOf(node).some(({ value }) => this.#producer(value) === at);
    if (own === undefined && !isReader()) return false;
    const rows = own ?? this.#rowsOf(node);
    const domain = rows && domainIn(rows, node);
    if (rows === undefined || domain === undefined) return false;
    if (own !== undefined && domain === "kept" && !isReader()) return false;
    // The nodes of a loop with rows are over these.
    if (own === undefined && nodes.some((one) => domainIn(rows, one) === undefined)) return false;
    return fitsBuffer([...nodes, node], rows);
  }

  /** True if the kernel of a loop's reductions computes a map over their results. */
  #fitsAfter(node: MapNode, { axes, nodes }: Loop): boolean {
    const parts = reductionParts(nodes) as ReductionParts;
    return fitsAfter(axes, parts, node) && isBrief(node, parts.reductions[0]);
  }
}
