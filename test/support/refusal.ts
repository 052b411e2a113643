// What a call that must be refused says.
import * as jl from "../../dist/runtime/index.js";

/** The library's error that a call throws; undefined if it throws nothing. Any other error is thrown on. */
export function refused(run: () => unknown): jl.JitlabError | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof jl.JitlabError) return error;
    throw error;
  }
  return undefined;
}

/** The same as its code and message. */
export function refusal(run: () => unknown): string {
  const error = refused(run);
  return error ? `${error.code}: ${error.message}` : "nothing was refused";
}
