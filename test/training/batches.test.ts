// Batches of datasets: every sample once in a pass, in an order that its generator decides.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const set = () => ({ x: jl.arange(20).reshape(10, 2), more: [jl.arange(10), "name"] as [jl.Tensor, string] });

test("batches are in order, and have the dataset's structure", () => {
  const all = jl.batches(set(), 4);
  expect(all.length).toBe(3);
  const found = [...all];
  expect(found.map(({ x }) => x.shape)).toEqual([
    [4, 2],
    [4, 2],
    [2, 2],
  ]);
  expect(found.map(({ more }) => more[1])).toEqual(["name", "name", "name"]);
  expect(jl.cat(found.map(({ more }) => more[0])).equal(jl.arange(10))).toBe(true);
});

test("a shuffled pass has every sample once, beside its parts, and each pass another order", () => {
  const all = jl.batches(set(), 4, { shuffle: true, generator: jl.generator(3) });
  const pass = () => {
    const found = [...all];
    const x = jl.cat(found.map((one) => one.x));
    const y = jl.cat(found.map((one) => one.more[0]));
    expect(x.at("...", 0).equal(y.mul(2))).toBe(true);
    return y.toArray() as number[];
  };
  const [first, second] = [pass(), pass()];
  expect([...first].sort((a, b) => a - b)).toEqual(jl.arange(10).toArray());
  expect(first).not.toEqual(second);
  const again = jl.batches(jl.arange(10), 10, { shuffle: true, generator: jl.generator(3) });
  expect([...again][0]?.toArray()).toEqual(first);
});

test("a batch larger than the dataset, a single tensor, and no samples", () => {
  expect([...jl.batches(jl.arange(3), 5)].map((one) => one.toArray())).toEqual([[0, 1, 2]]);
  expect([...jl.batches(jl.zeros([0, 2]), 5, { shuffle: true })]).toEqual([]);
});

test("what cannot be right is refused", () => {
  expect(refusal(() => jl.batches([jl.zeros([3]), jl.zeros([4])], 2))).toContain("[3] and [4]");
  expect(refusal(() => jl.batches(jl.zeros([]), 2))).toContain("shape-mismatch");
  expect(refusal(() => jl.batches({}, 2))).toContain("no tensor");
  expect(refusal(() => jl.batches(jl.zeros([3]), 0))).toContain("the size is 0");
  expect(refusal(() => jl.batches(jl.zeros([3]), 2, { shufle: true } as object))).toContain("shuffle");
  expect(refusal(() => jl.batches(jl.zeros([3]), 2, { generator: 5 as never }))).toContain("generator is 5");
});
