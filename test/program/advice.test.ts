// The report's advice: which options would leave out most of the host's time, and for which arguments.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

// Takes time that replays leave out, so that the advice does not depend on the machine.
const busy = () => {
  const end = performance.now() + 20;
  while (performance.now() < end);
};

function trained(options: jl.CompileOptions, calls = 12) {
  const adam = jl.optim.adam();
  type P = { w: jl.Tensor };
  const step = jl.compile((p: P, state: jl.optim.AdamState<P>, x: jl.Tensor) => {
    busy();
    const { value, grad } = jl.valueAndGrad(({ w }: P) => x.matmul(w).square().sum())(p);
    return { loss: value, ...adam.step(p, grad, state) };
  }, options);
  let parameters: P = { w: jl.ones([3, 2]) };
  let state = adam.init(parameters);
  for (let i = 0; i < calls; i++) ({ parameters, state } = step(parameters, state, jl.ones([5, 3])));
  return step.report();
}

test("names replay, and the arguments that results replace", () => {
  expect(trained({}).advice).toMatch(
    /^Of [\d.e+]+ ms of the host per call, [\d.e+]+ run the function and [\d.e+-]+ launch its kernels: \{ replay: true, donate: \[0, 1\] \} would leave about the second part/,
  );
  expect(trained({ donate: [0] }).advice).toContain("donate: [0] }");
});

test("names numbers that differ at each call, which replays would keep", () => {
  const advised = (next: (call: number) => number) => {
    let call = 0;
    const step = jl.compile((x: jl.Tensor) => {
      busy();
      return x.mul(next(++call)).sum();
    });
    for (let i = 0; i < 12; i++) step(jl.ones([4]));
    return step.report().advice;
  };
  expect(advised((call) => call / 8)).toMatch(
    /launch its kernels\. Its kernels get other numbers at each call: pass these as 0-d tensors, and \{ replay: true \} would leave about the second part\.$/,
  );
  expect(advised((call) => Math.min(call, 4))).toMatch(/whenever its arguments are equal\.$/);
});

test("is absent after few calls, and for a function that is replayed", () => {
  expect(trained({}, 5)).not.toHaveProperty("advice");
  expect(trained({ replay: true })).not.toHaveProperty("advice");
});
