// The layout class of a call: the kernel template for its loop nest, and the width of its accesses.

import type { LoopNest } from "../../geometry/loop-nest.js";
import { type InnerStride, type Layout, leastTiled } from "./map-spec.js";

/** The inputs of alignment: an operand's address and the size of its elements. */
export interface Addressed {
  readonly pointer: number;
  readonly dtype: { readonly bytes: number };
}

/** A layout, the loop nest in its order, and a code of both for keys. */
export interface LayoutClass {
  readonly layout: Layout;
  readonly nest: LoopNest;
  /** Below 2^19; equal codes have equal layouts, for up to five operands. */
  readonly code: number;
}

const widths = [8, 4, 2, 1] as const;
const innerNames: readonly InnerStride[] = ["broadcast", "unit", "any", "turned"];
const [broadcast, unit, any, turned] = [0, 1, 2, 3];
const contiguousLayouts = new Map(
  widths.map((vector): [number, Layout] => [vector, { kind: "contiguous", vector }]),
);
const stridedCode = 4;
const tiledCode = 80;

/**
 * The layout class of a loop nest. `operands` are the given outputs and the inputs in memory; outputs still to be allocated
 * are aligned. A GPU's kernel fixes the width of its accesses; a loop over a range finds it at run time.
 */
export function layoutClass(nest: LoopNest, operands: readonly Addressed[], onGpu: boolean): LayoutClass {
  const wide = onGpu && !nest.fits32 ? 1 : 0;
  if (nest.rank === 0) {
    const vector = onGpu ? alignedWidth(operands) : 8;
    return { layout: contiguousLayouts.get(vector) as Layout, nest, code: (log2(vector) * 2 + wide) * 1024 };
  }
  const other = nest.fits32 || !onGpu ? turnedDimension(nest) : 0;
  if (other > 0) {
    const walked = swapped(nest, other);
    const inner = walked.strides.map((strides) => innerClass(strides[0], strides[1]));
    const layout: Layout = {
      kind: "tiled",
      rank: nest.rank,
      inner: inner.map((c) => innerNames[c] as InnerStride),
    };
    return { layout, nest: walked, code: (tiledCode + nest.rank) * 2 * 1024 + digits(inner) };
  }
  const inner = nest.strides.map((strides) => innerClass(strides[0], 0));
  const vector = onGpu ? rowWidth(nest, inner, operands) : 1;
  const layout: Layout = {
    kind: "strided",
    rank: nest.rank,
    inner: inner.map((c) => innerNames[c] as InnerStride),
    vector,
  };
  const shape = stridedCode + (nest.rank - 1) * 4 + log2(vector);
  return { layout, nest, code: (shape * 2 + wide) * 1024 + digits(inner) };
}

function log2(width: number): number {
  return 31 - Math.clz32(width);
}

function digits(inner: readonly number[]): number {
  return inner.reduce((code, digit) => code * 4 + digit, 0);
}

function innerClass(first: number | undefined, second: number | undefined): number {
  if (first === 0) return broadcast as number;
  if (first === 1) return unit as number;
  return (second === 1 ? turned : any) as number;
}

/** Elements per access of at most 16 bytes, for every operand. */
function alignedWidth(operands: readonly Addressed[]): number {
  let misaligned = 0;
  for (let i = 0; i < operands.length; i++) misaligned |= (operands[i] as Addressed).pointer & 15;
  if (misaligned === 0) return 8;
  return widths.find((width) => operands.every((operand) => isAligned(operand, width))) ?? 1;
}

function isAligned({ pointer, dtype }: Addressed, width: number): boolean {
  return pointer % Math.min(16, width * dtype.bytes) === 0;
}

/** The access width of rows: it divides the row length and every distance between rows. */
function rowWidth(nest: LoopNest, inner: readonly number[], operands: readonly Addressed[]): number {
  const fresh = nest.strides.length - operands.length;
  const fits = (width: number): boolean =>
    (nest.sizes[0] as number) % width === 0 &&
    nest.strides.every((strides, k) => {
      if (inner[k] !== unit) return true;
      if (strides.some((stride, d) => d > 0 && stride % width !== 0)) return false;
      return k < fresh || isAligned(operands[k - fresh] as Addressed, width);
    });
  return widths.find(fits) ?? 1;
}

/** The dimension along which all operands that are strided along dimension 0 are dense; 0 if tiles do not pay off. */
function turnedDimension(nest: LoopNest): number {
  const { sizes, strides } = nest;
  if ((sizes[0] as number) < leastTiled) return 0;
  const leaping = strides.filter((operand) => (operand[0] as number) > 1 || (operand[0] as number) < 0);
  const other = leaping[0]?.indexOf(1) ?? -1;
  if (other < 1 || (sizes[other] as number) < leastTiled) return 0;
  const outputDense = strides[0]?.[0] === 1;
  return outputDense && leaping.every((operand) => operand[other] === 1) ? other : 0;
}

/** The nest with dimension `other` as its dimension 1. */
function swapped(nest: LoopNest, other: number): LoopNest {
  if (other === 1) return nest;
  const swap = (values: readonly number[]): number[] => {
    const out = values.slice();
    out[1] = values[other] as number;
    out[other] = values[1] as number;
    return out;
  };
  return { ...nest, sizes: swap(nest.sizes), strides: nest.strides.map(swap) };
}
