// Index tensors: their dtype, device and bounds. A kernel that reads an index out of bounds sets a flag. The host reads the
// flag after the launch, and only if it is set searches for the index and its position.
import { dtypes, isInteger } from "../../base/dtype.js";
import { JitlabError, show } from "../../base/errors.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import type { Device, Mark } from "../../device/device.js";
import { lastingStorage, type PooledStorage } from "../../device/pooled-storage.js";
import { openGraph } from "../../launch/graph.js";
import type { IndexCheck, IndexFlag, Indexes as IndexRange } from "../../launch/index-check.js";
import { atOnce, isListed } from "../../launch/sink.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { checkDevices } from "../same-device.js";
import { emptyTensor, type Tensor, tensorOf, windowOf } from "../tensor.js";

/** Where kernels of a device record an index out of bounds. */
interface Flag {
  readonly mark: Tensor;
  isSet(): boolean;
  clear(): void;
}

/** The flag of a device, whichever tensor has it. */
class DeviceFlag implements IndexFlag {
  constructor(readonly device: Device) {}

  isMarked(mark?: Mark): boolean {
    return isMarked(this.device, mark);
  }
}

const flags = new WeakMap<Device, Flag>();

function flagOf(device: Device): Flag {
  let flag = flags.get(device);
  if (flag === undefined || flag.mark.storage.disposed) {
    flag = makeFlag(device);
    flag.clear();
    (flag.mark.storage as PooledStorage).isFlag = true;
    flags.set(device, flag);
  }
  return flag;
}

/** In the host's memory where kernels reach it, so that reading it takes no call of a driver. */
function makeFlag(device: Device): Flag {
  const host = device.hostWord?.();
  if (host === undefined) {
    const mark = atOnce(() => emptyTensor([], [], dtypes.int32, device));
    return {
      mark,
      isSet: () => mark.item() !== 0,
      // Without a write that deferred operations wait for.
      clear: () => device.write(mark.pointer, new Uint8Array(dtypes.int32.bytes)),
    };
  }
  const { pointer, word } = host;
  return {
    mark: emptyTensor([], [], dtypes.int32, device, lastingStorage(device, pointer, word.byteLength)),
    isSet: () => Atomics.load(word, 0) !== 0,
    clear: () => void Atomics.store(word, 0, 0),
  };
}

/** The flag in which kernels of a device record an index out of bounds. */
export function markOf(device: Device): Tensor {
  return flagOf(device).mark;
}

/** An index tensor, and the range of its indexes. */
export interface Indexes extends IndexRange {
  readonly index: Tensor;
}

/** Whole numbers on the tensor's device as int64; throws `bad-index` for bool and complex numbers. */
export function indexesFor(what: string, x: Tensor, value: unknown): Tensor {
  const index = tensorOf(what, value);
  const isFloat = index.dtype.kind === "float";
  if (!isInteger(index.dtype) && !isFloat) {
    throw new JitlabError(
      "bad-index",
      `${what}: the index is ${index.dtype.name}.`,
      'Indexes are whole numbers: convert with .to("int64").',
    );
  }
  checkDevices(what, x, index, ["the tensor", "the index"]);
  // Fractions and NaN become the lowest integer, which is outside of every tensor; numbers beyond int64 would wrap.
  if (isFloat) return index.eq(index.trunc()).where(index, Number.NEGATIVE_INFINITY).to("int64");
  return (index.dtype === dtypes.uint64 ? index.clampMax(greatest) : index).to("int64");
}

const greatest = 2n ** 63n - 1n;
const lowest = -(2n ** 63n);

/** An index out of bounds, for messages. */
function shown(index: bigint): string {
  if (index === greatest) return `index ${index} or more`;
  return index === lowest ? `an index that is not a whole number, or ${index} or less,` : `index ${index}`;
}

/** False where launches are recorded or only shown: then there are no elements. */
export function hasElements(): boolean {
  return openGraph() === undefined && !isListed();
}

