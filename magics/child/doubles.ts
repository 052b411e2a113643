// Warns if a user's functor computes in double although its types are not double: workstation GPUs run double at 1/64 of the
// rate. PTX shows it reliably; without NVRTC the functor's text is searched.
import { blanked } from "../../runtime/functor/signature.js";
import type { Explanation } from "../library.js";
import type { Lines } from "../render/listing.js";

const wide = /^(?:float64|complex128)\b/;

const literal =
  /(?<![\w.])(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])|\bdouble\b(?!\s*>?\s*\()/g;
// Constants converted to the functor's type cost nothing.
const converted = /(?:[>\w]\s*\(|\breturn|[^=!<>]=)\s*[+-]?\s*$/;

/** The warning below a listing's title; undefined if the functor uses only its types. */
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
    : "Check for constants and functions of type double.";
  return `${what}, which many GPUs do at 1/64 of the rate of float. ${cure}`;
}

/** The opcodes of a kernel's PTX that work on doubles; undefined without PTX. */
function doubleInstructions(explanation: Explanation): string[] | undefined {
  if (!/^(?:sm|compute)_/.test(explanation.arch)) return undefined;
  let ptx: string;
  try {
    ptx = explanation.ptx;
  } catch {
    // Without NVRTC, or if the functor does not compile, only the source remains.
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
