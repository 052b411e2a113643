// Devices that compile and run nothing: they write down what is loaded and launched on them, with its arguments. Their memory has
// addresses but no elements, all of which read as zero.
import { argumentBlock } from "../../dist/runtime/device/argument-blocks.js";
import type { Device, DeviceServices, Mark, Target } from "../../dist/runtime/device/device.js";
import {
  cppDialect,
  cudaDialect,
  type Dialect,
  openclDialect,
  wasmDialect,
} from "../../dist/runtime/device/dialect.js";
import type { ArgumentBlock, LaunchConfig, LoadedCode } from "../../dist/runtime/device/loaded-code.js";

const base: Omit<Target, "kind" | "dialect" | "arch"> = {
  compiler: {
    name: "dry",
    module: new URL("dry-compiler.mjs", import.meta.url).href,
    path: "dry",
    identity: "dry",
    textsAtOnce: Number.POSITIVE_INFINITY,
    further: "threads",
  },
  flags: ["-contract=off"],
  contraction: { off: "-contract=off", on: "-contract=on" },
  kernelsPerRun: 8,
  argumentBytes: 2 ** 15,
};

function targetOf(kind: Target["kind"], dialect: Dialect, arch: string, more: Partial<Target> = {}): Target {
  return { ...base, kind, dialect, arch, ...more };
}

/** The targets of dry devices; blocks of the last one may wait for each other. All devices have the processor's name. */
export const dryTargets = {
  cpu: targetOf("cpu", cppDialect, "dry"),
  wasm: targetOf("wasm", wasmDialect, "wasm32"),
  cuda: targetOf("cuda", cudaDialect, "sm_90", { argumentBytes: 4096 }),
  "cuda together": targetOf("cuda", cudaDialect, "sm_90", { argumentBytes: 4096, blocksTogether: 132 }),
  opencl: targetOf("opencl", openclDialect, "spirv64", { argumentBytes: 1024 }),
} as const;

// The upper half of an address is no size or number of any argument.
const firstAddress = 0x3a7b1 * 2 ** 32;
const pageBytes = 4096;

/** A device that writes down what is launched on it. */
export class DryDevice implements Device {
  readonly name = "cpu";
  readonly model = "dry";
  readonly services: DeviceServices = { build: refuse, prepare: () => {}, unload: () => {} };
  /** What was launched, as text. */
  launches: string[] = [];
  /** The starts of what was allocated, ascending. */
  readonly #starts: number[] = [];
  #next = firstAddress;

  constructor(
    readonly id: number,
    readonly target: Target,
    /** The code of a kernel, as it is written down. */
    readonly textOf: (code: string) => string,
  ) {}

  readonly allocator = {
    allocate: (bytes: number) => {
      const pointer = this.#next;
      this.#starts.push(pointer);
      this.#next += Math.ceil(Math.max(bytes, 1) / pageBytes) * pageBytes;
      return pointer;
    },
    free: () => {},
  };

  createBlock(bytes: number): ArgumentBlock {
    return argumentBlock(bytes);
  }

  load(binary: Uint8Array, symbol: string): LoadedCode {
    const text = `${symbol} ${this.textOf(new TextDecoder().decode(binary))}`;
    return {
      launch: (block, config) => {
        this.launches.push(`${text} ${this.#launchText(block, config)}`);
        // A later launch may write less, and garbage collection decides whether it uses the same block.
        block.bytes.fill(0);
      },
      writeVariable: (_name, bytes) => bytes.byteLength,
      limits: () => ({ threads: 1024, sharedBytes: 2 ** 17, blocksTogether: () => 132 }),
      unload: () => {},
    };
  }

  /** A launch as text; an address is a region, numbered as the launch names them, and an offset. */
  #launchText({ bytes }: ArgumentBlock, { grid, block, sharedBytes, cooperative }: LaunchConfig): string {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const regions: number[] = [];
    const words = Array.from({ length: bytes.byteLength / 8 }, (_, i) => {
      const word = view.getBigUint64(8 * i, true);
      const address = Number(word);
      if (address < firstAddress || address >= this.#next) return word.toString(16);
      const start = this.#startOf(address);
      if (!regions.includes(start)) regions.push(start);
      return `@${regions.indexOf(start)}+${address - start}`;
    });
    return `${grid}/${block}/${sharedBytes}${cooperative ? " cooperative" : ""}(${words.join(" ")})`;
  }

  #startOf(address: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= address) low = middle;
      else high = middle;
    }
    return this.#starts[low] as number;
  }

  write(): void {}

  read(_pointer: number, bytes: Uint8Array): void {
    bytes.fill(0);
  }

  copy(): void {}

  hostView(): undefined {}

  synchronize(): void {}

  mark(): Mark {
    return { since: () => 0, wait: () => {}, release: () => {} };
  }

  memory(): { free: number; total: number } {
    return { free: 2 ** 50, total: 2 ** 50 };
  }
}

function refuse(): never {
  throw new Error("A dry device has no helpers.");
}
