// jl.rawKernel: parsed declarations, the arguments and errors of calls, and on a GPU the kernels' results.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import * as jl from "../../dist/runtime/index.js";
import { rawDeclarationOf, rawKernelNames } from "../../dist/runtime/raw/declaration.js";
import { buildFakeCuda } from "../support/fake-cuda.js";
import * as texts from "../support/raw-kernels.js";
import { refusal } from "../support/refusal.js";

const { histogram, parameters, stencil, together, transpose, wild } = texts;

const support = join(import.meta.dirname, "..", "support");
const folder = mkdtempSync(join(tmpdir(), "jitlab-raw-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a declaration is read through comments, attributes, templates, namespaces and C's ways of writing types", () => {
  const text = `
// __global__ void comment(int)
#define X(a) \\
  __global__ void macro(a) {}
__constant__ float weights[9];
static __constant__ unsigned table[2][3] = {{1}};
extern "C" __global__ void __launch_bounds__(256, 2) plain(const float* __restrict__ x, float *y, Point p, bool f,
  const unsigned short u, char* const* names, float z[3], const int, void*) { }
template <typename T, int N = 3, typename Q = Foo<int>> __global__ void made(T const* x, T* y, unsigned long long n) { }
__global__ void only_declared(int a);
namespace ns { __global__ void __maxnreg__(32) inside() {} }
`;
  expect(rawKernelNames(text)).toEqual(["plain", "made", "inside"]);
  const shown = (name: string) => {
    const { parameters, template, constants } = rawDeclarationOf(text, name);
    const list = parameters.map(
      ({ name, type, pointer, constant }) =>
        `${constant ? "reads " : ""}${type}${pointer ? "*" : ""} ${name}`,
    );
    return { list, template: template.map(({ name, value }) => `${name}=${value}`), constants };
  };
  expect(shown("plain")).toEqual({
    list: [
      "reads float* x",
      "float* y",
      "Point p",
      "bool f",
      "unsigned short u",
      "reads char** names",
      "float* z",
      "int argument 8",
      "void* argument 9",
    ],
    template: [],
    constants: ["weights", "table"],
  });
  expect(shown("made")).toMatchObject({
    list: ["reads T* x", "T* y", "unsigned long long n"],
    template: ["T=undefined", "N=3", "Q=Foo<int>"],
  });
  expect(shown("ns::inside").list).toEqual([]);
});

test("what is not such a kernel is refused when it is made, and a cpu's tensor before the launch", () => {
  const x = jl.ones([4], { device: "cpu" });
  const scale = "__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }";
  const said = [
    () => jl.rawKernel(scale, "scal"),
    () => jl.rawKernel("float twice(float x) { return x + x; }", "twice"),
    () => jl.rawKernel("__global__ void f(int a) {", "f"),
    () => jl.rawKernel(transpose, "transpose"),
    () => jl.rawKernel(transpose, "transpose", { templates: ["float", 32, 8] }),
    () => jl.rawKernel(scale, "scale", { templates: ["float"] }),
    () => jl.rawKernel(scale, "scale", { flags: "-DX" as never }),
    () => jl.rawKernel(3 as never, "scale"),
    () => jl.rawKernel(scale, "scale")({ elements: 4 }, x, 2),
    () => jl.rawKernel(scale, "scale")({ elements: 4 }, x),
    () => jl.explain(jl.rawKernel(scale, "scale"), { device: "cpu" }),
  ];
  expect(said.map(refusal).join("\n")).toMatchInlineSnapshot(`
    "bad-raw-kernel: The text defines no kernel "scal".
    Did you mean "scale"? Its kernels are scale.
    bad-raw-kernel: The text defines no kernel "twice".
    A kernel is a function with __global__: __global__ void twice(float* x, int n) { ... }
    bad-raw-kernel: The { of line 1 is never closed.
    Write each brace with its partner.
    bad-raw-kernel: transpose is a template over T, TILE, but templates are [].
    Pass them in order, as in C++: { templates: ["float", 16] }.
    bad-raw-kernel: transpose is a template over T, TILE, but templates are ["float", "32", "8"].
    Pass them in order, as in C++: { templates: ["float", 16] }.
    bad-raw-kernel: scale is not a template, but templates are ["float"].
    Leave templates out.
    bad-argument: rawKernel: flags is "-DX".
    Pass a list of strings.
    bad-argument: rawKernel: the kernel's text is 3, not text.
    Pass a string.
    raw-kernel-device: scale is a CUDA kernel, but x is on cpu.
    Move it with x.to("cuda"). Functors of jl.jit run on every device.
    argument-count: scale takes 2 arguments (x, by), but got 1.
    They come after the launch, in the order of the declaration.
    raw-kernel-device: scale is a CUDA kernel, and has no code for cpu.
    Request its code for cuda. Functors of jl.jit run on every device."
  `);
});

test("the examples of the documentation are the kernels that are tested here", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "raw-kernels.md"), "utf8");
  for (const text of [transpose, histogram, stencil]) expect(page).toContain(text.trim());
});

