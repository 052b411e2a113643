// The groups of a program's nodes, after all that lets nodes share a kernel, apart from moved views.

import type { Node, Value } from "../graph/ir.js";
import { groupsOf } from "./grouping.js";
import { inline } from "./inlining.js";
import type { Group } from "./loop.js";
import { joinReductions, joinScans, shareRows } from "./share.js";

/** The groups of nodes that share kernels; `isLast` says that only the `roots` are needed later. */
export function kernelGroups(nodes: readonly Node[], roots: ReadonlySet<Value>, isLast: boolean): Group[] {
  const inlined = inline(groupsOf(nodes, roots, false), roots, isLast);
  return joinScans(joinReductions(shareRows(inlined, roots), roots), roots);
}
