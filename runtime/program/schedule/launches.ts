// The launches of a plan. All kinds have one record; what differs between them is how they compute, in kinds/.

import type { Device } from "../../device/device.js";
import type { View } from "../../geometry/view.js";
import type { ProgramTiming } from "../../launch/program-timings.js";
import type { Slot } from "../operations/slot.js";
import type { Binding, OutputRef, ReadRef, ScalarRef } from "./binding.js";

/** One launch of a plan. */
export interface Launch {
  /** The numbers of its nodes. */
  readonly nodes: readonly number[];
  readonly operands: readonly (ReadRef | ScalarRef)[];
  readonly outputs: readonly OutputRef[];
  readonly device: Device;
  /** True if maps read at places that they compute, so that the host tests whether these were inside. */
  readonly isChecked: boolean;
  readonly how: How;
}

/** How a launch sees the values that it reads, and its outputs. */
export interface Views {
  readonly read: (one: ReadRef) => View;
  readonly output: (one: OutputRef, i: number) => View;
}

/** How a kind of launch computes. */
export interface How {
  /** The name of its kernel. */
  readonly name: string;
  /** Runs a launch, or gives its kernels to the open sink. */
  readonly run: (launch: Launch, binding: Binding, views: Views) => void;
  /** Called with the operation of one that may refuse elements: after it has run, or failed. */
  readonly ended?: (launch: Launch, binding: Binding, hasFailed: boolean) => void;
  /** True if it may launch several kernels. */
  readonly isSeveral?: boolean;
  /** True if it needs memory besides its operands, or tensors of these. */
  readonly takesMemory?: boolean;
  readonly takesTensors?: boolean;
  /** The first operand from which on it reads elements only where it writes, each before that one is written; undefined for none. */
  readonly inPlaceFrom?: number | undefined;
  /** Equal for launches that may be merged; undefined for one that may not. `slotOf` returns the slot of a node. */
  readonly mergeKey?: (launch: Launch, slotOf: (number: number) => Slot) => string | undefined;
  /** The merged launches, whose nodes, operands and outputs are listed in order; undefined for a single one. */
  readonly members?: readonly Launch[];
}

/** A value's bytes in scratch memory. */
export interface ScratchPart {
  /** The number of the allocation. */
  readonly block: number;
  readonly offset: number;
  readonly bytes: number;
}

/** The offsets of values in the allocations, by their numbers. */
export interface Scratch {
  /** One for each device. */
  readonly blocks: readonly { readonly device: Device; readonly bytes: number }[];
  readonly parts: ReadonlyMap<number, ScratchPart>;
}

/** The launches that compute some values. */
export interface Plan {
  readonly launches: readonly Launch[];
  /** The operations by the numbers of their nodes, and the numbers of the values, for reports. */
  readonly slots: ReadonlyMap<number, Slot>;
  readonly wanted: readonly number[];
  /** The scratch memory of its kernels; undefined if they need none, or if more operations may follow. */
  readonly scratch: Scratch | undefined;
  /** The donated leaf whose memory each result takes, by their numbers; undefined before the first call with such leaves. */
  taken?: ReadonlyMap<number, number>;
  /** Its cost; undefined for a plan that runs once. */
  timing?: ProgramTiming;
}
