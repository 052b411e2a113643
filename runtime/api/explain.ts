// jl.explain: the kernels that a call would launch, rendered without a device; machine code only on request.

import { isOptions } from "../base/arguments.js";
import { type DType, type DTypeName, dtypeOf, dtypes } from "../base/dtype.js";
import { DeviceError, JitlabError, show } from "../base/errors.js";
import { type PlacedLine, placedLines } from "../codegen/composition/step-places.js";
import { type LayoutClass, layoutClass } from "../codegen/maps/layout-class.js";
import type { KernelSpec } from "../codegen/maps/map-spec.js";
import { disassemblyOf } from "../compiler/listing.js";
import type { KernelResources, Target } from "../device/device.js";
import { wholeDerivative } from "../functor/dual-functor.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { Reduction } from "../functor/reduction.js";
import { contiguousStrides, sizeOf } from "../geometry/layout.js";
import { isView, type View } from "../geometry/view.js";
import { defaultDevice, kindOfArchitecture, openDevices, targetOf } from "../launch/devices.js";
import { fetchCode, isCached, type KernelCode, type KernelRequest, keyOf } from "../launch/obtain.js";
import { requestOf } from "../launch/requests.js";
import { nestOf, specOf } from "../launch/resolve.js";
import { requestOfKey } from "../launch/timings.js";
import type { Scalar } from "../ops/op.js";
import { functorOf } from "../tensor/operations.js";
import {
  type ReduceDims,
  type ReduceOptions,
  reduceRequests,
  reductionOf,
} from "../tensor/statistics/reduce.js";
import { Tensor } from "../tensor/tensor.js";
import { type CompiledKernels, kernelsOfCompiled } from "./compile.js";
import { type LinkedKernel, linkedKernel } from "./linked-kernel.js";
import { rawKernelOf, requestOfRaw } from "./raw-kernel.js";

/** Options of `explain`. */
export interface ExplainOptions {
  /** A device name; default: the arguments' device, else the default one. The device need not be present. */
  readonly device?: string;
  /** An architecture such as `sm_90`; default: the device's own. */
  readonly arch?: string;
  /** Dtypes of the inputs, if no arguments are given; one applies to all. Default: the first that the functor accepts. */
  readonly dtypes?: readonly DTypeName[];
  /** `contiguous` (the default) or `strided` with a rank, such as `strided2`, if no arguments are given. */
  readonly layout?: string;
  /** True for the kernel of a functor's derivatives by its floating inputs; the cotangents of its results are further inputs. */
  readonly derivative?: boolean;
}

/** One kernel of a call. `ptx` and `sass` compile through the cache when first read; `key` needs the compiler. */
export interface Explanation {
  readonly key: string;
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly layout: string;
  /** The source's language: `CUDA C++`, `C++`. */
  readonly language: string;
  readonly arch: string;
  /** The generated text. */
  readonly source: string;
  /** The lines of a compiled function's operations, and where each was called. */
  readonly places: readonly PlacedLine[];
  /** True if the cache has its code. */
  readonly cached: boolean;
  /** The assembly of the compile: PTX, or the host's. */
  readonly ptx: string;
  /** The machine code as text; throws DeviceError if the tool that prints it is missing. */
  readonly sass: string;
  /**
   * Registers, shared and local memory of the compiled kernel; with its occupancy if a device of its architecture is open.
   * Undefined on devices without such resources.
   */
  readonly resources: KernelResources | undefined;
  /** Its source, assembly and machine code line by line: compiled with line information when first read, and not stored. */
  readonly linked: LinkedKernel;
  /**
   * For the last kernel of a compiled function that reads elements before it ends: where, and that more kernels may follow.
   */
  readonly note?: string;
}

type ExplainArgument = Tensor | Scalar | readonly number[] | (ExplainOptions & ReduceOptions);

/**
 * The kernels that `fn(...args)` would launch. The last argument may be options; without arguments the dtypes and the layout
 * select the kernel. Rendering needs no device.
 *
 * @example jl.explain(jl.add, jl.ones([2]), 1).length // 1
 */
export function explain(fn: unknown, ...args: ExplainArgument[]): Explanation[] {
  const compiled = kernelsOfCompiled(fn, args);
  if (compiled) return explainCompiled(compiled);
  const last = args.at(-1);
  const hasOptions = isOptions(last);
  const options = hasOptions ? (last as ExplainOptions) : {};
  const given = (hasOptions ? args.slice(0, -1) : args) as readonly Operand[];
  const reduction = reductionOf(fn);
  if (reduction) return explainReduction(reduction, given, options);
  const raw = rawKernelOf(fn);
  if (raw) return [explanationOf(requestOfRaw(raw, options), "raw")];
  const { spec, target } = plannedKernel("explain", fn, given, options);
  return [explanationOf(requestOf(spec, target), spec.layout.kind)];
}

