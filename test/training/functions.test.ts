// Losses, normalizations, attention and dropout beside PyTorch's, with their gradients, compiled too.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { expectWritten, tensorOf, type Written, writtenData } from "../support/written.js";

const { inputs, cases } = writtenData<{
  readonly inputs: Readonly<Record<string, Written>>;
  readonly cases: readonly { call: string; result: Written; gradients: Readonly<Record<string, Written>> }[];
}>("training.json.gz");

// PyTorch rounds half types between its operations, its gradients there too.
const errorsOf = (call: string) =>
  call.includes("bfloat16")
    ? [2 ** -7, 2 ** -5]
    : call.includes("float16")
      ? [2 ** -10, 2 ** -7]
      : [1e-12, 1e-12];

beforeAll(useAnyDevice);

test.each(cases.map((one) => [one.call, one] as const))("%s", (call, { result, gradients }) => {
  const tensors = Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, tensorOf(one)]));
  const run = new Function("jl", ...Object.keys(tensors), `return ${call};`);
  const [error, gradientError] = errorsOf(call) as [number, number];
  const found = run(jl, ...Object.values(tensors)) as jl.Tensor;
  expectWritten(found, result, error, call);
  expect(found.dtype.name).toBe(result.dtype);
  const wanted = Object.keys(gradients);
  if (wanted.length === 0) return;
  const chosen = Object.fromEntries(wanted.map((name) => [name, tensors[name] as jl.Tensor]));
  const loss = () => {
    const value = run(jl, ...Object.values(tensors)) as jl.Tensor;
    const { size, shape } = value;
    const weights = jl.arange(1, size + 1, 1, { dtype: "float64" }).cos();
    return value.mul(weights.reshape(shape)).sum();
  };
  const { value, grad } = jl.gradients(loss, chosen);
  const compiled = jl.compile(() => jl.gradients(loss, chosen))();
  expect(compiled.value.item()).toBe(value.item());
  for (const name of wanted) {
    const one = grad[name] as jl.Tensor;
    expectWritten(one, gradients[name] as Written, gradientError, `${call}: ${name} `);
    expect(one.equal(compiled.grad[name] as jl.Tensor), name).toBe(true);
  }
});

test("a label without a class gives NaN, also as the gradient of its row", () => {
  const { value, grad } = jl.valueAndGrad((x: jl.Tensor) => jl.crossEntropy(x, jl.tensor([0n, 2n])))(
    jl.zeros([2, 2]),
  );
  expect(value.item()).toBeNaN();
  expect(grad.isnan().any().item()).toBe(true);
});

test("dropout keeps the mean, draws from its generator, and its gradient has the same zeros", () => {
  const run = (x: jl.Tensor) => jl.dropout(x, 0.25, { generator: jl.generator(3) });
  const x = jl.ones([10000]);
  const found = run(x);
  expect(found.ne(0).sum().item()).toBeGreaterThan(7300n);
  expect(found.ne(0).sum().item()).toBeLessThan(7700n);
  expect(found.max().item()).toBeCloseTo(4 / 3, 6);
  expect(
    jl
      .grad((y: jl.Tensor) => run(y).sum())(x)
      .equal(found),
  ).toBe(true);
  expect(jl.dropout(x, 1).abs().max().item()).toBe(0);
  expect(jl.dropout(x, 0.9, { training: false })).toBe(x);
});

test("running statistics in a compiled step are those of the separate calls, and have no derivative", () => {
  type Running = { mean: jl.Tensor; var: jl.Tensor };
  const step = (w: jl.Tensor, before: Running, x: jl.Tensor) => {
    let running = before;
    const { value, grad } = jl.valueAndGrad((weight: jl.Tensor) => {
      const found = jl.batchNorm(x.mul(weight), before, { training: true });
      running = found.running;
      return found.output.pow(3).sum().add(found.running.mean.sum());
    })(w);
    return { value, grad, running };
  };
  const compiled = jl.compile(step, { replay: true, fullGraph: true });
  const w = jl.tensor([1, 2, 3]);
  let [plain, fast] = [0, 1].map(() => ({ mean: jl.zeros([3]), var: jl.ones([3]) })) as [Running, Running];
  for (let i = 0; i < 5; i++) {
    const x = jl.randn([8, 3], { generator: jl.generator(i) });
    const [a, b] = [step(w, plain, x), compiled(w, fast, x)];
    expect(b.grad.equal(a.grad)).toBe(true);
    [plain, fast] = [a.running, b.running];
    expect(fast.mean.equal(plain.mean) && fast.var.equal(plain.var)).toBe(true);
    // A normalized tensor does not depend on its scale: what is left is rounding, not a share of the running mean.
    expect(a.grad.abs().max().item()).toBeLessThan(1e-2);
  }
  expect(compiled.report().unreplayed).toEqual([]);
});

