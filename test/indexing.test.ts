// The guarantees of indexing by tensors beyond PyTorch's results: the messages, no writes if an index is out of range, equal
// bits, and deferred operations.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { allocate } from "../dist/runtime/device/memory.js";
import * as jl from "../dist/runtime/index.js";
import { dispatch } from "../dist/runtime/launch/dispatch.js";
import { dispatchReduction } from "../dist/runtime/launch/reduce-launch.js";
import { sendTo } from "../dist/runtime/launch/sink.js";
import { atOnce } from "../dist/runtime/launch/walk-launch.js";
import { useDevice } from "./support/device.js";

beforeAll(useDevice);
afterEach(() => void sendTo(undefined));

const message = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof jl.JitlabError) return error.message;
    throw error;
  }
  return "no error";
};

describe("an index outside", () => {
  const index = () =>
    jl.tensor([
      [0n, 1n],
      [7n, 1n],
    ]);
  test("is named with its position", () => {
    const x = jl.arange(6).reshape(3, 2);
    expect(message(() => x.at(index()))).toBe(
      "at: index 7 at position [1, 0] of the index tensor is outside dimension 0, which has 3 elements.\nIndexes run from -3 to 2.",
    );
    expect(message(() => x.gather(0, index()))).toBe(
      "gather: index 7 at position [1, 0] of the index tensor is outside dimension 0, which has 3 elements.\nIndexes run from 0 to 2.",
    );
    expect(x.at(jl.tensor([2n])).toArray()).toEqual([[4, 5]]);
  });
  test("leaves the tensor as it was", () => {
    const x = jl.zeros([3]);
    const outside = jl.tensor([0n, 3n]);
    expect(message(() => x.scatter_(0, outside, 1))).toContain("scatter_: index 3 at position [1]");
    expect(message(() => x.set(outside, 1))).toContain("set: index 3 at position [1]");
    expect(message(() => x.indexAdd_(0, outside, jl.ones([2])))).toContain(
      "indexAdd_: index 3 at position [1]",
    );
    expect(x.toArray()).toEqual([0, 0, 0]);
  });
});

describe("whole rows", () => {
  // Rows of whole words of 16 bytes move as words; others, and rows that do not start at a word, as elements.
  test.each([
    ["float32", 8, 0],
    ["float32", 8, 1],
    ["float32", 6, 0],
    ["int8", 32, 0],
    ["float16", 24, 8],
    ["float64", 2, 1],
    ["complex64", 4, 2],
    ["complex128", 3, 1],
  ] as const)("of %s, %i elements from column %i", (dtype, columns, first) => {
    const x = jl
      .arange(20 * 40)
      .remainder(100)
      .to(dtype)
      .reshape(20, 40)
      .narrow(1, first, columns);
    const rows = [3, 0, 19, 3, 7];
    const index = jl.tensor(rows.map(BigInt));
    const want = jl.stack(rows.map((row) => x.at(row))).toArray();
    expect(x.indexSelect(0, index).toArray()).toEqual(want);
    expect(x.at(index).toArray()).toEqual(want);
    expect(
      x
        .reshape(4, 5, columns)
        .at(jl.tensor([2n, 0n]), jl.tensor([1n, 4n]))
        .toArray(),
    ).toEqual([x.at(11).toArray(), x.at(4).toArray()]);
    expect(
      x
        .reshape(4, 5, columns)
        .indexSelect(1, jl.tensor([4n, 1n]))
        .toArray(),
    ).toEqual(
      jl.stack([x.reshape(4, 5, columns).select(1, 4), x.reshape(4, 5, columns).select(1, 1)], 1).toArray(),
    );
    expect(message(() => x.indexSelect(0, jl.tensor([3n, 20n])))).toContain("index 20 at position [1]");
  });
});

