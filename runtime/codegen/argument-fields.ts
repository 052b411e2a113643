// Where the fields of an argument block lie, whatever kernel reads it.

/** One field of an argument block. */
export interface Field {
  readonly name: string;
  readonly ctype: string;
  readonly offset: number;
  readonly bytes: number;
}

/** Places fields one after the other, each at a multiple of its alignment. */
export class ArgumentFields {
  #end = 0;

  /** Places a field. */
  add(name: string, ctype: string, bytes: number, alignment = bytes): Field {
    const offset = this.skip(0, alignment);
    this.#end = offset + bytes;
    return { name, ctype, offset, bytes };
  }

  /** Leaves room for `bytes` bytes and returns where it begins. */
  skip(bytes: number, alignment: number): number {
    const offset = Math.ceil(this.#end / alignment) * alignment;
    this.#end = offset + bytes;
    return offset;
  }

  /** The size of a block that holds all of them, a multiple of 8. */
  get bytes(): number {
    return Math.ceil(this.#end / 8) * 8;
  }
}
