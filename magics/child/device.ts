// %device and %memory in the child.
import { formatBytes, formatCount } from "../render/format.js";
import type { MagicContext } from "./context.js";

/** Shows the devices, or makes one the default. */
export function device(context: MagicContext, name?: string): void {
  const { jl } = context;
  if (name !== undefined) {
    jl.setDevice(name);
    const chosen = jl.getDevice();
    const known = jl.devices().find((one) => one.name === chosen);
    context.line(`The default device is ${chosen}${known?.description ? ` (${known.description})` : ""}.`);
    return;
  }
  const rows = jl
    .devices()
    .map((one) => [
      { text: one.name, code: true },
      one.available ? { text: "works", tone: "good" as const } : { text: "missing", tone: "bad" as const },
      one.isDefault ? "default" : "",
      one.available ? one.description : one.reason,
    ]);
  context.table({
    columns: [{ title: "device" }, { title: "state" }, { title: "" }, { title: "description" }],
    rows,
  });
}

/** Shows the memory that tensors occupy on each device, and what of it was garbage. */
export function memory(context: MagicContext): void {
  const { memory } = context.jl;
  const found = memory.stats();
  if (found.length === 0) {
    context.line("No device memory is in use.");
    return;
  }
  memory.collect();
  const right = { align: "right" } as const;
  context.table({
    columns: [
      { title: "device" },
      { title: "live", doc: "Blocks of tensors that are reachable.", ...right },
      { title: "blocks", ...right },
      {
        title: "garbage",
        doc: "Blocks that were unreachable: found by this cell, and kept since.",
        ...right,
      },
      { title: "kept", doc: "Free memory kept for later tensors; jl.memory.release() returns it.", ...right },
      { title: "peak", doc: "The most that was live or garbage at once.", ...right },
      { title: "free", doc: "The device's free memory.", ...right },
      { title: "of", ...right },
      { title: "limit", doc: "The most that this process may hold: JITLAB_MEMORY.", ...right },
      { title: "allocations", ...right },
    ],
    rows: memory
      .stats()
      .map((one, i) => [
        { text: one.device, code: true },
        formatBytes(one.liveBytes),
        formatCount(one.liveBlocks),
        formatBytes(Math.max(0, (found[i]?.liveBytes ?? 0) - one.liveBytes)),
        formatBytes(one.heldBytes - one.liveBytes),
        formatBytes(one.peakBytes),
        formatBytes(one.freeBytes),
        formatBytes(one.totalBytes),
        formatBytes(one.limitBytes),
        formatCount(one.allocations),
      ]),
  });
}
