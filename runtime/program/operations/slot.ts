// The part of an operation that is equal in every call on the same path: everything except elements and scalars.

import type { DType } from "../../base/dtype.js";
import type { Device } from "../../device/device.js";
import type { Functor } from "../../functor/functor.js";
import type { ReduceCall } from "../../launch/calls.js";
import type { OpaqueDefinition, ScanDefinition, WriteDefinition } from "../../launch/operation.js";
import type { Window } from "./window.js";

/** An operand of an operation. */
export interface OperandClass {
  /** The number of its value on the tape: from 0 on a result, below 0 a leaf; undefined for a scalar. */
  readonly ref: number | undefined;
  readonly window: Window | undefined;
  /** The code of a scalar, and the dtype in which it is passed. */
  readonly code: number;
  readonly passed: DType | undefined;
}

/** A result of an operation. */
export interface ResultClass {
  readonly window: Window;
  /** Bytes of the storage. */
  readonly bytes: number;
  /** True if the storage's other elements stay. */
  readonly patches: boolean;
  /** The number of the storage's earlier value; undefined for a fresh result. */
  readonly before: number | undefined;
  /** The operand that is the output itself; undefined if none is. */
  readonly self: number | undefined;
}

/** A reduction without its operands. */
export type ReduceClass = Omit<ReduceCall, "input" | "prologue" | "epilogue">;

interface Common {
  readonly name: string;
  readonly device: Device;
  readonly operands: readonly OperandClass[];
  readonly results: readonly ResultClass[];
  /** Its source position in the program. */
  readonly place: string;
}

/** A functor over elements. */
export interface MapSlot extends Common {
  readonly kind: "map";
  readonly functor: Functor;
  readonly compute: DType;
  readonly domain: readonly number[];
  /** The requested dtype, if no operand has one. */
  readonly dtype: DType | undefined;
  readonly parameterTypes: readonly DType[];
  /** The number of an earlier creation with the same elements. */
  readonly repeats: number | undefined;
  /** One object for maps that differ only in their values. */
  readonly class: object;
}

/** A reduction. */
export interface ReduceSlot extends Common {
  readonly kind: "reduce";
  readonly call: ReduceClass;
}

/** A scan. */
export interface ScanSlot extends Common {
  readonly kind: "scan";
  readonly operation: ScanDefinition;
}

/** An operation without parts. */
export interface OpaqueSlot extends Common {
  readonly kind: "opaque";
  /** The devices of its operands, and of the results for these; undefined if all are on {@link device}. */
  readonly devices: readonly Device[] | undefined;
  readonly operation: OpaqueDefinition | WriteDefinition;
}

/** An operation. */
export type Slot = MapSlot | ReduceSlot | ScanSlot | OpaqueSlot;

/** The device of an operand or of the result for it, by its number. */
export function deviceAt(slot: Slot, i: number): Device {
  return slot.kind === "opaque" && slot.devices !== undefined ? (slot.devices[i] as Device) : slot.device;
}
