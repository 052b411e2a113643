// The operations of a tape that may refuse elements which are not tested yet: reads and writes by index tensors, and draws with
// probabilities. Whatever runs them tests the elements; what eager calls would not have done before their error has to wait
// for the test.

import type { Mark } from "../../device/device.js";
import { sizeOf } from "../../geometry/layout.js";
import type { IndexCheck } from "../../launch/index-check.js";
import { isMap, isOpaque, type MapNode, type Node, type OpaqueNode, type Value } from "./ir.js";
import { isAddress, isGather } from "./reads.js";

/** True for a read or a write by index tensors. */
export function testsIndexes(node: Node): boolean {
  return isGather(node) || (isOpaque(node) && "indexes" in node.slot.operation);
}

/** An operation that may refuse elements. */
type Untested = MapNode | OpaqueNode;

/** The untested operations of a tape, in order. */
export class UntestedOperations {
  #nodes: Untested[] = [];
  /** True once some were tested. */
  wereTested = false;

  /** True if there are none. */
  get isEmpty(): boolean {
    return this.#nodes.length === 0;
  }

  /** Notes an operation whose elements are tested later. */
  add(node: Untested): void {
    this.#nodes.push(node);
  }

  /**
   * Tests all but those in `later`; `compute` runs an operation whose index tensor has changed since, or that has no separate
   * test.
   */
  test(compute: (node: Untested) => void, later: readonly Node[]): void {
    this.wereTested = true;
    const isLater = new Set(later);
    const nodes = this.#nodes.filter((node) => !isLater.has(node));
    this.#nodes = this.#nodes.filter((node) => isLater.has(node));
    for (const node of nodes) {
      const { check, made } = node;
      const isDone = check ? check.isDone : (node as OpaqueNode).undo === undefined;
      if (isDone || !(made[0] as Value).deferred) continue;
      if (check && showsIndexes(node)) check.test();
      else compute(node);
    }
  }
}

/** Queues the tests of the maps of one launch where they need not wait for it; the mark behind them. */
export function testBefore(nodes: readonly MapNode[]): Mark | undefined {
  const read = nodes.filter(({ check }) => check !== undefined);
  if (!read.every(showsIndexes)) return undefined;
  const marks = read.map(({ check, slot }) => check?.queue(sizeOf(slot.domain)));
  const last = marks.every((mark) => mark !== undefined) ? marks.pop() : undefined;
  for (const mark of marks) mark?.release();
  return last;
}

/** Throws the error of the maps of one launch of which one marked an index; `mark` is behind their tests. */
export function testAfter(nodes: readonly MapNode[], mark?: Mark): void {
  const read = nodes.filter(({ check }) => check !== undefined);
  const checks = read.map(({ check }) => check as IndexCheck);
  // They share the flag.
  const isMarked = checks[0]?.flag.isMarked(mark);
  for (const check of checks) check.isDone = true;
  if (!isMarked) return;
  for (const node of read) {
    const error = showsIndexes(node) ? node.check?.error() : undefined;
    if (error) throw error;
  }
  throw checks[0]?.unknown();
}

/** Notes that an operation without parts has run, which tests its elements, or that it failed: that it is undone. */
export function noteRun(node: OpaqueNode, hasFailed: boolean): void {
  if (hasFailed) node.undo?.();
  else if (node.check) node.check.isDone = true;
  node.undo = undefined;
}

/** True if the index tensors still have the indexes that an operation reads. */
function showsIndexes(node: Untested): boolean {
  return node.values.every((value, i) => !isIndex(node, i) || value?.home !== undefined);
}

function isIndex(node: Untested, operand: number): boolean {
  if (isMap(node)) return !isAddress(node, operand);
  const { operation } = node.slot;
  return "indexes" in operation && operand < operation.indexes;
}
