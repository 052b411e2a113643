// One NVIDIA GPU: its primary context, memory, modules and launches on the default stream. A launch is one call: the
// arguments are in native memory after the list for cuLaunchKernel's `extra`.
import { env } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { atInterruption } from "../../base/interruption.js";
import { argumentBlock } from "../argument-blocks.js";
import type { ConvolutionLibrary } from "../convolution-library.js";
import type {
  Allocator,
  ComposedWork,
  Device,
  DeviceServices,
  KernelResources,
  ProductLibrary,
  Target,
  TransformLibrary,
} from "../device.js";
import { type Launched, withLaunched } from "../launched.js";
import type { ArgumentBlock, BlockConfig, LoadedCode } from "../loaded-code.js";
import type { MatrixLibrary } from "../matrix-library.js";
import { allocateInCall } from "../memory.js";
import { retryAfterFreeing } from "../retry.js";
import { launchCooperatively } from "./cooperative-launch.js";
import { makeCurrent } from "./current-context.js";
import {
  architectureOf,
  driverMajor,
  driverVersion,
  multiprocessorsOf,
  nameOf,
} from "./device-properties.js";
import { check, type Driver, driver, type Out, status } from "./driver.js";
import { grantShared, limitsOf } from "./function-limits.js";
import { resourcesOf } from "./function-resources.js";
import { captureGraph } from "./graph.js";
import { CudaLibraries } from "./libraries.js";
import { captureLoop, type LoopEnd, leastForLoops, loopEndOn } from "./loop-graph.js";
import { answerOf, CudaMark } from "./mark.js";
import { cudaTarget, nvrtcMismatch } from "./nvrtc.js";
import { enableAccess } from "./peer-access.js";
import { type PinnedMemory, pinnedMemory } from "./pinned-memory.js";

const defaultStream = 0;
// cuda.h: markers in the list for `extra`.
const CU_LAUNCH_PARAM_END = 0;
const CU_LAUNCH_PARAM_BUFFER_POINTER = 1;
const CU_LAUNCH_PARAM_BUFFER_SIZE = 2;
const CU_EVENT_DISABLE_TIMING = 2;

// The driver's unit of memory.
const segmentBytes = 2 ** 21;

// So many bytes are read through pinned memory, whose copies need no wait of their own.
const stagedBytes = 2 ** 16;

/** The arguments of a launch, and the list for `extra` that says where they are. */
interface CudaBlock extends ArgumentBlock {
  /** Address of the list. */
  readonly extra: number;
}

/** Opens GPU `index`. */
export class CudaDevice implements Device {
  readonly name: string;
  readonly id: number;
  readonly target: Target;
  readonly allocator: Allocator;
  readonly #driver: Driver;
  readonly #device: number;
  #staged: PinnedMemory | undefined;
  readonly #context: number;
  /** The stream of launches: the default one, or a graph's during capture. */
  #stream = defaultStream;
  readonly #waits = env("sync");
  /** The last launched kernel and its user's text, for errors that a later call reports. */
  #launched: Launched | undefined;
  readonly #libraries: CudaLibraries;
  /** Queues the last launch of a loop's step. */
  #loopEnd: LoopEnd | undefined;
  /** The GPUs whose memory it has asked to reach. */
  readonly #peers = new Set<CudaDevice>();
  /** The event that other GPUs wait for; 0 before the first copy between them. */
  #reached = 0;

