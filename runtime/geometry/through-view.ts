// A view of an elementwise result as views of its operands.
import type { Strided } from "./loop-nest.js";
import type { Geometry } from "./views.js";

/** Where an operand has the elements of a view: behind its first element, in elements. */
interface Seen {
  readonly offset: number;
  readonly strides: readonly number[];
}

/** A dimension of the result: its extent, and the strides of the result and of the operands. */
interface Dim {
  readonly size: number;
  readonly own: number;
  readonly in: readonly number[];
}

/**
 * The places of the operands' elements for the elements of a result that a view shows. `operands` are the strides of each over
 * the result's shape. Undefined if a dimension of the view does not stay within one of the result.
 */
export function throughView(
  { shape, strides }: Strided,
  view: Geometry,
  operands: readonly (readonly number[])[],
): readonly Seen[] | undefined {
  const dims = mergedDims(shape, strides, operands);
  if (dims === undefined) return undefined;
  // The index of the view's first element along each dimension, and how far the view reaches from there.
  let rest = view.offset;
  const reaches = dims.map(({ own }) => {
    const first = Math.floor(rest / own);
    rest -= first * own;
    return { first, low: first, high: first };
  });
  const moves: { at: number; steps: number }[] = [];
  for (const [d, stride] of view.strides.entries()) {
    const extent = view.shape[d] as number;
    const isStill = extent === 1 || stride === 0;
    const at = isStill ? -1 : dims.findIndex(({ own }) => own <= Math.abs(stride));
    const dim = dims[at];
    const reach = reaches[at];
    const steps = dim === undefined ? 0 : stride / dim.own;
    moves.push({ at, steps });
    if (isStill) continue;
    if (reach === undefined || !Number.isInteger(steps)) return undefined;
    reach.low += Math.min(0, steps * (extent - 1));
    reach.high += Math.max(0, steps * (extent - 1));
  }
  if (!reaches.every(({ low, high }, k) => low >= 0 && high < (dims[k] as Dim).size)) return undefined;
  return operands.map((_, i) => ({
    offset: dims.reduce((sum, dim, k) => sum + (reaches[k]?.first ?? 0) * (dim.in[i] as number), 0),
    strides: moves.map(({ at, steps }) => steps * (dims[at]?.in[i] ?? 0)),
  }));
}

/** The dimensions of a dense result, outermost in memory first, merged where all operands allow it. */
function mergedDims(
  shape: readonly number[],
  strides: readonly number[],
  operands: readonly (readonly number[])[],
): readonly Dim[] | undefined {
  const found = shape
    .map((size, d): Dim => ({ size, own: strides[d] as number, in: operands.map((own) => own[d] as number) }))
    .filter(({ size }) => size !== 1)
    .sort((a, b) => a.own - b.own);
  const dims: Dim[] = [];
  let dense = 1;
  for (const dim of found) {
    if (dim.own !== dense) return undefined;
    dense *= dim.size;
    const inner = dims.at(-1);
    if (inner && dim.in.every((stride, i) => stride === (inner.in[i] as number) * inner.size)) {
      dims[dims.length - 1] = { ...inner, size: inner.size * dim.size };
    } else dims.push(dim);
  }
  return dims.reverse();
}
