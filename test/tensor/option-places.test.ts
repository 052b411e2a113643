// One rule for all functions: options may stand behind the required arguments, before or instead of the optional ones.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { optionsBehindOptional } from "../support/optional-arguments.js";

beforeAll(useAnyDevice);

// For each function, its required arguments; tensors of methods first. Options that say something, and what they do.
const required: Readonly<Record<string, () => readonly unknown[]>> = {
  "linalg.norm": () => [jl.ones([2, 2])],
  "linalg.matrixNorm": () => [jl.ones([2, 2])],
  "linalg.vectorNorm": () => [jl.ones([2, 2])],
  scan: () => [(carry: jl.Tensor) => [carry], jl.ones([2])],
  vander: () => [jl.tensor([1, 2])],
  exponential: () => [[2]],
  normal: () => [jl.zeros([2]), 1],
  dropout: () => [jl.ones([4])],
  arange: () => [1, 4],
  eye: () => [2],
  quantile: () => [jl.ones([2, 2]), 0.5],
  nanquantile: () => [jl.ones([2, 2]), 0.5],
  topk: () => [jl.ones([2, 2]), 1],
  kthvalue: () => [jl.ones([2, 2]), 1],
};
const functions = optionsBehindOptional();

test("the rule has cases", () => {
  expect(functions.length).toBeGreaterThan(40);
});

test.each(functions)("the types of $name take options behind $required arguments", ({ takesEarly }) => {
  expect(takesEarly).toBe(true);
});

test.each(functions)(
  "$name takes options behind $required arguments, and refuses unknown ones",
  ({ name, required: count }) => {
    const [owner, member] = name.startsWith("x.") ? ["x", name.slice(2)] : ["", name];
    const makes = required[member as string] ?? (() => [jl.ones([2, 2])]);
    const [first, ...rest] = makes() as any[];
    const call = (options: object) =>
      owner === "x"
        ? first[member as string](...rest.slice(0, count), options)
        : name.split(".").reduce((of: any, part) => of[part], jl)(
            ...[first, ...rest].slice(0, count),
            options,
          );
    // clamp needs a bound, and scan a number of steps.
    const least = name === "scan" ? { length: 2 } : /\.?cl(?:am|i)p$/.test(name) ? { min: 0 } : {};
    expect(() => call(least)).not.toThrow();
    expect(() => call({ nonsense: 1 })).toThrow(/has no option "nonsense"/);
  },
);

test.each([
  ["eye", () => jl.eye(2, { dtype: "float64" }), jl.eye(2, 2, { dtype: "float64" })],
  ["arange", () => jl.arange(1, 4, { dtype: "float64" }), jl.arange(1, 4, 1, { dtype: "float64" })],
  ["sort", () => jl.tensor([1, 3, 2]).sort({ descending: true }).values, jl.tensor([3, 2, 1])],
  ["argsort", () => jl.tensor([1, 3, 2]).argsort({ descending: true }), jl.tensor([1n, 2n, 0n])],
  ["topk", () => jl.tensor([1, 3, 2]).topk(2, { largest: false }).values, jl.tensor([1, 2])],
  ["kthvalue", () => jl.tensor([[1, 3, 2]]).kthvalue(2, { keepdim: true }).values, jl.tensor([[2]])],
  ["diff", () => jl.tensor([1, 4]).diff({ prepend: jl.tensor([0]) }), jl.tensor([1, 3])],
  ["diff behind n", () => jl.tensor([1, 4]).diff(1, { prepend: jl.tensor([0]) }), jl.tensor([1, 3])],
  ["quantile", () => jl.tensor([[1, 2]]).quantile(0.5, { keepdim: true }), jl.tensor([[1.5]])],
  [
    "vander",
    () => jl.vander(jl.tensor([2, 3]), { increasing: true }),
    jl.tensor([
      [1, 2],
      [1, 3],
    ]),
  ],
  ["linalg.norm", () => jl.linalg.norm(jl.tensor([[3, 4]]), { dim: 1 }), jl.tensor([5])],
  ["normal", () => jl.normal(jl.zeros([2]), 0, { dtype: "float64" }), jl.zeros([2], { dtype: "float64" })],
  ["dropout", () => jl.dropout(jl.ones([2]), { training: false }), jl.ones([2])],
] as const)("%s", (_, call, expected) => {
  const result: jl.Tensor = call();
  expect([result.dtype.name, result.toArray()]).toEqual([expected.dtype.name, expected.toArray()]);
});

test("options are not given twice", () => {
  expect(() => (jl.eye as any)(2, { dtype: "float64" }, {})).toThrow(/columns is an object/);
});
