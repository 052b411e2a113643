// One device of OpenCL: shared virtual memory, whose addresses kernels read from their arguments, and one queue. The host never
// touches that memory except by copies in the queue, so the coarse kind does, which every such device has.
import { env } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { argumentBlock } from "../argument-blocks.js";
import type { Allocator, Device, DeviceServices, Mark, Target } from "../device.js";
import { withLaunched } from "../launched.js";
import type { ArgumentBlock, LoadedCode } from "../loaded-code.js";
import { openclTarget } from "./clang.js";
import type { FoundDevice } from "./facts.js";
import { check, openCl } from "./library.js";
import { OpenClMark } from "./mark.js";
import { type KernelHost, loadKernel } from "./program.js";
import { openQueue } from "./queue.js";
import { checkNeeds } from "./spirv.js";
import { Staging, smallBytes } from "./staging.js";

const CL_MEM_READ_WRITE = 1n;
// A multiple of every vector's size.
const alignment = 128;
const segmentBytes = 2 ** 21;
// Behind the numbers of NVIDIA's GPUs.
const firstId = 32;

/** A device of OpenCL, opened. */
export class OpenClDevice implements Device {
  readonly name: string;
  readonly id: number;
  readonly target: Target;
  readonly allocator: Allocator;
  readonly #found: FoundDevice;
  readonly #host: KernelHost;
  /** The bytes of each allocation by its address. */
  readonly #memory = new Map<number, number>();
  #reachable: BigUint64Array | undefined;
  readonly #staging = new Staging(() => this.synchronize());
  #used = 0;

  constructor(
    index: number,
    found: FoundDevice,
    readonly services: DeviceServices,
  ) {
    const { handle, facts } = found;
    this.name = `opencl:${index}`;
    this.id = firstId + index;
    this.#found = found;
    this.target = openclTarget(facts.argumentBytes);
    services.prepare(this.target);
    const opened = openQueue(handle);
    this.#host = {
      ...opened,
      device: handle,
      options: facts.roundsDivision ? "-cl-fp32-correctly-rounded-divide-sqrt" : "",
      reachable: () => {
        this.#reachable ??= BigUint64Array.from([...this.#memory.keys()].map(BigInt));
        return this.#reachable;
      },
      waits: env("sync"),
      launched: undefined,
      launches: 0,
      isBusy: false,
      synchronize: () => this.synchronize(),
    };
    this.allocator = {
      segmentBytes,
      allocate: (bytes) => this.#allocate(bytes),
      free: (pointer) => this.#free(pointer),
    };
  }

  get model(): string {
    const { name, driver, computeUnits } = this.#found.facts;
    return `${name}, ${computeUnits} compute units, driver ${driver}`;
  }

  createBlock(bytes: number): ArgumentBlock {
    const block = argumentBlock(bytes);
    return { ...block, bytes: block.bytes.subarray(0, bytes) };
  }

  load(binary: Uint8Array, symbol: string, userText?: string): LoadedCode {
    checkNeeds(this.name, this.#found.facts, symbol, binary);
    return loadKernel(this.#host, binary, symbol, userText);
  }

  write(pointer: number, bytes: Uint8Array): void {
    const { length } = bytes;
    if (length > smallBytes) this.#copied((cl, queue) => cl.write(queue, 1, pointer, bytes, length, 0, 0, 0));
    else {
      const room = this.#staging.room(length);
      room.bytes.set(bytes);
      this.copy(pointer, room.address, length);
    }
  }

  read(pointer: number, bytes: Uint8Array): void {
    const { length } = bytes;
    if (length > smallBytes) this.#copied((cl, queue) => cl.read(queue, 1, bytes, pointer, length, 0, 0, 0));
    else if (length > 0) {
      const room = this.#staging.room(length);
      this.#host.isBusy = true;
      this.#wait(OpenClMark.copied(this.#host.queue, room.address, pointer, length));
      bytes.set(room.bytes);
    }
  }

  copy(to: number, from: number, bytes: number): void {
    if (bytes === 0) return;
    this.#host.isBusy = true;
    check("clEnqueueSVMMemcpy", openCl().copy(this.#host.queue, 0, to, from, bytes, 0, 0, 0));
  }

  hostView(): undefined {
    return undefined;
  }

  synchronize(): void {
    if (this.#host.isBusy) this.#wait(OpenClMark.here(this.#host.queue));
  }

  #wait(mark: OpenClMark): void {
    try {
      mark.wait();
      this.#host.isBusy = false;
    } catch (error) {
      throw withLaunched(error, this.#host.launched);
    } finally {
      mark.release();
    }
  }

  mark(): Mark {
    return OpenClMark.here(this.#host.queue);
  }

  memory(): { free: number; total: number } {
    const { memoryBytes: total } = this.#found.facts;
    return { free: Math.max(0, total - this.#used), total };
  }

  /** A copy that is done on return; the wait before it, which may be long, is our own. */
  #copied(copy: (cl: ReturnType<typeof openCl>, queue: number) => number): void {
    this.synchronize();
    check("clEnqueueSVMMemcpy", copy(openCl(), this.#host.queue));
  }

  #allocate(bytes: number): number {
    const { largestBytes } = this.#found.facts;
    const size = Math.max(bytes, 1);
    const pointer =
      size > largestBytes ? 0 : openCl().clSVMAlloc(this.#host.context, CL_MEM_READ_WRITE, size, alignment);
    if (pointer === 0) {
      const { free, total } = this.memory();
      throw new DeviceError(
        "out-of-memory",
        `${this.name} has no ${bytes} bytes of memory left: about ${free} of ${total} are free, and the driver gives at most ${largestBytes} at once.`,
        "Dispose of tensors, or use smaller ones.",
      );
    }
    this.#memory.set(pointer, size);
    this.#used += size;
    this.#reachable = undefined;
    return pointer;
  }

  #free(pointer: number): void {
    this.synchronize();
    openCl().clSVMFree(this.#host.context, pointer);
    this.#used -= this.#memory.get(pointer) ?? 0;
    this.#memory.delete(pointer);
    this.#reachable = undefined;
  }
}
