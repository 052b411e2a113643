// Writes by index tensors on a GPU with long lanes, which are too slow for one thread each. The targets of all indexes are
// sorted with the indexes of their values, so that the values of one target are adjacent and in order. A segmented scan
// joins them, and the last of each segment is written.

import { type DType, dtypes } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import type { ScanPlan } from "../../functor/scan.js";
import { contiguousStrides, sizeOf } from "../../geometry/layout.js";
import { release } from "../../geometry/view.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { keyBits32 } from "../ordering/sort-keys.js";
import { byDigits, sortKeys } from "../ordering/sort-rows.js";
import { scanRows } from "../statistics/scan.js";
import { emptyTensor, Tensor, windowOf } from "../tensor.js";
import { type Joining, joinHelpers, joins, type LaneTarget, type LaneWrite } from "./scatter-kernels.js";

const fewLanes = 4096;
const longLane = 512;
const mostElements = 2 ** 31 - 1;
const mostTargets = 2 ** 32 - 2;

/** True if the targets and the places of all values fit 32 bits. */
export function areSortable({ lanes, length, indexes }: LaneWrite): boolean {
  const count = sizeOf(lanes);
  const targets = count * sizeOf(indexes.map(({ extent }) => extent));
  return count * length <= mostElements && targets <= mostTargets;
}

/** True if sorting is faster on a GPU: few long lanes. */
export function areLongLanes({ lanes, length }: LaneWrite): boolean {
  return sizeOf(lanes) <= fewLanes && length >= longLane;
}

const targetWalks = new Map<number, Walk>();

/**
 * The walk that computes each index's target, as a number over lanes and extents; an index out of range is after all targets.
 */
export function targetsBy(count: number): Walk {
  let walk = targetWalks.get(count);
  if (walk === undefined) {
    const each = Array.from({ length: count }, (_, k) => k);
    walk = {
      name: "scatterTargets",
      operands: ["key", ...each.map((k) => `index${k}`)],
      numbers: ["length", "per", "targets", ...each.map((k) => `extent${k}`)],
      body: [
        "  int64 at = position / length * per, chosen = 0;",
        "  bool inside = true;",
        ...each.flatMap((k) => [
          `  const int64 named${k} = *index${k}, chosen${k} = named${k} < 0 ? named${k} + extent${k} : named${k};`,
          `  inside = inside && chosen${k} >= 0 && chosen${k} < extent${k};`,
          `  chosen = chosen * extent${k} + chosen${k};`,
        ]),
        "  *key = inside ? uint32(at + chosen) : uint32(targets);",
      ].join("\n"),
    };
    targetWalks.set(count, walk);
  }
  return walk;
}

/** The join of a target's values: the accumulator is a value and its target. */
interface Segments {
  readonly name: string;
  readonly plan: ScanPlan;
  /** The walk that pairs values and targets, in the order of the targets; values at their places, or in that order too. */
  readonly lay: Walk;
  readonly layMoved: Walk;
  /** The walk that writes the last accumulator of each target. */
  readonly write: Walk;
}

const segments = new Map<string, Segments>();

/** The scan and the walks of a join in a dtype; one of each, because they own kernels. */
export function segmentsOf(joining: Joining, compute: DType): Segments {
  const key = `${joining} ${compute.name}`;
  const known = segments.get(key) ?? makeSegments(joining, compute);
  segments.set(key, known);
  return known;
}

