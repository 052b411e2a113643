// The kernels of a plan before it runs: to compile them together on all cores, or only to show them.

import type { Device } from "../device/device.js";
import { Placeholder, someAddress } from "../device/placeholder.js";
import type { KernelRequest } from "../launch/obtain.js";
import { sendTo } from "../launch/sink.js";
import { Collector } from "./collector.js";
import type { OutputRef, ReadRef } from "./launches.js";
import { valueAt } from "./output-memory.js";
import type { Binding } from "./plan.js";
import { mapCall, reduceCall, rowCall, scanCall, tableCall, type Views } from "./run.js";
import type { Plan } from "./slot.js";
import { placeOf } from "./together.js";
import { viewAt, viewOn, windowAt } from "./window.js";

/** Collects kernels without memory. */
class Listing extends Collector {
  override storage(device: Device, bytes: number): Placeholder {
    return new Placeholder(device, bytes);
  }
}

/**
 * Compiles the kernels of a plan that are not stored, if there are several, and names the place of its choice. Compile errors
 * are ignored: the launch reports them.
 */
export function compileTogether(plan: Plan, binding: Binding): void {
  const [first, ...others] = plan.launches;
  if (others.length === 0 && !(first?.reduction ?? first?.scan ?? first?.opaque)) return;
  const collector = collect(plan, binding);
  plan.place = placeOf(plan.launches, collector.requests());
  collector.compile(() => {});
}

/** The kernels that a plan launches, in order. */
export function requestsOf(plan: Plan, binding: Binding): readonly KernelRequest[] {
  return collect(plan, binding).requests();
}

function collect({ launches }: Plan, binding: Binding): Collector {
  const collector = new Listing();
  const views: Views = {
    read: ({ ref, window }) => {
      const { holder, device } = valueAt(binding, ref);
      return viewAt(holder?.pointer ?? someAddress, device, window);
    },
    written: ({ ref, window }) => viewAt(someAddress, valueAt(binding, ref).device, window),
  };
  for (const launch of launches) {
    const { reduction, scan, opaque, rows, device } = launch;
    if (scan) {
      scan.form.show(scanCall(launch, scan, binding, views), (walk) => collector.walk(walk));
    } else if (opaque) {
      const on = ({ window }: ReadRef | OutputRef) =>
        viewOn(new Placeholder(device, window.size * window.dtype.bytes), window);
      const [inputs, outputs] = [launch.operands.map((one) => on(one as ReadRef)), launch.outputs.map(on)];
      collecting(collector, () => opaque.run(inputs, outputs));
    } else if (rows) {
      collector.rows(rowCall(launch, rows, binding, views));
    } else if (launch.members) {
      const call = tableCall(launch, launch.members, binding, views);
      if (call.groups.length > 0) collector.table(call);
    } else if (reduction === undefined) {
      const call = mapCall(launch, binding, views);
      collector.map(call.functor, call.operands, noOutput, call.options);
    } else {
      collector.reduce(reduceCall(launch, reduction, binding, views), (shape, strides, dtype) =>
        viewAt(someAddress, device, windowAt(dtype, 0, shape, strides)),
      );
    }
  }
  return collector;
}

function collecting(collector: Collector, run: () => void): void {
  const before = sendTo(collector);
  try {
    run();
  } finally {
    sendTo(before);
  }
}

function noOutput(): never {
  throw new Error("A plan names the outputs of its launches.");
}
