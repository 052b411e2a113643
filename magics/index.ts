// The magics: the table for the process that reads cells, and the runtime for the process that runs them.
import * as jl from "../runtime/index.js";
import { type MagicRuntime, makeMagicRuntime } from "./child/magic-runtime.js";
import type { CellHost } from "./host.js";

export type { Captured, Kernel, Operand, Operands, Outputs } from "./child/kernel.js";
export type { MagicRuntime } from "./child/magic-runtime.js";
export type { TimeitResult } from "./child/timeit.js";
export type { Captured as CapturedText, CellHost, MimeBundle } from "./host.js";
export { type Expansion, type Magic, type MagicArguments, type MagicOption, UsageError } from "./magic.js";
export { plotlyScript, withoutPlotly } from "./render/bundle.js";
export { expandHelp, expandShell, findMagic, helpText, magics, summary } from "./table.js";

/** Creates the object `$magic` of cells, in the process that runs them. */
export function createMagicRuntime(host: CellHost): MagicRuntime {
  return makeMagicRuntime(host, jl);
}