function makeSegments(joining: Joining, compute: DType): Segments {
  const bytes = compute.bytes <= 4 ? 8 : compute.bytes + 8;
  const accumulator = [
    "struct alignas(8) Accumulator { Element value; uint32 target; };",
    `static_assert(sizeof(Accumulator) == ${bytes}, "the size of an accumulator");`,
    ...(joinHelpers[joining] ? [joinHelpers[joining]] : []),
    "__device__ inline Element joined(Element a, Element b) {",
    "  (void)a;",
    `  return Element(${joins[joining]});`,
    "}",
    "__device__ inline Accumulator after(Accumulator a, Accumulator b) {",
    // Elements of one target are adjacent; the last number means no target yet.
    "  if (b.target == 0xffffffffu) return a;",
    "  return a.target == b.target ? Accumulator{joined(a.value, b.value), b.target} : b;",
    "}",
  ].join("\n");
  const helpers = [`typedef ${compute.ctype} Element;`, accumulator].join("\n");
  const plan: ScanPlan = {
    compute,
    results: [compute],
    finish: ["a.value"],
    accumulator,
    accumulatorBytes: bytes,
    identity: "Accumulator{Element(), 0xffffffffu}",
    lift: "Accumulator{x, 0u}",
    join: "after(a, b)",
  };
  const layOf = (name: string, operands: readonly string[], value: string): Walk => ({
    name: `${name}_${joining}`,
    operands: ["pair", "key", ...operands],
    numbers: [],
    helpers,
    uses: [compute],
    body: `  *reinterpret_cast<Accumulator*>(pair) = Accumulator{cast<Element>(${value}), *key};`,
  });
  return {
    name: `scatter_${joining}`,
    plan,
    lay: layOf("scatterLay", ["place", "source"], "source[*place]"),
    layMoved: layOf("scatterLay_moved", ["source"], "*source"),
    write: {
      name: `scatterWrite_${joining}`,
      operands: ["target", "pair"],
      numbers: ["length", "targets"],
      helpers,
      uses: [compute],
      body: [
        "  const Accumulator* const own = reinterpret_cast<const Accumulator*>(pair);",
        "  if (own->target == targets || (position + 1 < length && own[1].target == own->target)) return;",
        "  target[own->target] = cast<T>(joined(cast<Element>(target[own->target]), own->value));",
      ].join("\n"),
    },
  };
}

/** Joins the values of each lane into the target, in an order that depends only on the call. */
export function scatterSorted(
  { joining, accumulator, lanes, length, source, indexes }: LaneWrite,
  { over: target, strides }: LaneTarget,
): void {
  const { device } = target;
  const { dtype } = source.over;
  const compute = dtypes[accumulator.compute];
  const extents = indexes.map(({ extent }) => extent);
  const per = sizeOf(extents);
  const targets = sizeOf(lanes) * per;
  const shape = [...lanes, length];
  const total = sizeOf(shape);
  const make = (extents: readonly number[], type: DType) =>
    emptyTensor(extents, contiguousStrides(extents), type, device);
  const along = ({ over, step }: { readonly over: Tensor; readonly step: number }) =>
    windowOf(over, { shape, strides: [...over.strides, step], offset: 0 });
  const keys = make([1, total], dtypes.uint32);
  const numbers = [length, per, targets, ...extents];
  launchWalk(targetsBy(indexes.length), shape, [keys.view(shape)], indexes.map(along), numbers);
  const bits = keyBits32(targets);
  const { name, plan, lay, layMoved, write } = segmentsOf(joining, compute);
  const bytes = plan.accumulatorBytes;
  const pairs = () =>
    windowOf(make([total, bytes], dtypes.uint8), { shape: [total], strides: [bytes], offset: 0 });
  const values = along(source).contiguous();
  const base = (tensor: Tensor) => windowOf(tensor, { shape: [total], strides: [0], offset: 0 });
  const [laid, joined] = [pairs(), pairs()];
  if (dtype.bytes === dtypes.int32.bytes) {
    // Values as wide as places move with the keys, instead of being read at random afterwards.
    const asType = ({ storage, offset }: Tensor, type: DType) =>
      new Tensor(storage, offset, [1, total], [total, 1], type);
    const [key, moved] = byDigits(keys, bits, make, asType(values, dtypes.int32)) as [Tensor, Tensor];
    launchWalk(layMoved, [total], [laid], [key.view(total), asType(moved, dtype).view(total)], []);
    release(key, moved);
  } else {
    const { key, place } = sortKeys(keys, bits, make);
    launchWalk(lay, [total], [laid], [key.view(total), place.view(total), base(values)], []);
    release(key, place);
  }
  if (values.storage !== source.over.storage) release(values);
  scanRows({ name, plan: () => plan }, plan, compute, false, laid, [joined]);
  release(laid);
  const view = windowOf(target, {
    shape: [...lanes, ...extents],
    strides: [...target.strides, ...strides],
    offset: 0,
  });
  const dense = view.contiguous();
  launchWalk(write, [total], [base(dense)], [joined], [total, targets]);
  release(joined);
  if (dense === view) return;
  view.copy_(dense);
  release(dense);
}
