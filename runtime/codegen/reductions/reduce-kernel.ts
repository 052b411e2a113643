// The kernels of reductions in both dialects: the reduction's functions and the geometry of its elements. reduce-gpu.ts and
// reduce-host.ts have the loops of threads and tasks.

import { userTexts } from "../../functor/functor.js";
import { maxDims } from "../../geometry/layout.js";
import { declarations } from "../argument-fields.js";
import type { Division } from "../division.js";
import { type KernelSpec, type MemoryOperand, memoryOperands } from "../maps/map-spec.js";
import {
  declaredOperand,
  elementText,
  functorText,
  guardTexts,
  helperTexts,
  preludes,
  type Rendered,
  typesOf,
} from "../maps/render.js";
import { epilogueSpace, epilogueText } from "./reduce-epilogue.js";
import { reduceGpu } from "./reduce-gpu.js";
import { reduceHost } from "./reduce-host.js";
import { reductionFunctions } from "./reduce-pieces.js";
import {
  blockThreads,
  prologueSpec,
  type ReduceSpec,
  reduceArguments,
  reduceCounts,
  reduceUnit,
  reduceVariant,
  resultTypes,
  type Spacing,
} from "./reduce-spec.js";

/** Renders the kernel of one pass. Equal specs give equal text. */
export function renderReduction(spec: ReduceSpec): Rendered {
  const { input, plan, dialect } = spec;
  const name = passName(spec);
  const read = spec.prologue?.inputs.map((type) => (type === "T" ? input : type).name) ?? [input.name];
  const results = resultTypes(plan);
  const types = [...results.map((type) => type.name), ...read];
  const symbol = [name, ...types, reduceVariant(spec).replace(/\W+/g, "_")].join("_");
  const title = `// ${name}: ${types.join(", ")}; ${reduceVariant(spec)}; ${dialect.title}`;
  const prologue = prologueSpec(spec);
  const { user } = plan;
  const after = spec.epilogue?.functor;
  const used = [
    input,
    ...(plan.members ?? [{ plan }]).map((member) => member.plan.compute),
    ...results,
    ...(prologue ? typesOf(prologue) : []),
    ...(after?.uses ?? []),
    ...(user?.uses ?? []),
  ];
  const kernel = dialect.gpu ? reduceGpu(spec, symbol, dialect.gpu) : reduceHost(spec, symbol);
  const division: Division = dialect.gpu
    ? { threads: blockThreads(spec), perThread: 1 }
    : { threads: 1, perThread: reduceUnit };
  const guards = guardTexts(
    [
      ...[prologue?.functor, after].flatMap((one) => (one ? userTexts(one, input) : [])),
      ...(user ? [{ text: plan.accumulator, compute: plan.compute }] : []),
    ],
    dialect,
  );
  const needs = [
    ...(prologue?.functor.needs(input) ?? []),
    ...(after?.needs(input) ?? []),
    ...(user?.needs ?? []),
  ];
  const body = [
    ...helperTexts([...new Set(needs)], dialect),
    ...(prologue ? functorText(prologue) : []),
    ...(after ? [`namespace ${epilogueSpace} {\n${after.text(input)}\n}`] : []),
    ...reductionFunctions(spec.plan),
    argumentsText(spec),
    ...(spec.epilogue ? [epilogueText(spec.epilogue, results)] : []),
    ...(prologue ? [elementText(prologue)] : []),
    ...(plan.members ? liftAllText(spec) : prologue ? [mappedText(prologue)] : []),
    kernel,
  ];
  const text = [title, ...guards, ...preludes(dialect, used, body), ...body].join("\n");
  return { source: `${text}\n`, symbol, division };
}

/** The displayed operation of a pass: `sum`, with a prologue `fused_mul_sum`, with an epilogue `sum_fused_mul`. */
export function passName({ name, prologue, epilogue }: ReduceSpec): string {
  return [prologue?.name, name, epilogue?.functor?.name].filter((one) => one !== undefined).join("_");
}

