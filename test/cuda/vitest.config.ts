import { defineConfig } from "vitest/config";

// The generated CUDA of every op through the real NVRTC: minutes of compiling, so not part of `npm test`.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/cuda/*.test.ts"],
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    maxWorkers: 2,
  },
});
