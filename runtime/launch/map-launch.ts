// The path of every map: operands -> loop nest -> kernel -> launch. A warm call builds one number, finds the loaded kernel
// by it, writes the argument block and launches. The rest happens once per kernel.

import type { DType } from "../base/dtype.js";
import { type LayoutClass, layoutClass } from "../codegen/maps/layout-class.js";
import type { KernelSpec } from "../codegen/maps/map-spec.js";
import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import { PooledStorage } from "../device/pooled-storage.js";
import type { Functor } from "../functor/functor.js";
import { codeOf, type Operand, operandCodes } from "../functor/operand.js";
import type { LoopNest } from "../geometry/loop-nest.js";
import { checkOverlap } from "../geometry/overlap.js";
import { computePending, type View } from "../geometry/view.js";
import type { CallOptions, LaunchSite, MakeOutput } from "./calls.js";
import { openGraph } from "./graph.js";
import { type KernelTable, KernelTables } from "./kernel-tables.js";
import { MapKernel } from "./launcher.js";
import { loadKernel } from "./loaded-kernel.js";
import { MapOperation } from "./operation.js";
import { requestOf } from "./requests.js";
import { deviceOf, nestOf, specOf, viewsOf } from "./resolve.js";
import { atOnce, openSink, type Sink } from "./sink.js";

const noOptions: CallOptions = {};

const kernels = new KernelTables<MapKernel>();

/** Releases the loaded kernels of a functor. */
export function forget(functor: Functor): void {
  kernels.of(functor).clear();
}

/** The input dtypes of a functor's loaded kernels, each list as text. */
export function loadedInputs(functor: Functor): string[] {
  return Array.from(kernels.of(functor).entries(), ({ inputs }) => inputs);
}

/** Runs a functor over its operands and returns the outputs: fresh or given ones. */
export function dispatch<V extends View>(
  functor: Functor,
  operands: readonly Operand[],
  makeOutput: MakeOutput<V>,
  options: CallOptions = noOptions,
): readonly V[] {
  const sink = openSink();
  if (sink !== undefined) return taken(sink, functor, operands, makeOutput, options);
  const given = options.out;
  const views = viewsOf(given, operands);
  computePending(views);
  const isFresh = isFreshNeeded(given);
  const device = deviceOf(functor, operands, views, options);
  const { site } = options;
  const found = site?.nest ?? nestOf(functor, views, options);
  const layout = layoutClass(found, views, device.target.dialect.gpu !== undefined);
  if (site) site.nest = found;

  const table = kernels.of(functor);
  const key = keyAt(site, functor, operands, options, layout, device);
  const kernel = table.find(key) ?? addKernel(table, key, functor, operands, options, layout, device);

  const { nest } = layout;
  const outputs = (given as readonly V[] | undefined) ?? makeOutputs(kernel, nest, device, makeOutput);
  if (given && !options.isDisjoint) checkOverlap(functor.name, given, operands);
  if (nest.count === 0) {
    kernel.checkScalars(operands, options);
    return outputs;
  }
  if (given && isFresh) launchFresh(kernel, given, operands, nest, options);
  else kernel.launch(outputs, operands, nest, options);
  return outputs;
}

/** Gives a map to the open sink. Only here it becomes an object: a call without a sink needs none. */
function taken<V extends View>(
  sink: Sink,
  functor: Functor,
  operands: readonly Operand[],
  makeOutput: MakeOutput<V>,
  options: CallOptions,
): readonly V[] {
  const operation = new MapOperation(functor, operands, options);
  return sink.take(operation, makeOutput) ?? atOnce(runMap<V>, operation, makeOutput);
}

/** Runs a map on the device, and tests its indexes. */
export function runMap<V extends View>(
  { functor, inputs, options }: MapOperation,
  makeOutput: MakeOutput<V>,
): readonly V[] {
  const outputs = dispatch(functor, inputs, makeOutput, options);
  options.check?.test();
  return outputs;
}

