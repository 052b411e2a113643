// Sorting rows: keys and places of all elements, then a pass of kernels for each digit of the keys, from one pair of buffers to
// the other; then the values at the places.
import { type DType, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import {
  gridCount,
  gridMove,
  gridSort,
  hostCount,
  hostMove,
  hostSort,
  keysOf,
  shortRow,
  sortedValues,
  sortRow,
} from "../codegen/sort-kernel.js";
import { keyBits } from "../codegen/sort-keys.js";
import { contiguousStrides, sizeOf } from "../geometry/layout.js";
import { atOnce, launchWalk } from "../launch/walk-launch.js";
import { arange } from "./create.js";
import type { Placed } from "./reduce.js";
import { cumsum } from "./scan.js";
import { emptyTensor, type Tensor, windowOf } from "./tensor.js";

const longest = 2 ** 31 - 1;

/** The last dimension in order, stable, NaN last (or first, if descending): values and places, contiguous. */
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
    if (size > 0) {
      const place = orderOf(x, length, descending, make);
      const row = windowOf(x, { shape, strides: x.strides.with(-1, 0), offset: 0 });
      launchWalk(
        sortedValues,
        shape,
        [values, indices],
        [place.view(shape), row],
        [x.strides.at(-1) as number],
      );
    }
    return { values, indices: indices as Tensor<"int64"> };
  });
}

/** The places of the elements of each row in order, as `[rows, length]`. */
function orderOf(
  x: Tensor,
  length: number,
  descending: boolean,
  make: (shape: readonly number[], dtype: DType) => Tensor,
): Tensor {
  const { device, dtype } = x;
  const rows = sizeOf(x.shape.slice(0, -1));
  const keyType = dtype.bytes > 4 ? dtypes.uint64 : dtypes.uint32;
  const buffers = () => ({ key: make([rows, length], keyType), place: make([rows, length], dtypes.int32) });
  let from = buffers();
  const whole = { dtype: "int64", device: device.name } as const;
  launchWalk(
    keysOf(dtype),
    x.shape,
    [from.key.view(x.shape), from.place.view(x.shape)],
    [x, arange(0, length, 1, whole)],
    [descending ? 1 : 0],
  );
  const start = (tensor: Tensor) => windowOf(tensor, { shape: [rows], strides: [length], offset: 0 });
  if (length <= shortRow) {
    launchWalk(sortRow, [rows], [start(from.key), start(from.place)], [], [length]);
    return from.place;
  }
  const { grid } = device.target.dialect;
  const { tile, digit } = grid ? gridSort : hostSort;
  const [count, move] = grid ? [gridCount, gridMove] : [hostCount, hostMove];
  const tiles = Math.ceil(length / tile);
  const over = [rows, tiles];
  const bins = 2 ** digit;
  let to = buffers();
  const counts = make([rows, bins * tiles], dtypes.int32);
  const window = (tensor: Tensor, strides: readonly number[]) =>
    windowOf(tensor, { shape: over, strides, offset: 0 });
  const tileIndex = arange(0, tiles, 1, whole);
  for (let shift = 0; shift < keyBits(dtype); shift += digit) {
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
  return from.place;
}
