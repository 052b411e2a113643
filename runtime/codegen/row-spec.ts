// The spec of a row kernel: reductions over the same rows with the maps around them. Threads of a grid hold a row in
// registers, a task of a processor in its cache, so that its elements are read from memory once. What is computed before the first reduction is phase 0, what needs a result of
// phase p's reductions is phase p + 1.

import type { DType } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import type { Stages, StepPlaces } from "../functor/functor.js";
import type { ReductionPlan } from "../functor/reduction.js";
import { ArgumentFields, type Field } from "./argument-fields.js";
import { type Choice, choiceSuffix, defaultBlock } from "./choice.js";
import { reduceUnit } from "./reduce-spec.js";
import { gridOrder } from "./reduction-order.js";

/** What values lie over: the elements of a row, or the row as a whole. */
export type RowDomain = "elements" | "row";

/** An operand in memory, `x0`, `x1` and so on in the text. */
export interface RowInput {
  readonly dtype: DType;
  readonly domain: RowDomain;
  /** The phases that need it. */
  readonly first: number;
  readonly last: number;
}

/** A value over the elements of a row that phases up to `last` need. */
export interface RowValue {
  readonly name: string;
  readonly ctype: string;
  readonly bytes: number;
  readonly last: number;
}

/** A map. */
export interface RowStep {
  readonly domain: RowDomain;
  readonly phase: number;
  readonly lines: readonly string[];
  readonly values: readonly RowValue[];
}

/** A reduction of a value over the elements; its result is a value of the row. */
export interface RowReduction {
  readonly phase: number;
  readonly plan: ReductionPlan;
  /** The name of what it reduces, and of its result. */
  readonly value: string;
  readonly result: string;
}

/** A value that goes to memory. */
export interface RowOutput {
  readonly dtype: DType;
  readonly domain: RowDomain;
  readonly phase: number;
  readonly value: string;
}

/** The loops of one phase over the elements, for processors. */
export interface RowLoops {
  readonly phase: number;
  /** Their inputs are the operands in memory, the results of the reductions, then what is `given`; their outputs what is `made`. */
  readonly stages: Stages;
  /** Names of values of earlier phases, or of the row. */
  readonly given: readonly string[];
  readonly made: readonly string[];
}

/** What a row kernel computes: steps and reductions in an order that defines before it uses. */
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
  /** The functions that lines call. */
  readonly functions: readonly string[];
  /** Files of ops/functors/, dependencies first, and the dtypes that the text names. */
  readonly needs: readonly string[];
  readonly uses: readonly DType[];
}

/** Where the operands of a row kernel lie; outputs first. */
export interface RowGeometry {
  readonly rows: number;
  readonly length: number;
  /** The dimensions that number the rows, innermost first, and each operand's strides along them. */
  readonly sizes: readonly number[];
  readonly strides: readonly (readonly number[])[];
  /** From element to element of a row: 0 for an operand that has one for the row. */
  readonly steps: readonly number[];
}

/** How threads reach the elements of an operand: in loads of four, one by one, at a distance, or one for the row. */
export type RowAccess = "packed" | "dense" | "even" | "row";

/** Everything that decides the text of a row kernel. */
export interface RowSpec {
  readonly body: RowBody;
  /** Of the outputs, then of the inputs. */
  readonly access: readonly RowAccess[];
  /** Dimensions that number the rows. */
  readonly rank: number;
  /** How threads of a grid share a row; undefined on a processor. */
  readonly share: RowShare | undefined;
  /** On a processor: true for rows so short that their order has few accumulators. */
  readonly isShort: boolean;
  readonly dialect: Dialect;
  /** What was tuned; undefined for the default. */
  readonly choice?: Choice | undefined;
}

/** How threads of a grid share a row. */
export interface RowShare {
  /** Threads of a row. */
  readonly threads: number;
  /** Words of a thread, at most. */
  readonly groups: number;
}

/** How an input is reached, and where it begins in a row. */
export const accessOf = ({ body, access }: RowSpec, input: number) => access[body.outputs.length + input];
export const atOf = ({ body }: RowSpec, input: number) => `at[${body.outputs.length + input}]`;

/** The number of phases. */
export function phasesOf({ steps, outputs, reductions }: RowBody): number {
  const own = [...steps, ...outputs].map(({ phase }) => phase + 1);
  return Math.max(...own, ...reductions.map(({ phase }) => phase + 2));
}

/** Elements side by side in a thread: the accumulators that each thread has. */
export const rowWord = 4;
/** Threads of one block. */
export const rowBlock = ({ choice }: Pick<RowSpec, "choice">): number => choice?.block ?? defaultBlock;
/** Bytes that a task of a processor holds between the phases of a row: they stay in its second cache, and on its stack. */
export const rowHeld = 2 ** 18;
// Words that a thread holds at most.
const mostGroups = 8;

/** Threads and words of rows of a length; undefined where a row does not fit into the registers of its threads. */
export function rowShare(length: number): RowShare | undefined {
  const { width, part } = gridOrder("row", length);
  const groups = 2 ** Math.ceil(Math.log2(Math.max(1, length / width)));
  return length <= part && groups <= mostGroups ? { threads: width / rowWord, groups } : undefined;
}

/** Rows that one task of a processor takes: enough that it is worth its start. */
export function rowsOfTask(length: number): number {
  return Math.max(1, Math.floor(reduceUnit / length));
}

/** What users read: `row/32x4 of 8, rank 1`, and on a processor `row, rank 1`. */
export function rowVariant({ share, isShort, rank, access, choice }: RowSpec): string {
  const chosen = choiceSuffix(choice);
  if (!share) return `${isShort ? "short row" : "row"}, rank ${rank}${chosen}`;
  const { threads, groups } = share;
  const word = access.includes("packed") ? `x${rowWord}` : "";
  return `row/${threads}${word} of ${groups}, rank ${rank}${chosen}`;
}

/** Where each argument lies in the block. */
export interface RowArguments {
  readonly pointers: readonly Field[];
  readonly scalars: readonly (Field & { readonly dtype: DType })[];
  /** The first byte of the number of rows, of their length, of each operand's step, and of the dimensions. */
  readonly counts: number;
  readonly bytes: number;
}

/** Lays out the argument block: addresses, scalars, counts, and for each dimension its size and the operands' strides. */
export function rowArguments({ body, access, rank, dialect }: RowSpec): RowArguments {
  const fields = new ArgumentFields();
  const pointer = (name: string, ctype: string) => fields.add(name, dialect.pointer(ctype), 8);
  const pointers = [
    ...body.outputs.map(({ dtype }, i) => pointer(`out${i}`, dtype.ctype)),
    ...body.inputs.map(({ dtype }, i) => pointer(`in${i}`, `const ${dtype.ctype}`)),
  ];
  const scalars = body.scalars.map((dtype, i) => ({
    ...fields.add(
      `s${i}`,
      dtype.ctype,
      dtype.bytes,
      dtype.kind === "complex" ? dtype.bytes / 2 : dtype.bytes,
    ),
    dtype,
  }));
  const operands = access.length;
  const counts = fields.skip(8 * (2 + operands + rank * (1 + operands)), 8);
  return { pointers, scalars, counts, bytes: fields.bytes };
}
