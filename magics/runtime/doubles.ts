// Whether a user's functor slips into double arithmetic where nothing of it is a double: GPUs for workstations run that at
// 1/64 of the rate. PTX tells it for certain; without NVRTC the functor's own text is looked at.
import { blanked } from "../../runtime/signature.js";
import type { Explanation } from "../library.js";
import type { Lines } from "../render/listing.js";

const wide = /^(?:float64|complex128)\b/;

const literal =
  /(?<![\w.])(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])|\bdouble\b(?!\s*>?\s*\()/g;
// A constant that becomes the functor's type at once costs nothing.
const converted = /(?:[>\w]\s*\(|\breturn|[^=!<>]=)\s*[+-]?\s*$/;

/** The warning below a listing's title; undefined where the functor keeps to its types. */
export function doubleWarning(explanation: Explanation, functor: Lines): string | undefined {
  if (explanation.dtypes.some((dtype) => wide.test(dtype))) return undefined;
  const found = doubleInstructions(explanation);
  if (found?.length === 0) return undefined;
  const place = firstDouble(explanation.source, functor);
  if (found === undefined && place === undefined) return undefined;
  const what = found
    ? `This kernel computes in double (${[...new Set(found)].slice(0, 4).join(", ")})`
    : "This kernel may compute in double";
  const cure = place
    ? `Line ${place.line} has ${place.text === "double" ? "the type double: write T or float" : `the double constant ${place.text}: write T(${place.text})`}.`
    : "Look for constants and functions of type double.";
  return `${what}, which many GPUs do at 1/64 of the rate of float. ${cure}`;
}

/** The opcodes of a kernel's PTX that work on doubles; undefined where there is no PTX. */
function doubleInstructions(explanation: Explanation): string[] | undefined {
  if (!/^(?:sm|compute)_/.test(explanation.arch)) return undefined;
  let ptx: string;
  try {
    ptx = explanation.ptx;
  } catch {
    // Without NVRTC, or for a functor that does not compile, the source is all there is.
    return undefined;
  }
  // Moves, loads and declarations of doubles are not arithmetic.
  return [...ptx.matchAll(/^\s+(?:@!?%\w+\s+)?((?!mov|ld|st)[a-z]\w*(?:\.\w+)*\.f64(?:\.\w+)*)\s/gm)].map(
    ([, opcode = ""]) => opcode,
  );
}

function firstDouble(source: string, [first, last]: Lines): { line: number; text: string } | undefined {
  const lines = blanked(source).split("\n");
  for (let line = first; line <= last; line++) {
    const code = lines[line - 1] ?? "";
    for (const { 0: text, index } of code.matchAll(literal)) {
      const [before, after] = [code.slice(0, index), code.slice(index + text.length)];
      if (converted.test(before) && /^\s*[);,]/.test(after)) continue;
      return { line, text };
    }
  }
  return undefined;
}
