// Shifts that wrap around as maps, which compiled functions of a GPU use: their elements, and how many kernels they need.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { replaceDevice } from "../../dist/runtime/launch/devices.js";
import { wrapped } from "../../dist/runtime/tensor/wrapped.js";
import { useAnyDevice } from "../support/device.js";
import { DryDevice, dryTargets } from "../support/dry-device.js";
import { requestsOf } from "../support/gpu-text.js";

beforeAll(useAnyDevice);

const modulo = (shift: number, extent: number) => ((shift % extent) + extent) % extent;

test.each([
  [[7], [3]],
  [[7], [-2]],
  [
    [5, 6],
    [1, 0],
  ],
  [
    [5, 6],
    [0, -1],
  ],
  [
    [5, 6],
    [4, 5],
  ],
  [
    [2, 3, 4],
    [1, -1, 2],
  ],
  [
    [1, 1],
    [0, 1],
  ],
])("of shape %j by %j", (shape, shifts) => {
  const x = jl
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype: "float32" },
    )
    .reshape(shape) as jl.Tensor;
  const places = shifts.map((shift, d) => modulo(shift, shape[d] as number));
  const dims = shape.map((_, d) => d);
  for (const one of [x, x.slice("::-1"), jl.compile((x: jl.Tensor) => x.mul(1))(x)]) {
    const want = one.roll(shifts, dims).mul(2).add(one).toArray();
    const compiled = jl.compile((x: jl.Tensor) => wrapped(x, places).mul(2).add(x));
    for (let call = 0; call < 2; call++) expect(compiled(one).toArray()).toEqual(want);
  }
});

test("of results of the same function, and of what is written afterwards", () => {
  const f = (shift: (x: jl.Tensor) => jl.Tensor) => (x: jl.Tensor) => {
    const y = x.mul(3);
    const shifted = shift(y);
    y.add_(100);
    return shifted.add(y);
  };
  const x = jl.arange(12, { dtype: "float32" }).reshape(3, 4) as jl.Tensor;
  const want = f((y) => y.roll(1, 1))(x.clone()).toArray();
  expect(
    jl
      .compile(f((y) => wrapped(y, [0, 1])))(x)
      .toArray(),
  ).toEqual(want);
});

test.each([{}, { replay: true }, { replay: true, donate: [0] }])("step after step with %j", (options) => {
  const near = (shift: (x: jl.Tensor, by: number[]) => jl.Tensor) => (x: jl.Tensor) =>
    shift(x, [1, 0])
      .add(shift(x, [0, 1]))
      .sub(x)
      .mul(0.5);
  const step = jl.compile(near(wrapped), options);
  const apart = near((x, by) => x.roll(by, [0, 1]));
  let x = jl.arange(35, { dtype: "float32" }).reshape(5, 7) as jl.Tensor;
  let y = x.clone();
  for (let call = 0; call < 8; call++) [x, y] = [step(x), apart(y)];
  expect(x.toArray()).toEqual(y.toArray());
});

test("in one kernel with the maps around them on a GPU, and as copies where they are differentiated", () => {
  const near = (a: jl.Tensor) =>
    a
      .roll(1, 0)
      .add(a.roll(-1, 0))
      .add(a.roll([1, 2], [0, 1]))
      .sub(a.mul(3));
  const step = (u: jl.Tensor, v: jl.Tensor) => [u.add(near(u).mul(v)), v.sub(near(v))];
  const device = new DryDevice(61, dryTargets.cuda, (text) => text);
  replaceDevice(device);
  jl.setDevice(device.name);
  const [u, v] = [jl.zeros([64, 64]), jl.zeros([64, 64])] as [jl.Tensor, jl.Tensor];
  expect(requestsOf(device.target, () => jl.compile(step)(u, v))).toHaveLength(1);
  const gradient = jl.compile(jl.grad((u: jl.Tensor) => near(u).square().sum()));
  expect(requestsOf(device.target, () => gradient(u)).some(({ source }) => /op_wrapped/.test(source))).toBe(
    false,
  );
});
