// The device boundary, cut by resource: memory, compilation, launching. A device is a folder next to this file; code outside
// of that folder never tests which device it has.
import type { DTypeName } from "../base/dtype.js";
import type { ConvolutionLibrary } from "./convolution-library.js";
import type { Dialect } from "./dialect.js";
import type { DeviceKind } from "./kinds.js";
import type { ArgumentBlock, BlockConfig, LoadedCode } from "./loaded-code.js";
import type { MatrixLibrary } from "./matrix-library.js";

export type { MatrixLibrary } from "./matrix-library.js";

/** Plain data that identifies a compiler: enough for a cache key without loading it, and for a worker thread to load it. */
export interface CompilerSpec {
  /** `"nvrtc"`, `"c++"`, `"clang-wasm"`. */
  readonly name: string;
  /** URL of the module whose `createCompiler(spec)` returns a Compiler; imported in the compile service's worker. */
  readonly module: string;
  /** The library to load or the program to run, as an absolute path. */
  readonly path: string;
  /** Its identity, independent of its path: a fingerprint of its content, or its version; part of the key. */
  readonly identity: string;
  /** How many texts it compiles at once in one worker. */
  readonly textsAtOnce: number;
  /** Workers for further texts: processes if its threads block each other, threads if they share loaded code. */
  readonly further: "threads" | "processes";
}

/** One compiler run. Several kernels may share one source. */
export interface CompileRequest {
  readonly source: string;
  /** The flags in effect, architecture included: part of the key. */
  readonly flags: readonly string[];
  /** The file name in the log. */
  readonly name: string;
  /** A kernel's C++ name, such as `scale<float>`, which is instantiated and whose mangled name is returned. */
  readonly expression?: string | undefined;
  /** True if the compiler may leave out slow optimizations, which gain nothing for this kernel. */
  readonly quick?: boolean | undefined;
}

/** The result of a successful compile. */
export interface CompileOutput {
  /** Loadable code: a cubin (or PTX for the driver), a shared object, a wasm module. */
  readonly binary: Uint8Array;
  /** The assembly of the same compile as text: PTX, or the host's; empty if it needs another run. */
  readonly assembly: string;
  /** Warnings, registers used. */
  readonly log: string;
  /** The mangled name of the kernel that the request names by an expression. */
  readonly symbol?: string;
}

/**
 * Turns source into loadable code; lives in the compile service's worker. Throws CompileError with the compiler's log. Stops
 * early if possible when `signal`, an AbortSignal, aborts; its type is omitted because not every TypeScript library declares
 * it. `beside` says that the thread has other texts to compile, which this one must not delay.
 */
export interface Compiler {
  compile(
    request: CompileRequest,
    signal?: { readonly aborted: boolean },
    beside?: boolean,
  ): CompileOutput | Promise<CompileOutput>;
  /** Does the one-time work of the first compile in advance, without blocking the thread. */
  prepare?(): Promise<unknown>;
}

/** Resources of a kernel; fields that need a device are absent without one. */
export interface KernelResources {
  /** Registers per thread. */
  readonly registers: number;
  /** Bytes of shared memory per block. */
  readonly sharedBytes: number;
  /** Bytes of local memory per thread, for values that do not fit into registers. */
  readonly localBytes: number;
  /** Threads that a multiprocessor runs at once, and its maximum. */
  readonly occupancy?: { readonly threads: number; readonly of: number };
}

/** A target of code generation and compiling. Needs no device, and a compiler only to compile. */
export interface Target {
  readonly kind: DeviceKind;
  readonly dialect: Dialect;
  /** The architecture: `sm_90`, `x86-64` with the CPU's feature flags hashed, `wasm32`. */
  readonly arch: string;
  /** Searched when first read; throws DeviceError if missing. */
  readonly compiler: CompilerSpec;
  /** Compiler flags in effect for this target. */
  readonly flags: readonly string[];
  /** The flag among `flags` that disables contraction of a*b+c, and its replacement if a functor opts in. */
  readonly contraction: { readonly off: string; readonly on: string };
  /**
   * The maximum number of kernels per compiler run. More are worthwhile if the compiler starts slowly; fewer because a call
   * loads all of them to run one.
   */
  readonly kernelsPerRun: number;
  /** The most bytes of a launch's arguments. */
  readonly argumentBytes: number;
  /** How many blocks of a launch surely run at the same time, so that they may wait for each other; undefined if none may. */
  readonly blocksTogether?: number | undefined;
  /** The flag for assembly instead of code, if one run does not make both. */
  readonly listingFlag?: string;
  /** The flags for line information, which change no code. */
  readonly lineFlags?: readonly string[];
  /**
   * Machine code as text, if a tool prints it, with the lines of the source if there is information about them; throws
   * DeviceError with the install command.
   */
  readonly disassemble?: (binary: Uint8Array, lines?: boolean) => string;
  /** Resources recorded in the compiled code; undefined without any. */
  readonly resources?: (binary: Uint8Array, symbol: string) => KernelResources | undefined;
}

