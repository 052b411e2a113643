// Prints the cache's warnings to stderr, each once per process.

const said = new Set<string>();

/** Prints a warning unless one with the same id was printed before. */
export function report(id: string, text: string): void {
  if (said.has(id)) return;
  said.add(id);
  process.stderr.write(`jitlab: ${text}\n`);
}
