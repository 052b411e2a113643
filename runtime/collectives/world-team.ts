// The processes of a job as members of a collective: NCCL between GPUs, MPI elsewhere.
import { env } from "../base/env.js";
import { JitlabError } from "../base/errors.js";
import type { CollectiveForm, Job } from "../device/collectives.js";
import { formatShape } from "../geometry/layout.js";
import { refuseWhileRecording } from "../launch/graph.js";
import type { Tensor } from "../tensor/tensor.js";
import { nameOf, type Team } from "./definition.js";
import { launchCollective } from "./devices-team.js";
import { byMpi, gatheredTexts, type RunCollective } from "./mpi-moves.js";
import { jobCommunicator } from "./world-communicator.js";

/** The processes of a job, which wait so many milliseconds for each other. */
export function worldTeam(job: Job, timeoutMs: number): Team {
  return {
    name: `world ${timeoutMs}`,
    size: () => job.size,
    isMember: (number) => number === job.rank,
    run: (form, inputs, outputs) => {
      const [x, out] = [inputs[0] as Tensor, outputs[0] as Tensor];
      const what = nameOf(form);
      refuseWhileRecording(what);
      const communicator = jobCommunicator(what, job, x.device, timeoutMs);
      const run: RunCollective = communicator
        ? (form, x, out) => x.size > 0 && launchCollective(communicator, form, [x], [out])
        : byMpi(what, job, timeoutMs);
      if (env("checkCollectives")) compare(job, form, x, run);
      run(form, x, out);
    },
  };
}

/** Throws `collective-differs` unless all processes make the same call. */
function compare(job: Job, form: CollectiveForm, { dtype, shape, device }: Tensor, run: RunCollective): void {
  const what = nameOf(form);
  const own = `${what} ${form.op} of ${dtype.name} ${formatShape(shape)}, root ${form.root}`;
  const texts = gatheredTexts(own, job, device.name, run);
  const other = texts.findIndex((one) => one !== texts[0]);
  if (other < 0) return;
  throw new JitlabError(
    "collective-differs",
    `${what}: rank 0 calls ${texts[0]}; rank ${other} calls ${texts[other]}. This is rank ${job.rank} of ${job.size}.`,
    "All processes need the same calls in the same order, over equal shapes and dtypes.",
  );
}
