// Memory for the arguments of Fortran routines, which are addresses: JavaScript's own, which does not move and is freed when
// nothing refers to it, also after an interrupt.
import { DeviceError } from "../../base/errors.js";
import { libc } from "./libc.js";

/** The routines of a library. */
export interface Fortran {
  /** The size of its integers. */
  readonly integerBytes: 4 | 8;
  /** A routine by the number of its arguments, all addresses, some of letters. */
  bind(name: string, addresses: number, letters: number): (addresses: readonly number[]) => void;
}

/** Memory with a fixed address. */
export class HostMemory {
  readonly #view: DataView;
  readonly address: number;

  constructor(bytes: number) {
    try {
      // A buffer of its own: short typed arrays may move.
      this.#view = new DataView(new ArrayBuffer(Math.max(bytes, 16)));
    } catch (error) {
      throw new DeviceError(
        "out-of-memory",
        `The host has no ${bytes} bytes for the workspace of a factorization: ${(error as Error).message}.`,
        "Dispose of unneeded tensors, or factor smaller matrices.",
      );
    }
    this.address = libc().addressOf(this.#view, this.#view, 0);
  }

  integer(at: number, bytes: 4 | 8): number {
    return bytes === 4 ? this.#view.getInt32(at, true) : Number(this.#view.getBigInt64(at, true));
  }

  setInteger(at: number, bytes: 4 | 8, value: number): void {
    if (bytes === 4) this.#view.setInt32(at, value, true);
    else this.#view.setBigInt64(at, BigInt(value), true);
  }

  /** A float, or a double if `bytes` is 8. */
  float(at: number, bytes: number): number {
    return bytes === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
  }

  setFloat(at: number, bytes: number, value: number): void {
    if (bytes === 4) this.#view.setFloat32(at, value, true);
    else this.#view.setFloat64(at, value, true);
  }
}

const slotBytes = 16;

/** The arguments of a routine's calls that are not operands: scalars and workspaces, alive as long as this object. */
export class CallMemory {
  readonly #scalars = new HostMemory(32 * slotBytes);
  readonly #kept: HostMemory[] = [];
  #used = 0;

  constructor(readonly integerBytes: 4 | 8) {}

  #next(): number {
    return slotBytes * this.#used++;
  }

  /** The address of an integer. */
  integer(value: number): number {
    const at = this.#next();
    this.#scalars.setInteger(at, this.integerBytes, value);
    return this.#scalars.address + at;
  }

  /** The address of a letter. */
  letter(letter: string): number {
    return this.integer(letter.charCodeAt(0));
  }

  /** The address of a number whose parts have this many bytes; its imaginary part is 0. */
  number(value: number, bytes: number): number {
    const at = this.#next();
    this.#scalars.setFloat(at, bytes, value);
    return this.#scalars.address + at;
  }

  /** An integer that routines write. */
  result(): IntegerResult {
    const at = this.#next();
    const read = () => this.#scalars.integer(at, this.integerBytes);
    return { address: this.#scalars.address + at, value: read };
  }

  /** The address of a workspace. */
  workspace(bytes: number): number {
    const memory = new HostMemory(bytes);
    this.#kept.push(memory);
    return memory.address;
  }

  /** The value, for a caller whose calls are over: until then it refers to this memory. */
  release<T>(value: T): T {
    this.#kept.length = 0;
    return value;
  }
}

/** An integer that routines write. */
export interface IntegerResult {
  readonly address: number;
  readonly value: () => number;
}
