// The positions of a mask's true elements, part by part: a first pass counts them, because the count is the size of the result.
import { dtypes } from "../base/dtype.js";
import type { Walk } from "../codegen/walk-kernel.js";
import { contiguousStrides } from "../geometry/layout.js";
import { atOnce, launchWalk } from "../launch/walk-launch.js";
import { cumsum } from "./scan.js";
import { emptyTensor, type Tensor, windowOf } from "./tensor.js";

const part =
  "  const int64 first = position * chunk, last = first + chunk < length ? first + chunk : length;";

/** The walk that counts the true elements in each part of a mask. */
export const counting: Walk = {
  name: "countTrue",
  operands: ["counts", "mask"],
  numbers: ["chunk", "length"],
  heavy: true,
  body: [
    part,
    "  int64 found = 0;",
    "  for (int64 k = first; k < last; ++k) found += mask[k] ? 1 : 0;",
    "  *counts = found;",
  ].join("\n"),
};

/** Like {@link counting}, by a block. */
export const blockCounting: Walk = {
  ...counting,
  name: "countTrue_block",
  block: true,
  body: [
    part,
    "  __shared__ int all;",
    "  if (thread == 0) all = 0;",
    "  __syncthreads();",
    "  int found = 0;",
    "  for (int64 k = first + thread; k < last; k += 256) found += mask[k] ? 1 : 0;",
    "  atomicAdd(&all, found);",
    "  __syncthreads();",
    "  if (thread == 0) *counts = all;",
  ].join("\n"),
};

/** The walk that lists the positions of true elements, part by part, after those of earlier parts. */
export const listing: Walk = {
  name: "listTrue",
  operands: ["places", "stops", "counts", "mask"],
  numbers: ["chunk", "length"],
  heavy: true,
  body: [
    part,
    "  const int64 stop = *stops;",
    // Without a branch on the mask, which a processor cannot foresee; before the stop each place is this part's own.
    "  for (int64 k = first, at = stop - *counts; at < stop; ++k) {",
    "    places[at] = k;",
    "    at += mask[k] ? 1 : 0;",
    "  }",
  ].join("\n"),
};

const turns = 16;

/** Like {@link listing}, by a block: its threads read all their elements of 4096 first, and count them per warp. */
export const blockListing: Walk = {
  ...listing,
  name: "listTrue_block",
  block: true,
  body: [
    part,
    `  __shared__ int found[${8 * turns}], before[${8 * turns} + 1];`,
    "  int64 at = *stops - *counts;",
    `  for (int64 k = first + thread; k - thread < last; k += ${256 * turns}) {`,
    `    unsigned same[${turns}];`,
    "    JITLAB_UNROLL",
    `    for (int j = 0; j < ${turns}; ++j) same[j] = k + j * 256 < last && mask[k + j * 256] ? 1u : 0u;`,
    "    JITLAB_UNROLL",
    `    for (int j = 0; j < ${turns}; ++j) {`,
    "      same[j] = __ballot_sync(0xffffffffu, same[j] != 0);",
    "      if ((thread & 31) == 0) found[j * 8 + thread / 32] = __popc(same[j]);",
    "    }",
    "    __syncthreads();",
    `    if (thread <= ${8 * turns}) {`,
    "      int sum = 0;",
    "      for (int i = 0; i < thread; ++i) sum += found[i];",
    "      before[thread] = sum;",
    "    }",
    "    __syncthreads();",
    "    JITLAB_UNROLL",
    `    for (int j = 0; j < ${turns}; ++j) {`,
    "      const unsigned lane = 1u << (thread & 31);",
    "      if (same[j] & lane) places[at + before[j * 8 + thread / 32] + __popc(same[j] & (lane - 1u))] = k + j * 256;",
    "    }",
    `    at += before[${8 * turns}];`,
    "  }",
  ].join("\n"),
};

/** The positions of the true elements of a mask, in row-major order. */
export function placesOf(mask: Tensor): Tensor<"int64"> {
  return atOnce(() => {
    const { device, size } = mask;
    const flat = mask.contiguous();
    const whole = (shape: readonly number[]): Tensor<"int64"> =>
      emptyTensor(shape, contiguousStrides(shape), dtypes.int64, device);
    const { grid } = device.target.dialect;
    const chunk = Math.max(grid ? 4096 : 256, Math.ceil(size / 2 ** 16));
    const chunks = Math.ceil(size / chunk);
    if (chunks === 0) return whole([0]);
    const counts = whole([chunks]);
    const start = windowOf(flat, { shape: [chunks], strides: [0], offset: 0 });
    const numbers = [chunk, size];
    launchWalk(grid ? blockCounting : counting, [chunks], [counts], [start], numbers);
    const stops = cumsum(counts, 0);
    const places = whole([Number(stops.at(-1).item())]);
    if (places.size === 0) return places;
    const target = windowOf(places, { shape: [chunks], strides: [0], offset: 0 });
    launchWalk(grid ? blockListing : listing, [chunks], [target], [stops, counts, start], numbers);
    return places;
  });
}
