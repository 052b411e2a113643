// The spec of a row kernel: reductions over the same rows with the maps around them. Threads of a grid hold a row in
// registers, a processor's task in its cache, so that its elements are read from memory once. Phase 0 is before the first
// reduction; steps that need results of phase p's reductions are in phase p + 1.

import type { DType } from "../../base/dtype.js";
import type { Dialect } from "../../device/dialect.js";
import type { ComposedText, Stages, StepPlaces } from "../../functor/functor.js";
import type { ReductionPlan } from "../../functor/reduction.js";
import { ArgumentFields, type BlockLayout } from "../argument-fields.js";
import { reduceUnit } from "../reductions/reduce-spec.js";
import { gridOrder, partsOrder } from "../reductions/reduction-order.js";

/** Where a loop has values: at every point, or once for all points along the axes that it joins. */
export type Domain = "points" | "kept";

/** An operand in memory, `x0`, `x1` and so on in the text. */
export interface RowInput {
  readonly dtype: DType;
  readonly domain: Domain;
  /** True if steps get its address. */
  readonly isAddressed: boolean;
  /** True if steps only write there, if an index is out of bounds. */
  readonly isFlag: boolean;
  /** How a step chooses its rows; undefined for other inputs. */
  readonly selection?: RowSelection | undefined;
  /** The phases that need it. */
  readonly first: number;
  readonly last: number;
}

/** A selection of a source's rows. */
export interface RowSelection {
  /** The inputs that determine it: of one element per row, all elements of a row are of one row of the source. */
  readonly by: readonly number[];
  /** The scalars of whose multiples the distances between rows are sums. */
  readonly strides: readonly number[];
}

/** A value over row elements that phases up to `last` need. */
export interface RowValue {
  readonly name: string;
  readonly ctype: string;
  readonly bytes: number;
  readonly last: number;
}

/** A map. */
export interface RowStep {
  readonly domain: Domain;
  readonly phase: number;
  readonly lines: readonly string[];
  readonly values: readonly RowValue[];
}

/** A reduction of a value over row elements; its result is a value of the row. */
export interface RowReduction {
  readonly phase: number;
  readonly plan: ReductionPlan;
  /** The names of its input and its result. */
  readonly value: string;
  readonly result: string;
}

/** A stored value. */
export interface RowOutput {
  readonly dtype: DType;
  readonly domain: Domain;
  readonly phase: number;
  readonly value: string;
}

/** The loops of one phase over row elements, for processors. */
export interface RowLoops {
  readonly phase: number;
  /** Their inputs are the operands in memory, the reductions' results, then `given`; their outputs are `made`. */
  readonly stages: Stages;
  /** Names of values of earlier phases, or of the row. */
  readonly given: readonly string[];
  readonly made: readonly string[];
}

/** The body of a row kernel: steps and reductions, definitions before uses. */
export interface RowBody {
  readonly name: string;
  readonly places: StepPlaces;
  readonly inputs: readonly RowInput[];
  /** Scalars, `s0`, `s1` and so on in the text. */
  readonly scalars: readonly DType[];
  readonly steps: readonly RowStep[];
  readonly loops: readonly RowLoops[];
  readonly reductions: readonly RowReduction[];
  readonly outputs: readonly RowOutput[];
  /** The functions that the lines call. */
  readonly functions: readonly string[];
  /** Files of ops/functors/, dependencies first, and the dtypes that the text names. */
  readonly needs: readonly string[];
  readonly uses: readonly DType[];
  /** The users' texts in it. */
  readonly composed: readonly ComposedText[];
}

/** The layouts of a row kernel's operands; outputs first. */
export interface RowGeometry {
  readonly rows: number;
  readonly length: number;
  /** The dimensions that number the rows, innermost first, and each operand's strides along them. */
  readonly sizes: readonly number[];
  readonly strides: readonly (readonly number[])[];
  /** The step between elements of a row: 0 for an operand with one element per row. */
  readonly steps: readonly number[];
}

/** How threads access an operand: in loads of four, one by one, strided, or one element per row. */
export type RowAccess = "packed" | "dense" | "even" | "row";

/** All inputs of the text of a row kernel. */
export interface RowSpec {
  readonly body: RowBody;
  /** Of the outputs, then of the inputs. */
  readonly access: readonly RowAccess[];
  /** Dimensions that number the rows. */
  readonly rank: number;
  /** The threads of a row on a GPU; undefined on a processor. */
  readonly share: RowShare | undefined;
  /** On a processor: true for short rows, which a task takes in bundles. */
  readonly isShort: boolean;
  readonly dialect: Dialect;
}

