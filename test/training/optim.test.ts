// Optimizers beside PyTorch's over 20 steps; a compiled step of training is one program, replays, and keeps the bits.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { expectWritten, type Written, writtenData } from "../support/written.js";

type Name = "sgd" | "adam" | "adamW" | "rmsprop";
const { optimizers, clips } = writtenData<{
  readonly optimizers: readonly { name: Name; options: object; a: Written; b: Written }[];
  readonly clips: readonly { most: number; norm: Written; a: Written; b: Written }[];
}>("training.json.gz");

beforeAll(useAnyDevice);

function waves(shape: number[], shift = 0): jl.Tensor<"float64"> {
  const size = shape.reduce((x, y) => x * y, 1);
  const at = jl.arange(0, size, 1, { dtype: "float64" });
  return at
    .mul(0.7)
    .add(1 + shift)
    .sin()
    .reshape(shape)
    .mul(2) as jl.Tensor<"float64">;
}

test.each(optimizers.map((one) => [`${one.name} ${JSON.stringify(one.options)}`, one] as const))(
  "%s",
  (_, { name, options, a, b }) => {
    const x = waves([4, 3], 2);
    const optimizer = jl.optim[name](options);
    let parameters = { a: waves([3, 2]), more: [waves([2], 1), 5] as [jl.Tensor<"float64">, number] };
    let state = optimizer.init(parameters) as never;
    for (let i = 0; i < 20; i++) {
      const { grad } = jl.gradients(
        () => x.matmul(parameters.a).add(parameters.more[0]).tanh().square().mean(),
        parameters,
      );
      const next = optimizer.step(parameters, grad, state);
      parameters = next.parameters;
      state = next.state as never;
    }
    expect(parameters.more[1]).toBe(5);
    // The count of steps is float32.
    expectWritten(parameters.a, a, 1e-6, "a");
    expectWritten(parameters.more[0], b, 1e-6, "b");
  },
);

test.each(clips)("gradients are clipped to a norm of $most", ({ most, norm, a, b }) => {
  const found = jl.optim.clipGradNorm({ a: waves([3, 2]), b: waves([2], 1), c: undefined }, most);
  expectWritten(found.norm, norm, 1e-12, "norm");
  expectWritten(found.gradient.a, a, 1e-12, "a");
  expectWritten(found.gradient.b, b, 1e-12, "b");
});

test("a compiled step of training is one program, replays, and has the bits of separate calls", () => {
  const wave = (shape: number[], shift: number) => waves(shape, shift).to("float32");
  const make = () => ({ w: [wave([12, 8], 0), wave([8, 4], 1)], b: [wave([8], 2), wave([4], 3)] });
  type Model = ReturnType<typeof make>;
  const adam = jl.optim.adam({ lr: 0.01 });
  const step = (model: Model, state: jl.optim.AdamState<Model>, x: jl.Tensor, labels: jl.Tensor) => {
    const { value, grad } = jl.valueAndGrad((p: Model) => {
      const hidden = x.matmul(p.w[0] as jl.Tensor).add(p.b[0] as jl.Tensor);
      return jl.crossEntropy(
        hidden
          .relu()
          .matmul(p.w[1] as jl.Tensor)
          .add(p.b[1] as jl.Tensor),
        labels,
      );
    })(model);
    const clipped = jl.optim.clipGradNorm(grad, 0.5).gradient;
    return { loss: value, ...adam.step(model, clipped, state) };
  };
  const compiled = jl.compile(step, { replay: true, fullGraph: true });
  const labels = jl.arange(0, 16).remainder(4).to("int64");
  let [plain, fast] = [make(), make()].map((parameters) => ({
    parameters,
    state: adam.init(parameters),
  })) as [ReturnType<typeof step>, ReturnType<typeof step>];
  for (let i = 0; i < 8; i++) {
    const x = wave([16, 12], i);
    plain = step(plain.parameters, plain.state, x, labels);
    fast = compiled(fast.parameters, fast.state, x, labels);
    expect(fast.loss.item()).toBe(plain.loss.item());
  }
  for (const layer of [0, 1])
    expect(fast.parameters.w[layer]?.equal(plain.parameters.w[layer] as jl.Tensor)).toBe(true);
  expect(fast.state.step.item()).toBe(8);
  expect(compiled.report()).toMatchObject({ replayed: 4, unreplayed: [], programs: [{ hits: 7 }] });
});

test("what does not fit is refused", () => {
  const { init, step } = jl.optim.adam();
  const p = { a: jl.zeros([2]) };
  expect(refusal(() => step(p, { a: jl.zeros([3]) }, init(p)))).toContain("at a has the shape [3]");
  expect(refusal(() => init(5))).toContain("bad-argument");
  // An object of a class is no part of a tree: a step could not put its tensors back.
  class Layer {
    readonly w = jl.ones([2]);
  }
  expect(refusal(() => init(new Layer()))).toContain("bad-argument");
  const mixed = { layer: new Layer(), a: jl.ones([2]) };
  const moved = step(mixed, { layer: { w: jl.ones([2]) }, a: jl.ones([2]) }, init(mixed)).parameters;
  expect(moved.layer).toBe(mixed.layer);
  expect(moved.a.equal(step(p, { a: jl.ones([2]) }, init(p)).parameters.a.add(1))).toBe(true);
  expect(refusal(() => jl.optim.sgd({ lr: -1 }))).toContain("bad-argument");
  expect(refusal(() => jl.optim.sgd({ nesterov: true }))).toContain("bad-argument");
  expect(refusal(() => jl.optim.adam({ betas: [0.9, 1] }))).toContain("bad-argument");
  expect(refusal(() => jl.optim.rmsprop({ alpha: 2 }))).toContain("bad-argument");
});

test("a tree with parts that the parameters lack is refused", () => {
  const sgd = jl.optim.sgd({ lr: 0.1 });
  const parameters = { a: jl.ones([1]), b: [jl.ones([1])] };
  const state = sgd.init(parameters);
  const step = (gradient: unknown) => refusal(() => sgd.step(parameters, gradient as never, state));
  expect(step({ value: jl.ones([]), grad: parameters })).toMatch(
    /^bad-argument: .*the gradient has a part at value, where the parameters have none/,
  );
  expect(step({ a: jl.ones([1]), b: jl.ones([1]) })).toMatch(
    /the gradient has a tensor at b, where the parameters have several/,
  );
  expect(sgd.step(parameters, { a: jl.ones([1]) } as never, state).parameters.a.item()).toBeCloseTo(0.9);
});
