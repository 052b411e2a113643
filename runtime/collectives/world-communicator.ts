// NCCL's communicator of a job, for tensors on GPUs: its identifier goes by MPI where that started the processes, else over the
// launcher's address.
import { argumentBlock } from "../device/argument-blocks.js";
import { CudaDevice } from "../device/cuda/device.js";
import { JobMember, slotOf } from "../device/cuda/job-member.js";
import { Communicator, identifierBytes, type Nccl, nccl } from "../device/cuda/nccl.js";
import type { Device } from "../device/device.js";
import { type Job, mpi } from "../device/mpi.js";
import { exchangedIdentifier } from "./identifier-exchange.js";

interface Found {
  readonly device: Device;
  readonly communicator: Communicator;
  readonly member: JobMember;
}

let found: Found | "none" | undefined;

/**
 * The communicator of a job for tensors of a device, which waits so long for the others; undefined where MPI exchanges elements. All
 * processes ask for it together.
 */
export function jobCommunicator(
  what: string,
  job: Job,
  device: Device,
  timeoutMs: number,
): Communicator | undefined {
  if (!(device instanceof CudaDevice)) return undefined;
  found ??= connected(what, job, device, timeoutMs) ?? "none";
  if (found === "none" || found.device !== device) return undefined;
  found.member.next = { what, timeoutMs };
  return found.communicator;
}

function connected(what: string, job: Job, device: CudaDevice, timeoutMs: number): Found | undefined {
  const library = nccl();
  const isMpi = job.launcher === "Open MPI" || job.launcher === "MPICH";
  const identifier = isMpi
    ? identifierByMpi(what, job, library, device, timeoutMs)
    : library && exchangedIdentifier(what, job, () => library.identifier(), timeoutMs);
  if (library === undefined || identifier === undefined) return undefined;
  const member = new JobMember(library, device, job, identifier);
  const communicator = new Communicator(`NCCL ${library.version} of the job`, library, member);
  return { device, communicator, member };
}

const slotBytes = 128;

/** The identifier of process 0; undefined if a process has no NCCL, or two share a GPU. */
function identifierByMpi(
  what: string,
  job: Job,
  library: Nccl | undefined,
  device: CudaDevice,
  timeoutMs: number,
): Uint8Array | undefined {
  const { rank, size } = job;
  const block = argumentBlock(slotBytes * (size + 1));
  const [from, to] = [block.address, block.address + slotBytes];
  const exchange = { what, from, to, root: 0, timeoutMs, owners: [block] };
  const own = library ? slotOf(device) : "";
  new TextEncoder().encodeInto(own, block.bytes.subarray(0, slotBytes));
  mpi(job).run({ ...exchange, kind: "all-gather", bytes: slotBytes });
  const slots = textsIn(block.bytes.subarray(slotBytes, slotBytes * (size + 1)), size);
  if (slots.includes("") || new Set(slots).size < size) {
    block.release();
    return undefined;
  }
  const identifier = block.bytes.subarray(slotBytes, slotBytes + identifierBytes);
  if (rank === 0 && library) identifier.set(library.identifier());
  mpi(job).run({ ...exchange, kind: "broadcast", from: to, bytes: identifierBytes });
  const copy = identifier.slice();
  block.release();
  return copy;
}

/** The texts that so many processes gave, each with zeros behind it, in equal numbers of bytes. */
export function textsIn(bytes: Uint8Array, count: number): string[] {
  const each = bytes.length / count;
  return Array.from({ length: count }, (_, i) =>
    new TextDecoder().decode(bytes.subarray(i * each, (i + 1) * each)).replace(/\0.*$/s, ""),
  );
}
