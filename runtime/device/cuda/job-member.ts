// The member of NCCL's communicator of a job that this process is. Its calls do not block, and its collectives are followed in the
// GPU's queue, so that a wait ends with an interrupt, with an error of another process, or after the timeout.
import { hostname } from "node:os";
import { atInterruption } from "../../base/interruption.js";
import { addressIn, argumentBlock } from "../argument-blocks.js";
import { awaitOthers, checkNotLost, type Job, late } from "../collectives.js";
import type { CudaDevice } from "./device.js";
import { check, driver, type Out } from "./driver.js";
import { type CudaMark, whileWaiting } from "./mark.js";
import { attempt, type Connection, identifierBytes, type Nccl } from "./nccl.js";

// nccl.h: ncclConfig_t of version 2.14, of which only `blocking` is set.
const config = { bytes: 24, magic: 0xcafebeef, version: 21_400 } as const;
// How often a long wait asks for errors of other processes.
const lookMs = 20;
// So long the end of a process waits for the others'.
const endMs = 10_000;
// cuda.h: CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID and others.
const pciAttributes = [50, 33, 34];

/** The machine and the slot of a GPU, which two processes must not share in one communicator. */
export function slotOf({ index }: CudaDevice): string {
  const cuda = driver();
  const device: Out = [0];
  check("cuDeviceGet", cuda.cuDeviceGet(device, index));
  const numbers = pciAttributes.map((name) => {
    const value: Out = [0];
    check("cuDeviceGetAttribute", cuda.cuDeviceGetAttribute(value, name, device[0]));
    return value[0];
  });
  return `${hostname()} ${numbers}`;
}

/** A collective in the GPU's queue. */
interface Queued {
  readonly what: string;
  readonly before: CudaMark;
  readonly after: CudaMark;
  /** When it was seen to run. */
  runsSince: number | undefined;
}

/** What follows the collectives of this process. */
export class JobMember implements Connection {
  readonly count = 1;
  /** The communicator; 0 before it is connected, and after an abort. */
  #communicator = 0;
  /** The function whose call waits for others on the host. */
  #open: string | undefined;
  /** The function that was given up. */
  #lost: string | undefined;
  #queued: Queued[] = [];
  #looked = 0;
  /** The function of the next call, and its milliseconds for the others. */
  next = { what: "", timeoutMs: 0 };

  constructor(
    readonly library: Nccl,
    readonly device: CudaDevice,
    readonly job: Job,
    readonly identifier: Uint8Array,
  ) {
    atInterruption(() => {
      const [running] = this.#queued;
      if (this.#open !== undefined || (running && !running.after.isReached)) this.abort();
    });
    whileWaiting(() => this.#look());
    process.on("exit", (code) => this.#end(code));
  }

  connect(): readonly number[] {
    const { rank, size } = this.job;
    const block = argumentBlock(8 + config.bytes);
    block.i64[1] = BigInt(config.bytes);
    block.u32.set([config.magic, config.version, 0], 4);
    this.device.activate();
    const identifier = { bytes: this.identifier.subarray(0, identifierBytes) };
    try {
      this.library.call(
        "ncclCommInitRankConfig",
        ...[block.address, size, identifier, rank, block.address + 8],
      );
      this.#communicator = addressIn(block.u32, 0);
    } finally {
      block.release();
    }
    this.#settle();
    return [this.#communicator];
  }

  around(queue: () => void): void {
    const { what } = this.next;
    checkNotLost(what, this.job, this.#lost);
    this.#open = what;
    try {
      const before = this.device.mark();
      queue();
      this.#settle();
      this.#prune();
      this.#queued.push({ what, before, after: this.device.mark(), runsSince: undefined });
    } catch (error) {
      this.abort();
      throw error;
    }
    this.#open = undefined;
  }

  /** Waits until the calls so far are in the queue. */
  #settle(): void {
    const { what, timeoutMs } = this.next;
    const isDone = () => this.#communicator === 0 || this.library.isReady(this.#communicator);
    awaitOthers(what, this.job, timeoutMs, isDone);
  }

  /** Forgets the collectives that have run. */
  #prune(): void {
    while (this.#queued[0]?.after.isReached) {
      const { before, after } = this.#queued.shift() as Queued;
      before.release();
      after.release();
    }
  }

  /** Throws if another process failed, or did not join in time what this one runs. */
  #look(): void {
    const now = performance.now();
    if (this.#queued.length === 0 || this.#open !== undefined || now - this.#looked < lookMs) return;
    this.#looked = now;
    this.#prune();
    const [first] = this.#queued;
    if (first === undefined) return;
    try {
      this.library.isReady(this.#communicator);
      if (!first.before.isReached) return;
      first.runsSince ??= now;
      if (now - first.runsSince > this.next.timeoutMs)
        throw late(first.what, this.job, now - first.runsSince);
    } catch (error) {
      this.abort();
      throw error;
    }
  }

  /** Ends what the GPU waits for. Tensors stay, but the others no longer find this process. */
  abort(): void {
    const communicator = this.#communicator;
    this.#lost ??= this.#open ?? this.#queued[0]?.what;
    this.#communicator = 0;
    this.#open = undefined;
    this.#queued = [];
    if (communicator !== 0) attempt(() => this.library.call("ncclCommAbort", communicator));
  }

  /** At the end of the process the others may still read its memory, unless it failed: then they must not wait. */
  #end(code: number): void {
    if (this.#communicator === 0) return;
    if (code !== 0) {
      this.abort();
      return;
    }
    attempt(() => {
      this.device.synchronize();
      this.next = { what: "the end of the job", timeoutMs: endMs };
      this.library.call("ncclCommFinalize", this.#communicator);
      this.#settle();
      this.library.call("ncclCommDestroy", this.#communicator);
    });
  }
}