/** The threads of a row on a GPU. */
export interface RowShare {
  /** Threads of a row. */
  readonly threads: number;
  /** The maximum words per thread. */
  readonly groups: number;
  /** True if rows fill all words: a thread with many would need more tests of a row's end than it has registers for. */
  readonly isFull: boolean;
  /** The most blocks that share a row, each with a part of it: 1, or the width of the order of parts. */
  readonly blocks: number;
}

/** The access of an input, and its start in a row. */
export const accessOf = ({ body, access }: RowSpec, input: number) => access[body.outputs.length + input];
/** True for an input whose words are of rows that a step chooses. */
export const isChosenWord = (spec: RowSpec, input: number): boolean =>
  accessOf(spec, input) === "packed" && spec.body.inputs[input]?.isAddressed === true;
export const atOf = ({ body }: RowSpec, input: number) => `at[${body.outputs.length + input}]`;

/** The number of phases. */
export function phasesOf({ steps, outputs, reductions }: RowBody): number {
  const own = [...steps, ...outputs].map(({ phase }) => phase + 1);
  return Math.max(...own, ...reductions.map(({ phase }) => phase + 2));
}

/** Adjacent elements of a thread, which are also its accumulators. */
export const rowWord = 4;
/** A processor's task takes rows below this length in bundles. */
export const bundledRow = 32;
/** The maximum bytes that a processor's task holds between phases: they must fit into the L2 cache and the stack. */
export const rowBufferBytes = 2 ** 18;
// The maximum words per thread.
const mostGroups = 8;
// The most blocks of a row: one warp joins their accumulators.
const mostBlocks = 128;

/**
 * Threads and words of rows of a length; undefined if a row does not fit into the registers of its threads, which may be those
 * of several blocks where that many run at the same time.
 */
export function rowShare(length: number, blocksTogether = 1): RowShare | undefined {
  const { width, part } = gridOrder("row", length);
  const parts = Math.ceil(length / part);
  const groups = 2 ** Math.ceil(Math.log2(Math.max(1, Math.min(length, part) / width)));
  if (parts > Math.min(mostBlocks, Math.max(1, blocksTogether)) || groups > mostGroups) return undefined;
  const isFull = groups === mostGroups && length % (groups * width) === 0;
  return { threads: width / rowWord, groups, isFull, blocks: parts === 1 ? 1 : partsOrder(parts).width };
}

/** True if several blocks share a row. */
export const isShared = ({ share }: Pick<RowSpec, "share">): boolean =>
  share !== undefined && share.blocks > 1;

/** Elements of a row that one block takes. */
export const rowPart = ({ threads, groups }: RowShare): number => threads * groups * rowWord;

/** Rows per task of a processor: enough to outweigh its start. */
export function rowsOfTask(length: number): number {
  return Math.max(1, Math.floor(reduceUnit / length));
}

/** The displayed variant: `row/32x4 of 8, rank 1`, and on a processor `row, rank 1`. */
export function rowVariant({ share, isShort, rank, access }: RowSpec): string {
  if (!share) return `${isShort ? "short row" : "row"}, rank ${rank}`;
  const { threads, groups, isFull, blocks } = share;
  const word = access.includes("packed") ? `x${rowWord}` : "";
  return `row/${threads}${word} of ${groups}${isFull ? " full" : ""}${blocks > 1 ? ` in ${blocks} blocks` : ""}, rank ${rank}`;
}

/** Lays out the argument block: addresses, scalars, counts, and for each dimension its size and the operands' strides. */
export function rowArguments({ body, access, rank, share, dialect }: RowSpec): BlockLayout {
  const fields = new ArgumentFields();
  body.outputs.forEach(({ dtype }, i) => void fields.address(`out${i}`, dialect.pointer(dtype.ctype)));
  body.inputs.forEach(
    ({ dtype }, i) => void fields.address(`in${i}`, dialect.pointer(`const ${dtype.ctype}`)),
  );
  if ((share?.blocks ?? 1) > 1) fields.meeting("meeting", dialect.pointer("int64"));
  body.scalars.forEach((dtype, i) => void fields.scalar(`s${i}`, dtype, "scalar", i));
  const operands = access.length;
  return fields.layout(8 * (2 + operands + rank * (1 + operands)));
}
