// The row kernel of a GPU. A warp or a block takes a row, or a few threads take a short one. Each thread holds words of four
// elements. Reductions use the order of reduction-order.ts, and every thread gets their results.
import type { DType } from "../../base/dtype.js";
import type { GpuWords } from "../../device/dialect.js";
import { defaultBlock } from "../division.js";
import { indented } from "../indented.js";

import { treeOf } from "../reductions/reduction-order.js";
import { exchangeStart, leaveText, meetText, passText } from "./row-exchange.js";
import {
  accessOf,
  atOf,
  isChosenWord,
  isShared,
  phasesOf,
  type RowInput,
  type RowReduction,
  type RowShare,
  type RowSpec,
  rowPart,
  rowWord,
} from "./row-spec.js";

const warp = 32;

/** Renders the kernel of a spec for a GPU. */
export function rowGpu(spec: RowSpec, symbol: string, words: GpuWords): string {
  const { body, rank } = spec;
  const { threads } = shareOf(spec);
  const { thread, block } = words;
  const perBlock = defaultBlock / threads;
  const part = rowPart(shareOf(spec));
  const operands = spec.access.length;
  return [
    `${words.kernel(symbol, defaultBlock, undefined, residentBlocks(spec))} {`,
    `  const int lane = ${thread} % ${threads};`,
    ...(inRow(spec).length > 0 ? [`  const int n = args.length;`] : []),
    ...(isShared(spec)
      ? [
          `  const uint32 parts = (uint32(args.length) + ${part - 1}) / ${part};`,
          `  const int64 place = ${block} / parts;`,
          `  const int part = ${block} % parts, begin = part * ${part};`,
          ...indented(exchangeStart(body), "  "),
        ]
      : [`  const int64 place = int64(${block}) * ${perBlock} + ${thread} / ${threads};`]),
    isPartial(spec) ? `  const bool writes = place < args.rows;` : `  if (place >= args.rows) return;`,
    `  int64 at[${operands}] = {};`,
    ...(rank > 0
      ? [
          `  uint32 rest = ${isPartial(spec) ? "writes ? place : args.rows - 1" : "place"};`,
          `#pragma unroll`,
          `  for (int d = 0; d < ${rank}; ++d) {`,
          `    const uint32 size = args.dim[d].size, quotient = d + 1 < ${rank} ? rest / size : 0, index = rest - quotient * size;`,
          `#pragma unroll`,
          `    for (int k = 0; k < ${operands}; ++k) at[k] += index * args.dim[d].stride[k];`,
          `    rest = quotient;`,
          `  }`,
        ]
      : []),
    ...body.scalars.map(({ ctype }, i) => `  const ${ctype} s${i} = args.s${i};`),
    ...body.inputs.flatMap(({ dtype, isAddressed, isFlag }, i) => {
      if (accessOf(spec, i) !== "row") return [];
      const place = `args.in${i}[${atOf(spec, i)}]`;
      // In memory it would keep later loads waiting.
      if (isFlag) return [`  ${dtype.ctype} flag${i} = 0;`, `  const ${dtype.ctype}* x${i} = &flag${i};`];
      return isAddressed
        ? [`  const ${dtype.ctype}* x${i} = &${place};`]
        : [`  const ${dtype.ctype} x${i} = ${place};`];
    }),
    ...Array.from({ length: phasesOf(body) }, (_, phase) =>
      indented(phaseText(spec, phase, words), "  "),
    ).flat(),
    ...body.inputs.flatMap(({ dtype, isFlag }, i) =>
      isFlag && accessOf(spec, i) === "row"
        ? [`  if (flag${i} != 0) const_cast<${dtype.ctype}&>(args.in${i}[${atOf(spec, i)}]) = flag${i};`]
        : [],
    ),
    `}`,
  ].join("\n");
}

/** The test of element u of a word, none in a full row: rows of packed operands are whole words. */
function inRow({ access, share }: RowSpec): readonly string[] {
  if (share?.isFull) return [];
  return [access.includes("packed") ? "first < n" : "first + u < n"];
}
/** True if threads without a row stay beside others that have one, whom they help to exchange. */
const isPartial = (spec: RowSpec) => shareOf(spec).threads < (spec.dialect.gpu?.together ?? warp);
/** The test of a thread that stores; others without a row have ended. */
const writes = (spec: RowSpec) => (isPartial(spec) ? ["writes"] : []);
const when = (...tests: readonly string[]) => (tests.length > 0 ? `if (${tests.join(" && ")}) ` : "");
/** The element that a user's functor gets again in place of element u of a word behind the end of the row. */
const again = ({ access }: RowSpec) => (access.includes("packed") ? "u" : "0");
const shareOf = ({ share }: RowSpec) => share as RowShare;
/**
 * The thread's first element of word g. Added to an address from the left, it leaves a constant offset to the address that
 * all words have in common.
 */
