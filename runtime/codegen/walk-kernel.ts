// Kernels that walk a shape and compute their own addresses, for example from an index tensor: in the body each operand is a
// pointer to its element at the walk's position. The bodies are C++ for every device, defined with their functions.
import { type DType, dtypes } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import type { Division } from "./division.js";
import { functorFile, preludes, type Rendered } from "./render.js";

/** An operand of a walk. */
export interface WalkOperand {
  readonly name: string;
  readonly dtype: DType;
}

/** A walk, without its operands' layouts. */
export interface Walk {
  readonly name: string;
  /** Names of operands, in call order. */
  readonly operands: readonly string[];
  /** Names of numbers, each an `int64`. */
  readonly numbers: readonly string[];
  /** C++ definitions before the kernel; `T` is the first operand's element type, `C` its compute type. */
  readonly helpers?: string;
  /** C++ statements: `NAME` of an operand is a pointer, `NAME` of a number a value, `position` the walk's position. */
  readonly body: string;
  /** True if one position is a long loop, so that a few positions are worth several threads. */
  readonly heavy?: boolean;
  /**
   * True if a block of threads handles a position, on a grid only: the body has `thread`, shared memory and barriers.
   */
  readonly block?: boolean;
  /** Threads of a block; default 256. */
  readonly threads?: number;
  /** How many blocks should fit a GPU's multiprocessor at once, where the compiler would take more registers than that. */
  readonly resident?: number;
  /** Files of ops/functors/ that the body calls. */
  readonly needs?: readonly string[];
  /** Dtypes that the body names, other than the operands'. */
  readonly uses?: readonly DType[];
}

/** An operand's step along the innermost dimension: it stays, goes to the next element, or has a stride. */
export type WalkStep = "same" | "dense" | "even";

/** All inputs of the text of a walk's kernel. */
export interface WalkSpec {
  readonly walk: Walk;
  readonly operands: readonly WalkOperand[];
  /** Dimensions of the walk after merging. */
  readonly rank: number;
  /** The step of each operand, on a processor, whose compiler then vectorizes the innermost loop; empty for any strides. */
  readonly steps: readonly WalkStep[];
  readonly dialect: Dialect;
}

/** The steps of a walk's operands along its innermost dimension, where the kernel's text depends on them. */
export function walkSteps(
  { heavy }: Walk,
  dialect: Dialect,
  strides: readonly (readonly number[])[],
): readonly WalkStep[] {
  // The loop in a heavy position counts, not the one over positions.
  if (dialect.grid || heavy) return [];
  return strides.map(([stride]) => (stride === 0 ? "same" : stride === 1 ? "dense" : "even"));
}

const mostThreads = 256;
/** The weight of a heavy position on a processor, which divides launches by elements. */
const heavyUnit = 4096;

function threadsOf({ threads = mostThreads }: Walk): number {
  return threads;
}

/** The weight of a position, in elements. */
export function walkUnit({ walk, dialect }: WalkSpec): number {
  if (dialect.grid) return walk.block ? threadsOf(walk) : 1;
  return walk.heavy ? heavyUnit : 1;
}

/** Bytes of the argument block: addresses, numbers, the count, extents and strides, every field of eight bytes. */
export function walkBytes({ operands, walk, rank }: WalkSpec): number {
  return 8 * (operands.length + walk.numbers.length + 1 + rank * (1 + operands.length));
}

/** The displayed variant: `rank 2 dense same`. */
export function walkVariant({ rank, steps }: WalkSpec): string {
  return ["rank", rank, ...steps].join(" ");
}

/** Renders the kernel of a walk. Equal specs give equal text. */
export function renderWalk(spec: WalkSpec): Rendered {
  const { walk, operands, rank, steps, dialect } = spec;
  const names = operands.map(({ dtype }) => dtype.name);
  const types = [...operands.map(({ dtype }) => dtype), ...(walk.uses ?? [])];
  const used = types.flatMap((dtype) => [dtype, dtypes[dtype.compute]]);
  const symbol = [walk.name, ...names, `rank${rank}`, ...steps].join("_");
  const title = `// ${walk.name}: ${names.join(", ")}; ${walkVariant(spec)}; ${dialect.title}`;
  const body = [ownText(spec), dialect.grid ? gridKernel(spec, symbol) : rangeKernel(spec, symbol)];
  const text = [title, ...preludes(dialect, used, body), ...body].join("\n");
  const division: Division = dialect.grid
    ? { threads: threadsOf(walk), perThread: 1 }
    : { threads: 1, perThread: walkUnit(spec) };
  return { source: `${text}\n`, symbol, division };
}

