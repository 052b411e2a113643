// The maps before an operation that is not deferred: its kernel may compute what it reads instead of reading it.

import { PooledStorage } from "../device/pooled-storage.js";
import type { Functor } from "../functor/functor.js";
import { sameNumbers } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { Prologue } from "../launch/sink.js";
import { isComposable } from "./composer.js";
import { isMap, type Node, type Value, valueIn } from "./ir.js";
import type { Launch, ReadRef } from "./launches.js";
import { isElementwise, isLong, isLookup, isPositioned, isRepeatable, readsOf } from "./node-operands.js";
import { valueAt } from "./output-memory.js";
import { type Binding, composeMaps } from "./plan.js";
import type { Programs } from "./programs.js";
import { parametersAt, viewOn } from "./run.js";
import type { Slot } from "./slot.js";
import { windowOn } from "./window.js";

/** The maps that compute a value: their functor and its arguments, and the numbers of their nodes. */
interface Maps {
  readonly functor: Functor;
  readonly inputs: readonly ReadRef[];
  readonly parameters: Launch["parameters"];
  readonly places: readonly number[];
  /** True if computing an element twice costs little beside reading it. */
  readonly isCheap: boolean;
}

const known = new WeakMap<Slot, Maps | "none">();

/** A tape: its nodes and leaves, and its function. */
type Taped = Binding & { readonly programs: Programs };

/**
 * The maps that compute a pending view, of a part of a tape; undefined if it has to be in memory. `isRepeated` says that the
 * kernel computes each element more than once.
 */
export function mapsOf(view: View, tape: Taped, part: object, isRepeated: boolean): Prologue | undefined {
  const { storage } = view;
  if (!(storage instanceof PooledStorage) || !storage.pending) return undefined;
  const value = valueIn(storage);
  const { node } = value;
  if (value.tape !== part || value.ref < 0 || !value.deferred || node === undefined) return undefined;
  if (!value.isWhole(windowOn(view))) return undefined;
  // A slot is one place of a path: the operations before it are the same in every call.
  const maps = known.get(node.slot) ?? find(value, node, tape);
  known.set(node.slot, maps);
  if (maps === "none" || (isRepeated && !maps.isCheap)) return undefined;
  if (!maps.places.every((place) => tape.nodes[place]?.made[0]?.deferred)) return undefined;
  if (maps.inputs.some(({ ref }) => valueAt(tape, ref).deferred)) return undefined;
  tape.programs.refuseBreak(node.slot);
  tape.programs.broken(node.slot);
  return {
    functor: maps.functor,
    inputs: maps.inputs.map((read) => viewOn(valueAt(tape, read.ref).memory(), read.window)),
    parameters: parametersAt(maps.parameters, tape),
  };
}

function find(value: Value, { slot }: Node, tape: Taped): Maps | "none" {
  const composed = composeMaps(value, tape.programs, tape, (nodes) => canShare(nodes, value));
  if (composed === undefined || slot.results.length > 1) return "none";
  const { functor, inputs, parameters, maps } = composed;
  if (functor.fma || functor.composed?.length) return "none";
  const places = maps.map(({ place }) => place);
  return { functor, inputs, parameters, places, isCheap: isRepeatable(maps) };
}

/** True for maps over one shape that read each other's results element by element. */
function canShare(nodes: readonly Node[], { shape }: Value): boolean {
  const made = new Set(nodes.flatMap((node) => node.made));
  return nodes.every(
    (node) =>
      isMap(node) &&
      isComposable(node.slot.functor) &&
      !isLong(node) &&
      !isLookup(node) &&
      !isPositioned(node) &&
      node.bases.every((base) => base === undefined) &&
      sameNumbers(node.slot.domain, shape ?? []) &&
      readsOf(node).every((read) => !made.has(read.value) || isElementwise(read, node.slot.domain)),
  );
}
