import { defineConfig } from "vitest/config";
import { filesWith } from "../support/device-files.js";
import { testFolders } from "../support/test-folders.js";

// What `npm test` runs on the reference device, here with the host's compiler.
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: filesWith(testFolders, ["useAnyDevice"]),
    env: { JITLAB_TEST_DEVICE: "cpu" },
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
