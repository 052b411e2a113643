// The path of every map: operands -> loop nest -> kernel -> launch. A warm call builds one number, finds the loaded kernel
// by it, writes the argument block and launches. The rest happens once per kernel.

import { type DType, promote } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { type LayoutClass, layoutClass } from "../codegen/layout-class.js";
import { argumentDType, type KernelSpec, type OperandSpec } from "../codegen/spec.js";
import type { Device, Target } from "../device/device.js";
import { allocate } from "../device/memory.js";
import { PooledStorage } from "../device/pooled-storage.js";
import type { Functor } from "../functor/functor.js";
import { codeOf, isScalarCode, type Operand, operandCodes } from "../functor/operand.js";
import { resolveDTypes } from "../functor/resolve.js";
import { sameNumbers } from "../geometry/layout.js";
import { flatLoop, type LoopNest, loopNest } from "../geometry/loop-nest.js";
import { checkOverlap } from "../geometry/overlap.js";
import { isView, type View } from "../geometry/view.js";
import { openGraph } from "./graph.js";
import { MapKernel, requestOf } from "./kernel.js";
import { type KernelTable, KernelTables } from "./kernel-tables.js";
import { loadKernel } from "./loaded-kernel.js";
import { type CallOptions, type LaunchSite, type MakeOutput, openSink } from "./sink.js";

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
  if (sink !== undefined) return sink.map(functor, operands, makeOutput, options);
  const given = options.out;
  const views = viewsOf(given, operands);
  const isFresh = prepare(views, given);
  const device = deviceOf(functor, operands, views, options);
  const { site } = options;
  const found = site?.nest ?? nestOf(functor, views, options);
  const layout = layoutClass(found, views, device.target.dialect.grid !== undefined);
  if (site) site.nest = found;

  const table = kernels.of(functor);
  const key = keyAt(site, functor, operands, options, layout, device);
  const kernel = table.find(key) ?? addKernel(table, key, functor, operands, options, layout, device);

  const { nest } = layout;
  const outputs = (given as readonly V[] | undefined) ?? makeOutputs(kernel, nest, device, makeOutput);
  if (given && !options.isApart) checkOverlap(functor.name, given, operands);
  if (nest.count === 0) return outputs;
  if (given && isFresh) launchFresh(kernel, given, operands, nest, options);
  else kernel.launch(outputs, operands, nest, options);
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

/**
 * Computes pending memory before the kernel's block is written, and reports the writes to the sink. True if an output's
 * storage is to get fresh memory.
 */
function prepare(views: readonly View[], given: readonly View[] | undefined): boolean {
  for (let i = 0; i < views.length; i++) {
    const view = views[i] as View;
    if (view.storage?.pending) void view.pointer;
  }
  let isFresh = false;
  for (let i = 0; given !== undefined && i < given.length; i++) {
    const { storage } = given[i] as View;
    if (storage === undefined) continue;
    if (storage.isRead && isReplaced(given[i] as View)) isFresh = true;
    else storage.writing();
  }
  return isFresh;
}

/** The given outputs, and the inputs in memory. */
export function viewsOf(given: readonly View[] | undefined, operands: readonly Operand[]): View[] {
  // Counted first: an array that grows takes three times the memory.
  let count = given?.length ?? 0;
  for (let i = 0; i < operands.length; i++) if (isView(operands[i])) count++;
  const views = new Array<View>(count);
  let at = 0;
  if (given) for (; at < given.length; at++) views[at] = given[at] as View;
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i];
    if (isView(operand)) views[at++] = operand;
  }
  return views;
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

/** The device of a call's tensors; throws if there are several or none. */
export function deviceOf(
  functor: Functor,
  operands: readonly Operand[],
  views: readonly View[],
  options: CallOptions,
): Device {
  let { device } = options;
  for (let i = 0; i < views.length; i++) {
    const own = (views[i] as View).device;
    if (device !== undefined && own !== device) {
      throw new JitlabError(
        "mixed-devices",
        `${functor.name}: one tensor is on ${device.name} and another on ${own.name}.`,
        `Move one of them, for example with y.to("${device.name}").`,
      );
    }
    device = own;
  }
  if (device !== undefined) return device;
  // Report a bad operand first.
  for (const operand of operands) codeOf(operand, functor.name);
  throw new JitlabError(
    "no-tensor",
    `${functor.name}: none of the arguments is a tensor.`,
    "Make one of them a tensor with jl.tensor(...).",
  );
}

/** The loop nest of a call: its shape, and the strides of fresh outputs. */
export function nestOf(functor: Functor, views: readonly View[], options: CallOptions): LoopNest {
  const { out, shape } = options;
  const first = views[0];
  if (first && shape === undefined && areAlike(first, views)) {
    return flatLoop(first.shape, first.strides, first.size);
  }
  const inputs = out ? views.slice(out.length) : views;
  const fresh = out ? 0 : functor.results.length;
  if (inputs.length === 0 && shape === undefined) {
    return loopNest(functor.name, fresh, out ?? [], [], out?.[0]?.shape ?? []);
  }
  return loopNest(functor.name, fresh, out ?? [], inputs, shape);
}

/** True if all views are row-major and have one shape. */
function areAlike(first: View, views: readonly View[]): boolean {
  for (let i = 0; i < views.length; i++) {
    const view = views[i] as View;
    if (!view.isContiguous || !sameNumbers(first.shape, view.shape)) return false;
  }
  return true;
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

/** The spec of the kernel that a call needs. */
export function specOf(
  functor: Functor,
  operands: readonly Operand[],
  options: CallOptions,
  { layout, nest }: LayoutClass,
  target: Target,
): KernelSpec {
  const codes = operands.map((operand) => codeOf(operand, functor.name));
  const untyped = codes.every((code, i) => isScalarCode(code) || (functor.inputs[i] ?? "T") !== "T");
  const resolution = resolveDTypes(functor, codes, untyped ? options.dtype : undefined);
  const outputs = resolution.outputs.map((dtype, i): OperandSpec => {
    const given = options.out?.[i];
    const stored = given?.dtype ?? options.dtype ?? dtype;
    if (!functor.converts && !canCast(dtype, stored)) {
      const wanted = promote(dtype, stored).name;
      throw new JitlabError(
        "output-dtype",
        `${functor.name}: the result is ${dtype.name} and cannot be stored as ${stored.name}.`,
        given && operands.includes(given)
          ? `In place the dtype stays: convert with .to("${wanted}") first, or take the result as a new tensor.`
          : `Pass an output of dtype ${wanted}, or omit it.`,
      );
    }
    return { dtype: stored, scalar: false };
  });
  const inputs = operands.map((operand, i): OperandSpec => {
    const type = functor.inputs[i] ?? "T";
    if (!isScalarCode(codes[i] as number)) return { dtype: (operand as View).dtype, scalar: false };
    return { dtype: argumentDType(type, resolution.compute), scalar: true };
  });
  const { dialect } = target;
  const index = dialect.grid && nest.fits32 ? 32 : 64;
  return { functor, compute: resolution.compute, outputs, inputs, layout, index, dialect };
}

const kindRank = { bool: 0, unsigned: 1, signed: 1, float: 2, complex: 3 } as const;

/** PyTorch's rule for outputs: the kind may rise but not fall. */
function canCast(from: DType, to: DType): boolean {
  return kindRank[from.kind] <= kindRank[to.kind];
}
