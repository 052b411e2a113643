// Hands the identifier of a communicator from process 0 of a job to the others, over the launcher's address. A thread talks; this
// one waits in slices, so that an interrupt ends the wait.
import type { Worker } from "node:worker_threads";
import { threads } from "../base/builtins.js";
import { env } from "../base/env.js";
import { DeviceError } from "../base/errors.js";
import { libraryFile } from "../base/files.js";
import { atInterruption } from "../base/interruption.js";
import { ownSecret } from "../cache/seal.js";
import type { Job } from "../device/collectives.js";
import { answerAt, type IdentifierWork, states } from "./identifier-work.js";
import { meetingPlace } from "./meeting-place.js";

const answerBytes = 1024;
const sliceMs = 50;

let open: Worker | undefined;
atInterruption(stop);

function stop(): void {
  void open?.terminate();
  open = undefined;
}

/** The identifier that process 0 of a job gives. The function is named in errors. */
export function exchangedIdentifier(
  what: string,
  job: Job,
  own: () => Uint8Array,
  timeoutMs: number,
): Uint8Array {
  const { rank, size } = job;
  const place = meetingPlace(job);
  const given = env("jobSecret");
  const memory = new SharedArrayBuffer(answerAt + answerBytes);
  const identifier = rank === 0 ? own() : new Uint8Array();
  const work: IdentifierWork = {
    ...{ memory, rank, size, ...place, identifier, timeoutMs },
    secret: given === undefined ? ownSecret(env("cacheDir")) : new TextEncoder().encode(given),
  };
  stop();
  open = new (threads().Worker)(libraryFile("collectives/identifier-thread.js"), {
    workerData: work,
    execArgv: [],
    name: "jitlab job",
  });
  open.unref();
  const words = new Int32Array(memory);
  const began = performance.now();
  while (Atomics.load(words, 0) === states.waiting) {
    Atomics.wait(words, 0, states.waiting, sliceMs);
    // The thread has an end of its own; this one is for a thread that died.
    if (performance.now() - began > timeoutMs + 10_000) break;
  }
  const answer = new Uint8Array(memory, answerAt, Atomics.load(words, 1)).slice();
  if (Atomics.load(words, 0) === states.ready) return rank === 0 ? identifier : answer;
  stop();
  throw new DeviceError(
    "collective-failed",
    `${what}: rank ${rank} of ${size} did not connect: ${new TextDecoder().decode(answer) || "its thread ended"}.`,
    "Check MASTER_ADDR and MASTER_PORT, that process 0 runs, and that JITLAB_JOB_SECRET is the same for all processes.",
  );
}
