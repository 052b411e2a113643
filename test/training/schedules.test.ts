// Learning rates beside PyTorch's schedulers; a compiled step is replayed while its rate changes.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { writtenData } from "../support/written.js";

const { schedules } = writtenData<{
  readonly schedules: readonly { call: string; rates: readonly number[] }[];
}>("training.json.gz");

beforeAll(useAnyDevice);

const made = (call: string) => new Function("jl", `return ${call};`)(jl) as jl.optim.LearningRate;

test.each(schedules)("$call", ({ call, rates }) => {
  const rate = made(call);
  const steps = jl.arange(rates.length, { dtype: "float64" }).unbind(0);
  for (const [i, one] of rates.entries()) {
    expect(rate(i)).toBeCloseTo(one, 12);
    expect(rate(steps[i] as jl.Tensor).item()).toBeCloseTo(one, 12);
  }
});

test("a cosine stays at its end", () => {
  const rate = jl.optim.cosineLr(1, 4, { etaMin: 0.25, warmup: 2 });
  expect([5, 6, 7, 100].map(rate).slice(1)).toEqual([0.25, 0.25, 0.25]);
});

const optimizers = [
  ["sgd", (lr: jl.optim.Schedule) => jl.optim.sgd({ lr })],
  ["adam", (lr: jl.optim.Schedule) => jl.optim.adam({ lr })],
  ["adamW", (lr: jl.optim.Schedule) => jl.optim.adamW({ lr })],
  ["rmsprop", (lr: jl.optim.Schedule) => jl.optim.rmsprop({ lr, momentum: 0.5, centered: true })],
] as const;

test.each(optimizers)("%s in a compiled step follows its rate, and is replayed", (_, make) => {
  const rate = jl.optim.cosineLr(0.25, 6, { warmup: 2 });
  const optimizer = make(rate) as jl.optim.Sgd;
  const step = (p: jl.Tensor, state: jl.optim.SgdState<jl.Tensor>) => {
    const grad = jl.grad((x: jl.Tensor) => x.square().sum())(p);
    return optimizer.step(p, grad, state);
  };
  const compiled = jl.compile(step, { replay: true, fullGraph: true });
  let [plain, fast] = [0, 1].map(() => {
    const parameters = jl.tensor([1, 2, 3]);
    return { parameters, state: optimizer.init(parameters) };
  }) as [ReturnType<typeof step>, ReturnType<typeof step>];
  for (let i = 0; i < 10; i++) {
    const before = plain.parameters;
    plain = step(plain.parameters, plain.state);
    fast = compiled(fast.parameters, fast.state);
    expect(fast.parameters.equal(plain.parameters), `step ${i}`).toBe(true);
    if (i < 7) expect(before.equal(plain.parameters)).toBe(false);
  }
  expect(compiled.report().unreplayed).toEqual([]);
  expect(compiled.report().replayed).toBeGreaterThan(3);
});

test("a function of one's own, of which the result is checked", () => {
  const p = jl.ones([2]);
  const run = (lr: unknown) => {
    const sgd = jl.optim.sgd({ lr: lr as jl.optim.Schedule });
    return sgd.step(p, p, sgd.init(p)).parameters.toArray();
  };
  expect(run((step: jl.Tensor) => step.add(0.5))).toEqual([0.5, 0.5]);
  expect(run(() => 0.25)).toEqual([0.75, 0.75]);
  expect(refusal(() => run(() => -1))).toContain("the function lr returned -1");
  expect(refusal(() => run(() => jl.ones([2])))).toContain("one element");
  expect(refusal(() => run(async () => 1))).toContain("bad-argument");
});

test("what cannot be right is refused", () => {
  const { constantLr, cosineLr, stepLr } = jl.optim;
  expect(refusal(() => constantLr(-1))).toContain("lr is -1");
  expect(refusal(() => constantLr(1, { warmup: -1 }))).toContain("warmup is -1");
  expect(refusal(() => constantLr(1, { warmup: 1.5 }))).toContain("not an integer");
  expect(refusal(() => cosineLr(1, 0))).toContain("steps is 0");
  expect(refusal(() => cosineLr(1, 4, { etamin: 0 } as object))).toContain('Did you mean "etaMin"?');
  expect(refusal(() => stepLr(1, 4, { gamma: Number.NaN }))).toContain("gamma is NaN");
  expect(refusal(() => constantLr(1)("3" as never))).toContain("the step is");
});
