// The hash by which front ends name cells: MurmurHash2 of the UTF-8 text, as JupyterLab and ipykernel compute it.

/** The seed that front ends are told to use. */
export const hashSeed = 0xc70f6907;

const multiplier = 0x5bd1e995;

/** MurmurHash2 of a text. */
export function murmurHash2(text: string, seed: number = hashSeed): number {
  const data = Buffer.from(text, "utf8");
  let hash = (seed ^ data.length) >>> 0;
  let i = 0;
  for (; i + 4 <= data.length; i += 4) {
    const word = Math.imul(data.readUInt32LE(i), multiplier);
    hash = Math.imul(hash, multiplier) ^ Math.imul(word ^ (word >>> 24), multiplier);
  }
  for (let rest = data.length - i - 1; rest >= 0; rest--) {
    hash ^= (data[i + rest] ?? 0) << (8 * rest);
    if (rest === 0) hash = Math.imul(hash, multiplier);
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return (hash ^ (hash >>> 15)) >>> 0;
}
