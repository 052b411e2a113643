// A loop becomes part of an earlier one whose kernel may hold it: rows of which the same elements are read, reductions of the same elements, and maps over a scan's results.

import {
  eachSource,
  isMap,
  isScan,
  type Makers,
  type MapNode,
  makersOf,
  type Node,
  type ScanNode,
  type Value,
} from "../operations/ir.js";
import { type Read, readsOf } from "../operations/reads.js";
import { isFastAround, isLong, readSame } from "./cost.js";
import { fitsBehind, fitsBuffer, fitsJoint, isJoinable } from "./fits.js";
import { isHere, type Loop, type ReductionParts, type Rows, reductionParts, sameAxes } from "./loop.js";
import { change, type Graph } from "./pass.js";

/** Row loops over the same rows that read the same elements: these are read from memory once. */
export const shareRows = change((graph) => mergeLoops(graph, ({ rows }) => rows !== undefined, mayHoldRows));

const mayHoldRows: MayHold = (earlier, loop, makers) => {
  const rows = earlier.rows as Rows;
  const isNear = (node: Node) =>
    readsOf(node).every((read) => {
      const maker = makers.get(read.value);
      return !maker || !earlier.nodes.includes(maker) || isHere(read, maker, node, rows);
    });
  return (
    sameAxes(rows, loop.rows as Rows) &&
    loop.nodes[0]?.slot.device === earlier.nodes[0]?.slot.device &&
    readSame(earlier.nodes, loop.nodes, rows) &&
    loop.nodes.every(isNear) &&
    fitsBuffer(nodesOf(earlier, loop), rows)
  );
};

/** Reductions of the same long rows, such as all elements of a tensor. Each keeps its order of joining. */
export const joinReductions = change((graph) => mergeLoops(graph, isJoinableLoop, mayHoldReductions));

function isJoinableLoop({ nodes, rows }: Loop): boolean {
  return rows === undefined && (reductionParts(nodes)?.reductions.every(isJoinable) ?? false);
}

const mayHoldReductions: MayHold = (earlier, loop, makers) => {
  const [a, b] = [earlier, loop].map(({ nodes }) => reductionParts(nodes)) as [
    ReductionParts,
    ReductionParts,
  ];
  const all = nodesOf(earlier, loop);
  const { before, after } = reductionParts(all) as ReductionParts;
  const reductions = [...a.reductions, ...b.reductions] as const;
  const isFrom = ({ nodes }: Loop, { value }: Read) => nodes.includes(makers.get(value) as Node);
  const isIndependent = (read: Read) => isFrom(loop, read) || !isFrom(earlier, read);
  const results = makersOf([...a.reductions, ...a.after]);
  const isOfResults = (read: Read, node: Node) => {
    const maker = results.get(read.value);
    return maker !== undefined && isHere(read, maker, node, earlier.axes);
  };
  return (
    readSame([...a.before, ...a.reductions], [...b.before, ...b.reductions], earlier.axes) &&
    [...b.before, ...b.reductions].flatMap(readsOf).every(isIndependent) &&
    b.after.every((node) => readsOf(node).every((read) => isIndependent(read) || isOfResults(read, node))) &&
    before.length + reductions.length + after.length === all.length &&
    fitsJoint({ before, reductions, after })
  );
};

/** Maps over a scan's results, which its last pass computes element by element. */
export const joinScans = change((graph) => {
  if (!graph.loops.some(isScanned)) return {};
  return mergeLoops(
    graph,
    (loop) => isScanned(loop) || loop.nodes.every(isMap),
    (earlier, loop) => isScanned(earlier) && !isScanned(loop) && mayFollow(earlier, loop.nodes as MapNode[]),
  );
});

function isScanned({ nodes }: Loop): boolean {
  return nodes.some(isScan);
}

function mayFollow(earlier: Loop, maps: readonly MapNode[]): boolean {
  const scan = earlier.nodes.find(isScan) as ScanNode;
  return !maps.some(isLong) && isFastAround(scan, maps, 0) && fitsBehind(earlier, scan, maps);
}

