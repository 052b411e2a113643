// The launch of one pass of a reduction: its kernel by key, its argument block, and the queue or the graph that takes it.
import { type KernelRequest, obtain } from "./cache/kernels.js";
import { renderReduction } from "./codegen/reduce-kernel.js";
import { type ReduceSpec, reduceBlockBytes, reduceCounts, reduceVariant } from "./codegen/reduce-spec.js";
import type { ArgumentBlock, Device, LaunchShape, Program, Target } from "./device/device.js";
import { type Launchable, openGraph } from "./graph.js";
import { noteRequest } from "./kernel.js";
import { maxDims } from "./layout.js";
import { isRecording, timedLaunch } from "./recorder.js";
import type { Pass } from "./reduce-passes.js";
import { KernelClock } from "./timings.js";
import type { View } from "./view.js";

const loaded = new Map<string, ReduceKernel>();

/** Forgets every loaded kernel, so that the next call of each asks the cache again. */
export function forgetReductions(): void {
  for (const kernel of loaded.values()) kernel.retire();
  loaded.clear();
}

/** What the cache is asked for: the kernel of a pass. */
export function requestOfPass(
  spec: ReduceSpec,
  target: Target,
): KernelRequest & { readonly shape: LaunchShape } {
  const { source, symbol, shape } = renderReduction(spec);
  const dtypes = [spec.plan.result.name, spec.input.name];
  return { source, symbol, op: spec.name, variant: reduceVariant(spec), dtypes, target, shape };
}

/** Queues one pass from `input` to `output`. */
export function launchPass(pass: Pass, device: Device, input: View, output: View, total: number): void {
  const { spec } = pass;
  const { name, plan, input: dtype } = spec;
  const types = `${dtype.id},${plan.compute.id},${plan.result.id}`;
  const key = `${device.id};${name};${types};${reduceVariant(spec)}`;
  let kernel = loaded.get(key);
  const cold = kernel === undefined;
  if (!kernel) {
    kernel = loadKernel(spec, device);
    loaded.set(key, kernel);
  }
  const { block, clock, program } = kernel;
  write(block, pass, input.pointer, output.pointer, total);
  const graph = openGraph();
  if (graph) {
    graph.add(kernel, device, pass.work, [input, output]);
  } else if (cold || clock.sampling || isRecording()) {
    const phases = cold ? clock.phases : undefined;
    timedLaunch(kernel, pass.work, device, phases, [output], [input]);
  } else {
    clock.launches++;
    program.launch(block, pass.work);
  }
}

function loadKernel(spec: ReduceSpec, device: Device): ReduceKernel {
  const began = performance.now();
  const request = requestOfPass(spec, device.target);
  const generateMs = performance.now() - began;
  const { program, key, origin, lookupMs, compileMs, loadMs } = obtain(request, device, request.shape);
  noteRequest(key, request);
  const { op, variant, dtypes } = request;
  const clock = new KernelClock(
    { key, op, variant, dtypes, device: device.name, origin },
    { generateMs, lookupMs, compileMs, loadMs },
  );
  return new ReduceKernel(program, clock, device.createBlock(reduceBlockBytes));
}

/** A loaded kernel with the block that its launches read. */
class ReduceKernel implements Launchable {
  #users = 0;
  #retired = false;

  constructor(
    readonly program: Program,
    readonly clock: KernelClock,
    readonly block: ArgumentBlock,
  ) {}

  keep(): () => void {
    this.#users++;
    return () => {
      if (--this.#users === 0 && this.#retired) this.program.unload();
    };
  }

  retire(): void {
    this.#retired = true;
    if (this.#users === 0) this.program.unload();
  }
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
