/** Indents lines; directives are not indented. */
export function indented(lines: readonly string[], by: string): string[] {
  return lines.map((line) => (line.startsWith("#") ? line : by + line));
}
