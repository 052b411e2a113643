// A loaded kernel, of a map or of a reduction: its code, its argument block and its clock. Kernels are shared by their key in
// the cache and reference-counted: an unused one is unloaded.

import { DeviceError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import type { ArgumentBlock, LaunchConfig, LoadedCode } from "../device/loaded-code.js";
import type { Operand } from "../functor/operand.js";
import { isView, type View } from "../geometry/view.js";
import { type Addressing, type LaunchWatcher, openWatcher, type WatchedKernel } from "./capture.js";
import { openGraph } from "./graph.js";
import { bytesOf, isRecording, timedLaunch } from "./launch-recorder.js";
import type { LoadRequest } from "./load-request.js";
import { keyOf, obtain } from "./obtain.js";
import { KernelClock } from "./timings.js";

type Triple = [x: number, y: number, z: number];

let launches = 0;

/** The number of launches so far. */
export function launchesSoFar(): number {
  return launches;
}

/** A kernel on a device, ready to launch. */
export class LoadedKernel implements WatchedKernel {
  /** The arguments of the next launch; {@link fill} gives it to what writes them. */
  readonly block: ArgumentBlock;
  /** The number of launches when the block was last given to a writer. */
  #filledAt = 0;
  /** Set by what writes its block. */
  addressing: Addressing | undefined;
  /** Elements of one block of a grid; 1 without a grid. */
  readonly #perBlock: number;
  // One object for all launches over elements, so that the warm path allocates nothing.
  readonly #config: LaunchConfig & { readonly grid: Triple };
  #users = 0;

  constructor(
    readonly device: Device,
    readonly code: LoadedCode,
    readonly clock: KernelClock,
    readonly request: LoadRequest,
    argumentBytes: number,
    readonly onUnused: (kernel: LoadedKernel) => void,
  ) {
    const { threads, perThread } = request.division;
    const { gpu } = request.target.dialect;
    this.block = device.createBlock(argumentBytes);
    this.#perBlock = gpu ? threads * perThread : 1;
    this.#config = {
      grid: [0, 1, 1],
      block: [gpu ? threads : Math.max(1, perThread), 1, 1],
      sharedBytes: 0,
    };
  }

  /** Increments the reference count. */
  retain(): this {
    this.#users++;
    return this;
  }

  /** Decrements the reference count; unloads the code at zero. */
  release(): void {
    if (--this.#users > 0) return;
    this.onUnused(this);
    this.block.release();
    this.clock.retire();
    try {
      this.code.unload();
    } catch (error) {
      // Ignored: the next use of a lost device reports it. A finalizer has no caller.
      if (!(error instanceof DeviceError)) throw error;
    }
  }

  get spansDevices(): boolean {
    return this.code.spansDevices ?? false;
  }

  get isLoaded(): boolean {
    return this.#users > 0;
  }

  /** Keeps the kernel loaded until the returned function is called. */
  keep(): () => void {
    this.retain();
    return () => this.release();
  }

  /** The configuration of a launch over a number of elements; valid until the next call. */
  over(elements: number): LaunchConfig {
    this.#config.grid[0] = Math.ceil(elements / this.#perBlock);
    return this.#config;
  }

  /**
   * The block, for the arguments of the next launch, which is the next of all kernels: another one could be of this kernel, in
   * this block. A launch that comes second throws.
   */
  fill(): ArgumentBlock {
    this.#filledAt = launches;
    return this.block;
  }

  /**
   * Launches with the arguments in the block, or hands the launch to the graph that is being recorded. Every write of a kernel
   * comes through here: operations that were deferred before it keep the earlier elements of its outputs.
   */
  launch(config: LaunchConfig, outputs: readonly View[], inputs: readonly Operand[]): void {
    const watcher = openWatcher();
    if (watcher === undefined) this.#launch(config, outputs, inputs);
    else this.#watched(watcher, config, outputs, inputs);
  }

  again(config: LaunchConfig): void {
    this.#checkBlock();
    if (this.clock.sampling) {
      launches++;
      timedLaunch(this, config, undefined, 0);
    } else {
      this.count();
      this.code.launch(this.block, config);
    }
  }

  queue(config: LaunchConfig): void {
    this.#checkBlock();
    this.code.launch(this.block, config);
  }

  count(): void {
    launches++;
    this.clock.launches++;
  }

  /** Throws if something was launched after the block was given to a writer. */
  #checkBlock(): void {
    if (this.#filledAt === launches) return;
    const { op, variant } = this.request;
    throw new Error(`Another kernel was launched while the arguments of ${op} (${variant}) were written.`);
  }

  /** Not in {@link launch}, where every call would allocate the variables of the function to pass. */
  #watched(
    watcher: LaunchWatcher,
    config: LaunchConfig,
    outputs: readonly View[],
    inputs: readonly Operand[],
  ): void {
    watcher.launch(this, config, outputs, inputs, () => this.#launch(config, outputs, inputs));
  }

  #launch(config: LaunchConfig, outputs: readonly View[], inputs: readonly Operand[]): void {
    for (let i = 0; i < outputs.length; i++) (outputs[i] as View).storage?.writing();
    this.#checkBlock();
    launches++;
    const graph = openGraph();
    if (graph) {
      graph.add(this, config, outputs, inputs.filter(isView), bytesOf(outputs, inputs));
    } else if (this.clock.sampling || isRecording()) {
      const phases = this.clock.launches === 0 ? this.clock.phases : undefined;
      timedLaunch(this, config, phases, isRecording() ? bytesOf(outputs, inputs) : 0);
    } else {
      this.clock.launches++;
      this.code.launch(this.block, config);
    }
  }
}

// Kernels that a call may find; a removed kernel may still be referenced.
const loaded = new Map<string, LoadedKernel>();

/** Lets the next request of each kernel ask the cache again. */
export function forgetLoaded(): void {
  loaded.clear();
}

/** The kernel of a request: already loaded, else fetched or compiled and then loaded. The caller retains it. */
export function loadKernel(request: LoadRequest, device: Device, generateMs: number): LoadedKernel {
  const key = keyOf(request);
  const name = `${device.id} ${key} ${request.instance ?? ""}`;
  const known = loaded.get(name);
  if (known) return known;
  const { code, origin, lookupMs, compileMs, loadMs, assembly } = obtain(request, device, key);
  const phases = { generateMs, lookupMs, compileMs, loadMs };
  const clock = new KernelClock(request, key, device.name, origin, phases);
  const bytes = request.argumentBytes;
  const argumentBytes = typeof bytes === "number" ? bytes : bytes(assembly());
  const kernel = new LoadedKernel(device, code, clock, request, argumentBytes, (unused) => {
    if (loaded.get(name) === unused) loaded.delete(name);
  });
  loaded.set(name, kernel);
  return kernel;
}
