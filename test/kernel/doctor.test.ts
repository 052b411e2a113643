import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-doctor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function jitlab(args: readonly string[], variables: Record<string, string> = {}) {
  return spawnSync(process.execPath, [main, ...args], {
    encoding: "utf8",
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: "", JUPYTER_DATA_DIR: "", ...variables },
  });
}

function doctor(variables: Record<string, string> = {}) {
  const result = jitlab(["doctor", "--json"], variables);
  const report = JSON.parse(result.stdout) as {
    healthy: boolean;
    findings: { name: string; status: string; detail: string; help: string }[];
  };
  const named = Object.fromEntries(report.findings.map((finding) => [finding.name, finding]));
  return { exit: result.status, healthy: report.healthy, named };
}

test("every piece is looked at, and each that is missing comes with what to do", () => {
  const { exit, healthy, named } = doctor();
  expect(Object.keys(named)).toEqual([
    ...["Node.js", "koffi", "zeromq", "libsql", "device", "C++ compiler", "BLAS", "LAPACK"],
    ...[
      "embedded clang",
      "NVIDIA GPU",
      "NVRTC",
      "cuBLASLt",
      "cuSOLVER",
      "cuFFT",
      "cuDNN",
      "OpenCL",
      "memory",
      "GPU counters",
      "kernel cache",
      "shared cache",
      "Jupyter",
      "kernelspec",
    ],
  ]);
  expect(healthy).toBe(true);
  expect(exit).toBe(0);
  for (const name of ["Node.js", "koffi", "zeromq", "libsql", "device"])
    expect(named[name]?.status).toBe("ok");
  for (const { status, help, name } of Object.values(named)) {
    if (status !== "ok") expect(help, name).not.toBe("");
  }
});

