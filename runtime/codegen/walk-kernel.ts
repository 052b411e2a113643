// Kernels that walk a shape and compute their own addresses, for example from an index tensor: in the body each operand is a
// pointer to its element at the walk's position. The bodies are C++ for every device, defined with their functions.
import { type DType, dtypes } from "../base/dtype.js";
import type { Dialect, GpuWords } from "../device/dialect.js";
import { ArgumentFields, type BlockLayout, declarations } from "./argument-fields.js";
import type { Division } from "./division.js";
import { helperTexts, preludes, type Rendered } from "./maps/render.js";

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
  /** Other scalars, each in whole words of eight bytes. */
  readonly scalars?: readonly { readonly name: string; readonly dtype: DType }[];
  /** C++ definitions before the kernel; `T` is the first operand's element type, `C` its compute type. */
  readonly helpers?: string;
  /**
   * C++ statements: `NAME` of an operand is a pointer, `NAME` of a number a value, `position` the walk's position. A list is
   * run in stages on a GPU: a thread takes four positions through each, so that their memory accesses overlap.
   */
  readonly body: string | readonly string[];
  /** C++ declarations of the variables that stages pass on, each as `own.NAME`. */
  readonly state?: string;
  /** True if one position is a long loop, so that a few positions are worth several threads. */
  readonly heavy?: boolean;
  /**
   * True if a block of threads handles a position, on a GPU only: the body has `thread`, shared memory and barriers.
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
  /** True if positions and offsets fit 32 bits, on a GPU, which adds and multiplies wider numbers in several steps. */
  readonly isNarrow: boolean;
  readonly dialect: Dialect;
}

/** The steps of a walk's operands along its innermost dimension, where the kernel's text depends on them. */
export function walkSteps(
  { heavy }: Walk,
  dialect: Dialect,
  strides: readonly (readonly number[])[],
): readonly WalkStep[] {
  // The loop in a heavy position counts, not the one over positions.
  if (dialect.gpu || heavy) return [];
  return strides.map(([stride]) => (stride === 0 ? "same" : stride === 1 ? "dense" : "even"));
}

const mostThreads = 256;
/** Positions that a GPU's thread takes through stages. */
const atOnce = 4;
/** The weight of a heavy position on a processor, which divides launches by elements. */
const heavyUnit = 4096;

function threadsOf({ threads = mostThreads }: Walk): number {
  return threads;
}

/** The weight of a position, in elements. */
export function walkUnit({ walk, dialect }: WalkSpec): number {
  if (dialect.gpu) return walk.block ? threadsOf(walk) : 1;
  return walk.heavy ? heavyUnit : 1;
}

/** Lays out the argument block: addresses, numbers, scalars, the count, and for each dimension its size and the operands' strides. */
export function walkArguments({
  operands,
  walk: { numbers, scalars = [] },
  rank,
  dialect,
}: WalkSpec): BlockLayout {
  const fields = new ArgumentFields();
  for (const { name, dtype } of operands) fields.address(name, dialect.pointer(dtype.ctype));
  numbers.forEach((name, i) => void fields.number(name, i));
  scalars.forEach(({ name, dtype }, i) => void fields.wideScalar(name, dtype, i));
  return fields.layout(8 * (1 + rank * (1 + operands.length)));
}

/** The displayed variant: `rank 2 dense same`. */
export function walkVariant({ rank, steps, isNarrow }: WalkSpec): string {
  return ["rank", rank, ...steps, ...(isNarrow ? ["32-bit"] : [])].join(" ");
}

/** Renders the kernel of a walk. Equal specs give equal text. */
export function renderWalk(spec: WalkSpec): Rendered {
  const { walk, operands, rank, steps, isNarrow, dialect } = spec;
  const names = operands.map(({ dtype }) => dtype.name);
  const types = [...operands.map(({ dtype }) => dtype), ...(walk.uses ?? [])];
  const used = types.flatMap((dtype) => [dtype, dtypes[dtype.compute]]);
  const symbol = [walk.name, ...names, `rank${rank}`, ...steps, ...(isNarrow ? ["narrow"] : [])].join("_");
  const title = `// ${walk.name}: ${names.join(", ")}; ${walkVariant(spec)}; ${dialect.title}`;
  const { gpu } = dialect;
  const body = [ownText(spec), gpu ? gpuKernel(spec, symbol, gpu) : hostKernel(spec, symbol)];
  const text = [title, ...preludes(dialect, used, body), ...body].join("\n");
  const division: Division = dialect.gpu
    ? { threads: threadsOf(walk), perThread: isStaged(spec) ? atOnce : 1 }
    : { threads: 1, perThread: walkUnit(spec) };
  return { source: `${text}\n`, symbol, division };
}

function isStaged({ walk, dialect }: WalkSpec): boolean {
  return typeof walk.body !== "string" && dialect.gpu !== undefined;
}

