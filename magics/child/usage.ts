// Reports the library's errors in a magic as IPython reports a magic's misuse: in one line, without frames of code that the
// user did not write.
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
