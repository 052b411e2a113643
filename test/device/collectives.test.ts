// Collectives between the devices of one process that need no GPU: the processor and wasm, by copies.
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { refusal } from "../support/refusal.js";

const there = jl.devices().flatMap(({ name, available }) => (available ? [name] : []));
const pair = ["cpu", "wasm"];
const hasBoth = pair.every((name) => there.includes(name));
const needed = "needs the devices cpu and wasm";

const given = [
  [1, 2, 3, 4],
  [10, 20, 30, 50],
];
const members = (dtype: jl.DTypeName = "float32") =>
  given.map((data, i) => jl.tensor(data, { dtype, device: pair[i] as string }));
const seen = (tensors: readonly jl.Tensor[]) =>
  tensors.map((one) => [one.device.name, one.dtype.name, one.toArray()]);

test.skipIf(!hasBoth)(`each collective gives each device its elements (${needed})`, () => {
  const both = (data: number[]) => pair.map((name) => [name, "float32", data]);
  expect(seen(jl.allReduce(members()))).toEqual(both([11, 22, 33, 54]));
  expect(seen(jl.allReduce(members(), { op: "mean" }))).toEqual(both([5.5, 11, 16.5, 27]));
  expect(seen(jl.allReduce(members(), { op: "min" }))).toEqual(both([1, 2, 3, 4]));
  expect(seen(jl.allReduce(members(), { op: "max" }))).toEqual(both([10, 20, 30, 50]));
  expect(seen(jl.allReduce(members(), { op: "prod" }))).toEqual(both([10, 40, 90, 200]));
  expect(seen(jl.broadcast(members()))).toEqual(both([1, 2, 3, 4]));
  expect(seen(jl.broadcast(members(), { root: 1 }))).toEqual(both([10, 20, 30, 50]));
  expect(seen(jl.allGather(members()))).toEqual(both([1, 2, 3, 4, 10, 20, 30, 50]));
  expect(seen(jl.reduceScatter(members()))).toEqual([
    ["cpu", "float32", [11, 22]],
    ["wasm", "float32", [33, 54]],
  ]);
});

test.skipIf(!hasBoth)(`views, scalars, tensors without elements, and other dtypes (${needed})`, () => {
  const wide = members().map((x) => x.view([2, 2]).T);
  expect(jl.allReduce(wide).map((x) => x.toArray())).toEqual(
    pair.map(() => [
      [11, 33],
      [22, 54],
    ]),
  );
  const zeroD = pair.map((device, i) => jl.full([], i + 1, { device }));
  expect(jl.allGather(zeroD).map((x) => x.toArray())).toEqual(pair.map(() => [1, 2]));
  expect(jl.allReduce(zeroD).map((x) => x.item())).toEqual([3, 3]);
  const none = pair.map((device) => jl.zeros([0, 3], { device }));
  expect(jl.allGather(none).map(({ shape }) => shape)).toEqual(pair.map(() => [0, 3]));
  const short = jl.allReduce(members("int16").map((x) => x.mul(3000)));
  expect(seen(short).map(([, ...rest]) => rest)).toEqual(
    pair.map(() => ["int16", [-32536, 464, -32072, 30928]]),
  );
  const bools = pair.map((device, i) => jl.tensor([i === 0, true], { device }));
  expect(jl.allReduce(bools, { op: "min" }).map((x) => x.toArray())).toEqual(pair.map(() => [false, true]));
});

test.skipIf(!hasBoth)(`compiled functions run them without a break, and replay them (${needed})`, () => {
  for (const replay of [false, true]) {
    const step = jl.compile(
      (x: jl.Tensor, y: jl.Tensor) => {
        const [p, q] = jl.allReduce([x.mul(2), y.mul(3)]) as [jl.Tensor, jl.Tensor];
        return [p.add(1), q.add(2)];
      },
      { replay },
    );
    for (let i = 0; i < 8; i++) {
      const [x, y] = members() as [jl.Tensor, jl.Tensor];
      expect(step(x.add(i), y).map((one) => one.toArray()[0])).toEqual([33 + 2 * i, 34 + 2 * i]);
    }
    const { breaks, programs, replayed } = step.report();
    expect([breaks, programs.length, replayed > 0]).toEqual([[], 1, replay]);
  }
});

test.skipIf(!hasBoth)(`a donated tensor's memory is taken on its own device alone (${needed})`, () => {
  const step = jl.compile((x: jl.Tensor, y: jl.Tensor) => [x.sum(), y.add(1)], { donate: [0] });
  for (let i = 0; i < 3; i++) {
    const [x, y] = members() as [jl.Tensor, jl.Tensor];
    const results = step(x, y);
    expect(results.map((one) => one.device.name)).toEqual(pair);
    expect(results.map((one) => one.toArray())).toEqual([10, [11, 21, 31, 51]]);
  }
});