/** True if a launch before `mark` set the flag, which is then cleared; never where there are no elements. */
function isMarked(device: Device, mark?: Mark): boolean {
  if (!hasElements()) return false;
  const reached = mark ?? device.mark();
  reached.wait();
  reached.release();
  const flag = flagOf(device);
  if (!flag.isSet()) return false;
  // Launches after the mark may set it again.
  device.synchronize();
  flag.clear();
  return true;
}

/** Throws `bad-index` if a launch before `mark`, or before now, set the flag. */
export function refuseOutside(what: string, device: Device, all: readonly Indexes[], mark?: Mark): void {
  const error = isMarked(device, mark) ? errorOutside(what, all) : undefined;
  if (error) throw error;
}

/** The error for the first index out of bounds; undefined if there is none. */
function errorOutside(what: string, all: readonly Indexes[]): JitlabError | undefined {
  for (const { index, extent, of, wraps } of all) {
    const values = index.contiguous().data() as BigInt64Array;
    const first = values.findIndex((value) => value >= extent || value < (wraps ? -extent : 0));
    if (first < 0) continue;
    return new JitlabError(
      "bad-index",
      `${what}: ${shown(values[first] as bigint)} at position ${show(placeOf(first, index.shape))} of the index tensor is outside ${of}, which has ${extent} elements.`,
      extent === 0 ? "The dimension is empty." : `Indexes run from ${wraps ? -extent : 0} to ${extent - 1}.`,
    );
  }
  return undefined;
}

/** The test of a read that a compiled function defers. */
export class DeferredCheck implements IndexCheck {
  isDone = false;
  readonly flag: IndexFlag;

  constructor(
    readonly what: string,
    readonly device: Device,
    readonly all: readonly Indexes[],
  ) {
    this.flag = new DeviceFlag(device);
  }

  queue(elements: number): Mark | undefined {
    return areFew(this.device, this.all, elements) ? markOutside(this.device, this.all) : undefined;
  }

  error(): JitlabError | undefined {
    return errorOutside(this.what, this.all);
  }

  test(): void {
    this.isDone = true;
    checkIndexes(this.what, this.device, this.all);
  }

  over(all: readonly IndexRange[]): IndexCheck {
    return new DeferredCheck(this.what, this.device, all as readonly Indexes[]);
  }

  unknown(): JitlabError {
    const ranges = this.all.map(({ of, extent }) => `${of}, which has ${extent} elements`).join(", or ");
    return new JitlabError(
      "bad-index",
      `${this.what}: an index is outside ${ranges}.`,
      "The index tensor has changed since, so its position is not known.",
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

/** True where testing the indexes before a read, which then nobody waits for, costs a GPU less than waiting. */
export function areFew(device: Device, all: readonly Indexes[], elements: number): boolean {
  const indexes = all.reduce((sum, { index }) => sum + index.size, 0);
  return device.target.dialect.gpu !== undefined && elements >= 2 ** 18 && indexes * 16 <= elements;
}

/** Queues a test of indexes and returns the mark after it for {@link refuseOutside}, which does not wait for later work. */
export function markOutside(device: Device, all: readonly Indexes[]): Mark | undefined {
  for (const { index, extent, wraps } of all) {
    // An index that is broadcast is checked once.
    const shape = index.shape.map((count, d) => (index.strides[d] === 0 ? Math.min(1, count) : count));
    const each = windowOf(index, { shape, strides: index.strides, offset: 0 });
    launchWalk(outside, shape, [markOf(device).expand(shape)], [each], [extent, wraps ? -extent : 0]);
  }
  return hasElements() ? device.mark() : undefined;
}

/** Throws `bad-index` if an index is out of range, before anything is written. */
export function checkIndexes(what: string, device: Device, all: readonly Indexes[]): void {
  refuseOutside(what, device, all, markOutside(device, all));
}
