// The launches of a plan; nodes and leaves are numbers.

import type { DType } from "../../base/dtype.js";
import type { ChoicePlace } from "../../cache/tuning.js";
import type { Device, RepeatedWork } from "../../device/device.js";
import type { Functor } from "../../functor/functor.js";
import { sameNumbers } from "../../geometry/layout.js";
import type { ProgramTiming } from "../../launch/program-timings.js";
import type { LaunchSite, OpaqueForm, RowCall, ScanForm } from "../../launch/sink.js";
import type { ReduceForm, Slot } from "../graph/slot.js";
import type { Window } from "../graph/window.js";

/** Results per node: a result's number is its node's times this, plus its index. */
export const mostResults = 64;

/** A scalar of a node: an operand, or a captured parameter. */
export interface ScalarRef {
  readonly node: number;
  readonly at: number;
  readonly isParameter: boolean;
}

/** A window on a value: from 0 on a result, by its node and index; below 0 a leaf. */
export interface ReadRef {
  readonly ref: number;
  readonly window: Window;
  /** True if the kernel gets the address, and reads an element for each of the window at a place that it computes. */
  readonly isSource?: boolean | undefined;
}

export interface OutputRef {
  readonly ref: number;
  readonly window: Window;
  /** The number of the partly replaced value, and how many reads of it end with this plan. */
  readonly base: { readonly ref: number; readonly reads: number } | undefined;
  /** The number of the leaf that it may be written over if no more than so many reads of it are pending. */
  over: { readonly ref: number; readonly reads: number } | undefined;
}

/** What a reduction or a scan reads, and the maps behind it. */
export interface WithMaps {
  /** The elements that it takes: an operand in memory, or results of the launch's functor. */
  readonly elements: Window;
  /** How many of the launch's operands it takes; the others are those of the maps behind it. */
  readonly reads: number;
  /** The maps behind it, the scalars of their functor, and for each of its results whether it is stored. */
  readonly after:
    | {
        readonly functor: Functor | undefined;
        readonly keeps: readonly boolean[];
        readonly parameters: Launch["parameters"];
      }
    | undefined;
}

/** A reduction of a plan. */
export interface ReduceLaunch extends WithMaps {
  readonly call: ReduceForm;
}

/** A scan of a plan. */
export interface ScanLaunch extends WithMaps {
  readonly form: ScanForm;
}

/** One launch of a plan. */
export interface Launch {
  /** The numbers of its nodes. */
  readonly nodes: readonly number[];
  readonly operands: readonly (ReadRef | ScalarRef)[];
  readonly outputs: readonly OutputRef[];
  /** The functor of a map, or of the maps before a reduction or a scan; undefined for others and for a row kernel. */
  readonly functor: Functor | undefined;
  readonly reduction: ReduceLaunch | undefined;
  readonly scan: ScanLaunch | undefined;
  /** An operation without parts. */
  readonly opaque: OpaqueForm | undefined;
  /** The body of a row kernel; its scalars are the parameters. */
  readonly rows: Pick<RowCall, "body" | "geometry"> | undefined;
  readonly device: Device;
  /** The requested dtype, if no operand has one. */
  readonly dtype: DType | undefined;
  readonly parameters: readonly (readonly [name: string, scalar: ScalarRef])[];
  readonly shape: readonly number[] | undefined;
  /** State that repeated launches of a map, or of merged ones, share. */
  readonly site: LaunchSite | undefined;
  /** True if maps read at places that they compute, so that the host tests whether these were inside. */
  readonly isChecked: boolean;
  /** The merged launches, whose nodes, operands and outputs are listed here in order; undefined for a single one. */
  readonly members: readonly Launch[] | undefined;
}

/** What few launches have. */
type Rare = "scan" | "opaque" | "members";

/**
 * A launch with these fields. V8 gives objects that are made with a spread many shapes, and every call reads the fields of all
 * launches.
 */
export function newLaunch(fields: Omit<Launch, Rare> & Partial<Pick<Launch, Rare>>): Launch {
  const { nodes, operands, outputs, functor, reduction, scan, opaque, rows, device } = fields;
  const { dtype, parameters, shape, site, isChecked, members } = fields;
  return {
    nodes,
    operands,
    outputs,
    functor,
    reduction,
    scan,
    opaque,
    rows,
    device,
    dtype,
    parameters,
    shape,
    site,
    isChecked,
    members,
  };
}

/** A value's bytes in scratch memory. */
export interface ScratchPart {
  readonly offset: number;
  readonly bytes: number;
}

/** The offsets of values in the allocation, by their numbers. */
export interface Scratch {
  readonly device: Device;
  readonly bytes: number;
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
  /** Where the choice is kept of how its launches are queued; undefined where nothing may be chosen. */
  choicePlace?: ChoicePlace | undefined;
  /** True once it was asked for; and what queues them as one, if that was chosen. */
  isChosen?: boolean;
  work?: RepeatedWork | undefined;
}

/** The shape of a call; undefined if operands of that shape imply it. */
export function shapeFor(
  domain: readonly number[],
  operands: readonly object[],
  outputs: readonly OutputRef[],
): readonly number[] | undefined {
  const windows = [...operands, ...outputs].flatMap((one) => ("window" in one ? [one.window as Window] : []));
  const alike = windows.every(({ shape, isContiguous }) => isContiguous && sameNumbers(shape, domain));
  return alike ? undefined : domain;
}
