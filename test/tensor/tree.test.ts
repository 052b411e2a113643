// Trees of tensors: what belongs to one, and what does not.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const doubled = (x: jl.Tensor) => x.mul(2);

test("tensors in arrays and objects are its leaves; other values stay", () => {
  class Layer {
    w = jl.ones([1]);
  }
  const [layer, map, set] = [new Layer(), new Map([["w", jl.ones([1])]]), new Set([jl.ones([1])])];
  const tree = {
    a: jl.tensor([1]),
    b: [jl.tensor([2]), { c: jl.tensor([3]), name: "c", rate: 0.5 }],
    layer,
    map,
    set,
    none: null,
  };
  const found = jl.tree.map(doubled, tree);
  expect([found.a.toArray(), (found.b[0] as jl.Tensor).toArray()]).toEqual([[2], [4]]);
  const { name, rate } = found.b[1] as { name: string; rate: number };
  expect([name, rate]).toEqual(["c", 0.5]);
  for (const key of ["layer", "map", "set", "none"] as const) expect(found[key]).toBe(tree[key]);
  expect(tree.a.toArray()).toEqual([1]);
  const { leaves, structure } = jl.tree.flatten(tree);
  expect(leaves.map((x) => x.item())).toEqual([1, 2, 3]);
  const { a, b } = jl.tree.unflatten(structure, ["x", "y", "z"]);
  expect([a, b[0], b[1]]).toEqual(["x", "y", { c: "z", name: "c", rate: 0.5 }]);
  expect(jl.tree.map(doubled, jl.tensor([4])).toArray()).toEqual([8]);
  expect(jl.tree.flatten("text").leaves).toEqual([]);
});

test("a step of training over parameters and their gradient", () => {
  const parameters = { w: jl.tensor([1, 2]), b: jl.tensor([3]) };
  const step = (p: typeof parameters) => {
    const gradient = jl.grad((q: typeof parameters) => q.w.square().sum().add(q.b.sum()))(p);
    return jl.tree.map((x, g) => x.sub((g as jl.Tensor).mul(0.5)), p, gradient);
  };
  for (const run of [step, jl.compile(step)]) {
    const { w, b } = run(parameters);
    expect([w.toArray(), b.toArray()]).toEqual([[0, 0], [2.5]]);
  }
});

test("what is no tree is an error that says so", () => {
  const itself: unknown[] = [];
  itself.push(itself);
  let deep: unknown = jl.ones([1]);
  for (let k = 0; k < 1002; k++) deep = [deep];
  const x = jl.ones([1]);
  const { structure } = jl.tree.flatten([x, x]);
  expect(() => jl.tree.flatten(itself)).toThrow("An array or object of a tree contains itself.");
  expect(() => jl.tree.map(doubled, deep)).toThrow("has more than 1000 levels");
  expect(() => jl.tree.map(doubled, [x, x], [x])).toThrow("one tree has 2 tensors, and another 1");
  expect(() => jl.tree.map(3 as never, [x])).toThrow("tree.map");
  expect(() => jl.tree.unflatten(structure, [x])).toThrow("the structure has 2 tensors, but got 1");
  expect(() => jl.tree.unflatten({ size: 1 }, [x])).toThrow("is not a structure");
  expect(() => jl.tree.unflatten(structure, 5 as never)).toThrow("the structure has 2 tensors, but got 5");
});

test("a structure keeps no tensor", () => {
  const x = jl.ones([1]);
  const { structure } = jl.tree.flatten([x]);
  x.dispose();
  expect(jl.tree.unflatten(structure, [1])).toEqual([1]);
});