test.skipIf(!hasBoth)(`their derivatives are collectives (${needed})`, () => {
  const weights = [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ];
  // The sum of all members' results, each times its own weights.
  const gradients = (collect: (tensors: jl.Tensor[]) => jl.Tensor[], repeats = 1) =>
    jl
      .grad(
        (x: jl.Tensor, y: jl.Tensor) =>
          collect([x, y])
            .map((out, i) => {
              const own = jl.tensor(weights[i] as number[], { device: pair[i] as string });
              const all = repeats === 2 ? jl.cat([own, own.mul(10)]) : own;
              return out.mul(all.narrow(0, 0, out.shape[0] as number)).sum();
            })
            .reduce((a, b) => a.add(jl.allReduce([a.mul(0), b])[0] as jl.Tensor)),
        { argnums: [0, 1] },
      )(...(members() as [jl.Tensor, jl.Tensor]))
      .map((g: jl.Tensor) => g.toArray());
  expect(gradients((list) => jl.allReduce(list))).toEqual([
    [6, 8, 10, 12],
    [6, 8, 10, 12],
  ]);
  expect(gradients((list) => jl.allReduce(list, { op: "mean" }))).toEqual([
    [3, 4, 5, 6],
    [3, 4, 5, 6],
  ]);
  expect(gradients((list) => jl.broadcast(list, { root: 1 }))).toEqual([
    [0, 0, 0, 0],
    [6, 8, 10, 12],
  ]);
  expect(gradients((list) => jl.allGather(list), 2)).toEqual([
    [6, 8, 10, 12],
    [60, 80, 100, 120],
  ]);
  expect(gradients((list) => jl.reduceScatter(list))).toEqual([
    [1, 2, 5, 6],
    [1, 2, 5, 6],
  ]);
  expect(refusal(() => gradients((list) => jl.allReduce(list, { op: "max" })))).toMatch(
    /^no-derivative: allReduce.* only sums and means have one/,
  );
});

test("one member is the identity", () => {
  const x = jl.tensor([1, 2], { device: "cpu" });
  expect(jl.allReduce([x])[0]).toBe(x);
  expect(jl.allGather([x])[0]).toBe(x);
  expect(jl.reduceScatter([x], { op: "mean" })[0]).toBe(x);
  expect(jl.broadcast([x])[0]).toBe(x);
});

test("onEach calls a function for each device", () => {
  expect(jl.onEach(["cpu"], (device, i) => `${device} ${i}`)).toEqual(["cpu 0"]);
  expect(refusal(() => jl.onEach([], () => 0))).toMatch(/^bad-argument: onEach: the devices are \[\]/);
  expect(refusal(() => jl.onEach(["cpu", "cpu"], () => 0))).toMatch(/cpu is in the list of devices twice/);
  expect(refusal(() => jl.onEach([3 as never], () => 0))).toMatch(/3 is not the name of a device/);
  expect(refusal(() => jl.onEach(["cpu"], 3 as never))).toMatch(/^bad-argument: onEach/);
});

test("bad members and options are refused", () => {
  const x = jl.tensor([1, 2, 3], { device: "cpu" });
  const told = (...args: unknown[]) => refusal(() => jl.allReduce(...(args as [jl.Tensor[]])));
  expect(told([])).toMatch(/^bad-argument: allReduce: the list has 0 tensors/);
  expect(told([x, x])).toMatch(/two tensors are on cpu\..*Pass one tensor for each device/s);
  expect(told([x, 3])).toMatch(/^bad-operand: allReduce: 3 is not a tensor/);
  expect(told(3)).toMatch(/^bad-operand: allReduce: 3 is not a tensor/);
  expect(told([x], { op: "add" })).toMatch(/op is "add"\..*Ops are sum, mean, min, max, prod/s);
  expect(told([x], { ops: "sum" })).toMatch(/^unknown-option: allReduce has no option "ops"/);
  expect(told([x.to("int32")], { op: "mean" })).toMatch(/int32 tensors have no mean/);
  expect(told([x.gt(1)])).toMatch(/bool tensors have no sum/);
  expect(told([x.to("complex64")], { op: "max" })).toMatch(/complex64 tensors have no max/);
  expect(refusal(() => jl.broadcast([x], { root: 1 }))).toMatch(/root is 1, but there are 1 members/);
  expect(refusal(() => jl.broadcast([x], { root: 0.5 }))).toMatch(/root is 0\.5/);
  expect(refusal(() => jl.reduceScatter([x.sum()]))).toMatch(/does not divide among 1 members/);
});

test.skipIf(!hasBoth)(`members of different shapes or dtypes are refused (${needed})`, () => {
  const x = jl.zeros([2], { device: "cpu" });
  const told = (y: jl.Tensor) => refusal(() => jl.allReduce([x, y]));
  expect(told(jl.zeros([3], { device: "wasm" }))).toMatch(
    /^bad-argument: allReduce: float32 \[2\] on cpu and float32 \[3\] on wasm differ/,
  );
  expect(told(jl.zeros([2], { device: "wasm", dtype: "int32" }))).toMatch(/int32 \[2\] on wasm differ/);
  const odd = pair.map((device) => jl.zeros([3], { device }));
  expect(refusal(() => jl.reduceScatter(odd))).toMatch(/the shape \[3\] does not divide among 2 members/);
  expect(refusal(() => jl.graph(() => jl.allReduce(odd)))).toMatch(/^graph-recording: /);
});

test.skipIf(!hasBoth)(`a compiled function leaves no memory on its second device (${needed})`, () => {
  const xs = [jl.ones([1000]), jl.ones([1000], { device: "wasm" })] as const;
  const scaled = (x: jl.Tensor) => x.add(x.sum()).cumsum(0).div(1000);
  const f = jl.compile((a: jl.Tensor, b: jl.Tensor) => [a, b].map((x) => scaled(scaled(x)).sum()), {
    replay: true,
  });
  const live = () => jl.memory.stats().map(({ device, liveBlocks }) => [device, liveBlocks]);
  const call = () => {
    for (const y of f(...xs)) y.dispose();
    return live();
  };
  for (let i = 0; i < 4; i++) call();
  const before = live();
  for (let i = 0; i < 12; i++) expect(call()).toEqual(before);
  expect(f.report().replayed).toBeGreaterThan(6);
});
