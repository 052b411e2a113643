// The kernel of a processor: a loop over elements [begin, end), so that the caller divides the work among cores.
import type { LaunchShape } from "../device/device.js";
import { elementCall } from "./element.js";
import { type KernelSpec, memoryOperands } from "./spec.js";

/** Renders the range kernel of a spec. */
export function rangeKernel(spec: KernelSpec, symbol: string): { text: string; shape: LaunchShape } {
  const head = [
    `extern "C" void ${symbol}(const void* block, int64 begin, int64 end) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
  ];
  const body = spec.layout.kind === "contiguous" ? flatLoop(spec) : nestedLoop(spec, spec.layout);
  return { text: [...head, ...body, `}`].join("\n"), shape: { threads: 1, perThread: 1 } };
}

function flatLoop(spec: KernelSpec): string[] {
  return [
    `  JITLAB_INDEPENDENT`,
    `  for (int64 i = begin; i < end; ++i) ${elementCall(spec, (name) => `args.${name}[i]`)}`,
  ];
}

/** Runs along dimension 0 between places where an outer index changes. */
function nestedLoop(
  spec: KernelSpec,
  { rank, inner }: { readonly rank: number; readonly inner: readonly string[] },
): string[] {
  const operands = memoryOperands(spec);
  const access = (name: string, k: number): string => {
    if (inner[k] === "unit") return `${name}[j]`;
    return inner[k] === "broadcast" ? `${name}[0]` : `${name}[j * args.dim[0].stride[${k}]]`;
  };
  return [
    `  int64 index[${rank}];`,
    `  int64 rest = begin;`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    index[d] = rest % args.dim[d].size;`,
    `    rest /= args.dim[d].size;`,
    `  }`,
    `  for (int64 i = begin; i < end;) {`,
    ...operands.map((o) => `    ${o.dtype.ctype}* ${o.name} = args.${o.name};`),
    `    for (int d = 0; d < ${rank}; ++d) {`,
    ...operands.map((o, k) => `      ${o.name} += index[d] * args.dim[d].stride[${k}];`),
    `    }`,
    `    const int64 left = args.dim[0].size - index[0];`,
    `    const int64 run = left < end - i ? left : end - i;`,
    `    JITLAB_INDEPENDENT`,
    `    for (int64 j = 0; j < run; ++j) ${elementCall(spec, access)}`,
    `    i += run;`,
    `    index[0] = 0;`,
    `    for (int d = 1; d < ${rank} && ++index[d] == args.dim[d].size; ++d) index[d] = 0;`,
    `  }`,
  ];
}
