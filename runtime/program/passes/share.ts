// Kernels become one: rows of which the same elements are read, reductions of the same elements, and maps over a scan's results.

import { isMap, isScan, type MapNode, makersOf, type Node, type ScanNode, type Value } from "../graph/ir.js";
import { type Read, readsOf } from "../graph/reads.js";
import { isFastAround, isLong, readSame } from "./cost.js";
import { fitsBehind, fitsHeld, fitsJoint, isJoinable } from "./fits.js";
import { type Group, isHere, type ReductionParts, type Rows, reductionParts, sameAxes } from "./loop.js";
import { type MayHold, mergeGroups, nodesOf } from "./merging.js";

/** Row groups over the same rows that read the same elements: these are read from memory once. */
export function shareRows(groups: readonly Group[], roots: ReadonlySet<Value>): Group[] {
  return mergeGroups(groups, roots, ({ rows }) => rows !== undefined, mayHoldRows);
}

const mayHoldRows: MayHold = (earlier, group, makers) => {
  const rows = earlier.rows as Rows;
  const isNear = (node: Node) =>
    readsOf(node).every((read) => {
      const maker = makers.get(read.value);
      return !maker || !earlier.nodes.includes(maker) || isHere(read, maker, node, rows);
    });
  return (
    sameAxes(rows, group.rows as Rows) &&
    group.nodes[0]?.slot.device === earlier.nodes[0]?.slot.device &&
    readSame(earlier.nodes, group.nodes, rows) &&
    group.nodes.every(isNear) &&
    fitsHeld(nodesOf(earlier, group), rows)
  );
};

/** Reductions of the same long rows, such as all elements of a tensor. Each keeps its order of joining. */
export function joinReductions(groups: readonly Group[], roots: ReadonlySet<Value>): Group[] {
  const isOfKind = ({ nodes, rows }: Group) =>
    rows === undefined && (reductionParts(nodes)?.reductions.every(isJoinable) ?? false);
  return mergeGroups(groups, roots, isOfKind, mayHoldReductions);
}

const mayHoldReductions: MayHold = (earlier, group, makers) => {
  const [a, b] = [earlier, group].map(({ nodes }) => reductionParts(nodes)) as [
    ReductionParts,
    ReductionParts,
  ];
  const all = nodesOf(earlier, group);
  const { before, after } = reductionParts(all) as ReductionParts;
  const reductions = [...a.reductions, ...b.reductions] as const;
  const isFrom = ({ nodes }: Group, { value }: Read) => nodes.includes(makers.get(value) as Node);
  const isApart = (read: Read) => isFrom(group, read) || !isFrom(earlier, read);
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
export function joinScans(groups: readonly Group[], roots: ReadonlySet<Value>): Group[] {
  const isScanned = ({ nodes }: Group) => nodes.some(isScan);
  if (!groups.some(isScanned)) return [...groups];
  return mergeGroups(
    groups,
    roots,
    (group) => isScanned(group) || group.nodes.every(isMap),
    (earlier, group) =>
      isScanned(earlier) && !isScanned(group) && mayFollow(earlier, group.nodes as MapNode[]),
  );
}

function mayFollow(earlier: Group, maps: readonly MapNode[]): boolean {
  const scan = earlier.nodes.find(isScan) as ScanNode;
  return !maps.some(isLong) && isFastAround(scan, maps, 0) && fitsBehind(earlier, scan, maps);
}
