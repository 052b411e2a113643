import { defineConfig } from "vitest/config";

// PyTorch's golden files through real tensors on the device of JITLAB_TEST_DEVICE, functors of TypeScript in every dtype and in
// compiled functions, losses and joint reductions as programs, functions at every place of a vector, and a GPU's walks, reductions,
// rows and forms of functions by threads of the host: thousands of kernels, so not part of `npm test`.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/conformance/*.test.ts"],
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    maxWorkers: 1,
  },
});
