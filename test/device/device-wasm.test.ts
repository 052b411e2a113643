import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import type { LaunchConfig } from "../../dist/runtime/device/loaded-code.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice, listDevices, targetOf } from "../../dist/runtime/launch/devices.js";
import { obtain } from "../../dist/runtime/launch/obtain.js";

const device = getDevice("wasm");

function load(name: string, element: string, globals = "") {
  const source = `
${globals}
template <typename T> struct alignas(8) pointer { T *address; };
struct Args { pointer<float> out, in; };
extern "C" void ${name}(const void *args, long long begin, long long end) {
  const Args &a = *(const Args *)args;
  float *o = a.out.address, *x = a.in.address;
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
  return obtain(request, device).code;
}

/** A launch over elements, one by one. */
const over = (count: number): LaunchConfig => ({ grid: [count, 1, 1], block: [1, 1, 1], sharedBytes: 0 });

function floats(values: ArrayLike<number>) {
  const pointer = device.allocator.allocate(values.length * 4);
  device.write(pointer, new Uint8Array(Float32Array.from(values).buffer));
  const read = () => {
    const back = new Float32Array(values.length);
    device.read(pointer, new Uint8Array(back.buffer));
    return back;
  };
  return { pointer, read };
}

function blockOf(out: number, input: number) {
  const block = device.createBlock(16);
  block.u32[0] = out;
  block.u32[2] = input;
  return block;
}

describe("the wasm device", () => {
  test("runs a kernel on one element, on counts around the inline limit, and on many", () => {
    const code = load("plus_one", "x[i] + 1");
    for (const count of [0, 1, 63, 2048, 2049, 4160, 100_003, 5_000_001]) {
      const x = floats(Float32Array.from({ length: count + 1 }, (_, i) => i % 1000));
      const out = floats(new Float32Array(count + 1).fill(-7));
      code.launch(blockOf(out.pointer, x.pointer), over(count));
      const values = out.read();
      let wrong = 0;
      for (let i = 0; i < count; i++) if (values[i] !== (i % 1000) + 1) wrong++;
      expect({ count, wrong, beyond: values[count] }).toEqual({ count, wrong: 0, beyond: -7 });
      device.allocator.free(x.pointer);
      device.allocator.free(out.pointer);
    }
  });

  test("spreads a heavy kernel over threads, each element once", () => {
    const code = load(
      "heavy",
      "({ double s = x[i]; for (int k = 0; k < 2000; k++) s = s * 0.5 + 1; o[i] + (float)(s > 0); })",
    );
    const count = 20_011;
    const x = floats(new Float32Array(count).fill(1));
    const out = floats(new Float32Array(count));
    const block = blockOf(out.pointer, x.pointer);
    for (let launch = 1; launch <= 5; launch++) {
      code.launch(block, over(count));
      expect(out.read().every((value) => value === launch)).toBe(true);
    }
  });

  test("kernels whose constants lie at the same addresses do not disturb each other", () => {
    const table = (first: number) =>
      `static const float table[64] = { ${Array.from({ length: 64 }, (_, i) => `${first + i}.0f`)} };`;
    const programs = [1000, 2000, 3000].map((first) => ({
      first,
      code: load(`table_${first}`, "table[(int)x[i]]", table(first)),
    }));
    const count = 100_000;
    const x = floats(Float32Array.from({ length: count }, (_, i) => i % 64));
    const out = floats(new Float32Array(count));
    const block = blockOf(out.pointer, x.pointer);
    for (const { first, code } of [...programs, ...programs]) {
      code.launch(block, over(count));
      expect(out.read().every((value, i) => value === first + (i % 64))).toBe(true);
    }
  });

  test("gives freed memory away again, neighbours joined, and says how much there is", () => {
    const before = device.memory();
    const shares = Array.from({ length: 10 }, () => device.allocator.allocate(1_000_000));
    expect(new Set(shares).size).toBe(10);
    expect(before.free - device.memory().free).toBe(10 * Math.ceil(1_000_000 / 64) * 64);
    for (const i of [3, 5, 4, 9, 0, 1, 2, 8, 6, 7]) device.allocator.free(shares[i] as number);
    expect(device.memory()).toEqual(before);
    const whole = device.allocator.allocate(9_000_000);
    expect(whole).toBe(Math.min(...shares));
    device.allocator.free(whole);
  });

  test("copies to, from and within its memory", () => {
    const { pointer, read } = floats([1, 2, 3, 4, 5, 6, 7, 8]);
    device.copy(pointer + 4, pointer, 16);
    expect([...read()]).toEqual([1, 1, 2, 3, 4, 6, 7, 8]);
  });

  test("an allocation beyond the four gigabytes names the sizes", () => {
    expect(() => device.allocator.allocate(2 ** 33)).toThrow(
      /^The device wasm has no 8589934592 contiguous bytes of memory left: \d+ of WebAssembly.s 4286578688 are free, .* the system has \d+\./,
    );
    expect(() => jl.empty([2 ** 31], { device: "wasm" })).toThrow(
      /^The device wasm has no memory for 8\.0 GiB: .* of 4\.0 GiB are free/,
    );
    expect(jl.ones([3], { device: "wasm" }).toArray()).toEqual([1, 1, 1]);
  });

  // Where the system has less, large requests are refused before that.
  test.skipIf(process.availableMemory() < 2 ** 33)(
    "reaches the last of the four gigabytes (needs eight)",
    () => {
      const { free } = device.memory();
      const bytes = free - 2 ** 28;
      const pointer = device.allocator.allocate(bytes);
      const end = Uint8Array.of(1, 2, 3, 4);
      device.write(pointer + bytes - 4, end);
      const back = new Uint8Array(4);
      device.read(pointer + bytes - 4, back);
      expect([...back]).toEqual([1, 2, 3, 4]);
      expect(() => device.allocator.allocate(2 ** 29)).toThrow(/no 536870912 contiguous bytes/);
      device.allocator.free(pointer);
    },
  );

  test("refuses code that is no module, and a function that is not in it", () => {
    expect(() => device.load(new Uint8Array(100), "f")).toThrow(/did not load/);
    const none = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    expect(() => device.load(none, "f")).toThrow(/no function f/);
  });

  test("a text that is too much for the compiler is a compile error, and the next one compiles", () => {
    const x = jl.ones([4], { device: "wasm" });
    const deep = `${"(".repeat(3000)}x${")".repeat(3000)}`;
    expect(() => jl.jit(`template <typename T> T f(T x) { return ${deep}; }`)(x)).toThrow(
      /The embedded clang crashed on the kernel: memory access out of bounds/,
    );
    expect(jl.jit("template <typename T> T g(T x) { return x * 3; }")(x).toArray()).toEqual([3, 3, 3, 3]);
  });

  test("shows the assembly of a kernel that was compiled without it, again from the cache", () => {
    const x = jl.ones([4], { device: "wasm" });
    x.add(x);
    for (let reading = 0; reading < 2; reading++) {
      const [kernel] = jl.explain(jl.add, x, x);
      expect(kernel?.cached).toBe(true);
      expect(kernel?.ptx).toMatch(/^add_float32_float32_float32_contiguous:[\s\S]*\n\tf32x4\.add/m);
    }
  });

  test("is listed, and its target needs no device", () => {
    expect(listDevices().find(({ name }) => name === "wasm")).toMatchObject({
      name: "wasm",
      available: true,
      kind: "wasm",
    });
    expect(targetOf("wasm").flags).toContain("-ffp-contract=off");
    expect(() => targetOf("wasm", "sm_90")).toThrow(/compiles for wasm32, not for "sm_90"/);
    expect(() => getDevice("wasm:1")).toThrow(/one wasm device/);
  });

  test("without its package says how to get it", () => {
    const program = `
      import * as jl from ${JSON.stringify(fileURLToPath(new URL("../../dist/runtime/index.js", import.meta.url)))};
      try { jl.ones([1], { device: "wasm" }).add(1); } catch (error) { console.log(error.code, error.message); }`;
    const hidden = fileURLToPath(new URL("../support/no-clang.cjs", import.meta.url));
    const { stdout } = spawnSync(
      process.execPath,
      ["--require", hidden, "--input-type=module", "--eval", program],
      { encoding: "utf8" },
    );
    expect(stdout).toMatch(
      /^no-compiler The package @yowasp\/clang is not installed\.\n`npm install @yowasp\/clang`/,
    );
  });

  test.each([
    ["template <typename T> T neighbour(T x) { return __shfl_xor_sync(~0u, x, 1); }", "`__shfl_xor_sync`"],
    ["float quick(float x) { return __expf(x); }", "`__expf`"],
    ["int counted(int x) { return atomicAdd(&x, __popc(threadIdx.x)); }", "`threadIdx`"],
    [
      'float rounded(float x) { float y; asm("cvt.rni.f32.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }',
      "`asm`",
    ],
  ])("names what only CUDA has, and the device: %s", (source, names) => {
    const f = jl.jit(source);
    const input = jl.ones([2], { device: "wasm", dtype: source.includes("int x") ? "int32" : "float32" });
    expect(() => f(input)).toThrow(
      new RegExp(
        `\\nCUDA alone has ${names.replace(/[`]/g, "\\$&")}.*: such a functor runs on the device cuda only\\.$`,
      ),
    );
  });
});

