// Keys contain a compiler's content, not its path: a copy elsewhere finds the same kernels, another compiler does not.
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { fingerprintOf } from "../../dist/runtime/base/fingerprint.js";
import { findCompiler, hostTarget } from "../../dist/runtime/device/cpu/toolchain.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import { fetchCode, keyOf } from "../../dist/runtime/launch/obtain.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-identity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const before = { CXX: process.env.CXX, CUDA_HOME: process.env.CUDA_HOME };
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

function written(name: string, bytes: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes, { mode: 0o755 });
  return path;
}

describe("a fingerprint", () => {
  test.each([0, 1, 5000, 200_000])(
    "of %i bytes is the same wherever and whenever they were written",
    (size) => {
      const bytes = Buffer.alloc(size, "compiler");
      const one = written("one", bytes);
      const other = written("other", bytes);
      utimesSync(other, 1, 1);
      expect(fingerprintOf(other)).toBe(fingerprintOf(one));
    },
  );

  test.each([
    [5000, 0],
    [5000, 4999],
    [1_000_000, 0],
    [1_000_000, 999_999],
  ])("of %i bytes differs where byte %i does", (size, at) => {
    const bytes = Buffer.alloc(size, "compiler");
    const one = fingerprintOf(written("one", bytes));
    bytes[at] = 1;
    expect(fingerprintOf(written("one", bytes))).not.toBe(one);
    expect(fingerprintOf(written("one", bytes.subarray(1)))).not.toBe(one);
  });
});

const compiler = findCompiler();

describe.skipIf(compiler.path === "" || before.CXX !== undefined)(
  "the C++ compiler (needs one, and CXX unset)",
  () => {
    const request = () => ({
      source: `extern "C" int two() { return 2; } // ${folder}`,
      symbol: "two",
      op: "two",
      variant: "",
      dtypes: [],
      target: hostTarget(),
    });

    test("has the keys of its copy in another place, and finds its kernels", () => {
      const here = request();
      const first = fetchCode(here);
      process.env.CXX = join(folder, "c++");
      copyFileSync(compiler.path, process.env.CXX);
      const there = request();
      expect(there.target.compiler.path).not.toBe(here.target.compiler.path);
      expect(keyOf(there)).toBe(keyOf(here));
      expect([first.origin, fetchCode(there).origin]).toEqual(["compiled", "disk"]);
    });

    test("has other keys behind a launcher, and behind another launcher", () => {
      const plain = keyOf(request());
      const launcher = written("launcher", '#!/bin/sh\nexec "$@"\n');
      process.env.CXX = `${launcher} ${compiler.path}`;
      const launched = keyOf(request());
      written("launcher", '#!/bin/sh\nnice "$@"\n');
      expect(new Set([plain, launched, keyOf(request())]).size).toBe(3);
    });
  },
);

const nvrtc = findNvrtc();

describe.skipIf(!nvrtc)("NVRTC (needs libnvrtc)", () => {
  test("has the keys of its copy in another place", () => {
    const path = nvrtc?.path ?? "";
    const identity = cudaTarget("sm_90").compiler.identity;
    const place = join(folder, "cuda", "lib64");
    mkdirSync(place, { recursive: true });
    try {
      linkSync(path, join(place, basename(path)));
    } catch {
      copyFileSync(path, join(place, basename(path))); // on another file system
    }
    symlinkSync(basename(path), join(place, "libnvrtc.so.1"));
    process.env.CUDA_HOME = join(folder, "cuda");
    const copied = cudaTarget("sm_90").compiler;
    expect(copied.path).not.toBe(path);
    expect(copied.identity).toBe(identity);
  });
});
