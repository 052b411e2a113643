// Runs a plan: binds its numbers to the nodes and leaves of one call, allocates the stored results, and launches.

import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Functor } from "../../functor/functor.js";
import type { Operand } from "../../functor/operand.js";
import { sameNumbers, sizeOf } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import { dispatch } from "../../launch/dispatch.js";
import { dispatchReduction } from "../../launch/reduce-launch.js";
import { launchRows } from "../../launch/row-launch.js";
import {
  type LaunchSite,
  type MapCall,
  newStorage,
  type OpaqueForm,
  openSink,
  type ReduceCall,
  type RowCall,
  type ScanCall,
  type TableCall,
} from "../../launch/sink.js";
import { launchTable } from "../../launch/table-launch.js";
import { runWalk, walkOf } from "../../launch/walk-launch.js";
import type { Scalar } from "../../ops/op.js";
import { noteRun, testAfter, testBefore } from "../graph/index-tests.js";
import { eachSource, isMap, type MapNode, type Node, type OpaqueNode, type Value } from "../graph/ir.js";
import type { Slot } from "../graph/slot.js";
import { viewAt, viewOn, windowAt } from "../graph/window.js";
import { type Donation, takenMemory } from "./donation.js";
import { located } from "./launch-errors.js";
import type {
  Launch,
  OutputRef,
  Plan,
  ReadRef,
  ReduceLaunch,
  ScalarRef,
  ScanLaunch,
  WithMaps,
} from "./launches.js";
import {
  memoryOf,
  noteWritten,
  numberOf,
  type Results,
  resultsOf,
  unwritten,
  valueAt,
  withdraw,
} from "./output-memory.js";
import type { Binding } from "./plan.js";
import { allocateScratch } from "./scratch.js";

/** Launches a plan and gives its computed values their memory. */
export function runPlan(plan: Plan, binding: Binding): void {
  const { launches } = plan;
  if (plan.scratch === undefined && binding.donation === undefined) {
    runLaunches(launches, binding);
    return;
  }
  // Values in scratch memory keep their nodes, and are computed again when they are read.
  const scratch = plan.scratch ? allocateScratch(plan.scratch) : new Map<number, PooledStorage>();
  const given = binding.donation && takeMemory(plan, binding, binding.donation, scratch);
  try {
    runLaunches(launches, { nodes: binding.nodes, leaves: binding.leaves, scratch, given });
  } finally {
    for (const share of scratch.values()) share.dispose();
  }
}

/** Donated memory for results, by their numbers. The plan's kernels read the donated leaves in `scratch`. */
function takeMemory(
  plan: Plan,
  binding: Binding,
  donation: Donation,
  scratch: Map<number, PooledStorage>,
): ReadonlyMap<number, PooledStorage> {
  plan.taken ??= takenMemory(
    plan,
    binding.leaves.flatMap((leaf) => (donation.has(leaf) ? [leaf.ref] : [])),
    (ref) => valueAt(binding, ref).bytes,
  );
  const given = new Map<number, PooledStorage>();
  for (const [ref, leaf] of plan.taken) {
    const memory = donation.take(valueAt(binding, leaf));
    if (memory === undefined) continue;
    scratch.set(leaf, memory.share());
    given.set(ref, memory);
  }
  return given;
}

function runLaunches(launches: readonly Launch[], binding: Binding): void {
  const all = new Array<Results>(launches.length);
  for (let i = 0; i < all.length; i++) all[i] = resultsOf(launches[i] as Launch, binding);
  for (let i = 0; i < all.length; i++) {
    const launch = launches[i] as Launch;
    const results = all[i] as Results;
    const memory = memoryOf(launch, binding, results);
    noteWritten(results, memory);
    const maps = launch.isChecked ? launch.nodes.map((number) => nodeAt(binding, number)).filter(isMap) : [];
    try {
      const tested = launch.isChecked ? testBefore(maps) : undefined;
      runLaunch(launch, binding, viewsOf(binding, memory));
      if (launch.isChecked) testAfter(maps, tested);
    } catch (error) {
      // Nothing was launched, or into fresh memory. Interrupts do not reach this line.
      unwritten(results);
      withdraw(launch, binding, results);
      if (launch.opaque) noteRun(nodeAt(binding, launch.nodes[0] as number) as OpaqueNode, true);
      throw located(error, slotsOf(launch, binding));
    }
    settle(launch, binding, results, memory);
    if (launch.opaque) noteRun(nodeAt(binding, launch.nodes[0] as number) as OpaqueNode, false);
  }
}

