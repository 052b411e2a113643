// Text for a terminal of 80 columns.

const columns = 80;

/** Breaks each line between words and indents it; a word that is longer than a line, such as a path, stays whole. */
export function wrapped(text: string, indent: number): string {
  const width = columns - indent;
  const lines = text.split("\n").flatMap((line) => {
    const broken: string[] = [];
    for (const word of line.split(" ")) {
      const last = broken.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= width)
        broken[broken.length - 1] = `${last} ${word}`;
      else broken.push(word);
    }
    return broken;
  });
  return lines.map((line) => " ".repeat(indent) + line).join("\n");
}