describe("rows that share an index", () => {
  const given = [0n, 4n, 1n, 4n, 4n, 2n];
  // Adjacent lanes are joined together; those of a transposed copy are not.
  test.each([
    ["float32", 3],
    ["float32", 16],
    ["float64", 37],
    ["int32", 300],
    ["float16", 40],
    ["complex64", 20],
  ] as const)("of %s, %i lanes, are joined as lane by lane", (dtype, lanes) => {
    const source = jl.randn([given.length, lanes]).mul(9).to(dtype);
    const start = jl.randn([5, lanes]).mul(9).to(dtype);
    const apart = (x: jl.Tensor) => x.T.contiguous().T;
    const index = jl.tensor(given);
    for (const write of [
      (x: jl.Tensor, from: jl.Tensor) => x.indexAdd(0, index, from),
      (x: jl.Tensor, from: jl.Tensor) => x.indexCopy(0, index, from),
    ]) {
      const together = write(start, source);
      expect(together.toArray()).toEqual(write(apart(start), apart(source)).toArray());
      expect(together.at(3).toArray()).toEqual(start.at(3).toArray());
    }
    expect(start.indexCopy(0, index, source).at(4).toArray()).toEqual(source.at(4).toArray());
  });
  test("with an index outside are not written", () => {
    const x = jl.zeros([5, 20]);
    expect(message(() => x.indexAdd_(0, jl.tensor([0n, 5n]), jl.ones([2, 20])))).toContain(
      "index 5 at position [1] of the index tensor",
    );
    expect(x.sum().item()).toBe(0);
  });
});

test("many additions at one place give equal bits each time", () => {
  const index = jl.randint(0, 7, [20000], { dtype: "int64" });
  const values = jl.randn([20000]);
  const once = jl.zeros([7]).scatterAdd(0, index, values).data();
  for (let i = 0; i < 3; i++) expect(jl.zeros([7]).scatterAdd(0, index, values).data()).toEqual(once);
  const exact = new Float64Array(7);
  for (const [i, at] of (index.data() as BigInt64Array).entries())
    exact[Number(at)]! += values.data()[i] as number;
  for (const [i, sum] of exact.entries()) expect(once[i]).toBeCloseTo(sum, 3);
});

test("large masks are counted in parts", () => {
  const mask = jl.arange(100_003).remainder(3).eq(0);
  const places = mask.nonzero();
  expect(places.shape).toEqual([33335, 1]);
  expect(places.at(-1, 0).item()).toBe(100002n);
  expect(jl.arange(100_003).maskedSelect(mask).sum().item()).toBe(jl.arange(100_003).mul(mask).sum().item());
});

test("memory that overlaps is read before it is written", () => {
  const x = jl.arange(4);
  x.set(jl.tensor([0n, 1n, 2n]), x.slice("1:"));
  expect(x.toArray()).toEqual([1, 2, 3, 3]);
  const y = jl.arange(4);
  y.scatter_(0, jl.tensor([3n, 2n, 1n, 0n]), y);
  expect(y.toArray()).toEqual([3, 2, 1, 0]);
});

test("a sink is given the writes in their order", () => {
  const notes: string[] = [];
  const x = jl.zeros([3]);
  sendTo({
    map(functor, operands, makeOutput, options) {
      notes.push(functor.name);
      return atOnce(() => dispatch(functor, operands, makeOutput, options));
    },
    reduce: (call, makeOutput) => atOnce(() => dispatchReduction(call, makeOutput)),
    storage: allocate,
  });
  x.scatterAdd_(0, jl.tensor([2n]), jl.tensor([5]));
  sendTo(undefined);
  expect(notes).toEqual(["copy"]);
  expect(x.toArray()).toEqual([0, 0, 5]);
});

test("kernels are timed and recorded as others", async () => {
  const recording = await jl.record(() => void jl.arange(3).take(jl.tensor([1n])));
  expect(recording.launches.map(({ op }) => op)).toContain("gather");
  expect(jl.timings().some(({ op }) => op === "gather")).toBe(true);
});
