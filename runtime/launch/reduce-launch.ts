// Runs reductions. A call launches one kernel, or a few in sequence (reduce-passes.ts decides how many). Each pass finds its
// kernel by a number, writes the argument block and launches.

import { dtypes } from "../base/dtype.js";
import type { ReduceEpilogue } from "../codegen/reduce-epilogue.js";
import { passName, renderReduction } from "../codegen/reduce-kernel.js";
import { type Pass, passesOf, type ReduceGeometry, reduceGeometry } from "../codegen/reduce-passes.js";
import {
  type ReduceArguments,
  type ReduceSpec,
  reduceArguments,
  reduceCounts,
  reduceKey,
  reduceVariant,
  resultTypes,
} from "../codegen/reduce-spec.js";
import type { ArgumentBlock, Device, Target } from "../device/device.js";
import type { Dialect } from "../device/dialect.js";
import { isAddressed, joinedTexts, userTexts } from "../functor/functor.js";
import { broadcastStrides, contiguousStrides, maxDims } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import { writeScalar } from "./argument-writers.js";
import { KernelTables } from "./kernel-tables.js";
import type { LoadRequest } from "./load-request.js";
import { type LoadedKernel, loadKernel } from "./loaded-kernel.js";
import { type Epilogue, type MakeOutput, openSink, type ReduceCall } from "./sink.js";

const kernels = new KernelTables<ReduceKernel>();

/** A loaded kernel of one pass. */
interface ReduceKernel {
  readonly kernel: LoadedKernel;
  readonly layout: ReduceArguments;
}

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
  if (sink !== undefined) return sink.reduce(call, makeOutput);
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
  const table = kernels.of(spec.epilogue?.functor ?? spec.prologue ?? reduction);
  const key = reduceKey(spec, device.id);
  const { kernel, layout } = table.find(key) ?? table.add(key, () => load(spec, device));
  const after = (spec.epilogue && epilogue?.inputs) ?? [];
  write(kernel.block, layout, pass, [...sources, ...outputs, ...after], total);
  writeParameters(kernel.block, spec, layout.parameters, prologue?.parameters);
  writeParameters(kernel.block, spec, layout.after, epilogue?.parameters);
  kernel.launch(kernel.over(pass.work), outputs, after.length > 0 ? [...sources, ...after] : sources);
}

function writeParameters(
  block: ArgumentBlock,
  spec: ReduceSpec,
  fields: ReduceArguments["parameters"],
  values: Readonly<Record<string, Scalar>> | undefined,
): void {
  for (const { dtype, offset, parameter } of fields) {
    const { name, value } = parameter;
    writeScalar(block, dtype, offset, values?.[name] ?? value, passName(spec));
  }
}

function load(spec: ReduceSpec, device: Device): ReduceKernel {
  const began = performance.now();
  const request = requestOfPass(spec, device.target);
  return {
    kernel: loadKernel(request, device, performance.now() - began),
    layout: reduceArguments(spec),
  };
}

/** Writes the operands' addresses, and the counts in the order of `reduceCounts`; every field is a 64-bit word. */
function write(
  { i32 }: ArgumentBlock,
  { counts }: ReduceArguments,
  pass: Pass,
  views: readonly View[],
  total: number,
): void {
  const { kept, reduced, results, length } = pass.geometry;
  let at = 0;
  const put = (value: number): void => {
    i32[at++] = value;
    i32[at++] = Math.floor(value / 2 ** 32);
  };
  for (const { pointer } of views) put(pointer);
  at = counts / 4;
  for (const count of [results, length, pass.part, pass.parts, pass.group, total, pass.partStep]) put(count);
  put(kept.length);
  put(reduced.length);
  for (const dim of kept) {
    put(dim.size);
    for (const step of dim.in) put(step);
    put(dim.out);
  }
  // After the space for the kept dimensions: two words each, and one per operand.
  at = counts / 4 + 2 * (reduceCounts.length + (pass.spec.sources.length + 2) * maxDims);
  for (const dim of reduced) {
    put(dim.size);
    for (const step of dim.in) put(step);
  }
}
