// Describes a call of a compiled function: its operations with their source positions, its kernels, and their traffic and
// memory compared with the separate calls.

import type { Addressed } from "../../functor/functor.js";
import { distinctElements } from "../../geometry/layout.js";
import type { ResultClass, Slot } from "../operations/slot.js";
import type { Window } from "../operations/window.js";
import { mostResults } from "./binding.js";
import type { Launch, Plan } from "./launches.js";
import { peakOf, type Turn } from "./peak.js";

/** One operation of a program. */
export interface ProgramOperation {
  readonly name: string;
  /** With dtypes and shapes: `add(float32[3,4], float32[4])`. */
  readonly text: string;
  /** Its source position, such as `train.ts:14:20`; empty if unknown. */
  readonly place: string;
  /** The indexes of its kernels: several if recomputing moves fewer bytes than reading. */
  readonly kernels: readonly number[];
  /** The indexes of the operations whose results it reads. */
  readonly reads: readonly number[];
  /** Dtype and shape of its first result, the bytes of all results, and whether one is stored. */
  readonly result: string;
  readonly bytes: number;
  readonly isStored: boolean;
  /** Why it shares a kernel with no other map; undefined where it may. */
  readonly unfusable?: string | undefined;
}

/** One kernel of a program: its name, and the bytes of its operands and results. */
export interface ProgramKernel {
  readonly name: string;
  readonly bytes: number;
}

/** Bytes of a program and of the separate calls. */
export interface ProgramBytes {
  readonly program: number;
  readonly separate: number;
}

/** A call of a compiled function. */
export interface Program {
  readonly name: string;
  readonly operations: readonly ProgramOperation[];
  readonly kernels: readonly ProgramKernel[];
  /** The bytes that the kernels read and write. */
  readonly traffic: ProgramBytes;
  /** The peak memory of results, if each is freed after its last use. */
  readonly peak: ProgramBytes;
  /** The reads of elements before its end: how many kernels ran before, and what was read. */
  readonly breaks: readonly { readonly kernel: number; readonly text: string }[];
}

/** A call's plans in order, and for all but the last the operation whose elements were read. */
export interface Ran {
  readonly plans: readonly Plan[];
  readonly breaks: readonly Slot[];
}

/** Describes a call. */
export function describeProgram(name: string, { plans, breaks: readAt }: Ran): Program {
  const slots = new Map(plans.flatMap(({ slots }) => [...slots]));
  const numbers = [...slots.keys()].sort((a, b) => a - b);
  const indexes = new Map(numbers.map((number, index) => [number, index]));
  const launches = plans.flatMap((plan) => plan.launches);
  const kernelsOf = new Map<number, number[]>(numbers.map((number) => [number, []]));
  launches.forEach(({ nodes }, kernel) => {
    for (const number of nodes) kernelsOf.get(number)?.push(kernel);
  });
  const stored = new Set(launches.flatMap(({ outputs }) => outputs.map(({ ref }) => ref)));
  const operations = numbers.map((number): ProgramOperation => {
    const slot = slots.get(number) as Slot;
    const { results } = slot;
    const sources = sourcesOf(slot).filter((ref) => ref >= 0);
    const reads = sources.map((ref) => indexes.get(Math.floor(ref / mostResults)) ?? -1);
    return {
      name: slot.name,
      text: describe(slot, String),
      place: slot.place,
      kernels: kernelsOf.get(number) ?? [],
      reads: [...new Set(reads)].filter((index) => index >= 0),
      result: textOf((results[0] as ResultClass).window, String),
      bytes: results.reduce((sum, { window }) => sum + bytesOf(window), 0),
      isStored: results.some((_, i) => stored.has(number * mostResults + i)),
      unfusable: slot.kind === "map" ? slot.functor.unfusable : undefined,
    };
  });
  const kernels = launches.map((launch) => ({ name: launch.how.name, bytes: launchBytes(launch) }));
  let began = 0;
  const breaks = readAt.map((slot, i) => {
    began += plans[i]?.launches.length ?? 0;
    return { kernel: began, text: placed(slot) };
  });
  return {
    name,
    operations,
    kernels,
    traffic: {
      program: total(kernels),
      separate: numbers.reduce((sum, at) => sum + slotBytes(slots.get(at)), 0),
    },
    peak: {
      program: peakBytes(plans),
      separate: peakOf(
        numbers.map((number) => turnOfCall(number, slots.get(number) as Slot)),
        new Set(plans.flatMap((plan) => plan.wanted)),
      ),
    },
    breaks,
  };
}

