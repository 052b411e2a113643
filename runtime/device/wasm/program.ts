// One kernel's module. All modules are linked to the same addresses: their constants take turns below the tensors, which
// costs a copy of some kilobytes where the kernel that runs is another than before.
import { DeviceError } from "../../errors.js";
import { userTextOf } from "../helper.js";
import { heapStart, type LinearMemory, stackBytes } from "./linear-memory.js";

/** A kernel's function: the argument block's address, and the range of elements. */
export type Kernel = (block: number, begin: bigint, end: bigint) => void;

/** A module in one thread. */
export interface Placed {
  readonly kernel: Kernel;
  /** Where its constants end. */
  readonly end: number;
  /** Where its stack begins. It is put back before every run, since a run that traps leaves it anywhere. */
  readonly stack: WebAssembly.Global;
}

/** Instantiates a kernel's module for one thread. */
export function place(module: WebAssembly.Module, memory: WebAssembly.Memory, symbol: string): Placed {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const kernel = exports[symbol];
  if (typeof kernel !== "function") {
    throw new DeviceError("code-refused", `The compiled code has no function ${symbol}.`);
  }
  const end = exports.__heap_base as WebAssembly.Global<"i32">;
  return { kernel: kernel as Kernel, end: end.value, stack: exports.__stack_pointer as WebAssembly.Global };
}

/** What a trapped kernel is told as; any other failure is thrown as it is. */
export function trapMessage(error: unknown): string {
  const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  if (!isTrap) throw error;
  return error.message;
}

/** The error of a kernel that trapped. */
export function trapError(symbol: string, message: string): DeviceError {
  const text = userTextOf(symbol);
  return new DeviceError(
    "kernel-trapped",
    `The kernel ${symbol} was stopped on the device wasm: ${message}.${text ? ` Its functor:\n\n${text}\n` : ""}`,
    "A functor may only touch its own arguments; tensors that it wrote to before it was stopped may hold anything.",
  );
}

let loaded: WasmProgram | undefined;
// The end of the largest constants so far: behind it nothing was written.
let written = stackBytes;
let lastId = 0;

/** A kernel of the main thread, and what other threads need to have it too. */
export class WasmProgram {
  readonly id = ++lastId;
  readonly module: WebAssembly.Module;
  /** True once a part of a launch has run. */
  hasRun = false;
  readonly #placed: Placed;
  readonly #constants: Uint8Array;

  constructor(
    readonly memory: LinearMemory,
    binary: Uint8Array<ArrayBuffer>,
    readonly symbol: string,
  ) {
    try {
      this.module = new WebAssembly.Module(binary);
      // The linker's code copies the constants to their place, unless a flag among them says that it has done so.
      loaded = undefined;
      memory.bytes.fill(0, stackBytes, written);
      this.#placed = place(this.module, memory.memory, symbol);
    } catch (error) {
      if (error instanceof DeviceError) throw error;
      throw new DeviceError(
        "code-refused",
        `The engine did not load the compiled code: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
    const { end } = this.#placed;
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
    this.#placed.stack.value = stackBytes;
    if (loaded === this) return;
    this.memory.bytes.set(this.#constants, stackBytes);
    loaded = this;
  }

  /** Runs a part of a launch on this thread. */
  get kernel(): Kernel {
    return this.#placed.kernel;
  }
}
