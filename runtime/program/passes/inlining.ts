// Values that are computed where they are read instead of being stored between kernels. A reduction that reads them includes
// the maps in its kernel. Several kernels may recompute them if that moves fewer bytes.

import { sameNumbers } from "../../geometry/layout.js";
import {
  eachSource,
  isMap,
  isOpaque,
  isScan,
  type Makers,
  type MapNode,
  makersOf,
  type Node,
  type ScanNode,
  type Value,
} from "../operations/ir.js";
import { readsFrom, readsOf } from "../operations/reads.js";
import { bytesRead, isFastAround, isLong, isRepeatable, pays } from "./cost.js";
import { domainIn, fitsBefore, fitsBuffer, fitsMaps, isShareable, scansThrough } from "./fits.js";
import { isHere, type Loop, type Rows, reductionParts } from "./loop.js";
import { change } from "./pass.js";

/** Lets kernels compute what they read from another one, and drops unneeded kernels. */
export const inline = change(({ loops, roots, isLast }) => {
  const inlining = new Inlining(loops, roots, isLast);
  for (const loop of loops) inlining.empty(loop);
  return { loops: loops.filter((loop) => prune(loop, inlining.makers)) };
});

class Inlining {
  /** The loops that read a value from memory, or compute it themselves. */
  readonly #readers = new Map<Value, Set<Loop>>();
  /** Partly replaced values: their memory may change before a later read. */
  readonly #replaced = new Set<Value>();
  readonly makers: Makers;

  constructor(
    loops: readonly Loop[],
    readonly roots: ReadonlySet<Value>,
    readonly isLast: boolean,
  ) {
    this.makers = makersOf(loops.flatMap(({ nodes }) => nodes));
    for (const loop of loops) this.#note(loop, loop.nodes);
  }

  /** Moves a loop's computations to the loops that read them. */
  empty(loop: Loop): void {
    if (loop.rows !== undefined) return;
    for (const value of [...loop.stored]) {
      if (this.roots.has(value) || this.#replaced.has(value)) continue;
      const readers = [...(this.#readers.get(value) ?? [])].filter((one) => one !== loop);
      const maps = this.#mapsOf(value, loop);
      if (readers.length === 0 || maps === undefined || !this.#pays(maps, value, readers.length, loop))
        continue;
      if (!readers.every((reader) => canHold(reader, maps, value))) continue;
      for (const reader of readers) {
        if (!isHeld(reader)) reader.rows = undefined;
        reader.nodes.unshift(...maps.filter((node) => !reader.nodes.includes(node)));
        reader.nodes.sort((a, b) => a.id - b.id);
        this.#note(reader, maps);
      }
      loop.stored.delete(value);
    }
  }

  #note(loop: Loop, nodes: readonly Node[]): void {
    for (const node of nodes) {
      for (const base of node.bases) if (base) this.#replaced.add(base);
      for (const { value } of readsOf(node)) {
        const loops = this.#readers.get(value) ?? new Set();
        this.#readers.set(value, loops.add(loop));
      }
    }
  }

  /** The maps of a loop that compute a value from values in memory; undefined if other loops cannot run them. */
  #mapsOf(value: Value, { nodes, stored }: Loop): MapNode[] | undefined {
    const found = new Set<MapNode>();
    const rest = [value];
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
      const node = this.makers.get(one);
      if (node === undefined || !isMap(node) || !canMove(node)) return undefined;
      found.add(node);
      for (const { value: read } of readsOf(node)) {
        if (this.#replaced.has(read)) return undefined;
        const maker = this.makers.get(read);
        const isInside = maker !== undefined && nodes.includes(maker) && !stored.has(read);
        if (isInside && !found.has(maker as MapNode)) rest.push(read);
      }
    }
    return [...found].sort((a, b) => a.id - b.id);
  }

  /** True if recomputing a value in its readers moves at most as many bytes as storing and reading it. */
  #pays(maps: readonly MapNode[], value: Value, readers: number, loop: Loop): boolean {
    const repeated = readers > 1 || !this.isLast ? maps : stayingIn(loop, maps, value);
    if (!isRepeatable(repeated)) return false;
    const bytes = bytesRead(maps);
    return readsFrom(maps).length > 0 && pays(readers * bytes, bytes, value, readers * value.bytes);
  }
}

/** The maps of a value that a loop still computes when others compute the value: what else it needs of them, latest first. */
function stayingIn({ nodes, stored }: Loop, maps: readonly MapNode[], value: Value): readonly MapNode[] {
  const needed = new Set([...stored].filter((one) => one !== value));
  for (const node of nodes) {
    if (!maps.includes(node as MapNode)) for (const read of readsOf(node)) needed.add(read.value);
  }
  return maps.toReversed().filter((node) => {
    if (!node.made.some((one) => needed.has(one))) return false;
    for (const read of readsOf(node)) needed.add(read.value);
    return true;
  });
}

/** Keeps the nodes that stored results need; false if there are none. */
function prune({ nodes, stored }: Loop, makers: Makers): boolean {
  const needed = new Set<Node>();
  const rest = [...stored];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    const node = makers.get(value);
    if (node === undefined || needed.has(node) || !nodes.includes(node)) continue;
    needed.add(node);
    eachSource(node, (source) => rest.push(source));
  }
  if (needed.size < nodes.length) nodes.splice(0, nodes.length, ...nodes.filter((node) => needed.has(node)));
  return nodes.length > 0;
}

