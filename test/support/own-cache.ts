import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Gives a file of tests a cache of its own, empty at first, which it may clear; for its first lines. */
export function useOwnCache(): void {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-own-cache-"));
  process.env.JITLAB_CACHE_DIR = folder;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}
