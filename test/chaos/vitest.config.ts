import { defineConfig } from "vitest/config";

// `npm run test:chaos`: processes that are killed and databases that are damaged. CHAOS_SECONDS says for how long each.
export default defineConfig({
  test: {
    include: ["test/chaos/*.chaos.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    fileParallelism: false,
  },
});
