// Batches of a dataset, a tree of tensors whose first dimension is the samples.
import { integerOf, optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { type DrawOptions, randperm } from "../tensor/distributions.js";
import { indexSelect } from "../tensor/indexing/gathering.js";
import { drawnFrom } from "../tensor/random.js";
import { Tensor } from "../tensor/tensor.js";
import { tensorsIn, withLeaves } from "../tensor/tree.js";

/** Options of batches. */
export interface BatchOptions extends DrawOptions {
  /** True: each pass has another random order. */
  readonly shuffle?: boolean;
}

/** The batches of a dataset: each `for` loop is a pass over all of them. */
export interface Batches<T> extends Iterable<T> {
  /** The number of batches. */
  readonly length: number;
}

/**
 * The samples of a dataset in batches of `size`; the last one has what remains. A dataset is a tensor, or an array or object of tensors with
 * equally many samples in dimension 0, and a batch has its structure.
 *
 * @example [...jl.batches({ x: jl.arange(3), y: jl.ones([3]) }, 2)].map(({ x }) => x.toArray()) // [[0, 1], [2]]
 */
export function batches<T>(dataset: T, size: number, options?: BatchOptions): Batches<T> {
  const what = "batches";
  const { shuffle = false, ...rest } = optionsOf(what, options, ["shuffle", "generator"]);
  const { own: generator } = drawnFrom(what, rest, ["generator"]);
  const most = integerOf(what, "the size", size);
  if (most < 1)
    throw new JitlabError("bad-argument", `${what}: the size is ${most}.`, "Pass a number from 1 on.");
  const tensors = tensorsIn(dataset);
  const [first] = tensors;
  const count = first?.shape[0];
  const odd = tensors.find(({ shape }) => shape[0] === undefined || shape[0] !== count);
  if (first === undefined || count === undefined || odd !== undefined) {
    const found =
      first === undefined
        ? "the dataset has no tensor"
        : `the dataset has tensors of the shapes ${formatShape(first.shape)}${odd === undefined || odd === first ? "" : ` and ${formatShape(odd.shape)}`}`;
    throw new JitlabError(
      first === undefined ? "bad-argument" : "shape-mismatch",
      `${what}: ${found}.`,
      "Pass a tensor, or an array or object of tensors, with equally many samples in dimension 0.",
    );
  }
  const batch = (of: (x: Tensor) => Tensor) =>
    withLeaves(dataset, "of samples", (leaf) => (leaf instanceof Tensor ? of(leaf) : leaf)) as T;
  return {
    length: Math.ceil(count / most),
    *[Symbol.iterator]() {
      const order = shuffle ? randperm(count, { device: first.device.name, generator }) : undefined;
      for (let at = 0; at < count; at += most) {
        const length = Math.min(most, count - at);
        const chosen = order?.narrow(0, at, length);
        yield batch((x) =>
          chosen === undefined
            ? x.narrow(0, at, length)
            : indexSelect(x, 0, x.device === chosen.device ? chosen : chosen.to(x.device.name as never)),
        );
      }
    },
  };
}
