// A launch shared by several threads: its words of shared memory, and the loop of each thread. Every thread has its own
// range of chunks, then takes chunks of other ranges. A thread gets the same range each time, so that its cache is warm.
import type { Kernel } from "./code.js";

/** The words that guard a job. */
export const word = {
  generation: 0,
  accepting: 1,
  inside: 2,
  code: 3,
  block: 4,
  threads: 5,
  failed: 6,
} as const;

const rangeWord = 16;
const wordsPerRange = 32; // 128 bytes, so that threads do not write to neighboring lines
const numbersAt = 32; // bytes

/** A job, as seen by every thread. */
export class Job {
  readonly words: Int32Array;
  readonly #numbers: Float64Array;

  constructor(readonly shared: SharedArrayBuffer) {
    this.words = new Int32Array(shared);
    this.#numbers = new Float64Array(shared, numbersAt, 3);
  }

  /** The space for a number of threads. */
  static for(threads: number): Job {
    return new Job(new SharedArrayBuffer(4 * (rangeWord + wordsPerRange * threads)));
  }

  /** Divides elements [begin, end) into chunks, and the chunks among threads. */
  divide(begin: number, end: number, chunk: number, threads: number): void {
    this.#numbers.set([begin, end, chunk]);
    this.words[word.threads] = threads;
    const chunks = Math.ceil((end - begin) / chunk);
    for (let thread = 0; thread < threads; thread++) {
      const at = rangeWord + thread * wordsPerRange;
      this.words[at] = Math.floor((chunks * thread) / threads);
      this.words[at + 1] = Math.floor((chunks * (thread + 1)) / threads);
    }
  }

  /** Runs chunks until there are none left. */
  work(kernel: Kernel, thread: number): void {
    const { words } = this;
    const [begin = 0, end = 0, chunk = 1] = this.#numbers;
    const block = words[word.block] as number;
    const threads = words[word.threads] as number;
    for (let i = 0; i < threads; i++) {
      const at = rangeWord + ((thread + i) % threads) * wordsPerRange;
      const last = words[at + 1] as number;
      while (Atomics.load(words, at) < last) {
        const taken = Atomics.add(words, at, 1);
        if (taken >= last) break;
        const from = begin + taken * chunk;
        kernel(block, BigInt(from), BigInt(Math.min(from + chunk, end)));
      }
    }
  }

  /** Takes all remaining chunks, so that all threads finish soon. */
  abandon(): void {
    const threads = this.words[word.threads] as number;
    for (let thread = 0; thread < threads; thread++) {
      Atomics.store(this.words, rangeWord + thread * wordsPerRange, 2 ** 30);
    }
  }
}
