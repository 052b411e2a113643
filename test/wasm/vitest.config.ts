import { defineConfig } from "vitest/config";
import { filesWith } from "../support/device-files.js";
import { isWhole } from "../support/draw.js";
import { testFolders } from "../support/test-folders.js";

// Kernels on the embedded compiler, which takes longer than the host's: the tests of generated code, and one program of every
// kind. With JITLAB_TEST_ALL=1 every test that takes its device from test/support/device.ts. Those of every device
// run on wasm wherever they run.
const ofDevices = filesWith(["conformance", ...testFolders], ['/support/device.js"']);
const ofPlanning = filesWith(testFolders, ["useAnyDevice"]).filter(
  (path) => path !== "test/program/program-corpus.test.ts",
);

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: isWhole ? ofDevices : ofDevices.filter((path) => !ofPlanning.includes(path)),
    env: { JITLAB_TEST_DEVICE: "wasm" },
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    maxWorkers: 1,
  },
});
