// One kernel's module. All modules are linked to the same addresses and share the room for constants below the tensors:
// switching kernels copies some kilobytes.
import { DeviceError } from "../../base/errors.js";
import { heapStart, type LinearMemory, stackBytes } from "./linear-memory.js";

/** A kernel's function: the argument block's address, and the range of elements. */
export type Kernel = (block: number, begin: bigint, end: bigint) => void;

/** An instance of a kernel's module in one thread. */
export interface KernelInstance {
  readonly kernel: Kernel;
  /** Where its constants end. */
  readonly end: number;
  /** The stack pointer, which is reset before every run: a run that traps leaves it anywhere. */
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
    "A functor may only touch its own arguments; tensors that it wrote to before it was stopped may hold anything.",
  );
}

let loaded: WasmCode | undefined;
// The end of the largest constants so far: behind it nothing was written.
let written = stackBytes;
let lastId = 0;

/** A kernel of the main thread, and what other threads need to have it too. */
export class WasmCode {
  readonly id = ++lastId;
  readonly module: WebAssembly.Module;
  /** True once a part of a launch has run. */
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
      // The linker's code copies the constants to their place, unless a flag among them says that it has done so.
      loaded = undefined;
      memory.bytes.fill(0, stackBytes, written);
      this.#instance = instantiate(this.module, memory.memory, symbol);
    } catch (error) {
      if (error instanceof DeviceError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      // What the engine has no room for is a RangeError; bad code has errors of its own.
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
        `The constants of the kernel ${symbol} take ${end - stackBytes} bytes; there is room for ${heapStart - stackBytes}.`,
        "Pass large tables as tensors.",
      );
    }
    written = Math.max(written, end);
    this.#constants = memory.bytes.slice(stackBytes, end);
    loaded = this;
  }

  /** Makes its constants those in the memory. */
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
