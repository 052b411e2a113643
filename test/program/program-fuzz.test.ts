// Random programs give the same bits undeferred, deferred operation by operation, and fused, replayed and with arguments given
// away: on compiled kernels. Most of them run without a compiler, in reference-programs.test.ts; these test the code generators
// too. FUZZ_COMPILED says how many.
import { useDevice } from "../support/device.js";
import { checkPrograms } from "../support/programs/check.js";

checkPrograms({
  count: Number(process.env.FUZZ_COMPILED ?? 8),
  largest: "whole",
  isCompiled: true,
  open: useDevice,
});
