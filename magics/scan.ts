// Reading source text just far enough to cut it: strings and comments are blanked, brackets are counted. Used on the
// TypeScript behind %time and on the C++ of functors; neither needs a parser.

/**
 * `text` with the characters of strings and comments replaced by spaces, so that offsets and line numbers stay.
 * Backquotes delimit strings in TypeScript and mean nothing in C++.
 */
export function blanked(text: string): string {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(["'`])(?:\\[\s\S]|(?!\1)[\s\S])*(?:\1|$)/g;
  return text.replace(pattern, (match) => match.replace(/[^\n]/g, " "));
}

/** The pieces of `text` between the separators that stand outside brackets and strings. */
export function splitOutside(text: string, separator: "," | ";", brackets = "([{"): string[] {
  const scanned = blanked(text);
  const closing = [...brackets].map((open) => ({ "(": ")", "[": "]", "{": "}", "<": ">" })[open] ?? "");
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = scanned.charAt(i);
    if (brackets.includes(char)) depth++;
    else if (closing.includes(char)) depth--;
    else if (char === separator && depth === 0) {
      pieces.push(text.slice(start, i));
      start = i + 1;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** An expression as typed after a magic's name: without a trailing comment and semicolon. */
export interface TypedExpression {
  readonly text: string;
  /** It ended in a semicolon: its value is not shown. */
  readonly silent: boolean;
  /** It starts with a word that no expression starts with, such as `const`. */
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