test("its text fits 80 columns, but for paths", () => {
  const lines = jitlab(["doctor", "--all"], { PATH: folder, CXX: "" }).stdout.split("\n");
  expect(lines.filter((line) => line.length > 80 && !/\S{60}/.test(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(15);
});

test("it begins with a verdict, and folds what works and what only a GPU would need", () => {
  const { stdout } = jitlab(["doctor"]);
  const { named } = doctor();
  expect(stdout).toMatch(/^jitlab works here, on the device \w+/);
  expect(stdout).toContain("✓ works          Node.js, koffi");
  if (named["NVIDIA GPU"]?.status === "ok") return;
  expect(stdout).toContain("– NVIDIA GPU     none is found here\n");
  expect(stdout).not.toContain("cuDNN");
  expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(14);
  expect(jitlab(["doctor"], { NODE_OPTIONS: "", PATH: folder, CXX: "", JITLAB_DEVICE: "" }).stdout).toMatch(
    /^jitlab works here, on the device wasm/,
  );
});

test("without a compiler and a GPU the embedded compiler stands in", () => {
  const { healthy, named } = doctor({ PATH: folder, CXX: "" });
  expect(named["C++ compiler"]?.status).toBe("missing");
  expect(healthy).toBe(true);
  if (named["NVIDIA GPU"]?.status === "ok") return;
  expect(named.device?.detail).toMatch(/^wasm: WebAssembly, \d+ threads, @yowasp\/clang \d/);
});

test("without any compiler it fails and says what to install", () => {
  const { exit, healthy, named } = doctor({
    PATH: folder,
    CXX: "",
    NODE_OPTIONS: `--require ${fileURLToPath(new URL("../support/no-clang.cjs", import.meta.url))}`,
  });
  expect(named["embedded clang"]).toMatchObject({
    status: "missing",
    detail: "The package @yowasp/clang is not installed.",
    help: expect.stringContaining("npm install @yowasp/clang"),
  });
  expect(named["C++ compiler"]?.status).toBe("missing");
  expect(`${named["C++ compiler"]?.detail} ${named["C++ compiler"]?.help}`).toMatch(/g\+\+|clang/);
  if (named["NVIDIA GPU"]?.status === "ok") return;
  expect(named.device?.status).toBe("failed");
  expect(healthy).toBe(false);
  expect(exit).toBe(1);
});

test("the kernelspec is found where install put it, and a stale one is reported", () => {
  expect(doctor().named.kernelspec).toMatchObject({
    status: "missing",
    detail: "Jupyter does not know the kernel yet.",
    help: expect.stringContaining("jitlab install"),
  });
  jitlab(["install"]);
  expect(doctor().named.kernelspec).toMatchObject({ status: "ok", help: "" });
  const file = join(folder, ".local/share/jupyter/kernels/jitlab/kernel.json");
  const spec = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(
    file,
    JSON.stringify({ ...spec, argv: [spec.argv[0], "/gone/main.js", ...spec.argv.slice(2)] }),
  );
  expect(doctor().named.kernelspec).toMatchObject({
    status: "missing",
    detail: expect.stringContaining("/gone/main.js, which is not there any more"),
  });
  const other = join(folder, "main.js");
  writeFileSync(other, "");
  writeFileSync(file, JSON.stringify({ ...spec, argv: [spec.argv[0], other, ...spec.argv.slice(2)] }));
  expect(doctor().named.kernelspec?.detail).toContain(`(another copy: ${other})`);
});

test("native modules have binaries for the systems that the page names, and what it calls optional is", () => {
  const installed = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../${name}package.json`, import.meta.url), "utf8"))
      .optionalDependencies;
  const binaries = Object.keys({ ...installed("node_modules/koffi/"), ...installed("node_modules/libsql/") });
  for (const machine of ["x64", "arm64"])
    expect(binaries).toEqual(
      expect.arrayContaining([`@koromix/koffi-linux-${machine}`, `@libsql/linux-${machine}-gnu`]),
    );
  expect(Object.keys(installed(""))).toContain("@yowasp/clang");
});

test("a driver that is not there and no Jupyter come with what to do", () => {
  const { named } = doctor({ PATH: folder });
  expect(named.Jupyter).toMatchObject({
    status: "missing",
    detail: "No Jupyter on the PATH.",
    help: expect.stringContaining("pip install jupyterlab ipywidgets"),
  });
  const gpu = named["NVIDIA GPU"];
  if (gpu?.status !== "ok") expect(gpu?.detail).toMatch(/libcuda\.so\.1 cannot be loaded|CUDA_ERROR_/);
});

test("a cache whose key cannot be kept comes with what to do", () => {
  const { named } = doctor({ XDG_STATE_HOME: "/dev/null" });
  expect(named["kernel cache"]).toMatchObject({
    status: "missing",
    detail: expect.stringContaining("its key /dev/null/jitlab/cache-key cannot be used"),
    help: "XDG_STATE_HOME names another folder for the key.",
  });
});

test("the text form marks each finding", () => {
  const { stdout } = jitlab(["doctor", "--all"]);
  expect(stdout).toMatch(/^✓ Node\.js {8}v\d+/m);
  expect(stdout).toMatch(/^✓ koffi {10}loads/m);
});

test("kernels are found in every place that Jupyter lists", () => {
  const [first, second, base] = ["first", "second", "base"].map((name) => join(folder, name));
  jitlab(["install", "--name", "one"], { JUPYTER_DATA_DIR: second! });
  jitlab(["install", "--prefix", base!, "--name", "two"]);
  const { kernelspec } = doctor({ JUPYTER_PATH: `${first}:${second}`, PYTHONUSERBASE: base! }).named;
  expect(kernelspec?.detail.split("\n")).toEqual([
    join(second!, "kernels", "one"),
    join(base!, "share", "jupyter", "kernels", "two"),
  ]);
});

test("NVRTC is found in the environment of a Jupyter that runs without activation", () => {
  const environment = join(folder, "venv");
  const wheel = join(environment, "lib", "python3.11", "site-packages", "nvidia", "cu97", "lib");
  mkdirSync(wheel, { recursive: true });
  mkdirSync(join(environment, "bin"));
  writeFileSync(join(wheel, "libnvrtc.so.97"), "");
  symlinkSync(process.execPath, join(environment, "bin", "python3"));
  const search = new URL("../../dist/runtime/device/cuda/library-search.js", import.meta.url).href;
  const kernel = `const { wheels } = await import(${JSON.stringify(search)}); console.log(JSON.stringify(wheels()));`;
  // Stands for Jupyter: it starts a kernel and names itself.
  const jupyter = `const { spawnSync } = require("node:child_process");
    const env = { ...process.env, JPY_PARENT_PID: String(process.pid) };
    spawnSync(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(kernel)}], { env, stdio: "inherit" });`;
  const { stdout } = spawnSync("venv/bin/python3", ["-e", jupyter], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOME: folder },
  });
  expect(JSON.parse(stdout)).toContain(wheel);
});