/** True for an output whose storage gets fresh memory for its new elements, because deferred operations read the earlier ones. */
function isReplaced({ storage, isContiguous, size, dtype }: View): boolean {
  if (!storage?.isRead || storage.pinned || openGraph()) return false;
  return isContiguous && size * dtype.bytes === storage.bytes && storage instanceof PooledStorage;
}

/** Launches into fresh memory, which the outputs' storages take when nothing can fail any more. */
function launchFresh(
  kernel: MapKernel,
  given: readonly View[],
  operands: readonly Operand[],
  nest: LoopNest,
  options: CallOptions,
): void {
  const memory = given.map((view) =>
    isReplaced(view) ? allocate(view.device, view.size * view.dtype.bytes) : undefined,
  );
  const outputs = given.map((view, i): View => {
    const storage = memory[i];
    const { shape, strides, dtype, device, size, isContiguous } = view;
    return storage
      ? { pointer: storage.pointer, shape, strides, dtype, device, size, isContiguous, storage }
      : view;
  });
  kernel.launch(outputs, operands, nest, options);
  memory.forEach((fresh, i) => {
    const storage = given[i]?.storage as PooledStorage;
    if (fresh) storage.replace(fresh);
  });
}

/** The kernel's key. The geometry of a call site is fixed: only the alignment of its operands may differ. */
function keyAt(
  site: LaunchSite | undefined,
  functor: Functor,
  operands: readonly Operand[],
  options: CallOptions,
  layout: LayoutClass,
  device: Device,
): number | string {
  if (site === undefined) return keyOf(functor, operands, options, layout, device);
  const vector = layout.layout.kind === "tiled" ? 1 : layout.layout.vector;
  if (site.vector !== vector) {
    site.key = keyOf(functor, operands, options, layout, device);
    site.vector = vector;
  }
  return site.key;
}

/** Loads a call's kernel. Not in {@link dispatch}, where every call would allocate the variables of the function to pass. */
function addKernel(
  table: KernelTable<MapKernel>,
  key: number | string,
  functor: Functor,
  operands: readonly Operand[],
  options: CallOptions,
  layout: LayoutClass,
  device: Device,
): MapKernel {
  return table.add(key, () => load(specOf(functor, operands, options, layout, device.target), device));
}

function load(spec: KernelSpec, device: Device): MapKernel {
  const began = performance.now();
  const request = requestOf(spec, device.target);
  return new MapKernel(spec, loadKernel(request, device, performance.now() - began));
}

/** True if an output's storage is to get fresh memory instead of a copy of its earlier elements for deferred operations. */
function isFreshNeeded(given: readonly View[] | undefined): boolean {
  for (let i = 0; given !== undefined && i < given.length; i++) {
    if (isReplaced(given[i] as View)) return true;
  }
  return false;
}

function makeOutputs<V extends View>(
  kernel: MapKernel,
  nest: LoopNest,
  device: Device,
  makeOutput: MakeOutput<V>,
): readonly V[] {
  const dtypes = kernel.outputs;
  const outputs = new Array<V>(dtypes.length);
  for (let i = 0; i < outputs.length; i++) {
    outputs[i] = makeOutput(nest.shape, nest.outStrides, dtypes[i] as DType, device);
  }
  return outputs;
}

/** The kernel's key: one number for up to four operands and one output, a string for longer lists. */
function keyOf(
  functor: Functor,
  operands: readonly Operand[],
  options: CallOptions,
  layout: LayoutClass,
  device: Device,
): number | string {
  const given = options.out;
  const out = given ? (given[0]?.dtype.id ?? 0) + 16 : options.dtype ? options.dtype.id + 1 : 0;
  if (operands.length > 4 || (given && given.length > 1)) {
    const codes = operands.map((operand) => codeOf(operand, functor.name));
    const outs = given?.map((view) => view.dtype.id);
    const flat = layout.layout.kind === "contiguous";
    const lies = flat ? layout.code : `${JSON.stringify(layout.layout)};${layout.nest.fits32}`;
    return `${device.id};${codes};${out};${outs};${lies}`;
  }
  let key = device.id;
  for (let i = 0; i < operands.length; i++) key = key * operandCodes + codeOf(operands[i], functor.name);
  return (key * 32 + out) * 2 ** 19 + layout.code;
}
