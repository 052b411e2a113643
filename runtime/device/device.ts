// The device boundary, cut by resource: memory, compilation, launching. A device is a folder beside this file;
// nothing outside that folder asks which device it has.
import type { DTypeName } from "../base/dtype.js";
import type { Dialect } from "./dialect.js";
import type { DeviceKind } from "./kinds.js";

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
  /** What it is, wherever its file lies: a fingerprint of its content, or its version; part of the key. */
  readonly identity: string;
}

/** One compiler invocation. Several kernels may share one source. */
export interface CompileRequest {
  readonly source: string;
  /** The flags in effect, architecture included: part of the key. */
  readonly flags: readonly string[];
  /** Shown in the log as the file's name. */
  readonly name: string;
  /** A kernel as C++ names it, such as `scale<float>`, which is instantiated and whose name in the code is told. */
  readonly expression?: string | undefined;
}

/** What a successful compile gives. */
export interface CompileOutput {
  /** Loadable code: a cubin (or PTX for the driver), a shared object, a wasm module. */
  readonly binary: Uint8Array;
  /** The assembly of the same compile as text: PTX, or the host's; empty where it needs another run. */
  readonly assembly: string;
  /** Warnings, registers used. */
  readonly log: string;
  /** The name in the code of the kernel that the request names by an expression. */
  readonly symbol?: string;
}

/**
 * Turns source into loadable code; lives in the compile service's worker. Throws CompileError with the compiler's log. Stops
 * early where it can when `signal`, an AbortSignal, aborts; that type is left to those whose libraries declare it.
 */
export interface Compiler {
  compile(
    request: CompileRequest,
    signal?: { readonly aborted: boolean },
  ): CompileOutput | Promise<CompileOutput>;
}

/** Resources that a kernel takes; fields that only a device knows are absent without one. */
export interface KernelResources {
  /** Registers of one thread. */
  readonly registers: number;
  /** Bytes of shared memory of one block. */
  readonly sharedBytes: number;
  /** Bytes of local memory of one thread, for what does not fit into its registers. */
  readonly localBytes: number;
  /** Threads that a multiprocessor runs at once, and how many it could. */
  readonly occupancy?: { readonly threads: number; readonly of: number };
}

/** What code is generated and compiled for. Needs no device, and a compiler only to compile. */
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
   * The most kernels in one run of the compiler. A compiler that starts slowly takes more; a call loads all of them to run
   * one, so few are better.
   */
  readonly kernelsPerRun: number;
  /** The flag that asks the compiler for assembly instead of code, where one run does not make both. */
  readonly listingFlag?: string;
  /** Machine code as text, where a tool prints it; throws DeviceError that says what to install. */
  readonly disassemble?: (binary: Uint8Array) => string;
  /** Resources as the compiled code states them; undefined where it states none. */
  readonly resources?: (binary: Uint8Array, symbol: string) => KernelResources | undefined;
}

/** The bytes that a launch passes to a kernel: written by dispatch, read by the loaded code. */
export interface ArgumentBlock {
  /** Address of the first byte, for the device's launcher. */
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i64: BigInt64Array;
  /** Frees the block, which no launch reads any more. */
  release(): void;
}

/** How one launch is divided among threads. */
export interface LaunchConfig {
  /** Blocks along each dimension of the grid. A device without a grid runs the range from 0 to x. */
  readonly grid: readonly [x: number, y: number, z: number];
  /** Threads along each dimension of a block. A device without a grid cuts its range at multiples of x. */
  readonly block: readonly [x: number, y: number, z: number];
  /** Shared memory of each block beyond what the kernel declares. */
  readonly sharedBytes: number;
  /** True where all blocks run at the same time, so that they may wait for each other. */
  readonly cooperative?: boolean;
}

/** What a loaded kernel can be launched with on its device. */
export interface LaunchLimits {
  /** The most threads of one block: registers and the kernel's own bounds decide. */
  readonly threads: number;
  /** The most shared memory of a block beyond what the kernel declares. */
  readonly sharedBytes: number;
  /** How many blocks run at the same time on the whole device; 0 where it launches nothing cooperatively. */
  together(threads: number, sharedBytes: number): number;
}

/** The blocks of a launch. */
export interface BlockConfig {
  readonly threads: number;
  readonly sharedBytes: number;
}