/** Launches a plan over memory that is known: in `scratch` for every leaf and every result. */
export function runAgain({ launches }: Plan, binding: Binding): void {
  for (const launch of launches) {
    const memory = launch.outputs.map(({ ref }) => memoryAt(binding, ref));
    try {
      runLaunch(launch, binding, viewsOf(binding, memory));
    } catch (error) {
      throw located(error, slotsOf(launch, binding));
    }
  }
}

/** Runs a launch over views of its operands, or gives it to the open sink. */
export function runLaunch(launch: Launch, binding: Binding, views: Views): void {
  if (launch.reduction) runReduction(launch, launch.reduction, binding, views);
  else if (launch.scan) runScan(launch, launch.scan, binding, views);
  else if (launch.opaque) runOpaque(launch, launch.opaque, views);
  else if (launch.rows) runRows(launch, launch.rows, binding, views);
  else if (launch.members) runTable(launch, launch.members, binding, views);
  else runMap(launch, binding, views);
}

function slotsOf({ nodes }: Launch, binding: Binding): Slot[] {
  return nodes.map((number) => nodeAt(binding, number).slot);
}

function nodeAt({ nodes }: Binding, number: number): Node {
  return nodes[number] as Node;
}

/** The memory of an input value. */
function memoryAt(binding: Binding, ref: number): PooledStorage {
  return binding.scratch?.get(ref) ?? valueAt(binding, ref).memory();
}

/** How a launch's call sees the values that it reads, and its outputs. */
export interface Views {
  readonly read: (one: ReadRef) => View;
  readonly output: (one: OutputRef, i: number) => View;
}

/** The views of a launch that reads the values of a call and writes into that memory. */
function viewsOf(binding: Binding, memory: readonly PooledStorage[]): Views {
  return {
    read: ({ ref, window }) => viewOn(memoryAt(binding, ref), window),
    output: ({ window }, i) => viewOn(memory[i] as PooledStorage, window),
  };
}

function runReduction(launch: Launch, reduction: ReduceLaunch, binding: Binding, views: Views): void {
  const [output] = launch.outputs as readonly [OutputRef];
  const { window: wanted } = output;
  const call = reduceCall(launch, reduction, binding, views);
  dispatchReduction(call, (shape, strides, dtype, device) => {
    const isResult = !reduction.after && dtype === wanted.dtype && sameNumbers(shape, wanted.shape);
    if (isResult) return views.output(output, 0);
    return viewOn(newStorage(device, sizeOf(shape) * dtype.bytes), windowAt(dtype, 0, shape, strides));
  });
}

/** The call of a reduction's launch. */
function reduceCall(launch: Launch, own: ReduceLaunch, binding: Binding, views: Views): ReduceCall {
  const { input, prologue, epilogue } = withMaps(launch, own, binding, views);
  // Without spread, which gives V8 an object of a new shape at each call.
  const { reduction, plan, gone, shape } = own.call;
  return { reduction, plan, input, prologue, epilogue, gone, shape };
}

function runScan(launch: Launch, scan: ScanLaunch, binding: Binding, views: Views): void {
  const call = scanCall(launch, scan, binding, views);
  if (openSink()?.kernel) scan.form.show(call, runWalk);
  else scan.form.run(call);
}

/** The call of a scan's launch. */
function scanCall(launch: Launch, own: ScanLaunch, binding: Binding, views: Views): ScanCall {
  const { input, prologue, epilogue } = withMaps(launch, own, binding, views);
  return { outputs: launch.outputs.map(views.output), input, prologue, epilogue };
}

function runOpaque({ operands, outputs }: Launch, form: OpaqueForm, { read, output }: Views): void {
  form.run(
    operands.map((one) => read(one as ReadRef)),
    outputs.map(output),
  );
}

/** What a reduction or a scan reads, with the maps before and behind it. */
function withMaps(
  { functor, operands, outputs, parameters, device }: Launch,
  { elements, reads, after }: WithMaps,
  binding: Binding,
  { read, output }: Views,
): Pick<ScanCall, "input" | "prologue" | "epilogue"> {
  const all = operands.map((one) => read(one as ReadRef));
  const inputs = all.slice(0, reads);
  const prologue = functor && { functor, inputs, parameters: parametersAt(parameters, binding) };
  const input = functor ? viewAt(0, device, elements) : (inputs[0] as View);
  const epilogue = after && {
    functor: after.functor,
    keeps: after.keeps,
    inputs: all.slice(reads),
    parameters: parametersAt(after.parameters, binding),
    outputs: outputs.map(output),
  };
  return { input, prologue, epilogue };
}

