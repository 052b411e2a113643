// Selects the few smallest or largest elements of long rows: finds their threshold digit by digit, then their indexes, and
// sorts only those.
import { type DType, dtypes } from "../../base/dtype.js";
import { RecentValues } from "../../base/recent-values.js";
import { contiguousStrides, sizeOf } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import type { OpaqueDefinition } from "../../launch/operation.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { arange } from "../create.js";
import type { Placed } from "../statistics/reduce.js";
import { cumsum } from "../statistics/scan.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";
import { elementWalk, firstWalk, mostFirst, pickDigit, selectTile, selectWalks } from "./select-kernel.js";
import { keyBits } from "./sort-keys.js";
import { sortRows } from "./sort-rows.js";

// Shorter rows, and larger fractions of a row, are sorted as a whole.
const longRow = 8192;
const share = 16;

/** True if selecting a few elements of a row is faster than sorting it. */
export function isSelection(rows: Tensor, length: number, wanted: number): boolean {
  const { dtype } = rows;
  return (
    wanted > 0 &&
    (length >= longRow || holdsFirst(rows, wanted)) &&
    wanted * share <= length &&
    keyBits(dtype) >= 8 &&
    dtype.kind !== "complex"
  );
}

/** True where a processor keeps the first elements of a row while it goes through it. */
function holdsFirst({ device }: View, wanted: number): boolean {
  return device.target.dialect.gpu === undefined && wanted <= mostFirst;
}

/** The first `wanted` elements of each row in order, ascending or descending, and their indexes, contiguous. */
export function selectRows(what: string, x: Tensor, wanted: number, descending: boolean): Placed {
  const [places] = wholeResults(placesOperation(wanted, descending), [x]) as [Tensor<"int64">];
  const { values, indices } = sortRows(what, x.takeAlongDim(places, -1), descending);
  const first = indices.narrow(-1, 0, wanted);
  return {
    values: values.narrow(-1, 0, wanted).contiguous(),
    indices: places.takeAlongDim(first, -1),
  };
}

const operations = new RecentValues<OpaqueDefinition>(256);

/** Finds the places of elements of each row: those of its first `wanted`, and equal ones in their order. */
function placesOperation(wanted: number, descending: boolean): OpaqueDefinition {
  return operations.get(`${wanted} ${descending}`, () =>
    opaqueDefinition(
      "select",
      ([x]) => {
        const { shape } = x as View;
        const count = holdsFirst(x as View, wanted) ? partsOf(x as View) * wanted : wanted;
        return [[dtypes.int64, shape.with(-1, count)]];
      },
      ([x], [places]) => {
        const find = holdsFirst(x as View, wanted) ? firstPlaces : placesInto;
        find(places as Tensor, x as Tensor, wanted, descending);
      },
      { core: [1] },
    ),
  );
}

function partsOf({ shape }: View): number {
  return Math.max(1, Math.floor((shape.at(-1) as number) / selectTile));
}

/** Writes the places of the first elements of each part of each row, among which are the row's first. */
function firstPlaces(places: Tensor, x: Tensor, wanted: number, descending: boolean): void {
  const lanes = x.shape.slice(0, -1);
  const [length, step] = [x.shape.at(-1) as number, x.strides.at(-1) as number];
  const parts = partsOf(x);
  const over = [...lanes, parts];
  const target = windowOf(places, {
    shape: over,
    strides: [...places.strides.slice(0, -1), wanted],
    offset: 0,
  });
  const row = windowOf(x, { shape: over, strides: x.strides.with(-1, 0), offset: 0 });
  const part = arange(0, parts, 1, { dtype: "int64", device: x.device.name });
  const numbers = [length, step, parts, wanted, descending ? 1 : 0];
  launchWalk(firstWalk(x.dtype), over, [target], [row, part], numbers);
}

/** The element of a rank, counted from 1, in the order of a long vector: NaN where a NaN stands there. */
export function elementOfRank(vector: Tensor, rank: Tensor): Tensor {
  return (wholeResults(rankOperation, [vector, rank]) as [Tensor])[0];
}

