// What a user's text does that dual numbers would compute, but not as a derivative: it is refused before it is compiled.
import { dtypes } from "../base/dtype.js";
import type { Functor } from "./functor.js";
import { whyNotShared } from "./kernel-sharing.js";
import { blanked, functionsOf } from "./signature.js";

const bits = "a derivative does not follow from the bits of a number";
const types = "what it computes depends on the type of its numbers, which is another one for the derivative";
const reasons: readonly (readonly [RegExp, string])[] = [
  [/\breinterpret_cast\b|\bunion\b|\b\w*mem(?:cpy|move|set)\b|\b\w*bit_cast\b/, bits],
  [/\b__\w+_as_\w+\b|\bvoid\s*\*|\bstatic_cast\s*<[^<>]*\*\s*>/, bits],
  // A pointer of another type: (int*)&x.
  [/\(\s*(?:const\s+)?(?:unsigned\s+|signed\s+|long\s+)*[A-Za-z_]\w*(?:\s+const)?\s*\*+\s*\)/, bits],
  [/\b(?:sizeof|alignof|typeid|is_same\w*|enable_if\w*|is_floating_point\w*|requires)\b/, types],
  [/\bif\s+constexpr\b|\btemplate\s*<\s*>|\btemplate\s*<[^<>]*>\s*(?:struct|class)\s+\w+\s*</, types],
  [/\bcomplex\b/, "derivatives of complex functors are not known"],
  [/\blong\s+double\b/, "it computes in long double"],
];
const constantTables = /\bstatic\s+(?=const(?:expr)?\b)/g;

/** Why a user's functor cannot be differentiated, and the line of its text that prevents it; undefined if it can be tried. */
export function dualRefusal(functor: Functor): { readonly why: string; readonly line?: number } | undefined {
  const text = blanked(functor.text(dtypes.float32));
  for (const [pattern, why] of reasons) {
    const match = pattern.exec(text);
    if (match) return { why, line: text.slice(0, match.index).split("\n").length };
  }
  const names = functionsOf(text).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return { why: `${types}: it defines ${twice} twice` };
  const unfusable = whyNotShared(text.replace(constantTables, "").replace(/^[ \t]*#.*$/gm, ""), false);
  return unfusable === undefined ? undefined : { why: unfusable };
}
