// One kernel's module. All modules are linked to the same addresses and share the area for constants below the tensors:
// switching kernels copies some kilobytes.
import { DeviceError } from "../../base/errors.js";
import { heapStart, type LinearMemory, stackBytes } from "./linear-memory.js";

/** A kernel's function: the argument block's address, and the range of elements. */
export type Kernel = (block: number, begin: bigint, end: bigint) => void;

/** An instance of a kernel's module in one thread. */
export interface KernelInstance {
  readonly kernel: Kernel;
  /** The end of its constants. */
  readonly end: number;
  /** The stack pointer, which is reset before every run, because a trap leaves it undefined. */
  readonly stack: WebAssembly.Global;
}

/** Instantiates a kernel's module for one thread. */
export function instantiate(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  symbol: string,
): KernelInstance {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const kernel = exports[symbol];
  if (typeof kernel !== "function") {
    throw new DeviceError("code-refused", `The compiled code has no function ${symbol}.`);
  }
  const end = exports.__heap_base as WebAssembly.Global<"i32">;
  return { kernel: kernel as Kernel, end: end.value, stack: exports.__stack_pointer as WebAssembly.Global };
}

/** The message of a trap; rethrows any other failure. */
export function trapMessage(error: unknown): string {
  const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  if (!isTrap) throw error;
  return error.message;
}

/** The error of a kernel that trapped. */
export function trapError({ symbol, userText }: WasmCode, message: string): DeviceError {
  return new DeviceError(
    "kernel-trapped",
    `The kernel ${symbol} was stopped on the device wasm: ${message}.${userText ? ` Its functor:\n\n${userText}\n` : ""}`,
    "A functor may only access its arguments; tensors that it wrote before it was stopped have undefined elements.",
  );
}

let loaded: WasmCode | undefined;
// The end of the largest constants so far; later bytes were never written.
let usedBytes = stackBytes;
let lastId = 0;

/** A kernel of the main thread, and the data for loading it in other threads. */
export class WasmCode {
  readonly id = ++lastId;
  readonly module: WebAssembly.Module;
  /** True after a part of a launch has run. */
  hasRun = false;
  readonly #instance: KernelInstance;
  readonly #constants: Uint8Array;

  constructor(
    readonly memory: LinearMemory,
    binary: Uint8Array<ArrayBuffer>,
    readonly symbol: string,
    readonly userText?: string,
  ) {
    try {
      this.module = new WebAssembly.Module(binary);
      // The linker's code copies the constants to their address, unless a flag among them says that this is done.
      loaded = undefined;
      memory.bytes.fill(0, stackBytes, usedBytes);
      this.#instance = instantiate(this.module, memory.memory, symbol);
    } catch (error) {
      if (error instanceof DeviceError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      // If the engine has no room it throws a RangeError; invalid code has other errors.
      if (error instanceof RangeError) {
        throw new DeviceError(
          "out-of-memory",
          `The engine has no room for compiled code: ${reason}.`,
          "Use fewer different kernels in one process.",
        );
      }
      throw new DeviceError("code-refused", `The engine did not load the compiled code: ${reason}.`);
    }
    const { end } = this.#instance;
    if (end > heapStart) {
      throw new DeviceError(
        "kernel-too-large",
        `The constants of the kernel ${symbol} take ${end - stackBytes} bytes; the limit is ${heapStart - stackBytes}.`,
        "Pass large tables as tensors.",
      );
    }
    usedBytes = Math.max(usedBytes, end);
    this.#constants = memory.bytes.slice(stackBytes, end);
    loaded = this;
  }

  /** Copies its constants into the memory. */
  enter(): void {
    this.#instance.stack.value = stackBytes;
    if (loaded === this) return;
    this.memory.bytes.set(this.#constants, stackBytes);
    loaded = this;
  }

  /** Runs a part of a launch on this thread. */
  get kernel(): Kernel {
    return this.#instance.kernel;
  }
}
