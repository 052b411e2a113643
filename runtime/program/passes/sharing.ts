// Kernels become one: rows of which the same elements are read, reductions of the same elements, and maps over a scan's results.

import { isMap, isScan, type MapNode, makersOf, type Node, type ScanNode } from "../graph/ir.js";
import { type Read, readsOf } from "../graph/reads.js";
import { isFastAround, isLong, readSame } from "./cost.js";
import { fitsBehind, fitsHeld, fitsJoint, isJoinable } from "./fits.js";
import { isHere, type Loop, type ReductionParts, type Rows, reductionParts, sameAxes } from "./loop.js";
import { type MayHold, mergeLoops, nodesOf } from "./merging.js";
import { change } from "./pass.js";

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
    fitsHeld(nodesOf(earlier, loop), rows)
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
  const isApart = (read: Read) => isFrom(loop, read) || !isFrom(earlier, read);
  const results = makersOf([...a.reductions, ...a.after]);
  const isOfResults = (read: Read, node: Node) => {
    const maker = results.get(read.value);
    return maker !== undefined && isHere(read, maker, node, earlier.axes);
  };
  return (
    readSame([...a.before, ...a.reductions], [...b.before, ...b.reductions], earlier.axes) &&
    [...b.before, ...b.reductions].flatMap(readsOf).every(isApart) &&
    b.after.every((node) => readsOf(node).every((read) => isApart(read) || isOfResults(read, node))) &&
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
