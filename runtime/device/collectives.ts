// Collectives as the libraries of devices get them: each member gives elements and gets elements.
import type { DTypeName } from "../base/dtype.js";

/** How elements of the members are joined. */
export type CollectiveOp = "sum" | "mean" | "min" | "max" | "prod";

/** What members exchange: joined elements, those of one, those of all, or a part of the joined elements each. */
export type CollectiveKind = "all-reduce" | "broadcast" | "all-gather" | "reduce-scatter";

/** A collective. The count of its elements is an argument of each launch. */
export interface CollectiveForm {
  readonly kind: CollectiveKind;
  readonly op: CollectiveOp;
  readonly dtype: DTypeName;
  /** The member whose elements all get, of a broadcast. */
  readonly root: number;
}
