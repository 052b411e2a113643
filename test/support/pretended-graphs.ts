// Gives a device without graphs what repeats launches: its graphs are lists of launches with arguments of their own. So programs
// are tested where nothing but the queueing differs from a GPU.
import type { Device, LaunchConfig, LoadedCode } from "../../dist/runtime/device/device.js";
import type { KeptLaunch, Queueable } from "../../dist/runtime/device/repeated-launches.js";
import { RepeatedRuns } from "../../dist/runtime/device/repeated-runs.js";

/** How many graphs were launched. */
export interface PretendedGraphs {
  launches: number;
}

/** Changes a device on which nothing was loaded yet. */
export function pretendGraphs(device: Device): PretendedGraphs {
  const counted = { launches: 0 };
  const held = new RepeatedRuns<Queueable>({
    createBlock: (bytes) => device.createBlock(bytes),
    compose: (launches) => graphOf(device, launches, counted),
  });
  device.repeated = (mostChanged) => held.work(mostChanged);
  for (const name of ["read", "write", "copy", "receive", "synchronize", "mark"] as const) {
    const own = device[name]?.bind(device) as (...args: unknown[]) => never;
    if (own)
      device[name] = (...args: unknown[]) => {
        held.flush();
        return own(...args);
      };
  }
  const { allocator } = device;
  const free = allocator.free.bind(allocator);
  allocator.free = (pointer) => {
    held.flush();
    free(pointer);
  };
  const load = device.load.bind(device);
  device.load = (...args) => heldBack(load(...args), held);
  return counted;
}

function heldBack(code: LoadedCode, held: RepeatedRuns<Queueable>): LoadedCode {
  const [launch, unload] = [code.launch.bind(code), code.unload.bind(code)];
  const kernel: Queueable = { launch };
  code.launch = (args, config) => {
    if (!held.holds(kernel, args, config)) launch(args, config);
  };
  code.unload = () => {
    held.flush();
    held.forget(kernel);
    unload();
  };
  return code;
}

function graphOf(device: Device, launches: readonly KeptLaunch<Queueable>[], counted: PretendedGraphs) {
  const nodes = launches.map(({ kernel, args }) => ({
    kernel,
    args: device.createBlock(args.bytes.byteLength),
    config: undefined as unknown as LaunchConfig,
  }));
  const update = (at: number) => {
    const [node, { args, config }] = [nodes[at] as (typeof nodes)[0], launches[at] as KeptLaunch<Queueable>];
    node.args.bytes.set(args.bytes);
    node.config = config;
  };
  launches.forEach((_, at) => {
    update(at);
  });
  return {
    update,
    launch: () => {
      counted.launches++;
      for (const { kernel, args, config } of nodes) kernel.launch(args, config);
    },
    release: () => {
      for (const { args } of nodes) args.release();
    },
  };
}
