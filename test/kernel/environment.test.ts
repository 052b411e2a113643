// The statements of docs/environment.md: each variable's default, and the effect of its value.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { env, variables } from "../../dist/runtime/base/env.js";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import {
  findCublas,
  findCublasLt,
  findCudnn,
  findCufft,
  findCusolver,
  findNvrtc,
  wheels,
} from "../../dist/runtime/device/cuda/library-search.js";

type Key = keyof typeof variables;

// [where it is unset, what a value is read as]
const readings: { readonly [K in Key]: readonly [unset: unknown, value: string, read: unknown] } = {
  device: [undefined, "wasm", "wasm"],
  memory: [undefined, "50%", "50%"],
  threads: [undefined, "3", "3"],
  poison: [0, "256", 256],
  cacheDir: [join(homedir(), ".cache/jitlab"), "/tmp/kernels", "/tmp/kernels"],
  stateDir: [join(homedir(), ".local/state/jitlab"), "/tmp/state", "/tmp/state/jitlab"],
  cacheMaxBytes: ["1G", "500M", "500M"],
  remoteCache: [undefined, "file:///shared", "file:///shared"],
  remoteCacheKey: [undefined, "secret", "secret"],
  remoteCacheKeyFile: [undefined, "/etc/key", "/etc/key"],
  debug: [false, "1", true],
  sync: [false, "1", true],
  verify: [false, "1", true],
  cxx: [undefined, "ccache g++", "ccache g++"],
  clang: [undefined, "/opt/clang-22", "/opt/clang-22"],
  mpi: [undefined, "/opt/libmpi.so", "/opt/libmpi.so"],
  checkCollectives: [false, "1", true],
  torchRank: [undefined, "2", "2"],
  torchSize: [undefined, "2", "2"],
  torchLocal: [undefined, "2", "2"],
  masterAddress: [undefined, "first", "first"],
  masterPort: [undefined, "29500", "29500"],
  jobSecret: [undefined, "a secret", "a secret"],
  openMpiRank: [undefined, "2", "2"],
  openMpiSize: [undefined, "2", "2"],
  openMpiLocal: [undefined, "2", "2"],
  mpichRank: [undefined, "2", "2"],
  mpichSize: [undefined, "2", "2"],
  mpichLocal: [undefined, "2", "2"],
  mpichPipe: [undefined, "7", 7],
  slurmRank: [undefined, "2", "2"],
  slurmSize: [undefined, "2", "2"],
  slurmLocal: [undefined, "2", "2"],
  slurmNodes: [undefined, "gpu[1-2]", "gpu[1-2]"],
  slurmJob: [undefined, "123", "123"],
  nccl: [undefined, "/opt/libnccl.so.2", "/opt/libnccl.so.2"],
  cudaHome: [undefined, "/opt/cuda", "/opt/cuda"],
  loaderPath: [[], "/a:/b", ["/a", "/b"]],
  path: [["/usr/local/bin", "/usr/bin", "/bin"], "/a:/b", ["/a", "/b"]],
  poolThreads: [4, "16", 16],
  jupyterDataDir: [undefined, "/a", "/a"],
  jupyterPath: [[], "/a:/b", ["/a", "/b"]],
  pythonUserBase: [undefined, "/a", "/a"],
  xdgDataHome: [undefined, "/a", "/a"],
  appData: [undefined, "/a", "/a"],
  virtualEnv: [undefined, "/a", "/a"],
  condaPrefix: [undefined, "/a", "/a"],
  jupyterPid: [undefined, "123", 123],
};

