// The data of plots: converts tensors, typed arrays and arrays to numbers.
import { didYouMean, JitlabError } from "../../runtime/base/errors.js";
import type { Tensor } from "../../runtime/index.js";
import { type Colormap, colormaps } from "../render/colormap.js";

/** Numbers to plot: a tensor, read in row-major order, a typed array or an array. */
export type Numbers = Tensor | ArrayLike<number | bigint>;

/** Rows of numbers: a tensor of two dimensions or nested arrays. */
export type Matrix = Tensor | readonly ArrayLike<number | bigint>[];

/** Numbers and their extents. */
export interface Block {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** True for a tensor, even of another copy of the package. */
export function isTensor(value: unknown): value is Tensor {
  return typeof value === "object" && value !== null && "dtype" in value && "strides" in value;
}

/** True for values that can be plotted as a row of numbers. */
export function isNumbers(value: unknown): value is Numbers {
  return Array.isArray(value) || ArrayBuffer.isView(value) || isTensor(value);
}

/** The numbers of a tensor or an array. */
export function numbersOf(what: string, value: unknown): Float64Array {
  if (!isNumbers(value)) throw unplottable(what, "a tensor, a typed array or an array of numbers", value);
  return isTensor(value) ? blockOf(what, value).values : Float64Array.from(value, Number);
}

/** A tensor or nested arrays as a block with this many dimensions. */
export function blockOf(what: string, value: unknown, dimensions?: readonly number[]): Block {
  const block = isTensor(value) ? tensorBlock(what, value) : nestedBlock(what, value);
  if (dimensions?.includes(block.shape.length) === false) {
    throw unplottable(
      what,
      `of ${dimensions.join(" or ")} dimensions`,
      `a shape of [${block.shape.join(", ")}]`,
    );
  }
  return block;
}

/** The smallest and the largest finite number; 0 and 1 if there are none. */
export function rangeOf(values: Float64Array): [min: number, max: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? [min, max] : [0, 1];
}

function tensorBlock(what: string, tensor: Tensor): Block {
  if (tensor.dtype.kind === "complex") {
    throw unplottable(what, "real; x.abs(), x.real() and x.angle() are", "complex numbers");
  }
  const data = tensor.data();
  return { shape: tensor.shape, values: isBigInts(data) ? numbersIn(data) : new Float64Array(data) };
}

function isBigInts(data: unknown): data is BigInt64Array | BigUint64Array {
  return data instanceof BigInt64Array || data instanceof BigUint64Array;
}

/** Float64Array.from() would list them all first, and V8 ends the process where it has no room. */
function numbersIn(data: BigInt64Array | BigUint64Array): Float64Array {
  const values = new Float64Array(data.length);
  for (let i = 0; i < data.length; i++) values[i] = Number(data[i]);
  return values;
}

function nestedBlock(what: string, value: unknown): Block {
  const shape: number[] = [];
  let level: unknown = value;
  while (Array.isArray(level) || ArrayBuffer.isView(level)) {
    const list = level as unknown as ArrayLike<unknown>;
    shape.push(list.length);
    level = list[0];
  }
  if (shape.length === 0) throw unplottable(what, "a tensor or nested arrays of numbers", value);
  const values = new Float64Array(shape.reduce((size, extent) => size * extent, 1));
  let place = 0;
  const read = (part: unknown, depth: number): void => {
    if (depth === shape.length) {
      values[place++] = Number(part);
      return;
    }
    const list = part as ArrayLike<unknown>;
    if (list.length !== shape[depth]) {
      throw unplottable(what, "rows of one length", `one of ${shape[depth]} and one of ${list.length}`);
    }
    for (let i = 0; i < list.length; i++) read(list[i], depth + 1);
  };
  read(value, 0);
  return { shape, values };
}

/** The error of a value that cannot be plotted. */
export function unplottable(what: string, needs: string, given: unknown): JitlabError {
  const said = typeof given === "string" ? given : `${given === null ? "null" : typeof given}`;
  return new JitlabError("bad-plot", `${what} must be ${needs}, but got ${said}.`);
}

/** A colormap by name; throws for an unknown one. */
export function checkedColormap(what: string, name: Colormap = "viridis"): Colormap {
  if (colormaps.includes(name)) return name;
  throw new JitlabError(
    "bad-plot",
    `${what}: unknown colormap ${JSON.stringify(name)}.`,
    `${didYouMean(String(name), colormaps)} The colormaps are ${colormaps.join(", ")}.`.trim(),
  );
}
