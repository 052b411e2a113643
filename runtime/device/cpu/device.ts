// The processor as a device: memory from the C library, kernels as shared objects, large launches spread over the cores by
// pool.cpp. A launch has run when it returns, so there is no queue.
import { availableParallelism, cpus, freemem, totalmem } from "node:os";
import { DeviceError, JitlabError } from "../../base/errors.js";
import { argumentBlock } from "../argument-blocks.js";
import type { ConvolutionLibrary } from "../convolution-library.js";
import type { Device, DeviceFamily, DeviceServices, Mark, ProductLibrary, Target } from "../device.js";
import { ffi, type TypeObject } from "../ffi.js";
import type { ArgumentBlock, LoadedCode } from "../loaded-code.js";
import type { MatrixLibrary } from "../matrix-library.js";
import { processorModel } from "../processor.js";
import { getNumThreads } from "../thread-count.js";
import { openBlas, probeBlas } from "./blas.js";
import { processorConvolutions } from "./convolutions.js";
import { faultGuard } from "./faults.js";
import { openLapack, probeLapack } from "./lapack.js";
import { libc, openShared } from "./libc.js";
import { poolOf } from "./pool.js";
import { compilerHelp, findCompiler, hostTarget } from "./toolchain.js";

// Below this many elements the pool would run the kernel on the calling thread anyway.
const inlineCount = 2048;
const cacheLine = 64;
const hugePage = 2 ** 21;
const checkedFrom = 2 ** 26;
const MADV_HUGEPAGE = 14;

type Kernel = (args: number, begin: number, end: number) => void;

let kernelType: TypeObject | undefined;

/** The family of the host's processor. */
export const cpuFamily: DeviceFamily = {
  kind: "cpu",
  probe: () => {
    const found = findCompiler();
    if (found.path === "") return { devices: [], reason: `${found.reason} ${compilerHelp}` };
    const model = cpus()[0]?.model.trim() || process.arch;
    return {
      devices: [{ name: "cpu", description: `${model}, ${availableParallelism()} threads, ${found.path}` }],
      reason: "",
    };
  },
  warmsUp: false,
  sharesMemory: true,
  productLibrary: probeBlas,
  matrixLibrary: probeLapack,
  hostMatrices: openLapack,
  open: (index, services) => {
    if (index === 0) return new CpuDevice(hostTarget(), services);
    throw new DeviceError("no-device", `There is one cpu device, "cpu"; "cpu:${index}" was asked for.`);
  },
  target: (arch) => {
    const own = hostTarget();
    if (arch === undefined || arch === own.arch) return own;
    throw new JitlabError(
      "unknown-architecture",
      `The cpu device compiles for this machine's processor (${own.arch}), not for ${JSON.stringify(arch)}.`,
      "Leave the architecture out, or name the device cuda for an NVIDIA one.",
    );
  },
};

class CpuDevice implements Device {
  readonly name = "cpu";
  readonly id = 0;
  readonly allocator = { segmentBytes: hugePage, allocate, free: (pointer: number) => libc().free(pointer) };
  #convolutions: ConvolutionLibrary | undefined;

  constructor(
    readonly target: Target,
    readonly services: DeviceServices,
  ) {
    services.prepare(target);
  }

  get model(): string {
    return `${processorModel()}, ${getNumThreads()} threads`;
  }

  createBlock(bytes: number): ArgumentBlock {
    return argumentBlock(bytes);
  }

  products(): ProductLibrary | undefined {
    return openBlas(this);
  }

  convolutions(): ConvolutionLibrary {
    this.#convolutions ??= processorConvolutions(this);
    return this.#convolutions;
  }

  matrices(): MatrixLibrary | undefined {
    return openLapack();
  }

  load(binary: Uint8Array, symbol: string, userText?: string): LoadedCode {
    const guard = userText === undefined ? undefined : faultGuard(this);
    const library = openShared(binary);
    const address = library.address(symbol);
    kernelType ??= ffi().proto("void", ["uintptr_t", "int64_t", "int64_t"]);
    const kernel: Kernel = ffi().decode(address, kernelType);
    const unguard = guard?.(address, symbol, userText ?? "");
    return {
      launch: (block, config) => {
        // Not by destructuring, which uses an iterator.
        const count = config.grid[0];
        const threads = count <= inlineCount ? 1 : getNumThreads();
        if (threads === 1) kernel(block.address, 0, count);
        else poolOf(this).launch(address, block.address, count, config.block[0], threads);
      },
      unload: () => {
        unguard?.();
        library.close();
      },
    };
  }

  write(pointer: number, bytes: Uint8Array): void {
    libc().write(pointer, bytes, bytes.byteLength);
  }

  read(pointer: number, bytes: Uint8Array): void {
    libc().read(bytes, pointer, bytes.byteLength);
  }

  copy(to: number, from: number, bytes: number): void {
    libc().memmove(to, from, bytes);
  }

  hostView(pointer: number, bytes: number): ArrayBuffer {
    // koffi ends the process where Node refuses the length.
    const most = process.getBuiltinModule("node:buffer").constants.MAX_LENGTH;
    if (bytes > most)
      throw new DeviceError(
        "not-shareable",
        `The tensor's memory has ${bytes} bytes. JavaScript shares ${most} at most.`,
        "Copy a part, such as x.narrow(0, 0, 1000).data().",
      );
    return bytes === 0 ? new ArrayBuffer(0) : ffi().view(pointer, bytes);
  }

  addressOf(memory: ArrayBufferView): number {
    return libc().addressOf(memory, memory, 0);
  }

  synchronize(): void {}

  mark(): Mark {
    return new ClockMark();
  }

  memory(): { free: number; total: number } {
    // A container's limit applies if it is lower than the machine's memory.
    const limit = process.constrainedMemory();
    const total = limit > 0 ? Math.min(totalmem(), limit) : totalmem();
    return { free: Math.min(total, freemem()), total };
  }
}

/** A time stamp: without a queue, a mark is reached when it is set. */
class ClockMark implements Mark {
  readonly #at = performance.now();

  since(earlier: Mark): number {
    if (earlier instanceof ClockMark) return this.#at - earlier.#at;
    throw new JitlabError("foreign-mark", "The earlier mark belongs to another device than this one.");
  }

  wait(): void {}

  release(): void {}
}

function allocate(bytes: number): number {
  const large = bytes >= hugePage;
  const alignment = large ? hugePage : cacheLine;
  const size = Math.ceil(Math.max(bytes, 1) / alignment) * alignment;
  // The system overcommits memory and then kills processes, so large requests are checked against the available memory.
  const promised = size < checkedFrom || size < process.availableMemory();
  const pointer = promised ? libc().aligned_alloc(alignment, size) : 0;
  if (pointer === 0) {
    throw new DeviceError(
      "out-of-memory",
      `The system has no ${bytes} bytes of memory for the device cpu.`,
      "Dispose of unneeded tensors, or use smaller ones.",
    );
  }
  // Fewer page faults at the first access; a failure does not matter.
  if (large) libc().madvise(pointer, size, MADV_HUGEPAGE);
  return pointer;
}
