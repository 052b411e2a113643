// Integer divisions in a user's C++ text. A division by zero is undefined in C++: processors and WebAssembly trap, and a GPU gives
// any result. The operators / and % become calls of ops/functors/checked-division.cuh, written in the operator's position and with
// its precedence: `a / b` becomes `a %checked::over% b`. A text that only divides floats is unchanged.
import type { DType } from "../base/dtype.js";
import { blanked } from "./signature.js";

/** Files of ops/functors/ that a checked text calls, dependencies first. */
export const checkedFiles: readonly string[] = ["wrapping", "checked-division"];

const integerTypes = "u?int(?:8|16|32|64)?(?:_t)?|long|short|char|unsigned|signed|bool|auto|size_t";
// A divisor that needs no check: a nonzero integer, a float, or a cast of an integer that fits into seven bits.
const digits = "0[xX]0*[1-9a-fA-F]|0*[1-9]";
const number = new RegExp(
  `^\\s*(?:(?:${digits})|\\d*\\.\\d|\\d+\\.|\\d+[eE]|(?:${integerTypes}|float|double|[A-Z])\\(\\s*[1-9]\\d?\\s*\\))`,
);
// How many characters on each side of an operator are examined.
const context = 100;
// Words by which a text that computes in floats may have integers.
const integerWords = new RegExp(`\\b(?:${integerTypes}|sizeof|enum|index|extent|l?lrint|l?lround|ilogb)\\b`);

/** Checks the divisions that may be of integers in kernels that compute in `compute`; `template` is the name of the entry's type. */
export function checkedDivisions(source: string, template: string | undefined, compute: DType): string {
  const code = blanked(source).replace(/^[ \t]*#(?![ \t]*define\b).*$/gm, (line) => " ".repeat(line.length));
  const floating = compute.kind === "float" || compute.kind === "complex";
  const mayDivide = !floating || integerWords.test(code);
  const floats = floatNames(code, floating ? template : undefined);
  return source.replace(/[/%]=?/g, (operator, at: number) => {
    const end = at + operator.length;
    const [before, after] = [code.slice(Math.max(0, at - context), at), code.slice(end, end + context)];
    const name = operator.startsWith("/") ? "over" : "modulo";
    const isOther = code.charAt(at) !== operator.charAt(0) || /(?:\boperator\s*|<)$/.test(before);
    if (isOther || /^[:>]/.test(after) || number.test(after)) return operator;
    if (name === "over" && !mayDivide) return operator;
    if (endsInFloat(before, floats) || beginsWithFloat(after, floats)) return operator;
    return operator.endsWith("=") ? `%=checked::${name}%=` : `%checked::${name}%`;
  });
}

// The second sign may be missing, because compilers point at it.
const checkedOperator = /%=?checked::(over|modulo)(?:%=?)?/g;

/** A line of a checked text as the user wrote it. */
export function uncheckedLine(line: string): string {
  return line.replace(checkedOperator, (operator, name: string) => {
    return `${name === "over" ? "/" : "%"}${operator.includes("=") ? "=" : ""}`;
  });
}

function endsInFloat(before: string, floats: ReadonlySet<string>): boolean {
  const [, number] = /(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?)\s*$/.exec(before) ?? [];
  const [, name = ""] = /(?<![\w.>:])([A-Za-z_]\w*)\s*$/.exec(before) ?? [];
  return number !== undefined || floats.has(name);
}

function beginsWithFloat(after: string, floats: ReadonlySet<string>): boolean {
  const [, name = ""] = /^\s*[-+]?\s*([A-Za-z_]\w*)\b(?!\s*[([.:<]|\s*->)/.exec(after) ?? [];
  return floats.has(name);
}

/** The names that are declared as floats and nowhere as another type. */
function floatNames(code: string, template: string | undefined): ReadonlySet<string> {
  // With several templates, T may be another type in each.
  const single = (code.match(/\btemplate\b/g) ?? []).length === 1;
  const types = ["float", "double", ...(template !== undefined && single ? [template] : [])].join("|");
  // Up to the first bracket; names declared after it are unknown, so their divisions are checked.
  const declarations = new RegExp(`\\b(?:${types})\\b\\s*&?\\s*(?=([A-Za-z_][^;(){}]*))`, "g");
  const names = [...code.matchAll(declarations)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((piece) => /^\s*([A-Za-z_]\w*)\s*(?:=|$)/.exec(piece)?.[1] ?? []),
  );
  const others = [...code.matchAll(new RegExp(`\\b(?:${integerTypes}|struct|enum)\\b([^;(){}]*)`, "g"))];
  const taken = new Set(others.flatMap(([, list = ""]) => list.match(/\w+/g) ?? []));
  return new Set(names.filter((name) => !taken.has(name)));
}
