// The kernel that reads by index tensors, where no maps share it.
import type { Walk } from "../../codegen/walk-kernel.js";
import { broadcastStrides } from "../../geometry/layout.js";
import { rowWord, wordsOf } from "../../geometry/row-words.js";
import { reshapedView, type View } from "../../geometry/view.js";
import type { WalkCall } from "../../launch/calls.js";

const gathers = new Map<number, Walk>();

/** The walk that reads by `count` index tensors; one object per number, because it owns kernels. */
export function gatherBy(count: number): Walk {
  let walk = gathers.get(count);
  if (walk === undefined) {
    const each = Array.from({ length: count }, (_, k) => k);
    walk = {
      name: "gather",
      operands: ["out", "mark", "source", ...each.map((k) => `index${k}`)],
      numbers: ["wraps", ...each.flatMap((k) => [`extent${k}`, `stride${k}`])],
      state: "int64 at; bool inside; T value;",
      body: [
        [
          "  own.at = 0;",
          "  own.inside = true;",
          ...each.flatMap((k) => [
            `  const int64 named${k} = *index${k}, chosen${k} = named${k} + (wraps != 0 && named${k} < 0 ? extent${k} : 0);`,
            `  own.inside = own.inside && uint64(chosen${k}) < uint64(extent${k});`,
            `  own.at += chosen${k} * stride${k};`,
          ]),
        ].join("\n"),
        "  if (!own.inside) { *mark = 1; return; }\n  own.value = source[own.at];",
        "  if (own.inside) *out = own.value;",
      ],
    };
    gathers.set(count, walk);
  }
  return walk;
}

/**
 * The launch that reads `source`, of the result's shape, by indexes that broadcast to it; `numbers` are whether indexes wrap,
 * then the extent and stride of each indexed dimension. Rows move in words where they can.
 */
export function gatherCall(
  result: View,
  mark: View,
  source: View,
  indexes: readonly View[],
  [wraps, ...numbers]: readonly [number, ...number[]],
): WalkCall {
  const { shape } = result;
  const strides = indexes.map((index) => broadcastStrides(index.shape, index.strides, shape));
  const isStride = (at: number) => at % 2 === 1;
  const starts = numbers.filter((_, at) => isStride(at));
  const lanes = strides.every((index) => index.at(-1) === 0) ? rowWord([result, source], starts) : 1;
  const [to, from] = lanes === 1 ? [result, source] : [wordsOf(lanes, result), wordsOf(lanes, source)];
  const over = indexes.map((index, k) => reshapedView(index, to.shape, strides[k] as readonly number[]));
  return {
    walk: gatherBy(indexes.length),
    shape: to.shape,
    written: [to, mark],
    read: [from, ...over],
    numbers: [wraps, ...numbers.map((number, at) => (isStride(at) ? number / lanes : number))],
  };
}
