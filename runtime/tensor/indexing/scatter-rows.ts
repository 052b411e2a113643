// Writes by one index tensor that all lanes share, on a GPU: the targets are sorted once, with the places of their rows. A
// position joins a chunk of rows in that order for one lane. Targets whose rows lie inside a chunk are written at once, the
// first and the last of a chunk by a second walk, which joins what chunks hold of one target in their order.

import { type DType, dtypes } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { contiguousStrides, sizeOf } from "../../geometry/layout.js";
import { release } from "../../geometry/view.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { keyBits32 } from "../ordering/sort-keys.js";
import { sortKeys } from "../ordering/sort-rows.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";
import {
  type Joining,
  joinHelpers,
  joins,
  type LaneIndex,
  type LaneTarget,
  type LaneWrite,
} from "./scatter-kernels.js";
import { targetsBy } from "./scatter-sorted.js";

const chunk = 64;
const atOnce = 8;
const fewLanes = 4;
const leastRows = 512;
const most = 2 ** 31 - 1;

/** True if lanes share the index. */
export function areRows({ lanes, length, indexes }: LaneWrite): boolean {
  const [{ over, extent }] = indexes as [LaneIndex];
  const isShared = indexes.length === 1 && over.strides.every((stride, d) => stride === 0 || lanes[d] === 1);
  return isShared && Math.max(length, extent) <= most;
}

/** True if the rows are too many for one position of each lane. */
export function areManyRows({ lanes, length }: LaneWrite): boolean {
  return sizeOf(lanes) >= fewLanes && length >= leastRows;
}

interface RowWalks {
  readonly join: Walk;
  readonly ends: Walk;
}

const walks = new Map<string, RowWalks>();

/** The walks of a join in a dtype: over the rows of each chunk, and over the ends of chunks. */
export function rowWalks(joining: Joining, sum: DType): RowWalks {
  const key = `${joining} ${sum.name}`;
  const known = walks.get(key) ?? makeWalks(joining, sum);
  walks.set(key, known);
  return known;
}

function makeWalks(joining: Joining, sum: DType): RowWalks {
  const helpers = [
    `typedef ${sum.ctype} Sum;`,
    ...(joinHelpers[joining] ? [joinHelpers[joining]] : []),
    `__device__ inline Sum joined(Sum a, Sum b) { (void)a; return Sum(${joins[joining]}); }`,
    "__device__ inline void write(T* target, int64 at, Sum value) {",
    "  target[at] = cast<T>(joined(cast<Sum>(target[at]), value));",
    "}",
  ].join("\n");
  const bounds = [
    "  const int64 first = key - args.key, rest = length - first;",
    `  const int count = rest < ${chunk} ? int(rest) : ${chunk};`,
  ];
  const common = { helpers, heavy: true, uses: [sum] };
  return {
    join: {
      ...common,
      name: `scatterRows_${joining}`,
      operands: ["target", "head", "tail", "key", "place", "source"],
      numbers: ["length", "targets", "stride", "step"],
      body: [
        ...bounds,
        "  uint32 now = key[0];",
        "  bool isFirst = true;",
        "  Sum sum = cast<Sum>(source[place[0] * step]);",
        // A thread issues some loads before it uses the first one.
        `  for (int start = 1; start < count; start += ${atOnce}) {`,
        `    uint32 keys[${atOnce}];`,
        `    Sum values[${atOnce}];`,
        "    JITLAB_UNROLL",
        `    for (int j = 0; j < ${atOnce} && start + j < count; ++j) {`,
        "      keys[j] = key[start + j];",
        "      values[j] = cast<Sum>(source[place[start + j] * step]);",
        "    }",
        "    JITLAB_UNROLL",
        `    for (int j = 0; j < ${atOnce} && start + j < count; ++j) {`,
        "      if (keys[j] == now) {",
        "        sum = joined(sum, values[j]);",
        "        continue;",
        "      }",
        "      if (isFirst) *head = sum;",
        "      else if (now != targets) write(target, now * stride, sum);",
        "      isFirst = false;",
        "      now = keys[j];",
        "      sum = values[j];",
        "    }",
        "  }",
        "  *(isFirst ? head : tail) = sum;",
      ].join("\n"),
    },
    ends: {
      ...common,
      name: `scatterEnds_${joining}`,
      operands: ["target", "head", "tail", "key"],
      numbers: ["length", "targets", "stride", "apart"],
      body: [
        ...bounds,
        "  const bool isOne = key[count - 1] == key[0], starts = first == 0 || key[-1] != key[0];",
        "  if (starts && !isOne && key[0] != targets) write(target, key[0] * stride, *head);",
        "  if (!starts && isOne) return;",
        "  const uint32 now = key[count - 1];",
        "  Sum sum = isOne ? *head : *tail;",
        `  for (int64 next = ${chunk}, c = 1; next < rest && key[next] == now; next += ${chunk}, ++c) {`,
        "    sum = joined(sum, head[c * apart]);",
        `    const int64 end = next + ${chunk} < rest ? next + ${chunk} : rest;`,
        "    if (key[end - 1] != now) break;",
        "  }",
        "  if (now != targets) write(target, now * stride, sum);",
      ].join("\n"),
    },
  };
}

/** Joins the values of each lane into the target, in an order that depends only on the call. */
export function scatterRows(
  { joining, accumulator, lanes, length, source, indexes }: LaneWrite,
  { over: target, strides }: LaneTarget,
): void {
  const { device } = target;
  const [{ over: index, step, extent }] = indexes as [LaneIndex];
  const [stride] = strides as [number];
  const make = (extents: readonly number[], type: DType) =>
    emptyTensor(extents, contiguousStrides(extents), type, device);
  const keys = make([1, length], dtypes.uint32);
  const named = windowOf(index, { shape: [1, length], strides: [0, step], offset: 0 });
  launchWalk(targetsBy(1), [1, length], [keys], [named], [length, extent, extent, extent]);
  const { key, place } = sortKeys(keys, keyBits32(extent), make);
  const shape = [Math.ceil(length / chunk), ...lanes];
  const still = lanes.map(() => 0);
  const ofLanes = (tensor: Tensor) => windowOf(tensor, { shape, strides: [0, ...tensor.strides], offset: 0 });
  const ofChunks = (tensor: Tensor) => windowOf(tensor, { shape, strides: [chunk, ...still], offset: 0 });
  const sum = dtypes[accumulator.compute];
  const [head, tail] = [make(shape, sum), make(shape, sum)];
  const { join, ends } = rowWalks(joining, sum);
  const written = [ofLanes(target), head, tail];
  const read = [ofChunks(key), ofChunks(place), ofLanes(source.over)];
  launchWalk(join, shape, written, read, [length, extent, stride, source.step]);
  launchWalk(ends, shape, written, read.slice(0, 1), [length, extent, stride, sizeOf(lanes)]);
  release(key, place, head, tail);
}
