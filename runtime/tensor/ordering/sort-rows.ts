// Sorts rows: makes keys and indexes of all elements, then runs a pass of kernels per digit, between two pairs of buffers;
// then reads the values at the indexes.
import { type DType, type DTypeName, dtypes } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";
import { contiguousStrides } from "../../geometry/layout.js";
import { release, type View } from "../../geometry/view.js";
import { launching } from "../../launch/sink.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { arange } from "../create.js";
import type { Placed } from "../statistics/reduce.js";
import { cumsum } from "../statistics/scan.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";
import { blockRow, blockSort, gridSort } from "./sort-blocks.js";
import {
  atDistances,
  distances,
  hostSort,
  keysOf,
  shortRow,
  sortDigit,
  sortRow,
  valuesOf,
} from "./sort-kernel.js";
import { keyBits, keyBits32 } from "./sort-keys.js";

/** The most elements of a row. */
export const longestRow = 2 ** 31 - 1;

/** Sorts the last dimension, stable, NaN last (or first, if descending): values and indexes, contiguous. */
export function sortRows(what: string, x: Tensor, descending: boolean): Placed {
  checkRows(what, x);
  const [values, indices] = wholeResults(sortOperations[descending ? 1 : 0], [x]) as [
    Tensor,
    Tensor<"int64">,
  ];
  return { values, indices };
}

/** The indexes alone of {@link sortRows}. */
export function argsortRows(what: string, x: Tensor, descending: boolean): Tensor<"int64"> {
  if (x.size === 0 || isShort(x)) return sortRows(what, x, descending).indices;
  checkRows(what, x);
  return wholeResults(argsortOperations[descending ? 1 : 0], [x])[0] as Tensor<"int64">;
}

function checkRows(what: string, { dtype, shape }: Tensor): void {
  if (dtype.kind === "complex") {
    throw new JitlabError(
      "dtype-refused",
      `${what} does not take ${dtype.name}: complex numbers have no order.`,
    );
  }
  const length = shape.at(-1) as number;
  if (length > longestRow) {
    throw new JitlabError(
      "too-large",
      `${what}: ${length} elements in a row are more than ${longestRow}.`,
      "Sort parts of it.",
    );
  }
}

/** True for rows that a GPU's block sorts. */
function isShort({ device, dtype, shape }: Tensor): boolean {
  const length = shape.at(-1) as number;
  return device.target.dialect.gpu !== undefined && length > shortRow && length <= blockRow(dtype);
}

function sortBlocks(values: Tensor, indices: Tensor, x: Tensor, descending: boolean): void {
  const lanes = x.shape.slice(0, -1);
  const [length, step] = [x.shape.at(-1) as number, x.strides.at(-1) as number];
  const start = (tensor: Tensor) =>
    windowOf(tensor, { shape: lanes, strides: tensor.strides.slice(0, -1), offset: 0 });
  const numbers = [length, step, descending ? 1 : 0];
  launchWalk(blockSort(x.dtype, length), lanes, [start(values), start(indices)], [start(x)], numbers);
}

/** The sorted keys of rows and the places of their elements, in the shape of the rows. */
function keysInOrder(x: Tensor, descending: boolean): Keys {
  const { dtype, shape, device } = x;
  const length = shape.at(-1) as number;
  const make = (extents: readonly number[], type: DType) =>
    emptyTensor(extents, contiguousStrides(extents), type, device);
  const keys = make([x.size / length, length], dtype.bytes > 4 ? dtypes.uint64 : dtypes.uint32);
  launchWalk(keysOf(dtype), shape, [keys.view(shape)], [x], [descending ? 1 : 0]);
  const { key, place } = sortKeys(keys, keyBits(dtype), make);
  return { key: key.view(shape), place: place.view(shape) };
}

const sortOperation = (descending: boolean) =>
  opaqueDefinition(
    "sort",
    ([x]) => {
      const { dtype, shape } = x as View;
      return [
        [dtype, shape],
        [dtypes.int64, shape],
      ];
    },
    ([given], outputs) => sortInto(outputs as [Tensor, Tensor], given as Tensor, descending),
    { core: [1] },
  );
const sortOperations = [sortOperation(false), sortOperation(true)] as const;

const argsortOperation = (descending: boolean) =>
  opaqueDefinition(
    "argsort",
    ([x]) => [[dtypes.int64, (x as View).shape]],
    ([x], [indices]) => {
      const { key, place } = keysInOrder(x as Tensor, descending);
      (indices as Tensor).copy_(place);
      release(key, place);
    },
    { core: [1] },
  );
