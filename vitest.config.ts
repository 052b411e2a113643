import { availableParallelism } from "node:os";
import { defineConfig, type TestUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { filesWith } from "./test/support/device-files.js";
import { isWhole } from "./test/support/draw.js";
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

const minutes = 60_000;

/** Tests of compiled kernels: they take minutes, and each uses all cores. */
const compiling = (device?: string): TestUserConfig => ({
  ...(device && { env: { JITLAB_TEST_DEVICE: device } }),
  testTimeout: 10 * minutes,
  hookTimeout: 20 * minutes,
  maxWorkers: 1,
});

const ofDevices = () => filesWith(["conformance", ...testFolders], ['/support/device.js"']);
const ofPlanning = () => filesWith(testFolders, ["useAnyDevice"]);

/** What each stage runs; `npm run test:NAME` is `vitest run --mode NAME`. */
const stages: Readonly<Record<string, () => TestUserConfig>> = {
  // `npm test`: what needs only Node and a C++ compiler.
  test: () => ({
    include: testFolders.map((folder) => `test/${folder}/*.test.ts`),
    // Says when a test hangs, also on a busy machine.
    testTimeout: 3 * minutes,
    hookTimeout: minutes,
    // More than the cores of a small machine: some wait for other processes.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  }),
  // What `npm test` runs on the reference device, with the host's compiler.
  compiled: () => ({ ...compiling("cpu"), include: ofPlanning(), hookTimeout: 10 * minutes }),
  // PyTorch's golden files through real tensors on the device of JITLAB_TEST_DEVICE, functors of TypeScript in every dtype and in
  // compiled functions, losses and joint reductions as programs, functions at every place of a vector, and a GPU's walks,
  // reductions, rows and forms of functions by threads of the host: thousands of kernels.
  conformance: () => ({ ...compiling(), include: ["test/conformance/*.test.ts"] }),
  // Kernels on the embedded compiler, which takes longer than the host's: the tests of generated code, and one program of every
  // kind. With JITLAB_TEST_ALL=1 every test that takes its device from test/support/device.ts. Those of every device run on
  // wasm wherever they run.
  wasm: () => {
    const planning = ofPlanning().filter((path) => path !== "test/program/program-corpus.test.ts");
    const files = ofDevices();
    return {
      ...compiling("wasm"),
      include: isWhole ? files : files.filter((path) => !planning.includes(path)),
    };
  },
  // A device of OpenCL, which scripts/opencl.mjs has made: the accuracy of functions, functions of tensors, random programs and what
  // drivers get wrong. With JITLAB_TEST_ALL=1 also PyTorch's golden file, whose kernels a driver compiles for most of an hour.
  opencl: () => ({
    ...compiling("opencl"),
    include: [
      ...["accuracy", "tensor-functions", ...(isWhole ? ["conformance"] : [])].map(
        (name) => `test/conformance/${name}.test.ts`,
      ),
      "test/device/opencl-device.test.ts",
      "test/program/program-fuzz.test.ts",
    ],
  }),
  // The generated CUDA of every op through the real NVRTC.
  cuda: () => ({ include: ["test/cuda/*.test.ts"], testTimeout: 10 * minutes, maxWorkers: 2 }),
  // Everything that concerns a GPU, on one: the tests that take their device from test/support/device.ts, those that ask
  // whether there is a GPU, and those of test/cuda. No test of these is skipped for want of a GPU here: without one the run
  // fails at once.
  gpu: () => {
    const words = ['/support/device.js"', '/support/every-device.js"', 'kind === "cuda"', 'there("cuda")'];
    return {
      ...compiling("cuda"),
      include: [...filesWith(["conformance", ...testFolders], words), "test/cuda/*.test.ts"],
      globalSetup: ["test/support/setup.ts", "test/gpu/setup.ts"],
      maxWorkers: Math.max(2, availableParallelism() - 2),
    };
  },
  // Processes that are killed and databases that are damaged. CHAOS_SECONDS says for how long each.
  chaos: () => ({
    include: ["test/chaos/*.chaos.ts"],
    globalSetup: [],
    testTimeout: (Number(process.env.CHAOS_SECONDS ?? 60) + 600) * 1000,
    fileParallelism: false,
  }),
  // One kernel through thousands of cells, hundreds of interrupts and dozens of deaths. SOAK_SHARE says which part of that, 1
  // being all of it.
  soak: () => ({
    include: ["test/soak/*.soak.ts"],
    testTimeout: 30 * minutes,
    hookTimeout: minutes,
    fileParallelism: false,
  }),
  // Real Jupyter clients against the built kernel, one after the other, because each starts servers and browsers.
  clients: () => ({
    include: ["test/clients/*.client.ts"],
    fileParallelism: false,
    bail: 1,
    testTimeout: 3 * minutes,
    hookTimeout: 2 * minutes,
    // A busy machine draws late.
    expect: { poll: { timeout: 20_000 } },
  }),
  // The package as its users get it. Needs npm's registry, and takes minutes: three Nodes and four installations.
  package: () => ({
    include: ["test/package/*.test.ts"],
    globalSetup: [],
    fileParallelism: false,
    testTimeout: 4 * minutes,
    hookTimeout: 5 * minutes,
  }),
};

// Tests import the built files of dist/ through Node itself: worker threads, the child process and the copied assets are then the
// ones that ship.
export default defineConfig(({ mode }) => {
  const stage = stages[mode];
  if (stage === undefined)
    throw new Error(`There is no stage ${mode}; there are ${Object.keys(stages).join(", ")}.`);
  return {
    test: {
      globalSetup: ["test/support/setup.ts"],
      server: { deps: { external: [/\/dist\//] } },
      ...stage(),
    },
  };
});
