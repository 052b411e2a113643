// The memory of a launch's outputs: fresh, or that of the values which they replace.

import { allocate } from "../device/memory.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { Value } from "./ir.js";
import { type Launch, mostResults, type OutputRef } from "./launches.js";
import type { Binding } from "./plan.js";

/** No values. */
export const noValues: ReadonlySet<Value> = new Set();

/** The value with a plan's number. */
export function valueAt({ nodes, leaves }: Binding, ref: number): Value {
  if (ref < 0) return leaves[-ref - 1] as Value;
  return nodes[placeOf(ref)]?.made[ref % mostResults] as Value;
}

/** The number of the node that makes a value. */
export function placeOf(ref: number): number {
  return Math.floor(ref / mostResults);
}

/** The value in whose memory an output may be written. */
export function earlierOf({ base, over }: OutputRef): OutputRef["base"] {
  return base ?? over;
}

/** Replaced values without later readers: their memory may be overwritten. */
export function overwritable(launches: readonly Launch[], binding: Binding): ReadonlySet<Value> {
  let found: Set<Value> | undefined;
  for (const { outputs } of launches) {
    for (let i = 0; i < outputs.length; i++) {
      const before = earlierOf(outputs[i] as OutputRef);
      if (before === undefined) continue;
      const value = valueAt(binding, before.ref);
      if (value.home !== undefined || value.readers !== before.reads) continue;
      found ??= new Set();
      found.add(value);
    }
  }
  return found ?? noValues;
}

// Small outputs of one launch share a block: tracking each block costs half a microsecond.
const mostTogether = 2 ** 14;
const alignment = 256;

/** The memory of a launch's outputs. */
export function memoryOf(
  { outputs, device }: Launch,
  binding: Binding,
  overwritten: ReadonlySet<Value>,
): readonly PooledStorage[] {
  const memory = new Array<PooledStorage | undefined>(outputs.length);
  let together: number | undefined;
  for (let i = 0; i < memory.length; i++) {
    const output = outputs[i] as OutputRef;
    memory[i] = earlierMemory(output, binding, overwritten);
    if (memory[i]) continue;
    const { bytes } = valueAt(binding, output.ref);
    if (bytes > mostTogether || outputs.length === 1) memory[i] = allocate(device, bytes);
    else together = (together ?? 0) + aligned(bytes);
  }
  if (together !== undefined)
    share(memory, allocate(device, together), (i) => valueAt(binding, outputs[i]?.ref as number).bytes);
  return memory as PooledStorage[];
}

/** Outputs over earlier elements count as written, so that nothing launches them twice. */
export function noteWritten(
  { outputs }: Launch,
  binding: Binding,
  overwritten: ReadonlySet<Value>,
  memory: readonly PooledStorage[],
): void {
  if (overwritten.size === 0) return;
  for (let i = 0; i < outputs.length; i++) {
    const output = outputs[i] as OutputRef;
    const before = earlierOf(output);
    if (before === undefined || !overwritten.has(valueAt(binding, before.ref))) continue;
    valueAt(binding, output.ref).written = memory[i];
  }
}

/** After a failed launch no output is written. */
export function unwritten({ outputs }: Launch, binding: Binding): void {
  for (const { ref } of outputs) valueAt(binding, ref).written = undefined;
}

/** Gives every output without memory a part of a block, which they own together. */
function share(
  memory: (PooledStorage | undefined)[],
  whole: PooledStorage,
  bytesOf: (i: number) => number,
): void {
  let at = 0;
  for (let i = 0; i < memory.length; i++) {
    if (memory[i]) continue;
    const bytes = bytesOf(i);
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
  output: OutputRef,
  binding: Binding,
  overwritten: ReadonlySet<Value>,
): PooledStorage | undefined {
  const { ref, base } = output;
  const own = binding.scratch?.get(ref) ?? binding.given?.get(ref);
  if (own) return own;
  const before = earlierOf(output);
  const whole = before && valueAt(binding, before.ref);
  if (whole && overwritten.has(whole)) return whole.memory();
  if (base === undefined) return undefined;
  const memory = (whole as Value).memory();
  const { device, bytes } = memory;
  const copy = allocate(device, bytes);
  device.copy(copy.pointer, memory.pointer, bytes);
  return copy;
}
