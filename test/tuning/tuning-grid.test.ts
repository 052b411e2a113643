// The forms of a GPU's maps, run by the host thread after thread: each has the bits of the default, at the edges too. Forms whose
// threads wait for each other are compiled in test/cuda, and run by test/tuning/tuning.test.ts on a GPU.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import koffi from "koffi";
import { describe, expect, test } from "vitest";
import { mapCandidates } from "../../dist/runtime/codegen/candidates.js";
import { layoutClass } from "../../dist/runtime/codegen/layout-class.js";
import { argumentLayout, type KernelSpec } from "../../dist/runtime/codegen/spec.js";
import { argumentBlock } from "../../dist/runtime/device/argument-blocks.js";
import { cppDialect, cudaDialect } from "../../dist/runtime/device/dialect.js";
import { allocate } from "../../dist/runtime/device/memory.js";
import type { View } from "../../dist/runtime/geometry/view.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { MapKernel } from "../../dist/runtime/launch/launcher.js";
import type { LoadedKernel } from "../../dist/runtime/launch/loaded-kernel.js";
import { requestOf } from "../../dist/runtime/launch/requests.js";
import { nestOf, specOf, viewsOf } from "../../dist/runtime/launch/resolve.js";
import { type Sink, sendTo } from "../../dist/runtime/launch/sink.js";
import { elementBits } from "../support/element-bits.js";
import { compiler } from "../support/functor-harness.js";

const words = `
#define __global__
#define __launch_bounds__(n)
#define __grid_constant__
struct Index { int x; };
static Index threadIdx, blockIdx;
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
`;

/** Compiles a kernel and returns what runs it over blocks of threads. */
function compiled(source: string, symbol: string): (block: number, blocks: number, threads: number) => void {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-forms-"));
  const run = `extern "C" void run(const void* block, int blocks, int threads) {
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) ${symbol}(*static_cast<const Arguments*>(block));
}\n`;
  writeFileSync(join(folder, "kernel.cpp"), `${words}${source}${run}`);
  const flags = "-std=c++17 -O1 -shared -fPIC -ffp-contract=off -fno-strict-aliasing -w".split(" ");
  execFileSync(compiler ?? "c++", [...flags, join(folder, "kernel.cpp"), "-o", join(folder, "kernel.so")]);
  const library = koffi.load(join(folder, "kernel.so"));
  rmSync(folder, { recursive: true });
  return library.func("void run(uintptr_t block, int blocks, int threads)");
}

/** Runs every form of a map on fresh outputs. */
class Forms implements Sink {
  readonly results = new Map<string, readonly string[]>();

  map(...[functor, operands, makeOutput, options]: Parameters<Sink["map"]>): never[] {
    const device = getDevice("cpu");
    const target = { ...device.target, dialect: { ...cppDialect, gpu: cudaDialect.gpu } };
    const views = viewsOf(options.out, operands);
    const layout = layoutClass(nestOf(functor, views, options), views, true);
    const { nest } = layout;
    const plain = specOf(functor, operands, options, layout, target);
    let outputs: readonly View[] = [];
    // What reads the results runs at once.
    sendTo(undefined);
    for (const { name, choice } of mapCandidates(plain)) {
      const spec: KernelSpec = { ...plain, choice };
      const { source, symbol, division } = requestOf(spec, target);
      const run = compiled(source, symbol);
      const block = argumentBlock(argumentLayout(spec).bytes);
      const perBlock = division.threads * division.perThread;
      const kernel = {
        block,
        formFor: () => kernel,
        over: (elements: number) => Math.ceil(elements / perBlock),
        launch: (blocks: number) => run(block.address, blocks, division.threads),
      };
      outputs = plain.outputs.map(({ dtype }) => makeOutput(nest.shape, nest.outStrides, dtype, device));
      new MapKernel(spec, kernel as unknown as LoadedKernel).launch(outputs, operands, nest, options);
      this.results.set(
        name,
        outputs.map((one) => elementBits(one as jl.Tensor).join(" ")),
      );
    }
    sendTo(this);
    return outputs as never[];
  }

  reduce(): never {
    throw new Error("A map is expected.");
  }

  storage: Sink["storage"] = allocate;
}

const x = () => jl.rand([41, 333], { device: "cpu" });
type Case = readonly [make: () => jl.Tensor, call: (x: jl.Tensor) => unknown, own: string, each: number];
/** Maps, their default form, and the elements of one access. */
const maps: Record<string, Case> = {
  "an addition": [x, (a) => a.add(a), "block 128, 8 per thread", 4],
  "of half numbers": [() => x().to("float16"), (a) => a.mul(3), "block 128, 16 per thread", 8],
  "of bytes and doubles": [() => x().to("float64"), (a) => a.gt(0.5), "block 128, 4 per thread", 2],
  "of complex numbers": [
    () => x().to("complex128"),
    (a) => a.mul({ re: 0, im: 1 }),
    "block 128, 2 per thread",
    1,
  ],
  "of misaligned memory": [
    () => x().flatten().narrow(0, 1, 9001),
    (a) => a.neg(),
    "block 256, 4 per thread",
    1,
  ],
  "of four operands": [
    () => jl.rand([3, 9004], { device: "cpu" }),
    (a) => jl.fuse`${a.select(0, 0)} * ${a.select(0, 1)} + ${a.select(0, 2)}`,
    "block 256, 4 per thread",
    4,
  ],
  "of a broadcast row": [x, (a) => a.sub(a.select(0, 0)), "block 256, 4 per thread", 1],
  "of whole words in rows": [
    () => x().narrow(1, 0, 332).contiguous(),
    (a) => a.sub(a.select(0, 0)),
    "block 128, 8 per thread",
    4,
  ],
  "of elements at a distance": [x, (a) => a.slice(":, ::2").abs(), "block 256, 4 per thread", 1],
  "of angles of which some are large": [
    () => x().mul(2e5).sub(1e5),
    (a) => a.sin(),
    "block 128, 8 per thread",
    4,
  ],
  "several functions of angles": [
    () => x().mul(2e5).sub(1e5),
    (a) => jl.fuse`sin(sin(${a}) + cos(${a})) * 2`,
    "block 128, 8 per thread",
    4,
  ],
  "a long functor": [x, (a) => a.digamma(), "block 256, 4 per thread", 1],
  "a long functor of rows": [x, (a) => a.slice(":, ::2").digamma(), "block 256, 4 per thread", 1],
};

describe.skipIf(!compiler)("the forms of a GPU's maps on the host (needs a C++ compiler)", () => {
  test.each(Object.entries(maps))("%s", { timeout: 120_000 }, (what, [make, call, name, lanes]) => {
    const operand = make();
    const sink = new Forms();
    const before = sendTo(sink);
    try {
      call(operand);
    } finally {
      sendTo(before);
    }
    const [own, ...rivals] = [...sink.results] as [[string, string[]], ...[string, string[]][]];
    // The default in words is the form that is used without a choice.
    expect(own[0]).toBe(name);
    const forms = [128, 256, 512].flatMap((block) =>
      [1, 2, 4].map((words) => `block ${block}, ${words * lanes} per thread`),
    );
    expect([...sink.results.keys()].sort()).toEqual(forms.sort());
    for (const [form, bits] of rivals) expect(bits, form).toEqual(own[1]);
    // The processor's own kernel agrees, but for functors of which it has a form of its own.
    if (!what.startsWith("a long"))
      expect(own[1]).toEqual([elementBits(call(operand) as jl.Tensor).join(" ")]);
  });
});
