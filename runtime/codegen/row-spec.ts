// The spec of a row kernel: reductions over the same rows with the maps around them. Threads hold a row in registers, so
// that its elements are read once. What is computed before the first reduction is phase 0, what needs a result of
// phase p's reductions is phase p + 1.

import type { DType } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import type { StepPlaces } from "../functor/functor.js";
import type { ReductionPlan } from "../functor/reduction.js";
import { ArgumentFields, type Field } from "./argument-fields.js";
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

/** What a row kernel computes: steps and reductions in an order that defines before it uses. */
export interface RowBody {
  readonly name: string;
  readonly places: StepPlaces;
  readonly inputs: readonly RowInput[];
  /** Scalars, `s0`, `s1` and so on in the text. */
  readonly scalars: readonly DType[];
  readonly steps: readonly RowStep[];
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
  /** Threads of a row. */
  readonly threads: number;
  /** Words of a thread, at most. */
  readonly groups: number;
  readonly dialect: Dialect;
}

/** Elements side by side in a thread: the accumulators that each thread has. */
export const rowWord = 4;
/** Threads of one block. */
export const rowBlock = 256;
// Words that a thread holds at most.
const mostGroups = 8;

/** Threads and words of rows of a length; undefined where a row does not fit into the registers of its threads. */
export function rowShare(length: number): { threads: number; groups: number } | undefined {
  const { width, part } = gridOrder("row", length);
  const groups = 2 ** Math.ceil(Math.log2(Math.max(1, length / width)));
  return length <= part && groups <= mostGroups ? { threads: width / rowWord, groups } : undefined;
}

/** What users read: `row/32x4 of 8, rank 1`. */
export function rowVariant({ threads, groups, rank, access }: RowSpec): string {
  const word = access.includes("packed") ? `x${rowWord}` : "";
  return `row/${threads}${word} of ${groups}, rank ${rank}`;
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
