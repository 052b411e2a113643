// What the library refuses on behalf of a magic is told as IPython tells a magic's wrong use: in one line, without the frames
// of code that the user did not write.
import { CompileError, JitlabError } from "../../runtime/errors.js";
import { UsageError } from "../magic.js";

/** Runs what a magic does; the library's errors become usage errors, but for those that point into a functor. */
export function asUsage<T>(magic: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof JitlabError) || error instanceof CompileError) throw error;
    throw new UsageError(`${magic}: ${`${error.what} ${error.help}`.trim().replace(/\s*\n\s*/g, " ")}`);
  }
}
