// The fields of argument blocks, for all kernels: where each lies, and where a launch takes its value from.

import type { DType } from "../base/dtype.js";

/** Where the value of a field comes from; all have the same properties, because every launch reads them. */
export interface Source {
  /**
   * The address of an operand, a scalar operand, a parameter of a functor or an integer of 64 bits, each by its number in the
   * call; the number of elements; or the address of zeroed memory in which blocks of a grid meet.
   */
  readonly kind: "address" | "scalar" | "parameter" | "number" | "count" | "meeting";
  readonly index: number;
  /** The dtype in which a scalar is passed; undefined for others. */
  readonly dtype: DType | undefined;
}

/** One field of an argument block. */
export interface Field {
  readonly name: string;
  readonly ctype: string;
  readonly offset: number;
  readonly from: Source;
}

/** The fields of an argument block in order. */
export interface BlockLayout {
  /** Those that a kernel's text declares one by one. */
  readonly fields: readonly Field[];
  /** The first byte of the geometry behind them: extents, strides, and counts that belong to them. */
  readonly geometry: number;
  readonly bytes: number;
}

/** Places fields in sequence, each at a multiple of its alignment. */
export class ArgumentFields {
  readonly #fields: Field[] = [];
  #operands = 0;
  #end = 0;

  /** Places the address of the next operand. */
  address(name: string, ctype: string): void {
    this.#add(name, ctype, 8, 8, { kind: "address", index: this.#operands++, dtype: undefined });
  }

  /** Places the address of memory in which blocks meet. */
  meeting(name: string, ctype: string): void {
    this.#add(name, ctype, 8, 8, { kind: "meeting", index: 0, dtype: undefined });
  }

  /** Places a scalar of the call, an operand or a parameter; a complex one is aligned like its parts. */
  scalar(name: string, dtype: DType, kind: "scalar" | "parameter", index: number): void {
    const alignment = dtype.kind === "complex" ? dtype.bytes / 2 : dtype.bytes;
    this.#add(name, dtype.ctype, dtype.bytes, alignment, { kind, index, dtype });
  }

  /** Places a scalar in whole words of eight bytes. */
  wideScalar(name: string, dtype: DType, index: number): void {
    const bytes = Math.max(8, dtype.bytes);
    this.#add(name, `alignas(8) ${dtype.ctype}`, bytes, 8, { kind: "scalar", index, dtype });
  }

  /** Places an integer of the call. */
  number(name: string, index: number): void {
    this.#add(name, "int64", 8, 8, { kind: "number", index, dtype: undefined });
  }

  /** Places the number of elements. */
  count(ctype: string, bytes: number): void {
    this.#add("count", ctype, bytes, bytes, { kind: "count", index: 0, dtype: undefined });
  }

  /** The fields, with so many bytes of geometry behind them. The block is a multiple of 8 bytes. */
  layout(geometryBytes: number): BlockLayout {
    const geometry = aligned(this.#end, 8);
    return { fields: this.#fields, geometry, bytes: aligned(geometry + geometryBytes, 8) };
  }

  #add(name: string, ctype: string, bytes: number, alignment: number, from: Source): void {
    const offset = aligned(this.#end, alignment);
    this.#end = offset + bytes;
    this.#fields.push({ name, ctype, offset, from });
  }
}

/** The declarations of fields in a kernel's text. */
export function declarations({ fields }: BlockLayout): string[] {
  return fields.map(({ ctype, name }) => `  ${ctype} ${name};`);
}

/** The names of the operands in memory, in order. */
export function addressesIn({ fields }: BlockLayout): string[] {
  return fields.flatMap(({ name, from }) => (from.kind === "address" ? [name] : []));
}

function aligned(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
