// Reductions of the same long rows, such as all elements of a tensor, become one kernel, so that these are read from memory
// once. Each keeps its order of joining.

import { kindOf, reduceGeometry } from "../../codegen/reduce-passes.js";
import { distinctElements, sameNumbers } from "../../geometry/layout.js";
import { makersOf, type Node, type ReduceNode, type Value } from "../graph/ir.js";
import { isGather, type Read, readsFrom, readsOf } from "../graph/reads.js";
import type { OperandClass } from "../graph/slot.js";
import { sameWindow, type Window } from "../graph/window.js";
import { type MayHold, mergeGroups, nodesOf } from "./group-merging.js";
import { canReduce } from "./inlining.js";
import { type Group, isHere, type ReductionParts, reductionParts } from "./loop.js";
import { hasRoomAfter } from "./reduce-group.js";

// A thread of a grid holds accumulators of each.
const mostReductions = 4;

/** The groups, in order, that compute the `roots`; a reduction is moved into an earlier one of the same elements. */
export function joinReductions(groups: readonly Group[], roots: ReadonlySet<Value>): Group[] {
  return mergeGroups(groups, roots, isJoinable, mayHold);
}

function isJoinable({ nodes, rows }: Group): boolean {
  const parts = rows === undefined ? reductionParts(nodes) : undefined;
  return parts?.reductions.every(isOfRows) ?? false;
}

/** True for a reduction of the library over adjacent elements. */
function isOfRows(node: ReduceNode): boolean {
  const { plan, gone, reduction } = node.slot.call;
  // On a processor the first of the smallest elements is searched for in another way than by joining.
  if (plan.user || plan.first) return false;
  const geometry = reduceGeometry(elementsOf(node), gone, reduction.ordered);
  const { results, length, reduced } = geometry;
  const isRow = results > 0 && length > 0 && kindOf(geometry) === "row";
  return isRow && reduced.length === 1 && reduced[0]?.step === 1;
}

/** The geometry of the elements that a reduction joins. */
function elementsOf({ slot }: ReduceNode): Window {
  return (slot.operands[0] as OperandClass).window as Window;
}

const mayHold: MayHold = (earlier, group, makers) => {
  const [a, b] = [earlier, group].map(({ nodes }) => reductionParts(nodes)) as [
    ReductionParts,
    ReductionParts,
  ];
  const reductions = [...a.reductions, ...b.reductions] as const;
  const all = nodesOf(earlier, group);
  const { before, after } = reductionParts(all) as ReductionParts;
  const isFrom = ({ nodes }: Group, { value }: Read) => nodes.includes(makers.get(value) as Node);
  const isApart = (read: Read) => isFrom(group, read) || !isFrom(earlier, read);
  const results = makersOf([...a.reductions, ...a.after]);
  const isOfResults = (read: Read, node: Node) => {
    const maker = results.get(read.value);
    return maker !== undefined && isHere(read, maker, node, earlier.axes);
  };
  return (
    reductions.length <= mostReductions &&
    isAlike(a.reductions[0], b.reductions[0]) &&
    readsSame(a, b) &&
    [...b.before, ...b.reductions].flatMap(readsOf).every(isApart) &&
    b.after.every((node) => readsOf(node).every((read) => isApart(read) || isOfResults(read, node))) &&
    before.length + reductions.length + after.length === all.length &&
    !before.some(isGather) &&
    readsAlike([...before, ...reductions]) &&
    canReduce(a.reductions[0], [...before, ...reductions]) &&
    hasRoomAfter(reductions, after)
  );
};

/** True for reductions of elements with one layout, in one order. */
function isAlike(a: ReduceNode, b: ReduceNode): boolean {
  const [one, other] = [elementsOf(a), elementsOf(b)];
  const [{ plan, gone }, call] = [a.slot.call, b.slot.call];
  return (
    a.slot.device === b.slot.device &&
    sameNumbers(one.shape, other.shape) &&
    sameNumbers(one.strides, other.strides) &&
    gone.every((is, d) => is === call.gone[d]) &&
    plan.accumulatorBytes === call.plan.accumulatorBytes
  );
}

/** True if the maps before two reductions, or these themselves, read the same elements. */
function readsSame(a: ReductionParts, b: ReductionParts): boolean {
  const { size } = elementsOf(a.reductions[0]);
  const ofElements = ({ before, reductions }: ReductionParts) =>
    readsFrom([...before, ...reductions]).filter(
      ({ window: { shape, strides } }) => distinctElements(shape, strides) === size,
    );
  const reads = ofElements(a);
  return ofElements(b).some((read) => reads.some((one) => isSame(one, read)));
}

/** True if each value is read in one way: the kernel reads an operand once for all reductions. */
function readsAlike(nodes: readonly Node[]): boolean {
  const reads = readsFrom(nodes);
  return new Set(reads.map(({ value }) => value)).size === reads.length;
}

function isSame(a: Read, b: Read): boolean {
  return a.value === b.value && sameWindow(a.window, b.window);
}
