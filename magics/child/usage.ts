// Reports the library's errors in a magic like IPython: in one line, without stack frames of generated code.
import { CompileError, JitlabError } from "../../runtime/base/errors.js";
import { UsageError } from "../magic.js";

/** Runs a magic's function. The library's errors become usage errors, except those that point into a functor. */
export function asUsage<T>(magic: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof JitlabError) || error instanceof CompileError) throw error;
    throw new UsageError(`${magic}: ${`${error.what} ${error.help}`.trim().replace(/\s*\n\s*/g, " ")}`);
  }
}
