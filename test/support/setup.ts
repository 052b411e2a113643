import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One kernel cache and its key for the whole test run, so that files of tests share compiled kernels and leave no trace. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-test-"));
  if (process.env.JITLAB_CACHE_DIR === undefined) {
    process.env.JITLAB_CACHE_DIR = join(folder, "cache");
    process.env.XDG_STATE_HOME = join(folder, "state");
  }
  return () => rmSync(folder, { recursive: true, force: true });
}
