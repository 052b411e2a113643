// What the gallery runs, loads and imports: the same function as its kernel, in TypeScript.

/** How many steps a number takes to 1: half of an even number, 3n + 1 of an odd one. */
export function steps(n: number): number {
  let count = 0;
  for (; n > 1; count++) n = n % 2 === 0 ? n / 2 : 3 * n + 1;
  return count;
}
