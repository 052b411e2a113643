// Wrong arguments of functions of tensors: each is a JitlabError with the code of its kind, whose message names the function.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { refusal } from "../support/refusal.js";

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
    "jl.zeros([3]).takeAlongDim(jl.tensor([3n]))",
    "jl.zeros([3]).narrow(0, 2, 5)",
    'jl.zeros([3]).slice("0:2:0")',
  ],
  "bad-element": ["jl.tensor([16777217])", "jl.tensor([[0.5, Date.now()]])", "jl.full([2], -(2 ** 24) - 1)"],
  "scalar-overflow": [
    "jl.arange(2 ** 31, 2 ** 31 + 2)",
    "jl.arange(-129, 0, 1, { dtype: 'int8' })",
    "jl.randint(0, 2 ** 31 + 1, [3])",
    "jl.zeros([2], { dtype: 'int32' }).fill_(0.5)",
    // Also where no element is computed.
    "jl.zeros([2, 0], { dtype: 'int32' }).fill_(0.5)",
    "jl.zeros([2, 3], { dtype: 'int8' }).narrow(1, 3, 0).fill_(128)",
    "jl.full([0], -1e39, { dtype: 'int64' })",
  ],
  "bad-shape": [
    "jl.zeros([-3])",
    "jl.zeros([2.5])",
    "jl.zeros([3]).repeat([-1])",
    "jl.zeros([3]).tile([-1])",
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
    "jl.eye(-1)",
    "jl.linspace(0, 1, -1)",
    "jl.logspace(0, 1, 2.5)",
    "jl.zeros([3]).diff(-1)",
    "jl.eye(2).quantile(2)",
    "jl.zeros([2]).multinomial(1)",
    "jl.tensor([2]).bernoulli()",
    "jl.tensor([-1]).poisson()",
    "jl.tensor([-1n]).bincount()",
    "jl.tensor([1n]).bincount({ minlength: -1 })",
  ],
  // Reductions of nothing that have no value.
  "empty-reduction": [
    "jl.zeros([0]).max()",
    "jl.zeros([0]).min(0)",
    "jl.zeros([0]).argmax()",
    "jl.zeros([2, 0]).argmin(1)",
    "jl.zeros([0]).aminmax()",
    "jl.zeros([0]).amin()",
    "jl.zeros([0, 3]).amax(0)",
    "jl.zeros([0, 3]).median(0)",
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
    "jl.ones([5]).addmm(jl.ones([2, 3]), jl.ones([3, 2]))",
    "jl.ones([2, 3]).maskedFill(jl.tensor([true, false]), 0)",
    'jl.ones([2, 3]).set("0", jl.ones([5]))',
    "jl.ones([2, 3]).copy_(jl.ones([5]))",
    "jl.ones([2]).histogram(2, { weight: jl.ones([3]) })",
    "jl.tensor([1n]).bincount({ weights: jl.ones([2]) })",
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
    'jl.ones([2, 2]).addmm(jl.ones([2, 2]), jl.ones([2, 2], { device: "wasm" }))',
    'jl.einsum("ij,jk->ik", jl.ones([2, 2]), jl.ones([2, 2], { device: "wasm" }))',
    'jl.ones([2]).maskedSelect(jl.ones([2], { device: "wasm" }).gt(0))',
    'jl.ones([2]).searchsorted(jl.ones([2], { device: "wasm" }))',
    'jl.tensor([1n]).bincount({ weights: jl.ones([1], { device: "wasm" }) })',
    'jl.ones([2]).histogram(2, { weight: jl.ones([2], { device: "wasm" }) })',
  ],
};

/** The name before the parentheses that a call ends with. */
function calledBy(call: string): string | undefined {
  let at = call.length - 1;
  for (let depth = 0; ; at--) {
    if (call[at] === ")") depth++;
    if (call[at] === "(" && --depth === 0) break;
  }
  return /\w+$/.exec(call.slice(0, at))?.[0];
}

