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
   * True if a block of 256 threads handles a position, on a grid only: the body has `thread`, shared memory and barriers.
   */
  readonly block?: boolean;
  /** Files of ops/functors/ that the body calls. */
  readonly needs?: readonly string[];
  /** Dtypes that the body names, other than the operands'. */
  readonly uses?: readonly DType[];
}

/** All inputs of the text of a walk's kernel. */
export interface WalkSpec {
  readonly walk: Walk;
  readonly operands: readonly WalkOperand[];
  /** Dimensions of the walk after merging. */
  readonly rank: number;
  readonly dialect: Dialect;
}

const threads = 256;
/** The weight of a heavy position on a processor, which divides launches by elements. */
const heavyUnit = 4096;

/** The weight of a position, in elements. */
export function walkUnit({ walk, dialect }: WalkSpec): number {
  if (dialect.grid) return walk.block ? threads : 1;
  return walk.heavy ? heavyUnit : 1;
}

/** Bytes of the argument block: addresses, numbers, the count, extents and strides, every field of eight bytes. */
export function walkBytes({ operands, walk, rank }: WalkSpec): number {
  return 8 * (operands.length + walk.numbers.length + 1 + rank * (1 + operands.length));
}

/** Renders the kernel of a walk. Equal specs give equal text. */
export function renderWalk(spec: WalkSpec): Rendered {
  const { walk, operands, rank, dialect } = spec;
  const names = operands.map(({ dtype }) => dtype.name);
  const types = [...operands.map(({ dtype }) => dtype), ...(walk.uses ?? [])];
  const used = types.flatMap((dtype) => [dtype, dtypes[dtype.compute]]);
  const symbol = [walk.name, ...names, `rank${rank}`].join("_");
  const title = `// ${walk.name}: ${names.join(", ")}; rank ${rank}; ${dialect.title}`;
  const body = [ownText(spec), dialect.grid ? gridKernel(spec, symbol) : rangeKernel(spec, symbol)];
  const text = [title, ...preludes(dialect, used, body), ...body].join("\n");
  const division: Division = dialect.grid
    ? { threads, perThread: 1 }
    : { threads: 1, perThread: walkUnit(spec) };
  return { source: `${text}\n`, symbol, division };
}

function ownText({ walk, operands, rank, dialect }: WalkSpec): string {
  const pointers = operands.map(({ name, dtype }) => `${dtype.ctype}* const ${name}`);
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
  return [
    `extern "C" __global__ void __launch_bounds__(${threads}) ${symbol}(const __grid_constant__ Arguments args) {`,
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

function rangeKernel(spec: WalkSpec, symbol: string): string {
  const { operands, rank } = spec;
  const unit = walkUnit(spec);
  const at = operands.map(({ name }) => `args.${name} + at_${name}`);
  const share = (bound: string) => (unit === 1 ? bound : `${bound} / ${unit}`);
  return [
    `extern "C" void ${symbol}(const void* block, int64 begin, int64 end) {`,
    `  const Arguments args = *static_cast<const Arguments*>(block);`,
    `  int64 ${operands.map(({ name }) => `at_${name} = 0`).join(", ")};`,
    ...splitting(operands, rank, share("begin")),
    ...(rank > 0
      ? [
          `  int64 index[${rank}];`,
          `  rest = ${share("begin")};`,
          `  for (int d = 0; d < ${rank}; ++d) {`,
          `    index[d] = d == ${rank - 1} ? rest : rest % args.dim[d].size;`,
          `    rest /= args.dim[d].size;`,
          `  }`,
        ]
      : []),
    `  for (int64 i = ${share("begin")}; i < ${share("end")}; ++i) {`,
    `    visit(args, i, ${at.join(", ")});`,
    ...(rank > 0
      ? [
          `    for (int d = 0; d < ${rank}; ++d) {`,
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