/** Compiled code that a device has loaded, and its one kernel. */
export interface LoadedCode {
  /** Runs the kernel with the arguments in `block`; returns when queued (cuda) or done (cpu, wasm). */
  launch(block: ArgumentBlock, config: LaunchConfig): void;
  /** What it can be launched with, on devices with a grid. */
  limits?(): LaunchLimits;
  /** Writes a variable of the code by its name; returns its size in bytes, and writes nothing where that is another one. */
  writeVariable?(name: string, bytes: Uint8Array): number | undefined;
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

/** Launches that are queued as one. */
export interface ComposedWork {
  launch(): void;
  /** Frees it after the queued work is done. */
  release(): void;
}

/** A device's own code: C++ text that exports `symbol`. */
export interface Helper {
  readonly name: string;
  readonly symbol: string;
  readonly source: string;
}

/** How a factor of a product lies in memory. */
export interface FactorForm {
  /** True where elements of a column lie side by side, not those of a row. */
  readonly transposed: boolean;
  /** Elements from one row, or column, to the next. */
  readonly leading: number;
  /** Elements from a matrix of the batch to the next. */
  readonly apart: number;
}

/** A batch of matrix products of which a library is asked; the results lie side by side, row after row. */
export interface ProductForm {
  readonly dtype: DTypeName;
  readonly batch: number;
  readonly rows: number;
  readonly columns: number;
  readonly inner: number;
  readonly left: FactorForm;
  readonly right: FactorForm;
  /** Bytes to a multiple of which all addresses lie, up to 256. */
  readonly alignment: number;
}

/** A vendor's library of matrix products. */
export interface ProductLibrary {
  /** Its name and version, such as `OpenBLAS 0.3.31`. */
  readonly name: string;
  readonly path: string;
  /** The dtypes that it multiplies. */
  readonly dtypes: readonly DTypeName[];
  /** Products of a form as code whose arguments are the addresses of result, left and right; undefined where it has none. */
  load(form: ProductForm): LoadedCode | undefined;
}

/** What a device is given when it is opened: services of the layers above it. */
export interface DeviceServices {
  /** Returns the compiled code of a helper, from the cache where it is there. */
  build(helper: Helper, target: Target): Uint8Array;
  /** Starts the target's compiler without waiting, where kernels are likely to be compiled. */
  prepare(target: Target): void;
  /** Unloads the kernels that nothing holds; the next call of each loads it again. */
  unload(): void;
}

/** One device, opened. */
export interface Device {
  /** `"cuda:0"`, `"cpu"`, `"wasm"`. */
  readonly name: string;
  /** A small integer, unique among opened devices, for keys. */
  readonly id: number;
  readonly target: Target;
  /** What times depend on beside the architecture: the model and its driver, or the number of threads. */
  readonly model: string;
  readonly services: DeviceServices;
  readonly allocator: Allocator;
  /** A block of exactly `bytes` bytes (a multiple of 8), zeroed and 16-byte aligned. */
  createBlock(bytes: number): ArgumentBlock;
  /** Loads one kernel of compiled code; errors of its launches show `userText`. Throws DeviceError when the code is refused. */
  load(binary: Uint8Array, symbol: string, userText?: string): LoadedCode;
  /** The library of matrix products, opened at the first call; undefined where there is none. Throws where it is damaged. */
  products?(): ProductLibrary | undefined;
  /** Resources of a kernel on this device, with its occupancy: in the largest blocks that it takes, or in the given ones. */
  resources?(binary: Uint8Array, symbol: string, config?: BlockConfig): KernelResources;
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
  /** Collects the launches that `queue` makes instead of running them, where the device's queue can. */
  compose?(queue: () => void): ComposedWork;
  /** Puts a mark into the queue. */
  mark(): Mark;
  /** Totals of the device's memory in bytes. */
  memory(): { free: number; total: number };
}

/** The result of a probe: the devices of one kind, or why there is none. */
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
  open(index: number, services: DeviceServices): Device;
  /** True where the first call of a process takes so long that one is made while a device is opened. */
  readonly warmsUp: boolean;
  /** True where a device computes in the host's memory, so that tensors can share it with typed arrays. */
  readonly sharesMemory: boolean;
  /** Where the library of matrix products is; throws DeviceError that says how to install one. */
  productLibrary?(): string;
  /** The form of its architectures' names, where they identify the family. */
  readonly architectures?: RegExp;
  /** The target for an architecture (default: the device's own, or a common one where there is no device). */
  target(arch?: string): Target;
}
