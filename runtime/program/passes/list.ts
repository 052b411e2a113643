// The passes from a program's nodes to its loops, in order.

import { copies } from "./copies.js";
import { alone, fuse } from "./fusion.js";
import { inline } from "./inlining.js";
import type { Pass } from "./pass.js";
import { repeats } from "./repeats.js";
import { joinReductions, joinScans, shareRows } from "./sharing.js";
import { views } from "./views.js";

/** For as few kernels as possible. */
export const fusing: readonly Pass[] = [
  copies,
  repeats,
  views,
  fuse,
  inline,
  shareRows,
  joinReductions,
  joinScans,
];

/** For one kernel for each operation. */
export const unfused: readonly Pass[] = [alone];
