// The time of compiled programs apart from their kernels: planning, and compiling their kernels together.

/** One program of a compiled function in this process; one row of `jl.programTimings()`. */
export interface ProgramTiming {
  /** The name of the compiled function. */
  readonly name: string;
  readonly operations: number;
  readonly kernels: number;
  /** Milliseconds of the first run: passes over the operations, and compiling the missing kernels together. */
  readonly planMs: number;
  readonly compileMs: number;
  /** The number of runs. */
  runs: number;
}

/** One run of a program inside `jl.record`: the time span of its kernels' launches. */
export interface Region {
  readonly name: string;
  readonly operations: number;
  readonly kernels: number;
  /** Milliseconds since the recording started. */
  readonly startMs: number;
  /** Milliseconds of each phase; planning and compiling are 0 from the second run on. */
  readonly phases: { readonly planMs: number; readonly compileMs: number; readonly launchMs: number };
}

/** The maximum number of rows; the oldest are dropped. */
const mostRows = 500;
const rows: ProgramTiming[] = [];

/** Keeps a row for a new program. */
export function addProgramTiming(row: ProgramTiming): ProgramTiming {
  rows.push(row);
  if (rows.length > mostRows) rows.shift();
  return row;
}

/**
 * The times of compiled functions' programs: one row per plan, the last 500 of this process.
 *
 * @example jl.programTimings().every((row) => row.kernels > 0) // true
 */
export function programTimings(): ProgramTiming[] {
  return rows.map((row) => ({ ...row }));
}
