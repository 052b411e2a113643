// The launches of a plan, with numbers for nodes and leaves.

import type { DType } from "../base/dtype.js";
import type { Device } from "../device/device.js";
import type { Functor } from "../functor/functor.js";
import type { LaunchSite, ReduceCall, RowCall } from "../launch/sink.js";
import type { Window } from "./window.js";

/** Results of one node that have numbers of their own. */
export const mostResults = 64;

/** A scalar of a node: an operand, or a captured parameter. */
export interface ScalarRef {
  readonly node: number;
  readonly at: number;
  readonly isParameter: boolean;
}

/** A window on a value: from 0 on a result, by its node and place; below 0 a leaf. */
export interface ReadRef {
  readonly ref: number;
  readonly window: Window;
}

export interface OutputRef {
  readonly ref: number;
  readonly window: Window;
  /** The number of the value that is replaced in part, and how many reads of it end with this plan. */
  readonly base: { readonly ref: number; readonly reads: number } | undefined;
}

/** A reduction without its operands. */
export type ReduceForm = Omit<ReduceCall, "input" | "prologue">;

/** A reduction of a plan. */
export interface ReduceLaunch {
  readonly call: ReduceForm;
  /** What is reduced: the operand in memory, or what the launch's functor makes of the operands. */
  readonly elements: Window;
}

/** One launch of a plan. */
export interface Launch {
  /** The numbers of the nodes that it computes. */
  readonly nodes: readonly number[];
  readonly operands: readonly (ReadRef | ScalarRef)[];
  readonly outputs: readonly OutputRef[];
  /** What a map runs, or a reduction before it joins elements; undefined for others and for a row kernel. */
  readonly functor: Functor | undefined;
  readonly reduction: ReduceLaunch | undefined;
  /** What a row kernel runs; its scalars are the parameters. */
  readonly rows: Pick<RowCall, "body" | "geometry"> | undefined;
  readonly device: Device;
  /** The dtype that was asked for where no operand has one. */
  readonly dtype: DType | undefined;
  readonly parameters: readonly (readonly [name: string, scalar: ScalarRef])[];
  readonly shape: readonly number[] | undefined;
  /** What repeated launches of a map share. */
  readonly site: LaunchSite | undefined;
  /** The launches that run as one, whose nodes, operands and outputs are listed here in turn; undefined for a single one. */
  readonly members?: readonly Launch[];
}
