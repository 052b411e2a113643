// The option verify: each deferred operation also runs at once, as its separate call, on memory of its own; what a plan stores
// is compared with it, bit by bit. Nothing here shares code with plans, except the windows that a path resolves.

import { env } from "../../base/env.js";
import { JitlabError, show } from "../../base/errors.js";
import { allocate } from "../../device/memory.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Storage } from "../../device/storage.js";
import type { Operand } from "../../functor/operand.js";
import type { View } from "../../geometry/view.js";
import type { MakeOutput } from "../../launch/calls.js";
import { computing } from "../../launch/graph.js";
import { dispatch } from "../../launch/map-launch.js";
import { dispatchReduction } from "../../launch/reduce-launch.js";
import { runWalk, walkOf } from "../../launch/walk-launch.js";
import {
  isMap,
  isOpaque,
  isReduction,
  type MapNode,
  type Node,
  type Value,
  windowOf,
} from "../operations/ir.js";
import { deviceAt, type ResultClass, type Slot } from "../operations/slot.js";
import { sameWindow, viewOn, type Window, windowAt } from "../operations/window.js";
import { type Binding, numberOf, valueAt } from "../schedule/binding.js";
import type { Plan } from "../schedule/launches.js";
import { layoutError, refusalError, valueError } from "./differing.js";
import type { MapClass } from "./map-classes.js";

let isOn: boolean | undefined;

/** True if calls of all compiled functions are verified: by `JITLAB_VERIFY=1`, or since {@link setVerify}. */
export function verifiesAll(): boolean {
  isOn ??= env("verify");
  return isOn;
}

/**
 * Verifies the calls of all compiled functions from now on, or no longer: each operation also runs by itself, and a result
 * with other bits is the error `not-equal`. Returns the earlier setting.
 *
 * @example (jl.setVerify(true), jl.compile((x) => x.mul(2))(jl.ones([2])), jl.setVerify(false)) // true
 */
export function setVerify(on: boolean): boolean {
  if (typeof on !== "boolean")
    throw new JitlabError("bad-argument", `setVerify: the setting is ${show(on)}.`, "It is true or false.");
  const before = verifiesAll();
  isOn = on;
  return before;
}

/** The elements that a separate call makes; the error that it throws; or undefined where an operand's are not known. */
type Separate = PooledStorage | Error | undefined;

const separate = new WeakMap<Value, Separate>();

let isUsed = false;

/** Gets an operation and the memory of its results; none if its separate call has none. */
export type SeenOperation = (slot: Slot, made: readonly PooledStorage[]) => void;

/** Runs a node that a tape adds as its separate call, before a storage shows its results. */
export function runSeparately(node: Node, seen?: SeenOperation): void {
  isUsed = true;
  computing(() => {
    const made = resultsOf(node);
    node.made.forEach((value, i) => {
      separate.set(value, Array.isArray(made) ? made[i] : made);
    });
    seen?.(node.slot, Array.isArray(made) ? made : []);
  });
}

/** Compares what a plan has stored with the separate calls; throws `not-equal` for the first operation that differs. */
export function verify({ launches }: Plan, binding: Binding, name: string): void {
  if (!isUsed) return;
  const refs = launches.flatMap(({ outputs }) => outputs.map(({ ref }) => ref)).sort((a, b) => a - b);
  for (const ref of refs) {
    const value = valueAt(binding, ref);
    const wanted = separate.get(value);
    const { holder } = value;
    if (wanted === undefined || holder === undefined) continue;
    separate.delete(value); // in memory from now on
    const { slot, made } = binding.nodes[numberOf(ref)] as Node;
    if (wanted instanceof Error) throw refusalError(name, slot, wanted);
    const { window } = slot.results[made.indexOf(value)] as ResultClass;
    const error = valueError(name, slot, window, value.memory(), wanted);
    wanted.dispose();
    if (error) throw error;
  }
}

function resultsOf(node: Node): readonly PooledStorage[] | Error | undefined {
  const inputs: Operand[] = [];
  for (const [i, value] of node.values.entries()) {
    const memory = value && elementsOf(value);
    if (value && memory === undefined) return undefined;
    const scalar = isMap(node) ? (node.operands[i] as Operand) : 0;
    inputs.push(memory ? viewOn(memory, windowOf(node, i) as Window) : scalar);
  }
  if (node.bases.some((base) => base && elementsOf(base) === undefined)) return undefined;
  try {
    return run(node, inputs);
  } catch (error) {
    return error as Error;
  }
}

/** The elements of an operand: of its separate call, or in memory; undefined if these are not known. */
function elementsOf(value: Value): Storage | undefined {
  if (separate.has(value)) {
    const known = separate.get(value);
    return known instanceof Error ? undefined : known;
  }
  // What another function has deferred without a separate call.
  if (value.holder === undefined) void value.home?.pointer;
  return value.holder;
}

function run(node: Node, inputs: readonly Operand[]): readonly PooledStorage[] {
  if (isReduction(node)) {
    const { reduction, plan, gone, shape } = node.slot.call;
    return freshOf(node, [
      dispatchReduction({ reduction, plan, gone, shape, input: inputs[0] as View }, makeView),
    ]);
  }
  const isInto = node.slot.results.some(({ before }) => before !== undefined);
  if (isMap(node) && !isInto && node.check === undefined) return freshOf(node, called(node, inputs));
  const memory = node.slot.results.map(({ bytes }, i) => {
    const device = deviceAt(node.slot, i);
    const own = allocate(device, bytes);
    const base = node.bases[i] && elementsOf(node.bases[i]);
    if (base) device.copy(own.pointer, base.pointer, bytes);
    return own;
  });
  const out = memory.map((own, i) => viewOn(own, (node.slot.results[i] as ResultClass).window));
  if (isMap(node)) called(node, inputs, out);
  else node.slot.operation.run(inputs as readonly View[], out, isOpaque(node) ? node.parameters : []);
  return memory;
}

/** A map, as a call of its own. */
function called(node: MapNode, operands: readonly Operand[], out?: readonly View[]): readonly View[] {
  const { slot, parameters, check } = node;
  const { functor } = slot;
  const options = { ...(slot.class as MapClass).options, out, scalars: parameters };
  const walk = out && walkOf({ functor, operands, options: { ...options, out } });
  if (walk === undefined) return dispatch(functor, operands, makeView, options);
  runWalk(walk);
  if (check?.flag.isMarked()) throw check.unknown();
  return out as readonly View[];
}

const makeView: MakeOutput<View> = (shape, strides, dtype, device) => {
  const window = windowAt(dtype, 0, shape, strides);
  return viewOn(allocate(device, window.size * dtype.bytes), window);
};

/** The memory of fresh results; throws if a compiled function would lay them out differently. */
function freshOf({ slot }: Node, made: readonly View[]): readonly PooledStorage[] {
  return made.map((view, i) => {
    const { window } = slot.results[i] as ResultClass;
    const own = windowAt(view.dtype, 0, view.shape, view.strides);
    if (own.dtype !== window.dtype || !sameWindow(own, window)) throw layoutError(window, own);
    return view.storage as PooledStorage;
  });
}
