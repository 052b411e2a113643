import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

// The tests that take their device from test/support/device.ts, on the embedded compiler. It takes longer than the host's,
// so they are not part of `npm test`.
const folder = new URL("..", import.meta.url);
const include = readdirSync(folder).filter(
  (file) =>
    file.endsWith(".test.ts") &&
    readFileSync(new URL(file, folder), "utf8").includes('"./support/device.js"'),
);

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: include.map((file) => `test/${file}`),
    env: { JITLAB_TEST_DEVICE: "wasm" },
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
