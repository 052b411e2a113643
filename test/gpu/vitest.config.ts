import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Everything that concerns a GPU, on one: the tests that take their device from test/support/device.ts, those of test/cuda,
// and the golden files, accuracy, half types and functors of test/conformance. No test of these is skipped for want of a GPU here:
// without one the run fails at once.
const root = new URL("../..", import.meta.url);
const ofDevice = readdirSync(new URL("test", root)).filter(
  (file) =>
    file.endsWith(".test.ts") &&
    readFileSync(new URL(`test/${file}`, root), "utf8").includes('"./support/device.js"'),
);
const conformance = [
  "accuracy",
  "conformance",
  "half",
  "neighbors",
  "prologue",
  "script-dtypes",
  "script-programs",
  "shared-rows",
  "tensor-functions",
];

export default defineConfig({
  test: {
    root: root.pathname,
    include: [
      ...ofDevice.map((file) => `test/${file}`),
      ...conformance.map((name) => `test/conformance/${name}.test.ts`),
      "test/cuda/*.test.ts",
    ],
    env: { JITLAB_TEST_DEVICE: "cuda" },
    globalSetup: ["test/support/setup.ts", "test/gpu/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    maxWorkers: Math.max(2, availableParallelism() - 2),
  },
});