test.each(Object.entries(calls).flatMap(([code, list]) => list.map((call) => [code, call] as const)))(
  "%s: %s",
  (code, call) => {
    const said = refusal(() => new Function("jl", `return ${call};`)(jl));
    // The message names the function that was called, and a second sentence or line what fits.
    expect(said).toMatch(new RegExp(`^${code}: ${calledBy(call)}\\b`));
    expect(said.length).toBeGreaterThan(code.length + 30);
  },
);

test("whole numbers that float32 does not hold are refused where no dtype is given", () => {
  expect(refusal(() => jl.tensor([1, 16777217]))).toBe(
    "bad-element: tensor: 16777217 would be 16777216 in float32, the dtype of numbers.\n" +
      'Pass { dtype: "float64" } or { dtype: "int64" }; PyTorch takes int64 for whole numbers.',
  );
  expect(jl.tensor([16777217], { dtype: "float32" }).item()).toBe(16777216);
  expect(jl.tensor([16777217], { dtype: "int64" }).item()).toBe(16777217n);
  expect(jl.tensor([2 ** 40, 1e39, 0.1, 2 ** 53]).toArray()).toEqual(
    [2 ** 40, Number.POSITIVE_INFINITY, 0.1, 2 ** 53].map(Math.fround),
  );
  expect(refusal(() => jl.arange(2 ** 31, 2 ** 31 + 2))).toBe(
    "scalar-overflow: arange: 2147483648 does not fit into int32.\n" +
      'Pass a wider dtype, such as { dtype: "int64" } or { dtype: "float64" }.',
  );
  expect(jl.arange(2 ** 31 - 2, 2 ** 31).toArray()).toEqual([2 ** 31 - 2, 2 ** 31 - 1]);
  expect(jl.randint(-(2 ** 31), 2 ** 31, [3]).dtype.name).toBe("int32");
});

test("a negative power of integers is refused, as in PyTorch", () => {
  const x = jl.tensor([2, 4], { dtype: "int32" });
  const said =
    "dtype-refused: pow: integers to the power -1 have fractions, which int32 does not hold.\n" +
    'Write x.to("float32").pow(-1), or x.floatPower(-1) for float64.';
  for (const call of [
    () => x.pow(-1),
    () => jl.pow(x, -1n),
    () => x.clone().pow_(-1),
    () => jl.compile(() => x.pow(-1))(),
  ])
    expect(refusal(call)).toBe(said);
  expect(x.pow(-0.5).toArray()).toEqual([Math.fround(Math.SQRT1_2), 0.5]);
  expect(x.to("float64").pow(-1).toArray()).toEqual([0.5, 0.25]);
  expect(x.pow(jl.tensor([-1, 2], { dtype: "int32" })).toArray()).toEqual([0, 16]);
});

test("an element is not written or read as a property", () => {
  const x = jl.zeros([2, 3]) as any;
  const write = (key: any, value: any) => refusal(() => (x[key] = value));
  expect(write(0, 5)).toBe("bad-index: x[0] = 5 writes no element of a tensor.\nWrite x.set(0, ...).");
  expect(write("1:, 0", x)).toContain('Write x.set("1:, 0", ...).');
  expect(write(x.gt(0), 1)).toContain("Write x.set([mask], ...).");
  expect(refusal(() => x[0])).toBe("bad-index: x[0] reads no element of a tensor.\nWrite x.at(0).");
  x.note = "mine";
  expect([x.note, x.then, x instanceof Object]).toEqual(["mine", undefined, true]);
});

test("PyTorch's order of where is refused as a method of numbers, and says how it is written", () => {
  const [x, mask] = [jl.tensor([-1, 2]), jl.tensor([false, true])];
  const said =
    "bad-argument: where: the tensor is float32 and the first argument bool, but a method's tensor is the condition.\n" +
    "Write mask.where(x, y) for x where the mask is true. jl.where(x, a, b) has x as the condition.";
  expect(refusal(() => x.where(mask, 0))).toBe(said);
  expect(refusal(() => x.where_(mask, 0))).toBe(said);
  expect(refusal(() => jl.compile((x: jl.Tensor) => x.where(x.gt(0), 0))(x))).toBe(said);
  expect(mask.where(x, 0).toArray()).toEqual([0, 2]);
  expect(mask.where(mask, false).toArray()).toEqual([false, true]);
  expect(jl.where(x.add(1), mask, true).toArray()).toEqual([true, true]);
  expect(x.add(1).where(5, 6).toArray()).toEqual([6n, 5n]);
});

