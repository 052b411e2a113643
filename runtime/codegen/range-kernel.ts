// The kernel of a processor: a loop over elements [begin, end), so that the caller divides the work among cores.
import type { LaunchShape } from "../device/device.js";
import { elementCall, plainCondition, plainForm } from "./element.js";
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

/** Elements of a block that is tested for a plain form: enough to fill vector registers, few enough for the first cache. */
const blockSize = 256;

type Access = (name: string, k: number) => string;

function flatLoop(spec: KernelSpec): string[] {
  return elementLoop(spec, "i", "begin", "end", (name) => `args.${name}[i]`).map((line) => `  ${line}`);
}

/** The loop over elements that `access` reaches by `index`; block by block where the functor has a plain form. */
function elementLoop(spec: KernelSpec, index: string, from: string, to: string, access: Access): string[] {
  const loop = (first: string, end: string, body: string) =>
    `for (int64 ${index} = ${first}; ${index} < ${end}; ++${index}) ${body}`;
  if (plainForm(spec) === undefined) {
    return ["JITLAB_INDEPENDENT", loop(from, to, elementCall(spec, access, index))];
  }
  return [
    `for (int64 first = ${from}; first < ${to}; first += ${blockSize}) {`,
    `  const int64 last = ${to} - first < ${blockSize} ? ${to} : first + ${blockSize};`,
    `  int odd = 0;`,
    `  ${loop("first", "last", `odd |= !${plainCondition(spec, access)};`)}`,
    `  if (odd == 0) {`,
    `    JITLAB_INDEPENDENT`,
    `    ${loop("first", "last", elementCall(spec, access, index, "plain_element"))}`,
    `  } else {`,
    `    ${loop("first", "last", elementCall(spec, access, index))}`,
    `  }`,
    `}`,
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
    ...elementLoop(spec, "j", "0", "run", access).map((line) => `    ${line}`),
    `    i += run;`,
    `    index[0] = 0;`,
    `    for (int d = 1; d < ${rank} && ++index[d] == args.dim[d].size; ++d) index[d] = 0;`,
    `  }`,
  ];
}
