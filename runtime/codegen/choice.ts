// What may be tuned of a kernel. Every choice gives equal bits: none changes what an element is computed from, nor the order
// of a reduction. A kernel without a choice has the defaults, and the text that it always had.

/** How a kernel is divided; what is left out is the default. */
export interface Choice {
  /** Threads of a block of a grid. */
  readonly block?: number;
  /** Elements of a thread of a grid. */
  readonly perThread?: number;
  /** Elements of a block of a processor's loops, which go over it part by part of the functor. */
  readonly loop?: number;
}

/** Threads of a block where nothing else was chosen. */
export const defaultBlock = 256;

/** A choice in words: `block 128, 8 per thread`, `loops of 512`. */
export function choiceName({ block, perThread, loop }: Choice): string {
  const words = [
    ...(block === undefined ? [] : [`block ${block}`]),
    ...(perThread === undefined ? [] : [`${perThread} per thread`]),
    ...(loop === undefined ? [] : [`loops of ${loop}`]),
  ];
  return words.join(", ");
}

/** What a variant's name ends with where something was chosen. */
export function choiceSuffix(choice: Choice | undefined): string {
  return choice === undefined ? "" : `, ${choiceName(choice)}`;
}

/** Up to so many elements all launches share a choice; it is more than one block of any form takes. */
export const leastSize = 4 ** 7;

/** Launches share a choice with those of up to a quarter of their elements: the most elements of those that share this one's. */
export function sizeLimit(elements: number): number {
  let limit = leastSize;
  while (limit < elements) limit *= 4;
  return limit;
}
