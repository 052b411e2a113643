// Launches that are made again over other memory: their kernels are known, and of their arguments only the addresses change.

import type { Device } from "../device/device.js";
import type { LaunchConfig } from "../device/loaded-code.js";
import type { Storage } from "../device/storage.js";
import type { Operand } from "../functor/operand.js";
import { isView, type View } from "../geometry/view.js";
import { writeAddress } from "./argument-writers.js";
import { type LaunchWatcher, openWatcher, type WatchedKernel, watchLaunches } from "./capture.js";
import { openGraph } from "./graph.js";
import { isRecording } from "./launch-recorder.js";
import { openSink } from "./sink.js";

/** An address of a launch: the word of the block, the number of the operand's storage, and the bytes from its start. */
interface Address {
  readonly word: number;
  readonly memory: number;
  readonly distance: number;
  /** Its bytes above a multiple of the kernel's widest access. */
  readonly rest: number;
}

interface Step {
  readonly kernel: WatchedKernel;
  readonly config: LaunchConfig;
  /** The bytes of the arguments. */
  readonly block: Uint8Array;
  readonly addresses: readonly Address[];
}

/** True while launches need not be seen one by one. */
export function mayRepeat(): boolean {
  return (
    !isRecording() && openWatcher() === undefined && openGraph() === undefined && openSink() === undefined
  );
}

/** Keeps launches over some memory. */
class Repetition implements LaunchWatcher {
  readonly steps: Step[] = [];
  /** Addresses that are equal, so that either operand's may stand in the block. */
  readonly equal: (readonly [Address, Address])[] = [];
  isComplete = true;
  readonly #numbers: ReadonlyMap<Storage | undefined, number>;

  constructor(
    memory: readonly Storage[],
    readonly pointers: Float64Array,
  ) {
    this.#numbers = new Map(memory.map((storage, i) => [storage, i]));
  }

  launch(
    kernel: WatchedKernel,
    config: LaunchConfig,
    outputs: readonly View[],
    inputs: readonly Operand[],
    run: () => void,
  ): void {
    const { addressing } = kernel;
    const views = [...outputs, ...inputs.filter(isView)];
    const numbers = views.map(({ storage }) => this.#numbers.get(storage));
    if (addressing === undefined || numbers.includes(undefined)) {
      this.isComplete = false;
      run();
      return;
    }
    const { bytes } = kernel.block;
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const addresses: Address[] = [];
    const named = new Set<number>();
    for (const offset of addressing.offsets) {
      const pointer = Number(words.getBigUint64(offset, true));
      const alike = views.flatMap((view, i): Address[] => {
        const memory = numbers[i] as number;
        const distance = pointer - (this.pointers[memory] as number);
        const rest = pointer & (addressing.among - 1);
        return view.pointer === pointer ? [{ word: offset / 4, memory, distance, rest }] : [];
      });
      const [first, ...others] = alike;
      // An entry of a table that this launch does not use.
      if (first === undefined) continue;
      addresses.push(first);
      named.add(pointer);
      for (const other of others) if (other.memory !== first.memory) this.equal.push([first, other]);
    }
    if (views.some(({ pointer }) => !named.has(pointer))) this.isComplete = false;
    const kept = { ...config, grid: [...config.grid], block: [...config.block] } as unknown as LaunchConfig;
    this.steps.push({ kernel, config: kept, block: bytes.slice(), addresses });
    run();
  }
}

/** Launches that were seen, to be made again. */
export class RepeatedLaunches {
  readonly #steps: readonly Step[];
  readonly #equal: Repetition["equal"];

  private constructor({ steps, equal }: Repetition) {
    this.#steps = steps;
    this.#equal = equal;
  }

  /**
   * Calls a function and keeps its launches, whose operands are in these storages; undefined if they cannot be made again.
   * `pointers` are the storages' addresses.
   */
  static of(
    memory: readonly Storage[],
    pointers: Float64Array,
    run: () => void,
  ): RepeatedLaunches | undefined {
    const seen = new Repetition(memory, pointers);
    watchLaunches(seen, run);
    const made = new RepeatedLaunches(seen);
    // What launches nothing has no elements, or works in another way.
    return seen.isComplete && seen.steps.length > 0 && made.fits(pointers) ? made : undefined;
  }

  /** Launches over memory with other addresses that fit, which nothing deferred reads. */
  launch(pointers: Float64Array): void {
    const steps = this.#steps;
    for (let s = 0; s < steps.length; s++) {
      const { kernel, config } = write(steps[s] as Step, pointers);
      kernel.again(config);
    }
  }

  /** Gives these launches to the device, without counting them. */
  queue(pointers: Float64Array): void {
    for (const step of this.#steps) write(step, pointers).kernel.queue(step.config);
  }

  /** Counts these launches, which the device has made. */
  count(): void {
    const steps = this.#steps;
    for (let s = 0; s < steps.length; s++) (steps[s] as Step).kernel.count();
  }

  /** The device of its kernels; undefined if they are on several. */
  get device(): Device | undefined {
    const [first, ...others] = new Set(this.#steps.map(({ kernel }) => kernel.device));
    return others.length === 0 ? first : undefined;
  }

  /** True if a kernel queues work on several devices. */
  get spansDevices(): boolean {
    return this.#steps.some(({ kernel }) => kernel.spansDevices);
  }

  /** True if its operands have the same addresses in two calls. */
  isAlike(a: Float64Array, b: Float64Array): boolean {
    const steps = this.#steps;
    for (let s = 0; s < steps.length; s++) {
      const { addresses } = steps[s] as Step;
      for (let i = 0; i < addresses.length; i++) {
        const { memory } = addresses[i] as Address;
        if (a[memory] !== b[memory]) return false;
      }
    }
    return true;
  }

  /** True if its kernels are still loaded. */
  get isLoaded(): boolean {
    return this.#steps.every(({ kernel }) => kernel.isLoaded);
  }

  /** True if launches over memory with these addresses have these kernels, and they are loaded. */
  fits(pointers: Float64Array): boolean {
    const [steps, equal] = [this.#steps, this.#equal];
    for (let i = 0; i < equal.length; i++) {
      const [a, b] = equal[i] as Repetition["equal"][number];
      if (at(a, pointers) !== at(b, pointers)) return false;
    }
    for (let s = 0; s < steps.length; s++) {
      const { kernel, addresses } = steps[s] as Step;
      if (!kernel.isLoaded || kernel.addressing === undefined) return false;
      const { alignment, among } = kernel.addressing;
      let bits = among;
      let isAlike = true;
      for (let i = 0; i < addresses.length; i++) {
        const address = addresses[i] as Address;
        const pointer = at(address, pointers);
        bits |= pointer;
        if ((pointer & (among - 1)) !== address.rest) isAlike = false;
      }
      // Operands that begin within a word, such as shifted views, have the kernel of the same places within one.
      if ((bits & -bits) !== alignment && !isAlike) return false;
    }
    return true;
  }
}

/** Writes the arguments of a step into its kernel's block. */
function write(step: Step, pointers: Float64Array): Step {
  const { kernel, block, addresses } = step;
  const { bytes, u32 } = kernel.fill();
  bytes.set(block);
  for (let i = 0; i < addresses.length; i++) {
    const address = addresses[i] as Address;
    writeAddress(u32, address.word, at(address, pointers));
  }
  return step;
}

function at({ memory, distance }: Address, pointers: Float64Array): number {
  return (pointers[memory] as number) + distance;
}
