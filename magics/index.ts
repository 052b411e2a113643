// The magics: the table for those who read cells, and the runtime for those who run them.
import * as jl from "../runtime/index.js";
import type { CellHost } from "./host.js";
import { type MagicRuntime, makeMagicRuntime } from "./runtime/magic-runtime.js";

export type { Captured as CapturedText, CellHost, MimeBundle } from "./host.js";
export { type Expansion, type Magic, type MagicArguments, type MagicOption, UsageError } from "./magic.js";
export { plotlyScript, withoutPlotly } from "./render/plot.js";
export type { Captured, Kernel, Operand, Operands, Outputs } from "./runtime/kernel.js";
export type { MagicRuntime } from "./runtime/magic-runtime.js";
export type { TimeitResult } from "./runtime/timeit.js";
export { expandHelp, expandShell, findMagic, helpText, magics, summary } from "./table.js";

/** The object that cells know as `$magic`, for the process that runs them. */
export function createMagicRuntime(host: CellHost): MagicRuntime {
  return makeMagicRuntime(host, jl);
}