/** The accumulator of the elements of several reductions from an element of each operand. */
function liftAllText(spec: ReduceSpec): string[] {
  if (!spec.first) return [];
  const prologue = prologueSpec(spec);
  const operands = prologue ? memoryOperands(prologue) : [];
  const made = operands.slice(0, prologue?.outputs.length);
  const read = prologue ? operands.slice(made.length).map(declaredOperand) : [`${spec.input.ctype} in0`];
  const list = ["const Arguments& args", ...read, "int64 place"].join(", ");
  return [
    `__device__ inline Accumulator lift_all(${list}) {`,
    ...made.map(({ ctype, name }) => `  ${ctype} ${name};`),
    ...(prologue ? [`  element(${["args", ...operands.map(({ name }) => name)].join(", ")});`] : []),
    `  return ${spec.plan.lift};`,
    `}`,
  ];
}

/** The prologue's element from an element of each operand. */
function mappedText(prologue: KernelSpec): string {
  const [{ ctype }, ...operands] = memoryOperands(prologue) as [MemoryOperand, ...MemoryOperand[]];
  const list = ["const Arguments& args", ...operands.map(declaredOperand)];
  return [
    `__device__ inline ${ctype} mapped(${list.join(", ")}) {`,
    `  ${ctype} out0;`,
    `  element(${["args", "out0", ...operands.map(({ name }) => name)].join(", ")});`,
    `  return out0;`,
    `}`,
  ].join("\n");
}

function argumentsText(spec: ReduceSpec): string {
  const { sources, index: bits } = spec;
  const index = bits === 32 ? "uint32" : "int64";
  const count = sources.length;
  return [
    `struct alignas(8) Arguments {`,
    ...declarations(reduceArguments(spec)),
    `  alignas(8) int64 ${reduceCounts.join(", ")};`,
    `  struct Kept { int64 size, in[${count}], out; } kept[${maxDims}];  // innermost first; strides in elements`,
    `  struct Reduced { int64 size, in[${count}]; } reduced[${maxDims}];`,
    `};`,
    `// Where result number \`result\` has its elements and its place.`,
    `__device__ inline void locate(const Arguments& args, int64 result, int64 (&in)[${count}], int64& out) {`,
    `  ${index} rest = result;`,
    `  for (int i = 0; i < ${count}; ++i) in[i] = 0;`,
    `  out = 0;`,
    // NVRTC takes a quarter of a sum's compilation to unroll it.
    ...(spec.dialect.gpu ? [`#pragma unroll 1`] : []),
    `  for (int d = 0; d < args.kept_rank; ++d) {`,
    `    const ${index} quotient = d + 1 < args.kept_rank ? rest / ${index}(args.kept[d].size) : 0;`,
    `    const ${index} index = rest - quotient * ${index}(args.kept[d].size);`,
    `    for (int i = 0; i < ${count}; ++i) in[i] += index * args.kept[d].in[i];`,
    `    out += index * args.kept[d].out;`,
    `    rest = quotient;`,
    `  }`,
    `}`,
    ...sources.flatMap(({ spacing }, i) => offsetText(spacing, i, index)),
  ].join("\n");
}

/** The function that returns the offset of element `k` of an operand from the first element of its result. */
function offsetText(spacing: Spacing, i: number, index: string): string[] {
  const body: Readonly<Record<Spacing, readonly string[]>> = {
    dense: [`  return k;`],
    same: [`  return 0;`],
    even: [`  return k * args.reduced[0].in[${i}];`],
    nested: [
      `  ${index} rest = k;`,
      `  int64 at = 0;`,
      `  for (int d = 0; d < args.reduced_rank; ++d) {`,
      `    const ${index} size = args.reduced[d].size, quotient = rest / size;`,
      `    at += (rest - quotient * size) * args.reduced[d].in[${i}];`,
      `    rest = quotient;`,
      `  }`,
      `  return at;`,
    ],
  };
  return [
    ...(i === 0 ? [`// Where element \`k\` of an operand lies behind the first element of its result.`] : []),
    `__device__ inline int64 offset${i}(const Arguments& args, int64 k) {`,
    ...body[spacing],
    `}`,
  ];
}
