/** The code blocks of a page in some languages; one without a language is a cell that a magic begins. */
export function codeBlocks(page: string, ...languages: readonly string[]): string[] {
  const all = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  return all.filter((match) => languages.includes(match[1] ?? "")).map((match) => match[2] ?? "");
}