/** True if `loop` may run as part of `earlier`, apart from what runs between them. */
type MayHold = (earlier: Loop, loop: Loop, makers: Makers) => boolean;

/** The loops, with those of a kind merged. */
function mergeLoops(
  { loops, roots }: Graph,
  isOfKind: (loop: Loop) => boolean,
  mayHold: MayHold,
): Pick<Graph, "loops"> {
  const kept = [...loops];
  const mergeable = new Set(loops.filter(isOfKind));
  if (mergeable.size < 2) return { loops };
  const makers = makersOf(loops.flatMap(({ nodes }) => nodes));
  const places = new Places(loops, makers);
  for (let at = kept.length - 1; at > 0; at--) {
    const loop = kept[at] as Loop;
    if (!mergeable.has(loop)) continue;
    let first = -1;
    for (let i = at - 1; i >= 0 && places.isBehind(loop, kept[i] as Loop); i--)
      if (mergeable.has(kept[i] as Loop) && mayHold(kept[i] as Loop, loop, makers)) first = i;
    const earlier = kept[first];
    if (earlier === undefined) continue;
    kept.splice(at, 1);
    const others = kept.filter((one) => one !== earlier);
    const read = new Set([...roots, ...others.flatMap(sourcesOf)]);
    const stored = [...earlier.stored, ...loop.stored].filter((value) => read.has(value));
    const { axes, rows } = earlier;
    const merged = { axes, rows, nodes: nodesOf(earlier, loop), stored: new Set(stored) };
    mergeable.add(merged);
    places.merge(earlier, loop, merged);
    kept[first] = merged;
  }
  return { loops: kept };
}

/** The nodes of two loops, each once, in deferral order. */
function nodesOf(a: Loop, b: Loop): Node[] {
  return [...new Set([...a.nodes, ...b.nodes])].sort((a, b) => a.id - b.id);
}

/** Where loops stand in their order, and each node in them; the place of a loop stays when others are merged. */
class Places {
  readonly #places = new Map<Loop, number>();
  /** Of a node that several loops compute there are several. */
  readonly #ofNodes = new Map<Node, Set<number>>();
  readonly #last = new Map<Loop, number>();

  constructor(
    loops: readonly Loop[],
    readonly makers: Makers,
  ) {
    for (const [place, loop] of loops.entries()) this.#add(loop, place);
  }

  #add(loop: Loop, place: number): void {
    this.#places.set(loop, place);
    for (const node of loop.nodes) {
      const known = this.#ofNodes.get(node);
      if (known) known.add(place);
      else this.#ofNodes.set(node, new Set([place]));
    }
  }

  /** True if a loop reads no results of loops between an earlier one and itself. */
  isBehind(loop: Loop, earlier: Loop): boolean {
    let last = this.#last.get(loop);
    if (last === undefined) {
      last = this.#lastSource(loop);
      this.#last.set(loop, last);
    }
    return last <= (this.#places.get(earlier) as number);
  }

  /** The place of the last loop before a loop whose results it reads; -1 if there is none. */
  #lastSource(loop: Loop): number {
    const own = new Set(loop.nodes);
    const place = this.#places.get(loop) as number;
    let last = -1;
    for (const source of sourcesOf(loop)) {
      const maker = this.makers.get(source);
      // Values that it computes itself may also be computed by others.
      if (maker === undefined || own.has(maker)) continue;
      for (const one of this.#ofNodes.get(maker) ?? []) if (one < place) last = Math.max(last, one);
    }
    return last;
  }

  merge(earlier: Loop, loop: Loop, merged: Loop): void {
    const gone = this.#places.get(loop) as number;
    for (const node of loop.nodes) this.#ofNodes.get(node)?.delete(gone);
    this.#add(merged, this.#places.get(earlier) as number);
    this.#last.clear();
  }
}

function sourcesOf({ nodes }: Loop): Value[] {
  const found: Value[] = [];
  for (const node of nodes) eachSource(node, (source) => found.push(source));
  return found;
}
