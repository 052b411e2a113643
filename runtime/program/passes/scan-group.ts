// A group with a scan: the maps that compute its elements, the scan, and the maps over its results, which its last pass
// computes element by element.

import { isComposable } from "../../codegen/composition/composer.js";
import { distinctElements, sameNumbers, sizeOf } from "../../geometry/layout.js";
import { isMap, isScan, type MapNode, makersOf, type Node, type ScanNode, type Value } from "../graph/ir.js";
import {
  isGather,
  isLong,
  isPositioned,
  isRepeatable,
  readsFrom,
  readsOf,
  scalarsOf,
} from "../graph/reads.js";
import type { OperandClass, ScanSlot } from "../graph/slot.js";
import type { Window } from "../graph/window.js";
import { mergeGroups } from "./group-merging.js";
import { type Group, isDense, isHere } from "./loop.js";

// Limits of a scan's kernel; its argument block has 4 KiB, and an operand has a stride for each dimension.
const most = { maps: 64, operands: 8, outputs: 8, scalars: 32 };

/** True if a scan's kernel has room for the nodes up to it, and computes its elements by these maps. */
export function canScan({ slot }: ScanNode, nodes: readonly Node[], maps: readonly MapNode[]): boolean {
  const [{ window }] = slot.operands as readonly [OperandClass];
  const how = slot.form.computes({ ...(window as Window), device: slot.device });
  return (
    how !== undefined &&
    (how === "once" || isRepeatable(maps)) &&
    (!isAcross(slot) || wholeReads(nodes, slot) <= 1) &&
    !maps.some((node) => isLong(node) || isGather(node)) &&
    hasRoom(nodes)
  );
}

/** True where a processor goes across memory: each further operand takes longer than a pass of its own along memory. */
function isAcross({ form, device, operands }: ScanSlot): boolean {
  return device.target.dialect.grid === undefined && !form.isDense(shapeOf(operands));
}

/** The number of windows through which nodes read as many elements from memory as a scan has; `made` values are not there. */
function wholeReads(nodes: readonly Node[], { operands }: ScanSlot, made: readonly Value[] = []): number {
  const elements = sizeOf(shapeOf(operands));
  return readsFrom(nodes).filter(({ value, window: { shape, strides } }) => {
    return !made.includes(value) && distinctElements(shape, strides) === elements;
  }).length;
}

function shapeOf([operand]: readonly OperandClass[]): readonly number[] {
  return operand?.window?.shape ?? [];
}

/** The groups, in order, that compute the `roots`; maps over a scan's results are moved into its group. */
export function joinScans(groups: readonly Group[], roots: ReadonlySet<Value>): Group[] {
  const isScanned = ({ nodes }: Group) => nodes.some(isScan);
  if (!groups.some(isScanned)) return [...groups];
  return mergeGroups(
    groups,
    roots,
    (group) => isScanned(group) || (group.rows === undefined && group.nodes.every(isMap)),
    (earlier, group) =>
      isScanned(earlier) && !isScanned(group) && mayFollow(earlier, group.nodes as MapNode[]),
  );
}

/** True if a scan's last pass can compute maps: one of them reads its results, all element by element. */
function mayFollow({ nodes, axes }: Group, maps: readonly MapNode[]): boolean {
  const scan = nodes.find(isScan) as ScanNode;
  const { shape } = axes;
  const makers = makersOf([...nodes, ...maps]);
  const isNear = (node: MapNode) =>
    node.slot.device === scan.slot.device &&
    isComposable(node.slot.functor) &&
    !isLong(node) &&
    !isGather(node) &&
    !isPositioned(node) &&
    node.bases.every((base) => base === undefined) &&
    sameNumbers(node.slot.domain, shape) &&
    node.slot.results.every(({ window }) => isDense(window, shape)) &&
    readsOf(node).every((read) => {
      const maker = makers.get(read.value);
      return maker === undefined || isHere(read, maker, node, axes);
    });
  const isReader = maps.some((node) => readsOf(node).some(({ value }) => scan.made.includes(value)));
  const isFast = !isAcross(scan.slot) || wholeReads(maps, scan.slot, scan.made) === 0;
  return isReader && isFast && maps.every(isNear) && hasRoom([...new Set([...nodes, ...maps])]);
}

function hasRoom(nodes: readonly Node[]): boolean {
  return (
    nodes.length <= most.maps &&
    readsFrom(nodes).length <= most.operands &&
    nodes.reduce((count, { made }) => count + made.length, 0) <= most.outputs + nodes.length &&
    scalarsOf(nodes) <= most.scalars
  );
}
