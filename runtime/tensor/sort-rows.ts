// Sorts rows: makes keys and indexes of all elements, then runs a pass of kernels per digit, between two pairs of buffers;
// then reads the values at the indexes.
import { type DType, type DTypeName, dtypes, isInteger } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { blockRow, blockSort, gridSort } from "../codegen/sort-blocks.js";
import {
  atDistances,
  distances,
  hostSort,
  keysOf,
  shortRow,
  sortDigit,
  sortRow,
  valuesOf,
} from "../codegen/sort-kernel.js";
import { keyBits } from "../codegen/sort-keys.js";
import { contiguousStrides, sizeOf } from "../geometry/layout.js";
import { atOnce, launchWalk } from "../launch/walk-launch.js";
import { arange } from "./create.js";
import type { Placed } from "./reduce.js";
import { cumsum } from "./scan.js";
import { emptyTensor, type Tensor, windowOf } from "./tensor.js";

const longest = 2 ** 31 - 1;

/** Sorts the last dimension, stable, NaN last (or first, if descending): values and indexes, contiguous. */
export function sortRows(what: string, x: Tensor, descending: boolean): Placed {
  const { dtype, shape, size } = x;
  if (dtype.kind === "complex") {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${dtype.name}: complex numbers have no order.`,
    );
  }
  const length = shape.at(-1) as number;
  if (length > longest) {
    throw new JitlabError(
      "too-large",
      `${what}: ${length} elements in a row are more than ${longest}.`,
      "Sort parts of it.",
    );
  }
  return atOnce(() => {
    const make = (extents: readonly number[], type: DType) =>
      emptyTensor(extents, contiguousStrides(extents), type, x.device);
    const [values, indices] = [make(shape, dtype), make(shape, dtypes.int64)];
    if (size > 0) sortInto(values, indices, x, descending, make);
    return { values, indices: indices as Tensor<"int64"> };
  });
}

type Make = (shape: readonly number[], dtype: DType) => Tensor;

function sortInto(values: Tensor, indices: Tensor, x: Tensor, descending: boolean, make: Make): void {
  const { device, dtype, shape } = x;
  const length = shape.at(-1) as number;
  const step = x.strides.at(-1) as number;
  const turned = descending ? 1 : 0;
  if (device.target.dialect.grid && length > shortRow && length <= blockRow(dtype)) {
    const start = (tensor: Tensor) =>
      windowOf(tensor, { shape: shape.slice(0, -1), strides: tensor.strides.slice(0, -1), offset: 0 });
    const walk = blockSort(dtype, length);
    launchWalk(walk, shape.slice(0, -1), [start(values), start(indices)], [start(x)], [length, step, turned]);
    return;
  }
  const rows = sizeOf(shape.slice(0, -1));
  const keyType = dtype.bytes > 4 ? dtypes.uint64 : dtypes.uint32;
  const keys = make([rows, length], keyType);
  launchWalk(keysOf(dtype), shape, [keys.view(shape)], [x], [turned]);
  const { key, place } = sortKeys(keys, keyBits(dtype), make);
  const row = windowOf(x, { shape, strides: x.strides.with(-1, 0), offset: 0 });
  const read = [key.view(shape), place.view(shape), row];
  launchWalk(valuesOf(dtype), shape, [values, indices], read, [step, turned]);
}

/** Keys as `[rows, length]`, and the original index of each. */
export interface Keys {
  readonly key: Tensor;
  readonly place: Tensor;
}

/** The sorted elements of a vector. Of many integers only the distances from the least are sorted, by as few digits as they have. */
export function sortedValues<D extends DTypeName>(what: string, x: Tensor<D>): Tensor<D> {
  const { dtype, device, size } = x;
  const isMany = isInteger(dtype) && size > blockRow(dtype) && size <= longest;
  const [least, most] = isMany ? [Number(x.min().item()), Number(x.max().item())] : [0, 0];
  const range = most - least;
  if (!isMany || !Number.isSafeInteger(least) || !Number.isSafeInteger(most) || range >= 2 ** 32) {
    return sortRows(what, x, false).values as Tensor<D>;
  }
  return atOnce(() => {
    const make = (extents: readonly number[], type: DType) =>
      emptyTensor(extents, contiguousStrides(extents), type, device);
    const key = make([1, size], dtypes.uint32);
    launchWalk(distances, [size], [key.view(size)], [x], [least]);
    const { key: sorted } = byDigits(key, range.toString(2).length, make, false);
    const values = make([size], dtype) as Tensor<D>;
    launchWalk(atDistances, [size], [values], [sorted.view(size)], [least]);
    return values;
  });
}

/** Sorts rows of keys of some bits, which it overwrites. */
export function sortKeys(key: Tensor, bits: number, make: Make): Keys {
  const [rows, length] = key.shape as [number, number];
  if (length > shortRow) return byDigits(key, bits, make, true) as Keys;
  const place = make(key.shape, dtypes.int32);
  const start = (tensor: Tensor) => windowOf(tensor, { shape: [rows], strides: [length], offset: 0 });
  launchWalk(sortRow, [rows], [start(key), start(place)], [], [length]);
  return { key, place };
}

/** Sorts rows of keys digit by digit; if `placed`, the places of their elements follow them. */
function byDigits(
  keys: Tensor,
  bits: number,
  make: Make,
  placed: boolean,
): Pick<Keys, "key"> & Partial<Keys> {
  const { shape, device } = keys;
  const [rows, length] = shape as [number, number];
  const { tile, count, move } = device.target.dialect.grid ? gridSort(keys.dtype) : hostSort;
  const tiles = Math.ceil(length / tile);
  const over = [rows, tiles];
  const bins = 2 ** sortDigit;
  const counts = make([rows, bins * tiles], dtypes.int32);
  const window = (tensor: Tensor, strides: readonly number[]) =>
    windowOf(tensor, { shape: over, strides, offset: 0 });
  const tileIndex = arange(0, tiles, 1, { dtype: "int64", device: device.name });
  const kinds = placed ? [keys.dtype, dtypes.int32] : [keys.dtype];
  let from: readonly Tensor[] = [keys];
  let spare: readonly Tensor[] = [];
  for (let shift = 0; shift < bits; shift += sortDigit) {
    const numbers = [length, tiles, shift];
    const read = from.map((tensor) => window(tensor, [length, tile]));
    launchWalk(count, over, [], [read[0] as Tensor, window(counts, [bins * tiles, 1]), tileIndex], numbers);
    const sums = cumsum(counts, 1);
    const to = kinds.map((dtype, i) => spare[i] ?? make(shape, dtype));
    launchWalk(
      move[placed ? (shift === 0 ? "own" : "places") : "alone"],
      over,
      to.map((tensor) => window(tensor, [length, 0])),
      [...read, tileIndex, window(sums, [bins * tiles, 0])],
      numbers,
    );
    [from, spare] = [to, from];
  }
  const [key, place] = from as readonly [Tensor, Tensor?];
  return place ? { key, place } : { key };
}