describe.skipIf(findCompiler().path === "")("the wasm device beside the cpu (needs a C++ compiler)", () => {
  const bits = (values: ArrayLike<number>) => Float32Array.from(values);
  /** The same bits, except that a NaN is as good as another. */
  const differences = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a, (value, i) => [value, b[i]]).filter(([x, y]) => !Object.is(x, y));

  test("fma rounds once: any bits, subnormal results, ties and cancellation", () => {
    const fused = jl.jit("template <typename T> T fused(T x, T y, T z) { return fma(x, y, z); }");
    const count = 200_000;
    let state = 2463534242;
    const next = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    };
    const random = (word: (bits: number) => number) =>
      new Float32Array(Uint32Array.from({ length: count }, () => word(next())).buffer);
    const nearOne = (word: number) => (word & 0x807fffff) | ((120 + ((word >>> 24) % 14)) << 23);
    const small = (word: number) => (word & 0x80000000) | ((word & 0x7fffff) >>> (word % 23));
    const [x, y] = [random(nearOne), random(nearOne)];
    const product = (i: number) => (x[i] as number) * (y[i] as number);
    const sets = [
      [random((word) => word), random((word) => word), random((word) => word)],
      [random(nearOne), random(nearOne), random(small)],
      [x, y, bits(x.map((_, i) => -Math.fround(product(i))))],
      [x, y, bits(x.map((_, i) => product(i) * 2 ** (22 + (i % 5))))],
      [x.map((value) => value * 2 ** -60), y.map((value) => value * 2 ** -66), random(small)],
    ];
    for (const set of sets) {
      const [cpu, wasm] = ["cpu", "wasm"].map((device) =>
        fused(...set.map((values) => jl.tensor(values, { device }))).data(),
      ) as [Float32Array, Float32Array];
      expect(differences(cpu, wasm).slice(0, 3)).toEqual([]);
    }
  });

  test("functors' sine, cosine and tangent are right to half a unit for floats of any size", () => {
    const words = Uint32Array.from({ length: 100_000 }, (_, i) => Math.imul(i, 2654435761) & 0xff7fffff);
    const values = new Float32Array(words.buffer).filter(Number.isFinite);
    for (const name of ["sin", "cos", "tan"] as const) {
      const f = jl.jit(`float wave(float x) { return ${name}(x); }`);
      const results = f(jl.tensor(values, { device: "wasm" })).data() as Float32Array;
      const worst = values.reduce((most, x, i) => {
        const exact = Math[name](x);
        const unit = 2 ** Math.max(-149, Math.floor(Math.log2(Math.abs(exact))) - 23);
        return exact === 0 ? most : Math.max(most, Math.abs((results[i] as number) - exact) / unit);
      }, 0);
      expect(worst, name).toBeLessThan(0.51);
    }
  });

  test("random bits and uniforms are the same", () => {
    const drawn = (device: string) => {
      jl.manualSeed(7);
      return [jl.rand([1001], { device }), jl.randint(0, 1000, [1001], { device })].map((t) => [...t.data()]);
    };
    expect(drawn("wasm")).toEqual(drawn("cpu"));
  });
});
