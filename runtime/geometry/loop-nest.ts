// TensorIterator's geometry: from operands to one loop nest. Shapes broadcast, dimensions are ordered by stride and merged
// where memory allows it. codegen/layout-class.ts says which kernel serves a nest.
import { JitlabError } from "../base/errors.js";
import {
  broadcastShapes,
  broadcastStrides,
  contiguousStrides,
  formatShape,
  isContiguous,
  sizeOf,
} from "./layout.js";

/** The geometry of an operand: a part of View. */
export interface Strided {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/**
 * The loop nest of one call. Dimension 0 is the innermost one, and `strides[k]` belongs to operand k, outputs first, all in
 * elements. `rank` 0 means that all operands are dense in the same order: one flat loop of `count` elements.
 */
export interface LoopNest {
  /** The broadcast shape, in the user's order. */
  readonly shape: readonly number[];
  /** Strides for freshly allocated outputs, in the user's order: they follow the inputs' memory order. */
  readonly outStrides: readonly number[];
  readonly count: number;
  readonly rank: number;
  readonly sizes: readonly number[];
  readonly strides: readonly (readonly number[])[];
  /** True if all offsets and the count fit into 31 bits. */
  readonly fits32: boolean;
}

const limit32 = 2 ** 31 - 1;
const none: readonly never[] = [];

/** The loop nest of row-major operands of one shape: nothing to broadcast, order or merge. */
export function flatLoop(shape: readonly number[], strides: readonly number[], count: number): LoopNest {
  return { shape, outStrides: strides, count, rank: 0, sizes: none, strides: none, fits32: count <= limit32 };
}

/**
 * The loop nest over `outputs` (if given) and `inputs`, broadcast together. `fresh` is the number of outputs still to be
 * allocated; they are the first operands. `shape` is needed without inputs.
 */
export function loopNest(
  what: string,
  fresh: number,
  outputs: readonly Strided[],
  inputs: readonly Strided[],
  shapeHint?: readonly number[],
): LoopNest {
  const shape =
    shapeHint ??
    broadcastShapes(
      what,
      inputs.map((input) => input.shape),
    );
  for (const out of outputs) checkOutput(what, out, shape);
  const given = [...outputs, ...inputs].map((operand) =>
    broadcastStrides(operand.shape, operand.strides, shape),
  );
  const order = memoryOrder(shape, given);
  const outStrides = permutedStrides(shape, order);
  const all = [...Array.from({ length: fresh }, () => outStrides), ...given];
  const count = sizeOf(shape);
  const { sizes, strides } = merge(shape, order, all);
  const flat = sizes.length <= 1 && strides.every((operand) => (sizes[0] ?? 1) === 1 || operand[0] === 1);
  return {
    shape,
    outStrides,
    count,
    rank: flat || count === 0 ? 0 : sizes.length,
    sizes,
    strides,
    fits32: count <= limit32 && strides.every((operand) => span(sizes, operand) <= limit32),
  };
}

function checkOutput(what: string, out: Strided, shape: readonly number[]): void {
  const same = out.shape.length === shape.length && out.shape.every((extent, d) => extent === shape[d]);
  if (same) return;
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the result has shape ${formatShape(shape)}, but the output has shape ${formatShape(out.shape)}.`,
    "Pass an output of the result's shape, or omit it.",
  );
}

/** Dimensions from the fastest in memory to the slowest, according to the first operand that distinguishes two of them. */
function memoryOrder(shape: readonly number[], operands: readonly (readonly number[])[]): number[] {
  const order = Array.from({ length: shape.length }, (_, i) => shape.length - 1 - i);
  for (let i = 1; i < order.length; i++) {
    for (let j = i; j > 0 && isFaster(order[j] as number, order[j - 1] as number, shape, operands); j--) {
      const moved = order[j] as number;
      order[j] = order[j - 1] as number;
      order[j - 1] = moved;
    }
  }
  return order;
}

function isFaster(
  a: number,
  b: number,
  shape: readonly number[],
  operands: readonly (readonly number[])[],
): boolean {
  for (const strides of operands) {
    const sa = Math.abs(strides[a] as number);
    const sb = Math.abs(strides[b] as number);
    // Broadcast dimensions do not determine the order.
    if (sa === 0 || sb === 0) continue;
    if (sa !== sb) return sa < sb;
    if (shape[a] !== shape[b]) return (shape[a] as number) < (shape[b] as number);
  }
  return false;
}

function permutedStrides(shape: readonly number[], order: readonly number[]): readonly number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (const d of order) {
    strides[d] = step;
    step *= Math.max(shape[d] as number, 1);
  }
  // Extents of 1 do not determine the order: prefer row-major strides.
  return isContiguous(shape, strides) ? contiguousStrides(shape) : strides;
}

/** Drops dimensions of extent 1 and merges neighbors that are contiguous in every operand. */
function merge(
  shape: readonly number[],
  order: readonly number[],
  operands: readonly (readonly number[])[],
): { sizes: number[]; strides: number[][] } {
  const sizes: number[] = [];
  const strides: number[][] = operands.map(() => []);
  for (const d of order) {
    const extent = shape[d] as number;
    if (extent === 1) continue;
    const last = sizes.length - 1;
    const mergeable =
      last >= 0 &&
      operands.every((operand, k) => operand[d] === (strides[k]?.[last] as number) * (sizes[last] as number));
    if (mergeable) {
      sizes[last] = (sizes[last] as number) * extent;
      continue;
    }
    sizes.push(extent);
    operands.forEach((operand, k) => {
      strides[k]?.push(operand[d] as number);
    });
  }
  return { sizes, strides };
}

function span(sizes: readonly number[], strides: readonly number[]): number {
  let total = 0;
  for (let d = 0; d < sizes.length; d++) total += ((sizes[d] as number) - 1) * Math.abs(strides[d] as number);
  return total;
}
