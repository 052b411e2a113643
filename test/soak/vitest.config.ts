import { defineConfig } from "vitest/config";

// `npm run test:soak`: one kernel through thousands of cells, hundreds of interrupts and dozens of deaths. SOAK_SHARE
// says which part of that, 1 being all of it.
export default defineConfig({
  test: {
    include: ["test/soak/*.soak.ts"],
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