const firstOf = (spec: RowSpec) =>
  `${isShared(spec) ? "begin + " : ""}lane * ${rowWord} + g * ${shareOf(spec).threads * rowWord}`;

/**
 * The blocks that a multiprocessor shall hold at once where blocks wait for each other: others then load. Undefined where a
 * thread would have too few registers for what it holds.
 */
function residentBlocks(spec: RowSpec): number | undefined {
  if (!isShared(spec)) return undefined;
  const { inputs, steps } = spec.body;
  const held = Array.from({ length: phasesOf(spec.body) - 1 }, (_, phase) => {
    const read = inputs.flatMap(({ dtype, domain, isAddressed, first, last }) =>
      domain === "points" && !isAddressed && first <= phase && last > phase ? [dtype.bytes] : [],
    );
    const made = steps.flatMap((step) =>
      step.domain === "points" && step.phase <= phase
        ? step.values.flatMap(({ bytes, last }) => (last > phase ? [bytes] : []))
        : [],
    );
    return [...read, ...made].reduce((sum, bytes) => sum + Math.max(4, bytes), 0);
  });
  return Math.max(...held) <= 4 ? 5 : undefined;
}

/** One phase: the values of the row, then of its elements, then its reductions. */
function phaseText(spec: RowSpec, phase: number, words: GpuWords): string[] {
  const { body } = spec;
  const { groups } = shareOf(spec);
  const count = groups * rowWord;
  const steps = body.steps.filter((step) => step.phase === phase);
  const ofElements = steps.filter(({ domain }) => domain === "points");
  const ofRow = steps.filter(({ domain }) => domain === "kept");
  const reductions = body.reductions.filter((one) => one.phase === phase);
  const outputs = body.outputs.flatMap((output, i) => (output.phase === phase ? [{ ...output, i }] : []));
  const stored = outputs.filter(({ domain }) => domain === "points");
  const kept = ofElements.flatMap(({ values }) => values.filter(({ last }) => last > phase));
  const held = body.steps.flatMap((step) =>
    step.domain === "points" && step.phase < phase ? step.values.filter(({ last }) => last >= phase) : [],
  );
  const read = body.inputs.flatMap((input, i) =>
    accessOf(spec, i) !== "row" && !input.isAddressed && input.first <= phase && phase <= input.last
      ? [{ ...input, i }]
      : [],
  );
  const lines = ofElements.flatMap((step) => step.lines);
  const named = [...lines, ...[...reductions, ...stored].map(({ value }) => value)].join("\n");
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(named);
  const packed = (i: number) => spec.access[i] === "packed";
  const elements = [
    ...read.flatMap((input) =>
      input.first === phase && !isLate(input) ? loadText(spec, input, input.i) : [],
    ),
    ...kept.map(({ name, ctype }) => `${ctype} kept_${name}[${count}];`),
    ...reductions.flatMap(({ result }) => [
      `of_${result}::Accumulator own_${result}[${rowWord}];`,
      `#pragma unroll`,
      `for (int u = 0; u < ${rowWord}; ++u) own_${result}[u] = of_${result}::identity();`,
    ]),
    ...overWords(spec, [
      ...stored.flatMap(({ dtype, i }) => (packed(i) ? [`  Word<${dtype.ctype}> word${i};`] : [])),
      ...body.inputs.flatMap(({ dtype }, i) =>
        isChosenWord(spec, i) && isNamed(`x${i}`) ? [`  Word<${dtype.ctype}> chosen${i};`] : [],
      ),
      ...read.flatMap((input) => (isLate(input) ? indented(wordText(spec, input, input.i), "  ") : [])),
      `#pragma unroll`,
      `  for (int u = 0; u < ${rowWord}; ++u) {`,
      ...read.flatMap((input) => {
        const { dtype, i } = input;
        const place = isLate(input) ? "u" : `g * ${rowWord} + u`;
        return isNamed(`x${i}`) ? [`    const ${dtype.ctype} x${i} = row${i}[${place}];`] : [];
      }),
      ...body.inputs.flatMap(({ dtype, isAddressed }, i) =>
        isAddressed && accessOf(spec, i) !== "row" && isNamed(`x${i}`)
          ? isChosenWord(spec, i)
            ? [`    const Chosen<${dtype.ctype}> x${i} = {args.in${i} + ${wordIn(spec, i)}, chosen${i}, u};`]
            : [`    const ${dtype.ctype}* x${i} = &args.in${i}[${placeIn(spec, i)}];`]
          : [],
      ),
      ...held.flatMap(({ name, ctype }) =>
        isNamed(name) ? [`    const ${ctype} ${name} = kept_${name}[g * ${rowWord} + u];`] : [],
      ),
      ...indented(lines, "  "),
      ...kept.map(({ name }) => `    kept_${name}[g * ${rowWord} + u] = ${name};`),
      ...reductions.map(
        ({ result, value }) =>
          `    ${when(...inRow(spec))}own_${result}[u] = of_${result}::join(own_${result}[u], of_${result}::lift(cast<of_${result}::T>(${value}), first + u));`,
      ),
      ...stored.map(({ value, i }) =>
        packed(i)
          ? `    word${i}.lane[u] = ${value};`
          : `    ${when(...writes(spec), ...inRow(spec))}args.out${i}[at[${i}] + first + u] = ${value};`,
      ),
      `  }`,
      ...stored.flatMap(({ dtype, i }) =>
        packed(i)
          ? [
              `  ${when(...writes(spec), ...inRow(spec))}*reinterpret_cast<Word<${dtype.ctype}>*>(args.out${i} + at[${i}] + ${firstOf(spec)}) = word${i};`,
            ]
          : [],
      ),
    ]),
  ];
  const needed = ofElements.length + reductions.length + stored.length > 0;
  return [
    ...ofRow.flatMap(({ lines }) => lines.map((line) => line.trimStart())),
    ...(needed ? elements : []),
    ...reductions.flatMap((one) => joinText(spec, one, words)),
    ...(isShared(spec) ? metText(spec, reductions, words) : []),
    ...outputs.flatMap(({ domain, value, i }) =>
      domain === "kept"
        ? [
            `${when(...writes(spec), isShared(spec) ? "begin + lane == 0" : "lane == 0")}args.out${i}[at[${i}]] = ${value};`,
          ]
        : [],
    ),
  ];
}

