// The kernel of a processor: a loop over elements [begin, end), so that the caller divides the work among cores.
import type { Division } from "../division.js";
import { type Access, blockSize, elementCall, plainCondition, plainForm, stagesOf } from "./element.js";
import { type KernelSpec, memoryOperands, tileEdge, turnedOperands } from "./map-spec.js";
import { stagedLoop } from "./staged-loop.js";

/** Renders the range kernel of a spec; its division has the units of its range. */
export function hostKernel(spec: KernelSpec, symbol: string): { text: string; division: Division } {
  const head = [
    `extern "C" void ${symbol}(const void* block, int64 begin, int64 end) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
  ];
  const text = [...head, ...bodyOf(spec), `}`].join("\n");
  return { text, division: { threads: 1, perThread: tileEdge(spec) ** 2 } };
}

function bodyOf(spec: KernelSpec): string[] {
  const { layout } = spec;
  switch (layout.kind) {
    case "contiguous":
      return flatLoop(spec);
    case "strided":
      return nestedLoop(spec, layout);
    case "tiled":
      return tiledLoop(spec, layout);
    default:
      return layout satisfies never;
  }
}

function flatLoop(spec: KernelSpec): string[] {
  const operands = memoryOperands(spec);
  const access: Access = (name, k) => `args.${name}[${operands[k]?.isSingle ? "0" : "i"}]`;
  return elementLoop(spec, "i", "begin", "end", access).map((line) => `  ${line}`);
}

/** The loop over elements, written by `access` with `index`; in blocks if the functor has a plain form. */
export function elementLoop(
  spec: KernelSpec,
  index: string,
  from: string,
  to: string,
  access: Access,
): string[] {
  const stages = stagesOf(spec);
  if (stages) return stagedLoop(spec, stages, index, from, to, access);
  const loop = (first: string, end: string, body: string) =>
    `for (int64 ${index} = ${first}; ${index} < ${end}; ++${index}) ${body}`;
  if (plainForm(spec) === undefined) {
    return ["JITLAB_INDEPENDENT", loop(from, to, elementCall(spec, access, index))];
  }
  const size = blockSize;
  return [
    `for (int64 first = ${from}; first < ${to}; first += ${size}) {`,
    `  const int64 last = ${to} - first < ${size} ? ${to} : first + ${size};`,
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

/** Runs along dimension 0 between changes of an outer index. */
function nestedLoop(
  spec: KernelSpec,
  { rank, inner }: { readonly rank: number; readonly inner: readonly string[] },
): string[] {
  const operands = memoryOperands(spec);
  const access = rowAccess(inner, "j");
  return [
    `  int64 index[${rank}];`,
    `  int64 rest = begin;`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    index[d] = rest % args.dim[d].size;`,
    `    rest /= args.dim[d].size;`,
    `  }`,
    `  for (int64 i = begin; i < end;) {`,
    ...operands.map((o) => `    ${o.ctype}* ${o.name} = args.${o.name};`),
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

/** An operand's element in a row that starts at the pointer of its name. */
function rowAccess(inner: readonly string[], index: string): Access {
  return (name, k) => {
    if (inner[k] === "unit") return `${name}[${index}]`;
    return inner[k] === "broadcast" ? `${name}[0]` : `${name}[${index} * args.dim[0].stride[${k}]]`;
  };
}

/**
 * Takes square tiles of dimensions 0 and 1: inputs that are dense along dimension 1 are read along it into a buffer, and such
 * outputs are written from one, so that each of their cache lines is accessed once. The range counts whole tiles.
 */
function tiledLoop(
  spec: KernelSpec,
  { rank, inner }: { readonly rank: number; readonly inner: readonly string[] },
): string[] {
  const edge = tileEdge(spec);
  const operands = memoryOperands(spec).map((o, k) => ({ ...o, k }));
  const turned = turnedOperands(spec);
  const isTurned = (k: number) => turned.some((o) => o.k === k);
  const straight = operands.filter((o) => !isTurned(o.k));
  const isOutput = ({ name }: { readonly name: string }) => name.startsWith("out");
  const row = rowAccess(inner, "x");
  const access: Access = (name, k) => (isTurned(k) ? `tile_${name}[y][x]` : row(name, k));
  const each = (
    line: (o: (typeof operands)[number]) => string,
    list: readonly (typeof operands)[number][] = operands,
  ) => list.map(line);
  const tile = ({ name }: { readonly name: string }) => `tile_${name}[y][x]`;
  const place = ({ name, k }: (typeof operands)[number]) => `${name}[x * args.dim[0].stride[${k}] + y]`;
  const columnwise = (list: typeof turned, line: (o: (typeof operands)[number]) => string) =>
    list.length === 0
      ? []
      : [
          `    for (int64 x = 0; x < width; ++x) {`,
          ...list.map((o) => `      for (int64 y = 0; y < height; ++y) ${line(o)};`),
          `    }`,
        ];
  return [
    `  const int64 columns = args.dim[0].size, rows = args.dim[1].size;`,
    `  const int64 across = (columns + ${edge - 1}) / ${edge}, down = (rows + ${edge - 1}) / ${edge};`,
    ...each(
      (o) => `  alignas(64) ${o.ctype} tile_${o.name}[${edge}][${edge} + 64 / sizeof(${o.ctype})];`,
      turned,
    ),
    `  for (int64 tile = begin / ${edge * edge}; tile < end / ${edge * edge}; ++tile) {`,
    `    const int64 left = tile % across * ${edge}, top = tile / across % down * ${edge};`,
    `    const int64 width = columns - left < ${edge} ? columns - left : ${edge};`,
    `    const int64 height = rows - top < ${edge} ? rows - top : ${edge};`,
    ...each(
      (o) =>
        `    ${o.ctype}* ${o.name} = args.${o.name} + left * args.dim[0].stride[${o.k}] + top * args.dim[1].stride[${o.k}];`,
    ),
    ...(rank > 2
      ? [
          `    int64 rest = tile / across / down;`,
          `    for (int d = 2; d < ${rank}; ++d) {`,
          `      const int64 index = rest % args.dim[d].size;`,
          ...each((o) => `      ${o.name} += index * args.dim[d].stride[${o.k}];`),
          `      rest /= args.dim[d].size;`,
          `    }`,
        ]
      : []),
    ...columnwise(
      turned.filter((o) => !isOutput(o)),
      (o) => `${tile(o)} = ${place(o)}`,
    ),
    `    for (int64 y = 0; y < height; ++y) {`,
    ...elementLoop(spec, "x", "0", "width", access).map((line) => `      ${line}`),
    ...each((o) => `      ${o.name} += args.dim[1].stride[${o.k}];`, straight),
    `    }`,
    ...columnwise(turned.filter(isOutput), (o) => `${place(o)} = ${tile(o)}`),
    `  }`,
  ];
}
