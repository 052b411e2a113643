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

/** Shows the memory that tensors occupy on each device. */
export function memory(context: MagicContext): void {
  const stats = context.jl.memory.stats();
  if (stats.length === 0) {
    context.line("No device memory is in use.");
    return;
  }
  const right = { align: "right" } as const;
  context.table({
    columns: [
      { title: "device" },
      {
        title: "in use",
        doc: "Blocks of tensors that are reachable, or not yet found unreachable.",
        ...right,
      },
      { title: "blocks", ...right },
      { title: "peak", ...right },
      { title: "kept", doc: "Free blocks kept for later tensors of their size.", ...right },
      { title: "free", doc: "The device's free memory.", ...right },
      { title: "of", ...right },
      { title: "allocations", ...right },
    ],
    rows: stats.map((one) => [
      { text: one.device, code: true },
      formatBytes(one.liveBytes),
      formatCount(one.liveBlocks),
      formatBytes(one.peakBytes),
      formatBytes(one.cachedBytes),
      formatBytes(one.freeBytes),
      formatBytes(one.totalBytes),
      formatCount(one.allocations),
    ]),
  });
}
