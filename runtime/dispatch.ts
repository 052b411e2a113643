// The one path of every elementwise call: operands -> loop nest -> kernel -> launch. A warm call builds one integer, finds
// the loaded kernel under it, writes the argument block and launches; everything else happens once per kernel.
import { argumentDType, type KernelSpec, type OperandSpec } from "./codegen/spec.js";
import type { Device, Target } from "./device/device.js";
import { type DType, promote } from "./dtype.js";
import { JitlabError } from "./errors.js";
import type { Functor } from "./functor.js";
import { openGraph } from "./graph.js";
import { flatLoop, type LoopNest, loopNest } from "./iterator.js";
import { type Kernel, loadKernel } from "./kernel.js";
import { sameNumbers } from "./layout.js";
import { type LayoutClass, layoutClass } from "./layout-class.js";
import { codeOf, commonDType, isScalarCode, isView, type Operand, operandCodes } from "./operand.js";
import type { Scalar } from "./ops/op.js";
import { checkOverlap } from "./overlap.js";
import { isRecording, timedLaunch } from "./recorder.js";
import type { View } from "./view.js";

/** Allocates a fresh output; the tensor layer supplies it, so that dispatch knows views only. */
export type MakeOutput<V extends View> = (
  shape: readonly number[],
  strides: readonly number[],
  dtype: DType,
  device: Device,
) => V;

/** How a call differs from the plain one. */
export interface CallOptions {
  /** Outputs given by the caller, one per result. */
  readonly out?: readonly View[] | undefined;
  /** Values of captured parameters by name. */
  readonly parameters?: Readonly<Record<string, Scalar>> | undefined;
  /** The shape and device of the result; needed where there are no tensor inputs. */
  readonly shape?: readonly number[] | undefined;
  readonly dtype?: DType | undefined;
  readonly device?: Device | undefined;
}

const noOptions: CallOptions = {};

/** The loaded kernels of one functor; the one that was called last is found without a look into the map. */
interface Loaded {
  readonly kernels: Map<number | string, Kernel>;
  lastKey: number | string;
  last: Kernel | undefined;
}

const loadedOf = new Map<number, Loaded>();

/** Forgets the loaded kernels of a functor that was redefined. */
export function forget(functor: Functor): void {
  for (const kernel of loadedOf.get(functor.id)?.kernels.values() ?? []) kernel.retire();
  loadedOf.delete(functor.id);
}

/** The input dtypes of a functor's loaded kernels, each list as text. */
export function loadedInputs(functor: Functor): string[] {
  const kernels = [...(loadedOf.get(functor.id)?.kernels.values() ?? [])];
  return kernels.map(({ outputs, clock }) =>
    [...new Set(clock.identity.dtypes.slice(outputs.length))].join(", "),
  );
}

/** Forgets every loaded kernel, so that the next call of each asks the cache again. */
export function forgetAll(): void {
  for (const { kernels } of loadedOf.values()) for (const kernel of kernels.values()) kernel.retire();
  loadedOf.clear();
}

/** The dtypes of a call: what the functor computes in and gives; throws `dtype-refused` where it has no meaning. */
export function resolveDTypes(
  functor: Functor,
  codes: readonly number[],
  forced?: DType,
): { compute: DType; outputs: readonly DType[] } {
  const common = forced ?? commonDType(codes.filter((_, i) => (functor.inputs[i] ?? "T") === "T"));
  const resolution = functor.resolve(common);
  if ("refuse" in resolution) {
    throw new JitlabError(
      "dtype-refused",
      `${functor.name} does not take ${common.name}: ${resolution.refuse}.`,
    );
  }
  return resolution;
}

/** Runs a functor over its operands and returns the outputs: fresh ones, or those that were given. */
export function dispatch<V extends View>(
  functor: Functor,
  operands: readonly Operand[],
  makeOutput: MakeOutput<V>,
  options: CallOptions = noOptions,
): readonly V[] {
  const given = options.out;
  const views = viewsOf(given, operands);
  const device = deviceOf(functor, operands, views, options);
  const layout = layoutClass(nestOf(functor, views, options), views, device.target.dialect.grid);

  const loaded = kernelsOf(functor);
  const key = keyOf(functor, operands, options, layout, device);
  let kernel = key === loaded.lastKey ? loaded.last : loaded.kernels.get(key);
  const cold = kernel === undefined;
  if (kernel === undefined) {
    kernel = loadKernel(specOf(functor, operands, options, layout, device.target), device);
    loaded.kernels.set(key, kernel);
  }
  loaded.lastKey = key;
  loaded.last = kernel;

  const { nest } = layout;
  const outputs = (given as readonly V[] | undefined) ?? makeOutputs(kernel, nest, device, makeOutput);
  if (given) checkOverlap(functor.name, given, operands);
  if (nest.count > 0) launch(kernel, device, outputs, operands, nest, options, cold);
  return outputs;
}

/** The outputs that were given, and the inputs in memory. */
function viewsOf(given: readonly View[] | undefined, operands: readonly Operand[]): View[] {
  const views: View[] = given ? given.slice() : [];
  for (const operand of operands) if (isView(operand)) views.push(operand);
  return views;
}

function kernelsOf(functor: Functor): Loaded {
  let loaded = loadedOf.get(functor.id);
  if (!loaded) {
    loaded = { kernels: new Map(), lastKey: "", last: undefined };
    loadedOf.set(functor.id, loaded);
  }
  return loaded;
}

function makeOutputs<V extends View>(
  kernel: Kernel,
  nest: LoopNest,
  device: Device,
  makeOutput: MakeOutput<V>,
): readonly V[] {
  const outputs: V[] = [];
  for (const dtype of kernel.outputs) outputs.push(makeOutput(nest.shape, nest.outStrides, dtype, device));
  return outputs;
}

function launch(
  kernel: Kernel,
  device: Device,
  outputs: readonly View[],
  operands: readonly Operand[],
  nest: LoopNest,
  options: CallOptions,
  cold: boolean,
): void {
  kernel.write(outputs, operands, nest, options.parameters);
  const graph = openGraph();
  if (graph) {
    graph.add(kernel, device, kernel.work(nest), viewsOf(outputs, operands));
    return;
  }
  if (cold || kernel.clock.sampling || isRecording()) {
    const phases = cold ? kernel.clock.phases : undefined;
    timedLaunch(kernel, kernel.work(nest), device, phases, outputs, operands);
    return;
  }
  kernel.clock.launches++;
  kernel.program.launch(kernel.block, kernel.work(nest));
}

function deviceOf(
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
  // What is no operand at all is the better thing to tell.
  for (const operand of operands) codeOf(operand, functor.name);
  throw new JitlabError(
    "no-tensor",
    `${functor.name}: none of the arguments is a tensor.`,
    "Make one of them a tensor with jl.tensor(...).",
  );
}

function nestOf(functor: Functor, views: readonly View[], options: CallOptions): LoopNest {
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

/** True where all views are row-major and of one shape. */
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
    return `${device.id};${codes};${out};${outs};${JSON.stringify(layout.layout)};${layout.nest.fits32}`;
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
  const resolution = resolveDTypes(functor, codes, codes.every(isScalarCode) ? options.dtype : undefined);
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
          : `Give an output of dtype ${wanted}, or none.`,
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