test("bounds by name are the bounds by position", () => {
  const x = jl.tensor([-5, 0, 5]);
  const out = jl.empty([3]);
  expect(x.clamp({ min: -1, out })).toBe(out);
  expect(out.toArray()).toEqual([-1, 0, 5]);
  expect(x.clamp({ max: jl.tensor([-6, 1, 1]) }).toArray()).toEqual([-6, 0, 1]);
  expect(x.clamp({ min: -1, max: 1 }).toArray()).toEqual(x.clamp(-1, 1).toArray());
  expect(
    jl
      .compile((x: jl.Tensor) => x.clip({ min: null, max: 1 }))(x)
      .toArray(),
  ).toEqual([-5, 0, 1]);
  expect(x.clamp_({ min: -1, max: 1 })).toBe(x);
  expect(x.toArray()).toEqual([-1, 0, 1]);
  expect(refusal(() => x.clamp({ lo: 1 } as object))).toBe(
    'unknown-option: clamp has no option "lo".\nIts options are min, max, out.',
  );
});

test("unbiased is a correction of 0 or 1, and not given with it", () => {
  const x = jl.tensor([1, 2, 4, 9]);
  for (const name of ["var", "std"] as const) {
    expect(x[name]({ unbiased: false }).item()).toBe(x[name]({ correction: 0 }).item());
    expect(x[name](0, { unbiased: true }).item()).toBe(x[name]({ correction: 1 }).item());
    expect(refusal(() => x[name]({ unbiased: false, correction: 1 }))).toBe(
      `bad-argument: ${name}: correction and unbiased are given together, 1 and false.\n` +
        "Pass one of them: { correction: 0 } or { unbiased: false }.",
    );
    expect(refusal(() => x[name]({ unbiased: 0 as never }))).toContain("unbiased is 0, not true or false.");
  }
});

test("a count that is wrong is named as the argument that was given", () => {
  expect(refusal(() => jl.eye(3, -2))).toContain("eye: columns is -2.");
  expect(refusal(() => jl.linspace(0, 1, -2))).toContain("linspace: count is -2.");
});

