// Padding: adds a margin of a constant, or of elements of the tensor.

import { integersOf, optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { reversed } from "../geometry/windows.js";
import type { Scalar } from "../ops/op.js";
import { cat } from "./join.js";
import { newTensor, type Tensor, tensorOf, windowOf } from "./tensor.js";

/** The content of a margin. */
export interface PadOptions {
  /** `constant` (default), `reflect` (mirrored), `replicate` (the edge), or `circular` (the other end). */
  readonly mode?: "constant" | "reflect" | "replicate" | "circular";
  /** The constant; default 0. */
  readonly value?: Scalar;
}

/**
 * Adds margins of `[before, after]` elements: the first pair is for the last dimension, the next for the one before it. A
 * negative constant margin crops.
 *
 * @example jl.tensor([1, 2]).pad([1, 2]).toArray() // [0, 1, 2, 0, 0]
 */
export function pad<D extends DTypeName>(
  x: Tensor<D>,
  padding: readonly number[],
  given?: PadOptions,
): Tensor<D> {
  tensorOf("pad", x);
  const { mode = "constant", value = 0 } = optionsOf("pad", given, ["mode", "value"]);
  const margins = integersOf("pad", "padding", padding);
  if (margins.length % 2 !== 0 || margins.length > 2 * x.ndim) {
    throw new JitlabError(
      "bad-argument",
      `pad: ${margins.length} margins for the ${x.ndim} dimensions of ${formatShape(x.shape)}.`,
      "Pass two for each padded dimension, from the last one on.",
    );
  }
  const pairs = x.shape.map((_, d): Margin => {
    const at = 2 * (x.ndim - 1 - d);
    return [margins[at] ?? 0, margins[at + 1] ?? 0];
  });
  if (mode === "constant") return framed(x, pairs, value);
  const part = Object.hasOwn(inside, mode) ? inside[mode] : undefined;
  if (part === undefined) {
    throw new JitlabError(
      "bad-argument",
      `pad: the mode is ${show(mode)}.`,
      'The modes are "constant", "reflect", "replicate" and "circular".',
    );
  }
  const result = pairs.reduce((all, margin, d) => surrounded(all, margin, d, mode, part), x);
  return result === x ? x.clone() : result;
}

type Margin = readonly [before: number, after: number];

function framed(x: Tensor, pairs: readonly Margin[], value: Scalar): Tensor {
  const shape = x.shape.map((extent, d) => extent + (pairs[d]?.[0] ?? 0) + (pairs[d]?.[1] ?? 0));
  for (const [d, margins] of pairs.entries()) {
    const cut = margins.reduce((sum, margin) => sum + Math.max(0, -margin), 0);
    if (cut <= (x.shape[d] as number)) continue;
    throw new JitlabError(
      "bad-argument",
      `pad: the margins ${show(margins)} cut off more than the ${x.shape[d]} elements of dimension ${d}.`,
      "Cut off less.",
    );
  }
  const result = newTensor("pad", shape, x.dtype, x.device.name).fill_(value);
  let [from, to] = [x, result];
  for (const [d, [before, after]] of pairs.entries()) {
    const start = Math.max(0, -before);
    const length = Math.max(0, (x.shape[d] as number) - start - Math.max(0, -after));
    if (length === 0) return result;
    from = from.narrow(d, start, length);
    to = to.narrow(d, Math.max(0, before), length);
  }
  to.copy_(from);
  return result;
}

/** The maximum margin of a dimension, and the elements of its margins. */
interface Inside {
  readonly most: (extent: number) => number;
  readonly before: (x: Tensor, d: number, count: number) => Tensor;
  readonly after: (x: Tensor, d: number, count: number) => Tensor;
}

const extentOf = (x: Tensor, d: number) => x.shape[d] as number;
const turned = (x: Tensor, d: number) => windowOf(x, reversed(x, [d]));
const stretched = (x: Tensor, d: number, count: number) =>
  x.expand(x.shape.map((extent, k) => (k === d ? count : extent)));

const inside: Readonly<Record<Exclude<NonNullable<PadOptions["mode"]>, "constant">, Inside>> = {
  reflect: {
    most: (extent) => extent - 1,
    before: (x, d, count) => turned(x.narrow(d, 1, count), d),
    after: (x, d, count) => turned(x.narrow(d, extentOf(x, d) - 1 - count, count), d),
  },
  replicate: {
    most: (extent) => (extent > 0 ? Number.MAX_SAFE_INTEGER : 0),
    before: (x, d, count) => stretched(x.narrow(d, 0, 1), d, count),
    after: (x, d, count) => stretched(x.narrow(d, extentOf(x, d) - 1, 1), d, count),
  },
  circular: {
    most: (extent) => extent,
    before: (x, d, count) => x.narrow(d, extentOf(x, d) - count, count),
    after: (x, d, count) => x.narrow(d, 0, count),
  },
};

function surrounded(x: Tensor, [before, after]: Margin, d: number, mode: string, part: Inside): Tensor {
  if (before === 0 && after === 0) return x;
  const most = part.most(extentOf(x, d));
  if (Math.min(before, after) < 0 || Math.max(before, after) > most) {
    throw new JitlabError(
      "bad-argument",
      `pad: the margins ${show([before, after])} of dimension ${d}, which has ${extentOf(x, d)} elements, with the mode "${mode}".`,
      `Margins are from 0 to ${most} there.`,
    );
  }
  return cat(
    [...(before > 0 ? [part.before(x, d, before)] : []), x, ...(after > 0 ? [part.after(x, d, after)] : [])],
    d,
  );
}
