// Sorts rows: makes keys and indexes of all elements, then runs a pass of kernels per digit, between two pairs of buffers;
// then reads the values at the indexes.
import { type DType, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { blockRow, blockSort, gridCount, gridMove, gridSort } from "../codegen/sort-blocks.js";
import {
  hostCount,
  hostMove,
  hostSort,
  keysOf,
  shortRow,
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
  const keys = { key: make([rows, length], keyType), place: make([rows, length], dtypes.int32) };
  launchWalk(keysOf(dtype), shape, [keys.key.view(shape), keys.place.view(shape)], [x], [turned, length]);
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

/** Sorts rows of keys of some bits; overwrites the given ones. */
export function sortKeys(keys: Keys, bits: number, make: Make): Keys {
  const [rows, length] = keys.key.shape as [number, number];
  const { device } = keys.key;
  if (length <= shortRow) {
    const start = (tensor: Tensor) => windowOf(tensor, { shape: [rows], strides: [length], offset: 0 });
    launchWalk(sortRow, [rows], [start(keys.key), start(keys.place)], [], [length]);
    return keys;
  }
  const { grid } = device.target.dialect;
  const { tile, digit } = grid ? gridSort : hostSort;
  const [count, move] = grid ? [gridCount, gridMove] : [hostCount, hostMove];
  const tiles = Math.ceil(length / tile);
  const over = [rows, tiles];
  const bins = 2 ** digit;
  const counts = make([rows, bins * tiles], dtypes.int32);
  const window = (tensor: Tensor, strides: readonly number[]) =>
    windowOf(tensor, { shape: over, strides, offset: 0 });
  const tileIndex = arange(0, tiles, 1, { dtype: "int64", device: device.name });
  let from = keys;
  let to: Keys = { key: make([rows, length], keys.key.dtype), place: make([rows, length], dtypes.int32) };
  for (let shift = 0; shift < bits; shift += digit) {
    const numbers = [length, tiles, shift];
    const key = window(from.key, [length, tile]);
    launchWalk(count, over, [], [key, window(counts, [bins * tiles, 1]), tileIndex], numbers);
    const sums = cumsum(counts, 1);
    launchWalk(
      move,
      over,
      [window(to.key, [length, 0]), window(to.place, [length, 0])],
      [key, window(from.place, [length, tile]), tileIndex, window(sums, [bins * tiles, 0])],
      numbers,
    );
    [from, to] = [to, from];
  }
  return from;
}
