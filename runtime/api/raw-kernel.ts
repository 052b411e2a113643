// jl.rawKernel: an unchanged CUDA kernel, called with its grid and its arguments.
import { optionsOf, textOf } from "../base/arguments.js";
import type { TypedArray } from "../base/dtype.js";
import { CompileError, isArray, JitlabError, show } from "../base/errors.js";
import type { KernelResources } from "../device/device.js";
import { openDevices, targetOf } from "../launch/devices.js";
import { explainCompileError } from "../launch/functor-error.js";
import { fetchCode, type KernelRequest } from "../launch/obtain.js";
import type { RawLaunch } from "../raw/launch-shape.js";
import { RawCode, type RawOptions } from "../raw/raw-kernel.js";
import type { Tensor } from "../tensor/tensor.js";

/** Options for compiling a raw kernel's text. */
export type RawKernelOptions = RawOptions;

/** An argument of a raw kernel: a tensor, or null, for a pointer; a number or a boolean; a typed array for a struct. */
export type RawArgument = Tensor | number | bigint | boolean | ArrayBufferView | null;

/** A function made by jl.rawKernel: call it with the launch, then the arguments in the order of the declaration. */
export interface RawKernel<A extends readonly RawArgument[] = readonly RawArgument[]> {
  (launch: RawLaunch, ...args: A): void;
  readonly name: string;
  /** The kernel's text. */
  readonly source: string;
  /** Compiles it, optionally for an architecture such as `sm_90`; throws CompileError that points at the line. */
  check(arch?: string): void;
  /** Fills declared constant memory. */
  setConstant(name: string, values: TypedArray): void;
  /** Registers and memory; on a GPU also its occupancy, in its largest blocks or in those of a launch. */
  resources(config?: { readonly threads: number; readonly shared?: number }): KernelResources | undefined;
  /** Frees its loaded code; the next call loads it from the cache. */
  unload(): void;
}

const codes = new WeakMap<object, RawCode>();

/** The raw kernel of a function made by jl.rawKernel; undefined for other values. */
export function rawKernelOf(fn: unknown): RawCode | undefined {
  return typeof fn === "function" ? codes.get(fn) : undefined;
}

/**
 * A CUDA kernel from its text: the function `name` with `__global__`, launched unchanged. Pointers to constant elements take
 * tensors that it reads, other pointers tensors that it writes. Runs on GPUs only.
 *
 * @example jl.rawKernel("__global__ void count(int* x) { x[threadIdx.x] = threadIdx.x; }", "count")({ grid: 1, block: 3 }, jl.zeros([3], { dtype: "int32" })) // undefined
 */
export function rawKernel<A extends readonly RawArgument[] = readonly RawArgument[]>(
  source: string,
  name: string,
  given?: RawKernelOptions,
): RawKernel<A> {
  const options = optionsOf("rawKernel", given, ["templates", "flags", "place"]);
  checkList("templates", options.templates, ["string", "number", "boolean"]);
  checkList("flags", options.flags, ["string"]);
  const code = new RawCode(
    textOf("rawKernel", "the kernel's text", source),
    textOf("rawKernel", "the kernel's name", name),
    options,
  );
  const call = (launch: RawLaunch, ...args: readonly unknown[]): void =>
    explained(code, () => code.launch(launch, args));
  Object.defineProperties(call, {
    name: { value: code.name },
    source: { value: source, enumerable: true },
    check: {
      value: (arch?: string) => explained(code, () => void fetchCode(code.request(targetOf("cuda", arch)))),
    },
    setConstant: { value: (variable: string, values: TypedArray) => code.setConstant(variable, values) },
    resources: {
      value: (config?: { threads: number; shared?: number }) => {
        const device = openDevices().find(({ target }) => target.kind === "cuda");
        const blocks = config && { threads: config.threads, sharedBytes: config.shared ?? 0 };
        return explained(code, () => code.resources(device, device?.target ?? targetOf("cuda"), blocks));
      },
    },
    unload: { value: () => code.unload() },
  });
  codes.set(call, code);
  return call as unknown as RawKernel<A>;
}

function checkList(name: string, list: unknown, types: readonly string[]): void {
  if (list === undefined) return;
  if (isArray(list) && list.every((one) => types.includes(typeof one))) return;
  throw new JitlabError(
    "bad-argument",
    `rawKernel: ${name} is ${show(list)}.`,
    `Pass a list of ${types.join("s, ")}s.`,
  );
}

function explained<T>(code: RawCode, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof CompileError ? explainRaw(code, error) : error;
  }
}

/** A compile error in the lines of the kernel's text. */
export function explainRaw({ name, source, options }: RawCode, error: CompileError): CompileError {
  return explainCompileError({ name, place: options.place, text: () => source }, error);
}

/** The request of a raw kernel for a device or an architecture; default: a GPU of this machine. */
export function requestOfRaw(
  code: RawCode,
  { device = "cuda", arch }: { readonly device?: string; readonly arch?: string },
): KernelRequest {
  return code.request(arch === undefined ? targetOf(device) : targetOf("cuda", arch));
}
