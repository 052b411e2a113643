// WebAssembly as a device: one memory that grows, kernels compiled by the embedded compiler, large launches shared by
// several threads. A launch has run when it returns, so there is no queue.
import { availableParallelism } from "node:os";
import { DeviceError, JitlabError } from "../../base/errors.js";
import { blockViews } from "../argument-blocks.js";
import type { Device, DeviceFamily, DeviceServices, Mark, Target } from "../device.js";
import type { ArgumentBlock, LoadedCode } from "../loaded-code.js";
import { processorModel } from "../processor.js";
import { getNumThreads } from "../thread-count.js";
import { compilerSpec, wasmTarget } from "./clang.js";
import { trapError, trapMessage, WasmCode } from "./code.js";
import { LinearMemory } from "./linear-memory.js";
import { Threads } from "./threads.js";

// Below this many elements a launch is not timed.
const inlineCount = 2048;
// A heavy functor shows in the first probe; a light one needs the last, because of the clock's noise. A slow first probe may
// include a page fault or a cold cache, so it is repeated. A kernel's first call compiles it, so its first probe is ignored.
const probes: readonly number[] = [64, 64, 4096];
const clearMs = 0.02;
const parallelFromMs = 0.05; // remaining work that makes other threads worth waking
const chunkMs = 0.05; // target of one chunk
const mostChunks = 256; // chunks of one thread, more than balance needs, however slow the probes were

/** The family of one: WebAssembly in this process. */
export const wasmFamily: DeviceFamily = {
  kind: "wasm",
  probe: () => {
    try {
      const { identity } = compilerSpec();
      return {
        devices: [
          { name: "wasm", description: `WebAssembly, ${availableParallelism()} threads, ${identity}` },
        ],
        reason: "",
      };
    } catch (error) {
      if (!(error instanceof JitlabError)) throw error;
      return { devices: [], reason: error.message.replace("\n", " ") };
    }
  },
  warmsUp: true,
  sharesMemory: false,
  open: (index, services) => {
    if (index === 0) return new WasmDevice(wasmTarget(), services);
    throw new DeviceError("no-device", `There is one wasm device, "wasm"; "wasm:${index}" was asked for.`);
  },
  target: (arch) => {
    const own = wasmTarget();
    if (arch === undefined || arch === own.arch) return own;
    throw new JitlabError(
      "unknown-architecture",
      `The wasm device compiles for ${own.arch}, not for ${JSON.stringify(arch)}.`,
      "Leave the architecture out, or name the device cuda for an NVIDIA one.",
    );
  },
};

class WasmDevice implements Device {
  readonly name = "wasm";
  // Beyond the numbers of GPUs.
  readonly id = 63;
  readonly allocator: LinearMemory;
  readonly #memory: LinearMemory;
  readonly #threads: Threads;

  constructor(
    readonly target: Target,
    readonly services: DeviceServices,
  ) {
    services.prepare(target);
    this.#memory = new LinearMemory();
    this.allocator = this.#memory;
    this.#threads = new Threads(this.#memory, getNumThreads());
  }

  get model(): string {
    return `${processorModel()}, ${availableParallelism()} threads, V8 ${process.versions.v8}`;
  }

  createBlock(bytes: number): ArgumentBlock {
    const address = this.#memory.allocate(bytes);
    const { buffer } = this.#memory.memory;
    const block = {
      address,
      ...blockViews(buffer, address, bytes),
      release: () => this.#memory.free(address),
    };
    block.bytes.fill(0);
    return block;
  }

  load(binary: Uint8Array, symbol: string, userText?: string): LoadedCode {
    const code = new WasmCode(this.#memory, binary as Uint8Array<ArrayBuffer>, symbol, userText);
    return {
      launch: (block, config) => this.#launch(code, block.address, config.grid[0], config.block[0]),
      unload: () => this.#threads.forget(code.id),
    };
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.#memory.bytes.set(bytes, pointer);
  }

  read(pointer: number, bytes: Uint8Array): void {
    bytes.set(this.#memory.bytes.subarray(pointer, pointer + bytes.byteLength));
  }

  copy(to: number, from: number, bytes: number): void {
    this.#memory.bytes.copyWithin(to, from, from + bytes);
  }

  hostView(): undefined {
    // The memory is a SharedArrayBuffer, which many of Node's functions reject.
    return undefined;
  }

  synchronize(): void {}

  mark(): Mark {
    return new ClockMark();
  }

  memory(): { free: number; total: number } {
    const { used, total } = this.#memory.sizes;
    return { free: total - used, total };
  }

  #launch(code: WasmCode, block: number, count: number, unit: number): void {
    code.enter();
    const { done, restMs } = count > inlineCount ? begin(code, block, count, unit) : noProbe;
    if (restMs < parallelFromMs) {
      if (done < count) run(code, block, done, count);
      return;
    }
    const rest = count - done;
    const fair = rest / this.#threads.count;
    const wanted = Math.min(Math.max((rest * chunkMs) / restMs, fair / mostChunks), fair);
    // Chunks align to cache lines and to the kernel's units.
    const step = Math.max(unit, 64);
    const chunk = Math.max(step, Math.floor(wanted / step) * step);
    if (getNumThreads() > 1 && this.#threads.arePaidBy(restMs))
      this.#threads.run(code, block, done, count, chunk);
    else runInChunks(code, block, done, count, chunk);
  }
}

const noProbe = { done: 0, restMs: 0 };

/** Runs the first elements of a launch; returns their number and the estimated time of the rest on this thread. */
function begin(
  code: WasmCode,
  block: number,
  count: number,
  unit: number,
): { readonly done: number; readonly restMs: number } {
  let done = 0;
  let restMs = 0;
  let slow = false;
  for (const [i, probe] of probes.entries()) {
    if (i > 0 && slow !== (i === 1)) continue;
    const end = Math.min(count, done + Math.ceil(probe / unit) * unit);
    const from = performance.now();
    run(code, block, done, end);
    const spentMs = performance.now() - from;
    restMs = (spentMs / (end - done)) * (count - end);
    done = end;
    slow = spentMs >= clearMs && code.hasRun;
    code.hasRun = true;
    if (done === count) break;
  }
  return { done, restMs };
}

/** On this thread also in chunks, because the engine replaces a function by optimized code only between calls. */
function runInChunks(code: WasmCode, block: number, begin: number, end: number, chunk: number): void {
  for (let from = begin; from < end; from += chunk) run(code, block, from, Math.min(from + chunk, end));
}

function run(code: WasmCode, block: number, from: number, to: number): void {
  try {
    code.kernel(block, BigInt(from), BigInt(to));
  } catch (error) {
    throw trapError(code, trapMessage(error));
  }
}

/** A time stamp: without a queue, a mark is reached when it is set. */
class ClockMark implements Mark {
  readonly #at = performance.now();

  since(earlier: Mark): number {
    if (earlier instanceof ClockMark) return this.#at - earlier.#at;
    throw new JitlabError("foreign-mark", "The earlier mark belongs to another device than this one.");
  }

  wait(): void {}

  release(): void {}
}
