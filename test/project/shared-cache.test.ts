// Files of tests share one cache of kernels, which later runs use too (test/support/test-cache.ts).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("only files with a cache of their own clear it", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  const clearing = files.filter((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return /cache\.clear\(\)/.test(text) && !text.includes("useOwnCache()");
  });
  expect(clearing).toEqual([]);
});
