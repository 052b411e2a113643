// How a program's kernels are made.

/**
 * How programs run: undeferred, deferred with one kernel for each operation, or deferred with as few kernels as possible.
 */
export type Backend = "eager" | "steps" | "fused";

/** Options for making a program's kernels. */
export interface PlanOptions {
  readonly backend: Backend;
  /** True if results have the bits of the separate calls. */
  readonly exact: boolean;
}
