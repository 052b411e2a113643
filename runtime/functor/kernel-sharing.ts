// Decides whether a user's text can share a kernel with other operations. It cannot if a line affects the rest of the kernel,
// such as a preprocessor line, or if the order or number of its calls matters.
import { blanked } from "./signature.js";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*#/m, "its text has lines for the preprocessor, which hold for the whole kernel"],
  [
    /\b(?:static\b(?![^;{}=]*\)\s*\{)|extern|thread_local|__shared__|__constant__|__managed__)\b/,
    "its text keeps values of its own",
  ],
  [
    /\b(?:asm|__asm__|volatile|printf|atomic\w+|clock(?:64)?|new|delete|malloc|free)\b/,
    "its text does more than compute a value",
  ],
  [
    /\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|__\w*sync\w*|__shfl\w*|__ballot\w*)\b/,
    "its text asks which thread it is",
  ],
];

/** Why a text cannot stand beside others in one kernel; undefined where it can. */
export function whyNotShared(source: string, fma: boolean | undefined): string | undefined {
  if (fma) return "with fma: true, the compiler contracts what it computes";
  const text = blanked(source);
  return reasons.find(([pattern]) => pattern.test(text))?.[1];
}
