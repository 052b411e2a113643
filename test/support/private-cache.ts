import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/** Makes an empty cache folder whose kernels start from the run's snapshot of the language service. */
export function privateCache(folder: string): string {
  const shared = join(process.env.JITLAB_CACHE_DIR ?? folder, "language");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  if (shared !== join(folder, "language")) symlinkSync(shared, join(folder, "language"));
  return folder;
}
