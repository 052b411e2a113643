// %roofline: the arithmetic of kernels' machine code, and what bounds a launch.
import { describe, expect, test } from "vitest";
import { arithmeticOf } from "../../dist/magics/child/arithmetic.js";
import { makeMagicRuntime } from "../../dist/magics/child/magic-runtime.js";
import { rooflineFigure } from "../../dist/magics/child/roofline.js";
import { palette } from "../../dist/magics/render/figure.js";
import { figureText } from "../../dist/magics/render/figure-text.js";
import * as jl from "../../dist/runtime/index.js";
import { FakeHost } from "../support/magic-host.js";

jl.setDevice("cpu");

function arithmetic(call: () => unknown) {
  const recording = jl.startRecording();
  call();
  const launch = recording.stop().launches.at(-1);
  const { linked, arch } = jl.explainKey(launch?.key ?? "") as jl.Explanation;
  return arithmeticOf(linked.assembly.lines, arch);
}

const x = jl.arange(4096, { dtype: "float32" }).div(4096);
const hasX86 = process.arch === "x64";

/** A loop also reads what an operand is that is one number. */
function expectNear(found: number | undefined, wanted: number): void {
  expect(found).toBeGreaterThan(0.9 * wanted);
  expect(found).toBeLessThan(1.1 * wanted);
}

test.runIf(hasX86)("the operations for each byte are those of the functor", () => {
  const product = arithmetic(() => x.add(1).mul(x));
  expect(product).toMatchObject({ precision: "float32", isLeast: false });
  expectNear(product?.perByte, 1 / 12);
  const polynomial = jl.jit(`template <typename T> T polynomial(T x) {
    return fma(fma(fma(x, x, T(3)), x, T(2)), x, T(1));
  }`);
  expectNear(arithmetic(() => polynomial(x))?.perByte, 6 / 8);
  const double = arithmetic(() => polynomial(x.to("float64")));
  expect(double?.precision).toBe("float64");
  expectNear(double?.perByte, 6 / 16);
  const fused = jl.compile((a: jl.Tensor, b: jl.Tensor) => a.mul(b).add(a).mul(b));
  expectNear(arithmetic(() => fused(x, x.add(2)))?.perByte, 3 / 12);
  expect(arithmetic(() => jl.arange(4096, { dtype: "int32" }).add(1))).toMatchObject({ perByte: 0 });
});

test.runIf(hasX86)("a loop of unknown length gives a lower bound", () => {
  const iterated = jl.jit(`template <typename T> T iterated(T x, T rounds) {
    for (T i = 0; i < rounds; i += 1) x = fma(x, x, T(0.25));
    return x;
  }`);
  expect(arithmetic(() => iterated(x, 5))).toMatchObject({ isLeast: true });
});

test("SASS: halves count twice, conversions and constants not, a jump back is a loop", () => {
  const lines = [
    "/*0000*/       HFMA2 R9, -RZ, RZ, 0, 0 ;",
    ".L_x_1:",
    "/*0010*/       LDG.E.128 R4, desc[UR4][R2.64] ;",
    "/*0020*/       HADD2.F32 R0, -RZ, R4.H0_H0 ;",
    "/*0030*/   @P0 FFMA R5, R4, R4, R5 ;",
    "/*0040*/       HFMA2 R6, R4, R4, R5 ;",
    "/*0050*/       MUFU.EX2 R7, R6 ;",
    "/*0060*/       STG.E.U16 desc[UR4][R2.64], R6 ;",
    "/*0070*/   @P1 BRA `(.L_x_1) ;",
    "/*0080*/       FADD R5, R5, R6 ;",
    ".L_x_2:",
    "/*0090*/       BRA `(.L_x_2);",
  ];
  expect(arithmeticOf(lines, "sm_90")).toEqual({
    perByte: 6 / 18,
    precision: "float16",
    isLeast: false,
    isMost: false,
  });
  const skipped = [
    ...lines.slice(1, 5),
    "/*0034*/   @P2 BRA `(.L_x_3) ;",
    "/*0038*/ FMUL R5, R5, R5 ;",
    ".L_x_3:",
    ...lines.slice(7),
  ];
  expect(arithmeticOf(skipped, "sm_90")).toMatchObject({ perByte: 3 / 18, isMost: true });
  expect(arithmeticOf(["\tfadd\ts0, s0, s1"], "aarch64")).toBeUndefined();
});

test("x86-64: registers that are kept below the frame are no data", () => {
  const lines = [
    "\tmovq\t%rsp, %rbp",
    "\tpushq\t%rbx",
    ".L4:",
    "\tvmovups\t(%rbx,%rax), %ymm0",
    "\tvfmadd132ps\t%ymm0, %ymm3, %ymm0",
    "\tvmovups\t%ymm0, (%rdi,%rax)",
    "\tjne\t.L4",
    ".L3:",
    "\tmovq\t-8(%rbp), %rbx",
    "\tret",
    ".L8:",
    "\tjmp\t.L3",
  ];
  expect(arithmeticOf(lines, "x86-64")?.perByte).toBe(16 / 64);
});

