// Collectives as the libraries of devices get them: each member gives elements and gets elements. What libraries share that connect
// processes.
import type { DTypeName } from "../base/dtype.js";
import { DeviceError } from "../base/errors.js";
import { pause } from "../base/pause.js";

/** How elements of the members are joined. */
export type CollectiveOp = "sum" | "mean" | "min" | "max" | "prod";

/** What members exchange: joined elements, those of one, those of all, or a part of the joined elements each. */
export type CollectiveKind = "all-reduce" | "broadcast" | "all-gather" | "reduce-scatter";

/** A collective. The count of its elements is an argument of each launch. */
export interface CollectiveForm {
  readonly kind: CollectiveKind;
  readonly op: CollectiveOp;
  readonly dtype: DTypeName;
  /** The member whose elements all get, of a broadcast. */
  readonly root: number;
}

/** The processes of a job. */
export interface Job {
  readonly rank: number;
  readonly size: number;
  /** What started it, such as `Open MPI`. */
  readonly launcher: string;
}

// Waiting first polls without pauses, then with pauses.
const spinMs = 1;
const sleepMs = 0.1;

/** Polls until a call that waits for other processes is done; `collective-failed` after its time. */
export function awaitOthers(what: string, job: Job, timeoutMs: number, isDone: () => boolean): void {
  const began = performance.now();
  while (!isDone()) {
    const waited = performance.now() - began;
    if (waited > timeoutMs) throw late(what, job, waited);
    if (waited > spinMs) pause(sleepMs);
  }
}

/** The error of a process whose call the others did not join in time. */
export function late(what: string, { rank, size }: Job, waited: number): DeviceError {
  return new DeviceError(
    "collective-failed",
    `${what}: rank ${rank} of ${size} has waited ${Math.round(waited)} ms for the others.`,
    "Another process has not made this call, or has ended. Start the job again; the option timeout sets another limit.",
  );
}

/** Throws if an earlier call was given up: the messages of this process no longer match those of the others. */
export function checkNotLost(what: string, { rank, size }: Job, lost: string | undefined): void {
  if (lost === undefined) return;
  throw new DeviceError(
    "collective-failed",
    `${what}: rank ${rank} of ${size} gave up ${lost} earlier.`,
    "Start the job again. Tensors of this process can still be read.",
  );
}
