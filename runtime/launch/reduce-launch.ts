// Runs reductions. A call launches one kernel, or a few in turn (reduce-passes.ts says how many and why). Each pass finds its
// kernel by a number, writes the argument block and launches.

import { dtypes } from "../base/dtype.js";
import { renderReduction } from "../codegen/reduce-kernel.js";
import { type Pass, passesOf, reduceGeometry } from "../codegen/reduce-passes.js";
import {
  type ReduceSpec,
  reduceBlockBytes,
  reduceCode,
  reduceCodes,
  reduceCounts,
  reduceVariant,
} from "../codegen/reduce-spec.js";
import type { ArgumentBlock, Device, Target } from "../device/device.js";
import type { Reduction } from "../functor/reduction.js";
import { contiguousStrides, maxDims } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { KernelTables } from "./kernel-tables.js";
import { type LoadedKernel, type LoadRequest, loadKernel } from "./loaded-kernel.js";
import { type MakeOutput, openSink, type ReduceCall } from "./sink.js";

const kernels = new KernelTables<ReduceKernel>();

/** A loaded kernel of one pass. */
interface ReduceKernel {
  readonly kernel: LoadedKernel;
}

/** The request of a pass: its rendered kernel for a target, and how its launches divide elements. */
export function requestOfPass(spec: ReduceSpec, target: Target): LoadRequest {
  return {
    ...renderReduction(spec),
    argumentBytes: reduceBlockBytes,
    op: spec.name,
    variant: reduceVariant(spec),
    dtypes: [spec.plan.result.name, spec.input.name],
    target,
  };
}

/** Runs a reduction and returns its result, a fresh contiguous output. */
export function dispatchReduction<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V {
  const sink = openSink();
  if (sink !== undefined) return sink.reduce(call, makeOutput);
  const { reduction, plan, input, gone, shape } = call;
  const { device } = input;
  const result = makeOutput(shape, contiguousStrides(shape), plan.result, device);
  const geometry = reduceGeometry(input.shape, input.strides, gone, reduction.ordered);
  if (geometry.results === 0) return result;
  const { dialect } = device.target;
  let source: View = input;
  for (const pass of passesOf(reduction, plan, input.dtype, geometry, input.pointer, dialect)) {
    const bytes = geometry.results * pass.parts * plan.accumulatorBytes;
    const target = pass.spec.last ? result : makeOutput([bytes], [1], dtypes.uint8, device);
    launchPass(reduction, pass, source, target, geometry.length);
    // Later work in the queue may reuse the memory of the parts; a graph keeps it.
    if (source !== input) source.storage?.dispose();
    source = target;
  }
  return result;
}

/** Queues one pass from `input` to `output`. */
function launchPass(reduction: Reduction, pass: Pass, input: View, output: View, total: number): void {
  const { spec } = pass;
  const { device } = input;
  const table = kernels.of(reduction);
  const key = device.id * reduceCodes + reduceCode(spec);
  const { kernel } = table.find(key) ?? table.add(key, () => ({ kernel: load(spec, device) }));
  write(kernel.block, pass, input.pointer, output.pointer, total);
  kernel.launch(kernel.over(pass.work), [output], [input]);
}

function load(spec: ReduceSpec, device: Device): LoadedKernel {
  const began = performance.now();
  const request = requestOfPass(spec, device.target);
  return loadKernel(request, device, performance.now() - began);
}

// Where the dimensions that go away begin, in words of 32 bits.
const firstReduced = 2 * (2 + reduceCounts.length + 3 * maxDims);

/** Writes the block in the order of `reduceCounts`, every field a 64-bit word. */
function write(block: ArgumentBlock, pass: Pass, from: number, to: number, total: number): void {
  const { kept, reduced, results, length } = pass.geometry;
  const { i32 } = block;
  let at = 0;
  const put = (value: number): void => {
    i32[at++] = value;
    i32[at++] = Math.floor(value / 2 ** 32);
  };
  for (const address of [from, to]) put(address);
  for (const count of [results, length, pass.part, pass.parts, pass.group, total, pass.partStep]) put(count);
  put(kept.length);
  put(reduced.length);
  for (const dim of kept) {
    put(dim.size);
    put(dim.in);
    put(dim.out);
  }
  at = firstReduced;
  for (const dim of reduced) {
    put(dim.size);
    put(dim.in);
  }
}
