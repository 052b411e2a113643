// jl.autocast: dtypes, values and gradients beside PyTorch's, and how it composes with derivatives and compiled functions.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { isCompiled, useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { expectWritten, tensorOf, type Written, writtenData } from "../support/written.js";

type Half = "float16" | "bfloat16";

const { inputs, cases } = writtenData<{
  readonly inputs: Readonly<Record<string, Written>>;
  readonly cases: readonly {
    dtype: Half;
    call: string;
    result: Written;
    gradients: Readonly<Record<string, Written>>;
  }[];
}>("autocast.json.gz");

const errors = { bfloat16: [2 ** -6, 2 ** -5], float16: [2 ** -9, 2 ** -8] } as const;

beforeAll(useAnyDevice);

test.each(cases.map((one) => [one.dtype, one.call, one] as const))(
  "%s: %s",
  (dtype, call, { result, gradients }) => {
    const tensors = Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, tensorOf(one)]));
    const text = new Function("jl", ...Object.keys(tensors), `return ${call};`);
    const run = jl.autocast(dtype, () => text(jl, ...Object.values(tensors)) as jl.Tensor);
    const found = run();
    expect(found.dtype.name).toBe(result.dtype);
    const [error, gradientError] = errors[dtype];
    expectWritten(found, result, error, call);
    expect(jl.compile(run)().equal(found)).toBe(true);
    const wanted = Object.keys(gradients);
    if (wanted.length === 0) return;
    const chosen = Object.fromEntries(wanted.map((name) => [name, tensors[name] as jl.Tensor]));
    const loss = () => {
      const value = run();
      const { size, shape } = value;
      return value
        .mul(
          jl
            .arange(1, size + 1, 1, { dtype: "float32" })
            .cos()
            .reshape(shape),
        )
        .sum();
    };
    const { grad } = jl.gradients(loss, chosen);
    const compiled = jl.compile(() => jl.gradients(loss, chosen))();
    for (const name of wanted) {
      const one = grad[name] as jl.Tensor;
      expect(one.dtype.name).toBe("float32");
      expectWritten(one, gradients[name] as Written, gradientError, `${call}: ${name} `);
      expect(one.equal(compiled.grad[name] as jl.Tensor), name).toBe(true);
    }
  },
);

const waves = (...shape: number[]) =>
  jl
    .arange(shape.reduce((a, b) => a * b))
    .to("float32")
    .sin()
    .reshape(shape);

const cast = <T>(run: () => T): T => jl.autocast("bfloat16", run)();

test("functions of the list take half types as float32, others keep them", () => {
  const x = waves(4, 4).to("bfloat16");
  const positive = x.abs().add(1);
  const full = {
    exp: () => x.exp(),
    log: () => positive.log(),
    pow: () => positive.pow(0.5),
    softplus: () => x.softplus({ beta: 2 }),
    softmax: () => x.softmax(1),
    logSoftmax: () => x.logSoftmax(1),
    logsumexp: () => x.logsumexp(),
    norm: () => x.norm(),
    vectorNorm: () => x.vectorNorm(),
    sum: () => x.sum(),
    mean: () => x.mean(0),
    prod: () => x.prod(1),
    cumsum: () => x.cumsum(1),
    cumprod: () => x.cumprod(1),
    cdist: () => x.cdist(x),
    layerNorm: () => jl.layerNorm(x, 4, { bias: waves(4) }),
    rmsNorm: () => jl.rmsNorm(x, 4),
    mseLoss: () => jl.mseLoss(x, waves(4, 4)),
    l1Loss: () => jl.l1Loss(x, x),
    huberLoss: () => jl.huberLoss(x, x),
    crossEntropy: () => jl.crossEntropy(x, jl.tensor([0n, 1n, 2n, 3n])),
    nllLoss: () => jl.nllLoss(x, jl.tensor([0n, 1n, 2n, 3n])),
    interpolate: () => x.view(1, 4, 4).interpolate({ size: 8 }),
  };
  for (const [name, run] of Object.entries(full)) {
    expect(cast(run).dtype.name, name).toBe("float32");
    expect(run().dtype.name, name).toBe("bfloat16");
  }
  const w = waves(4, 4);
  const lower = {
    matmul: () => w.matmul(x),
    mm: () => w.mm(w),
    bmm: () => w.view(1, 4, 4).bmm(w.view(1, 4, 4)),
    mv: () => w.mv(w.select(0, 1)),
    dot: () => w.select(0, 0).dot(w.select(0, 1)),
    addmm: () => w.addmm(x, w),
    tensordot: () => w.tensordot(x, 1),
    einsum: () => jl.einsum("ij,jk->ik", w, x),
    conv1d: () => w.view(1, 4, 4).conv1d(waves(2, 4, 3), { bias: waves(2) }),
    conv2d: () => w.view(1, 4, 4).conv2d(waves(1, 1, 3, 3)),
    convTranspose2d: () => w.view(1, 4, 4).convTranspose2d(waves(1, 1, 3, 3)),
    scaledDotProductAttention: () => jl.scaledDotProductAttention(w, x, w),
    prelu: () => w.prelu(0.5),
  };
  for (const [name, run] of Object.entries(lower)) expect(cast(run).dtype.name, name).toBe("bfloat16");
  for (const run of [() => x.tanh(), () => x.mul(x), () => x.max(), () => x.std(), () => jl.cat([x, x])])
    expect(cast(run).dtype.name).toBe("bfloat16");
  expect(cast(() => x.mul(w)).dtype.name).toBe("float32");
  expect(cast(() => jl.tensor([1, 2]).to("float64").exp()).dtype.name).toBe("float64");
  expect(cast(() => jl.arange(3).sum()).dtype.name).toBe("int64");
  // What writes into a tensor keeps its dtype.
  expect(cast(() => x.clone().exp_()).dtype.name).toBe("bfloat16");
});

