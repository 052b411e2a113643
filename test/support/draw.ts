// What a run tests of a large product: another part each day, all of it with JITLAB_TEST_ALL=1. The seed is printed when a run
// begins; JITLAB_TEST_SEED repeats it.
import { randomSource } from "./random.js";

/** True where every case is wanted, however long it takes. */
export const isWhole = process.env.JITLAB_TEST_ALL === "1";

const day = 86_400_000;

/** The seed of the day, or the one that is asked for. */
export const drawSeed = Number(process.env.JITLAB_TEST_SEED ?? Math.floor(Date.now() / day));

/** So many of a list, drawn by the seed and in the list's order; all of it for {@link isWhole}. */
export function drawn<T>(list: readonly T[], count: number): readonly T[] {
  if (isWhole || list.length <= count) return list;
  const { below } = randomSource(drawSeed * 31 + list.length);
  const left = list.map((_, i) => i);
  while (left.length > count) left.splice(below(left.length), 1);
  return left.map((i) => list[i] as T);
}

/** Pairs of two lists in which every element of both occurs, drawn by the seed; every pair for {@link isWhole}. */
export function paired<A, B>(list: readonly A[], others: readonly B[]): readonly (readonly [A, B])[] {
  if (isWhole) return list.flatMap((one) => others.map((other) => [one, other] as const));
  const count = list.length === 0 || others.length === 0 ? 0 : Math.max(list.length, others.length);
  return Array.from({ length: count }, (_, i) => {
    return [list[i % list.length] as A, others[(i + drawSeed) % others.length] as B] as const;
  });
}
