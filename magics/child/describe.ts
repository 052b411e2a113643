// Short descriptions of kernels and launches, for tables and listings.
import type { Launch, Library, Origin } from "../library.js";
import type { Cell, Tone } from "../render/table.js";

/** `int64`, or `float32, int32 → bool` if the dtypes differ; outputs are first in the list. */
export function dtypeText(dtypes: readonly string[], outputs = 1): string {
  const kinds = new Set(dtypes);
  if (kinds.size === 1) return dtypes[0] ?? "";
  const inputs = dtypes.slice(outputs).join(", ");
  return inputs === "" ? dtypes.join(", ") : `${inputs} → ${dtypes.slice(0, outputs).join(", ")}`;
}

/** A kernel's label in figures: `gcd int64`, with the layout unless contiguous, and the result's dtype if it differs. */
export function kernelLabel(kernel: { op: string; dtypes: readonly string[]; variant: string }): string {
  const { op, dtypes } = kernel;
  const variant = kernel.variant === "contiguous" ? "" : ` ${kernel.variant}`;
  const told = dtypes.length > 1 && dtypes[0] === dtypes[1] ? dtypes.slice(1) : dtypes;
  return `${op} ${told === dtypes ? dtypeText(dtypes) : [...new Set(told)].join(", ")}${variant}`;
}

/** Makes the cells of kernels' names in a table; a tooltip says how to see the code of those that this process used. */
export function kernelCells(
  jl: Pick<Library, "timings">,
): (kernel: { readonly key: string; readonly op: string }) => Cell {
  const numbers = new Map(jl.timings().map(({ key }, i) => [key, i + 1]));
  return ({ key, op }) => {
    const number = numbers.get(key);
    const title = number === undefined ? {} : { title: `%inspect --kernel ${number} shows its code` };
    return { text: op, code: true, ...title };
  };
}

const meanings: Readonly<Record<Origin, string>> = {
  compiled: "compiled by this process",
  disk: "fetched from the cache on disk, where some process had compiled it before",
  remote: "fetched from the shared cache, where another machine had stored it",
  memory: "loaded before in this process",
};

/** A kernel's origin, colored. */
export function originCell(origin: Origin): Cell {
  return { text: origin, tone: origin satisfies Tone, title: meanings[origin] };
}

/** The launches of each kernel, in the order of the first ones. */
export function launchesByKey(launches: readonly Launch[]): (readonly [Launch, ...Launch[]])[] {
  const groups = new Map<string, [Launch, ...Launch[]]>();
  for (const launch of launches) {
    const group = groups.get(launch.key);
    if (group) group.push(launch);
    else groups.set(launch.key, [launch]);
  }
  return [...groups.values()];
}
