// Several steps of a loop as one piece of work of the device, such as a CUDA graph, which costs the host one launch. They work on memory of
// their own, into which the tensors of a call are copied, so that the work is made once for all calls.

import { JitlabError } from "../base/errors.js";
import type { ComposedWork, Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { View } from "../geometry/view.js";
import type { Value } from "../program/operations/ir.js";
import type { Again, RepeatedPlan } from "../program/schedule/repeated-plan.js";
import type { LoopCall, Made, PlannedStep } from "./step-kernel.js";

/** The most launches of one piece of work, and bytes of its memory. */
const mostLaunches = 256;
const mostBytes = 2 ** 25;
/** So many loops have such work; the oldest ones give theirs back. */
const mostKept = 16;
/** Between so many steps of a loop whose end its condition decides, the host looks. */
const mostSteps = 2 ** 13;

/** A step with its launches. */
export interface RepeatedStep extends PlannedStep {
  readonly leaves: readonly Value[];
  /** The memory of what a step makes besides its results, by its number. */
  intermediates(): ReadonlyMap<number, PooledStorage>;
}

const kept: ComposedSteps[] = [];

/** Steps of a loop. */
export class ComposedSteps {
  readonly #work: ComposedWork;
  readonly #again: readonly Again[];

  private constructor(
    readonly loop: RepeatedStep,
    readonly count: number,
    readonly memory: StepMemory,
    work: ComposedWork,
    again: readonly Again[],
    /** The word that counts the steps of a loop that may end at each, and the limit behind it; undefined for others. */
    readonly counter: PooledStorage | undefined,
  ) {
    this.#work = work;
    this.#again = again;
  }

  /** How many steps are one piece of work; 0 if that brings nothing. */
  static countOf({ plan, steps }: RepeatedStep): number {
    const fits = 2 * Math.floor(Math.min(steps / 2, mostLaunches / plan.launches.length) / 2);
    return fits < 4 ? 0 : fits;
  }

  /** Undefined where the device has no such work, or a launch cannot be made again. */
  static of(
    loop: RepeatedStep,
    device: Device,
    repeated: RepeatedPlan,
    call: LoopCall,
    count: number,
    mayEnd: boolean,
    isInPlace: boolean,
  ): ComposedSteps | undefined {
    if (mayEnd ? !device.composeLoop : !device.compose) return undefined;
    const memory = StepMemory.of(loop, device, call, count, isInPlace);
    if (memory === undefined) return undefined;
    const blocks = repeated.blocks();
    const again = Array.from({ length: count }, (_, k) => repeated.over(memory.ofStep(k), blocks));
    const counter = mayEnd ? allocate(device, 8) : undefined;
    const work = again.includes(undefined)
      ? undefined
      : workOf(device, again as Again[], mayEnd ? memory : undefined, counter);
    if (work === undefined) {
      for (const one of [...memory.all, ...blocks, ...(counter ? [counter] : [])]) one.dispose();
      return undefined;
    }
    memory.all.push(...blocks, ...(counter ? [counter] : []));
    const made = new ComposedSteps(loop, count, memory, work, again as Again[], counter);
    kept.push(made);
    if (kept.length > mostKept) kept.shift()?.release();
    return made;
  }

  /** False after its work was given back, or a kernel of it. */
  get isUsable(): boolean {
    return kept.includes(this) && this.#again.every((one) => one.isLoaded());
  }

  /** Runs all steps from `from` on of which there are as many as it has; returns the number of the next step. */
  run(call: LoopCall, from: number, steps: number): number {
    let k = from;
    for (; k + this.count <= steps; k += this.count) {
      this.memory.copyAlong(call, k);
      this.#launch();
      this.memory.copyResults(call, k);
    }
    return k;
  }

  /** Runs steps until one ends the loop, at most `most`; returns how many. */
  runWhile(most: number, goes: () => boolean): number {
    const { pointer, device } = this.counter as PooledStorage;
    let steps = 0;
    const words = new Uint32Array(2);
    const bytes = new Uint8Array(words.buffer);
    do {
      words.set([0, Math.min(mostSteps, most - steps)]);
      device.write(pointer, bytes);
      this.#launch();
      device.read(pointer, bytes);
      steps += words[0] as number;
    } while (steps < most && goes());
    return steps;
  }

  #launch(): void {
    this.#work.launch();
    for (const one of this.#again) one.count();
  }

  /** Gives back its memory and its work. */
  release(): void {
    const at = kept.indexOf(this);
    if (at >= 0) kept.splice(at, 1);
    this.#work.release();
    for (const one of this.memory.all.splice(0)) one.dispose();
  }
}

/** The work of a device; undefined where it has none, or fails to make it. */
function workOf(
  device: Device,
  again: readonly Again[],
  loop: StepMemory | undefined,
  counter: PooledStorage | undefined,
): ComposedWork | undefined {
  const queue = () => {
    for (const one of again) one.queue();
  };
  try {
    if (loop === undefined) return device.compose?.(queue);
    const step = () => {
      queue();
      loop.back();
    };
    return device.composeLoop?.(
      step,
      (loop.goesOn as PooledStorage).pointer,
      (counter as PooledStorage).pointer,
    );
  } catch (error) {
    // Launched one by one they work, or report their own error.
    if (error instanceof JitlabError) return undefined;
    throw error;
  }
}

/** The memory of several steps, for all calls. */
class StepMemory {
  readonly all: PooledStorage[] = [];
  /** The carry, in turns; the same twice where a step changes it in place. */
  readonly #turns: readonly (readonly [PooledStorage, PooledStorage])[];
  readonly #along: readonly PooledStorage[];
  readonly #results: readonly PooledStorage[];
  readonly #outside: readonly PooledStorage[];
  readonly #others = new Map<number, PooledStorage>();

  private constructor(
    readonly loop: RepeatedStep,
    readonly device: Device,
    readonly count: number,
    isInPlace: boolean,
    sizes: Sizes,
  ) {
    const own = (bytes: number) => {
      const made = allocate(device, bytes);
      this.all.push(made);
      return made;
    };
    this.#turns = loop.carry.map(({ bytes }) => {
      const first = own(bytes);
      return [first, isInPlace ? first : own(bytes)];
    });
    this.#along = sizes.along.map((bytes) => own(bytes * count));
    this.#results = loop.results.map(({ bytes }) => own(bytes * count));
    this.#outside = sizes.outside.map(own);
    for (const [ref, storage] of loop.intermediates()) {
      this.all.push(storage);
      this.#others.set(ref, storage);
    }
    loop.sources.forEach((source, i) => {
      if (source.kind === "fresh") this.#others.set(-i - 1, own((loop.leaves[i] as Value).bytes));
    });
  }

  /** Undefined for tensors that are large, or have gaps between the elements of two steps. */
  static of(
    loop: RepeatedStep,
    device: Device,
    { along }: LoopCall,
    count: number,
    isInPlace: boolean,
  ): StepMemory | undefined {
    const sizes: Sizes = { along: [], outside: [] };
    let bytes = 0;
    for (const [i, source] of loop.sources.entries()) {
      const own = (loop.leaves[i] as Value).bytes;
      bytes += source.kind === "along" ? own * count : own;
      if (source.kind === "outside") sizes.outside[source.index] = own;
      if (source.kind !== "along") continue;
      const view = along[source.index] as View;
      if ((view.strides[0] as number) * view.dtype.bytes !== own) return undefined;
      sizes.along[source.index] = own;
    }
    for (const { bytes: own } of loop.results) bytes += own * count;
    if (bytes > mostBytes) return undefined;
    return new StepMemory(loop, device, count, isInPlace, {
      along: Array.from(sizes.along, (one) => one ?? 1),
      outside: sizes.outside,
    });
  }

  /** The memory of the values of a step, by their numbers. */
  ofStep(k: number): ReadonlyMap<number, PooledStorage> {
    const { loop } = this;
    const memory = new Map(this.#others);
    // The last step reads and writes first in memory.
    const place = loop.isReversed ? this.count - 1 - k : k;
    loop.sources.forEach((source, i) => {
      const { bytes } = loop.leaves[i] as Value;
      if (source.kind === "outside") memory.set(-i - 1, this.#outside[source.index] as PooledStorage);
      else if (source.kind === "along")
        memory.set(-i - 1, (this.#along[source.index] as PooledStorage).share(place * bytes, bytes));
      else if (source.kind === "carry") memory.set(-i - 1, this.#carryOf(source.index, k % 2, bytes));
    });
    loop.carry.forEach(({ ref }, i) => {
      memory.set(ref, this.#turns[i]?.[(k + 1) % 2] as PooledStorage);
    });
    loop.results.forEach(({ ref, bytes }, i) => {
      memory.set(ref, (this.#results[i] as PooledStorage).share(place * bytes, bytes));
    });
    return memory;
  }

  #carryOf(index: number, turn: number, bytes: number): PooledStorage {
    const { window } = this.loop.carry[index] as Made;
    const storage = this.#turns[index]?.[turn] as PooledStorage;
    return window.offset === 0 ? storage : storage.share(window.offset * window.dtype.bytes, bytes);
  }

  /** The only result of a step. */
  get goesOn(): PooledStorage | undefined {
    return this.#results[0];
  }

  /** Queues the copies of the next carry to where a step reads it. */
  back(): void {
    this.loop.carry.forEach(({ bytes }, i) => {
      const [first, second] = this.#turns[i] as readonly [PooledStorage, PooledStorage];
      if (first !== second) this.device.copy(first.pointer, second.pointer, bytes);
    });
  }

  /** Copies a carry in, which begins at these addresses, and what all steps read. */
  copyIn({ outside }: LoopCall, carry: readonly number[]): void {
    this.loop.sources.forEach((source, i) => {
      const { bytes } = this.loop.leaves[i] as Value;
      if (source.kind === "carry")
        this.device.copy(this.#carryOf(source.index, 0, bytes).pointer, carry[source.index] as number, bytes);
      if (source.kind === "outside")
        this.device.copy(
          (this.#outside[source.index] as PooledStorage).pointer,
          (outside[source.index] as View).pointer,
          bytes,
        );
    });
  }

  /** Copies the carry out. */
  copyOut(to: readonly number[]): void {
    this.loop.carry.forEach(({ bytes }, i) => {
      const [own] = this.#turns[i] as readonly [PooledStorage, PooledStorage];
      this.device.copy(to[i] as number, own.pointer, bytes);
    });
  }

  copyAlong({ along }: LoopCall, k: number): void {
    this.loop.sources.forEach((source, i) => {
      if (source.kind !== "along") return;
      const { bytes } = this.loop.leaves[i] as Value;
      const from = (along[source.index] as View).pointer + this.#first(k) * bytes;
      this.device.copy((this.#along[source.index] as PooledStorage).pointer, from, this.count * bytes);
    });
  }

  copyResults({ results }: LoopCall, k: number): void {
    this.loop.results.forEach(({ bytes }, i) => {
      const to = (results[i] as View).pointer + this.#first(k) * bytes;
      this.device.copy(to, (this.#results[i] as PooledStorage).pointer, this.count * bytes);
    });
  }

  /** The first element of the steps from `k` on. */
  #first(k: number): number {
    return this.loop.isReversed ? this.loop.steps - k - this.count : k;
  }
}

interface Sizes {
  readonly along: number[];
  readonly outside: number[];
}
