// What a call that must be refused says.
import * as jl from "../../dist/runtime/index.js";

/** The library's error that a call throws, as its code and message; any other error is thrown on. */
export function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof jl.JitlabError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing was refused";
}