function ownText(spec: WalkSpec): string {
  const { walk, operands, rank, steps, dialect } = spec;
  // Operands do not overlap; a compiler that knows it takes what stays out of the innermost loop.
  const restrict = steps.length > 0 ? "__restrict " : "";
  const pointers = operands.map(({ name, dtype }) => `${dtype.ctype}* ${restrict}const ${name}`).join(", ");
  const unused = (name: string) => (isStaged(spec) ? ` (void)${name};` : "");
  const { scalars = [] } = walk;
  const numbers = [
    ...walk.numbers.map((name) => `  const int64 ${name} = args.${name};${unused(name)}`),
    ...scalars.map(({ name, dtype }) => `  const ${dtype.ctype} ${name} = args.${name};${unused(name)}`),
  ];
  const stages = typeof walk.body === "string" ? [walk.body] : walk.body;
  const visit = (name: string, more: string, body: readonly string[]) => [
    `__device__ inline void ${name}(const Arguments& args, ${more}int64 position, ${pointers}) {`,
    ...numbers,
    ...(walk.block ? ["  const int thread = threadIdx.x;"] : []),
    ...body,
    `}`,
  ];
  return [
    ...operands
      .slice(0, 1)
      .flatMap(({ dtype }) => [`typedef ${dtype.ctype} T;`, `typedef ${dtypes[dtype.compute].ctype} C;`]),
    `struct Arguments {`,
    ...declarations(walkArguments(spec)),
    `  alignas(8) int64 count;`,
    ...(rank > 0
      ? [`  struct Dim { int64 size, stride[${operands.length}]; } dim[${rank}];  // innermost first`]
      : []),
    `};`,
    ...helperTexts(walk.needs ?? [], dialect),
    ...(walk.helpers ? [walk.helpers] : []),
    ...(walk.state ? [`struct Own { ${walk.state} };`] : []),
    ...(isStaged(spec)
      ? stages.flatMap((stage, k) => visit(`stage${k}`, "Own& own, ", [stage]))
      : visit("visit", "", [...(walk.state ? ["  Own own;"] : []), ...stages])),
  ].join("\n");
}

function gpuKernel(spec: WalkSpec, symbol: string, words: GpuWords): string {
  if (isStaged(spec)) return stagedKernel(spec, symbol, words);
  const { operands, walk } = spec;
  const { thread, block } = words;
  const at = operands.map(({ name }) => `args.${name} + at_${name}`);
  const threads = threadsOf(walk);
  return [
    `${words.kernel(symbol, threads, undefined, walk.resident)} {`,
    `  const int64 i = ${walk.block ? block : `int64(${block}) * ${threads} + ${thread}`};`,
    `  if (i >= args.count) return;`,
    `  ${offset(spec)} ${operands.map(({ name }) => `at_${name} = 0`).join(", ")};`,
    ...splitting(spec, "i"),
    `  visit(args, i, ${at.join(", ")});`,
    `}`,
  ].join("\n");
}

/** A thread takes its positions through one stage after the other; whole groups need no tests. */
function stagedKernel(spec: WalkSpec, symbol: string, words: GpuWords): string {
  const { operands, walk } = spec;
  const { thread, block } = words;
  const stages = (walk.body as readonly string[]).map((_, stage) => stage);
  const each = (body: readonly string[]) => [
    `  JITLAB_UNROLL`,
    `  for (int k = 0; k < ${atOnce}; ++k) {`,
    `    const int64 i = first + k * ${mostThreads};`,
    `    if (!whole && i >= args.count) break;`,
    ...body.map((line) => `  ${line}`),
    `  }`,
  ];
  const at = operands.map(({ name }) => `args.${name} + at_${name}[k]`).join(", ");
  return [
    `template <bool whole> __device__ inline void walk(const Arguments& args, int64 first) {`,
    `  Own own[${atOnce}];`,
    `  ${offset(spec)} ${operands.map(({ name }) => `at_${name}[${atOnce}]`).join(", ")};`,
    ...each([...operands.map(({ name }) => `  at_${name}[k] = 0;`), ...splitting(spec, "i", "[k]")]),
    ...stages.flatMap((stage) => each([`  stage${stage}(args, own[k], i, ${at});`])),
    `}`,
    `${words.kernel(symbol, mostThreads)} {`,
    `  const int64 first = int64(${block}) * ${mostThreads * atOnce} + ${thread};`,
    `  if (first + ${(atOnce - 1) * mostThreads} < args.count) walk<true>(args, first);`,
    `  else walk<false>(args, first);`,
    `}`,
  ].join("\n");
}

function offset({ isNarrow }: WalkSpec): string {
  return isNarrow ? "int32" : "int64";
}

/** Statements that add up the offsets of a position; the remainder is the outermost index. */
function splitting(spec: WalkSpec, position: string, which = ""): string[] {
  const { operands, rank, isNarrow } = spec;
  if (rank === 0) return [];
  const type = offset(spec);
  // A 32-bit division takes a GPU a third of a 64-bit one.
  const narrow = "uint32(rest) / uint32(size)";
  const quotient = isNarrow ? `int32(${narrow})` : `rest >> 31 == 0 ? int64(${narrow}) : rest / size`;
  return [
    `  ${type} rest = ${isNarrow ? `int32(${position})` : position};`,
    `  for (int d = 0; d < ${rank}; ++d) {`,
    `    const ${type} size = ${type}(args.dim[d].size);`,
    `    const ${type} quotient = d == ${rank - 1} ? 0 : ${quotient};`,
    `    const ${type} index = rest - quotient * size;`,
    ...operands.map(
      ({ name }, k) =>
        `    at_${name}${which} += index * ${isNarrow ? "int32(" : ""}args.dim[d].stride[${k}]${isNarrow ? ")" : ""};`,
    ),
    `    rest = quotient;`,
    `  }`,
  ];
}

/** Runs along the innermost dimension, one after the other. */
function hostKernel(spec: WalkSpec, symbol: string): string {
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
    ...splitting(spec, share("begin")),
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
