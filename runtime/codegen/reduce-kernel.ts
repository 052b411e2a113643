// The kernels of reductions in both dialects: the reduction's own functions and the geometry of its elements. How threads
// and tasks walk them stands in reduce-grid.ts and reduce-range.ts.
import { maxDims } from "../geometry/layout.js";
import type { Division } from "./division.js";
import { reduceGrid } from "./reduce-grid.js";
import { reductionFunctions } from "./reduce-pieces.js";
import { reduceRange } from "./reduce-range.js";
import {
  blockThreads,
  type ReduceSpec,
  readType,
  reduceCounts,
  reduceUnit,
  reduceVariant,
} from "./reduce-spec.js";
import { preludes, type Rendered } from "./render.js";

/** Renders the kernel of one pass. Equal specs give equal text. */
export function renderReduction(spec: ReduceSpec): Rendered {
  const { name, input, plan, dialect } = spec;
  const symbol = [name, input.name, plan.result.name, reduceVariant(spec).replace(/\W+/g, "_")].join("_");
  const title = `// ${name}: ${plan.result.name}, ${input.name}; ${reduceVariant(spec)}; ${dialect.title}`;
  const used = [input, plan.compute, plan.result];
  const kernel = dialect.grid ? reduceGrid(spec, symbol, dialect.grid) : reduceRange(spec, symbol);
  const division: Division = dialect.grid
    ? { threads: blockThreads(spec), perThread: 1 }
    : { threads: 1, perThread: reduceUnit };
  const body = [...reductionFunctions(spec.plan), argumentsText(spec), kernel];
  const text = [title, ...preludes(dialect, used, body), ...body].join("\n");
  return { source: `${text}\n`, symbol, division };
}

function argumentsText(spec: ReduceSpec): string {
  const { last, plan, spacing, dialect } = spec;
  const index = spec.index === 32 ? "uint32" : "int64";
  const offset = {
    dense: [`  return k;`],
    even: [`  return k * args.reduced[0].in;`],
    nested: [
      `  ${index} rest = k;`,
      `  int64 at = 0;`,
      `  for (int d = 0; d < args.reduced_rank; ++d) {`,
      `    const ${index} size = args.reduced[d].size, quotient = rest / size;`,
      `    at += (rest - quotient * size) * args.reduced[d].in;`,
      `    rest = quotient;`,
      `  }`,
      `  return at;`,
    ],
  };
  return [
    `struct Arguments {`,
    `  ${dialect.pointer(`const ${readType(spec).ctype}`)} in;`,
    `  ${dialect.pointer(last ? plan.result.ctype : "Accumulator")} out;`,
    `  int64 ${reduceCounts.join(", ")};`,
    `  struct Kept { int64 size, in, out; } kept[${maxDims}];  // innermost first; strides in elements`,
    `  struct Reduced { int64 size, in; } reduced[${maxDims}];`,
    `};`,
    `// Where result number \`result\` has its elements and its place.`,
    `__device__ inline void locate(const Arguments& args, int64 result, int64& in, int64& out) {`,
    `  ${index} rest = result;`,
    `  in = 0;`,
    `  out = 0;`,
    `  for (int d = 0; d < args.kept_rank; ++d) {`,
    `    const ${index} quotient = d + 1 < args.kept_rank ? rest / ${index}(args.kept[d].size) : 0;`,
    `    const ${index} index = rest - quotient * ${index}(args.kept[d].size);`,
    `    in += index * args.kept[d].in;`,
    `    out += index * args.kept[d].out;`,
    `    rest = quotient;`,
    `  }`,
    `}`,
    `// Where element \`k\` lies behind the first element of its result.`,
    `__device__ inline int64 offset(const Arguments& args, int64 k) {`,
    ...offset[spacing],
    `}`,
  ].join("\n");
}