/** Raw device memory. Addresses are integers below 2^53; `allocate` throws `out-of-memory` naming the sizes. */
export interface Allocator {
  /** The unit of requests that are divided into blocks, if one large request costs less than several small ones. */
  readonly segmentBytes?: number;
  allocate(bytes: number): number;
  free(pointer: number): void;
}

/** A point in the device's queue, for device times. */
export interface Mark {
  /** Milliseconds of device time from `earlier` to this mark; waits for this mark. */
  since(earlier: Mark): number;
  /** Waits for this mark. */
  wait(): void;
  /** Frees the mark. */
  release(): void;
}

/** Launches that are queued as one. */
export interface ComposedWork {
  launch(): void;
  /** Frees it after the queued work is done. */
  release(): void;
}

/** A device's helper code: C++ text that exports `symbol`. */
export interface Helper {
  readonly name: string;
  readonly symbol: string;
  readonly source: string;
}

/** The layout of a product's factor. */
export interface FactorForm {
  /** True if the elements of a column are adjacent, not those of a row. */
  readonly transposed: boolean;
  /** Elements from one row, or column, to the next. */
  readonly leading: number;
  /** Elements from a matrix of the batch to the next. */
  readonly batchStride: number;
}

/** A batch of matrix products for a library; the results are contiguous and row-major. */
export interface ProductForm {
  readonly dtype: DTypeName;
  readonly batch: number;
  readonly rows: number;
  readonly columns: number;
  readonly inner: number;
  readonly left: FactorForm;
  readonly right: FactorForm;
  /** The alignment of all addresses in bytes, up to 256. */
  readonly alignment: number;
}

/** A vendor's library of matrix products. */
export interface ProductLibrary {
  /** Its name and version, such as `OpenBLAS 0.3.31`. */
  readonly name: string;
  readonly path: string;
  /** The dtypes that it multiplies. */
  readonly dtypes: readonly DTypeName[];
  /** Code for products of a form, with the addresses of result, left and right as arguments; undefined if unsupported. */
  load(form: ProductForm): LoadedCode | undefined;
}

/** Fourier transforms along all dimensions but the first of a contiguous `[batch, lengths...]`, without a factor. */
export interface TransformForm {
  /** What goes in and comes out. Of real numbers' spectrum, the last dimension has the first half. */
  readonly kind: "complex" | "real to complex" | "complex to real";
  /** The dtype of the complex numbers. */
  readonly dtype: DTypeName;
  readonly batch: number;
  /** The lengths of the dimensions that are not cut to half. */
  readonly lengths: readonly number[];
  readonly isInverse: boolean;
}

/** A transform that is ready to run. */
export interface TransformCode {
  /** The bytes that it works in. */
  readonly workBytes: number;
  /** Its arguments are the addresses of the result, of the input, which it may overwrite, and of the memory to work in. */
  readonly code: LoadedCode;
}

/** A library of Fourier transforms. */
export interface TransformLibrary {
  /** Its name and version. */
  readonly name: string;
  readonly path: string;
  /** The most dimensions that it transforms at once. */
  readonly mostDims: number;
  load(form: TransformForm): TransformCode;
}

/** Services of higher layers, passed to a device when it is opened. */
export interface DeviceServices {
  /** Returns the compiled code of a helper, from the cache if stored. */
  build(helper: Helper, target: Target): Uint8Array;
  /** Starts the target's compiler without waiting, if compiles are likely. */
  prepare(target: Target): void;
  /** Unloads unused kernels; their next calls load them again. */
  unload(): void;
}