const folder = mkdtempSync(join(tmpdir(), "jitlab-environment-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const before = { ...process.env };
beforeEach(() => {
  for (const { name } of Object.values(variables)) delete process.env[name];
  delete process.env.XDG_CACHE_HOME;
});
afterEach(() => Object.assign(process.env, before));

/** What a program with the library prints on stderr. */
function run(program: string, changes: Record<string, string>): string {
  const library = pathToFileURL(join(import.meta.dirname, "..", "../dist/runtime/index.js")).href;
  const places = { JITLAB_CACHE_DIR: join(folder, "cache"), XDG_STATE_HOME: join(folder, "state") };
  return spawnSync(
    process.execPath,
    ["--input-type=module", "-e", `import * as jl from "${library}"; ${program}`],
    { encoding: "utf8", env: { ...before, ...places, ...changes } },
  ).stderr;
}

test.each(Object.keys(readings) as Key[])("%s has its default and reads its value", (key) => {
  const [unset, value, read] = readings[key];
  expect(env(key)).toEqual(unset);
  process.env[variables[key].name] = value;
  expect(env(key)).toEqual(read);
});

test("XDG_CACHE_HOME holds the cache where JITLAB_CACHE_DIR names no folder", () => {
  process.env.XDG_CACHE_HOME = "/tmp/caches";
  expect(env("cacheDir")).toBe("/tmp/caches/jitlab");
});

test("JITLAB_DEVICE with a name that does not exist is an error that lists the names that do", () => {
  expect(run("jl.ones([2]);", { JITLAB_DEVICE: "abacus" })).toContain(
    'Unknown device "abacus".\nThe devices are cuda, cpu, wasm, opencl;',
  );
});

test("JITLAB_DEBUG=1 prints a line for each kernel that is compiled or fetched from disk", () => {
  const negate = () => run("jl.ones([2]).neg();", { JITLAB_DEVICE: "cpu", JITLAB_DEBUG: "1" });
  expect(negate()).toMatch(/^neg float32 contiguous\S* cpu: compiled in \d+ ms$/m);
  expect(negate()).toMatch(/^neg float32 contiguous\S* cpu: from disk in \d+\.\d ms$/m);
});

test("the host's compiler is the first of c++, g++ and clang++ on the PATH, or that of CXX", () => {
  const bin = join(folder, "compilers");
  mkdirSync(bin);
  process.env.PATH = bin;
  expect(findCompiler()).toMatchObject({ path: "", reason: expect.stringContaining("c++, g++") });
  for (const name of ["clang++", "g++", "c++"]) {
    writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
    expect(findCompiler().path).toBe(join(bin, name));
  }
  process.env.CXX = "clang++";
  expect(findCompiler().path).toBe(join(bin, "clang++"));
});

describe("cuBLASLt is looked for where NVRTC is", () => {
  test("in CUDA_HOME, and no newer than the driver", () => {
    const toolkit = join(folder, "products");
    mkdirSync(join(toolkit, "lib64"), { recursive: true });
    for (const major of [96, 97]) writeFileSync(join(toolkit, "lib64", `libcublasLt.so.${major}`), "");
    process.env.CUDA_HOME = toolkit;
    expect(findCublasLt()?.path).toBe(join(toolkit, "lib64", "libcublasLt.so.97"));
    expect(findCublasLt(96)?.major).toBe(96);
  });

  test("and so are cuSOLVER and cuFFT, whose versions are one less than CUDA's", () => {
    const toolkit = join(folder, "solvers");
    mkdirSync(join(toolkit, "lib64"), { recursive: true });
    const files = ["cublas.so.97", "cusolver.so.96", "cufft.so.96", "cufft.so.97"];
    for (const name of files) writeFileSync(join(toolkit, "lib64", `lib${name}`), "");
    process.env.CUDA_HOME = toolkit;
    expect(findCublas(97)?.major).toBe(97);
    expect(findCusolver(97)?.path).toBe(join(toolkit, "lib64", "libcusolver.so.96"));
    expect([findCufft(97)?.major, findCufft(98)?.major]).toEqual([96, 97]);
  });

  test("and cuDNN, up to the version whose functions are called", () => {
    const toolkit = join(folder, "convolutions");
    mkdirSync(join(toolkit, "lib64"), { recursive: true });
    for (const major of [9, 10]) writeFileSync(join(toolkit, "lib64", `libcudnn.so.${major}`), "");
    process.env.CUDA_HOME = toolkit;
    expect(findCudnn()?.path).toBe(join(toolkit, "lib64", "libcudnn.so.9"));
  });

  test("in the wheel of the active Python environment", () => {
    process.env.VIRTUAL_ENV = join(folder, "products-venv");
    const own = join(process.env.VIRTUAL_ENV, "lib", "python3.11", "site-packages", "nvidia");
    mkdirSync(own, { recursive: true });
    expect(wheels("cublas")).toContain(join(own, "cublas", "lib"));
  });
});

// The system's own would come before those of Python.
const hideSystemBlas = `const fs = require("node:fs");
const { readdirSync } = fs;
fs.readdirSync = (path, ...rest) => {
  const names = readdirSync(path, ...rest);
  return /^.(usr|lib)/.test(path) ? names.filter((name) => !/openblas|blis/.test(name)) : names;
};
require("node:module").syncBuiltinESMExports();`;

test.each([
  ["on the loader's path", "LD_LIBRARY_PATH", "libopenblas.so.0"],
  ["in the active Conda environment", "CONDA_PREFIX", "lib/libopenblas.so.0"],
  [
    "in NumPy's wheel",
    "VIRTUAL_ENV",
    "lib/python3.11/site-packages/numpy.libs/libscipy_openblas64_-ff651d7f.so",
  ],
  [
    "in SciPy's wheel",
    "VIRTUAL_ENV",
    "lib/python3.11/site-packages/scipy.libs/libscipy_openblas-68440149.so",
  ],
])(`a BLAS %s is found, and told where it is damaged`, (_, variable, file) => {
  const root = mkdtempSync(join(folder, "blas-"));
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), "no library");
  const preload = join(root, "preload.cjs");
  writeFileSync(preload, hideSystemBlas);
  const program = `(await import("${new URL("../../dist/runtime/device/cpu/blas.js", import.meta.url)}")).probeBlas();`;
  const told = run(program, { [variable]: root, NODE_OPTIONS: `--require ${preload}` });
  expect(told).toContain(`${join(root, file)} cannot be loaded`);
  // LAPACK is looked for in the same files.
  expect(
    run(program.replace("blas.js", "lapack.js").replace("probeBlas", "probeLapack"), {
      [variable]: root,
      NODE_OPTIONS: `--require ${preload}`,
    }),
  ).toContain(`${join(root, file)} cannot be loaded`);
});

