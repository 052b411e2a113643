// The device boundary, cut by resource: memory, compilation, launching. A device is a folder beside this file;
// nothing outside that folder asks which device it has.
import type { Dialect } from "../codegen/dialect.js";

/** The families of devices. */
export type DeviceKind = "cuda" | "cpu" | "wasm";

/**
 * Plain data that names a compiler: enough to make a cache key without loading it, and for a worker thread to load it.
 */
export interface CompilerSpec {
  /** `"nvrtc"`, `"c++"`, `"clang-wasm"`. */
  readonly name: string;
  /** URL of the module whose `createCompiler(spec)` returns a Compiler; imported in the compile service's worker. */
  readonly module: string;
  /** The library to load or the program to run, as an absolute path. */
  readonly path: string;
  /** Real path, size and modification time of that file, and whatever else changes its output: part of the key. */
  readonly identity: string;
}

/** One compiler invocation. Several kernels may share one source. */
export interface CompileRequest {
  readonly source: string;
  /** The flags in effect, architecture included: part of the key. */
  readonly flags: readonly string[];
  /** Shown in the log as the file's name. */
  readonly name: string;
}

/** What a successful compile gives. */
export interface CompileOutput {
  /** Loadable code: a cubin (or PTX for the driver), a shared object, a wasm module. */
  readonly binary: Uint8Array;
  /** The assembly of the same compile as text: PTX, or the host's assembly; empty where it has to be asked for. */
  readonly assembly: string;
  /** Warnings, registers used. */
  readonly log: string;
}

/**
 * Turns source into loadable code; lives in the compile service's worker. Throws CompileError with the compiler's log. Stops
 * early where it can when `signal` aborts.
 */
export interface Compiler {
  compile(request: CompileRequest, signal?: AbortSignal): CompileOutput | Promise<CompileOutput>;
}

/** What a kernel needs of the processors that run it; the fields that only a device knows are absent without one. */
export interface KernelResources {
  /** Registers of one thread. */
  readonly registers: number;
  /** Bytes of shared memory of one block. */
  readonly sharedBytes: number;
  /** Bytes of memory that one thread has for what does not fit into its registers. */
  readonly localBytes: number;
  /** Threads that a multiprocessor runs at once, of those that it could. */
  readonly occupancy?: { readonly threads: number; readonly of: number };
}

/** What code is generated and compiled for. Needs no device, only (when it compiles) the compiler. */
export interface Target {
  readonly kind: DeviceKind;
  readonly dialect: Dialect;
  /** The architecture: `sm_90`, `x86-64` with the CPU's feature flags hashed, `wasm32`. */
  readonly arch: string;
  /** Looked for when it is first read; throws DeviceError where there is none. */
  readonly compiler: CompilerSpec;
  /** Compiler flags in effect for this target. */
  readonly flags: readonly string[];
  /** The flag among `flags` that forbids contraction of a*b+c, and the one that takes its place where a functor opts in. */
  readonly contraction: { readonly off: string; readonly on: string };
  /**
   * How many kernels one run of the compiler should hold at most when many are compiled: more where its start costs much;
   * few, because a call loads all of them to run one.
   */
  readonly kernelsPerRun: number;
  /** The flag that asks the compiler for assembly instead of code, where one run does not make both. */
  readonly listingFlag?: string;
  /** Machine code as text, where a tool prints it; throws DeviceError that says what to install. */
  readonly disassemble?: (binary: Uint8Array) => string;
  /** What a kernel needs, as its compiled code tells; undefined where that tells nothing. */
  readonly resources?: (binary: Uint8Array, symbol: string) => KernelResources | undefined;
}

/** The bytes that a launch passes to a kernel: written by dispatch, read by the program. */
export interface ArgumentBlock {
  /** Address of the first byte, for the device's launcher. */
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i64: BigInt64Array;
}

/** How a kernel divides its elements among threads; fixed when it is rendered. */
export interface LaunchShape {
  /** Threads of one block; 1 where the device has no blocks. */
  readonly threads: number;
  /** Elements that one thread handles; without blocks, the number of which each share's start is a multiple. */
  readonly perThread: number;
}

/** A loaded kernel. */
export interface Program {
  /** Runs the kernel over `count` elements with the arguments in `block`; returns when queued (cuda) or done (cpu). */
  launch(block: ArgumentBlock, count: number): void;
  /** Frees the loaded code once no launch uses it. */
  unload(): void;
}

/** Raw device memory. Addresses are integers below 2^53; `allocate` throws `out-of-memory` naming the sizes. */
export interface Allocator {
  allocate(bytes: number): number;
  free(pointer: number): void;
}

/** A point in the device's queue, for device times. */
export interface Mark {
  /** Milliseconds of device time from `earlier` to this mark; waits for this mark to be reached. */
  since(earlier: Mark): number;
  /** Frees the mark. */
  release(): void;
}

/** Launches that were put together once and are queued as one. */
export interface ComposedWork {
  launch(): void;
  /** Frees it, once what was queued is done. */
  release(): void;
}

/** One device, opened. */
export interface Device {
  /** `"cuda:0"`, `"cpu"`, `"wasm"`. */
  readonly name: string;
  /** A small integer, unique among opened devices, for keys. */
  readonly id: number;
  readonly target: Target;
  readonly allocator: Allocator;
  /** A block of exactly `bytes` bytes (a multiple of 8), zeroed, 16-byte aligned, that lives as long as the process. */
  createBlock(bytes: number): ArgumentBlock;
  /** Loads one kernel of compiled code. Throws DeviceError when the code is refused. */
  load(binary: Uint8Array, symbol: string, shape: LaunchShape): Program;
  /** What a kernel needs of this device, and how many of its threads that lets run at once. */
  resources?(binary: Uint8Array, symbol: string): KernelResources;
  /** Copies host bytes to the device; done on return. */
  write(pointer: number, bytes: Uint8Array): void;
  /** Copies device bytes to the host after all queued work; done on return. */
  read(pointer: number, bytes: Uint8Array): void;
  /** Copies from another device without the host, after the work queued on both; false where that cannot be. */
  receive?(to: number, source: Device, from: number, bytes: number): boolean;
  /** Copies between two addresses of this device, in queue order. */
  copy(to: number, from: number, bytes: number): void;
  /** The memory itself as an ArrayBuffer, on devices that share the host's address space; undefined elsewhere. */
  hostView(pointer: number, bytes: number): ArrayBuffer | undefined;
  /** The address of JavaScript's own memory, on devices that compute in the host's address space. */
  addressOf?(memory: ArrayBufferView): number;
  /** Waits for all queued work; throws DeviceError where a kernel failed. */
  synchronize(): void;
  /** Puts the launches that `queue` makes together instead of running them, where the device's queue can do that. */
  compose?(queue: () => void): ComposedWork;
  /** Puts a mark into the queue. */
  mark(): Mark;
  /** Totals of the device's memory in bytes. */
  memory(): { free: number; total: number };
}

/** What a probe found: the devices of one kind, or why there is none. */
export interface Probe {
  readonly devices: readonly { readonly name: string; readonly description: string }[];
  /** Why there is no device, and what to do; empty when there is one. */
  readonly reason: string;
}

/** One device family: the value that its folder exports. */
export interface Backend {
  readonly kind: DeviceKind;
  /** Looks for devices without opening one; never throws. */
  probe(): Probe;
  /** Opens device `index`; throws DeviceError that says what is missing and how to install it. */
  open(index: number): Device;
  /** The target for an architecture (default: the device's own, or a common one where there is no device). */
  target(arch?: string): Target;
}