/** One device, opened. */
export interface Device {
  /** `"cuda:0"`, `"cpu"`, `"wasm"`. */
  readonly name: string;
  /** A small integer for keys, unique among open devices. */
  readonly id: number;
  readonly target: Target;
  /** Besides the architecture, what times depend on: the model and its driver, or the number of threads. */
  readonly model: string;
  readonly services: DeviceServices;
  readonly allocator: Allocator;
  /** A block of exactly `bytes` bytes (a multiple of 8), zeroed and 16-byte aligned. */
  createBlock(bytes: number): ArgumentBlock;
  /** Loads one kernel of compiled code; errors of its launches show `userText`. Throws DeviceError when the code is refused. */
  load(binary: Uint8Array, symbol: string, userText?: string): LoadedCode;
  /** The matrix product library, opened at the first call; undefined if there is none. Throws if it is damaged. */
  products?(): ProductLibrary | undefined;
  /** The library of factorizations, opened at the first call; undefined if there is none. Throws if it is damaged. */
  matrices?(): MatrixLibrary | undefined;
  /** The library of Fourier transforms, opened at the first call; undefined if there is none. Throws if it is damaged. */
  transforms?(): TransformLibrary | undefined;
  /** The library of convolutions, opened at the first call; undefined if there is none. Throws if it is damaged. */
  convolutions?(): ConvolutionLibrary | undefined;
  /** Resources of a kernel on this device, with its occupancy in its largest blocks, or in the given ones. */
  resources?(binary: Uint8Array, symbol: string, config?: BlockConfig): KernelResources;
  /** Copies host bytes to the device; done on return. */
  write(pointer: number, bytes: Uint8Array): void;
  /** Copies device bytes to the host after all queued work; done on return. */
  read(pointer: number, bytes: Uint8Array): void;
  /** Copies from another device without the host, after the work queued on both; false if unsupported. */
  receive?(to: number, source: Device, from: number, bytes: number): boolean;
  /** Copies between two addresses of this device, in queue order. */
  copy(to: number, from: number, bytes: number): void;
  /** The memory as an ArrayBuffer, on devices that share the host's address space; undefined elsewhere. */
  hostView(pointer: number, bytes: number): ArrayBuffer | undefined;
  /** The address of JavaScript memory, on devices that compute in the host's address space. */
  addressOf?(memory: ArrayBufferView): number;
  /** A word of the host's memory that kernels write through its address, on devices with memory of their own; never freed. */
  hostWord?(): { readonly pointer: number; readonly word: Int32Array };
  /** Waits for all queued work; throws DeviceError if a kernel failed. */
  synchronize(): void;
  /** Captures the launches of `queue` instead of running them, if the device supports it. */
  compose?(queue: () => void): ComposedWork;
  /**
   * The same, of launches that are repeated: each time the word at `counter` is increased by one, and they are launched again while the
   * byte at `goesOn` is not 0 and the counter is below the word behind it. Undefined where the driver has no such work.
   */
  composeLoop?(queue: () => void, goesOn: number, counter: number): ComposedWork | undefined;
  /** Puts a mark into the queue. */
  mark(): Mark;
  /** Totals of the device's memory in bytes. */
  memory(): { free: number; total: number };
}

/** The result of a probe: the devices of one family, or why there is none. */
export interface Probe {
  readonly devices: readonly { readonly name: string; readonly description: string }[];
  /** Why there is no device, and the remedy; empty if there is one. */
  readonly reason: string;
}

/** One device family: the value that its folder exports. */
export interface DeviceFamily {
  readonly kind: DeviceKind;
  /** Searches for devices without opening one; never throws. */
  probe(): Probe;
  /** Opens device `index`; throws DeviceError with the missing part and how to install it. */
  open(index: number, services: DeviceServices): Device;
  /** True if opening a device makes a warm-up call, because a process's first call is slow. */
  readonly warmsUp: boolean;
  /** True if the device computes in the host's memory, so that tensors can share it with typed arrays. */
  readonly sharesMemory: boolean;
  /** The path of the matrix product library; throws DeviceError with the install command. */
  productLibrary?(): string;
  /** The name and path of the library of factorizations; throws DeviceError with the install command. */
  matrixLibrary?(): string;
  /** The same of the library of Fourier transforms. */
  transformLibrary?(): string;
  /** The same of the library of convolutions. */
  convolutionLibrary?(): string;
  /** The library of factorizations in the host's memory, without opening a device; as {@link Device.matrices}. */
  hostMatrices?(): MatrixLibrary | undefined;
  /** The pattern of its architectures' names, if they identify the family. */
  readonly architectures?: RegExp;
  /** The target for an architecture (default: the device's, or a common one without a device). */
  target(arch?: string): Target;
}
