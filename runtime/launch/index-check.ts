// The test of the indexes of an operation that reads or writes by index tensors, as data. What runs the operation also tests
// them, so that no sink between the call and the device can lose an index out of bounds.

import type { JitlabError } from "../base/errors.js";
import type { Mark } from "../device/device.js";
import type { View } from "../geometry/view.js";

/** Where the kernels of a device mark an index out of bounds. */
export interface IndexFlag {
  /** True if a launch before a mark, or before now, marked an index; it is then no longer marked. */
  isMarked(mark?: Mark): boolean;
}

/** An index tensor, and the range of its indexes. */
export interface Indexes {
  readonly index: View;
  /** The number of elements to choose from. */
  readonly extent: number;
  /** The indexed dimension, for messages: `dimension 0`. */
  readonly of: string;
  /** True if -1 is the last element. */
  readonly wraps: boolean;
}

/**
 * The test of the indexes of a map that reads elements at places that it computes. Its kernel marks an index out of bounds;
 * the host looks after the launch.
 */
export interface IndexCheck {
  /** The index tensors that are tested. */
  readonly all: readonly Indexes[];
  /** Set once the indexes were tested. */
  isDone: boolean;
  /** Where kernels of its device mark an index. */
  readonly flag: IndexFlag;
  /** Queues a test of the indexes where nobody then has to wait for a read of so many elements; the mark behind it. */
  queue(elements: number): Mark | undefined;
  /** The error for indexes of which one was marked; undefined if all of these are inside. */
  error(): JitlabError | undefined;
  /** Tests the indexes without reading by them; throws the error. */
  test(): void;
  /** The error when no index is found any more, because the tensor has changed. */
  unknown(): JitlabError;
  /** The same test of other index tensors, for a sink that passes on others, such as those of a whole batch. */
  over(all: readonly Indexes[]): IndexCheck;
}
