// How a kernel's elements are divided among threads.

/** How a kernel divides its elements; fixed when it is rendered. */
export interface Division {
  /** Threads of one block; 1 where the device has no blocks. */
  readonly threads: number;
  /** Elements that one thread handles; without blocks, the number of which each share's start is a multiple. */
  readonly perThread: number;
}
