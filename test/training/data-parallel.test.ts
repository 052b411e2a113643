// Training on several devices: the processor and wasm stand for two GPUs.
import { expect, test, vi } from "vitest";
import type { Device } from "../../dist/runtime/device/device.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { LoadedKernel } from "../../dist/runtime/launch/loaded-kernel.js";
import { refusal } from "../support/refusal.js";

const there = jl.devices().flatMap(({ name, available }) => (available ? [name] : []));
const pair = ["cpu", "wasm"];
const hasBoth = pair.every((name) => there.includes(name));

// Products have other bits by a library.
const loss = ({ w, b }: { w: jl.Tensor; b: jl.Tensor }, x: jl.Tensor, y: jl.Tensor) =>
  x.mul(w).sum(1, { keepdim: true }).add(b).sub(y).square().mean();
const model = () => ({ w: jl.tensor([[0.5, -1]], { device: "cpu" }), b: jl.zeros([1], { device: "cpu" }) });
const batch = (): [jl.Tensor, jl.Tensor] => {
  jl.manualSeed(3);
  const x = jl.randn([8, 2], { device: "cpu" });
  return [x, x.matmul(jl.tensor([[1], [2]], { device: "cpu" }))];
};

test.skipIf(!hasBoth)(
  "two devices go the way of the mean gradient, with the same bits (needs cpu and wasm)",
  () => {
    const optimizer = jl.optim.sgd({ lr: 0.1, momentum: 0.9 });
    const train = jl.dataParallel({ loss, optimizer }, { devices: pair });
    const [x, y] = batch();
    let replicas = train.init(model());
    let [parameters, state] = [model(), optimizer.init(model())];
    for (let i = 0; i < 12; i++) {
      const done = train.step(replicas, x, y);
      replicas = done.replicas;
      // One process that adds the gradients of both halves in order.
      const halves = [0, 4].map((at) =>
        jl.valueAndGrad(loss)(parameters, x.narrow(0, at, 4), y.narrow(0, at, 4)),
      );
      const mean = (a: jl.Tensor, b: jl.Tensor) => a.add(b).div(2);
      const [a, b] = halves as [(typeof halves)[0], (typeof halves)[0]];
      const gradient = jl.tree.map(mean, a.grad, b.grad);
      ({ parameters, state } = optimizer.step(parameters, gradient, state));
      expect(done.value.toArray()).toBe(mean(a.value, b.value).toArray());
      expect(done.value.device.name).toBe("cpu");
      for (const [n, own] of replicas.entries()) {
        expect([own.parameters.w.device.name, own.parameters.b.device.name]).toEqual([pair[n], pair[n]]);
        expect([own.parameters.w.toArray(), own.parameters.b.toArray()]).toEqual([
          parameters.w.toArray(),
          parameters.b.toArray(),
        ]);
      }
    }
  },
);

test("parameters have the type that the loss names", () => {
  const optimizer = jl.optim.adam({ lr: 0.1 });
  const train = jl.dataParallel({ loss, optimizer }, { devices: ["cpu"] });
  const [{ parameters }] = train.init(model()) as [jl.Replica<ReturnType<typeof model>>];
  const { w }: { w: jl.Tensor } =
    train.step(train.init(model()), ...batch()).replicas[0]?.parameters ?? parameters;
  expect(w.shape).toEqual([1, 2]);
});

test("one device takes the whole batch, and the given replicas are gone", () => {
  const train = jl.dataParallel({ loss, optimizer: jl.optim.adam({ lr: 0.1 }) }, { devices: ["cpu"] });
  const first = train.init(model());
  let replicas = first;
  let value = 0;
  for (let i = 0; i < 60; i++) {
    const done = train.step(replicas, ...batch());
    replicas = done.replicas;
    value = done.value.item() as number;
  }
  expect(value).toBeLessThan(1);
  expect(refusal(() => first[0]?.parameters.w.toArray())).toMatch(/dataParallel/);
});

test("bad steps, devices and batches are refused", () => {
  const optimizer = jl.optim.sgd();
  const step = { loss, optimizer };
  expect(refusal(() => jl.dataParallel(step, {} as never))).toMatch(
    /^bad-argument: dataParallel: the devices are/,
  );
  expect(refusal(() => jl.dataParallel(step, { devices: ["cpu", "cpu"] }))).toMatch(/twice/);
  expect(refusal(() => jl.dataParallel(loss as never, { devices: ["cpu"] }))).toMatch(
    /^bad-argument: dataParallel/,
  );
  expect(refusal(() => jl.dataParallel({ optimizer } as never, { devices: ["cpu"] }))).toMatch(/loss/);
  expect(refusal(() => jl.dataParallel({ loss } as never, { devices: ["cpu"] }))).toMatch(/optimizer/);
  expect(refusal(() => jl.dataParallel(step, { device: ["cpu"] } as never))).toMatch(/^unknown-option/);
});

test.skipIf(!hasBoth)("a batch that does not divide is refused (needs cpu and wasm)", () => {
  const train = jl.dataParallel({ loss, optimizer: jl.optim.sgd() }, { devices: pair });
  const odd = [jl.ones([3, 2], { device: "cpu" }), jl.ones([3, 1], { device: "cpu" })] as const;
  expect(refusal(() => train.step(train.init(model()), ...odd))).toMatch(
    /the shape \[3, 2\] of a batch does not divide among 2 members/,
  );
});

test.skipIf(!hasBoth)("a step is a few pieces of work for each device (needs cpu and wasm)", () => {
  const devices = pair.map(getDevice) as (Device & { compose?: Device["compose"] })[];
  let works: string[] = [];
  let singles = 0;
  for (const device of devices)
    device.compose = (queue) => ({
      launch: () => {
        works.push(device.name);
        queue();
      },
      release: () => {},
    });
  const calls = [vi.spyOn(LoadedKernel.prototype, "again"), vi.spyOn(LoadedKernel.prototype, "launch")];
  try {
    const deep = (w: jl.Tensor[], x: jl.Tensor, y: jl.Tensor) =>
      w
        .reduce((h, one) => h.mul(one).sum(1, { keepdim: true }).add(h).tanh(), x)
        .sub(y)
        .square()
        .mean();
    const optimizer = jl.optim.sgd({ lr: 0.1, momentum: 0.9 });
    const train = jl.dataParallel({ loss: deep, optimizer }, { devices: pair });
    jl.manualSeed(1);
    let replicas = train.init(Array.from({ length: 8 }, () => jl.rand([64], { device: "cpu" })));
    const batch = () => jl.rand([64, 64], { device: "cpu" });
    for (let i = 0; i < 30; i++) {
      works = [];
      for (const one of calls) one.mockClear();
      // Each batch is in other memory.
      ({ replicas } = train.step(replicas, batch(), batch()));
      singles = calls.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    }
  } finally {
    for (const device of devices) delete device.compose;
    vi.restoreAllMocks();
  }
  for (const name of pair)
    expect([1, 2, 3, 4, 5, 6, 7]).toContain(works.filter((one) => one === name).length);
  // Those over the batch, the loss, and the collective by copies.
  expect(singles).toBeLessThan(20);
});
