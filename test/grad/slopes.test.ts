// The derivatives in the records of operations, beside differences of their values in float64: each operation by each argument.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import type { Op, Slope } from "../../runtime/ops/op.js";
import { isCompiled, useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const letters = ["a", "b", "c"] as const;
const table = Object.entries(jl.ops as Readonly<Record<string, Op>>);
const isFloating = ({ rule, operands }: Op, at: number) =>
  !/Bool|integers|toComplex/.test(rule) && (operands?.[at] ?? "common") === "common";
// The reference device has neither these texts nor forms without parameters.
const needsCompiler = (name: string) => !isCompiled && /polygamma|trigamma|^gelu tanh/.test(name);
// Its derivative is no term of a record, and has a test below.
const hasRule = (name: string) => name === "multigammaln";
const cases = table.flatMap(([name, op]) =>
  needsCompiler(name) || hasRule(name)
    ? []
    : letters
        .slice(0, op.arity)
        .flatMap((letter, at) => (isFloating(op, at) ? [[name, op, letter, at] as const] : [])),
);
const isRule = (slope: Slope | undefined) =>
  typeof slope === "string" || (typeof slope === "object" && !("refuse" in slope));

/** Points of the domain, away from whole numbers and their halves, where kinks lie. */
function pointsOf({ domain: [low, high], operands = [] }: Op, at: number): jl.Tensor {
  if (operands[at] === "bool") return jl.tensor([true, false, true, true, false]);
  if (operands[at] === "int32") return jl.tensor([1, 2, 3, 2, 1], { dtype: "int32" });
  const shares = [0.137, 0.291, 0.483, 0.677, 0.891].map((share) => (share + at * 0.373) % 1);
  return jl.tensor(
    shares.map((share) => low + (high - low) * share),
    { dtype: "float64" },
  );
}

type Call = (...args: unknown[]) => jl.Tensor;
const callOf = (name: string) => (jl as unknown as Record<string, Call>)[name] as Call;

test.each(cases.filter(([, op, letter]) => isRule(op.slopes?.[letter])))(
  "%s by its argument",
  (name, op, _, at) => {
    const points = letters.slice(0, op.arity).map((__, i) => pointsOf(op, i));
    const alone = (x: jl.Tensor) => callOf(name)(...points.with(at, x));
    expect(jl.gradcheck(alone, [points[at] as jl.Tensor], { eps: 1e-5, atol: 1e-6 })).toBe(true);
  },
);

test.each(cases.filter(([, op, letter]) => !isRule(op.slopes?.[letter])))(
  "%s has none, which is an error",
  (name, op, _, at) => {
    const points = letters.slice(0, op.arity).map((__, i) => pointsOf(op, i));
    const loss = (x: jl.Tensor) => callOf(name)(...points.with(at, x)).sum();
    expect(refusal(() => jl.grad(loss)(points[at] as jl.Tensor))).toMatch(/has no derivative/);
  },
);

const forms: readonly (readonly [string, (x: jl.Tensor, y: jl.Tensor) => jl.Tensor])[] = [
  ["add", (x, y) => x.add(y, { alpha: 3 })],
  ["sub", (x, y) => x.sub(y, { alpha: 3 })],
  ["rsub", (x, y) => jl.rsub(x, y, { alpha: 3 })],
  ["addcmul", (x, y) => jl.addcmul(x, y, x, { value: 3 })],
  ["addcdiv", (x, y) => jl.addcdiv(x, y, x, { value: 3 })],
  ["gelu tanh", (x) => x.gelu({ approximate: "tanh" })],
  ["softplus", (x) => x.softplus({ beta: 2, threshold: 3 })],
  ["elu", (x) => x.elu({ alpha: 0.7 })],
  ["celu", (x) => x.celu({ alpha: 0.7 })],
  ["leakyRelu", (x) => x.leakyRelu({ negativeSlope: 0.3 })],
  ["hardtanh", (x) => x.hardtanh({ minVal: -0.5, maxVal: 0.9 })],
  ["softshrink", (x) => x.softshrink({ lambd: 0.9 })],
  ["hardshrink", (x) => x.hardshrink({ lambd: 0.9 })],
  ["logit", (x) => x.abs().div(3).logit({ eps: 0.3 })],
  ["div", (x, y) => x.div(y, { roundingMode: "floor" }).add(x)],
  ["round", (x) => x.round({ decimals: 1 }).add(x)],
  ["nanToNum", (x) => x.nanToNum({ nan: 1 })],
];
test.each(forms.filter(([name]) => !needsCompiler(name)))("%s with options", (_, fn) => {
  const x = jl.tensor([-1.37, -0.61, 0.23, 0.77, 2.11], { dtype: "float64" });
  const y = jl.tensor([0.63, -1.21, 2.17, 1.31, -0.47], { dtype: "float64" });
  expect(jl.gradcheck(fn, [x, y], { atol: 1e-6 })).toBe(true);
});

const rules = cases.filter(([, op, letter]) => isRule(op.slopes?.[letter]));
test.each(rules.filter(([name]) => isCompiled || name !== "digamma"))("%s twice", (name, op, _, at) => {
  const points = letters.slice(0, op.arity).map((__, i) => pointsOf(op, i));
  const alone = (x: jl.Tensor) => callOf(name)(...points.with(at, x)).sum();
  expect(jl.gradcheck(jl.grad(alone), [points[at] as jl.Tensor], { eps: 1e-5, atol: 1e-5 })).toBe(true);
});

test.each(rules)("%s along tangents as back from cotangents", (name, op, _, at) => {
  const points = letters.slice(0, op.arity).map((__, i) => pointsOf(op, i));
  const alone = (x: jl.Tensor) => callOf(name)(...points.with(at, x));
  const x = points[at] as jl.Tensor;
  const [t, u] = [x.mul(0.3).sin().add(1), x.mul(1.7).cos().add(0.5)];
  const { tangent } = jl.jvp(alone, [x], [t]);
  const [back] = jl.vjp(alone, x).pull(u);
  const [along, against] = [tangent.mul(u), (back as jl.Tensor).mul(t)].map((one) =>
    Number(one.sum().item()),
  );
  expect(along).toBeCloseTo(against as number, 10 - Math.log10(Math.max(1, Math.abs(along as number))));
});

test.skipIf(!isCompiled)("multigammaln has PyTorch's derivative, and the second one of mpmath", () => {
  const x = jl.tensor([3, 4, 7.25], { dtype: "float64" });
  const first = (y: jl.Tensor) => jl.grad((z: jl.Tensor) => z.multigammaln(3).sum())(y);
  const close = (values: readonly number[]) => values.map((one) => expect.closeTo(one, 12));
  expect(first(x).toArray()).toEqual(close([2.048725310842177, 3.2820586441755104, 5.494550468313669]));
  expect(
    jl
      .grad((y: jl.Tensor) => first(y).sum())(x)
      .toArray(),
  ).toEqual(close([1.5302258897966876, 1.0091147786855765, 0.4810201315652457]));
  const half = x.to("float16");
  expect(first(half).equal(first(half.to("float32")).to("float16"))).toBe(true);
  expect(jl.compile(first)(x).equal(first(x))).toBe(true);
});
