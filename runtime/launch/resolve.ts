// What a call of a functor needs, resolved from its operands without running anything: its device, its loop nest, its dtypes and its
// kernel. Each of these reports its own errors, in this order.

import { type DType, promote } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { type LayoutClass, layoutClass } from "../codegen/maps/layout-class.js";
import { argumentDType, type KernelSpec, type OperandSpec } from "../codegen/maps/map-spec.js";
import type { Device, Target } from "../device/device.js";
import type { Functor } from "../functor/functor.js";
import { codeOf, isScalarCode, type Operand } from "../functor/operand.js";
import { resolveDTypes } from "../functor/resolve.js";
import { sameNumbers } from "../geometry/layout.js";
import { flatLoop, type LoopNest, loopNest } from "../geometry/loop-nest.js";
import { isView, type View } from "../geometry/view.js";
import type { CallOptions } from "./calls.js";

/** What a call needs, apart from the addresses and dtypes. */
export interface Geometry {
  readonly device: Device;
  readonly nest: LoopNest;
}

/** The device and the loop nest of a call; its memory may be pending. */
export function geometryOf(functor: Functor, operands: readonly Operand[], options: CallOptions): Geometry {
  const views = viewsOf(options.out, operands);
  const device = deviceOf(functor, operands, views, options);
  return { device, nest: nestOf(functor, views, options) };
}

/** The device of a call, its geometry as its kernel has it, and the kernel. */
export function resolved(
  functor: Functor,
  operands: readonly Operand[],
  options: CallOptions,
): { readonly device: Device; readonly layout: LayoutClass; readonly spec: KernelSpec } {
  const views = viewsOf(options.out, operands);
  const device = deviceOf(functor, operands, views, options);
  const { target } = device;
  const layout = layoutClass(nestOf(functor, views, options), views, target.dialect.gpu !== undefined);
  return { device, layout, spec: specOf(functor, operands, options, layout, target) };
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

/** The dtypes of a call: in which it computes, and those of its operands in memory and as arguments. */
export function typesOf(
  functor: Functor,
  operands: readonly Operand[],
  options: CallOptions,
): Pick<KernelSpec, "compute" | "outputs" | "inputs"> {
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
  return { compute: resolution.compute, outputs, inputs };
}

/** The spec of the kernel that a call needs. */
export function specOf(
  functor: Functor,
  operands: readonly Operand[],
  options: CallOptions,
  { layout, nest }: LayoutClass,
  { dialect }: Target,
): KernelSpec {
  const { compute, outputs, inputs } = typesOf(functor, operands, options);
  const index = dialect.gpu && nest.fits32 ? 32 : 64;
  return { functor, compute, outputs, inputs, layout, index, dialect };
}

const kindRank = { bool: 0, unsigned: 1, signed: 1, float: 2, complex: 3 } as const;

/** PyTorch's rule for outputs: the kind may rise but not fall. */
function canCast(from: DType, to: DType): boolean {
  return kindRank[from.kind] <= kindRank[to.kind];
}
