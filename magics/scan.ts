// Scans the TypeScript after %time and similar magics, just enough to split it.
import { blanked, splitOutside } from "../runtime/functor/signature.js";

/** An expression as typed after a magic's name: without a trailing comment and semicolon. */
export interface TypedExpression {
  readonly text: string;
  /** It ended in a semicolon: its value is not shown. */
  readonly silent: boolean;
  /** It starts with a word that cannot start an expression, such as `const`. */
  readonly statement: boolean;
  /** It needs an async function around it. */
  readonly awaits: boolean;
}

/** Cuts the comment and semicolon off a one-line expression or statement. */
export function typedExpression(raw: string): TypedExpression {
  const scanned = blanked(raw);
  const comment = /\/\/|\/\*/.exec(raw.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, (m) => " ".repeat(m.length)));
  const end = comment && scanned.slice(comment.index).trim() === "" ? comment.index : raw.length;
  const code = raw.slice(0, end).trim();
  const text = code.replace(/(\s*;)+$/, "");
  return {
    text,
    silent: text !== code,
    statement:
      /^(?:const|let|var|for|while|do|if|switch|try|throw|function|class|import|export|return)\b|^\{/.test(
        text,
      ) || splitOutside(text, ";").length > 1,
    awaits: /\bawait\b/.test(text),
  };
}

/** A value as TypeScript on one line; properties that are undefined are left out. */
export function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** True for the name of a variable, or of a property of one. */
export function isName(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*$/u.test(text);
}

/** The name and the arguments of `f(x, y)`; undefined for other code. */
export function callIn(code: string): { readonly name: string; readonly list: string } | undefined {
  const text = code.trim().replace(/;$/, "");
  const name = /^[^(\s]*/.exec(text)?.[0] ?? "";
  const inner = blanked(text).slice(name.length + 1, -1);
  let depth = 0;
  for (const one of inner) {
    if (one === "(") depth++;
    if (one === ")" && --depth < 0) return undefined;
  }
  if (!isName(name) || text[name.length] !== "(" || !text.endsWith(")") || depth > 0) return undefined;
  return { name, list: text.slice(name.length + 1, -1) };
}
