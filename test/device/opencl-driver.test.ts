// What docs/troubleshooting.md says of OpenCL's drivers and compiler, over a library that stands in for the loader: each error is
// named and comes with its remedy, and the other devices work on.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { buildFakeOpenCl } from "../support/fake-cuda.js";

const built = new URL("../../dist/", import.meta.url);
const place = mkdtempSync(join(tmpdir(), "jitlab-opencl-"));
const driver = join(place, "driver");
const tools = join(place, "tools");
mkdirSync(driver);
mkdirSync(tools);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A program that says that it is a clang of a version. */
function clangOf(version: number): string {
  const path = join(tools, `says-${version}`);
  writeFileSync(path, `#!/bin/sh\necho "Debian clang version ${version}.1.0"\n`);
  chmodSync(path, 0o755);
  return path;
}

interface Changes {
  readonly [name: string]: string;
}

/** The output of a program that finds its libOpenCL in a folder. */
function run(program: string, changes: Changes = {}, folder = driver): string {
  const own = {
    LD_LIBRARY_PATH: folder,
    JITLAB_DEVICE: "",
    JITLAB_CACHE_DIR: join(place, "cache"),
    HOME: place,
    JITLAB_CLANG: clangOf(22),
  };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, ...own, ...changes },
  });
  if (stdout === "") throw new Error(stderr);
  return stdout;
}

/** The row of `jl.devices()`, in a program in which the processor still computes. */
function listed(changes: Changes = {}, folder = driver) {
  const program = `import * as jl from "${new URL("runtime/index.js", built)}";
    console.log(JSON.stringify(jl.devices()));`;
  const rows = JSON.parse(run(program, changes, folder)) as {
    kind: string;
    name: string;
    available: boolean;
    reason: string;
    description: string;
  }[];
  expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["cpu", "wasm", "opencl"]));
  return rows.find(({ kind }) => kind === "opencl");
}

/** The message of the error of an action on the device. */
function failure(action: string, changes: Changes = {}): string {
  const program = `import { openclFamily } from "${new URL("runtime/device/opencl/index.js", built)}";
    const services = { build() {}, prepare() {}, unload() {} };
    // The head of a module, with the capabilities Addresses and Float64.
    const module = new Uint8Array(new Uint32Array([0x07230203, 0x10300, 0, 9, 0, 0x20011, 4, 0x20011, 10]).buffer);
    try { const device = openclFamily.open(0, services); ${action}; console.log("works"); }
    catch (error) { console.log(error.code, error.message); }`;
  return run(program, changes).trim();
}

test("a loader that cannot be loaded says how to install one", () => {
  const folder = join(place, "damaged");
  mkdirSync(folder);
  writeFileSync(join(folder, "libOpenCL.so.1"), "no library");
  const row = listed({}, folder);
  expect(row?.available).toBe(false);
  expect(row?.reason).toMatch(
    /^OpenCL's loader libOpenCL\.so\.1 cannot be loaded \(.*\)\. Install an OpenCL driver/,
  );
  expect(row?.reason).toContain("ocl-icd-libopencl1");
});

const compilerless = findCompiler().path === "" ? " (skipped: there is no C++ compiler)" : "";

