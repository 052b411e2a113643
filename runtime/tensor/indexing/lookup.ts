// Reads by index tensors as maps, for compiled functions: the result's element is one of the source, at a place that the
// functor computes from the indexes. The maps before and after it share its kernel.
import type { Functor } from "../../functor/functor.js";
import type { View } from "../../geometry/view.js";
import type { MapCall, WalkCall } from "../../launch/calls.js";
import { dispatch } from "../../launch/map-launch.js";
import { runsAloneAs } from "../../launch/walk-launch.js";
import { placeFunctor } from "../place-functor.js";
import { emptyTensor, type Tensor } from "../tensor.js";
import { gatherCall } from "./gather-walk.js";
import { DeferredCheck, type Indexes, markOf } from "./index-check.js";

/** An index tensor, already broadcast to the result, and its dimension of the source. */
export interface Selection extends Indexes {
  readonly stride: number;
  /** The index in the form that the kernel reads. */
  readonly over: Tensor;
}

const functors = new Map<string, Functor>();

/** The functor of a function that reads by `count` index tensors; one object each, because it owns kernels. */
function lookupFunctor(name: string, count: number): Functor {
  const key = `${name} ${count}`;
  let functor = functors.get(key);
  if (functor === undefined) {
    functor = makeLookup(name, count);
    runsAloneAs(functor, alone);
    functors.set(key, functor);
  }
  return functor;
}

function makeLookup(name: string, count: number): Functor {
  const each = Array.from({ length: count }, (_, k) => k);
  const indexes = each.map((k) => `index${k}`);
  const numbers = ["wraps", ...each.flatMap((k) => [`extent${k}`, `stride${k}`])];
  return placeFunctor({
    name,
    entry: "op_lookup",
    marks: ["mark"],
    indexes,
    numbers,
    strides: each.map((k) => numbers.indexOf(`stride${k}`)),
    body: [
      "int64 at = 0;",
      "bool inside = true;",
      ...each.flatMap((k) => [
        `const int64 chosen${k} = index${k} + (wraps != 0 && index${k} < 0 ? extent${k} : 0);`,
        `inside = inside && uint64(chosen${k}) < uint64(extent${k});`,
        `at += chosen${k} * stride${k};`,
      ]),
      "if (inside) return cast<T>(source[at]);",
      "*const_cast<int32*>(mark) = 1;",
      "return T();",
    ],
  });
}

/** Without maps around it, the kernel of the separate call. */
function alone({ operands, options }: MapCall): WalkCall {
  const [source, mark, ...indexes] = operands as readonly View[] as [View, View, ...View[]];
  const numbers = options.scalars as readonly number[] as [number, ...number[]];
  return gatherCall(options.out[0] as View, mark, source, indexes, numbers);
}

/** Whether the indexes wrap, then the extent and stride of each indexed dimension. */
export function numbersOf(selections: readonly Selection[]): [number, ...number[]] {
  return [selections[0]?.wraps ? 1 : 0, ...selections.flatMap(({ extent, stride }) => [extent, stride])];
}

/** Reads `source`, a view of the result's shape with stride 0 along indexed dimensions, into `result`. */
export function lookUp(what: string, source: Tensor, result: Tensor, selections: readonly Selection[]): void {
  const { device } = source;
  const read = selections.map(({ over }) => over);
  const check = new DeferredCheck(what, device, selections);
  const functor = lookupFunctor(what, selections.length);
  const numbers = numbersOf(selections);
  const parameters = Object.fromEntries(
    functor.parameters.map(({ name }, i) => [name, numbers[i] as number]),
  );
  dispatch(functor, [source, markOf(device), ...read], emptyTensor, { out: [result], parameters, check });
}
