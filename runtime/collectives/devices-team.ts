// The devices of this process as members of a collective: NCCL between GPUs, copies between others.
import { RecentValues } from "../base/recent-values.js";
import { report } from "../cache/report.js";
import type { CollectiveForm } from "../device/collectives.js";
import { type Communicator, communicatorOf } from "../device/cuda/nccl.js";
import { computePending } from "../geometry/view.js";
import { writeAddress } from "../launch/argument-writers.js";
import type { LoadedKernel } from "../launch/loaded-kernel.js";
import { libraryKernel } from "../tensor/library-kernel.js";
import type { Tensor } from "../tensor/tensor.js";
import { copyBetween } from "./copies.js";
import { nameOf, type Team } from "./definition.js";

/** The devices of a list of tensors. */
export const devicesTeam: Team = {
  name: "devices",
  size: ({ length }) => length,
  isMember: (number, i) => number === i,
  run: (form, inputs, outputs) => {
    if (inputs[0]?.size === 0) return;
    const communicator = communicatorOf(inputs.map(({ device }) => device));
    if (communicator) launchCollective(communicator, form, inputs, outputs);
    else copyBetween(form, inputs, outputs);
    const isGpu = inputs.every(({ device }) => device.target.kind === "cuda");
    if (isGpu && !communicator)
      report(
        "nccl",
        "NCCL was not found: collectives copy between GPUs, more slowly. Install it with `pip install nvidia-nccl-cu13`.",
      );
  },
};

const kernels = new RecentValues<LoadedKernel>(64, (kernel) => kernel.release());

/** Launches a collective of a communicator as one kernel, whose arguments are the addresses of inputs, of outputs, and the count. */
export function launchCollective(
  communicator: Pick<Communicator, "name" | "code">,
  form: CollectiveForm,
  inputs: readonly Tensor[],
  outputs: readonly Tensor[],
): void {
  const [first] = inputs as readonly [Tensor];
  const operands = [...inputs, ...outputs];
  const kernel = kernels.get(`${communicator.name} ${JSON.stringify(form)}`, () =>
    kernelOf(communicator, form, first, operands.length),
  );
  computePending(operands);
  const { u32 } = kernel.fill();
  for (const [i, { pointer }] of operands.entries()) writeAddress(u32, 2 * i, pointer);
  const counted = form.kind === "reduce-scatter" ? (outputs[0] as Tensor) : first;
  writeAddress(u32, 2 * operands.length, counted.size);
  kernel.launch(kernel.over(1), outputs, inputs);
}

function kernelOf(
  communicator: Pick<Communicator, "name" | "code">,
  form: CollectiveForm,
  { device }: Tensor,
  operands: number,
): LoadedKernel {
  const [what, place] = [nameOf(form), ""];
  const call = { what, symbol: what, by: communicator.name, place, form, operands: operands + 1 };
  const kernel = libraryKernel(device, call, () => communicator.code(form));
  kernel.addressing = { offsets: Array.from({ length: operands }, (_, i) => 8 * i), alignment: 1, among: 1 };
  return kernel;
}