const argsortOperations = [argsortOperation(false), argsortOperation(true)] as const;

function sortInto([values, indices]: readonly [Tensor, Tensor], x: Tensor, descending: boolean): void {
  if (x.size === 0) return;
  if (isShort(x)) {
    sortBlocks(values, indices, x, descending);
    return;
  }
  const { key, place } = keysInOrder(x, descending);
  const row = windowOf(x, { shape: x.shape, strides: x.strides.with(-1, 0), offset: 0 });
  const numbers = [x.strides.at(-1) as number, descending ? 1 : 0];
  launchWalk(valuesOf(x.dtype), x.shape, [values, indices], [key, place, row], numbers);
  release(key, place);
}

type Make = (shape: readonly number[], dtype: DType) => Tensor;

/** The keys of rows, and the original index of each. */
export interface Keys {
  readonly key: Tensor;
  readonly place: Tensor;
}

/** The sorted elements of a vector of integers between two: only their distances from the least are sorted. */
export function sortedBetween<D extends DTypeName>(
  vector: Tensor<D>,
  least: number,
  most: number,
): Tensor<D> {
  const { dtype, device, size } = vector;
  const run = () => {
    const make = (extents: readonly number[], type: DType) =>
      emptyTensor(extents, contiguousStrides(extents), type, device);
    const keys = make([1, size], dtypes.uint32);
    launchWalk(distances, [size], [keys.view(size)], [vector], [least]);
    const [key] = byDigits(keys, keyBits32(most - least), make) as [Tensor];
    const values = make([size], dtype) as Tensor<D>;
    launchWalk(atDistances, [size], [values], [key.view(size)], [least]);
    release(key);
    return [values];
  };
  return launching({
    kind: "launch",
    name: "unique",
    inputs: [vector],
    out: [],
    run,
  })[0] as Tensor<D>;
}

/** Sorts rows of keys of some bits, which it overwrites. */
export function sortKeys(key: Tensor, bits: number, make: Make): Keys {
  const [rows, length] = key.shape as [number, number];
  if (length > shortRow) {
    const [sorted, place] = byDigits(key, bits, make, "places") as [Tensor, Tensor];
    return { key: sorted, place };
  }
  const place = make(key.shape, dtypes.int32);
  const start = (tensor: Tensor) => windowOf(tensor, { shape: [rows], strides: [length], offset: 0 });
  launchWalk(sortRow, [rows], [start(key), start(place)], [], [length]);
  return { key, place };
}

/**
 * Sorts rows of keys digit by digit and overwrites them. With them it can move the positions of their elements, or a tensor
 * of int32.
 */
export function byDigits(
  keys: Tensor,
  bits: number,
  make: Make,
  beside?: "places" | Tensor,
): readonly Tensor[] {
  const { shape, device } = keys;
  const [rows, length] = shape as [number, number];
  const { tile, count, move } = device.target.dialect.gpu ? gridSort(keys.dtype) : hostSort;
  const tiles = Math.ceil(length / tile);
  const over = [rows, tiles];
  const bins = 2 ** sortDigit;
  const counts = make([rows, bins * tiles], dtypes.int32);
  const window = (tensor: Tensor, strides: readonly number[]) =>
    windowOf(tensor, { shape: over, strides, offset: 0 });
  const tileIndex = arange(0, tiles, 1, { dtype: "int64", device: device.name });
  const kinds = beside ? [keys.dtype, dtypes.int32] : [keys.dtype];
  let from: readonly Tensor[] = beside && beside !== "places" ? [keys, beside] : [keys];
  let spare: readonly Tensor[] = [];
  for (let shift = 0; shift < bits; shift += sortDigit) {
    const numbers = [length, tiles, shift];
    const read = from.map((tensor) => window(tensor, [length, tile]));
    launchWalk(count, over, [], [read[0] as Tensor, window(counts, [bins * tiles, 1]), tileIndex], numbers);
    const sums = cumsum(counts, 1);
    const to = kinds.map((dtype, i) => spare[i] ?? make(shape, dtype));
    launchWalk(
      move[beside ? (from.length > 1 ? "places" : "own") : "alone"],
      over,
      to.map((tensor) => window(tensor, [length, 0])),
      [...read, tileIndex, window(sums, [bins * tiles, 0])],
      numbers,
    );
    release(sums);
    // The tensor that moves with the keys is not overwritten.
    [from, spare] = [to, shift === 0 ? [keys] : from];
  }
  release(counts, tileIndex, ...spare);
  return from;
}
