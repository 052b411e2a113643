// The kernels of a GPU's reductions by threads of the host: their sums have the bits of the order, in one pass and in several.
import koffi from "koffi";
import { beforeAll, describe, expect, test } from "vitest";
import { renderReduction } from "../../dist/runtime/codegen/reductions/reduce-kernel.js";
import type { Pass } from "../../dist/runtime/codegen/reductions/reduce-passes.js";
import { blockThreads, reduceArguments } from "../../dist/runtime/codegen/reductions/reduce-spec.js";
import { maxDims } from "../../dist/runtime/geometry/layout.js";
import * as jl from "../../dist/runtime/index.js";
import type { ReduceCall } from "../../dist/runtime/launch/calls.js";
import type { ReduceOperation } from "../../dist/runtime/launch/operation.js";
import { passesOfCall } from "../../dist/runtime/launch/reduce-launch.js";
import { type Sink, sendTo } from "../../dist/runtime/launch/sink.js";
import { compiler } from "../support/functor-harness.js";
import { hostGrid, hostKernel } from "../support/grid-host.js";
import { sumInOrder } from "../support/sum-in-order.js";

beforeAll(() => jl.setDevice("cpu"));

/** The reduction that a function calls. */
function callOf(run: () => void): ReduceCall {
  const calls: ReduceCall[] = [];
  const sink = {
    name: "calls",
    take({ call }: ReduceOperation): never {
      calls.push(call);
      throw new Error("collected");
    },
  };
  sendTo(sink as unknown as Sink);
  try {
    run();
  } catch {
    // Collected.
  } finally {
    sendTo(undefined);
  }
  return calls[0] as ReduceCall;
}

const kernels = new Map<string, ReturnType<typeof hostKernel>>();

/** Runs a pass of blocks from one address to another. */
function runPass(
  { spec, geometry, part, parts, group, partStep, work }: Pass,
  total: number,
  addresses: bigint[],
) {
  const { source, symbol } = renderReduction(spec);
  const kernel = kernels.get(source) ?? hostKernel(source, symbol);
  kernels.set(source, kernel);
  const { geometry: counts, bytes } = reduceArguments(spec);
  const { kept, reduced, results, length } = geometry;
  const block = new BigInt64Array(Math.ceil(bytes / 8));
  const numbers = [results, length, part, parts, group, total, partStep, kept.length, reduced.length];
  const keptAt = counts / 8 + numbers.length;
  block.set(addresses);
  block.set(numbers.map(BigInt), counts / 8);
  block.set(kept.flatMap(({ size, in: steps, out }) => [size, ...steps, out]).map(BigInt), keptAt);
  block.set(reduced.flatMap(({ size, in: steps }) => [size, ...steps]).map(BigInt), keptAt + 3 * maxDims);
  kernel(block, work / blockThreads(spec), blockThreads(spec));
}

/** The results of a reduction's passes, and how many those are. */
function reduced(run: () => void): { readonly values: Float32Array; readonly passes: number } {
  const call = callOf(run);
  const { geometry, passes } = passesOfCall(call, hostGrid);
  let from = BigInt(call.input.pointer);
  // All are kept until the last pass has read what the one before it wrote.
  const memories = passes.map(
    ({ parts }) =>
      new Float32Array(Math.max(16, (geometry.results * parts * call.plan.accumulatorBytes) / 4)),
  );
  for (const [i, pass] of passes.entries()) {
    const to = koffi.address(memories[i] as Float32Array);
    runPass(pass, geometry.length, [from, BigInt(to)]);
    from = BigInt(to);
  }
  const last = memories.at(-1) as Float32Array;
  return { values: last.subarray(0, geometry.results), passes: passes.length };
}

/** Values whose sums are inexact, of many sizes. */
const waves = (...shape: number[]): jl.Tensor =>
  jl
    .tensor(
      Float32Array.from(
        { length: shape.reduce((a, b) => a * b, 1) },
        (_, i) => Math.sin(i * 12.9898) * 2 ** (i % 7),
      ),
    )
    .reshape(...shape);

describe.skipIf(compiler === undefined)("a GPU's kernels", () => {
  test.each([1, 5, 17, 100, 1023, 1025, 8192])("sum a row of %i elements in one pass", (n) => {
    const x = waves(n);
    const { values, passes } = reduced(() => x.sum());
    expect(passes).toBe(1);
    expect(values[0]).toBe(sumInOrder(x.toArray() as number[], "row", true));
  });

  // Parts up to 16, up to 128 and more: the three widths of a later pass.
  test.each([8193, 50_001, 131_072, 300_007, 1_060_001, 2_000_003])(
    "sum a row of %i elements in parts",
    (n) => {
      const x = waves(n);
      const { values, passes } = reduced(() => x.sum());
      expect(passes).toBe(2);
      expect(values[0]).toBe(sumInOrder(x.toArray() as number[], "row", true));
    },
  );

  test("sum several rows and columns in parts", () => {
    const rows = waves(3, 20_001);
    const sums = (x: jl.Tensor, kind: "row" | "column") =>
      (x.toArray() as number[][]).map((row) => sumInOrder(row, kind, true));
    expect([...reduced(() => rows.sum(1)).values]).toEqual(sums(rows, "row"));
    const columns = waves(5000, 40);
    const { values, passes } = reduced(() => columns.sum(0));
    expect(passes).toBe(2);
    expect([...values]).toEqual(sums(columns.T, "column"));
  });

  test("find means and extremes in parts", () => {
    const x = waves(300_007);
    expect(reduced(() => x.mean()).values[0]).toBe(
      Math.fround(sumInOrder(x.toArray() as number[], "row", true) / x.size),
    );
    expect(reduced(() => x.max()).values[0]).toBe(x.max().item());
    // Its accumulator has two words.
    const { values } = reduced(() => x.argmax());
    expect(new BigInt64Array(values.buffer)[0]).toBe(x.argmax().item());
  });
});