  constructor(
    readonly index: number,
    readonly services: DeviceServices,
  ) {
    this.#driver = driver();
    this.name = `cuda:${index}`;
    this.id = index + 1;
    const device: Out = [0];
    check("cuDeviceGet", this.#driver.cuDeviceGet(device, index));
    this.#device = device[0];
    this.target = cudaTarget(architectureOf(device[0]), driverVersion(), multiprocessorsOf(device[0]));
    services.prepare(this.target);
    const context: Out = [0];
    check("cuDevicePrimaryCtxRetain", this.#driver.cuDevicePrimaryCtxRetain(context, device[0]));
    this.#context = context[0];
    this.allocator = {
      segmentBytes,
      allocate: (bytes) => this.#allocate(bytes),
      free: (pointer) => this.#call("cuMemFree", this.#current().cuMemFree(pointer)),
    };
    const host = {
      createBlock: (bytes: number) => this.createBlock(bytes),
      allocate: (bytes: number) => retryAfterFreeing(this, () => this.#allocate(bytes)),
      memory: (bytes: number) => allocateInCall(this, bytes),
      copy: (to: number, from: number, bytes: number) => this.copy(to, from, bytes),
      write: (pointer: number, bytes: Uint8Array) => this.write(pointer, bytes),
      read: (pointer: number, bytes: Uint8Array) => this.read(pointer, bytes),
      stream: () => {
        this.#current();
        return this.#stream;
      },
    };
    this.#libraries = new CudaLibraries(host, driverMajor());
    atInterruption(() => {
      this.#stream = defaultStream;
    });
  }

  get model(): string {
    const version = driverVersion();
    return `${nameOf(this.#device)}, driver ${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
  }

  createBlock(bytes: number): ArgumentBlock {
    const extraAt = Math.ceil(bytes / 16) * 16;
    const sizeAt = extraAt + 5 * 8;
    const block = argumentBlock(sizeAt + 8);
    const { address } = block;
    const list = [CU_LAUNCH_PARAM_BUFFER_POINTER, address, CU_LAUNCH_PARAM_BUFFER_SIZE, address + sizeAt];
    block.i64.set([...list, CU_LAUNCH_PARAM_END, bytes].map(BigInt), extraAt / 8);
    const made: CudaBlock = { ...block, bytes: block.bytes.subarray(0, bytes), extra: address + extraAt };
    return made;
  }

  load(binary: Uint8Array, symbol: string, userText?: string): LoadedCode {
    const cuda = this.#current();
    const module: Out = [0];
    this.#call("cuModuleLoadData", cuda.cuModuleLoadData(module, binary));
    const fn: Out = [0];
    this.#call("cuModuleGetFunction", cuda.cuModuleGetFunction(fn, module[0], symbol));
    const kernel = fn[0];
    const launched = { symbol, userText };
    let granted = 0;
    return {
      launch: (args, config) => {
        this.#launched = launched;
        const { extra } = args as CudaBlock;
        const current = this.#current();
        const { grid, block, sharedBytes } = config;
        if (sharedBytes > granted) {
          grantShared(current, kernel, sharedBytes);
          granted = sharedBytes;
        }
        const result = config.cooperative
          ? launchCooperatively(current, kernel, config, this.#stream, extra)
          : current.cuLaunchKernel(
              kernel,
              grid[0],
              grid[1],
              grid[2],
              block[0],
              block[1],
              block[2],
              sharedBytes,
              this.#stream,
              0,
              extra,
            );
        if (result !== 0) this.#call("cuLaunchKernel", result);
        if (this.#waits && this.#stream === defaultStream) this.synchronize();
      },
      limits: () => limitsOf(this.#current(), kernel, this.#device),
      writeVariable: (name, bytes) => this.#writeVariable(module[0], name, bytes),
      unload: () => this.#call("cuModuleUnload", this.#current().cuModuleUnload(module[0])),
    };
  }

  products(): ProductLibrary | undefined {
    return this.#libraries.products();
  }

  matrices(): MatrixLibrary | undefined {
    return this.#libraries.matrices();
  }

  transforms(): TransformLibrary | undefined {
    return this.#libraries.transforms();
  }

  convolutions(): ConvolutionLibrary | undefined {
    return this.#libraries.convolutions();
  }

  resources(binary: Uint8Array, symbol: string, config?: BlockConfig): KernelResources {
    const cuda = this.#current();
    const module: Out = [0];
    this.#call("cuModuleLoadData", cuda.cuModuleLoadData(module, binary));
    try {
      const fn: Out = [0];
      this.#call("cuModuleGetFunction", cuda.cuModuleGetFunction(fn, module[0], symbol));
      return resourcesOf(fn[0], this.#device, config);
    } finally {
      this.#call("cuModuleUnload", cuda.cuModuleUnload(module[0]));
    }
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.#call("cuMemcpyHtoD", this.#current().cuMemcpyHtoD(pointer, bytes, bytes.byteLength));
  }

  read(pointer: number, bytes: Uint8Array): void {
    const { byteLength } = bytes;
    if (byteLength <= stagedBytes) {
      const cuda = this.#current();
      this.#staged ??= pinnedMemory(cuda, stagedBytes);
      const { pointer: staged } = this.#staged;
      this.#call("cuMemcpyDtoHAsync", cuda.cuMemcpyDtoHAsync(staged, pointer, byteLength, defaultStream));
      this.synchronize();
      bytes.set(this.#staged.bytes.subarray(0, byteLength));
      return;
    }
    this.synchronize();
    this.#call("cuMemcpyDtoH", this.#current().cuMemcpyDtoH(bytes, pointer, bytes.byteLength));
  }

  copy(to: number, from: number, bytes: number): void {
    this.#call("cuMemcpyDtoDAsync", this.#current().cuMemcpyDtoDAsync(to, from, bytes, this.#stream));
  }

  receive(to: number, source: Device, from: number, bytes: number): boolean {
    if (!(source instanceof CudaDevice)) return false;
    if (!this.#peers.has(source)) {
      this.#peers.add(source);
      // Either GPU's copy engine may make the copy.
      enableAccess(source.#current(), source.#device, { device: this.#device, context: this.#context });
      enableAccess(this.#current(), this.#device, { device: source.#device, context: source.#context });
    }
    // In the queues of both: after the source's earlier work, before its later work.
    source.#precede(this);
    const [here, there] = [this.#context, source.#context];
    this.#call(
      "cuMemcpyPeerAsync",
      this.#current().cuMemcpyPeerAsync(to, here, from, there, bytes, defaultStream),
    );
    this.#precede(source);
    return true;
  }

  /** Another GPU's later work waits for this one's earlier work. */
  #precede(other: CudaDevice): void {
    const cuda = this.#current();
    if (this.#reached === 0) {
      const event: Out = [0];
      this.#call("cuEventCreate", cuda.cuEventCreate(event, CU_EVENT_DISABLE_TIMING));
      this.#reached = event[0];
    }
    this.#call("cuEventRecord", cuda.cuEventRecord(this.#reached, defaultStream));
    this.#call("cuStreamWaitEvent", other.#current().cuStreamWaitEvent(defaultStream, this.#reached, 0));
  }

  compose(queue: () => void): ComposedWork {
    return this.#composed(captureGraph(this.#current(), defaultStream, this.#onStream(queue)));
  }

  composeLoop(queue: () => void, goesOn: number, counter: number): ComposedWork | undefined {
    if (driverVersion() < leastForLoops) return undefined;
    this.#loopEnd ??= loopEndOn(this);
    const end = this.#loopEnd;
    const body = (handle: bigint) =>
      this.#onStream(() => {
        queue();
        end(handle, goesOn, counter);
      });
    return this.#composed(captureLoop(this.#current(), this.#context, defaultStream, body));
  }

  /** Gives launches to another stream. */
  #onStream(queue: () => void): (stream: number) => void {
    return (stream) => {
      this.#stream = stream;
      try {
        queue();
      } finally {
        this.#stream = defaultStream;
      }
    };
  }

  #composed({ launch, release }: ComposedWork): ComposedWork {
    const launchHere = () => {
      this.#current();
      launch();
      if (this.#waits) this.synchronize();
    };
    return { launch: launchHere, release };
  }

  hostView(): undefined {
    return undefined;
  }

  hostWord(): { pointer: number; word: Int32Array } {
    const { pointer, bytes } = pinnedMemory(this.#current(), Int32Array.BYTES_PER_ELEMENT);
    return { pointer, word: new Int32Array(bytes.buffer) };
  }

  synchronize(): void {
    const cuda = this.#current();
    this.#call(
      "cuStreamQuery",
      answerOf(() => cuda.cuStreamQuery(defaultStream)),
    );
    // The work is done; this call shows the kernels' output.
    this.#call("cuCtxSynchronize", cuda.cuCtxSynchronize());
  }

  mark(): CudaMark {
    const event: Out = [0];
    this.#call("cuEventCreate", this.#current().cuEventCreate(event, 0));
    this.#call("cuEventRecord", this.#driver.cuEventRecord(event[0], defaultStream));
    return new CudaMark(event[0], this.#driver, (name, result) => this.#call(name, result));
  }

  memory(): { free: number; total: number } {
    const free: Out = [0];
    const total: Out = [0];
    this.#call("cuMemGetInfo", this.#current().cuMemGetInfo(free, total));
    return { free: free[0], total: total[0] };
  }

  /** Makes its context current, for libraries that use that one. */
  activate(): void {
    this.#current();
  }

  /** The driver, with this device's context. */
  #current(): Driver {
    makeCurrent(this.#driver, this.#context);
    return this.#driver;
  }

  #writeVariable(module: number, name: string, bytes: Uint8Array): number | undefined {
    const pointer: Out = [0];
    const size: Out = [0];
    const result = this.#current().cuModuleGetGlobal(pointer, size, module, name);
    if (result === status.notFound) return undefined;
    this.#call("cuModuleGetGlobal", result);
    if (size[0] === bytes.byteLength) this.write(pointer[0], bytes);
    return size[0];
  }

  #allocate(bytes: number): number {
    const pointer: Out = [0];
    const result = this.#current().cuMemAlloc(pointer, bytes);
    if (result === status.outOfMemory) {
      const { free, total } = this.memory();
      throw new DeviceError(
        "out-of-memory",
        `${this.name} has no ${bytes} bytes of memory left: ${free} of ${total} are free.`,
        "Dispose of tensors, or use smaller ones.",
      );
    }
    this.#call("cuMemAlloc", result);
    return pointer[0];
  }

  #call(name: string, result: number): void {
    if (result === 0) return;
    try {
      check(name, result);
    } catch (error) {
      if (error instanceof DeviceError && error.code === "code-refused") {
        throw new DeviceError(error.code, error.what, nvrtcMismatch(driverMajor()));
      }
      throw withLaunched(error, this.#launched);
    }
  }
}
