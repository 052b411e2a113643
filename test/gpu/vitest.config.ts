import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { filesWith } from "../support/device-files.js";
import { testFolders } from "../support/test-folders.js";

// Everything that concerns a GPU, on one: the tests that take their device from test/support/device.ts, those that ask
// whether there is a GPU, and those of test/cuda. No test of these is skipped for want of a GPU here: without one the run
// fails at once.
const words = ['/support/device.js"', '/support/every-device.js"', 'kind === "cuda"', 'there("cuda")'];

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: [...filesWith(["conformance", ...testFolders], words), "test/cuda/*.test.ts"],
    env: { JITLAB_TEST_DEVICE: "cuda" },
    globalSetup: ["test/support/setup.ts", "test/gpu/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    maxWorkers: Math.max(2, availableParallelism() - 2),
  },
});
