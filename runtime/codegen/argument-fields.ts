// The offsets of the fields of an argument block, for all kernels.

/** One field of an argument block. */
export interface Field {
  readonly name: string;
  readonly ctype: string;
  readonly offset: number;
  readonly bytes: number;
}

/** Places fields in sequence, each at a multiple of its alignment. */
export class ArgumentFields {
  #end = 0;

  /** Places a field. */
  add(name: string, ctype: string, bytes: number, alignment = bytes): Field {
    const offset = this.skip(0, alignment);
    this.#end = offset + bytes;
    return { name, ctype, offset, bytes };
  }

  /** Reserves `bytes` bytes and returns their offset. */
  skip(bytes: number, alignment: number): number {
    const offset = Math.ceil(this.#end / alignment) * alignment;
    this.#end = offset + bytes;
    return offset;
  }

  /** The size of the block, a multiple of 8. */
  get bytes(): number {
    return Math.ceil(this.#end / 8) * 8;
  }
}