function explainCompiled({ kernels, note }: CompiledKernels): Explanation[] {
  const found = kernels.map((request) => explanationOf(request, request.variant.replace(/\W.*/, "")));
  const last = found.pop();
  if (last)
    found.push(note === undefined ? last : Object.create(last, { note: { value: note, enumerable: true } }));
  return found;
}

function explainReduction(
  reduction: Reduction,
  given: readonly unknown[],
  options: ExplainOptions & ReduceOptions,
): Explanation[] {
  const target = targetFor(given as readonly Operand[], options);
  const spread = layoutRank(options.layout ?? "contiguous") > 0;
  const sample = sampleView([1024, 1024], elementsOf("explain", reduction, options.dtypes), spread);
  const [input = sample, dim] = given as [View?, ReduceDims?];
  const { device, arch, layout, dtypes, ...own } = options;
  return reduceRequests(reduction, input, dim ?? own, target).map((request) =>
    explanationOf(request, request.variant.replace(/\W.*/, "")),
  );
}

// Extents of matrices whose reductions, over either dimension and both, use all kernels that contiguous tensors need.
const sampleExtents = [1, 3, 12, 40, 41, 100, 301, 4096, 20_000, 1_000_000];
const sampleDims = [undefined, 0, 1];

/** True for an operation, a reduction, a functor and a raw kernel: {@link explain} has kernels of each without arguments. */
export function isExplainable(fn: unknown): boolean {
  return [functorOf, reductionOf, rawKernelOf].some((find) => find(fn) !== undefined);
}

/**
 * The kernels of a reduction of contiguous tensors of any shape: over all elements, along the first or the last dimension.
 */
export function plannedReduction(
  caller: string,
  fn: unknown,
  options: ExplainOptions,
): readonly KernelRequest[] | undefined {
  const reduction = reductionOf(fn);
  if (!reduction) return undefined;
  const target = targetFor([], options);
  const elements = elementsOf(caller, reduction, options.dtypes);
  const requests = new Map<string, KernelRequest>();
  for (const rows of sampleExtents) {
    for (const columns of sampleExtents) {
      const sample = sampleView([rows, columns], elements, false);
      for (const dim of sampleDims) {
        for (const request of reduceRequests(reduction, sample, dim, target))
          requests.set(request.source, request);
      }
    }
  }
  return [...requests.values()];
}

/** The kernel that a call would launch, for a caller that reports errors under its name. */
export function plannedKernel(
  caller: string,
  fn: unknown,
  given: readonly Operand[],
  options: ExplainOptions,
): { spec: KernelSpec; target: Target } {
  const found = functorOf(fn);
  const functor = found && options.derivative ? wholeDerivative(found) : found;
  if (!functor) {
    throw new JitlabError(
      "not-explainable",
      `${caller}: ${show(fn)} is not an operation.`,
      "Pass an operation such as jl.gcd, or a function made by jl.jit or %%kernel.",
    );
  }
  const target = targetFor(given, options);
  return { spec: plannedSpec(functor, target, given, options), target };
}

/** The kernel of a functor for operands, or for placeholders without operands. */
export function plannedSpec(
  functor: Functor,
  target: Target,
  given: readonly Operand[] = [],
  options: ExplainOptions = {},
): KernelSpec {
  const operands = given.length > 0 ? given : sampleOperands(functor, options);
  const layout = classOf(functor, operands, options, target);
  const forced = { dtype: operands.length === 0 ? dtypes.float32 : undefined };
  return specOf(functor, operands, forced, layout, target);
}

/**
 * The kernel of a key that this process has loaded, such as a launch's in a recording, optionally for another architecture;
 * undefined for any other key.
 */
export function explainKey(key: string, arch?: string): Explanation | undefined {
  const loaded = requestOfKey(key);
  if (!loaded) return undefined;
  const target = arch === undefined ? loaded.target : targetOf(loaded.target.kind, arch);
  return explanationOf({ ...loaded, target }, loaded.variant.replace(/\W.*|\d.*/, ""));
}

function explanationOf(request: KernelRequest, layout: string): Explanation {
  const { target } = request;
  let code: KernelCode | undefined;
  let linked: LinkedKernel | undefined;
  const compiled = (): KernelCode => {
    code ??= fetchCode(request);
    return code;
  };
  return {
    get key() {
      return keyOf(request);
    },
    op: request.op,
    variant: request.variant,
    dtypes: request.dtypes,
    layout,
    language: target.dialect.title,
    arch: target.arch,
    source: request.source,
    get places() {
      return placedLines(request.source, request.places, request.placesAfter);
    },
    get cached() {
      return isCached(request);
    },
    get ptx() {
      return compiled().assembly;
    },
    get sass() {
      return disassemblyOf(compiled().symbol, disassembled(target, compiled()));
    },
    get linked() {
      linked ??= linkedKernel(request);
      return linked;
    },
    get resources() {
      return resourcesOf(target, compiled);
    },
  };
}

