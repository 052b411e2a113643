// The positions of a mask's true elements, or a tensor's elements there, part by part: a first pass counts them, because the count
// is the size of the result.

import { type DType, type DTypeName, dtypes } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { release } from "../../geometry/view.js";
import { launching } from "../../launch/sink.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";
import { cumsum } from "./scan.js";

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

const perThread = 16;

/** The list made of a mask's true elements: their positions, or the elements of a tensor there. */
export type Listed = "places" | "elements";

/** The walks that list the elements part by part; each part starts where the earlier ones end. */
function listing(what: Listed): { readonly host: Walk; readonly block: Walk } {
  const isPlaces = what === "places";
  const common = {
    operands: ["out", "stops", "counts", "mask", ...(isPlaces ? [] : ["source"])],
    numbers: ["chunk", "length"],
    heavy: true,
  };
  const name = isPlaces ? "listTrue" : "pickTrue";
  return {
    host: {
      ...common,
      name,
      body: [
        part,
        "  const int64 stop = *stops;",
        // Without a branch on the mask, which a processor cannot foresee; before the stop each place is this part's own.
        "  for (int64 k = first, at = stop - *counts; at < stop; ++k) {",
        `    out[at] = ${isPlaces ? "k" : "source[k]"};`,
        "    at += mask[k] ? 1 : 0;",
        "  }",
      ].join("\n"),
    },
    // Its threads read all their elements of 4096 first, and count them per warp.
    block: {
      ...common,
      name: `${name}_block`,
      block: true,
      body: [
        part,
        `  __shared__ int found[${8 * perThread}], before[${8 * perThread} + 1];`,
        "  const unsigned lane = 1u << (thread & 31);",
        "  int64 at = *stops - *counts;",
        `  for (int64 k = first + thread; k - thread < last; k += ${256 * perThread}) {`,
        `    unsigned same[${perThread}];`,
        "    JITLAB_UNROLL",
        `    for (int j = 0; j < ${perThread}; ++j) same[j] = k + j * 256 < last && mask[k + j * 256] ? 1u : 0u;`,
        "    JITLAB_UNROLL",
        `    for (int j = 0; j < ${perThread}; ++j) {`,
        "      same[j] = __ballot_sync(0xffffffffu, same[j] != 0);",
        "      if ((thread & 31) == 0) found[j * 8 + thread / 32] = __popc(same[j]);",
        "    }",
        ...(isPlaces
          ? []
          : [
              `    T elements[${perThread}];`,
              "    JITLAB_UNROLL",
              `    for (int j = 0; j < ${perThread}; ++j) if (same[j] & lane) elements[j] = source[k + j * 256];`,
            ]),
        "    __syncthreads();",
        `    if (thread <= ${8 * perThread}) {`,
        "      int sum = 0;",
        "      for (int i = 0; i < thread; ++i) sum += found[i];",
        "      before[thread] = sum;",
        "    }",
        "    __syncthreads();",
        "    JITLAB_UNROLL",
        `    for (int j = 0; j < ${perThread}; ++j) {`,
        `      if (same[j] & lane) out[at + before[j * 8 + thread / 32] + __popc(same[j] & (lane - 1u))] = ${isPlaces ? "k + j * 256" : "elements[j]"};`,
        "    }",
        `    at += before[${8 * perThread}];`,
        "  }",
      ].join("\n"),
    },
  };
}

/** One of each, because they own kernels. */
export const listed = { places: listing("places"), elements: listing("elements") } as const;

/** The positions of the true elements of a mask, in row-major order. */
export function placesOf(mask: Tensor): Tensor<"int64"> {
  return listTrue("places", mask, dtypes.int64, []) as Tensor<"int64">;
}

/** The elements of a tensor of a mask's shape where the mask is true, in row-major order. */
export function elementsWhere<D extends DTypeName>(mask: Tensor, x: Tensor<D>): Tensor<D> {
  return listTrue("elements", mask, x.dtype, [x]) as Tensor<D>;
}

function listTrue(what: Listed, mask: Tensor, dtype: DType, sources: readonly Tensor[]): Tensor {
  const run = () => {
    const { device, size } = mask;
    const { gpu } = device.target.dialect;
    const make = (length: number, type: DType) => emptyTensor([length], [1], type, device);
    const chunk = Math.max(gpu ? 4096 : 256, Math.ceil(size / 2 ** 16));
    const chunks = Math.ceil(size / chunk);
    if (chunks === 0) return [make(0, dtype)];
    const base = (tensor: Tensor) => windowOf(tensor, { shape: [chunks], strides: [0], offset: 0 });
    const counts = make(chunks, dtypes.int64);
    const start = base(mask.contiguous());
    const numbers = [chunk, size];
    launchWalk(gpu ? blockCounting : counting, [chunks], [counts], [start], numbers);
    const stops = cumsum(counts, 0);
    const found = make(Number(stops.at(-1).item()), dtype);
    const read = [stops, counts, start, ...sources.map((source) => base(source.contiguous()))];
    if (found.size > 0)
      launchWalk(listed[what][gpu ? "block" : "host"], [chunks], [base(found)], read, numbers);
    release(counts, stops);
    return [found];
  };
  const name = what === "places" ? "nonzero" : "maskedSelect";
  return launching({ kind: "launch", name, inputs: [mask, ...sources], out: [], run })[0] as Tensor;
}
