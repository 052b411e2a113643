// NCCL's communicator of a job, for tensors on GPUs: its identifier goes by MPI where that started the processes, else over the
// launcher's address.
import type { Job } from "../device/collectives.js";
import { CudaDevice } from "../device/cuda/device.js";
import { JobMember, slotOf } from "../device/cuda/job-member.js";
import { Communicator, identifierBytes, type Nccl, nccl } from "../device/cuda/nccl.js";
import type { Device } from "../device/device.js";
import { hostDevice } from "../launch/devices.js";
import { tensor } from "../tensor/create.js";
import { exchangedIdentifier } from "./identifier-exchange.js";
import { byMpi, gatheredTexts } from "./mpi-moves.js";

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

/** The identifier of process 0; undefined if a process has no NCCL, or two share a GPU. */
function identifierByMpi(
  what: string,
  job: Job,
  library: Nccl | undefined,
  device: CudaDevice,
  timeoutMs: number,
): Uint8Array | undefined {
  const { rank, size } = job;
  const host = hostDevice().name;
  const run = byMpi(what, job, timeoutMs);
  const slots = gatheredTexts(library ? slotOf(device) : "", job, host, run);
  if (slots.includes("") || new Set(slots).size < size) return undefined;
  const own = (rank === 0 && library?.identifier()) || new Uint8Array(identifierBytes);
  const identifier = tensor(own, { dtype: "uint8", device: host });
  run({ kind: "broadcast", op: "sum", dtype: "uint8", root: 0 }, identifier, identifier);
  return identifier.data() as Uint8Array;
}
