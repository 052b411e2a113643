// Host memory for small copies. A copy from memory of JavaScript must be done before the call returns, because that memory may move;
// one from here is queued without a wait, and one to here is waited for by a mark, which an interrupt ends.
import { argumentBlock } from "../argument-blocks.js";

const stagingBytes = 2 ** 16;
const alignment = 64;
/** Copies of more bytes do not pass through here. */
export const smallBytes = 2 ** 13;

/** A room for a copy: its bytes and their address. */
export interface Room {
  readonly address: number;
  readonly bytes: Uint8Array;
}

/** Gives out rooms for small copies; waits for all queued ones when none is left. */
export class Staging {
  readonly #block = argumentBlock(stagingBytes);
  #used = 0;

  constructor(readonly synchronize: () => void) {}

  room(bytes: number): Room {
    if (this.#used + bytes > stagingBytes) {
      this.synchronize();
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += Math.ceil(bytes / alignment) * alignment;
    const { address, bytes: all } = this.#block;
    return { address: address + from, bytes: all.subarray(from, from + bytes) };
  }
}