test("statistics keep their dtype beside halves", () => {
  const running = { mean: jl.zeros([2]), var: jl.ones([2]) };
  const found = jl.batchNorm(jl.randn([4, 2], { dtype: "bfloat16" }), running, { training: true });
  expect([found.output, found.running.mean, found.running.var].map(({ dtype }) => dtype.name)).toEqual([
    "bfloat16",
    "float32",
    "float32",
  ]);
});

test("what cannot be right is refused", () => {
  const x = jl.zeros([3, 2]);
  expect(refusal(() => jl.mseLoss(jl.zeros([3, 1]), jl.zeros([3])))).toContain("shape-mismatch");
  expect(refusal(() => jl.crossEntropy(x, jl.zeros([3])))).toContain("the labels are float32");
  expect(refusal(() => jl.crossEntropy(x, jl.tensor([0n, 1n])))).toContain("shape-mismatch");
  expect(refusal(() => jl.nllLoss(x, x))).toContain("dtype-refused");
  expect(refusal(() => jl.mseLoss(x, x, { reduction: "all" as "sum" }))).toContain("bad-argument");
  expect(refusal(() => jl.layerNorm(x, 3))).toContain("shape-mismatch");
  expect(refusal(() => jl.dropout(x, 2))).toContain("bad-argument");
  const running = { mean: jl.zeros([2]), var: jl.ones([2]) };
  expect(refusal(() => jl.batchNorm(x, undefined))).toContain("the running statistics are undefined");
  expect(refusal(() => jl.batchNorm(x, { mean: jl.zeros([2]) } as never))).toContain("jl.ones([channels])");
  expect(refusal(() => jl.batchNorm(x, { ...running, mean: jl.zeros([3]) }))).toContain(
    "the running mean has",
  );
  expect(refusal(() => jl.batchNorm(jl.zeros([1, 2]), running, { training: true }))).toContain(
    "larger batch",
  );
  expect(refusal(() => jl.batchNorm(jl.zeros([3]), running))).toContain("dimension 1 is the channels");
  expect(refusal(() => jl.batchNorm(x, running, { momentum: 2 }))).toContain("momentum is 2");
  expect(refusal(() => jl.batchNorm(x.long() as never, running))).toContain("dtype-refused");
  expect(refusal(() => jl.groupNorm(jl.zeros([1, 4]), 3))).toContain("numGroups is 3");
  expect(refusal(() => jl.groupNorm(jl.zeros([1, 4]), 2, { bias: jl.zeros([2]) }))).toContain("the bias has");
  expect(refusal(() => jl.embedding(x, x))).toContain("the indexes are float32");
  expect(refusal(() => jl.embedding(jl.tensor([0n]), jl.zeros([2])))).toContain(
    "the table has the shape [2]",
  );
  expect(refusal(() => jl.embedding(jl.tensor([0n]), x, { paddingIdx: 3 }))).toContain("paddingIdx is 3");
  expect(() => jl.embedding(jl.tensor([3n]), x).toArray()).toThrow("embedding");
  expect(refusal(() => jl.bceWithLogits(x, jl.zeros([3])))).toContain("shape-mismatch");
  expect(refusal(() => jl.bceWithLogits(x, x, { posWeight: jl.ones([3]) }))).toContain("the posWeight has");
  expect(() => jl.oneHot(jl.tensor([3n]), 3).toArray()).toThrow();
  const mask = jl.ones([3, 3], { dtype: "bool" });
  expect(refusal(() => jl.scaledDotProductAttention(x, x, x, { attnMask: mask, isCausal: true }))).toContain(
    "bad-argument",
  );
});

test("the gradient of layerNorm is one kernel when compiled", () => {
  const weights = jl
    .arange(0, 64 * 256)
    .reshape(64, 256)
    .sin();
  const grad = jl.compile(jl.grad((x: jl.Tensor) => jl.layerNorm(x, 256).mul(weights).sum()));
  grad(weights.exp());
  expect(grad.program()?.kernels.length).toBe(1);
});
