// The arguments of a raw kernel's call: they are checked before the launch, and written into the argument block with the
// compiler's layout.
import { JitlabError, show } from "../base/errors.js";
import type { ArgumentBlock } from "../device/loaded-code.js";
import { formatShape } from "../geometry/layout.js";
import { isView, type View } from "../geometry/view.js";
import { writeAddress } from "../launch/argument-writers.js";
import type { RawParameter } from "./declaration.js";
import { alignmentOf, elementTypes, type ScalarType, scalarType } from "./element-types.js";
import type { EntryField } from "./entry-layout.js";

/** An argument of a raw kernel: a tensor, or null, for a pointer; a number; a typed array for a struct. */
export type RawValue = View | number | bigint | boolean | ArrayBufferView | null;

/** Checks and writes the arguments for one parameter. */
export interface RawSlot {
  readonly parameter: RawParameter;
  /** Throws if a value does not match the parameter. */
  check(value: unknown): void;
  /** Writes a checked value. */
  write(block: ArgumentBlock, value: RawValue): void;
}

/** The slot of a parameter at `field` of the block. */
export function slotOf(kernel: string, parameter: RawParameter, field: EntryField): RawSlot {
  if (parameter.pointer) return pointerSlot(kernel, parameter, field);
  const scalar = scalarType(parameter.type) ?? unnamedType(field);
  return scalar ? scalarSlot(kernel, parameter, field, scalar) : structSlot(kernel, parameter, field);
}

/** The number type of a user's type name; undefined for a struct. */
function unnamedType({ kind, bytes }: EntryField): ScalarType | undefined {
  if (kind === "b") return undefined;
  return { bytes, kind: kind === "f" ? "float" : "word" };
}

function pointerSlot(kernel: string, parameter: RawParameter, { offset }: EntryField): RawSlot {
  const { type, name } = parameter;
  const wanted = elementTypes(type);
  const alignment = alignmentOf(type);
  const declared = `${parameter.constant ? "const " : ""}${type}*`;
  return {
    parameter,
    check: (value) => {
      if (value === null) return;
      if (!isView(value)) {
        const help = wanted ? `Pass a ${wanted.join(" or ")} tensor.` : "Pass a tensor.";
        throw badArgument(
          `${kernel}: ${name} is ${show(value)}, but the kernel declares it ${declared}.`,
          help,
        );
      }
      if (wanted && !wanted.includes(value.dtype.name)) {
        throw badArgument(
          `${kernel}: ${name} is a ${value.dtype.name} tensor, but the kernel declares it ${declared}.`,
          `Convert it with .to("${wanted[0]}").`,
        );
      }
      if (!value.isContiguous) {
        throw badArgument(
          `${kernel}: ${name} is not contiguous: its shape is ${formatShape(value.shape)}, its strides are ${formatShape(value.strides)}.`,
          parameter.constant
            ? "Pass its copy, x.contiguous()."
            : "Let the kernel write a contiguous tensor, and copy that with x.copy_(y).",
        );
      }
      if (value.pointer % alignment !== 0) {
        throw badArgument(
          `${kernel}: ${name} does not start at a multiple of ${alignment} bytes, as ${declared} requires.`,
          "Pass a copy of it, x.clone().",
        );
      }
    },
    write: ({ u32 }, value) => writeAddress(u32, offset >> 2, value === null ? 0 : (value as View).pointer),
  };
}

function scalarSlot(kernel: string, parameter: RawParameter, field: EntryField, scalar: ScalarType): RawSlot {
  const { name, type } = parameter;
  const { kind, bytes } = scalar;
  const { offset } = field;
  const complain = (value: unknown, wanted: string) =>
    badArgument(
      `${kernel}: ${name} is ${show(value)}, but the kernel declares it ${type}.`,
      `Pass ${wanted}.`,
    );
  const overflow = (value: unknown, range: string) =>
    new JitlabError(
      "scalar-overflow",
      `${kernel}: ${name} is ${show(value)}, which does not fit into ${type}.`,
      `It holds ${range}.`,
    );
  if (kind === "bool") {
    return {
      parameter,
      check: (value) => {
        if (typeof value !== "boolean") throw complain(value, "true or false");
      },
      write: ({ bytes: memory }, value) => {
        memory[offset] = value ? 1 : 0;
      },
    };
  }
  if (kind === "float") {
    return {
      parameter,
      check: (value) => {
        if (typeof value !== "number") throw complain(value, "a number");
        if (bytes === 4 && Number.isFinite(value) && !Number.isFinite(Math.fround(value)))
          throw overflow(value, "numbers up to 3.4e38");
      },
      write: ({ f32, f64 }, value) => {
        if (bytes === 4) f32[offset >> 2] = value as number;
        else f64[offset >> 3] = value as number;
      },
    };
  }
  const bits = BigInt(bytes * 8);
  const least = kind === "unsigned" ? 0n : -(1n << (bits - 1n));
  const most = kind === "signed" ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n;
  return {
    parameter,
    check: (value) => {
      if (!(typeof value === "bigint" || Number.isInteger(value))) throw complain(value, "an integer");
      if ((value as number | bigint) < least || (value as number | bigint) > most)
        throw overflow(value, `${least} to ${most}`);
    },
    write: (block, value) => writeInteger(block, offset, bytes, value as number | bigint),
  };
}

function writeInteger(block: ArgumentBlock, offset: number, bytes: number, value: number | bigint): void {
  if (bytes === 8) block.i64[offset >> 3] = BigInt(value);
  else if (bytes === 4) block.i32[offset >> 2] = Number(value);
  else for (let i = 0; i < bytes; i++) block.bytes[offset + i] = Number(value) >> (8 * i);
}

function structSlot(kernel: string, parameter: RawParameter, { offset, bytes }: EntryField): RawSlot {
  const { name, type } = parameter;
  return {
    parameter,
    check: (value) => {
      const given = ArrayBuffer.isView(value) ? `has ${value.byteLength} bytes` : `is ${show(value)}`;
      if (ArrayBuffer.isView(value) && value.byteLength === bytes) return;
      throw badArgument(
        `${kernel}: ${name} ${given}, but the kernel declares it ${type}, of ${bytes} bytes.`,
        `Pass a typed array of ${bytes} bytes.`,
      );
    },
    write: (block, value) => {
      const { buffer, byteOffset, byteLength } = value as ArrayBufferView;
      block.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    },
  };
}

function badArgument(what: string, help: string): JitlabError {
  return new JitlabError("bad-argument", what, help);
}
