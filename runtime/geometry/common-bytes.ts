// Whether two views have an element in common. Parts of one tensor often lie between each other in memory without one: every second
// element, or the left and right halves of the rows.
import { reach } from "./layout.js";
import type { View } from "./view.js";

type Elements = Pick<View, "shape" | "strides" | "dtype">;

/** A stride in bytes, and the least and the largest difference of two indexes along it. */
interface Dimension {
  readonly stride: number;
  low: number;
  high: number;
}

// More candidates are not searched: the views may meet.
const mostTried = 200;

/** True if two views, with elements 0 at these bytes, share an element; also where that takes long to say. */
export function bytesMeet(a: Elements, aStart: number, b: Elements, bStart: number): boolean {
  const [aLow, aHigh] = byteRange(a, aStart);
  const [bLow, bHigh] = byteRange(b, bStart);
  if (aLow === aHigh || bLow === bHigh || aLow >= bHigh || bLow >= aHigh) return false;
  const dims: Dimension[] = [];
  add(dims, a, -1);
  add(dims, b, 1);
  dims.sort((one, other) => other.stride - one.stride);
  const spans = spansFrom(dims);
  let tried = 0;

  // Two elements meet if the way from one to the other is shorter than an element: `low` to `high` is what is left of it.
  const meets = (at: number, low: number, high: number): boolean => {
    const dim = dims[at];
    if (dim === undefined) return low <= 0 && high >= 0;
    const [least, most] = spans[at + 1] as readonly [number, number];
    const first = Math.max(dim.low, Math.ceil((low - most) / dim.stride));
    const last = Math.min(dim.high, Math.floor((high - least) / dim.stride));
    for (let steps = first; steps <= last; steps++) {
      if (++tried > mostTried) return true;
      if (meets(at + 1, low - steps * dim.stride, high - steps * dim.stride)) return true;
    }
    return false;
  };
  const distance = bStart - aStart;
  return meets(0, 1 - b.dtype.bytes - distance, a.dtype.bytes - 1 - distance);
}

/** Adds the dimensions of a view, counted forward or back, to those with equal strides. */
function add(dims: Dimension[], { shape, strides, dtype }: Elements, sign: number): void {
  for (let d = 0; d < shape.length; d++) {
    const stride = (strides[d] as number) * dtype.bytes * sign;
    const steps = (shape[d] as number) - 1;
    if (stride === 0 || steps === 0) continue;
    const size = Math.abs(stride);
    let dim = dims.find((one) => one.stride === size);
    if (dim === undefined) {
      dim = { stride: size, low: 0, high: 0 };
      dims.push(dim);
    }
    if (stride > 0) dim.high += steps;
    else dim.low -= steps;
  }
}

/** The least and the largest sum of the dimensions from each one on. */
function spansFrom(dims: readonly Dimension[]): (readonly [number, number])[] {
  let [least, most] = [0, 0];
  const spans: (readonly [number, number])[] = [[0, 0]];
  for (const { stride, low, high } of dims.toReversed()) {
    least += low * stride;
    most += high * stride;
    spans.unshift([least, most]);
  }
  return spans;
}

function byteRange({ shape, strides, dtype }: Elements, start: number): readonly [number, number] {
  const [low, high] = reach(shape, strides);
  return [start + low * dtype.bytes, start + (high + 1) * dtype.bytes];
}
