// Runs reductions. A call launches one kernel, or a few in sequence (reduce-passes.ts decides how many). Each pass finds its
// kernel by a number, writes the argument block and launches.

import { dtypes } from "../base/dtype.js";
import type { ReduceEpilogue } from "../codegen/reductions/reduce-epilogue.js";
import { passName, renderReduction } from "../codegen/reductions/reduce-kernel.js";
import {
  type Pass,
  passesOf,
  type ReduceGeometry,
  reduceGeometry,
} from "../codegen/reductions/reduce-passes.js";
import {
  keptWords,
  type ReduceSpec,
  reduceArguments,
  reduceKey,
  reduceVariant,
  resultTypes,
} from "../codegen/reductions/reduce-spec.js";
import type { Target } from "../device/device.js";
import type { Dialect } from "../device/dialect.js";
import { type Functor, isAddressed, joinedTexts, userTexts } from "../functor/functor.js";
import { broadcastStrides, contiguousStrides } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import type { Words } from "./argument-writers.js";
import type { Epilogue, MakeOutput, ReduceCall } from "./calls.js";
import { type Arguments, launch } from "./launcher.js";
import type { LoadRequest } from "./load-request.js";
import { ReduceOperation } from "./operation.js";
import { atOnce, openSink } from "./sink.js";

/** The request of a pass: its rendered kernel for a target, and how its launches divide elements. */
export function requestOfPass(spec: ReduceSpec, target: Target): LoadRequest {
  const { prologue, epilogue, plan, input } = spec;
  const functors = [prologue, epilogue?.functor].filter((one) => one !== undefined);
  const read = prologue?.inputs.map((type) => (type === "T" ? input : type)) ?? [input];
  return {
    ...renderReduction(spec),
    argumentBytes: reduceArguments(spec).bytes,
    op: passName(spec),
    variant: reduceVariant(spec),
    dtypes: [...resultTypes(plan), ...read].map(({ name }) => name),
    target,
    fma: functors.length > 0 && functors.every(({ fma }) => fma),
    places: prologue?.places,
    placesAfter: epilogue?.functor?.places,
    userText: joinedTexts(functors.flatMap((one) => userTexts(one, input))),
  };
}

/** The geometry of a reduction and its passes; no passes if it has no results. */
export function passesOfCall(
  call: ReduceCall,
  dialect: Dialect,
): { readonly geometry: ReduceGeometry; readonly passes: readonly Pass[] } {
  const { reduction, plan, input, gone, prologue, epilogue } = call;
  const operands = prologue?.inputs.map(({ shape, strides }) =>
    broadcastStrides(shape, strides, input.shape),
  );
  const geometry = reduceGeometry(input, gone, reduction.ordered, operands);
  if (geometry.results === 0) return { geometry, passes: [] };
  const task = {
    reduction,
    plan,
    prologue: prologue?.functor,
    epilogue: epilogue && epilogueOf(epilogue),
    input: input.dtype,
  };
  const sources = sourcesOf(call).map(({ pointer, dtype: { bytes } }, i) => ({
    pointer,
    bytes,
    isAddressed: prologue !== undefined && isAddressed(prologue.functor, i),
  }));
  return { geometry, passes: passesOf(task, geometry, sources, dialect) };
}

function epilogueOf({ functor, inputs, keeps, outputs }: Epilogue): ReduceEpilogue {
  const [{ size }] = outputs as readonly [View];
  const single = inputs.map((input) => input.size < size);
  return { functor, single, keeps };
}

/** The operands in memory. */
function sourcesOf({ input, prologue }: ReduceCall): readonly View[] {
  return prologue?.inputs ?? [input];
}

/** Runs a reduction and returns its result, a fresh contiguous output, or the first output of its epilogue. */
export function dispatchReduction<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V {
  const sink = openSink();
  if (sink !== undefined) {
    const taken = sink.take(new ReduceOperation(call), makeOutput);
    return taken ? (taken[0] as V) : atOnce(dispatchReduction<V>, call, makeOutput);
  }
  const { plan, input, shape, epilogue } = call;
  const { device } = input;
  const results = epilogue?.outputs ?? [makeOutput(shape, contiguousStrides(shape), plan.result, device)];
  const { geometry, passes } = passesOfCall(call, device.target.dialect);
  let sources = sourcesOf(call);
  for (const pass of passes) {
    const bytes = geometry.results * pass.parts * plan.accumulatorBytes;
    const targets = pass.spec.last ? results : [makeOutput([bytes], [1], dtypes.uint8, device)];
    launchPass(call, pass, sources, targets, geometry.length);
    // Later work in the queue may reuse the memory of the parts; a graph keeps it.
    if (!pass.spec.first) sources[0]?.storage?.dispose();
    sources = targets;
  }
  return results[0] as V;
}

/** Queues one pass from `sources` to `outputs`. */
function launchPass(
  { reduction, prologue, epilogue, input: { device } }: ReduceCall,
  pass: Pass,
  sources: readonly View[],
  outputs: readonly View[],
  total: number,
): void {
  const { spec } = pass;
  const owner = spec.epilogue?.functor ?? spec.prologue ?? reduction;
  const after = (spec.epilogue && epilogue?.inputs) ?? none;
  const hasMaps = spec.prologue !== undefined || spec.epilogue !== undefined;
  const given: Arguments = {
    what: hasMaps ? passName(spec) : spec.name,
    operands: [...sources, ...outputs, ...after],
    scalars: hasMaps
      ? [
          ...scalarsOf(spec.prologue, prologue?.parameters),
          ...scalarsOf(spec.epilogue?.functor, epilogue?.parameters),
        ]
      : none,
    geometry: (words) => writeGeometry(words, pass, total),
  };
  launch({
    owner,
    key: reduceKey(spec, device.id),
    device,
    render: () => ({ request: requestOfPass(spec, device.target), layout: reduceArguments(spec) }),
    elements: pass.work,
    given,
    written: outputs,
    read: after.length > 0 ? [...sources, ...after] : sources,
  });
}

/** The parameters of a functor in a call, in their order. */
function scalarsOf(
  functor: Functor | undefined,
  values: Readonly<Record<string, Scalar>> | undefined,
): readonly Scalar[] {
  if (functor === undefined) return none;
  return functor.parameters.map(({ name, value }) => values?.[name] ?? value);
}

/** Writes the counts in the order of `reduceCounts`, and the dimensions. */
function writeGeometry(words: Words, pass: Pass, total: number): void {
  const { kept, reduced, results, length } = pass.geometry;
  words.put(results);
  words.put(length);
  words.put(pass.part);
  words.put(pass.parts);
  words.put(pass.group);
  words.put(total);
  words.put(pass.partStep);
  words.put(kept.length);
  words.put(reduced.length);
  for (const dim of kept) {
    words.put(dim.size);
    for (const step of dim.in) words.put(step);
    words.put(dim.out);
  }
  words.moveTo(keptWords(pass.spec.sources.length));
  for (const dim of reduced) {
    words.put(dim.size);
    for (const step of dim.in) words.put(step);
  }
}

const none: readonly never[] = [];
