// A kernel that one launch runs over several groups of operands of different sizes: the argument block is a table of the
// separate launches' blocks. A block of threads, or a part of a range, finds its group by the groups' starts.

import type { BlockLayout } from "../argument-fields.js";
import type { Division } from "../division.js";
import { gpuKernel } from "./map-gpu.js";
import { hostKernel } from "./map-host.js";
import { argumentLayout, type KernelSpec } from "./map-spec.js";

/** The offsets of a table's parts. */
export interface TableLayout {
  /** The arguments of one group, of `entry.bytes` bytes. */
  readonly entry: BlockLayout;
  /** The offset of the first group. Before it are the groups' starts and the last one's end, as 64-bit words. */
  readonly groups: number;
  readonly bytes: number;
}

/** The table of a spec for `spec.groups` groups. */
export function tableLayout(spec: KernelSpec): TableLayout {
  const entry = argumentLayout(spec);
  const count = spec.groups as number;
  const groups = (count + 1) * 8;
  return { entry, groups, bytes: groups + count * entry.bytes };
}

/** Renders the kernel of a spec with groups. */
export function tableKernel(spec: KernelSpec, symbol: string): { text: string; division: Division } {
  const count = spec.groups as number;
  const table = [
    `struct Table { int64 begin[${count + 1}]; Arguments group[${count}]; };`,
    `static_assert(sizeof(Arguments) == ${argumentLayout(spec).bytes}, "as the host writes it");`,
    `__device__ inline int32 group_at(const Table& table, int64 place) {`,
    `  int32 low = 0, high = ${count};`,
    `  while (high - low > 1) {`,
    `    const int32 middle = (low + high) / 2;`,
    `    if (table.begin[middle] <= place) low = middle; else high = middle;`,
    `  }`,
    `  return low;`,
    `}`,
  ];
  const { gpu } = spec.dialect;
  if (gpu) {
    // The rest is the kernel of one group, as a function of the group's arguments and the block's number in it.
    const kernel = () => `__device__ inline void one(const Arguments& args, int64 block)`;
    const { text, division } = gpuKernel(spec, symbol, { ...gpu, kernel, block: "block" });
    const own = [
      `${gpu.kernel(symbol, division.threads, "Table table")} {`,
      `  const int32 group = group_at(table, ${gpu.block});`,
      `  one(table.group[group], ${gpu.block} - table.begin[group]);`,
      `}`,
    ];
    return { text: [text, ...table, ...own].join("\n"), division };
  }
  const { text, division } = hostKernel(spec, `${symbol}_one`);
  const own = [
    `extern "C" void ${symbol}(const void* block, int64 begin, int64 end) {`,
    `  const Table& table = *static_cast<const Table*>(block);`,
    `  for (int32 group = group_at(table, begin); begin < end; ++group) {`,
    `    const int64 first = table.begin[group], next = table.begin[group + 1];`,
    `    const int64 stop = next < end ? next : end;`,
    `    ${symbol}_one(&table.group[group], begin - first, stop - first);`,
    `    begin = stop;`,
    `  }`,
    `}`,
  ];
  return { text: [text, ...table, ...own].join("\n"), division };
}
