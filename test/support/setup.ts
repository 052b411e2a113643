import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One kernel cache for the whole test run, so that files of tests share compiled kernels and leave no trace. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-test-"));
  process.env.JITLAB_CACHE_DIR ??= folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
