// Statistics of samples, polynomials, products of pairs and places, beside PyTorch's and NumPy's results.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { epsilonOf, expectWritten, tensorOf, type Written, writtenData } from "../support/written.js";

const { inputs, cases } = writtenData<{
  readonly inputs: Readonly<Record<string, Written>>;
  readonly cases: readonly { call: string; result: Written }[];
}>("numeric.json.gz");

beforeAll(useAnyDevice);

/** The result of a call in which the inputs have their names. */
function resultOf(call: string): jl.Tensor {
  const names = Object.keys(inputs);
  const run = new Function("jl", ...names, `return ${call};`) as (...args: unknown[]) => jl.Tensor;
  return run(jl, ...names.map((name) => tensorOf(inputs[name] as Written)));
}

test.each(cases.map(({ call, result }) => [call, result] as const))("%s", (call, result) => {
  const found = resultOf(call);
  expect(found.dtype.name).toBe(result.dtype);
  expectWritten(found, result, (call.includes("polyfit") ? 1e5 : 50) * epsilonOf(result.dtype));
});

test("half precision is computed in float32, and integers as float32", () => {
  const x = jl.tensor([
    [0, 1, 2],
    [2, 1, 0],
  ]);
  expect(x.to("bfloat16").cov().dtype.name).toBe("bfloat16");
  expect(x.to("bfloat16").cov().toArray()).toEqual(x.cov().toArray());
  expect(x.to("int32").cov().toArray()).toEqual(x.cov().toArray());
  expect(x.to("int32").corrcoef().toArray()).toEqual([
    [1, -1],
    [-1, 1],
  ]);
  expect(x.to("int32").trapz().toArray()).toEqual([2, 2]);
  expect(x.to("int32").gradient({ dim: 1 })[0]?.toArray()).toEqual([
    [1, 1, 1],
    [-1, -1, -1],
  ]);
});

test("in a compiled function", () => {
  const step = jl.compile((x: jl.Tensor) => [x.cov().exp(), x.kron(x).sum(0), x.mul(2).trapz()]);
  const x = jl.tensor([
    [0, 1, 3],
    [2, 1, 0],
  ]);
  for (let call = 0; call < 3; call++) {
    const [cov, kron, area] = step(x) as jl.Tensor[];
    expect(cov!.sub(x.cov().exp()).abs().max().item()).toBeLessThan(1e-5);
    expect(kron!.toArray()).toEqual(x.kron(x).sum(0).toArray());
    expect(area!.toArray()).toEqual(x.mul(2).trapz().toArray());
  }
});

describe("what is refused", () => {
  const three = () => jl.ones([3]);
  test.each<[string, () => unknown]>([
    ["cov of three dimensions", () => jl.ones([2, 2, 2]).cov()],
    ["weights of another length", () => jl.ones([2, 3]).cov({ aweights: jl.ones([2]) })],
    ["points of two lengths", () => three().interp(three(), jl.ones([2]))],
    ["no points", () => three().interp(jl.zeros([0]), jl.zeros([0]))],
    ["places of another length", () => three().trapz(jl.ones([2]))],
    ["one sample for a derivative", () => jl.ones([1]).gradient()],
    ["two samples for a derivative of the second order", () => jl.ones([2]).gradient({ edgeOrder: 2 })],
    ["distances for another number of dimensions", () => three().gradient({ spacing: [1, 2] })],
    ["an order of 3", () => three().gradient({ edgeOrder: 3 as never })],
    ["a cross product of two elements", () => jl.ones([2]).cross(jl.ones([2]))],
    ["shapes that do not broadcast", () => jl.ones([2, 3]).cross(jl.ones([4, 3]))],
    ["vander of a matrix", () => jl.vander(jl.ones([2, 2]))],
    ["coefficients in a matrix", () => jl.polyval(jl.ones([2, 2]), three())],
    ["values of another length", () => jl.polyfit(three(), jl.ones([2]), 1)],
    ["a negative degree", () => jl.polyfit(three(), three(), -1)],
    ["places that are not integers", () => three().unravelIndex([3])],
    ["parts of real numbers", () => three().viewAsReal()],
    ["pairs of three", () => three().viewAsComplex()],
    ["pairs of integers", () => jl.ones([2]).to("int32").viewAsComplex()],
    ["a geometric series through 0", () => jl.geomspace(-1, 1, 3)],
    ["products of a matrix's elements", () => jl.cartesianProd(jl.ones([2, 2]))],
    ["matrices of two heights", () => jl.columnStack([three(), jl.ones([2])])],
  ])("%s", (_, run) => {
    expect(refusal(run)).toMatchSnapshot();
  });
});