test("a dtype that a call names stays, as in PyTorch", () => {
  const calls: Record<string, (x: jl.Tensor, dtype: jl.DTypeName) => jl.Tensor> = {
    sum: (x, dtype) => x.sum({ dtype }),
    mean: (x, dtype) => x.mean(1, { dtype }),
    prod: (x, dtype) => x.prod({ dim: 0, dtype }),
    "sum where": (x, dtype) => x.sum({ dtype, where: x.gt(0) }),
    "mean where": (x, dtype) => x.mean({ dtype, where: x.gt(0) }),
    cumsum: (x, dtype) => x.cumsum(1, { dtype }),
    cumprod: (x, dtype) => x.cumprod(1, { dtype }),
    softmax: (x, dtype) => x.softmax(1, { dtype }),
    logSoftmax: (x, dtype) => x.logSoftmax(1, { dtype }),
  };
  for (const [name, run] of Object.entries(calls)) {
    for (const own of ["float32", "bfloat16", "float64"] as const) {
      for (const dtype of ["bfloat16", "float16", "float32", "float64"] as const) {
        const x = waves(4, 4).to(own);
        const found = cast(() => run(x, dtype));
        expect(found.dtype.name, `${name} of ${own}`).toBe(dtype);
        expect(found.equal(run(x, dtype)), `${name} of ${own} in ${dtype}`).toBe(true);
      }
    }
  }
  const x = waves(4, 4).to("bfloat16");
  expect(cast(() => x.mean({ where: x.gt(0) })).dtype.name).toBe("float32");
});

const model = (w: jl.Tensor, x: jl.Tensor) => x.matmul(w).tanh().matmul(w).exp().mean();

test("outside and inside of derivatives and compiled functions it gives the same bits", () => {
  const [w, x] = [waves(8, 8), waves(4, 8)];
  const inside = jl.valueAndGrad(jl.autocast("bfloat16", model));
  const expected = inside(w, x);
  const forms = [
    jl.autocast("bfloat16", jl.valueAndGrad(model)),
    jl.compile(inside),
    jl.autocast("bfloat16", jl.compile(jl.valueAndGrad(model))),
    jl.compile(jl.autocast("bfloat16", jl.valueAndGrad(model)), { replay: true }),
    jl.autocast("bfloat16", jl.compile(jl.valueAndGrad(model), { replay: true })),
    jl.autocast("bfloat16", (own: jl.Tensor, y: jl.Tensor) => jl.gradients(() => model(own, y), own)),
    jl.autocast("bfloat16", jl.valueAndGrad(jl.checkpoint(model))),
    jl.valueAndGrad(jl.autocast("bfloat16", jl.checkpoint(model))),
    jl.valueAndGrad(jl.checkpoint(jl.autocast("bfloat16", model))),
    jl.autocast("bfloat16", jl.valueAndGrad(jl.compile(model))),
    jl.autocast(
      "bfloat16",
      jl.compile((own: jl.Tensor, y: jl.Tensor) => jl.eager(() => jl.valueAndGrad(model)(own, y))),
    ),
    (own: jl.Tensor, y: jl.Tensor) => {
      const { value, pull } = jl.vjp(jl.autocast("bfloat16", model), own, y);
      return { value, grad: cast(() => pull(jl.ones([])))[0] };
    },
  ];
  for (const [i, form] of forms.entries()) {
    for (let call = 0; call < 5; call++) {
      const { value, grad } = form(w, x);
      expect(value.item(), `${i}`).toBe(expected.value.item());
      expect(grad.equal(expected.grad), `${i}`).toBe(true);
    }
  }
  const { value, tangent } = jl.autocast("bfloat16", jl.jvp)((one: jl.Tensor) => model(one, x), [w], [w]);
  expect(value.item()).toBe(expected.value.item());
  expect(tangent.dtype.name).toBe("float32");
  const rows = jl.autocast("bfloat16", jl.jacobian(model))(w, x);
  expect(rows.equal(expected.grad)).toBe(true);
});

