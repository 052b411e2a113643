// Collectives in one process without a library: copies between devices, and joins in the members' order.
import type { CollectiveForm, CollectiveOp } from "../device/collectives.js";
import { refuseWhileRecording } from "../launch/graph.js";
import type { Tensor } from "../tensor/tensor.js";

const joins: Readonly<Record<CollectiveOp, (x: Tensor, y: Tensor) => Tensor>> = {
  sum: (x, y) => x.add(y),
  mean: (x, y) => x.add(y),
  min: (x, y) => x.minimum(y),
  max: (x, y) => x.maximum(y),
  prod: (x, y) => x.mul(y),
};

/** Joins tensors of one device, the first ones first. */
export function joined(op: CollectiveOp, tensors: readonly Tensor[]): Tensor {
  const all = tensors.reduce(joins[op]);
  return op === "mean" ? all.div(tensors.length) : all;
}

/** Writes the results of a collective. */
export function copyBetween(
  { kind, op, root }: CollectiveForm,
  inputs: readonly Tensor[],
  outputs: readonly Tensor[],
): void {
  refuseWhileRecording(`A collective between ${inputs.map(({ device }) => device.name).join(", ")}`);
  for (const [i, out] of outputs.entries()) {
    const { name } = out.device;
    if (kind === "broadcast") {
      out.copy_(inputs[root] as Tensor);
    } else if (kind === "all-gather") {
      for (const [j, part] of inputs.entries()) out.narrow(0, j * extentOf(part), extentOf(part)).copy_(part);
    } else if (kind === "reduce-scatter") {
      const parts = inputs.map((x) => x.narrow(0, i * extentOf(out), extentOf(out)).to(name));
      out.copy_(joined(op, parts));
    } else if (i > 0) {
      // One device joins, so that all get the same bits.
      out.copy_(outputs[0] as Tensor);
    } else {
      out.copy_(
        joined(
          op,
          inputs.map((x) => x.to(name)),
        ),
      );
    }
  }
}

function extentOf({ shape }: Tensor): number {
  return shape[0] as number;
}
