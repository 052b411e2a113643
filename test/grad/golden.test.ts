// Gradients beside PyTorch's, at kinks above all: ties, zeros, borders, infinite and missing numbers.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { expectWritten, tensorOf, type Written, writtenData } from "../support/written.js";

const { inputs, cases } = writtenData<{
  readonly inputs: Readonly<Record<string, Written>>;
  readonly cases: readonly { call: string; gradients: Readonly<Record<string, Written>> }[];
}>("gradients.json.gz");

// PyTorch computes with constants of float32 in these, and trigamma with fewer digits.
const errorOf = (call: string) => (/hardsigmoid|leakyRelu|digamma/.test(call) ? 1e-7 : 1e-12);

// Where all elements so far are -inf, PyTorch's running sum has no derivative, unlike its sum; ours are both 0.
const wanted = (call: string, written: Written): Written =>
  call === "far.logcumsumexp(1)"
    ? { ...written, values: written.values.map((one) => (one === "NaN" ? 0 : one)) }
    : written;

beforeAll(useAnyDevice);

test.each(cases.map(({ call, gradients }) => [call, gradients] as const))("%s", (call, gradients) => {
  const names = Object.keys(gradients);
  const run = new Function("jl", ...names, `return ${call};`) as (...args: unknown[]) => jl.Tensor;
  const tensors = Object.fromEntries(names.map((name) => [name, tensorOf(inputs[name] as Written)]));
  const { grad } = jl.gradients(() => {
    const result = run(jl, ...Object.values(tensors));
    const weights = jl
      .arange(1, result.size + 1, 1, { dtype: "float64" })
      .cos()
      .reshape(result.shape);
    return result.mul(weights).sum();
  }, tensors);
  for (const name of names)
    expectWritten(
      grad[name] as jl.Tensor,
      wanted(call, gradients[name] as Written),
      errorOf(call),
      `${name} `,
    );
  expect(Object.keys(grad)).toEqual(names);
});