test("WebAssembly: the loop over memory counts, not what is before it", () => {
  const lines = [
    "\ti32.load\t16",
    "\tloop    \t                                # label3:",
    "\tv128.load\t0:p2align=2",
    "\tf32x4.mul",
    "\tv128.store\t0:p2align=2",
    "\tbr_if   \t0                               # 0: up to label3",
  ];
  expect(arithmeticOf(lines, "wasm32")).toEqual({
    perByte: 4 / 32,
    precision: "float32",
    isLeast: false,
    isMost: false,
  });
});

test("a call, a cell and the session are dots under the device's roofs", async () => {
  const host = new FakeHost();
  const magic = makeMagicRuntime(host, jl);
  magic.roofline({ plot: true });
  expect(host.text()).toContain("No launch was measured yet");
  const large = jl.arange(2 ** 20, { dtype: "float32" });
  magic.roofline({ plot: true }, () => large.mul(large));
  await host.cell(() => {
    magic.begin("roofline", { plot: false });
    large.add(1).sum();
  });
  host.shown = [];
  magic.roofline({ plot: true });
  const text = host.text();
  expect(text).toMatch(/^4 kernels on cpu: copies reach [\d.]+ GB\/s/);
  for (const op of ["mul", "add", "sum"])
    expect(text).toMatch(
      new RegExp(`^${op} .*(?:too small to say|(?:memory|cache|arithmetic), \\d+ %)`, "m"),
    );
  expect(text).toContain("Roofline of cpu");
  expect(() => magic.roofline({ plot: true }, () => undefined)).toThrow("launched no kernel");
});

describe("the picture", () => {
  const roof = {
    ...{ device: "cuda:0", memory: 4e12, cache: 9e12 },
    arithmetic: new Map([
      ["float32", 5e13],
      ["float64", 2.5e13],
    ]),
  };
  /** A launch with a number of operations for each byte, and a share of the memory's speed. */
  const dot = (op: string, perByte: number, share: number): any => ({
    launch: { op, key: op, dtypes: ["float32"], variant: "contiguous", device: "cuda:0", bytes: 4e9 },
    count: 1,
    seconds: 4e9 / (roof.memory * share),
    arithmetic: { perByte, precision: "float32", isLeast: false, isMost: false },
  });
  const dots = [
    ...[dot("add", 0.125, 0.9), dot("exp", 40, 0.25), dot("cached", 1, 1.8), dot("small", 1, 0.02)],
    dot("gather", 0, 0.5),
  ];
  const series = (rooflineFigure(roof, dots) as any).panels[0].series as any[];
  const points = series.filter(({ marks }) => marks === "points");

  test("each dot has 9 pixels, its name, and the color of what bounds it", () => {
    expect(points.map(({ labels, color, radii }) => [labels, color, radii])).toEqual([
      [["add float32", "gather float32"], palette.launch, [4.5, 4.5]],
      [["cached float32"], palette.warm, [4.5]],
      [["exp float32"], palette.compile, [4.5]],
      [["small float32"], palette.lookup, [4.5]],
    ]);
    expect(points.at(-1).name).toBe("too small to say");
  });

  test("both roofs of memory, those of arithmetic, and the sides that they bound", () => {
    const lines = series.filter(({ marks }) => marks === "line" || marks === "dashes");
    expect(lines.map(({ name, color, marks }) => [name, color, marks])).toEqual([
      ["memory, 4 TB/s", palette.launch, "line"],
      ["cache, 9 TB/s", palette.warm, "dashes"],
      ["arithmetic, 50 TFLOP/s float32", palette.compile, "line"],
      ["arithmetic, 25 TFLOP/s float64", palette.compile, "dashes"],
    ]);
    const areas = series.filter(({ marks }) => marks === "area");
    expect(areas.map(({ color, labels }) => [color, labels])).toEqual([
      [palette.launch, ["memory bounds here"]],
      [palette.compile, ["arithmetic bounds here"]],
    ]);
  });

  test("a kernel without operations is at the left edge, as far below the roof as its speed is", () => {
    const [, gather] = points[0].points;
    const left = Math.min(...series[0].points.map(([x]: number[]) => x));
    expect(gather[0]).toBe(left);
    expect((gather[1] * 1e9) / (left * roof.memory)).toBeCloseTo(0.5);
    expect(points[0].notes[1]).toBe("gather float32: no operations, 2 TB/s, 50 % of memory");
  });

  test("as text, dots have their names, and areas are left out", () => {
    const text = figureText(rooflineFigure(roof, dots) as any);
    expect(text).toMatch(/gather float32 /);
    expect(text).not.toContain("bounds here");
  });
});