function disassembled(target: Target, code: KernelCode): string {
  if (target.disassemble) return target.disassemble(code.binary);
  throw new DeviceError(
    "no-disassembly",
    `${target.kind} code has no separate listing.`,
    "Read its assembly: .ptx or %ptx.",
  );
}

function resourcesOf(target: Target, compiled: () => KernelCode): KernelResources | undefined {
  if (!target.resources) return undefined;
  const device = openDevices().find(
    ({ target: { kind, arch } }) => kind === target.kind && arch === target.arch,
  );
  const { binary, symbol } = compiled();
  return device?.resources?.(binary, symbol) ?? target.resources(binary, symbol);
}

function targetFor(given: readonly Operand[], options: ExplainOptions): Target {
  if (options.device !== undefined) return targetOf(options.device, options.arch);
  const kind = options.arch === undefined ? undefined : kindOfArchitecture(options.arch);
  if (kind !== undefined) return targetOf(kind, options.arch);
  const tensor = given.find((operand): operand is Tensor => operand instanceof Tensor);
  const device = tensor ? tensor.device : defaultDevice();
  return options.arch === undefined ? device.target : targetOf(device.name, options.arch);
}

const candidates: readonly DTypeName[] = ["float32", "int32", "bool"];

/** The dtype of the elements to reduce: the requested one, or the first that the reduction accepts. */
function elementsOf(caller: string, reduction: Reduction, names: readonly DTypeName[] = []): DType {
  const [dtype = dtypes[acceptedBy(reduction)], ...surplus] = names.map((name) => dtypeOf(name));
  if (surplus.length === 0) return dtype;
  throw new JitlabError(
    "argument-count",
    `${caller}: ${reduction.name} reduces one tensor, but ${names.length} dtypes were given: ${names.join(", ")}.`,
    "Pass at most one dtype.",
  );
}

/** The first dtype that a reduction accepts. */
function acceptedBy(reduction: Reduction): DTypeName {
  return candidates.find((name) => !("refuse" in reduction.plan(dtypes[name]))) ?? "float32";
}

/** Placeholders for inputs of the requested dtypes; rendering uses only their dtypes and shapes. */
function sampleOperands(functor: Functor, options: ExplainOptions): Operand[] {
  const names = options.dtypes ?? [];
  const accepted = candidates.find((name) => !("refuse" in functor.resolve(dtypes[name]))) ?? "float32";
  const count = functor.inputs.length;
  if (names.length > 1 && names.length !== count) {
    throw new JitlabError(
      "argument-count",
      `${functor.name} has ${count} inputs, but ${names.length} dtypes were given: ${names.join(", ")}.`,
      "Pass one dtype for all inputs, or one for each.",
    );
  }
  const rank = layoutRank(options.layout ?? "contiguous");
  const shape = rank === 0 ? [1024] : Array.from({ length: rank }, () => 4);
  return functor.inputs.map((type, i) => {
    const named = names.length > 1 ? names[i] : names[0];
    const dtype = type === "T" ? dtypeOf(named ?? accepted) : type;
    return sampleView(shape, dtype, rank > 0);
  });
}

function layoutRank(layout: string): number {
  const match = /^(?:(contiguous)|strided(\d*))$/.exec(layout);
  const rank = match?.[1] ? 0 : Number(match?.[2] || "2");
  if (match && rank <= 16) return rank;
  throw new JitlabError(
    "unknown-layout",
    `Unknown layout ${JSON.stringify(layout)}.`,
    "The layouts are contiguous and strided1 to strided16.",
  );
}

function sampleView(shape: readonly number[], dtype: DType, spread: boolean): View {
  // Every other element of a larger block: no two dimensions merge and none is dense.
  const strides = contiguousStrides(shape.map((extent) => extent * (spread ? 2 : 1))).map(
    (s) => s * (spread ? 2 : 1),
  );
  const geometry = { shape, strides, dtype, size: sizeOf(shape), isContiguous: !spread };
  // Without a device: rendering uses addresses, not memory.
  return { pointer: 0, device: undefined, ...geometry } as unknown as View;
}

function classOf(
  functor: Functor,
  operands: readonly Operand[],
  options: ExplainOptions,
  target: Target,
): LayoutClass {
  const views = operands.filter(isView);
  const nest = nestOf(functor, views, { shape: views.length === 0 ? [1024] : undefined });
  return layoutClass(
    options.layout === "contiguous" ? { ...nest, rank: 0 } : nest,
    views,
    target.dialect.gpu !== undefined,
  );
}
