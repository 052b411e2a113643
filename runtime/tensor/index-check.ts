// Index tensors: their dtype, device and bounds. A kernel that reads an index out of bounds sets a flag on its device. The
// host reads the flag after the launch, and only if it is set searches for the index and its position.
import { dtypes, isInteger } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Walk } from "../codegen/walk-kernel.js";
import type { Device } from "../device/device.js";
import { openGraph } from "../launch/graph.js";
import { launchWalk } from "../launch/walk-launch.js";
import { checkDevices } from "./same-device.js";
import { emptyTensor, type Tensor, tensorOf, windowOf } from "./tensor.js";

const cells = new WeakMap<Device, Tensor>();

/** The flag in which kernels of a device record an index out of bounds. */
export function markOf(device: Device): Tensor {
  let cell = cells.get(device);
  if (cell === undefined || cell.storage.disposed) {
    cell = emptyTensor([1], [1], dtypes.int32, device).fill_(0);
    cells.set(device, cell);
  }
  return cell;
}

/** An index tensor, and the range of its indexes. */
export interface Indexes {
  readonly index: Tensor;
  /** The number of elements to choose from. */
  readonly extent: number;
  /** The indexed dimension, for messages: `dimension 0`. */
  readonly of: string;
  /** True if -1 is the last element. */
  readonly wraps: boolean;
}

/** Integers on the tensor's device as int64; throws `bad-index` for another dtype. */
export function indexesFor(what: string, x: Tensor, value: unknown): Tensor {
  const index = tensorOf(what, value);
  if (!isInteger(index.dtype)) {
    throw new JitlabError(
      "bad-index",
      `${what}: the index is ${index.dtype.name}.`,
      'Indexes are integers: convert with .to("int64").',
    );
  }
  checkDevices(what, x, index, ["the tensor", "the index"]);
  return index.to("int64");
}

/** Throws `bad-index` if a launch set the flag; not while a graph is being recorded, which has no values. */
export function refuseOutside(what: string, device: Device, all: readonly Indexes[]): void {
  if (openGraph() !== undefined) return;
  const cell = markOf(device);
  if (cell.item() === 0) return;
  cell.fill_(0);
  for (const { index, extent, of, wraps } of all) {
    const values = index.contiguous().data() as BigInt64Array;
    const first = values.findIndex((value) => value >= extent || value < (wraps ? -extent : 0));
    if (first < 0) continue;
    throw new JitlabError(
      "bad-index",
      `${what}: index ${values[first]} at position ${show(placeOf(first, index.shape))} of the index tensor is outside ${of}, which has ${extent} elements.`,
      extent === 0 ? "The dimension is empty." : `Indexes run from ${wraps ? -extent : 0} to ${extent - 1}.`,
    );
  }
}

function placeOf(position: number, shape: readonly number[]): number[] {
  let rest = position;
  return shape
    .toReversed()
    .map((extent) => {
      const index = rest % extent;
      rest = Math.floor(rest / extent);
      return index;
    })
    .toReversed();
}

/** The walk that marks indexes out of range. */
export const outside: Walk = {
  name: "checkIndexes",
  operands: ["mark", "index"],
  numbers: ["extent", "lowest"],
  body: "  if (*index < lowest || *index >= extent) *mark = 1;",
};

/** Throws `bad-index` if an index is out of range, before anything is written. */
export function checkIndexes(what: string, device: Device, all: readonly Indexes[]): void {
  for (const { index, extent, wraps } of all) {
    // An index that is broadcast is checked once.
    const shape = index.shape.map((count, d) => (index.strides[d] === 0 ? Math.min(1, count) : count));
    const each = windowOf(index, { shape, strides: index.strides, offset: 0 });
    launchWalk(outside, shape, [markOf(device).expand(shape)], [each], [extent, wraps ? -extent : 0]);
  }
  refuseOutside(what, device, all);
}
