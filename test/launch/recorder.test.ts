// Recordings: their launches and copies, and nested recordings.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";

beforeAll(() => jl.setDevice("cpu"));

test("a recording inside another one sees its own launches, with device times in both", () => {
  const x = jl.tensor([1, 2, 3]);
  x.exp();
  let inner: jl.Recording<jl.Tensor> | undefined;
  const outer = jl.record(
    () => {
      x.exp();
      inner = jl.record(() => x.exp(), { device: true });
    },
    { device: true },
  );
  expect(outer.launches.map(({ op, origin }) => [op, origin])).toEqual([
    ["exp", "memory"],
    ["exp", "memory"],
  ]);
  expect(inner?.launches).toHaveLength(1);
  for (const { deviceUs, deviceStartMs, startMs } of [...outer.launches, ...(inner?.launches ?? [])]) {
    expect(deviceUs).toBeGreaterThan(0);
    // The processor runs a kernel when it is launched.
    expect(Math.abs((deviceStartMs ?? Number.NaN) - startMs)).toBeLessThan(50);
  }
});

test("the first launch carries the phases of obtaining its kernel, later ones none", () => {
  const functor = jl.jit(
    `template <typename T> T recorded_${process.pid}(T x) { return x + T(${process.pid}); }`,
  );
  const x = jl.tensor([1, 2, 3]);
  const { launches } = jl.record(() => [functor(x), functor(x)]);
  expect(launches.map(({ phases }) => phases.loadMs > 0)).toEqual([true, false]);
  expect(launches.map(({ bytes }) => bytes)).toEqual([24, 24]);
  expect(launches.map(({ deviceUs }) => deviceUs)).toEqual([undefined, undefined]);
});

test("copies are told with their direction and size, by every open recording and by no closed one", () => {
  const outer = jl.startRecording();
  const { copies } = jl.record(() => jl.tensor([1, 2, 3, 4]).toArray());
  jl.tensor([5]);
  const all = outer.stop();
  jl.tensor([6]);
  const kinds = (list: readonly jl.Copy[]) => list.map(({ direction, bytes }) => `${bytes} ${direction}`);
  expect(kinds(copies)).toEqual(["16 to device", "16 to host"]);
  expect(kinds(all.copies)).toEqual(["16 to device", "16 to host", "4 to device"]);
});
