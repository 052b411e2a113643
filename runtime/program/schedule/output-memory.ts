// The memory of a launch's outputs: fresh, or that of the values which they replace.

import { allocate } from "../../device/memory.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Value } from "../operations/ir.js";
import { type Binding, type OutputRef, valueAt } from "./binding.js";
import type { Launch } from "./launches.js";

/** The results of a launch in one call, in the order of its outputs. */
export interface Results {
  readonly values: readonly Value[];
  /** The earlier values without later readers whose memory the results take; undefined if none do. */
  readonly over: readonly (Value | undefined)[] | undefined;
}

/** The results of a launch, before any launch of its plan has run. */
export function resultsOf({ outputs, isChecked }: Launch, binding: Binding): Results {
  const values = new Array<Value>(outputs.length);
  let over: (Value | undefined)[] | undefined;
  for (let i = 0; i < values.length; i++) {
    const { ref, base, over: leaf } = outputs[i] as OutputRef;
    values[i] = valueAt(binding, ref);
    const before = base ?? leaf;
    // Where a launch may fail after it ran, what it replaces is still needed.
    if (before === undefined || isChecked) continue;
    const earlier = valueAt(binding, before.ref);
    if (earlier.home !== undefined || earlier.readers !== before.reads) continue;
    over ??= new Array(outputs.length);
    over[i] = earlier;
  }
  return { values, over };
}

// Small outputs of one launch share a block: tracking each block costs half a microsecond.
const mostShared = 2 ** 14;
const alignment = 256;

/** The memory of a launch's outputs. */
export function memoryOf(
  { outputs, device }: Launch,
  binding: Binding,
  { values, over }: Results,
): readonly PooledStorage[] {
  const memory = new Array<PooledStorage | undefined>(outputs.length);
  let shared: number | undefined;
  for (let i = 0; i < memory.length; i++) {
    memory[i] = earlierMemory(outputs[i] as OutputRef, binding, over?.[i]);
    if (memory[i]) continue;
    const { bytes, device: own } = values[i] as Value;
    if (bytes > mostShared || outputs.length === 1 || own !== device) memory[i] = allocate(own, bytes);
    else shared = (shared ?? 0) + aligned(bytes);
  }
  if (shared !== undefined) share(memory, allocate(device, shared), values);
  return memory as PooledStorage[];
}

/** Outputs over earlier elements count as written, so that nothing launches them twice. */
export function noteWritten({ values, over }: Results, memory: readonly PooledStorage[]): void {
  if (over === undefined) return;
  for (let i = 0; i < values.length; i++) if (over[i]) (values[i] as Value).written = memory[i];
}

/** After a failed launch no output is written. */
export function unwritten({ values }: Results): void {
  for (const value of values) value.written = undefined;
}

/** Gives every output without memory a part of a block, which they own together. */
function share(memory: (PooledStorage | undefined)[], whole: PooledStorage, values: readonly Value[]): void {
  let at = 0;
  for (let i = 0; i < memory.length; i++) {
    if (memory[i]) continue;
    const { bytes } = values[i] as Value;
    memory[i] = whole.share(at, bytes);
    at += aligned(bytes);
  }
  whole.dispose();
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

/** The memory of an output if it is not fresh: planned, or that of the value it replaces; for a partial write else a copy of it. */
function earlierMemory(
  { ref, base }: OutputRef,
  binding: Binding,
  over: Value | undefined,
): PooledStorage | undefined {
  const own = binding.scratch?.get(ref) ?? binding.given?.get(ref);
  if (own) return own;
  if (over) return over.memory();
  if (base === undefined) return undefined;
  const memory = valueAt(binding, base.ref).memory();
  const { device, bytes } = memory;
  const copy = allocate(device, bytes);
  device.copy(copy.pointer, memory.pointer, bytes);
  return copy;
}
