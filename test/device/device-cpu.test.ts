import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findCompiler, hostTarget } from "../../dist/runtime/device/cpu/toolchain.js";
import { ffi } from "../../dist/runtime/device/ffi.js";
import type { LaunchConfig } from "../../dist/runtime/device/loaded-code.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice, listDevices, targetOf } from "../../dist/runtime/launch/devices.js";
import { obtain } from "../../dist/runtime/launch/obtain.js";

const device = getDevice("cpu");

/** A launch over elements, one by one. */
const over = (count: number): LaunchConfig => ({ grid: [count, 1, 1], block: [1, 1, 1], sharedBytes: 0 });

function load(name: string, element: string, pointers = 3) {
  const source = `
struct Args { float *p[${pointers}]; };
extern "C" void ${name}(const void *args, long long begin, long long end) {
  const Args &a = *(const Args *)args;
  float *o = a.p[0], *x = a.p[1];
  for (long long i = begin; i < end; i++) o[i] = ${element};
}`;
  const request = {
    source,
    symbol: name,
    op: name,
    variant: "contiguous",
    dtypes: ["float32"],
    target: device.target,
  };
  return obtain(request, device);
}

function floats(count: number) {
  const pointer = device.allocator.allocate(count * 4);
  const view = device.hostView(pointer, count * 4);
  if (!view) throw new Error("the cpu shares the host's memory");
  return { pointer, values: new Float32Array(view) };
}

describe("the cpu device", () => {
  test("runs a kernel on one element, on counts around the inline limit, and on many", () => {
    const { code } = load("plus_one", "x[i] + 1");
    for (const count of [0, 1, 63, 2048, 2049, 4160, 100_003, 5_000_001]) {
      const [x, out] = [floats(count + 1), floats(count + 1)];
      for (let i = 0; i < count; i++) x.values[i] = i % 1000;
      out.values[count] = -7;
      const block = device.createBlock(24);
      block.i64[0] = BigInt(out.pointer);
      block.i64[1] = BigInt(x.pointer);
      code.launch(block, over(count));
      let wrong = 0;
      for (let i = 0; i < count; i++) if (out.values[i] !== (i % 1000) + 1) wrong++;
      expect({ count, wrong, beyond: out.values[count] }).toEqual({ count, wrong: 0, beyond: -7 });
      device.allocator.free(x.pointer);
      device.allocator.free(out.pointer);
    }
  });

  test("spreads a heavy kernel over threads, each element once", () => {
    const { code } = load(
      "heavy",
      "({ double s = x[i]; for (int k = 0; k < 2000; k++) s = s * 0.5 + 1; o[i] + (float)(s > 0); })",
    );
    const count = 20_011;
    const [x, out] = [floats(count), floats(count)];
    out.values.fill(0);
    x.values.fill(1);
    const block = device.createBlock(24);
    block.i64[0] = BigInt(out.pointer);
    block.i64[1] = BigInt(x.pointer);
    for (let launch = 1; launch <= 5; launch++) {
      code.launch(block, over(count));
      expect(out.values.every((value) => value === launch)).toBe(true);
    }
  });

  test("threads may begin within a row of strided elements", () => {
    const [rows, columns] = [1001, 1003];
    const pairs = jl.arange(2 * rows * columns, { device: "cpu" }).view(rows, columns, 2);
    const [every, row] = [pairs.select(2, 0), jl.arange(columns, { device: "cpu" })];
    const want = every.contiguous().add(row.expand([rows, columns]).contiguous());
    expect(every.add(row).ne(want).any().item()).toBe(false);
  });

  test("copies to, from and within its memory", () => {
    const { pointer, values } = floats(8);
    device.write(pointer, new Uint8Array(new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer));
    expect([...values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    device.copy(pointer + 4, pointer, 16);
    const back = new Float32Array(8);
    device.read(pointer, new Uint8Array(back.buffer));
    expect([...back]).toEqual([1, 1, 2, 3, 4, 6, 7, 8]);
  });

  test("refuses code that is no shared object, and a function that is not in it", () => {
    expect(() => device.load(new Uint8Array(100), "f")).toThrow(/did not open/);
  });

  test("an allocation beyond the address space names its size", () => {
    expect(() => device.allocator.allocate(2 ** 52)).toThrow(/no 4503599627370496 bytes/);
  });

  test("without a compiler says where it looked and how to install one", () => {
    const { CXX, PATH } = process.env;
    try {
      process.env.CXX = "/nowhere/g++ -m64";
      expect(() => hostTarget()).toThrow(
        /^CXX is "\/nowhere\/g\+\+ -m64", which is not an executable program\.\nInstall one/,
      );
      process.env.CXX = "ccache c++";
      process.env.PATH = "/nowhere";
      expect(findCompiler().reason).toMatch(/CXX is "ccache c\+\+"/);
      delete process.env.CXX;
      expect(() => hostTarget()).toThrow(/^No C\+\+ compiler \(c\+\+, g\+\+, clang\+\+\) is on the PATH\./);
      expect(listDevices().find((info) => info.kind === "cpu")).toMatchObject({ available: false });
    } finally {
      if (CXX === undefined) delete process.env.CXX;
      else process.env.CXX = CXX;
      process.env.PATH = PATH;
    }
  });

  test("Clang gets no flag of which it warns, by whatever name it is called", () => {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-clang-"));
    const { CXX } = process.env;
    try {
      writeFileSync(join(folder, "clang++-19"), "#!/bin/sh\n", { mode: 0o755 });
      symlinkSync("clang++-19", join(folder, "c++"));
      const flagsOf = (path: string) => {
        process.env.CXX = path;
        return hostTarget().flags;
      };
      expect(flagsOf("c++")).toContain("-fprefetch-loop-arrays");
      expect(flagsOf(join(folder, "c++"))).not.toContain("-fprefetch-loop-arrays");
      expect(flagsOf(`env ${join(folder, "c++")}`)).not.toContain("-fprefetch-loop-arrays");
    } finally {
      if (CXX === undefined) delete process.env.CXX;
      else process.env.CXX = CXX;
      rmSync(folder, { recursive: true });
    }
  });

  test("is listed, and its target needs no device", () => {
    expect(listDevices().find((info) => info.name === "cpu")).toMatchObject({ available: true, kind: "cpu" });
    expect(targetOf("cpu").flags).toContain("-ffp-contract=off");
    expect(() => targetOf("cpu", "sm_90")).toThrow(/not for "sm_90"/);
    expect(() => getDevice("cpu:3")).toThrow(/one cpu device/);
    expect(() => getDevice("gpu")).toThrow(/An NVIDIA GPU is "cuda"/);
    expect(() => getDevice("GPU:1")).toThrow(/An NVIDIA GPU is "cuda:1"/);
    expect(() => getDevice("xpu:0")).toThrow(/An Intel GPU is "opencl:0"/);
    expect(() => getDevice("rocm")).toThrow(/An AMD GPU is "opencl"/);
    expect(() => getDevice("cpi")).toThrow(/Did you mean "cpu"/);
  });
});

test("native calls have room for the recursion of OpenBLAS's factorizations", () => {
  expect(ffi().config().sync_stack_size).toBe(2 ** 24);
});
