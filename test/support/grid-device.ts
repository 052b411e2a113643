// A GPU whose blocks are threads of the host: it runs whole programs as a GPU would, with the kernels and arguments that one
// gets, where there is none.
import type { Device, Target } from "../../dist/runtime/device/device.js";
import type { LoadedCode } from "../../dist/runtime/device/loaded-code.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { hostGrid, hostKernel } from "./grid-host.js";

/** A kernel that was loaded: its text and its name. */
export interface GridKernel {
  readonly source: string;
  readonly symbol: string;
}

/** What a program launched. */
export interface GridLaunch extends GridKernel {
  readonly blocks: number;
}

/** How blocks run. */
export interface GridOptions {
  /** How many blocks may wait for each other on the device; default: one. */
  readonly blocksTogether?: number;
  /** How many blocks of a launch run at the same time, each with threads of its own; default: one. */
  readonly together?: (launch: GridLaunch) => number;
  /** The kernel to run in place of another one. */
  readonly instead?: (kernel: GridKernel) => GridKernel;
}

let lastId = 1000;

/** Runs a function with the processor as a GPU, and lists what it launched. */
export function onGrid<R>(run: () => R, options: GridOptions = {}): { result: R; launches: GridLaunch[] } {
  const { blocksTogether = 1, together = () => 1, instead = (kernel) => kernel } = options;
  const device = getDevice("cpu");
  const launches: GridLaunch[] = [];
  const load = (binary: Uint8Array, symbol: string): LoadedCode => {
    const kernel = instead({ source: new TextDecoder().decode(binary), symbol });
    return {
      launch: ({ bytes }, { grid: [blocks], block: [threads] }) => {
        const launch = { ...kernel, blocks };
        launches.push(launch);
        const words = new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
        hostKernel(kernel.source, kernel.symbol, together(launch))(words, blocks, threads);
      },
      unload: () => {},
    };
  };
  const { id, target } = device;
  const grid: Target = {
    ...target,
    dialect: hostGrid,
    arch: "grid",
    blocksTogether,
    compiler: {
      ...target.compiler,
      name: "grid",
      module: new URL("reference/compiler.mjs", import.meta.url).href,
      identity: "grid",
    },
  };
  const changes: Partial<Device> = { id: lastId++, target: grid, load };
  Object.assign(device, changes);
  try {
    return { result: run(), launches };
  } finally {
    Object.assign(device, { id, target });
    delete (device as { load?: unknown }).load;
  }
}
