// Row groups over the same rows that read the same elements become one, so that these are read from memory once.

import { distinctElements, sizeOf } from "../geometry/layout.js";
import type { Group } from "./grouping.js";
import { eachSource, type Makers, makersOf, type Node, type Value } from "./ir.js";
import { type Read, readsFrom, readsOf } from "./node-operands.js";
import { fitsRows, isRowRead, type Rows, sameRows } from "./row-group.js";
import { sameWindow } from "./window.js";

/** The groups, in order, that compute the `roots`; a row group is moved into an earlier one that reads the same elements. */
export function shareRows(groups: readonly Group[], roots: ReadonlySet<Value>): Group[] {
  if (groups.filter(({ rows }) => rows).length < 2) return [...groups];
  const kept = [...groups];
  const makers = makersOf(groups.flatMap(({ nodes }) => nodes));
  for (let at = kept.length - 1; at > 0; at--) {
    const group = kept[at] as Group;
    if (group.rows === undefined) continue;
    const place = kept.findIndex((one, i) => i < at && one.rows && mayHold(kept.slice(i, at), group, makers));
    const earlier = kept[place];
    if (earlier === undefined) continue;
    kept.splice(at, 1);
    const nodes = together(earlier, group);
    const others = kept.filter((one) => one !== earlier);
    const read = new Set([...roots, ...others.flatMap(sourcesOf)]);
    const stored = [...earlier.stored, ...group.stored].filter((value) => read.has(value));
    kept[place] = { nodes, rows: earlier.rows, stored: new Set(stored) };
  }
  return kept;
}

/** True if a group may run as part of the first of those before it, `passed`. */
function mayHold(passed: readonly Group[], group: Group, makers: Makers): boolean {
  const [earlier, ...between] = passed as readonly [Group, ...Group[]];
  const { rows } = earlier;
  if (rows === undefined || group.rows === undefined || !sameRows(rows, group.rows)) return false;
  if (group.nodes[0]?.slot.device !== earlier.nodes[0]?.slot.device) return false;
  const others = new Set(between.flatMap(({ nodes }) => nodes));
  return (
    readsSame(earlier, group, rows) &&
    sourcesOf(group).every((source) => !others.has(makers.get(source) as Node)) &&
    group.nodes.every((node) => isNear(node, earlier, makers, rows)) &&
    fitsRows(together(earlier, group), rows)
  );
}

/** The nodes of two groups, in deferral order. */
function together(a: Group, b: Group): Node[] {
  return [...a.nodes, ...b.nodes].sort((a, b) => a.id - b.id);
}

/** True if two groups read the same elements of rows. */
function readsSame(a: Group, b: Group, { domain }: Rows): boolean {
  const isWhole = ({ window: { shape, strides } }: Read) =>
    distinctElements(shape, strides) === sizeOf(domain);
  const reads = readsFrom(a.nodes).filter(isWhole);
  return readsFrom(b.nodes).some(({ value, window }) =>
    reads.some((one) => one.value === value && sameWindow(one.window, window)),
  );
}

/** True if what a node reads of a group's results is in the thread that computed it. */
function isNear(node: Node, { nodes }: Group, makers: Makers, rows: Rows): boolean {
  return readsOf(node).every(({ value, window, isAddress }) => {
    const maker = makers.get(value);
    if (!maker || !nodes.includes(maker)) return true;
    return !isAddress && isRowRead(value, window, maker, node, rows);
  });
}

function sourcesOf({ nodes }: Group): Value[] {
  const found: Value[] = [];
  for (const node of nodes) eachSource(node, (source) => found.push(source));
  return found;
}
