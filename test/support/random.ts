// Random choices that can be made again: a test that fails names its seed.

/** Choices that follow from a seed. */
export interface RandomSource {
  readonly seed: number;
  /** A whole number from 0 up to `limit`, which is not reached. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
}

/** Choices from this seed, or from a new one. */
export function randomSource(seed = Math.floor(Math.random() * 2 ** 32)): RandomSource {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { seed, below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}
