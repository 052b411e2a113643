// Counts elements per bin, or sums their weights: in parts, which are then added in order. On a GPU a block counts a part in
// shared memory; counts are whole numbers, so that the order of its threads does not matter.

import { dtypes } from "../../base/dtype.js";
import { RecentValues } from "../../base/recent-values.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { contiguousStrides } from "../../geometry/layout.js";
import { release } from "../../geometry/view.js";
import type { OpaqueDefinition } from "../../launch/operation.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { arange, zeros } from "../create.js";
import { scatterLanes } from "../indexing/scatter-lanes.js";
import { make, positionFunctor } from "../position.js";
import { releasing } from "../statistic-options.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";

/** The most bins that a block of a GPU counts in shared memory. */
export const sharedBins = 4096;

/** The kind of count: whole numbers, whole numbers with weights, or numbers by the bins of a range; -1 means no bin. */
export type TallyForm = "whole" | "weighted" | "range";

const walks = new Map<string, Walk>();

/** The walk that counts a part; one object per form, because it owns kernels. */
export function tallyWalk(form: TallyForm, block: boolean): Walk {
  const name = `tally_${form}${block ? "_block" : ""}`;
  let walk = walks.get(name);
  if (walk === undefined) {
    walk = makeWalk(name, form, block);
    walks.set(name, walk);
  }
  return walk;
}

function makeWalk(name: string, form: TallyForm, block: boolean): Walk {
  const isRange = form === "range";
  const place = isRange
    ? [
        // NaN is in no bin.
        "    if (!(element[k] >= range[0] && element[k] <= range[1])) continue;",
        "    const int64 found = int64((element[k] - range[0]) / range[2] * bins), b = found < bins ? found : bins - 1;",
      ]
    : ["    const int64 b = int64(element[k]) - least;", "    if (b < 0) continue;"];
  const limits = "  const int64 first = *part * per, last = first + per < length ? first + per : length;";
  return {
    name,
    operands: ["bin", "part", "element", ...(form === "weighted" ? ["weight"] : isRange ? ["range"] : [])],
    numbers: ["bins", "per", "length", ...(isRange ? [] : ["least"])],
    heavy: true,
    block,
    body: [
      limits,
      ...(block
        ? [
            `  __shared__ int own[${sharedBins}];`,
            "  for (int b = thread; b < bins; b += 256) own[b] = 0;",
            "  __syncthreads();",
            "  for (int64 k = first + thread; k < last; k += 256) {",
            ...place,
            "    atomicAdd(own + b, 1);",
            "  }",
            "  __syncthreads();",
            "  for (int b = thread; b < bins; b += 256) bin[b] = own[b];",
          ]
        : [
            "  for (int64 b = 0; b < bins; ++b) bin[b] = T(0);",
            "  for (int64 k = first; k < last; ++k) {",
            ...place,
            `    bin[b] += ${form === "weighted" ? "weight[k]" : "1"};`,
            "  }",
          ]),
    ].join("\n"),
  };
}

/** The two ends of a range and its width. */
const ends = positionFunctor(
  "range",
  "template <typename T>\n__device__ inline double make_range(int64 i, double low, double high, double width) {\n  return i == 0 ? low : i == 1 ? high : width;\n}",
  ["low", "high", "width"].map((name) => ({ name, type: dtypes.float64, value: 0 })),
  dtypes.float64,
);

const operations = new RecentValues<OpaqueDefinition>(256);

/** The count of the bins of a contiguous vector: of numbers from `least` on, with their weights, or by a range. */
function tallyOperation(form: TallyForm, bins: number, least = 0): OpaqueDefinition {
  return operations.get(`${form} ${bins} ${least}`, () =>
    opaqueDefinition(
      "tally",
      () => [[form === "weighted" ? dtypes.float64 : dtypes.int64, [bins]]],
      ([elements, beside], [sums]) => {
        const [x, target] = [elements as Tensor, sums as Tensor];
        const numbers = form === "range" ? [] : [least];
        const isGpu = x.device.target.dialect.gpu !== undefined;
        if (form === "weighted" && isGpu) addWeights(x, beside as Tensor, target);
        else count(form, x, beside, numbers, target);
      },
    ),
  );
}

/** Counts each number from `least` on in a contiguous vector of whole numbers. */
export function talliedFrom(least: number, elements: Tensor, bins: number): Tensor {
  return wholeResults(tallyOperation("whole", bins, least), [elements])[0] as Tensor;
}

/** Counts the elements of a contiguous vector of whole numbers per bin, or sums their weights in float64; -1 is in no bin. */
export function tallied(index: Tensor, bins: number, weights?: Tensor): Tensor {
  if (weights === undefined) return talliedFrom(0, index, bins);
  return wholeResults(tallyOperation("weighted", bins), [index, weights.contiguous()])[0] as Tensor;
}

/** Counts the elements of a contiguous vector in equal bins from `low` to `high`. */
export function talliedBetween(values: Tensor, low: number, high: number, bins: number): Tensor {
  const range = make(ends, [3], values.dtype, values.device.name, { low, high, width: high - low });
  return wholeResults(tallyOperation("range", bins), [values.contiguous(), range])[0] as Tensor;
}

/** Adds weights into the bins of a GPU. */
function addWeights(index: Tensor, weights: Tensor, sums: Tensor): void {
  // -1 (no bin) is counted in an additional last bin.
  const bins = sums.size;
  const all = zeros([bins + 1], { dtype: sums.dtype.name, device: sums.device.name });
  const lane = (tensor: Tensor) => windowOf(tensor, { shape: [1], strides: [0], offset: 0 });
  scatterLanes(all, {
    joining: "sum",
    lanes: [1],
    length: index.size,
    source: { over: lane(weights), step: 1 },
    indexes: [{ over: lane(index.to("int64")), step: 1, extent: bins + 1, wraps: true }],
    lanesOf: (whole) => ({ over: lane(whole), strides: [1] }),
  });
  sums.copy_(all.narrow(0, 0, bins));
}

function count(
  form: TallyForm,
  elements: Tensor,
  beside: Tensor | undefined,
  numbers: readonly number[],
  sums: Tensor,
): void {
  const { device, size } = elements;
  const bins = sums.size;
  const isBlock = device.target.dialect.gpu !== undefined && form !== "weighted" && bins <= sharedBins;
  // A processor's parts are many times as long as their bins, which are cleared and added for each.
  const per = isBlock
    ? Math.max(4096, Math.ceil(size / 2 ** 11))
    : device.target.dialect.gpu
      ? Math.max(512, Math.ceil(size / 2 ** 14), Math.ceil((size * bins) / 2 ** 24))
      : Math.max(4096, 16 * bins, Math.ceil(size / 2 ** 10));
  const parts = Math.max(1, Math.ceil(size / per));
  const shape = [parts, bins];
  const counts = parts === 1 ? sums : emptyTensor(shape, contiguousStrides(shape), sums.dtype, device);
  const lay = (view: Tensor, step: number) => windowOf(view, { shape: [parts], strides: [step], offset: 0 });
  const part = arange(0, parts, 1, { dtype: "int64", device: device.name });
  const read = [part, lay(elements, 0), ...(beside ? [lay(beside, 0)] : [])];
  launchWalk(tallyWalk(form, isBlock), [parts], [lay(counts, bins)], read, [bins, per, size, ...numbers]);
  if (parts > 1) releasing(counts, (all) => sums.copy_(all.sum(0)));
  release(part);
}
