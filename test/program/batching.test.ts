// Independent maps that differ in their operands only are one launch of a compiled function: the bits of the separate calls,
// whatever the sizes, dtypes and scalars, and never before what they read.
import { beforeAll, describe, expect, it, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { device, useAnyDevice } from "../support/device.js";
import { shown } from "../support/shown.js";

beforeAll(useAnyDevice);

const isGpu = device.startsWith("cuda");
const values = (n: number, seed: number) =>
  jl.tensor(
    new Float32Array(n).map((_, i) => Math.sin(i * 1.3 + seed)),
    { device },
  );
const kernelsOf = (f: { program(): jl.Program | undefined }) => f.program()?.kernels.length;

/** A list of tensors of each size. */
const lists = {
  "equal sizes": Array<number>(60).fill(100),
  "unequal sizes": Array.from({ length: 60 }, (_, i) => 1 + ((i * 37) % 90)),
  "some without elements": Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? 0 : i * 50)),
  "long ones": [70_000, 3, 5000, 200_001],
};

const adam = (p: jl.Tensor, g: jl.Tensor, m: jl.Tensor, v: jl.Tensor, rate: number) => {
  m.mul_(0.9).add_(g.mul(0.1));
  v.mul_(0.999).add_(g.mul(g).mul(0.001));
  return p.sub_(m.mul(rate).div(v.sqrt().add(1e-8)));
};

describe("steps of an optimizer over a list are one launch, or a few where the arguments fill one", () => {
  it.each(Object.entries(lists))("%s", (_, sizes) => {
    const run = (step: typeof adam | undefined) => {
      const [p, g, m, v] = [0, 1, 2, 3].map((seed) =>
        sizes.map((n, i) => values(n, seed + i).to(i % 5 === 0 ? "float16" : "float32")),
      ) as [jl.Tensor[], jl.Tensor[], jl.Tensor[], jl.Tensor[]];
      const all = (rate: number) =>
        p.map((one, i) =>
          (step ?? adam)(
            one,
            g[i] as jl.Tensor,
            m[i] as jl.Tensor,
            (v[i] as jl.Tensor).abs_(),
            rate * (i + 1),
          ),
        );
      const f = jl.compile(all);
      const through = step ? all : f;
      for (const rate of [0.01, 0.5, 0.01]) through(rate);
      if (!step) expect(kernelsOf(f)).toBeLessThanOrEqual(isGpu ? 6 : 2);
      return shown([...p, ...m, ...v]);
    };
    expect(run(undefined)).toEqual(run(adam));
  });
});

test.each([
  ["adam", jl.optim.adam],
  ["adamW", jl.optim.adamW],
  ["sgd with momentum", (options: { lr: jl.Tensor }) => jl.optim.sgd({ ...options, momentum: 0.9 })],
] as const)("tensors of no dimensions fit the operands of any shape: %s", (_, make) => {
  const shapes = [[70], [3, 5], [4, 2, 3], [1], [5000]];
  const lr = jl.tensor([0.5]).sum();
  const optimizer = make({ lr });
  const first = shapes.map((shape, i) =>
    values(
      shape.reduce((a, b) => a * b),
      i,
    ).reshape(shape),
  );
  const slopes = first.map((x) => x.mul(0.5).cos());
  const step = (p: jl.Tensor[], g: jl.Tensor[], state: never) => optimizer.step(p, g, state);
  const f = jl.compile(step);
  const start = () => ({ parameters: first as jl.Tensor[], state: optimizer.init(first) as never });
  let [plain, fast] = [start(), start()];
  for (let i = 0; i < 3; i++) {
    plain = step(plain.parameters, slopes, plain.state) as never;
    fast = f(fast.parameters, slopes, fast.state) as never;
  }
  expect(shown(fast.parameters)).toEqual(shown(plain.parameters));
  // One for the count of steps, another one for all parameters.
  expect(kernelsOf(f)).toBeLessThanOrEqual(2);
});

test("a tensor of no dimensions beside tensors of none stays apart", () => {
  const one = values(1, 3).sum();
  const xs = [values(5, 1), one.mul(2), values(7, 2), one.mul(3)];
  const f = jl.compile(() => xs.map((x) => x.mul(one).add(one)));
  expect(shown(f())).toEqual(shown(xs.map((x) => x.mul(one).add(one))));
});

test("what reads a result of the list runs after it, and what writes in part runs alone", () => {
  const given = [5, 8, 13].map(values);
  const body = (rate: number) => {
    const first = given.map((x) => x.mul(rate));
    const sums = first.map((x) => x.sum());
    const second = first.map((x, i) => x.sub(sums[i] as jl.Tensor));
    for (const x of given) x.narrow(0, 1, 3).mul_(2);
    return [...first, ...sums, ...second, ...given.map((x) => x.exp())];
  };
  const want = [shown(body(0.5)), shown(body(2))];
  given.forEach((x, i) => {
    x.copy_(values([5, 8, 13][i] as number, i));
  });
  const f = jl.compile(body);
  expect([shown(f(0.5)), shown(f(2))]).toEqual(want);
});

test("an operation that reads the result of an equal one runs after it", () => {
  const [x, y] = [values(1600, 1).reshape(40, 40), values(1600, 2).reshape(40, 40)];
  const body = () => {
    const sum = x.add(y);
    return [sum, sum.add(sum.T)];
  };
  const f = jl.compile(body);
  expect(shown(f())).toEqual(shown(body()));
  expect(f.program()?.kernels.map(({ name }) => name)).toEqual(["add", "add"]);
});

test("one launch serves operands that are aligned and those that are not, and other numbers of them", () => {
  const f = jl.compile((xs: readonly jl.Tensor[]) => xs.map((x) => x.add(1)));
  const { argumentBytes } = getDevice(device).target;
  for (const count of [2, 3, 9, 100]) {
    const xs = Array.from({ length: count }, (_, i) => values(40 + i, i).narrow(0, i % 3, 30));
    const { value, launches } = jl.record(() => f(xs));
    expect(shown(value)).toEqual(shown(xs.map((x) => x.add(1))));
    // The arguments of a hundred are more than a GPU took at once before CUDA 12.1.
    expect(launches).toHaveLength(count === 100 && argumentBytes <= 4096 ? 2 : 1);
  }
});

test("maps over one shape with nothing else in common stay one kernel where they are not alike", () => {
  const [x, y] = [values(30, 1), values(30, 2)];
  const f = jl.compile(() => [x.sin(), y.cos()]);
  f();
  expect(kernelsOf(f)).toBe(1);
});
