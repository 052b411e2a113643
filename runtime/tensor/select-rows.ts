// The few least or greatest elements of long rows: their threshold digit by digit, then their places, and only those are sorted.
import { type DType, dtypes } from "../base/dtype.js";
import { pickDigit, selectTile, selectWalks } from "../codegen/select-kernel.js";
import { keyBits } from "../codegen/sort-keys.js";
import { contiguousStrides, sizeOf } from "../geometry/layout.js";
import { atOnce, launchWalk } from "../launch/walk-launch.js";
import { arange } from "./create.js";
import type { Placed } from "./reduce.js";
import { cumsum } from "./scan.js";
import { sortRows } from "./sort-rows.js";
import { emptyTensor, type Tensor, windowOf } from "./tensor.js";

// Shorter rows, and larger shares of a row, are sorted as a whole.
const longRow = 8192;
const share = 16;

/** True where a few elements of a row are found faster than the row is sorted. */
export function isSelection({ dtype }: Tensor, length: number, wanted: number): boolean {
  return (
    wanted > 0 &&
    length >= longRow &&
    wanted * share <= length &&
    keyBits(dtype) >= 8 &&
    dtype.kind !== "complex"
  );
}

/** The `wanted` first elements of each row in order, ascending or descending, and their places, contiguous. */
export function selectRows(what: string, x: Tensor, wanted: number, descending: boolean): Placed {
  return atOnce(() => {
    const places = placesOf(x, wanted, descending);
    const values = x.takeAlongDim(places, -1);
    const { values: ordered, indices } = sortRows(what, values, descending);
    return { values: ordered, indices: places.takeAlongDim(indices, -1) as Tensor<"int64"> };
  });
}

function placesOf(x: Tensor, wanted: number, descending: boolean): Tensor {
  const { device, dtype } = x;
  const lanes = x.shape.slice(0, -1);
  const [rows, length, step] = [sizeOf(lanes), x.shape.at(-1) as number, x.strides.at(-1) as number];
  const tiles = Math.ceil(length / selectTile);
  const make = (shape: readonly number[], type: DType) =>
    emptyTensor(shape, contiguousStrides(shape), type, device);
  const over = [...lanes, tiles];
  const tile = arange(0, tiles, 1, { dtype: "int64", device: device.name });
  const row = windowOf(x, { shape: over, strides: x.strides.with(-1, 0), offset: 0 });
  // A contiguous tensor of rows, laid over lanes and tiles: each tile's part, or for all tiles the same.
  const lay = (tensor: Tensor, perRow: number, perTile: number) =>
    windowOf(tensor, {
      shape: over,
      strides: [...contiguousStrides(lanes).map((s) => s * perRow), perTile],
      offset: 0,
    });
  const threshold = make([rows], dtypes.uint64).fill_(0);
  const rank = make([rows], dtypes.int64).fill_(wanted);
  const { digits, below, list } = selectWalks(dtype, device.target.dialect.grid !== undefined);
  const numbers = [length, step, descending ? 1 : 0];
  const counts = make([rows, tiles, 256], dtypes.int32);
  for (let shift = keyBits(dtype) - 8; shift >= 0; shift -= 8) {
    launchWalk(
      digits,
      over,
      [lay(counts, tiles * 256, 256)],
      [row, tile, lay(threshold, 1, 0)],
      [...numbers, shift],
    );
    const sums = counts.sum(1);
    const start = windowOf(sums, { shape: [rows], strides: [256], offset: 0 });
    launchWalk(pickDigit, [rows], [threshold, rank], [start], [shift]);
  }
  const found = make([rows, 2, tiles], dtypes.int32);
  launchWalk(below, over, [lay(found, 2 * tiles, 1)], [row, tile, lay(threshold, 1, 0)], [...numbers, tiles]);
  const places = make([...lanes, wanted], dtypes.int64);
  const read = [
    row,
    tile,
    lay(threshold, 1, 0),
    lay(rank, 1, 0),
    lay(found, 2 * tiles, 1),
    lay(cumsum(found, 2), 2 * tiles, 1),
  ];
  launchWalk(list, over, [lay(places, wanted, 0)], read, [...numbers, tiles, wanted]);
  return places;
}
