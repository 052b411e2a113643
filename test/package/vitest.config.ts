import { defineConfig } from "vitest/config";

// The package as its users get it. Needs npm's registry, and takes minutes: three Nodes and four installations.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/package/*.test.ts"],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 300_000,
  },
});
