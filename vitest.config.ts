import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testFolders } from "./test/support/test-folders.js";

/** Starts the longest files first: at the end they would run alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) =>
      /\/(program-fuzz|reference-programs|random-programs)\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

// Tests import the built files of dist/ through Node itself: worker threads, the child process and the copied
// assets are then the ones that ship.
export default defineConfig({
  test: {
    include: testFolders.map((folder) => `test/${folder}/*.test.ts`),
    globalSetup: ["test/support/setup.ts"],
    server: { deps: { external: [/\/dist\//] } },
    // Says when a test hangs, also on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // More than the cores of a small machine: some wait for other processes.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
