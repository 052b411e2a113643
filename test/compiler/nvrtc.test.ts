import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CompileError } from "../../dist/runtime/base/errors.js";
import { parseLog } from "../../dist/runtime/compiler/log.js";
import { CompilePool } from "../../dist/runtime/compiler/pool.js";
import { compile } from "../../dist/runtime/compiler/service.js";
import { argumentBytes } from "../../dist/runtime/device/cuda/argument-bytes.js";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import { cudaTarget } from "../../dist/runtime/device/cuda/nvrtc.js";
import { fetchCode } from "../../dist/runtime/launch/obtain.js";

// NVRTC needs no GPU: `pip install nvidia-cuda-nvrtc` in the active virtual environment, or a CUDA toolkit, is enough.
const found = findNvrtc();
const why = found
  ? ""
  : " (skipped: no libnvrtc in CUDA_HOME, /usr/local/cuda*, VIRTUAL_ENV or python3's wheels)";
if (!found) console.warn(`NVRTC's tests do not run${why}`);

const axpy = `
extern "C" __global__ void axpy(float *out, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + out[i];
}
`;

function requestFor(arch: string, source = axpy, symbol = "axpy") {
  return { source, symbol, op: symbol, variant: "contiguous", dtypes: ["float32"], target: cudaTarget(arch) };
}

const elf = (binary: Uint8Array) => Buffer.from(binary.subarray(0, 4)).toString("latin1") === "\x7fELF";

describe.skipIf(!found)(`NVRTC${why}`, () => {
  test.each(["sm_75", "sm_90", "sm_100"])("gives machine code and PTX of one compile for %s", (arch) => {
    const first = fetchCode(requestFor(arch));
    expect(elf(first.binary)).toBe(true);
    expect(first.assembly).toContain(`.target ${arch}`);
    expect(first.assembly).toContain(".visible .entry axpy(");
    const second = fetchCode(requestFor(arch));
    expect(second.origin).toBe("disk");
    expect(second.assembly).toBe(first.assembly);
    expect(second.key).toBe(first.key);
  });

  test("a*b+c stays two operations unless the functor opts in", () => {
    const request = requestFor("sm_90");
    expect(fetchCode(request).assembly).not.toMatch(/fma\.rn/);
    const fused = fetchCode({ ...request, fma: true });
    expect(fused.assembly).toMatch(/fma\.rn\.f32/);
    expect(fused.key).not.toBe(fetchCode(request).key);
  });

  test("an architecture newer than it knows gets PTX, which the driver compiles", () => {
    const { binary, assembly } = fetchCode(requestFor("sm_999"));
    expect(elf(binary)).toBe(false);
    expect(Buffer.from(binary).toString()).toContain(".target sm_");
    expect(assembly).toContain(".entry axpy(");
  });

  test("an architecture that it gave up is refused with those it knows", () => {
    expect(() => fetchCode(requestFor("sm_20"))).toThrow(/no longer compiles for sm_20; it knows sm_\d+/);
    expect(() => cudaTarget("gpu")).toThrow(/"gpu" is not a GPU architecture/);
  });

  test("a refusal names lines and columns of the functor's own text", () => {
    const { target } = requestFor("sm_90");
    const source =
      '#line 1 "In[3]"\ntemplate <typename T> T f(T x) {\n  return y * x;\n}\n#line 1 "kernel"\n' +
      'extern "C" __global__ void k(float *p) { p[0] = f(p[0]); }\n';
    let error: unknown;
    try {
      compile(target.compiler, { source, flags: target.flags, name: "f" });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(CompileError);
    const [first] = parseLog((error as CompileError).log);
    expect(first).toEqual({
      file: "In[3]",
      line: 2,
      column: 10,
      severity: "error",
      message: 'identifier "y" is undefined',
    });
  });

  test("several texts at once in one thread give the code of each alone, also deeply nested ones", () => {
    const { compiler, flags } = cudaTarget("sm_90");
    const sources = [1, 2, 3, 4, 5, 6].map((depth) => {
      const nested = `${"(".repeat(depth * 300)}x[0]${" + 1)".repeat(depth * 300)}`;
      return `extern "C" __global__ void k(float *x) { x[0] = ${nested}; }`;
    });
    const request = (source: string) => ({ source, flags, name: "k" });
    const pool = new CompilePool(compiler.textsAtOnce + 1, compiler.textsAtOnce, compiler.further);
    for (const [id, source] of sources.entries()) pool.submit(id, compiler, request(source));
    const outcomes = sources.map(() => pool.next()).sort((a, b) => a.id - b.id);
    for (const [id, source] of sources.entries())
      expect(outcomes[id]).toMatchObject({
        id,
        compiled: { binary: compile(compiler, request(source)).binary },
      });
    pool.submit(9, compiler, request("no code"));
    expect(pool.next()).toMatchObject({ id: 9, error: { code: "compile-failed" } });
  });

  test("functors may print, and use the mathematics of CUDA without a header", () => {
    const source = `extern "C" __global__ void k(float *x) {
      if (threadIdx.x == 0) printf("%f\\n", x[0]);
      x[1] = erfcinvf(x[0]) + rsqrt(x[2]) + isnan(x[3]) + pow(x[4], 2);
    }`;
    expect(fetchCode(requestFor("sm_90", source, "k")).assembly).toContain("vprintf");
  });
});

test.each([
  ["sm_90", 13000, "13.0", 32764],
  ["sm_70", 12010, "12.1", 32764],
  ["sm_61", 12010, "12.1", 4096],
  ["sm_90", 12000, "12.1", 4096],
  ["sm_90", 13000, "12.0", 4096],
  ["sm_90", 13000, undefined, 4096],
])(
  "on %s, with a driver of %i and NVRTC %s, a launch has %i bytes of arguments",
  (arch, driver, nvrtc, bytes) => {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-nvrtc-"));
    if (nvrtc) writeFileSync(join(folder, `libnvrtc-builtins.so.${nvrtc}`), "");
    expect(argumentBytes(arch, driver, () => join(folder, "libnvrtc.so.13"))).toBe(bytes);
    rmSync(folder, { recursive: true });
  },
);
