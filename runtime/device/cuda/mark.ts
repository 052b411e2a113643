// Points in a GPU's queue, and waiting for them.
import { DeviceError } from "../../base/errors.js";
import { pause } from "../../base/pause.js";
import type { Mark } from "../device.js";
import { type Driver, type Out, status } from "./driver.js";

// Waiting first polls the driver without pauses, then with pauses.
const spinMs = 10;
const sleepMs = 0.1;

const checks: (() => void)[] = [];

/** Calls a function again and again while a wait is long; it may throw. */
export function whileWaiting(check: () => void): void {
  checks.push(check);
}

/** Polls until the device is ready, because a wait inside the driver cannot be interrupted. */
export function answerOf(query: () => number): number {
  const began = performance.now();
  for (;;) {
    const result = query();
    if (result !== status.notReady) return result;
    if (performance.now() - began <= spinMs) continue;
    for (const check of checks) check();
    pause(sleepMs);
  }
}

/** A point in a GPU's queue: an event. */
export class CudaMark implements Mark {
  readonly #event: number;
  readonly #cuda: Driver;

  constructor(
    event: number,
    cuda: Driver,
    private readonly check: (name: string, result: number) => void,
  ) {
    this.#event = event;
    this.#cuda = cuda;
  }

  since(earlier: Mark): number {
    if (!(earlier instanceof CudaMark)) {
      throw new DeviceError("foreign-mark", "The earlier mark belongs to another device than this one.");
    }
    this.wait();
    const milliseconds: Out = [0];
    this.check(
      "cuEventElapsedTime",
      this.#cuda.cuEventElapsedTime(milliseconds, earlier.#event, this.#event),
    );
    return milliseconds[0];
  }

  get isReached(): boolean {
    const result = this.#cuda.cuEventQuery(this.#event);
    if (result === status.notReady) return false;
    this.check("cuEventQuery", result);
    return true;
  }

  wait(): void {
    this.check(
      "cuEventQuery",
      answerOf(() => this.#cuda.cuEventQuery(this.#event)),
    );
  }

  release(): void {
    this.check("cuEventDestroy", this.#cuda.cuEventDestroy(this.#event));
  }
}
