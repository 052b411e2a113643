import { defineConfig } from "vitest/config";

// `npm run test:chaos`: processes that are killed and databases that are damaged. CHAOS_SECONDS says for how long each.
export default defineConfig({
  test: {
    include: ["test/chaos/*.chaos.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: (Number(process.env.CHAOS_SECONDS ?? 60) + 600) * 1000,
    fileParallelism: false,
  },
});
