import { defineConfig } from "vitest/config";

// Tests import the built files of dist/ through Node itself: worker threads, the child process and the copied
// assets are then the ones that ship.
export default defineConfig({
  test: {
    include: ["test/*.test.ts"],
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