// An option that there is not: every function of tensors that takes options, and what its message lists.
const x = "jl.eye(2)";
const index = "jl.tensor([0n])";
const file = JSON.stringify(`${tmpdir()}/jitlab-no-such-file`);
const unknown: readonly (readonly [call: string, options: string])[] = [
  [`${x}.norm({ q: 1 })`, "dim, keepdim, p"],
  [`${x}.vectorNorm({ q: 1 })`, "dim, keepdim, p"],
  ...["var", "std", "varMean", "stdMean"].flatMap((name) => [
    [`${x}.${name}({ q: 1 })`, "dim, keepdim, correction, unbiased"] as const,
    [`${x}.${name}(0, { q: 1 })`, "dim, keepdim, correction, unbiased"] as const,
  ]),
  ...["amin", "amax", "nansum", "nanmean", "logsumexp"].map(
    (name) => [`${x}.${name}(0, { q: 1 })`, "dim, keepdim"] as const,
  ),
  ...["sum", "prod", "mean", "any", "all"].map(
    (name) => [`${x}.${name}(0, { q: 1 })`, "dim, keepdim, dtype, out, where"] as const,
  ),
  ...["argmin", "argmax"].map((name) => [`${x}.${name}(0, { q: 1 })`, "dim, keepdim, dtype, out"] as const),
  [`${x}.min(0, { q: 1 })`, "dim, keepdim, dtype, out, indices"],
  [`${x}.max({ q: 1 })`, "dim, keepdim, dtype, out, indices"],
  [`${x}.aminmax({ q: 1 })`, "dim, keepdim"],
  [`${x}.softmax(0, { q: 1 })`, "dtype"],
  [`${x}.logSoftmax(0, { q: 1 })`, "dtype"],
  [`${x}.cumsum(0, { q: 1 })`, "dtype"],
  [`${x}.cumprod(0, { q: 1 })`, "dtype"],
  ...["median", "nanmedian", "mode"].map((name) => [`${x}.${name}(0, { q: 1 })`, "keepdim"] as const),
  [`${x}.quantile(0.5, 0, { q: 1 })`, "interpolation, keepdim"],
  [`${x}.nanquantile(0.5, 0, { q: 1 })`, "interpolation, keepdim"],
  [`${x}.sort(0, { q: 1 })`, "descending, stable"],
  [`${x}.argsort(0, { q: 1 })`, "descending, stable"],
  [`${x}.topk(1, 0, { q: 1 })`, "largest, sorted"],
  [`${x}.kthvalue(1, 0, { q: 1 })`, "keepdim"],
  [`${x}.unique({ q: 1 })`, "returnInverse, returnCounts, dim, sorted"],
  [`${x}.uniqueConsecutive({ q: 1 })`, "returnInverse, returnCounts, dim, sorted"],
  [`${x}.nonzero({ q: 1 })`, "asTuple"],
  [`${x}.searchsorted(${x}, { q: 1 })`, "right, side, sorter"],
  [`${x}.bucketize(jl.ones([2]), { q: 1 })`, "right, side"],
  [`${index}.bincount({ q: 1 })`, "weights, minlength"],
  [`${x}.histogram(3, { q: 1 })`, "range, weight, density"],
  [`${x}.isin(1, { q: 1 })`, "invert"],
  [`${x}.allclose(${x}, { q: 1 })`, "rtol, atol, equalNan"],
  [`${x}.pad([1, 1], { q: 1 })`, "mode, value"],
  [`${x}.diff(1, 0, { q: 1 })`, "prepend, append"],
  [`${x}.addmm(${x}, ${x}, { q: 1 })`, "alpha, beta"],
  [`${x}.indexAdd(0, ${index}, jl.ones([1, 2]), { q: 1 })`, "alpha"],
  [`${x}.indexAdd_(0, ${index}, jl.ones([1, 2]), { q: 1 })`, "alpha"],
  [`${x}.scatterReduce(0, jl.tensor([[0n]]), ${x}, "sum", { q: 1 })`, "includeSelf"],
  [`${x}.scatterReduce_(0, jl.tensor([[0n]]), ${x}, "sum", { q: 1 })`, "includeSelf"],
  [`${x}.indexPut_([${index}], 1, { q: 1 })`, "accumulate"],
  [`${x}.multinomial(1, { q: 1 })`, "replacement, generator"],
  [`${x}.bernoulli({ q: 1 })`, "generator"],
  [`${x}.poisson({ q: 1 })`, "generator"],
  [`jl.meshgrid([jl.ones([2])], { q: 1 })`, "indexing"],
  ...["empty", "zeros", "ones"].map((name) => [`jl.${name}([2], { q: 1 })`, "dtype, device"] as const),
  ...["emptyLike", "zerosLike", "onesLike"].map(
    (name) => [`jl.${name}(${x}, { q: 1 })`, "dtype, device"] as const,
  ),
  ...[
    "rand([2], ",
    "randn([2], ",
    "exponential([2], 1, ",
    `randLike(${x}, `,
    `randnLike(${x}, `,
    "randint(0, 2, [2], ",
    `randintLike(${x}, 0, 2, `,
    "randperm(2, ",
    "normal(0, 1, [2], ",
  ].map((call) => [`jl.${call}{ q: 1 })`, "dtype, device, generator"] as const),
  [`jl.tensor([1], { q: 1 })`, "dtype, device"],
  [`jl.full([2], 1, { q: 1 })`, "dtype, device"],
  [`jl.fullLike(${x}, 1, { q: 1 })`, "dtype, device"],
  [`jl.arange(0, 2, 1, { q: 1 })`, "dtype, device"],
  [`jl.linspace(0, 1, 2, { q: 1 })`, "dtype, device"],
  [`jl.logspace(0, 1, 2, { q: 1 })`, "dtype, device, base"],
  [`jl.eye(2, 2, { q: 1 })`, "dtype, device"],
  [`jl.identity(2, { q: 1 })`, "dtype, device"],
  [`jl.fromTypedArray(new Float32Array(2), { q: 1 })`, "dtype, shape"],
  [`jl.fromArrow({ chunks: [] }, { q: 1 })`, "device"],
  [`jl.saveSafetensors(${file}, {}, { q: 1 })`, "metadata"],
  [`jl.loadSafetensors(${file}, { q: 1 })`, "device"],
  [`jl.load(${file}, { q: 1 })`, "device"],
  [`jl.loadNpz(${file}, { q: 1 })`, "device, arrays"],
  [`jl.add(${x}, 1, { q: 1 })`, "alpha, out"],
  [`${x}.conv1d(${x}, { q: 1 })`, "bias, stride, padding, dilation, groups"],
  [`${x}.conv2d(${x}, { q: 1 })`, "bias, stride, padding, dilation, groups"],
  [`${x}.convTranspose2d(${x}, { q: 1 })`, "bias, stride, padding, outputPadding, groups, dilation"],
  [`${x}.interpolate({ q: 1 })`, "size, scaleFactor, mode, alignCorners"],
  [`jl.readCsv(${file}, { q: 1 })`, "delimiter, device"],
  [`${x}.maxPool2d(2, { q: 1 })`, "stride, padding, dilation"],
  [`${x}.avgPool2d(2, { q: 1 })`, "stride, padding, countIncludePad"],
  [`${x}.cov({ q: 1 })`, "correction, fweights, aweights"],
  [`${x}.interp(${x}, ${x}, { q: 1 })`, "left, right"],
  [`${x}.trapezoid({ q: 1 })`, "x, dx, dim"],
  [`${x}.trapz({ q: 1 })`, "x, dx, dim"],
  [`${x}.gradient({ q: 1 })`, "spacing, dim, edgeOrder"],
  ["jl.geomspace(1, 2, 2, { q: 1 })", "dtype, device"],
  ['jl.readImage("a.png", { q: 1 })', "device"],
  ['jl.writeImage("a.png", jl.ones([2, 2, 3]), { q: 1 })', "quality"],
  ['jl.readParquet("a.parquet", { q: 1 })', "device"],
  ['jl.loadTree("a.safetensors", { q: 1 })', "like, device"],
];

