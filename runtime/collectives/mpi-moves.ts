// Collectives by MPI, which exchanges bytes of the host's memory: each process joins a part in the order of the ranks, so that all
// get the bits of one process that adds in that order.
import type { CollectiveForm, Job } from "../device/collectives.js";
import { type Exchange, mpi } from "../device/mpi.js";
import { contiguousStrides } from "../geometry/layout.js";
import { hostDevice } from "../launch/devices.js";
import { tensor } from "../tensor/create.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import { joined } from "./copies.js";

/** Runs a collective over one tensor of each process. */
export type RunCollective = (form: CollectiveForm, x: Tensor, out: Tensor) => void;

/** Collectives of a job's processes by MPI; errors name a function. */
export function byMpi(what: string, job: Job, timeoutMs: number): RunCollective {
  const { size } = job;
  const exchange = (kind: Exchange["kind"], from: Tensor, to: Tensor, root = 0) => {
    const count = kind === "all-to-all" ? from.size / size : from.size;
    const bytes = count * from.dtype.bytes;
    const owners = [from, to];
    mpi(job).run({ kind, what, from: from.pointer, to: to.pointer, bytes, root, timeoutMs, owners });
    return to;
  };
  /** This process's part of all elements, joined. */
  const partOf = (op: CollectiveForm["op"], x: Tensor) => {
    const parts = exchange("all-to-all", x, emptyOf(x, [size, x.size / size]));
    return joined(op, [...parts]);
  };
  const resultOf = ({ kind, op, root }: CollectiveForm, x: Tensor): Tensor => {
    if (kind === "broadcast") return exchange("broadcast", x.clone(), x.clone(), root);
    if (kind === "all-gather") return exchange("all-gather", x, emptyOf(x, [size * x.size]));
    if (kind === "reduce-scatter") return partOf(op, x);
    // Each process joins a part of whole words.
    const part = Math.ceil(x.size / size / 8) * 8;
    const own = partOf(op, x.reshape([-1]).pad([0, part * size - x.size]));
    return exchange("all-gather", own, emptyOf(x, [size * part])).narrow(0, 0, x.size);
  };
  return (form, x, out) => out.copy_(resultOf(form, x.to(hostDevice().name)).view([...out.shape]));
}

const textBytes = 256;

/** A text of each process, by its rank. */
export function gatheredTexts(own: string, { size }: Job, device: string, run: RunCollective): string[] {
  const bytes = new Uint8Array(textBytes);
  new TextEncoder().encodeInto(own, bytes);
  const given = tensor(bytes, { dtype: "uint8", device });
  const gathered = emptyOf(given, [size, textBytes]);
  run({ kind: "all-gather", op: "sum", dtype: "uint8", root: 0 }, given, gathered);
  return [...gathered].map((row) => new TextDecoder().decode(row.data() as Uint8Array).replace(/\0.*$/s, ""));
}

function emptyOf({ dtype, device }: Tensor, shape: readonly number[]): Tensor {
  return emptyTensor(shape, contiguousStrides(shape), dtype, device);
}
