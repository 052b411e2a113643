// The division of a kernel's elements among threads.

/** The division of a kernel's elements; fixed when it is rendered. */
export interface Division {
  /** Threads per block; 1 on devices without blocks. */
  readonly threads: number;
  /** Elements per thread; without blocks, each share starts at a multiple of it. */
  readonly perThread: number;
}

/** Threads of a block of a grid, where a kernel needs no other number. */
export const defaultBlock = 256;
