import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { allocate, memoryStats } from "../../dist/runtime/device/memory.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice, listDevices } from "../../dist/runtime/launch/devices.js";
import { fetchCode, obtain } from "../../dist/runtime/launch/obtain.js";
import { buildFakeCuda } from "../support/fake-cuda.js";

const support = join(import.meta.dirname, "..", "support");
const folder = mkdtempSync(join(tmpdir(), "jitlab-cuda-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compiler = findCompiler();

describe.skipIf(compiler.path === "" || findNvrtc() === undefined)(
  "calls into libcuda, with a libcuda that has no GPU (needs a C++ compiler and NVRTC)",
  () => {
    test("reach it as its prototypes say, and its answers and errors come back", () => {
      buildFakeCuda(folder);
      const said = JSON.parse(
        execFileSync(process.execPath, [join(support, "fake-cuda-process.mjs")], {
          // A kernel from a cache that others filled would take memory of its own.
          env: {
            ...process.env,
            LD_LIBRARY_PATH: folder,
            JITLAB_DEVICE: "",
            JITLAB_CACHE_DIR: join(folder, "cache"),
          },
          encoding: "utf8",
        }),
      );
      expect(said.devices[0]).toMatchObject({
        ...{ name: "cuda:0", description: "Fake GPU, sm_90", available: true },
      });
      expect(said).toMatchObject({
        name: "cuda:0",
        same: true,
        arch: "sm_90",
        memory: { free: 2 ** 26, total: 2 ** 26 },
        result: [96, 97, 98, 99, -1],
        ms: 0.5,
        copied: [1, 1, 2, 4],
        // Of the host's memory, which a kernel wrote.
        cleared: 0,
        word: 1,
        full: { code: "out-of-memory" },
        filled: { code: "out-of-memory" },
        afterwards: 2 ** 25,
        reclaimed: true,
        foreignImage: { code: "code-refused" },
        missing: {},
        resources: {
          registers: 40,
          sharedBytes: 1536,
          localBytes: 48,
          occupancy: { threads: 1536, of: 2048 },
        },
        secondDevice: { code: "no-device" },
        lost: { code: "device-lost" },
      });
      expect(said.full.message).toMatch(/cuda:0 has no memory for 1\.0 TiB: .* of 64\.0 MiB are free/);
      expect(said.foreignImage.message).toMatch(/cuModuleLoadData failed: CUDA_ERROR_INVALID_IMAGE/);
      expect(said.lost.message).toMatch(
        /CUDA_ERROR_ILLEGAL_ADDRESS \(an illegal memory access .*reads_wildly/,
      );
    });

    test("two GPUs reach each other's memory, once, before the first copy between them", () => {
      buildFakeCuda(folder);
      const log = join(folder, "peers");
      const copied = (changes: Record<string, string>) =>
        JSON.parse(
          execFileSync(process.execPath, [join(support, "fake-peers-process.mjs")], {
            env: {
              ...process.env,
              ...{ LD_LIBRARY_PATH: folder, JITLAB_DEVICE: "", JITLAB_CACHE_DIR: join(folder, "cache") },
              ...{ FAKE_CUDA_DEVICES: "2", ...changes },
            },
            encoding: "utf8",
          }),
        );
      const elements = [1, 2, 3, 4, 5, 6, 7, 8];
      expect(copied({ FAKE_CUDA_PEERS: log })).toEqual([
        "Fake GPU, sm_90, linked to cuda:1",
        true,
        elements,
        elements,
      ]);
      expect(readFileSync(log, "utf8")).toBe("0 reaches 1\n1 reaches 0\n");
      // GPUs without a link.
      expect(copied({})).toEqual(["Fake GPU, sm_90", true, elements, elements]);
    });
  },
);

const gpu = listDevices().find((info) => info.kind === "cuda");
const why = gpu?.available ? "" : ` (skipped: ${gpu?.reason ?? "no cuda device"})`;

describe.skipIf(!gpu?.available)(`an NVIDIA GPU${why}`, () => {
  // Opened by each test, because the body of a skipped suite runs too.
  const device = () => getDevice("cuda:0");

  function plusOne(count: number) {
    const symbol = "plus_one";
    const source = `extern "C" __global__ void plus_one(float *out, const float *x, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + 1;
}\n`;
    const request = {
      source,
      symbol,
      op: symbol,
      variant: "contiguous",
      dtypes: ["float32"],
      target: device().target,
    };
    const { code } = obtain(request, device());
    const x = allocate(device(), count * 4);
    const out = allocate(device(), count * 4);
    const block = device().createBlock(24);
    block.i64.set([BigInt(out.pointer), BigInt(x.pointer), BigInt(count)]);
    return { code, x, out, block };
  }

  test("tells of a kernel what its compiled code tells, and its occupancy", () => {
    const { target } = device();
    const symbol = "shares";
    const source = `extern "C" __global__ void __launch_bounds__(256) shares(float *out, const float *x) {
  __shared__ float all[512];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = all[255 - threadIdx.x];
}\n`;
    const { binary } = fetchCode({ source, symbol, op: symbol, variant: "contiguous", dtypes: [], target });
    const { occupancy, ...needs } = device().resources?.(binary, symbol) ?? {};
    expect(needs).toEqual(target.resources?.(binary, symbol));
    expect(needs).toMatchObject({ sharedBytes: 2048, localBytes: 0 });
    expect(occupancy?.of).toBeGreaterThanOrEqual(1024);
    expect(occupancy?.threads).toBe(occupancy?.of);
    expect(jl.explain(jl.add, { device: "cuda:0" })[0]?.resources?.occupancy?.of).toBe(occupancy?.of);
  });

  test("runs a kernel and gives its device time", () => {
    const count = 1_000_003;
    const { code, x, out, block } = plusOne(count);
    const values = Float32Array.from({ length: count }, (_, i) => i);
    device().write(x.pointer, new Uint8Array(values.buffer));
    const before = device().mark();
    code.launch(block, { grid: [Math.ceil(count / 256), 1, 1], block: [256, 1, 1], sharedBytes: 0 });
    const after = device().mark();
    const result = new Float32Array(count);
    device().read(out.pointer, new Uint8Array(result.buffer));
    expect(result.every((value, i) => value === i + 1)).toBe(true);
    expect(after.since(before)).toBeGreaterThan(0);
    before.release();
    after.release();
  });

  test("a synchronous loop uses a hundred times the device's memory, and a tensor that is reachable keeps its values", () => {
    const kept = jl.arange(1000, { device: "cuda:0" });
    const count = Math.floor(device().memory().total / 40);
    for (let i = 0; i < 1000; i++) {
      const x = jl.full([count], i, { device: "cuda:0" });
      if (i % 100 === 0) expect(x.at(count - 1).item()).toBe(i);
    }
    expect(memoryStats(device())[0]?.reclaimed).toBeGreaterThan(900);
    expect(kept.sum().item()).toBe(499_500n);
  });

  test("a device without enough memory says the sizes, and the next allocation works", () => {
    expect(() => allocate(device(), 2 ** 45)).toThrow(/cuda:0 has no memory for 32\.0 TiB/);
    expect(allocate(device(), 2 ** 20).pointer).toBeGreaterThan(0);
  });

  test("code that is no code is refused", () => {
    const load = () => device().load(new Uint8Array(4096), "f");
    expect(load).toThrow(/cuModuleLoadData failed: CUDA_ERROR/);
  });
});

const second = listDevices().find((info) => info.name === "cuda:1");

describe.skipIf(!second?.available)("two NVIDIA GPUs (skipped where there are fewer)", () => {
  test("each has its own tensors, and loads what was compiled once", () => {
    const x = jl.arange(1000, { dtype: "float32", device: "cuda:0" });
    const y = jl.arange(1000, { dtype: "float32", device: "cuda:1" });
    const compiled = () => jl.cache.status().process.compiled;
    const first = x.mul(3).at(-1).item();
    const before = compiled();
    expect(y.mul(3).at(-1).item()).toBe(first);
    expect(compiled()).toBe(before);
    expect(y.mul(3).device.name).toBe("cuda:1");
  });

  test("tensors are copied between them, after what was queued on either", () => {
    const count = 2 ** 24;
    for (let round = 1; round <= 5; round++) {
      const x = jl.full([count], round, { device: "cuda:0" });
      const moved = x.mul(2).to("cuda:1");
      const back = moved.add(1).to("cuda:0");
      expect(moved.device.name).toBe("cuda:1");
      expect(back.data().every((value) => value === 2 * round + 1)).toBe(true);
    }
    const strided = jl.arange(12, { device: "cuda:1" }).reshape(3, 4).T;
    expect(strided.to("cuda:0").toArray()).toEqual(strided.toArray());
    expect(jl.zeros([0, 3], { device: "cuda:1" }).to("cuda:0").shape).toEqual([0, 3]);
  });

  test("mixing them is refused, and both go on", () => {
    const x = jl.ones([2], { device: "cuda:0" });
    const y = jl.ones([2], { device: "cuda:1" });
    expect(() => x.add(y)).toThrow(/cuda:0.*cuda:1/);
    expect(x.add(y.to("cuda:0")).toArray()).toEqual([2, 2]);
    expect(y.add(x.to("cuda:1")).toArray()).toEqual([2, 2]);
  });

  test("graphs are of one device each", () => {
    const x = jl.ones([2], { device: "cuda:0" });
    const y = jl.ones([2], { device: "cuda:1" });
    const steps = [jl.graph(() => x.mul_(2)), jl.graph(() => y.mul_(3))];
    for (let i = 0; i < 3; i++) for (const step of steps) step();
    expect([x.toArray(), y.toArray()]).toEqual([
      [8, 8],
      [27, 27],
    ]);
  });
});
