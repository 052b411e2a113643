// The processes of a job as members of a collective: NCCL between GPUs. Elsewhere MPI exchanges bytes of the host's memory, and each
// process joins a part in the order of the ranks, so that all get the bits of one process that adds in that order.
import { env } from "../base/env.js";
import { JitlabError } from "../base/errors.js";
import type { CollectiveForm } from "../device/collectives.js";
import { type Exchange, type Job, mpi } from "../device/mpi.js";
import { contiguousStrides, formatShape } from "../geometry/layout.js";
import { hostDevice } from "../launch/devices.js";
import { refuseWhileRecording } from "../launch/graph.js";
import { tensor } from "../tensor/create.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import { joined } from "./copies.js";
import { nameOf, type Team } from "./definition.js";
import { launchCollective } from "./devices-team.js";
import { jobCommunicator, textsIn } from "./world-communicator.js";

/** The processes of a job, which wait so many milliseconds for each other. */
export function worldTeam(job: Job, timeoutMs: number): Team {
  return {
    name: `world ${timeoutMs}`,
    size: () => job.size,
    isMember: (number) => number === job.rank,
    run: (form, [x], [out]) => {
      const what = nameOf(form);
      refuseWhileRecording(what);
      const { device } = x as Tensor;
      const communicator = jobCommunicator(what, job, device, timeoutMs);
      const run = (form: CollectiveForm, x: Tensor, out: Tensor) => {
        if (communicator) {
          if (x.size > 0) launchCollective(communicator, form, [x], [out]);
        } else {
          const move = new Moves(job, what, form, timeoutMs);
          out.copy_(move.result(x.to(hostDevice().name), out));
        }
      };
      if (env("checkCollectives")) compare(job, form, x as Tensor, run);
      run(form, x as Tensor, out as Tensor);
    },
  };
}

type Run = (form: CollectiveForm, x: Tensor, out: Tensor) => void;

const textBytes = 256;

/** Throws `collective-differs` unless all processes make the same call. */
function compare(
  { rank, size }: Job,
  form: CollectiveForm,
  { dtype, shape, device }: Tensor,
  run: Run,
): void {
  const what = nameOf(form);
  const own = new Uint8Array(textBytes);
  const text = `${what} ${form.op} of ${dtype.name} ${formatShape(shape)}, root ${form.root}`;
  new TextEncoder().encodeInto(text, own);
  const given = tensor(own, { dtype: "uint8", device: device.name });
  const gathered = emptyOf(given, [size * textBytes]);
  run({ kind: "all-gather", op: "sum", dtype: "uint8", root: 0 }, given, gathered);
  const texts = textsIn(gathered.data() as Uint8Array, size);
  const other = texts.findIndex((one) => one !== texts[0]);
  if (other < 0) return;
  throw new JitlabError(
    "collective-differs",
    `${what}: rank 0 calls ${texts[0]}; rank ${other} calls ${texts[other]}. This is rank ${rank} of ${size}.`,
    "All processes need the same calls in the same order, over equal shapes and dtypes.",
  );
}

/** The exchanges of one collective by MPI, over tensors in the host's memory. */
class Moves {
  constructor(
    readonly job: Job,
    readonly what: string,
    readonly form: CollectiveForm,
    readonly timeoutMs: number,
  ) {}

  result(x: Tensor, out: Tensor): Tensor {
    const { kind, root } = this.form;
    const { size } = this.job;
    if (kind === "broadcast") return this.#exchange("broadcast", x.clone(), x.clone(), root);
    if (kind === "all-gather")
      return this.#exchange("all-gather", x, emptyOf(x, [size * x.size])).view([...out.shape]);
    if (kind === "reduce-scatter") return this.#joined(x).view([...out.shape]);
    // Each process joins a part of whole words.
    const part = Math.ceil(x.size / size / 8) * 8;
    const padded = x.reshape([-1]).pad([0, part * size - x.size]);
    const own = this.#joined(padded);
    const all = this.#exchange("all-gather", own, emptyOf(x, [size * part]));
    return all.narrow(0, 0, x.size).view([...out.shape]);
  }

  /** This process's part of all elements, joined. */
  #joined(x: Tensor): Tensor {
    const { size } = this.job;
    const parts = this.#exchange("all-to-all", x, emptyOf(x, [size, x.size / size]));
    return joined(
      this.form.op,
      Array.from({ length: size }, (_, i) => parts.select(0, i)),
    );
  }

  #exchange(kind: Exchange["kind"], from: Tensor, to: Tensor, root = 0): Tensor {
    const { job, what, timeoutMs } = this;
    const count = kind === "all-to-all" ? from.size / job.size : from.size;
    const bytes = count * from.dtype.bytes;
    const owners = [from, to];
    mpi(job).run({ kind, what, from: from.pointer, to: to.pointer, bytes, root, timeoutMs, owners });
    return to;
  }
}

function emptyOf({ dtype, device }: Tensor, shape: readonly number[]): Tensor {
  return emptyTensor(shape, contiguousStrides(shape), dtype, device);
}
