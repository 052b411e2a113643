// The changes from one text to another, line by line: a longest common subsequence, shown with some lines around each change.

const context = 3;
// Texts that differ in more lines than this product allows are shown as one change.
const mostCells = 2 ** 25;

/** Lines of both texts, with a space, `-` or `+` before each; unchanged lines far from a change are left out. */
export interface LineChanges {
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
}

/** The changes from some lines to others. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChanges {
  let first = 0;
  while (first < before.length && before[first] === after[first]) first++;
  let last = 0;
  const most = Math.min(before.length, after.length) - first;
  while (last < most && before.at(-1 - last) === after.at(-1 - last)) last++;
  const old = before.slice(first, before.length - last);
  const fresh = after.slice(first, after.length - last);
  const all = [
    ...before.slice(0, first).map((line) => ` ${line}`),
    ...changed(old, fresh),
    ...before.slice(before.length - last).map((line) => ` ${line}`),
  ];
  const count = (sign: string) => all.filter((line) => line.startsWith(sign)).length;
  return { lines: nearChanges(all), added: count("+"), removed: count("-") };
}

function changed(old: readonly string[], fresh: readonly string[]): string[] {
  const [rows, columns] = [old.length, fresh.length];
  if (rows * columns > mostCells)
    return [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
  // The longest common subsequence of what begins at each pair of lines.
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        old[i] === fresh[j]
          ? 1 + (lengths[at + width + 1] as number)
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    const at = i * width + j;
    if (i < rows && j < columns && old[i] === fresh[j]) {
      lines.push(` ${old[i++]}`);
      j++;
    } else if (i < rows && (j === columns || (lengths[at + width] as number) >= (lengths[at + 1] as number)))
      lines.push(`-${old[i++]}`);
    else lines.push(`+${fresh[j++]}`);
  }
  return lines;
}

function nearChanges(all: readonly string[]): string[] {
  const isKept = new Array<boolean>(all.length).fill(false);
  all.forEach((line, i) => {
    if (!line.startsWith(" ")) isKept.fill(true, Math.max(0, i - context), i + context + 1);
  });
  const lines: string[] = [];
  all.forEach((line, i) => {
    if (isKept[i]) lines.push(line);
    else if (i === 0 || isKept[i - 1]) lines.push(" ...");
  });
  return lines;
}