function ownText({ walk, operands, rank, steps, dialect }: WalkSpec): string {
  // Operands do not overlap; a compiler that knows it takes what stays out of the innermost loop.
  const own = steps.length > 0 ? "__restrict " : "";
  const pointers = operands.map(({ name, dtype }) => `${dtype.ctype}* ${own}const ${name}`);
  return [
    ...operands
      .slice(0, 1)
      .flatMap(({ dtype }) => [`typedef ${dtype.ctype} T;`, `typedef ${dtypes[dtype.compute].ctype} C;`]),
    `struct Arguments {`,
    ...operands.map(({ name, dtype }) => `  ${dialect.pointer(dtype.ctype)} ${name};`),
    ...walk.numbers.map((name) => `  int64 ${name};`),
    `  int64 count;`,
    ...(rank > 0
      ? [`  struct Dim { int64 size, stride[${operands.length}]; } dim[${rank}];  // innermost first`]
      : []),
    `};`,
    ...(walk.needs ?? []).map(functorFile),
    ...(walk.helpers ? [walk.helpers] : []),
    `__device__ inline void visit(const Arguments& args, int64 position, ${pointers.join(", ")}) {`,
    ...walk.numbers.map((name) => `  const int64 ${name} = args.${name};`),
    ...(walk.block ? ["  const int thread = threadIdx.x;"] : []),
    walk.body,
    `}`,
  ].join("\n");
}

function gridKernel({ operands, rank, walk }: WalkSpec, symbol: string): string {
  const at = operands.map(({ name }) => `args.${name} + at_${name}`);
  const threads = threadsOf(walk);
  const bounds = [threads, ...(walk.resident === undefined ? [] : [walk.resident])].join(", ");
  return [
    `extern "C" __global__ void __launch_bounds__(${bounds}) ${symbol}(const __grid_constant__ Arguments args) {`,
    `  const int64 i = ${walk.block ? "blockIdx.x" : `int64(blockIdx.x) * ${threads} + threadIdx.x`};`,
    `  if (i >= args.count) return;`,
    `  int64 ${operands.map(({ name }) => `at_${name} = 0`).join(", ")};`,
    ...splitting(operands, rank, "i"),
    `  visit(args, i, ${at.join(", ")});`,
    `}`,
  ].join("\n");
}

/** Statements that add up the offsets of a position; the remainder is the outermost index. */
function splitting(operands: readonly WalkOperand[], rank: number, position: string): string[] {
  if (rank === 0) return [];
  return [
    `  int64 rest = ${position};`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    const int64 size = args.dim[d].size;`,
    // A 32-bit division takes a GPU a third of a 64-bit one.
    `    const int64 quotient = d == ${rank - 1} ? 0 : rest >> 31 == 0 ? int64(uint32(rest) / uint32(size)) : rest / size;`,
    `    const int64 index = rest - quotient * size;`,
    ...operands.map(({ name }, k) => `    at_${name} += index * args.dim[d].stride[${k}];`),
    `    rest = quotient;`,
    `  }`,
  ];
}

/** Runs along the innermost dimension, one after the other. */
function rangeKernel(spec: WalkSpec, symbol: string): string {
  const { operands, rank, steps } = spec;
  const unit = walkUnit(spec);
  const share = (bound: string) => (unit === 1 ? bound : `${bound} / ${unit}`);
  const element = ({ name }: WalkOperand, k: number): string => {
    const along = { same: "", dense: " + j", even: ` + j * step_${name}` }[steps[k] ?? "even"];
    return `args.${name} + at_${name}${rank > 0 ? along : ""}`;
  };
  const visit = (position: string) => `visit(args, ${[position, ...operands.map(element)].join(", ")});`;
  const begin = [
    `extern "C" void ${symbol}(const void* block, int64 begin, int64 end) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
    `  int64 ${operands.map(({ name }) => `at_${name} = 0`).join(", ")};`,
  ];
  if (rank === 0) {
    return [...begin, `  if (${share("begin")} < ${share("end")}) ${visit("0")}`, `}`].join("\n");
  }
  return [
    ...begin,
    ...splitting(operands, rank, share("begin")),
    `  int64 index[${rank}];`,
    `  rest = ${share("begin")};`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    index[d] = d == ${rank - 1} ? rest : rest % args.dim[d].size;`,
    `    rest /= args.dim[d].size;`,
    `  }`,
    ...operands.flatMap(({ name }, k) =>
      (steps[k] ?? "even") === "even" ? [`  const int64 step_${name} = args.dim[0].stride[${k}];`] : [],
    ),
    `  for (int64 i = ${share("begin")}; i < ${share("end")};) {`,
    `    const int64 left = args.dim[0].size - index[0], count = ${share("end")} - i < left ? ${share("end")} - i : left;`,
    `    JITLAB_INDEPENDENT`,
    `    for (int64 j = 0; j < count; ++j) ${visit("i + j")}`,
    `    i += count;`,
    ...(rank > 1
      ? [
          ...operands.map(({ name }, k) => `    at_${name} -= index[0] * args.dim[0].stride[${k}];`),
          `    index[0] = 0;`,
          `    for (int d = 1; d < ${rank}; ++d) {`,
          ...operands.map(({ name }, k) => `      at_${name} += args.dim[d].stride[${k}];`),
          `      if (++index[d] < args.dim[d].size) break;`,
          ...operands.map(
            ({ name }, k) => `      at_${name} -= args.dim[d].size * args.dim[d].stride[${k}];`,
          ),
          `      index[d] = 0;`,
          `    }`,
        ]
      : []),
    `  }`,
    `}`,
  ].join("\n");
}
