// CUDA's libraries that report by statuses: each function is bound at its first call, so that a library of another version
// lacks only what it does not have, and every status is checked. Handles and addresses of the device are plain numbers.
import { DeviceError } from "../../base/errors.js";
import { ffi } from "../ffi.js";
import type { ArgumentBlock } from "../loaded-code.js";
import type { PooledStorage } from "../pooled-storage.js";

/** What the libraries need of their device. */
export interface LibraryHost {
  createBlock(bytes: number): ArgumentBlock;
  /** Memory for a call to work in: dispose of it once the call is queued. */
  memory(bytes: number): PooledStorage;
  /** Copies on the device, in queue order. */
  copy(to: number, from: number, bytes: number): void;
  write(pointer: number, bytes: Uint8Array): void;
  /** Copies to the host after all queued work. */
  read(pointer: number, bytes: Uint8Array): void;
  /** The stream of the next launch; makes the device's context current. */
  stream(): number;
}

/** A parameter's type for koffi. */
export type Parameter = "int" | "int64_t" | "size_t" | "uintptr_t" | "_Out_ int *" | "_Out_ uintptr_t *";
type Argument = number | [number];

/** A function of a library; it throws for each status that is not success. */
export type Call = (...args: readonly Argument[]) => void;

/** How a library names its statuses, and how to install it. */
export interface LibraryNames {
  /** Such as `cuSOLVER`. */
  readonly title: string;
  readonly wheel: string;
  /** The statuses of lacking memory. */
  readonly noMemory: number;
  /** What computes without it. */
  readonly otherwise: string;
}

/** A loaded library. */
export class CheckedLibrary {
  readonly #library: ReturnType<ReturnType<typeof ffi>["load"]>;
  readonly #calls = new Map<string, Call>();

  /** Throws DeviceError `library-damaged` if it cannot be loaded. */
  constructor(
    readonly path: string,
    readonly names: LibraryNames,
  ) {
    try {
      this.#library = ffi().load(path);
    } catch (error) {
      throw this.#damaged(`cannot be loaded from ${path} (${messageOf(error)})`);
    }
  }

  /** True if the library has a function. */
  has(symbol: string): boolean {
    try {
      this.#library.func(symbol, "int", []);
      return true;
    } catch {
      return false;
    }
  }

  /** A function by its symbol and the types of its parameters. */
  call(symbol: string, parameters: readonly Parameter[]): Call {
    const known = this.#calls.get(symbol) ?? this.#bound(symbol, parameters);
    this.#calls.set(symbol, known);
    return known;
  }

  #bound(symbol: string, parameters: readonly Parameter[]): Call {
    let call: (...args: readonly Argument[]) => number;
    try {
      call = this.#library.func(symbol, "int", [...parameters]);
    } catch (error) {
      throw this.#damaged(`(${this.path}) has no function ${symbol} (${messageOf(error)})`);
    }
    return (...args) => {
      const status = call(...args);
      if (status !== 0) throw this.#failure(symbol, status);
    };
  }

  #failure(symbol: string, status: number): DeviceError {
    const { title, noMemory } = this.names;
    if (status === noMemory) {
      return new DeviceError(
        "out-of-memory",
        `${title} has no memory on the device for ${symbol}.`,
        "Dispose of unneeded tensors, or use smaller ones.",
      );
    }
    return this.#damaged(`failed in ${symbol} with status ${status}`);
  }

  #damaged(problem: string): DeviceError {
    const { title, wheel, otherwise } = this.names;
    return new DeviceError(
      "library-damaged",
      `${title} ${problem}.`,
      `Install it again (\`pip install --force-reinstall ${wheel}\`), or remove it: ${otherwise}.`,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