describe.skipIf(compilerless !== "")(`over a stand-in${compilerless}`, () => {
  beforeAll(() => buildFakeOpenCl(driver));

  test("a device that works is listed with its driver and the compiler", () => {
    expect(listed()).toMatchObject({
      name: "opencl:0",
      available: true,
      description: `A device, Stand-in 1.0, ${clangOf(22)}`,
    });
  });

  test.each([
    ["none", "OpenCL's loader found no driver. Install an OpenCL driver"],
    [
      "empty",
      "OpenCL's drivers show no device. Drivers show a GPU to users who may open /dev/dri/renderD128: `sudo",
    ],
    ["no-spirv", "A device (driver 1.0) has no SPIR-V. Install a newer driver"],
    ["no-svm", "A device (driver 1.0) has no shared virtual memory. Install a newer driver"],
    ["abort", "An OpenCL driver ended the process that asked for its devices (signal SIGABRT)."],
    ["crash", "An OpenCL driver ended the process that asked for its devices (signal SIGABRT)."],
  ])("%s: the reason says so, and what to install", (mode, reason) => {
    const row = listed({ OCL_STAND_IN: mode });
    expect(row).toMatchObject({ name: "opencl", available: false });
    expect(row?.reason.startsWith(reason), row?.reason).toBe(true);
    const message = failure("", { OCL_STAND_IN: mode });
    expect(message).toMatch(/^(no-driver|no-device|driver-failed) /);
    expect(message.replace("\n", " ")).toContain(reason);
    if (message.startsWith("driver-failed"))
      expect(message).toMatch(
        /\nRemove it from \/etc\/OpenCL\/vendors, name a good one by OCL_ICD_VENDORS, .* or use the cpu device\.$/,
      );
  });

  test.each(["works", "none"])(
    "%s: drivers are asked once, by another process, and again after a change",
    (mode) => {
      const log = join(place, `asked-${mode}`);
      const changes = { OCL_STAND_IN: mode, OCL_STAND_IN_LOG: log };
      const asked = () => (existsSync(log) ? readFileSync(log, "utf8").split("asked").length - 1 : 0);
      listed(changes);
      expect(asked()).toBe(1);
      listed(changes);
      expect(asked()).toBe(1);
      listed({ ...changes, OCL_ICD_VENDORS: "/elsewhere" });
      expect(asked()).toBe(2);
    },
  );

  test.skipIf(process.getuid?.() !== 0)(
    "drivers are asked again when the user has joined a group (skipped: needs root)",
    () => {
      const log = join(place, "asked-groups");
      const program = (group: number) => `import * as jl from "${new URL("runtime/index.js", built)}";
      process.setgroups([${group}]);
      jl.devices(); console.log("listed");`;
      const asked = (group: number) => {
        run(program(group), { OCL_STAND_IN: "none", OCL_STAND_IN_LOG: log });
        return readFileSync(log, "utf8").split("asked").length - 1;
      };
      expect([asked(7), asked(7), asked(8)]).toEqual([1, 1, 2]);
    },
  );

  test("drivers are asked again when one outside of the usual folder has changed", () => {
    const log = join(place, "asked-elsewhere");
    const library = join(place, "driver.so");
    const folder = join(place, "vendors");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.icd"), library);
    const asked = (text: string, named: Changes) => {
      writeFileSync(library, text);
      listed({ ...named, OCL_STAND_IN_LOG: log });
      return readFileSync(log, "utf8").split("asked").length - 1;
    };
    const vendors = { OCL_ICD_VENDORS: folder };
    expect([asked("1", vendors), asked("22", vendors)]).toEqual([1, 2]);
    const files = { OCL_ICD_FILENAMES: `/nowhere.so:${library}` };
    expect([asked("333", files), asked("4444", files)]).toEqual([3, 4]);
  });

  test("a loader that is told where to look is named so when there is no driver", () => {
    const row = listed({ OCL_STAND_IN: "none", OCL_ICD_VENDORS: "/elsewhere" });
    expect(row?.reason).toMatch(/^OpenCL's loader found no driver \(OCL_ICD_VENDORS=\/elsewhere\)\. Install/);
  });

  test("the device that opens is the one that is listed, not one that failed when it was tried", () => {
    const half = { OCL_STAND_IN: "half" };
    expect(listed(half)?.description).toMatch(/^Another device, /);
    expect(failure("throw { code: 'opened', message: device.model }", half)).toMatch(
      /^opened Another device, /,
    );
  });

  test("importing the library and computing on the processor ask no driver", () => {
    const log = join(place, "unasked");
    const program = `import * as jl from "${new URL("runtime/index.js", built)}";
      jl.setDevice("cpu"); console.log(jl.tensor([1, 2]).tolist());`;
    expect(run(program, { OCL_STAND_IN_LOG: log })).toBe("[ 1, 2 ]\n");
    expect(existsSync(log)).toBe(false);
  });

  test("a clang that is too old, or none, says which one is needed", () => {
    expect(listed({ JITLAB_CLANG: clangOf(19) })?.reason).toMatch(
      /^JITLAB_CLANG is .*says-19, which is clang 19; OpenCL's kernels need clang 22 or newer, which writes SPIR-V\. Install one/,
    );
    expect(listed({ JITLAB_CLANG: "/nowhere/clang" })?.reason).toMatch(
      /^JITLAB_CLANG is "\/nowhere\/clang", which is no program\. Install one .*apt-get install clang-22/,
    );
    const without = { JITLAB_CLANG: "", PATH: tools };
    const none = /^No clang is on the PATH; OpenCL's kernels need clang 22/;
    expect(listed(without)?.reason).toMatch(none);
    const other = join(tools, "clang");
    writeFileSync(other, "#!/bin/sh\necho another program\n");
    chmodSync(other, 0o755);
    expect(listed(without)?.reason).toMatch(none);
    const old = join(tools, "clang-19");
    writeFileSync(old, "");
    chmodSync(old, 0o755);
    expect(listed(without)?.reason).toMatch(/^.*clang-19 is clang 19; OpenCL's kernels need clang 22/);
  });

  test("a kernel that the driver refuses comes with the driver's words and the user's text", () => {
    const message = failure('device.load(module, "twice", "float twice(float a)")', {
      OCL_STAND_IN: "refuse",
    });
    expect(message).toMatch(/^code-refused clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE\./);
    expect(message).toContain("did not take the kernel twice:\n\nfloat twice(float a)\n");
    expect(message).toContain("there is no such instruction\nCorrect the functor if");
  });

  test("a kernel that needs what the device lacks is refused before it runs", () => {
    const load = 'device.load(module, "add_float64")';
    expect(failure(load)).toBe("works");
    expect(failure(load, { OCL_STAND_IN: "small" })).toMatch(
      /^unsupported The device opencl:0 \(A device\) has no arithmetic in float64, which the kernel add_float64 needs\.\nUse float32.* In a functor in C\+\+ write T\(0\.5\)/,
    );
    expect(failure("device.load(new Uint8Array(8), 'none')")).toMatch(
      /^code-refused The compiled code is not SPIR-V/,
    );
  });

  test("a function that calls itself is refused, because drivers end the process", () => {
    // Function 1 calls 2, which calls 1.
    const words =
      "0x50036, 7, 1, 0, 8, 0x40039, 7, 3, 2, 0x10038, 0x50036, 7, 2, 0, 8, 0x40039, 7, 4, 1, 0x10038";
    const load = (list: string) =>
      `device.load(new Uint8Array(new Uint32Array([0x07230203, 0x10300, 0, 9, 0, ${list}]).buffer), "loops")`;
    expect(failure(load(words))).toMatch(/^unsupported A function of the kernel loops calls itself/);
    expect(failure(load(words.replace("4, 1,", "4, 5,")))).toBe("works");
  });

  test("a lost device is named with the kernel that was launched last", () => {
    const launch = `const code = device.load(module, "twice"); const block = device.createBlock(16);
      code.launch(block, { grid: [1, 1, 1], block: [256, 1, 1], sharedBytes: 0 }); device.synchronize()`;
    expect(failure(launch)).toBe("works");
    const message = failure(launch, { OCL_STAND_IN: "lost" });
    expect(message).toMatch(/^device-lost The work of the device failed: CL_EXEC_STATUS_ERROR/);
    expect(message).toContain("The kernel launched last was twice.\nA kernel failed");
  });

  test("memory beyond what the driver gives is refused with the sizes", () => {
    expect(failure("device.allocator.allocate(2 ** 29)")).toMatch(
      /^out-of-memory opencl:0 has no 536870912 bytes of memory left: .* gives at most 268435456 at once\.\nDispose/,
    );
    const copy = `const at = device.allocator.allocate(64), bytes = new Uint8Array([1, 2, 3]), back = new Uint8Array(3);
      device.write(at, bytes); device.read(at, back); device.allocator.free(at);
      if (back.join() !== "1,2,3") throw new Error(back.join())`;
    expect(failure(copy)).toBe("works");
  });

  test("small copies wait for nothing but themselves, and an idle device is not waited for", () => {
    const log = join(place, "waits");
    const work = `const at = device.allocator.allocate(2 ** 20), small = new Uint8Array(8), large = new Uint8Array(2 ** 17);
      device.synchronize(); device.write(at, small); device.read(at, small); device.synchronize();
      device.write(at, large);
      for (let i = 0; i < 9; i++) device.write(at, new Uint8Array(8192));
      device.read(at, large)`;
    expect(failure(work, { OCL_STAND_IN_LOG: log })).toBe("works");
    const lines = readFileSync(log, "utf8").trim().split("\n");
    // The ninth small copy finds no room beside the others.
    expect(lines.slice(lines.lastIndexOf("asked") + 1)).toEqual(["copied", "marked", "marked", "copied"]);
  });

  test("a number beyond the last device names the last", () => {
    const program = `import * as jl from "${new URL("runtime/index.js", built)}";
      try { jl.setDevice("opencl:3"); } catch (error) { console.log(error.message); }`;
    expect(run(program)).toBe(
      "There is no device opencl:3: the drivers show 1.\nThe last one is opencl:0.\n",
    );
  });
});