const compiler = findCompiler();

describe.skipIf(compiler.path === "" || findNvrtc() === undefined)(
  "over a libcuda that has no GPU (needs a C++ compiler and NVRTC)",
  () => {
    const log = join(folder, "launches");
    let said: Record<string, unknown> = {};
    beforeAll(() => {
      buildFakeCuda(folder);
      const environment = {
        LD_LIBRARY_PATH: folder,
        FAKE_CUDA_LOG: log,
        JITLAB_DEVICE: "",
        FAKE_CUDA_DEVICES: "2",
      };
      const output = execFileSync(
        process.execPath,
        [join(support, "raw-kernel-process.mjs"), JSON.stringify(texts)],
        {
          env: { ...process.env, ...environment, JITLAB_CACHE_DIR: join(folder, "cache") },
          encoding: "utf8",
        },
      );
      said = JSON.parse(output);
    }, 120_000);

    test("a launch has the grid, the shared memory and the bytes that C would pass", () => {
      const lines = readFileSync(log, "utf8").trimEnd().split("\n");
      const launches = lines.map((line) => {
        const [how, symbol, grid, block, shared, bytes = ""] = line.split(" ");
        return { how, symbol, grid, block, shared, bytes };
      });
      const of = (symbol: RegExp) => launches.filter((one) => symbol.test(one.symbol ?? ""));
      expect(of(/transpose/)[0]).toMatchObject({
        ...{
          how: "launch",
          symbol: "_Z9transposeIfLi32EEvPKT_PS0_ii",
          grid: "2,2,1",
          block: "32,8,1",
          shared: "0",
        },
        bytes: expect.stringMatching(/^[0-9a-f]{32}3000000040000000$/),
      });
      expect(of(/histogram/).map(({ grid, block, shared }) => [grid, block, shared])).toEqual([
        ["4,1,1", "256,1,1", "1024"],
        ["8,1,1", "128,1,1", "100000"],
      ]);
      expect(of(/histogram/)[0]?.bytes).toMatch(/^[0-9a-f]{32}e80300000000000000010000$/);
      expect(of(/together/)).toMatchObject([{ how: "together", grid: "8,1,1" }]);
      const [full, other] = of(/parameters/).map(({ bytes }) => Buffer.from(bytes, "hex"));
      const at = (offset: number, hex: string, from = full) =>
        expect(from?.subarray(offset, offset + hex.length / 2).toString("hex")).toBe(hex);
      expect(full?.length).toBe(68);
      at(0, "01"); // bool
      at(16, "ff"); // char
      at(24, "000000000000f83ff9ffffff000003"); // struct Point
      at(40, "ffff"); // unsigned short
      at(44, "0000003f"); // real, a float
      at(48, "0000000000000080"); // long long
      at(64, "ffffffff"); // unsigned
      at(0, "00", other);
      at(8, "0000000000000000", other); // null
    });

    test("recordings, timings and compiled functions know them", () => {
      expect(said).toMatchObject({
        recorded: [{ op: "transpose", variant: "<float, 32>", dtypes: ["float32", "float32"], bytes: 24576 }],
        timings: [{ origin: "compiled", launches: 2 }],
        compiled: [64, 48],
        resources: { registers: 40, occupancy: { threads: 1536, of: 2048 } },
      });
      // In a compiled function what it reads is computed before it, and what reads its result after it.
      const names = readFileSync(log, "utf8").matchAll(/^launch (_Z9transpose|add|mul)/gm);
      expect([...names].map(([, name]) => name).slice(-3)).toEqual(["add", "_Z9transpose", "mul"]);
    });

    test("wrong arguments and launches are refused before the launch", () => {
      const { recorded, timings, compiled, resources, ...refusals } = said;
      const lines = Object.entries(refusals).map(([what, text]) => `${what}: ${text}`);
      expect(lines.join("\n")).toMatchInlineSnapshot(`
        "few arguments: argument-count: transpose takes 4 arguments (in, out, rows, columns), but got 3.
        They come after the launch, in the order of the declaration.
        no tensor: bad-argument: transpose: in is 3, but the kernel declares it const float*.
        Pass a float32 tensor.
        an array: bad-argument: transpose: in is [1], but the kernel declares it const float*.
        Pass a float32 tensor.
        other dtype: bad-argument: transpose: in is a float64 tensor, but the kernel declares it const float*.
        Convert it with .to("float32").
        host tensor: raw-kernel-device: transpose is a CUDA kernel, but in is on cpu.
        Move it with x.to("cuda"). Functors of jl.jit run on every device.
        both on the host: raw-kernel-device: transpose is a CUDA kernel, but in is on cpu.
        Move it with x.to("cuda"). Functors of jl.jit run on every device.
        two GPUs: mixed-devices: transpose: in is on cuda:0 and out on cuda:1.
        Move one of them, for example with x.to("cuda:0").
        strided: bad-argument: transpose: in is not contiguous: its shape is [64, 48], its strides are [1, 64].
        Pass its copy, x.contiguous().
        strided output: bad-argument: transpose: out is not contiguous: its shape is [48, 64], its strides are [1, 48].
        Let the kernel write a contiguous tensor, and copy that with x.copy_(y).
        fraction: bad-argument: transpose: rows is 48.5, but the kernel declares it int.
        Pass an integer.
        boolean for int: bad-argument: transpose: rows is true, but the kernel declares it int.
        Pass an integer.
        too large: scalar-overflow: transpose: rows is 2147483648, which does not fit into int.
        It holds -2147483648 to 2147483647.
        negative size: scalar-overflow: histogram: n is -1, which does not fit into size_t.
        It holds 0 to 18446744073709551615.
        beyond 64 bits: scalar-overflow: histogram: n is 18446744073709551616n, which does not fit into size_t.
        It holds 0 to 18446744073709551615.
        number for bool: bad-argument: parameters: yes is 1, but the kernel declares it bool.
        Pass true or false.
        float too large: scalar-overflow: parameters: factor is 1e+39, which does not fit into real.
        It holds numbers up to 3.4e38.
        struct too small: bad-argument: parameters: point has 12 bytes, but the kernel declares it Point, of 16 bytes.
        Pass a typed array of 16 bytes.
        struct a number: bad-argument: parameters: point is 5, but the kernel declares it Point, of 16 bytes.
        Pass a typed array of 16 bytes.
        no launch: bad-launch: transpose: the launch is an object of Tensor.
        Pass a grid or a number of elements: transpose({ grid: 4, block: 256 }, ...) or transpose({ elements: n }, ...).
        no block: bad-launch: transpose: block is undefined.
        It is a number or up to three, such as { grid: [8, 8], block: [16, 16] }.
        grid of zero: bad-launch: transpose: grid.y is 0.
        It is at least 1 and at most 65535.
        grid too tall: bad-launch: transpose: grid.y is 65536.
        It is at least 1 and at most 65535.
        block too deep: bad-launch: transpose: block.z is 65.
        It is at least 1 and at most 64.
        block of too many: bad-launch: transpose: a block of 64 x 32 x 1 has 2048 threads, but the kernel takes 1024.
        Use smaller blocks and more of them.
        more than the kernel takes: bad-launch: transpose: a block of 32 x 16 x 1 has 512 threads, but the kernel takes 256.
        Use smaller blocks and more of them.
        fraction of a block: bad-launch: transpose: block is 1.5.
        It is a number or up to three, such as { grid: [8, 8], block: [16, 16] }.
        misspelt: bad-launch: transpose: a launch has no "gird".
        Did you mean "grid"? It takes grid, block, shared, cooperative, elements.
        grid and elements: bad-launch: transpose: the launch has both grid and elements.
        Pass one of them.
        negative elements: bad-launch: transpose: elements is -1.
        It is the number of threads that work.
        shared: bad-launch: histogram: shared is -1.
        It is a number of bytes.
        too much shared: bad-launch: histogram: 300000 bytes of shared memory are requested, but a block on cuda:0 has 230912 beyond the declared ones.
        Use smaller tiles.
        too many at once: bad-launch: together: a block of 1024 x 1 x 1 has 1024 threads, but the kernel takes 256.
        Use smaller blocks and more of them.
        unknown constant: bad-argument: stencil: the text has no variable "nowhere".
        Its constant memory is weights.
        constant of another size: bad-argument: stencil: weights has 36 bytes, but got 32.
        Pass a typed array of its size.
        constant of no array: bad-argument: stencil: the values of weights are [1].
        Pass a typed array of the variable's size."
      `);
    });
  },
);