const rankOperation = opaqueDefinition(
  "rank",
  ([vector]) => [[(vector as View).dtype, []]],
  ([given, rank], [element]) => {
    const vector = given as Tensor;
    const threshold = thresholdsOf(vector, tilesOf(vector), (rank as Tensor).clone(), false);
    launchWalk(elementWalk(vector.dtype), [1], [(element as Tensor).view(1)], [threshold], []);
  },
);

/** True where {@link elementOfRank} is faster than sorting. */
export function isRanked({ dtype, size }: Tensor): boolean {
  return size >= longRow && keyBits(dtype) >= 8 && dtype.kind !== "complex";
}

/** Rows in tiles, as operands of walks over lanes and tiles. */
interface Tiles {
  readonly rows: number;
  readonly count: number;
  readonly over: readonly number[];
  readonly tile: Tensor;
  readonly row: Tensor;
  /** A contiguous tensor of rows, broadcast over lanes and tiles: each tile's part, or the same for all tiles. */
  readonly lay: (tensor: Tensor, perRow: number, perTile: number) => Tensor;
}

function tilesOf(x: Tensor): Tiles {
  const lanes = x.shape.slice(0, -1);
  const count = Math.ceil((x.shape.at(-1) as number) / selectTile);
  const over = [...lanes, count];
  return {
    rows: sizeOf(lanes),
    count,
    over,
    tile: arange(0, count, 1, { dtype: "int64", device: x.device.name }),
    row: windowOf(x, { shape: over, strides: x.strides.with(-1, 0), offset: 0 }),
    lay: (tensor, perRow, perTile) =>
      windowOf(tensor, {
        shape: over,
        strides: [...contiguousStrides(lanes).map((s) => s * perRow), perTile],
        offset: 0,
      }),
  };
}

function make(x: Tensor, shape: readonly number[], dtype: DType): Tensor {
  return emptyTensor(shape, contiguousStrides(shape), dtype, x.device);
}

/** The length, the step and the order of rows, as walks take them. */
function numbersOf(x: Tensor, descending: boolean): number[] {
  return [x.shape.at(-1) as number, x.strides.at(-1) as number, descending ? 1 : 0];
}

/** The key of each row's element of a rank; the rank becomes that among the elements of this key. */
function thresholdsOf(x: Tensor, tiles: Tiles, rank: Tensor, descending: boolean): Tensor {
  const { rows, count, over, tile, row, lay } = tiles;
  const threshold = make(x, [rows], dtypes.uint64).fill_(0);
  const { digits } = selectWalks(x.dtype, x.device.target.dialect.gpu !== undefined);
  const counts = make(x, [rows, count, 256], dtypes.int32);
  for (let shift = keyBits(x.dtype) - 8; shift >= 0; shift -= 8) {
    launchWalk(
      digits,
      over,
      [lay(counts, count * 256, 256)],
      [row, tile, lay(threshold, 1, 0)],
      [...numbersOf(x, descending), shift],
    );
    const sums = counts.sum(1);
    const start = windowOf(sums, { shape: [rows], strides: [256], offset: 0 });
    launchWalk(pickDigit, [rows], [threshold, rank], [start], [shift]);
  }
  return threshold;
}

function placesInto(places: Tensor, x: Tensor, wanted: number, descending: boolean): void {
  const tiles = tilesOf(x);
  const { rows, count, over, tile, row, lay } = tiles;
  const rank = make(x, [rows], dtypes.int64).fill_(wanted);
  const threshold = thresholdsOf(x, tiles, rank, descending);
  const { below, list } = selectWalks(x.dtype, x.device.target.dialect.gpu !== undefined);
  const numbers = numbersOf(x, descending);
  const found = make(x, [rows, 2, count], dtypes.int32);
  launchWalk(below, over, [lay(found, 2 * count, 1)], [row, tile, lay(threshold, 1, 0)], [...numbers, count]);
  const read = [
    row,
    tile,
    lay(threshold, 1, 0),
    lay(rank, 1, 0),
    lay(found, 2 * count, 1),
    lay(cumsum(found, 2), 2 * count, 1),
  ];
  launchWalk(list, over, [lay(places, wanted, 0)], read, [...numbers, count, wanted]);
}
