import { defineConfig } from "vitest/config";

// Real Jupyter clients against the built kernel: slower than the other tests, and one after the other, because each
// starts servers and browsers.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/clients/*.client.ts"],
    globalSetup: ["test/support/setup.ts"],
    fileParallelism: false,
    bail: 1,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A busy machine draws late.
    expect: { poll: { timeout: 20_000 } },
  },
});