/** True for a map that another kernel can run for its own elements. */
function canMove(node: MapNode): boolean {
  return isShareable(node) && !isLong(node) && node.bases.every((base) => !base);
}

/** True if a loop's kernel has room for maps, and every node in it that reads their value does so in their order. */
function canHold(loop: Loop, maps: readonly MapNode[], value: Value): boolean {
  const { axes, nodes, rows } = loop;
  if (nodes.some(isOpaque) || nodes[0]?.slot.device !== value.device) return false;
  if (rows !== undefined && isHeld(loop)) return canHoldInRows(rows, nodes, maps);
  const parts = reductionParts(nodes);
  if (parts?.after.some((node) => readsOf(node).some((read) => read.value === value))) return false;
  const own = parts ? [...parts.before, ...parts.reductions] : (nodes as readonly MapNode[]);
  const maker = maps.at(-1) as MapNode;
  const shape = maker.slot.domain;
  for (const node of own) {
    if (node.bases.includes(value)) return false;
    if (isMap(node) && (!isShareable(node) || !sameNumbers(node.slot.domain, shape))) return false;
    for (const read of readsOf(node)) {
      if (read.value === value && !isHere(read, maker, node, axes)) return false;
    }
  }
  const all = [...new Set<Node>([...maps, ...own])];
  if (parts) return fitsBefore(parts.reductions[0], all);
  const scan = nodes.find(isScan);
  return scan ? maySweep(scan, maps, all) : fitsMaps(all, nodes);
}

/** True for a loop whose rows are held for more than one reduction. */
function isHeld({ rows, nodes }: Loop): boolean {
  return rows !== undefined && nodes.length > 1;
}

/** True if a kernel that holds rows has room for maps, each at the points or rows where its results are read. */
function canHoldInRows(rows: Rows, nodes: readonly Node[], maps: readonly MapNode[]): boolean {
  const all = [...new Set([...maps, ...nodes])].sort((a, b) => a.id - b.id);
  const makers = makersOf(maps);
  const isNear = (node: Node) =>
    readsOf(node).every((read) => {
      const maker = makers.get(read.value);
      return maker === undefined || isHere(read, maker, node, rows);
    });
  return all.every((node) => domainIn(rows, node) !== undefined && isNear(node)) && fitsBuffer(all, rows);
}

/** True if a scan can compute its elements by maps, and as fast as it reads them. */
function maySweep(scan: ScanNode, maps: readonly MapNode[], nodes: readonly Node[]): boolean {
  const how = scansThrough(scan, maps, nodes);
  if (how === undefined || maps.some(isLong)) return false;
  return (how === "once" || isRepeatable(maps)) && isFastAround(scan, nodes, 1);
}