/** The offset of element u of a word in an operand; behind the end of the row that of the first elements. */
function placeIn(spec: RowSpec, i: number): string {
  const step = accessOf(spec, i) === "even" ? ` * args.step[${spec.body.outputs.length + i}]` : "";
  const [test] = inRow(spec);
  const place = test === undefined ? "first + u" : `${test} ? first + u : ${again(spec)}`;
  return `${atOf(spec, i)} + (${place})${step}`;
}

/** The offset of a word in an operand; behind the end of the row that of the first one. */
function wordIn(spec: RowSpec, i: number): string {
  const [test] = inRow(spec);
  return `${atOf(spec, i)} + ${test === undefined ? "first" : `(${test} ? first : 0)`}`;
}

/** True for an input that only one later phase needs, such as a gain: its words are read there one by one. */
function isLate({ first, last }: RowInput): boolean {
  return first === last && first > 0;
}

/** Reads all of the thread's elements of an input into registers. */
function loadText(spec: RowSpec, { dtype }: RowInput, i: number): string[] {
  return [
    `${dtype.ctype} row${i}[${shareOf(spec).groups * rowWord}];`,
    ...overWords(spec, indented(filledText(spec, dtype, i, `g * ${rowWord} + u`), "  ")),
  ];
}

/** A loop over the thread's words; its lines may name the first element of each. */
function overWords(spec: RowSpec, lines: readonly string[]): string[] {
  const named = lines.some((line) => /\bfirst\b/.test(line));
  return [
    `#pragma unroll`,
    `for (int g = 0; g < ${shareOf(spec).groups}; ++g) {`,
    ...(named ? [`  const int first = ${firstOf(spec)};`] : []),
    ...lines,
    `}`,
  ];
}

/** Reads one word of an input. */
function wordText(spec: RowSpec, { dtype }: RowInput, i: number): string[] {
  return [`${dtype.ctype} row${i}[${rowWord}];`, ...filledText(spec, dtype, i, "u")];
}

