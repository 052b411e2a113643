// The row kernel in both dialects: its functions and arguments. row-gpu.ts has the loops of threads, row-host.ts those of
// a processor's tasks, row-bundle.ts those for short rows.
import { addressesIn, declarations } from "../argument-fields.js";
import { type Division, defaultBlock } from "../division.js";
import { guardTexts, helperTexts, preludes, type Rendered } from "../maps/render.js";
import { passedText } from "../reductions/passed-accumulator.js";
import { reductionFunctions } from "../reductions/reduce-pieces.js";
import { reduceUnit } from "../reductions/reduce-spec.js";
import { bundleJoins, rowBundle } from "./row-bundle.js";
import { rowGpu } from "./row-gpu.js";
import { rowHost, rowJoins, rowLoops } from "./row-host.js";
import {
  isChosenWord,
  isShared,
  type RowReduction,
  type RowSpec,
  rowArguments,
  rowVariant,
  rowWord,
} from "./row-spec.js";

/** Renders a row kernel. Equal specs give equal text. */
export function renderRows(spec: RowSpec): Rendered {
  const { body, dialect } = spec;
  const { gpu } = dialect;
  const stored = [...body.outputs, ...body.inputs].map(({ dtype }) => dtype.name);
  const symbol = [body.name, ...stored, rowVariant(spec)].join("_").replace(/\W+/g, "_");
  const title = `// ${body.name}: ${stored.join(", ")}; ${rowVariant(spec)}; ${dialect.title}`;
  const own = [
    ...helperTexts(body.needs, dialect),
    ...body.functions,
    ...body.reductions.map((one) => reductionText(spec, one)),
    ...(gpu ? [] : rowLoops(spec)),
    argumentsText(spec),
    gpu ? rowGpu(spec, symbol, gpu) : spec.isShort ? rowBundle(spec, symbol) : rowHost(spec, symbol),
  ];
  const division: Division = gpu
    ? { threads: defaultBlock, perThread: 1 }
    : { threads: 1, perThread: reduceUnit };
  const guards = guardTexts(body.composed, dialect);
  const text = [title, ...guards, ...preludes(dialect, body.uses, own), ...own].join("\n");
  return { source: `${text}\n`, symbol, division };
}

/** A reduction's functions, in a namespace. */
function reductionText(spec: RowSpec, one: RowReduction): string {
  const joins = spec.dialect.gpu
    ? isShared(spec)
      ? passedText(one.plan.accumulatorBytes)
      : []
    : spec.isShort
      ? bundleJoins(spec, one)
      : rowJoins(spec, one);
  return [`namespace of_${one.result} {`, ...reductionFunctions(one.plan), ...joins, `}`].join("\n");
}

const chosenText = [
  `// The elements of a word of a chosen row, which the first one loads: all are of one row.`,
  `template <typename V> struct Chosen {`,
  `  const V* from;`,
  `  Word<V>& word;`,
  `  int u;`,
  `  V operator[](int64 row) const {`,
  `    if (u == 0) word = *reinterpret_cast<const Word<V>*>(from + row);`,
  `    return word.lane[u];`,
  `  }`,
  `};`,
].join("\n");

function argumentsText(spec: RowSpec): string {
  const layout = rowArguments(spec);
  const names = addressesIn(layout);
  return [
    ...(spec.dialect.gpu
      ? [
          `template <typename V> struct alignas(sizeof(V) * ${rowWord} < 16 ? sizeof(V) * ${rowWord} : 16) Word { V lane[${rowWord}]; };`,
          ...(spec.body.inputs.some((_, i) => isChosenWord(spec, i)) ? [chosenText] : []),
        ]
      : []),
    `struct alignas(8) Arguments {`,
    ...declarations(layout),
    `  alignas(8) int64 rows, length;`,
    `  int64 step[${names.length}];  // from element to element: ${names.join(", ")}`,
    ...(spec.rank > 0
      ? [`  struct Dim { int64 size, stride[${names.length}]; } dim[${spec.rank}];  // innermost first`]
      : []),
    `};`,
  ].join("\n");
}
