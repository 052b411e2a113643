// Wrong arguments of functions of tensors: each is a JitlabError with the code of its kind, whose message names the function.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../dist/runtime/index.js";
import { refusal } from "./support/refusal.js";

beforeAll(() => jl.setDevice("cpu"));

const calls: Readonly<Record<string, readonly string[]>> = {
  // An index that lies outside, or is none.
  "bad-index": [
    "jl.zeros([3]).gather(0, jl.tensor([3n]))",
    "jl.zeros([3]).gather(0, jl.tensor([1.5]))",
    "jl.zeros([3]).indexSelect(0, jl.tensor([true]))",
    "jl.zeros([3]).take(jl.tensor([-4n]))",
    "jl.zeros([3]).at(jl.tensor([5n]))",
    "jl.zeros([3]).at(1.5)",
    "jl.zeros([3]).set([jl.tensor([7n])], 1)",
    "jl.zeros([3]).scatterAdd(0, jl.tensor([5n]), jl.ones([1]))",
    "jl.zeros([3]).narrow(0, 2, 5)",
    'jl.zeros([3]).slice("0:2:0")',
  ],
  "bad-shape": [
    "jl.zeros([-3])",
    "jl.zeros([2.5])",
    "jl.zeros([3]).repeat([-1])",
    "jl.eye(-1)",
    "jl.linspace(0, 1, -1)",
  ],
  "bad-argument": [
    "jl.zeros([3]).split(-1)",
    "jl.zeros([3]).chunk(0)",
    "jl.zeros([3]).unfold(0, 9, 1)",
    "jl.zeros([3]).topk(-1)",
    "jl.zeros([3]).topk(4)",
    "jl.zeros([0]).topk(1)",
    "jl.zeros([0]).kthvalue(1)",
    "jl.randperm(-1)",
    "jl.eye(2).quantile(2)",
    "jl.zeros([2]).multinomial(1)",
    "jl.tensor([2]).bernoulli()",
    "jl.tensor([-1]).poisson()",
    "jl.tensor([-1n]).bincount()",
  ],
  // Reductions of nothing that have no value.
  "empty-reduction": [
    "jl.zeros([0]).max()",
    "jl.zeros([0]).min(0)",
    "jl.zeros([0]).argmax()",
    "jl.zeros([2, 0]).argmin(1)",
    "jl.zeros([0]).aminmax()",
    "jl.zeros([0]).mode(0)",
    "jl.zeros([0]).quantile(0.5)",
  ],
  "shape-mismatch": [
    "jl.ones([3]).matmul(jl.ones([4]))",
    "jl.ones([2, 3]).mm(jl.ones([2, 3]))",
    "jl.ones([2, 2, 3]).bmm(jl.ones([3, 3, 2]))",
    "jl.ones([2, 3]).mv(jl.ones([2]))",
    "jl.ones([2]).dot(jl.ones([3]))",
    'jl.einsum("ij,jk->ik", jl.ones([2, 3]), jl.ones([2, 3]))',
    "jl.ones([2, 3]).cdist(jl.ones([2, 4]))",
    "jl.ones([2, 3]).tensordot(jl.ones([2, 3]), 1)",
    "jl.stack([jl.ones([2]), jl.ones([3])])",
    "jl.ones([2, 3]).searchsorted(jl.ones([3, 2]))",
  ],
  "dtype-refused": [
    "jl.ones([3]).int().matmul(jl.ones([3]))",
    "jl.ones([2, 2]).gt(0).matmul(jl.ones([2, 2]).gt(0))",
    "jl.zeros([3]).scatterAdd(0, jl.tensor([0n]), jl.ones([1]).int())",
  ],
  "mixed-devices": [
    'jl.ones([2]).matmul(jl.ones([2], { device: "wasm" }))',
    'jl.ones([2]).gather(0, jl.tensor([0n], { device: "wasm" }))',
    'jl.cat([jl.ones([2]), jl.ones([2], { device: "wasm" })])',
  ],
};

test.each(Object.entries(calls).flatMap(([code, list]) => list.map((call) => [code, call] as const)))(
  "%s: %s",
  (code, call) => {
    const said = refusal(() => new Function("jl", `return ${call};`)(jl));
    expect(said).toMatch(new RegExp(`^${code}: `));
    // The message names a function, and a second sentence or line what fits.
    expect(said.length).toBeGreaterThan(code.length + 30);
  },
);

// What has a value of no elements.
test.each([
  ["sum()", 0],
  ["prod()", 1],
  ["mean()", Number.NaN],
  ["median()", Number.NaN],
  ["logsumexp(0)", -Infinity],
  ["countNonzero()", 0n],
])("no elements: %s is %s", (call, value) => {
  expect(new Function("jl", `return jl.zeros([0]).${call}.item();`)(jl)).toBe(value);
});