test("a LAPACK of its own is found where no BLAS has one", () => {
  const root = mkdtempSync(join(folder, "lapack-"));
  writeFileSync(join(root, "liblapack.so.3"), "no library");
  const preload = join(root, "preload.cjs");
  writeFileSync(preload, hideSystemBlas);
  const program = `(await import("${new URL("../../dist/runtime/device/cpu/lapack.js", import.meta.url)}")).probeLapack();`;
  const hidden = { PATH: "", VIRTUAL_ENV: "", CONDA_PREFIX: "", HOME: root };
  const told = run(program, { ...hidden, LD_LIBRARY_PATH: root, NODE_OPTIONS: `--require ${preload}` });
  expect(told).toContain(`${join(root, "liblapack.so.3")} cannot be loaded`);
});

describe("NVRTC is looked for", () => {
  const place = (path: string) => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "libnvrtc.so.97"), "");
    return { folder: join(folder, path), file: join(folder, path, "libnvrtc.so.97") };
  };

  test("in CUDA_HOME first", () => {
    const { file } = place("toolkit/lib64");
    process.env.CUDA_HOME = join(folder, "toolkit");
    expect(findNvrtc()?.path).toBe(file);
  });

  test("in LD_LIBRARY_PATH", () => {
    const { file } = place("loader");
    process.env.LD_LIBRARY_PATH = join(folder, "loader");
    expect([file, expect.stringMatching(/^\/usr\/local\/cuda/)]).toContainEqual(findNvrtc()?.path);
  });

  test.each(["VIRTUAL_ENV", "CONDA_PREFIX"])("in the Python environment of %s", (name) => {
    const wheel = place(`${name}/lib/python3.11/site-packages/nvidia/cu97/lib`);
    process.env[name] = join(folder, name);
    expect(wheels()).toContain(wheel.folder);
  });

  test("and one that is no newer than the driver comes first", () => {
    const toolkit = join(folder, "two");
    mkdirSync(join(toolkit, "lib64"), { recursive: true });
    for (const major of [96, 97]) writeFileSync(join(toolkit, "lib64", `libnvrtc.so.${major}`), "");
    process.env.CUDA_HOME = toolkit;
    expect(findNvrtc(96)?.major).toBe(96);
    expect(findNvrtc()?.major).toBe(97);
  });
});