function runRows(launch: Launch, rows: NonNullable<Launch["rows"]>, binding: Binding, views: Views): void {
  launchRows(rowCall(launch, rows, binding, views));
}

/** The call of a row kernel's launch. */
function rowCall(
  { operands, outputs, parameters }: Launch,
  { body, geometry }: NonNullable<Launch["rows"]>,
  binding: Binding,
  { read, output }: Views,
): RowCall {
  return {
    body,
    geometry,
    outputs: outputs.map(output),
    inputs: operands.map((one) => read(one as ReadRef)),
    scalars: parameters.map(([, scalar]) => scalarAt(binding, scalar)),
  };
}

function runMap(launch: Launch, binding: Binding, views: Views): void {
  const call = mapCall(launch, binding, views);
  const walk = walkOf(call);
  if (walk) runWalk(walk);
  else dispatch(call.functor, call.operands, noOutput, call.options);
}

function runTable(
  launch: Launch,
  members: readonly Launch[],
  binding: Binding,
  { read, output }: Views,
): void {
  let at = 0;
  const call = tableCall(launch, members, binding, { read, output: (one) => output(one, at++) });
  if (call.groups.length > 0) launchTable(call);
}

/** The call of merged launches; without empty ones. */
function tableCall(
  { functor, site }: Launch,
  members: readonly Launch[],
  binding: Binding,
  views: Views,
): TableCall {
  const groups = members.map((member) => mapCall(member, binding, views));
  const filled = groups.filter(({ options }) => options.out.some(({ size }) => size > 0));
  return { functor: functor as Functor, groups: filled, site: site as LaunchSite };
}

/** The call of a map's launch. */
function mapCall(
  { functor, operands, outputs, parameters, shape, dtype, device, site }: Launch,
  binding: Binding,
  { read, output }: Views,
): MapCall {
  // Loops, because this runs for each of many launches that one call merges.
  const given = new Array<Operand>(operands.length);
  for (let i = 0; i < given.length; i++) {
    const one = operands[i] as ReadRef | ScalarRef;
    given[i] = "ref" in one ? read(one) : scalarAt(binding, one);
  }
  const scalars = new Array<Scalar>(parameters.length);
  for (let i = 0; i < scalars.length; i++)
    scalars[i] = scalarAt(binding, (parameters[i] as Launch["parameters"][number])[1]);
  return {
    functor: functor as Functor,
    operands: given,
    options: {
      out: outputs.map(output),
      isApart: true,
      scalars,
      site,
      dtype,
      device,
      shape,
    },
  };
}

/** The values of parameters by name. */
export function parametersAt(parameters: Launch["parameters"], binding: Binding): Record<string, Scalar> {
  const values: Record<string, Scalar> = {};
  for (const [name, scalar] of parameters) values[name] = scalarAt(binding, scalar);
  return values;
}

function scalarAt(binding: Binding, { node, at, isParameter }: ScalarRef): Scalar {
  const owner = nodeAt(binding, node) as MapNode;
  return (isParameter ? owner.parameters[at] : owner.operands[at]) as Scalar;
}

/** Gives computed values their memory, and drops their nodes. */
function settle(
  { outputs }: Launch,
  binding: Binding,
  { values, over }: Results,
  memory: readonly PooledStorage[],
): void {
  const { scratch } = binding;
  const computed: Node[] = [];
  for (let i = 0; i < outputs.length; i++) {
    const { ref } = outputs[i] as OutputRef;
    if (scratch?.has(ref)) continue;
    const value = values[i] as Value;
    const storage = memory[i] as PooledStorage;
    const earlier = over?.[i];
    if (earlier?.holder === storage) earlier.holder = undefined;
    if (value.holder !== undefined) continue;
    value.settle(storage);
    const node = nodeAt(binding, numberOf(ref));
    if (isComputed(node)) computed.push(node);
  }
  for (let i = 0; i < computed.length; i++) eachSource(computed[i] as Node, release);
}

/** Releases what nodes read that nobody will compute. */
export function abandon(nodes: readonly Node[]): void {
  for (const node of nodes) if (!isComputed(node)) eachSource(node, release);
}

function isComputed({ made }: Node): boolean {
  for (let i = 0; i < made.length; i++) if (made[i]?.holder === undefined) return false;
  return true;
}

/** Removes a reader; memory without a reader or a storage is freed. */
function release(value: Value): void {
  value.readers--;
  if (value.readers > 0 || value.home !== undefined) return;
  value.holder?.dispose();
  value.holder = undefined;
}

function noOutput(): never {
  throw new Error("A plan names the outputs of its launches.");
}
