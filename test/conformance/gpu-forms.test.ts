// Forms of functions that only a GPU computes, as this machine computes their text: those for half types for every number of both
// types, others for the points of test/data/accuracy. The GPU's approximate instructions are replaced by ones that err by what
// NVIDIA states, to either side.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import koffi from "koffi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorOf, pointsOf, readTable } from "../support/accuracy-table.js";
import { compiler, dtypes, ops, planOf, toArray } from "../support/functor-harness.js";
import { floorOf, type Half, halfError, halves, numbersOf } from "../support/half-error.js";

/** Units of the half type: what half a unit of rounding leaves to the arithmetic before it. */
const allowed = 0.01;
const folder = mkdtempSync(join(tmpdir(), "jitlab-gpu-forms-"));
const names = Object.keys(ops).filter((name) => ops[name]?.halves !== undefined);
const file = (name: string) =>
  readFileSync(new URL(`../../runtime/ops/functors/${name}.cuh`, import.meta.url), "utf8");

const instructions = `
#define JITLAB_UNROLL
#define __noinline__
typedef float F;
inline unsigned bits_of(F x) { unsigned u; __builtin_memcpy(&u, &x, 4); return u; }
inline F float_of(unsigned u) { F x; __builtin_memcpy(&x, &u, 4); return x; }
inline double float_of(unsigned long long u) { double x; __builtin_memcpy(&x, &u, 8); return x; }
inline unsigned long long bits_of(double x) { unsigned long long u; __builtin_memcpy(&u, &x, 8); return u; }
inline F fma(F x, F y, F z) { return __builtin_fmaf(x, y, z); }
inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline F fabs(F x) { return __builtin_fabsf(x); }
inline double fabs(double x) { return __builtin_fabs(x); }
inline F fmin(F x, F y) { return __builtin_fminf(x, y); }
inline double fmin(double x, double y) { return __builtin_fmin(x, y); }
inline F log(F x) { return __builtin_logf(x); }
inline double log(double x) { return __builtin_log(x); }
inline F rint(F x) { return __builtin_rintf(x); }
inline F copysign(F x, F y) { return __builtin_copysignf(x, y); }
inline double copysign(double x, double y) { return __builtin_copysign(x, y); }
inline bool isnan(F x) { return x != x; }
inline bool isnan(double x) { return x != x; }
inline double rint(double x) { return __builtin_rint(x); }
inline bool isinf(F x) { return __builtin_isinf(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
// Which way the approximate instructions err.
static double side;
inline F flushed(F x) { return fabs(x) < 1.17549435e-38f ? __builtin_copysignf(0.0f, x) : x; }
inline F rough_exp2(F x) { return flushed(F(__builtin_exp2(double(flushed(x))) * (1 + side * 0x1p-22))); }
inline F rough_reciprocal(F x) { return flushed(F(1 / double(flushed(x)) * (1 + side * 0x1p-23))); }
// Of a double the upper half of the bits.
inline double rough_reciprocal(double x) { return float_of(bits_of(1 / x * (1 + side * 0x1p-19)) >> 32 << 32); }
inline F rough_log2(F x) {
  const double y = __builtin_log2(double(x));
  return F(x > 0.5f && x < 2.0f ? y + side * 0x1p-22 : y * (1 + side * 0x1p-22));
}
`;
// Nothing here calls the rest of CUDA's library. A large angle goes to the functions of floats, for which those of the C library stand here.
const floats = `
template <typename T> T erf(T);
template <typename T> T erfc(T);
template <typename T> T erfcx(T);
template <typename T> T normcdf(T);
namespace jl {
inline bool is_small_angle(F x) { return fabs(x) < 70000.0f; }
inline F sin(F x) { return __builtin_sinf(x); }
inline F cos(F x) { return __builtin_cosf(x); }
inline F tan(F x) { return __builtin_tanf(x); }
}
`;
/** The others, with the bounds of their errors. */
const others = [
  ["gelu", "float32", 6],
  ["gelu", "float64", 7],
  ["logit", "float32", 1],
  ["logit", "float64", 1],
  ["lgamma", "float32", 1],
  ["lgamma", "float64", 1],
  ["digamma", "float32", 1],
  ["digamma", "float64", 1],
] as const;

function formOf(name: string, half: Half): string {
  const plan = planOf(ops[name] as (typeof ops)[string], dtypes[half]);
  return "refuse" in plan ? "" : (plan.halves as string);
}

function sourceOf(): string {
  const loops = names.flatMap((name) =>
    halves.map(
      (half) => `extern "C" void ${name}_${half}(const F* in, F* out, double error) {
  side = error;
  for (int i = 0; i < 65536; ++i) { const F a = in[i]; out[i] = ${formOf(name, half)}; }
}`,
    ),
  );
  const points = others.map(([name, width]) => {
    const { ctype } = dtypes[width];
    return `extern "C" void ${name}_${width}(const ${ctype}* in, ${ctype}* out, int n, double error) {
  side = error;
  for (int i = 0; i < n; ++i) out[i] = jl::${name}(in[i]);
}`;
  });
  const texts = (
    "numeric precise-log precise-circular precise-exp reciprocal.cuda log-sum.cuda error-function.cuda logit.cuda " +
    "lgamma lgamma-quick.cuda digamma digamma-quick.cuda halves.cuda"
  )
    .split(" ")
    .map(file);
  return [instructions, floats, ...texts, ...loops, ...points].join("\n");
}

let library: ReturnType<typeof koffi.load>;

describe.skipIf(!compiler)("forms of a GPU (needs a C++ compiler)", () => {
  beforeAll(() => {
    const [source, path] = [join(folder, "forms.cpp"), join(folder, "forms.so")];
    writeFileSync(source, sourceOf());
    const flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC", "-w"];
    execFileSync(compiler as string, [...flags, source, "-o", path]);
    library = koffi.load(path);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(halves.flatMap((half) => names.map((name) => [name, half] as const)))(
    "%s of %s",
    (name, half) => {
      const values = numbersOf(half);
      const compute = library.func(`${name}_${half}`, "void", ["const void*", "void*", "double"]);
      const exact = Array.from(values, (x) => Number(ops[name]?.reference(x)));
      let [worst, at] = [0, 0];
      for (const side of [-1, 0, 1]) {
        const out = new Float32Array(values.length);
        compute(values, out, side);
        for (const [i, x] of values.entries()) {
          const error = halfError(half, x, out[i] as number, exact[i] as number, floorOf(name));
          if (!(error <= worst)) [worst, at] = [error, x];
        }
      }
      expect(worst, `at ${at}`).toBeLessThan(allowed);
    },
  );

  test.each(others)("%s of %s", (name, width, bound) => {
    const compute = library.func(`${name}_${width}`, "void", ["const void*", "void*", "int", "double"]);
    const table = readTable(`${name}.json`);
    const points = pointsOf(table, width, ops[name] as (typeof ops)[string]);
    const values = toArray(
      dtypes[width],
      points.map(({ args }) => args[0] as number),
    );
    for (const side of [-1, 0, 1]) {
      const out = new dtypes[width].array(points.length);
      compute(values, out, points.length, side);
      const errors = points.map((point, i) => errorOf(Number(out[i]), point, width, table.floor));
      expect(Math.max(...errors)).toBeLessThan(bound);
    }
  });

  test("those for half types are of sixteen functions", () =>
    expect(names.length).toBeGreaterThanOrEqual(16));
});