test("one replayed function runs with and without it", () => {
  const step = jl.compile((x: jl.Tensor) => x.matmul(x), { replay: true });
  const x = waves(4, 4);
  for (let call = 0; call < 4; call++) {
    expect(step(x).dtype.name).toBe("float32");
    expect(jl.autocast("bfloat16", step)(x).dtype.name).toBe("bfloat16");
    expect(jl.autocast("float16", step)(x).dtype.name).toBe("float16");
  }
});

test("a parameter is cast once, and again after a write into it", () => {
  const w = waves(4, 4);
  const twice = jl.compile(() => cast(() => w.matmul(w).add(w.T.matmul(w))), { backend: "steps" });
  const half = w.to("bfloat16");
  expect(twice().equal(half.matmul(half).add(half.T.matmul(half)))).toBe(true);
  // A processor whose products are a library's casts their halves too.
  if (!isCompiled) {
    const names = twice.program()?.kernels.map(({ name }) => name);
    expect(names).toEqual(["copy", "matmul", "copy", "matmul", "add"]);
  }
  const products = cast(() => {
    const first = w.matmul(w);
    w.mul_(3);
    return [first, w.matmul(w)];
  });
  const after = w.to("bfloat16");
  expect(
    products.map((one, i) => one.equal([half.matmul(half), after.matmul(after)][i] as jl.Tensor)),
  ).toEqual([true, true]);
  // A cast that is a constant is not one elsewhere.
  const grad = jl.grad(
    jl.autocast("bfloat16", (x: jl.Tensor) => {
      const constant = jl.stopGradient(() => x.matmul(x).sum());
      return x.matmul(x).sum().add(constant);
    }),
  )(w);
  expect(grad.equal(jl.grad(jl.autocast("bfloat16", (x: jl.Tensor) => x.matmul(x).sum()))(w))).toBe(true);
});

test("the inner dtype holds, and an error ends it", () => {
  const x = waves(2, 2);
  const inner = jl.autocast("float16", () => x.matmul(x));
  const found = cast(() => [inner(), x.matmul(x)]);
  expect(found.map(({ dtype }) => dtype.name)).toEqual(["float16", "bfloat16"]);
  expect(() =>
    cast(() => {
      throw new Error("mine");
    }),
  ).toThrow("mine");
  expect(x.matmul(x).dtype.name).toBe("float32");
});

test("it keeps the arguments, this and the name of its function", () => {
  const fn = jl.autocast(
    "bfloat16",
    function scaled(this: { by: number }, tree: { x: jl.Tensor }, by: number) {
      return { y: tree.x.matmul(tree.x).mul(this.by * by) };
    },
  );
  expect(fn.name).toBe("scaled");
  expect(fn.call({ by: 2 }, { x: jl.eye(2) }, 3).y.toArray()).toEqual([
    [6, 0],
    [0, 6],
  ]);
});

test("what it refuses", async () => {
  expect(refusal(() => jl.autocast("float64" as Half, () => 1))).toMatchInlineSnapshot(`
    "bad-argument: autocast: the dtype is "float64".
    Products take "bfloat16" or "float16"; what is not cast needs no autocast."
  `);
  expect(refusal(() => jl.autocast("bfloat16", 3 as never))).toMatchInlineSnapshot(`
    "bad-argument: autocast: what to run is 3, not a function.
    Pass a function."
  `);
  expect(refusal(() => jl.autocast("bfloat16", async () => 1)())).toMatchInlineSnapshot(`
    "bad-argument: autocast: the function is async.
    Operands are cast while the function runs: load data before, and pass it as an argument."
  `);
  expect(jl.eye(2).matmul(jl.eye(2)).dtype.name).toBe("float32");
});
