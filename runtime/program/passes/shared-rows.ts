// Row groups over the same rows that read the same elements become one, so that these are read from memory once.

import { distinctElements, sizeOf } from "../../geometry/layout.js";
import type { Makers, Node, Value } from "../graph/ir.js";
import { type Read, readsFrom, readsOf } from "../graph/reads.js";
import { sameWindow } from "../graph/window.js";
import { type MayHold, mergeGroups, nodesOf } from "./group-merging.js";
import { type Group, isHere, type Rows, sameAxes } from "./loop.js";
import { fitsRows } from "./rows.js";

/** The groups, in order, that compute the `roots`; a row group is moved into an earlier one that reads the same elements. */
export function shareRows(groups: readonly Group[], roots: ReadonlySet<Value>): Group[] {
  return mergeGroups(groups, roots, ({ rows }) => rows !== undefined, mayHold);
}

const mayHold: MayHold = (earlier, group, makers) => {
  const [rows, own] = [earlier.rows as Rows, group.rows as Rows];
  return (
    sameAxes(rows, own) &&
    group.nodes[0]?.slot.device === earlier.nodes[0]?.slot.device &&
    readsSame(earlier, group, rows) &&
    group.nodes.every((node) => isNear(node, earlier, makers, rows)) &&
    fitsRows(nodesOf(earlier, group), rows)
  );
};

/** True if two groups read the same elements of rows. */
function readsSame(a: Group, b: Group, { shape: points }: Rows): boolean {
  const isWhole = ({ window: { shape, strides } }: Read) =>
    distinctElements(shape, strides) === sizeOf(points);
  const reads = readsFrom(a.nodes).filter(isWhole);
  return readsFrom(b.nodes).some(({ value, window }) =>
    reads.some((one) => one.value === value && sameWindow(one.window, window)),
  );
}

/** True if what a node reads of a group's results is in the thread that computed it. */
function isNear(node: Node, { nodes }: Group, makers: Makers, rows: Rows): boolean {
  return readsOf(node).every((read) => {
    const maker = makers.get(read.value);
    return !maker || !nodes.includes(maker) || isHere(read, maker, node, rows);
  });
}