test.each(unknown)("an unknown option: %s", async (call, options) => {
  const calling = (async () => new Function("jl", `return ${call};`)(jl))();
  const thrown: jl.JitlabError = await calling.then(
    () => expect.fail("taken"),
    (error) => error,
  );
  const said = `${thrown.code}: ${thrown.message}`;
  expect(said).toMatch(/^unknown-option: \w+ has no option "q"\.\n/);
  expect(said).toContain(`Its options are ${options}.`);
});

test("every function with options is among these", () => {
  const page = readFileSync(new URL("../../docs/tensors.md", import.meta.url), "utf8");
  const takes = [...page.matchAll(/^`jl\.(\w+)\(.*?\b\w+\?: \w*Options\b/gm)].map(
    ([, name]) => name as string,
  );
  expect(takes.length).toBeGreaterThan(50);
  const called = new Set(
    unknown.map(([call]) => /(\w+)\((?:[^()]|\([^()]*\))*\{ q: 1 \}\)$/.exec(call)?.[1]),
  );
  expect(takes.filter((name) => !called.has(name))).toEqual([]);
});

test("an option by NumPy's name is recognized", () => {
  expect(refusal(() => jl.eye(2).std({ axis: 0 } as object))).toContain('Did you mean "dim"?');
  expect(refusal(() => jl.zeros([2], { axis: 0 } as object))).not.toContain('"dim"');
});

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
