// A device that only writes down what is queued on it: kernels by their names, with the first word of their arguments and
// their blocks. Its graphs keep the arguments that they were made or updated with.
import { DeviceError } from "../../dist/runtime/base/errors.js";
import type { ArgumentBlock, LaunchConfig, RepeatedWork } from "../../dist/runtime/device/device.js";
import type { KeptLaunch, Queueable } from "../../dist/runtime/device/repeated-launches.js";
import { RepeatedRuns } from "../../dist/runtime/device/repeated-runs.js";

interface FakeKernel extends Queueable {
  readonly name: string;
}

/** One launch: the kernel's name, the word of its arguments and its blocks. */
export type Queued = readonly [kernel: string, word: number, blocks: number];

function blockOf(bytes: number): ArgumentBlock {
  const buffer = new ArrayBuffer(bytes);
  return {
    address: 0,
    bytes: new Uint8Array(buffer),
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f32: new Float32Array(buffer),
    f64: new Float64Array(buffer),
    i64: new BigInt64Array(buffer),
    release: () => {},
  };
}

const wide = (blocks: number): LaunchConfig => ({ grid: [blocks, 1, 1], block: [32, 1, 1], sharedBytes: 0 });

/** The device, with a list of what was queued. */
export class FakeLauncher {
  /** Everything queued, in order. */
  readonly queued: Queued[] = [];
  graphs = 0;
  live = 0;
  graphLaunches = 0;
  updates = 0;
  /** What the device refuses: to make a graph, to update one, or to launch one. */
  refuses: "compose" | "update" | "launch" | undefined;
  readonly #kernels = new Map<string, FakeKernel>();
  // All launches of a kernel write their arguments into one block, and share one configuration, as real ones do.
  readonly #block = blockOf(16);
  readonly #config = {
    grid: [0, 1, 1] as [number, number, number],
    block: [32, 1, 1] as const,
    sharedBytes: 0,
  };
  readonly #held = new RepeatedRuns<FakeKernel>({
    createBlock: blockOf,
    compose: (launches) => this.#compose(launches),
  });

  work(mostChanged = Number.POSITIVE_INFINITY): RepeatedWork {
    return this.#held.work(mostChanged);
  }

  /** Launches a kernel, as the program does. */
  launch([name, word, blocks]: Queued, cooperative = false): void {
    this.#block.u32[0] = word;
    this.#config.grid[0] = blocks;
    const config = cooperative ? { ...wide(blocks), cooperative } : this.#config;
    const kernel = this.#kernelOf(name);
    if (!this.#held.holds(kernel, this.#block, config)) kernel.launch(this.#block, config);
  }

  /** Anything but a launch: what was launched so far must be queued when it begins. */
  use(): void {
    this.#held.flush();
  }

  /** Unloads a kernel; another one gets its name. */
  unload(name: string): void {
    this.#held.flush();
    this.#held.forget(this.#kernelOf(name));
    this.#kernels.delete(name);
  }

  #kernelOf(name: string): FakeKernel {
    const known = this.#kernels.get(name);
    if (known) return known;
    const kernel: FakeKernel = { name, launch: (args, config) => this.#queue(name, args, config) };
    this.#kernels.set(name, kernel);
    return kernel;
  }

  #queue(name: string, { u32 }: ArgumentBlock, { grid }: LaunchConfig): void {
    this.queued.push([name, u32[0] as number, grid[0]]);
  }

  #compose(launches: readonly KeptLaunch<FakeKernel>[]) {
    const refused = (what: FakeLauncher["refuses"]) => {
      if (this.refuses === what) throw new DeviceError("cuda-error", `refused to ${what}`);
    };
    const nodeOf = ({ kernel, args, config }: KeptLaunch<FakeKernel>): Queued => [
      kernel.name,
      args.u32[0] as number,
      config.grid[0],
    ];
    refused("compose");
    this.graphs++;
    this.live++;
    const nodes = launches.map(nodeOf);
    return {
      update: (at: number) => {
        refused("update");
        this.updates++;
        nodes[at] = nodeOf(launches[at] as KeptLaunch<FakeKernel>);
      },
      launch: () => {
        refused("launch");
        this.graphLaunches++;
        this.queued.push(...nodes);
      },
      release: () => {
        this.live--;
      },
    };
  }
}