/** The peak memory of the plans' results, if each is freed after its last use. */
export function peakBytes(plans: readonly Plan[]): number {
  const slots = new Map(plans.flatMap(({ slots }) => [...slots]));
  const turns = plans.flatMap(({ launches }) => launches.map((launch) => turnOf(launch, slots)));
  return peakOf(turns, new Set(plans.flatMap((plan) => plan.wanted)));
}

/** An operation and where it was called. */
export function placed({ name, place }: Slot): string {
  return place === "" ? name : `${name} of ${place}`;
}

/** An operation in words: `add(float32[n,m], float32[m])`; `extent` names a size. */
export function describe(slot: Slot, extent: (size: number) => string): string {
  const { name, operands, results } = slot;
  const addressed = addressedIn(slot);
  const inputs = operands.flatMap(({ window, passed }, i) => {
    if (!window) return [`${passed?.name ?? "scalar"}`];
    if (addressed?.flags.includes(i)) return [];
    // Its window has the shape of the result.
    return [addressed?.sources.includes(i) ? `${window.dtype.name}[...]` : textOf(window, extent)];
  });
  // The result of a read by index tensors is written into new memory.
  const into = results
    .filter(({ before }) => before !== undefined && addressed === undefined)
    .map(({ window }) => textOf(window, extent));
  return `${name}(${inputs.join(", ")})${into.length > 0 ? ` into ${into.join(", ")}` : ""}`;
}

/** Dtype and shape: `float32[n,m]`. */
export function textOf({ dtype, shape }: Window, extent: (size: number) => string): string {
  return `${dtype.name}[${shape.map(extent).join(",")}]`;
}

/** The operands of which an operation gets the address. */
export function addressedIn(slot: Slot): Addressed | undefined {
  return slot.kind === "map" ? slot.functor.addressed : undefined;
}

/** The numbers of the values that an operation needs. */
function sourcesOf({ operands, results }: Slot): number[] {
  return [...operands.map(({ ref }) => ref), ...results.map(({ before }) => before)].filter(
    (ref) => ref !== undefined,
  );
}

function bytesOf({ dtype, shape, strides }: Window): number {
  return distinctElements(shape, strides) * dtype.bytes;
}

function total(kernels: readonly ProgramKernel[]): number {
  return kernels.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The bytes that are read through a window; at computed places one element for each of its own. */
function readBytes(window: Window, isSource: boolean | undefined): number {
  return isSource ? window.size * window.dtype.bytes : bytesOf(window);
}

function launchBytes({ operands, outputs }: Launch): number {
  const read = operands.reduce(
    (sum, one) => sum + ("window" in one ? readBytes(one.window, one.isSource) : 0),
    0,
  );
  return outputs.reduce((sum, { window }) => sum + bytesOf(window), read);
}

function slotBytes(slot: Slot | undefined): number {
  if (slot === undefined) return 0;
  const sources = addressedIn(slot)?.sources ?? [];
  const read = slot.operands.reduce(
    (sum, { window }, i) => sum + (window ? readBytes(window, sources.includes(i)) : 0),
    0,
  );
  return slot.results.reduce((sum, { window }) => sum + bytesOf(window), read);
}

/** The memory use of a launch: a value that is replaced as a whole gets fresh memory. */
function turnOf({ operands, outputs }: Launch, slots: ReadonlyMap<number, Slot>): Turn {
  const resultAt = (ref: number) => slots.get(Math.floor(ref / mostResults))?.results[ref % mostResults];
  return {
    makes: outputs.map(({ ref, base }) => {
      const { bytes, before } = resultAt(ref) as ResultClass;
      return { ref, bytes, into: base?.ref, replaces: before };
    }),
    uses: operands.flatMap((one) => ("ref" in one ? [one.ref] : [])),
  };
}

/** The memory use of the separate call: a write stays in its memory. */
function turnOfCall(number: number, { operands, results }: Slot): Turn {
  return {
    makes: results.map(({ bytes, before }, i) => ({ ref: number * mostResults + i, bytes, into: before })),
    uses: operands.flatMap(({ ref }) => ref ?? []),
  };
}
