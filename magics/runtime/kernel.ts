// %%kernel in the child: the functor becomes a function, and a syntax error is told by the cell's own lines.
import { CompileError, type Complaint, JitlabError } from "../../runtime/errors.js";
import type { JitCallOptions, JitOptions, Scalar, Tensor } from "../library.js";
import type { MagicContext } from "./context.js";

/** A tensor, or a number that acts as one. */
export type Operand = Tensor | Scalar;

/** One operand per parameter of the signature; the parameters' names stay as labels. */
export type Operands<Inputs extends readonly unknown[]> = { [K in keyof Inputs]: Operand };

/** Captured parameters, each with a default. */
export type Captured<Parameters> = { [K in keyof Parameters]?: Scalar };

/** A tensor for one output, a tuple for several. */
export type Outputs<Results extends readonly unknown[]> = Results extends readonly [unknown]
  ? Tensor
  : { [K in keyof Results]: Tensor };

/** A function on tensors that %%kernel defined. */
export interface Kernel<Inputs extends readonly unknown[], Parameters, Result> {
  (...args: [...inputs: Inputs, options?: JitCallOptions & Parameters]): Result;
  readonly name: string;
  /** The functor's text. */
  readonly source: string;
  /** Captured parameters with their defaults. */
  readonly parameters: Readonly<Record<string, Scalar>>;
}

/** Makes the function of a %%kernel cell. The body starts on the cell's second line. */
export function defineKernel(context: MagicContext, source: string, options: JitOptions): unknown {
  const kernel = context.jl.jit(source, options);
  try {
    kernel.check();
  } catch (error) {
    if (error instanceof CompileError) throw inCellLines(error, source);
    // Without a device there is nothing to check with; the first call says what is missing.
    if (!(error instanceof JitlabError)) throw error;
  }
  return kernel;
}

const linesBefore = 1;

function inCellLines(error: CompileError, source: string): CompileError {
  if (error.complaints.length === 0) return error;
  const lines = source.split("\n");
  const complaints = error.complaints.map((one) => ({ ...one, line: one.line + linesBefore }));
  const log = complaints.map((one) => excerpt(one, lines[one.line - 1 - linesBefore] ?? "")).join("\n");
  const told = new CompileError(error.what.split("\n", 1)[0] ?? "", log, error.help, complaints);
  // The message points into the cell already; frames would point at the magic's line.
  told.stack = `${told.name}: ${told.message}`;
  return told;
}

function excerpt(complaint: Complaint, text: string): string {
  const { line, column, severity, message } = complaint;
  const at = column ?? text.length - text.trimStart().length + 1;
  // Tabs before the caret stay tabs, so that it stands under its character however wide they are.
  const indent = text.slice(0, at - 1).replace(/[^\t]/g, " ");
  const number = `${line}`.padStart(4);
  return `Line ${line} of the cell: ${severity}: ${message}\n${number} | ${text}\n     | ${indent}^`;
}