/**
 * Fills a word with the elements at `first`. Behind the end of a row they are zeros. A user's functor may not return for
 * those, so it gets the first elements of the row again.
 */
function filledText(spec: RowSpec, { ctype }: DType, i: number, place: string): string[] {
  const access = accessOf(spec, i);
  const hasUsers = spec.body.composed.length > 0;
  const [test] = inRow(spec);
  if (access === "packed") {
    const word = (place: string) =>
      `*reinterpret_cast<const Word<${ctype}>*>(args.in${i} + ${atOf(spec, i)} + ${place})`;
    return [
      ...(hasUsers || test === undefined
        ? [
            `const Word<${ctype}> in_word${i} = ${word(test === undefined ? firstOf(spec) : `(${test} ? first : 0)`)};`,
          ]
        : [`Word<${ctype}> in_word${i} = {};`, `if (${test}) in_word${i} = ${word(firstOf(spec))};`]),
      `#pragma unroll`,
      `for (int u = 0; u < ${rowWord}; ++u) row${i}[${place}] = in_word${i}.lane[u];`,
    ];
  }
  const step = access === "even" ? ` * args.step[${spec.body.outputs.length + i}]` : "";
  return [
    `#pragma unroll`,
    `for (int u = 0; u < ${rowWord}; ++u)`,
    hasUsers || test === undefined
      ? `  row${i}[${place}] = args.in${i}[${placeIn(spec, i)}];`
      : `  row${i}[${place}] = ${test} ? args.in${i}[${atOf(spec, i)} + (first + u)${step}] : ${ctype}();`,
  ];
}

/** Gives every thread of a row's blocks the results of a phase's reductions. */
function metText(spec: RowSpec, reductions: readonly RowReduction[], words: GpuWords): string[] {
  const { body } = spec;
  if (reductions.length === 0) return [];
  const isLast = !body.reductions.some(({ phase }) => phase > (reductions[0] as RowReduction).phase);
  return [
    ...reductions.flatMap((one) => meetText(body, one, shareOf(spec), words)),
    ...(isLast ? leaveText(body, words) : []),
    `${words.barrier};`,
    ...reductions.map(
      (one) => `const ${one.plan.result.ctype} ${one.result} = ${finishedText(one, `whole_${one.result}`)};`,
    ),
  ];
}

const finishedText = ({ result }: RowReduction, value: string) =>
  `of_${result}::finish(${value}, args.length)`;

/** Joins the accumulators of a row, or of a block's part, neighbors first, and gives every thread the result, or passes it on. */
function joinText(spec: RowSpec, one: RowReduction, words: GpuWords): string[] {
  const { plan, result } = one;
  const { threads } = shareOf(spec);
  const { thread, shared, barrier } = words;
  const own = `own_${result}`;
  const join = (a: string, b: string) => `${a} = of_${result}::join(${a}, ${b});`;
  const across = Math.min(threads, warp);
  const warps = threads / across;
  const finished = (value: string) => finishedText(one, value);
  return [
    ...treeOf(rowWord).map(([a, b]) => join(`${own}[${a}]`, `${own}[${b}]`)),
    ...(across > 1
      ? [
          `#pragma unroll`,
          `for (int step = 1; step < ${across}; step *= 2) ${join(`${own}[0]`, `from_thread(${own}[0], step, ${across})`)}`,
        ]
      : []),
    ...(warps > 1
      ? [
          `${shared} of_${result}::Accumulator warps_${result}[${warps}];`,
          `if (${thread} % ${warp} == 0) warps_${result}[${thread} / ${warp}] = ${own}[0];`,
          `${barrier};`,
          ...(isShared(spec)
            ? passText(spec.body, one, { memory: `warps_${result}`, count: warps }, words)
            : [
                `of_${result}::Accumulator all_${result}[${warps}];`,
                `#pragma unroll`,
                `for (int w = 0; w < ${warps}; ++w) all_${result}[w] = warps_${result}[w];`,
                ...treeOf(warps).map(([a, b]) => join(`all_${result}[${a}]`, `all_${result}[${b}]`)),
                `const ${plan.result.ctype} ${result} = ${finished(`all_${result}[0]`)};`,
              ]),
        ]
      : [
          `const ${plan.result.ctype} ${result} = ${across > 1 ? `from_first(${finished(`${own}[0]`)}, ${across})` : finished(`${own}[0]`)};`,
        ]),
  ];
}