const hasGpu = jl.devices().some(({ kind, available }) => kind === "cuda" && available);

describe.skipIf(!hasGpu)("on a GPU (needs a GPU)", () => {
  const cuda = { device: "cuda" } as const;

  test.each(["float32", "float64"] as const)("a matrix of %s is transposed through tiles", (dtype) => {
    const type = dtype === "float32" ? "float" : "double";
    const flip = jl.rawKernel(transpose, "transpose", { templates: [type, 32] });
    for (const [rows, columns] of [
      [1, 1],
      [33, 70],
      [1024, 500],
    ] as const) {
      const x = jl.rand([rows, columns], { dtype, ...cuda });
      const y = jl.empty([columns, rows], { dtype, ...cuda });
      flip({ grid: [Math.ceil(columns / 32), Math.ceil(rows / 32)], block: [32, 8] }, x, y, rows, columns);
      expect(y.data()).toEqual(x.T.contiguous().data());
    }
  });

  test("a histogram counts in shared memory, also above 48 KiB", () => {
    const count = jl.rawKernel(histogram, "histogram");
    const host = Uint8Array.from({ length: 100_003 }, (_, i) => (i * i) % 251);
    const x = jl.tensor(host, cuda);
    const expected = new Int32Array(256);
    for (const value of host) expected[value] = (expected[value] ?? 0) + 1;
    for (const shared of [1024, 100_000]) {
      const counts = jl.zeros([256], { dtype: "int32", ...cuda });
      count({ grid: 20, block: 256, shared }, x, counts, x.size, 256);
      expect(counts.data()).toEqual(expected);
    }
    expect(refusal(() => count({ grid: 1, block: 32, shared: 300_000 }, x, null, 1, 256))).toMatch(
      /^bad-launch/,
    );
  });

  test("a stencil reads its halo and the weights in constant memory, which are each kernel's own", () => {
    const [height, width] = [50, 37];
    const x = jl.rand([height, width], cuda);
    const host = x.toArray() as number[][];
    const blurred = (weights: Float32Array) =>
      host.map((row, y) =>
        row.map((_, at) => {
          let sum = 0;
          for (let j = 0; j < 3; j++)
            for (let i = 0; i < 3; i++)
              sum += (weights[j * 3 + i] ?? 0) * (host[y + j - 1]?.[at + i - 1] ?? 0);
          return sum;
        }),
      );
    const launch = { grid: [Math.ceil(width / 16), Math.ceil(height / 16)], block: [16, 16] } as const;
    const kernels = [new Float32Array(9).fill(1 / 9), Float32Array.of(0, 1, 0, 1, -4, 1, 0, 1, 0)].map(
      (weights) => {
        const run = jl.rawKernel(stencil, "stencil");
        run.setConstant("weights", weights);
        return { run, weights };
      },
    );
    for (const { run, weights } of [...kernels, ...kernels]) {
      const out = jl.zeros([height, width], cuda);
      run(launch, x, out, height, width);
      const worst = out
        .sub(jl.tensor(blurred(weights), cuda))
        .abs()
        .max()
        .item() as number;
      expect(worst).toBeLessThan(1e-5);
    }
  });

  test("blocks that wait for each other run together, and too many of them are refused", () => {
    const all = jl.rawKernel(together, "together");
    const counters = () =>
      [jl.zeros([1], { dtype: "int32", ...cuda }), jl.zeros([1], { dtype: "int32", ...cuda })] as const;
    const blocks = 64;
    const out = jl.zeros([blocks], { dtype: "int32", ...cuda });
    all({ grid: blocks, block: 32, cooperative: true }, ...counters(), out);
    expect(out.eq(blocks).all().item()).toBe(true);
    expect(refusal(() => all({ grid: 1e6, block: 32, cooperative: true }, ...counters(), out))).toMatch(
      /1000000 blocks must run at the same time, but cuda:0 runs at most \d+/,
    );
  });

  test("every kind of argument arrives", () => {
    const every = jl.rawKernel(parameters, "shapes::parameters");
    const point = new DataView(new ArrayBuffer(16));
    point.setFloat64(0, 1.5, true);
    point.setInt32(8, -7, true);
    point.setInt8(14, 3);
    const out = jl.zeros([10], { dtype: "float64", ...cuda });
    const list = jl.tensor(Int16Array.of(1, -2), cuda);
    every({ grid: 1, block: 1 }, true, out, -1, point, 65535, 0.5, -(2n ** 53n), list, 2 ** 32 - 1);
    expect(out.toArray()).toEqual([1, -1, 1.5, -7, 3, 65535, 0.5, -(2 ** 53), -2, 2 ** 32 - 1]);
    const none = jl.rawKernel("__global__ void none() {}", "none");
    none({ grid: 1, block: 1 });
    jl.synchronize("cuda");
  });

  test("a graph replays them, recordings time them, compiled functions keep their order, resources have an occupancy", () => {
    const flip = jl.rawKernel(transpose, "transpose", { templates: ["float", 32] });
    const launch = { grid: [2, 2], block: [32, 8] } as const;
    const x = jl.rand([64, 64], cuda);
    const y = jl.zeros([64, 64], cuda);
    const step = jl.graph(() => flip(launch, x, y, 64, 64));
    x.copy_(jl.rand([64, 64], cuda));
    step();
    expect(y.data()).toEqual(x.T.contiguous().data());
    const { launches } = jl.record(() => flip(launch, x, y, 64, 64), { device: true });
    expect(launches).toMatchObject([
      { op: "transpose", variant: "<float, 32>", deviceUs: expect.any(Number) },
    ]);
    const program = jl.compile((a: jl.Tensor) => {
      const b = a.add(1);
      flip(launch, b, y, 64, 64);
      return y.mul(2);
    });
    expect(program(x).data()).toEqual(x.add(1).T.mul(2).contiguous().data());
    const { occupancy, sharedBytes } = flip.resources({ threads: 256 }) as jl.KernelResources;
    expect(sharedBytes).toBe(32 * 33 * 4);
    expect(occupancy?.threads).toBeGreaterThan(255);
  });

  test("a wild access is named where JITLAB_SYNC=1 waits after each launch", () => {
    const script = `
      import * as jl from ${JSON.stringify(join(import.meta.dirname, "..", "../dist/runtime/index.js"))};
      const x = jl.ones([4], { device: "cuda" });
      const wild = jl.rawKernel(${JSON.stringify(wild)}, "wild");
      try { wild({ grid: 1, block: 32 }, x, 8n); console.log("nothing was thrown"); } catch (error) { console.log(error.code, error.message); }
    `;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, JITLAB_SYNC: "1", JITLAB_DEVICE: "" },
      encoding: "utf8",
    });
    expect(output).toMatch(/^device-lost .*CUDA_ERROR_ILLEGAL_ADDRESS/);
    expect(output).toContain("The kernel launched last was _Z4wildPfx");
    expect(output).toContain("out[0] = *(float*)(far + 4 * threadIdx.x);");
  });
});
