// Data-parallel training: each device has the parameters and a part of the batch; the means of the gradients are those of the whole
// batch. Only public functions of the library are called here.

import { compile } from "../api/compile.js";
import { checkFunction, namedOf, optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { allReduce } from "../collectives/index.js";
import { devicesOf, onEach } from "../collectives/on-each.js";
import { world } from "../collectives/world.js";
import { formatShape } from "../geometry/layout.js";
import { valueAndGrad } from "../grad/gradients.js";
import { cat } from "../tensor/join.js";
import type { Tensor } from "../tensor/tensor.js";
import { flatten, map, unflatten } from "../tree/structure.js";

// The parameters are those of the loss; TypeScript has NoInfer from 5.4 on.
type Given<P> = [P][P extends unknown ? 0 : never];

/** A training step: the loss of parameters and a batch, and the optimizer that takes its gradient. */
export interface ParallelStep<P, A extends unknown[]> {
  readonly loss: (parameters: P, ...batch: A) => Tensor;
  readonly optimizer: {
    // biome-ignore lint/suspicious/noExplicitAny: each optimizer has states of its own
    init(parameters: Given<P>): any;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    step(parameters: Given<P>, gradient: unknown, state: any): any;
  };
}

/** Options of dataParallel. */
export interface ParallelOptions {
  /** The names of the devices, such as `["cuda:0", "cuda:1"]`. */
  devices: readonly string[];
}

/** The parameters and the optimizer's state of one device. */
export interface Replica<P> {
  readonly parameters: P;
  readonly state: unknown;
}

/** A training step on several devices. */
export interface DataParallel<P, A extends unknown[]> {
  /** Copies of parameters on every device, with the states before the first step. */
  init(parameters: P): Replica<P>[];
  /**
   * The mean loss of a batch, on the first device, and what each device has after the step. The replicas are given away: their tensors
   * cannot be used after it.
   */
  step(replicas: readonly Replica<P>[], ...batch: A): { value: Tensor; replicas: Replica<P>[] };
}

/**
 * A training step whose batch is divided along its first dimension: each device computes the gradient of its part, and all go the
 * same way along the mean of the gradients, so that their parameters stay equal. The step is compiled and replayed. Processes that a
 * launcher started have one device each, and divide the batch among them.
 *
 * @example ((p) => p.step(p.init(jl.ones([1])), jl.ones([4])).value.item())(jl.dataParallel({ loss: (w, x) => x.mul(w).mean(), optimizer: jl.optim.sgd() }, { devices: [jl.getDevice()] })) // 1
 */
export function dataParallel<P, A extends unknown[]>(
  step: ParallelStep<P, A>,
  options: ParallelOptions,
): DataParallel<P, A> {
  const { loss, optimizer } = namedOf("dataParallel", step);
  checkFunction("dataParallel", "loss", loss);
  checkFunction("dataParallel", "the optimizer's step", optimizer?.step);
  const devices = devicesOf("dataParallel", optionsOf("dataParallel", options, ["devices"]).devices ?? []);
  const { rank, size } = world();
  if (size > 1 && devices.length > 1)
    throw new JitlabError(
      "bad-argument",
      `dataParallel: ${size} processes and ${devices.length} devices in this one.`,
      "Launched processes have one device each: devices: [jl.world().device].",
    );
  const gradientOf = valueAndGrad(loss as (...args: unknown[]) => Tensor);
  const run = compile(
    (replicas: readonly Replica<P>[], parts: readonly A[]) => {
      const own = replicas.map(({ parameters }, i) => gradientOf(parameters, ...(parts[i] as A)));
      const found = size * devices.length === 1 ? own : means(own);
      const next = replicas.map(
        ({ parameters, state }, i): Replica<P> => optimizer.step(parameters, (found[i] as Found).grad, state),
      );
      // Without the vector of all gradients, of which it is a part.
      return { value: (found[0] as Found).value.clone(), replicas: next };
    },
    // What has the same address in each step becomes one piece of work.
    { name: "dataParallel", replay: true, donate: [0] },
  );
  return {
    init: (parameters) =>
      onEach(devices, (device) => {
        const own = map((x) => x.to(device).clone(), parameters);
        return { parameters: own, state: optimizer.init(own) };
      }),
    step: (replicas, ...batch) => {
      const count = size * devices.length;
      const parts = onEach(devices, (device, i) => partOf(batch, device, rank + i, count));
      const done = run(replicas, parts);
      if (count > 1) leave(parts, batch);
      return done;
    },
  };
}

type Found = ReturnType<ReturnType<typeof valueAndGrad<() => Tensor>>>;

/** The means of losses and gradients, for each device: one collective for each dtype. */
function means(all: readonly unknown[]): readonly unknown[] {
  const trees = all.map(flatten);
  const first = (trees[0] as ReturnType<typeof flatten>).leaves;
  const means = trees.map((): Tensor[] => []);
  for (const dtype of new Set(first.map((leaf) => leaf.dtype))) {
    const numbers = first.flatMap((leaf, n) => (leaf.dtype === dtype ? [n] : []));
    const flat = trees.map(({ leaves }) => cat(numbers.map((n) => (leaves[n] as Tensor).reshape([-1]))));
    // Processes have one device each.
    const [only, ...others] = flat as [Tensor, ...Tensor[]];
    const joined = others.length === 0 ? [allReduce(only, { op: "mean" })] : allReduce(flat, { op: "mean" });
    for (const [i, vector] of joined.entries()) {
      let at = 0;
      for (const n of numbers) {
        const { shape, size } = first[n] as Tensor;
        (means[i] as Tensor[])[n] = vector.narrow(0, at, size).reshape([...shape]);
        at += size;
      }
    }
  }
  return trees.map(({ structure }, i) => unflatten(structure, means[i] as Tensor[]));
}

/** A device's part of the tensors of a batch; all get one without dimensions. */
function partOf<A extends unknown[]>(batch: A, device: string, i: number, count: number): A {
  return map((x) => {
    const [extent = 0] = x.shape;
    if (count === 1 || x.ndim === 0) return x.to(device);
    if (extent === 0 || extent % count !== 0)
      throw new JitlabError(
        "bad-argument",
        `dataParallel: the shape ${formatShape(x.shape)} of a batch does not divide among ${count} members.`,
        "The first dimension needs a multiple of their number.",
      );
    const size = extent / count;
    return x.narrow(0, i * size, size).to(device);
  }, batch);
}

/** Leaves the memory of copies to the next batch, whose parts then have the same addresses. Results are made of means alone. */
function leave(parts: unknown, batch: unknown): void {
  const given = new Set(flatten(batch).leaves.map(({ storage }) => storage));
  for (const { storage } of flatten(parts).leaves) if (!given.has(storage)) storage.dispose();
}
