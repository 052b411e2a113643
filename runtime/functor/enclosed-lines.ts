// Where a user's functor stands in a kernel's text, by the lines that enclosed.ts writes around it.

/** The numbers of the first and the last line of the first functor, from 1; undefined for a text without one. */
export function enclosedLines(text: string): readonly [first: number, last: number] | undefined {
  const lines = text.split("\n");
  const before = lines.findIndex((line) => /^#line 1 "(?!kernel")/.test(line)) + 1;
  const after = lines.indexOf('#line 1 "kernel"', before);
  return before > 0 && after > before ? [before + 1, after] : undefined;
}
