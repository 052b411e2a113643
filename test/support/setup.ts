import { existsSync } from "node:fs";
import { makeSnapshot, snapshotFile } from "../../dist/kernel/language/snapshot-file.js";
import { drawSeed, isWhole } from "./draw.js";
import { openTestCache } from "./test-cache.js";

/** One kernel cache and its key for all test runs, so that files of tests and later runs share compiled kernels. */
export async function setup(): Promise<void> {
  // Every file draws by the same seed, also past midnight.
  process.env.JITLAB_TEST_SEED ??= String(drawSeed);
  if (!isWhole) console.log(`Large products are drawn with JITLAB_TEST_SEED=${drawSeed}`);
  // Also of the processes that tests start.
  process.env.JITLAB_POISON ??= isWhole ? "32" : "256";
  if (process.env.JITLAB_CACHE_DIR === undefined) Object.assign(process.env, openTestCache());
  // Dozens of kernels start in `npm test`; a run of a few files does without.
  if (process.env.npm_lifecycle_event === "test" && !existsSync(snapshotFile())) await makeSnapshot();
}
