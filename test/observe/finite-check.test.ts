// jl.checkFinite: the operation and the line that make the first NaN or infinity, in functions of all kinds, and nothing in clean ones.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useDevice);

type Fn = (...args: jl.Tensor[]) => unknown;
/** Its name, the operation that is wrong (or the one whose gradient is), the text at its place, the function and its arguments. */
type Fault = readonly [string, string, string, Fn, ...jl.Tensor[]];

const t = (...list: number[]) => jl.tensor(list);
const m = (...rows: number[][]) => jl.tensor(rows);
const half = (...list: number[]) => t(...list).to("float16");
const big = 3e38;
const inverse = jl.jit("template <typename T> T inverse(T x) { return T(1) / x; }");
const root = jl.jit(function root(x: number): number {
  return Math.sqrt(x);
});
const both = jl.jit(
  "template <typename T> void both(T x, T& up, T& down) { up = x + T(1); down = T(1) / x; }",
);
const product = jl.reduction("template <typename T> T product(T a, T b) { return a * b; }", { identity: 1 });
const sumOf = (f: Fn) => jl.grad((...args: jl.Tensor[]) => (f(...args) as jl.Tensor).sum());

function faults(): Fault[] {
  return [
    ["log at zero", "log", "log(", (x) => x.add(0).log().exp(), t(1, 0, 2)],
    ["division by zero", "div", "div(", (x, y) => x.mul(2).div(y).add(1), t(1, 2), t(1, 0)],
    ["zero by zero", "div", "div(", (x) => x.div(x), t(1, 0)],
    ["root of a negative number", "sqrt", "sqrt(", (x) => x.sub(1).sqrt().sum(), t(4, 0.5)],
    ["reciprocal", "reciprocal", "reciprocal(", (x) => x.relu().reciprocal(), t(1, -2)],
    ["rsqrt", "rsqrt", "rsqrt(", (x) => x.square().rsqrt(), t(1, 0)],
    ["overflow of exp", "exp", "exp(", (x) => x.mul(10).exp().log(), t(1, 9)],
    ["overflow of square", "square", "square(", (x) => x.square().sqrt(), t(1, 1e30)],
    ["overflow of mul", "mul", "mul(", (x) => x.add(1).mul(x), t(1, 1e30)],
    ["overflow of add", "add", "add(", (x) => x.abs().add(x), t(1, big)],
    ["a negative power", "pow", "pow(", (x) => x.pow(-1).add(1), t(1, 0)],
    ["a root as a power", "pow", "pow(", (x) => x.neg().pow(0.5), t(-1, 2)],
    ["acos outside", "acos", "acos(", (x) => x.mul(1.5).acos(), t(0.1, 1)],
    ["atanh at one", "atanh", "atanh(", (x) => x.atanh(), t(0, 1)],
    ["log1p at minus one", "log1p", "log1p(", (x) => x.log1p(), t(0, -1)],
    ["lgamma at zero", "lgamma", "lgamma(", (x) => x.lgamma(), t(2, 0)],
    ["erfinv at one", "erfinv", "erfinv(", (x) => x.erfinv(), t(0, 1)],
    ["fmod by zero", "fmod", "fmod(", (x, y) => x.fmod(y), t(2, 3), t(1, 0)],
    ["infinity minus infinity", "sub", "sub(", (x) => x.sub(x), t(1, Infinity)],
    ["infinity times zero", "mul", "mul(", (x) => x.mul(0), t(1, Infinity)],
    ["softmax of masked rows", "sub", "softmax(", (x) => x.softmax(-1), m([-Infinity, -Infinity], [0, 1])],
    ["a sum", "sum", "sum(", (x) => x.abs().sum(0), m([big, 1], [big, 1])],
    ["a product", "prod", "prod(", (x) => x.prod(1), m([1e20, 1e20], [1, 2])],
    ["a mean of nothing", "mean", "mean(", (x) => x.at("0:0").mean(), t(1, 2)],
    ["a cumulative product", "cumprod", "cumprod(", (x) => x.cumprod(0), t(1e20, 1e20, 2)],
    ["a cumulative sum", "cumsum", "cumsum(", (x) => x.cumsum(0).sum(), t(big, big)],
    ["a matrix product", "matmul", "matmul(", (x) => x.matmul(x), m([big, 1], [1, big])],
    ["a deviation of one", "div", "std(", (x) => x.at("0:1").std(), t(1, 2)],
    ["a cast to half", "copy", "to(", (x) => x.mul(1).to("float16"), t(1, 70000)],
    ["half overflow", "mul", "mul(", (x) => x.mul(x), half(1, 300)],
    ["complex division", "div", "div(", (x) => x.to("complex64").div(0), t(1, 2)],
    ["a double", "exp", "exp(", (x) => x.to("float64").exp(), t(1, 1000)],
    ["in place", "log", "log_(", (x) => x.clone().sub_(1).log_(), t(3, 2, 0.5)],
    ["into a part", "div", "div_(", (x) => x.clone().at("1:").div_(0), t(0, 1, 2)],
    ["a row operation", "div", "div(", (x) => x.div(x.norm({ dim: 1, keepdim: true })), m([1, 2], [0, 0])],
    [
      "into places",
      "indexAdd_",
      "indexAdd_(",
      (x) => x.clone().indexAdd_(0, jl.tensor([0n, 0n]), t(big, big)),
      t(1, 2),
    ],
    ["where computes both", "log", "log(", (x) => jl.where(x.gt(0), x.log(), 0), t(1, 0)],
    ["a functor in C++", "inverse", "inverse(", (x) => inverse(x.relu()), t(1, -1)],
    ["a functor in TypeScript", "root", "root(", (x) => root(x), t(1, -1)],
    ["a functor with two results", "both", "both(", (x) => both(x), t(1, 0)],
    ["a reduction of one's own", "product", "product(", (x) => product(x), t(1e20, 1e20)],
    ["a fused expression", "fused", "`", (x) => jl.fuse`${x} / (${x} - 1)`, t(2, 1)],
    ["compiled", "log", "log(", jl.compile((x: jl.Tensor) => x.sub(1).log().sum()), t(2, 1)],
    ["compiled for replays", "sqrt", "sqrt(", replayed((x) => x.sub(1).sqrt().sum()), t(2, 0)],
    ["compiled gradient", "gradient of sqrt", "sqrt(", jl.compile(sumOf((x) => x.sqrt())), t(4, 0)],
    ["mapped", "log", "log(", jl.vmap((x: jl.Tensor) => x.sum().log()), m([1, 2], [-1, 1])],
    ["mapped gradient", "gradient of sqrt", "sqrt(", jl.vmap(sumOf((x) => x.sqrt())), m([1, 2], [0, 1])],
    ["gradient of where", "gradient of sqrt", "sqrt(", sumOf((x) => jl.where(x.gt(0), x.sqrt(), 0)), t(0, 1)],
    [
      "gradient of a root at zero",
      "gradient of sqrt",
      "sqrt(",
      sumOf((x) => x.mul(2).sqrt().add(1)),
      t(0, 1),
    ],
    ["gradient of a power", "gradient of pow", "pow(", sumOf((x) => x.pow(0.5).mul(3)), t(0, 1)],
    ["gradient of a logarithm", "gradient of log", "log(", sumOf((x) => x.mul(1e-30).log()), t(1e-12, 1)],
    [
      "gradient of a root of squares",
      "gradient of sqrt",
      "sqrt(",
      jl.grad((x: jl.Tensor) => x.square().sum().sqrt()),
      t(0, 0),
    ],
    ["gradient of an arc cosine", "gradient of acos", "acos(", sumOf((x) => x.acos()), t(1, 0)],
    [
      "gradient of a reciprocal",
      "gradient of reciprocal",
      "reciprocal(",
      sumOf((x) => x.reciprocal()),
      t(1e-30, 1),
    ],
    ["gradient of a functor", "gradient of root", "root(", sumOf((x) => root(x)), t(0, 1)],
    ["second derivative", "gradient of sqrt", "sqrt(", jl.hessian((x: jl.Tensor) => x.sqrt().sum()), t(0, 1)],
    [
      "checkpoint",
      "gradient of sqrt",
      "sqrt(",
      jl.grad((x: jl.Tensor) => jl.checkpoint((y: jl.Tensor) => y.sqrt().sum())(x)),
      t(0, 1),
    ],
    ["vjp", "gradient of sqrt", "sqrt(", (x) => jl.vjp((y: jl.Tensor) => y.sqrt(), x).pull(t(0, 1)), t(0, 1)],
    [
      "a loop",
      "mul",
      "mul(",
      (x) => Array.from({ length: 9 }).reduce((y: jl.Tensor) => y.mul(y), x),
      t(2, 1.5),
    ],
    [
      "scan",
      "mul",
      "mul(",
      (x) => jl.scan((carry: jl.Tensor, e: jl.Tensor) => [carry.mul(e), carry], jl.tensor(1), x),
      t(1e20, 1e20),
    ],
    [
      "autocast",
      "matmul",
      "matmul(",
      jl.autocast("float16", (x: jl.Tensor) => x.matmul(x).sum()),
      m([300, 1], [300, 1]),
    ],
    [
      "gradient of a norm",
      "gradient of pow",
      "norm(",
      jl.grad((x: jl.Tensor) => x.norm({ p: 0.5 })),
      t(0, 1),
    ],
    ["gradient of a unit vector", "div", "div(", jl.grad((x: jl.Tensor) => x.div(x.norm()).sum()), t(0, 0)],
    [
      "gradient of where and a power",
      "gradient of pow",
      "pow(",
      sumOf((x) => jl.where(x.gt(0), x.pow(0.5), 0)),
      t(0, 1),
    ],
    ["gradient of a C++ functor", "gradient of inverse", "inverse(", sumOf((x) => inverse(x)), t(1e-30, 1)],
    ["a mapped C++ functor", "inverse", "inverse(", jl.vmap((x: jl.Tensor) => inverse(x)), m([1, 0], [1, 2])],
    [
      "a mapped gradient of a functor",
      "gradient of root",
      "root(",
      jl.vmap(sumOf((x) => root(x))),
      m([1], [0]),
    ],
    ["a compiled functor", "inverse", "inverse(", jl.compile((x: jl.Tensor) => inverse(x.relu())), t(-1, 2)],
    [
      "compiled writes in place",
      "log",
      "log_(",
      jl.compile((x: jl.Tensor) => x.clone().sub_(1).log_().sum()),
      t(1, 2),
    ],
    ["a replayed gradient", "gradient of sqrt", "sqrt(", replayed(sumOf((x) => x.sub(1).sqrt())), t(1, 2)],
    [
      "gradient of a scan",
      "gradient of sqrt",
      "sqrt(",
      jl.grad((x: jl.Tensor) =>
        jl.scan((c: jl.Tensor, e: jl.Tensor) => [c.mul(e).sqrt(), c], jl.tensor(1), x).carry.sum(),
      ),
      t(0, 1),
    ],
    [
      "whileLoop",
      "mul",
      "mul(",
      (x) =>
        jl.whileLoop(
          (y) => y.sum().lt(Infinity),
          (y) => y.mul(y),
          x,
          { most: 9 },
        ),
      t(2, 3),
    ],
    [
      "compiled autocast",
      "matmul",
      "matmul(",
      jl.compile(jl.autocast("float16", (x: jl.Tensor) => x.matmul(x).sum())),
      m([300, 1], [300, 1]),
    ],
    [
      "overflow in a replayed training step",
      "gradient of matmul",
      "matmul(",
      trainedByReplays(m([1, 2], [3, 4])),
      m([0.1], [0.2]),
    ],
    [
      "overflow in a later training step",
      "gradient of matmul",
      "matmul(",
      trained,
      m([1, 2], [3, 4]),
      m([0.1], [0.2]),
    ],
  ];
}

/** Called three times with other elements before. */
function replayed(f: (x: jl.Tensor) => jl.Tensor): Fn {
  const compiled = jl.compile(f, { replay: true });
  for (let i = 0; i < 3; i++) compiled(t(3, 4 + i));
  return compiled;
}

/** Training in half precision, whose loss scale doubles each step until the gradient overflows. */
function trained(x: jl.Tensor, w: jl.Tensor): jl.Tensor {
  const loss = jl.autocast("float16", (own: jl.Tensor, scale: number) => x.matmul(own).sum().mul(scale));
  let scale = 1024;
  for (let step = 0; step < 12; step++, scale *= 2) {
    const g = jl
      .grad((own: jl.Tensor) => loss(own, scale))(w)
      .div(scale);
    w = w.sub(g.mul(1e-3));
  }
  return w;
}

/** The same by a compiled step, which was replayed before. */
function trainedByReplays(x: jl.Tensor): Fn {
  const loss = jl.autocast("float16", (own: jl.Tensor, scale: number) => x.matmul(own).sum().mul(scale));
  const step = jl.compile(
    (w: jl.Tensor, scale: number) => {
      const g = jl.grad((own: jl.Tensor) => loss(own, scale))(w);
      return w.sub(g.div(scale).mul(1e-3));
    },
    { replay: true },
  );
  const train = (w: jl.Tensor, from: number, steps: number): jl.Tensor =>
    steps === 0 ? w : train(step(w, from), from * 2, steps - 1);
  train(m([0.3], [0.4]), 8, 5);
  return (w) => train(w, 1024, 12);
}

function cleans(): readonly (readonly [string, Fn, ...jl.Tensor[]])[] {
  const x = t(-1, 0, 2);
  const rows = m([1, 2, 3], [4, 5, 6]);
  const causal = m([0, -Infinity], [0, 0]);
  const index = jl.tensor([0n, 1n]);
  return [
    ["arithmetic", (a) => a.mul(2).add(1).sub(a).div(3), x],
    ["a NaN of the caller", (a) => a.mul(2).exp().sum(), t(NaN, 1)],
    ["an infinity of the caller", (a) => a.add(1).abs(), t(Infinity, -Infinity)],
    ["a mask", (a) => a.maskedFill(a.gt(1), -Infinity).softmax(-1), x],
    ["a causal mask", (a) => a.add(causal).softmax(-1), m([1, 2], [3, 4])],
    ["an infinite start", (a) => jl.full([3], -Infinity).maximum(a), x],
    ["a tensor of infinities", (a) => jl.tensor([Infinity, NaN, 1]).add(a), x],
    ["infinities that are dropped", (a) => jl.where(a.gt(0), a, Infinity).amin(), x],
    ["nanToNum", (a) => a.nanToNum(), t(NaN, Infinity, 1)],
    ["isnan", (a) => a.isnan().any(), t(NaN, 1)],
    ["nansum", (a) => a.nansum(), t(NaN, 1)],
    ["nanmean", (a) => a.nanmean(), t(NaN, 1)],
    ["softmax", (a) => a.mul(1e30).softmax(-1), x],
    ["logSoftmax", (a) => a.mul(100).logSoftmax(-1), x],
    ["logsumexp", (a) => a.mul(1e5).logsumexp(0), x],
    ["logaddexp", (a) => a.mul(1e5).logaddexp(a), x],
    ["sigmoid", (a) => a.mul(1e30).sigmoid(), x],
    ["softplus", (a) => a.mul(1e30).softplus(), x],
    ["tanh", (a) => a.mul(1e30).tanh(), x],
    ["gelu", (a) => a.mul(1e3).gelu(), x],
    ["xlogy", (a) => a.relu().xlogy(a.relu()), x],
    ["hypot", (a) => a.mul(1e30).hypot(a), x],
    ["integers", (a) => a.to("int32").mul(2 ** 30), x],
    ["overflow of integers", (a) => a.to("int8").mul(100), x],
    ["bools", (a) => a.gt(0).logicalNot(), x],
    ["half", (a) => a.to("float16").mul(100), x],
    ["bfloat16", (a) => a.mul(1e38).to("bfloat16"), x],
    ["complex", (a) => a.to("complex64").exp().abs(), x],
    ["layerNorm of equal elements", (a) => jl.layerNorm(a.mul(0), [3]), rows],
    ["rmsNorm of zeros", (a) => jl.rmsNorm(a.mul(0), [3]), rows],
    ["groupNorm of zeros", (a) => jl.groupNorm(a.mul(0).reshape(1, 2, 3), 1), rows],
    ["std", (a) => a.std(1), rows],
    ["gradient of a deviation", jl.grad((a: jl.Tensor) => a.std()), t(2, 2)],
    ["var of equal elements", (a) => a.mul(0).var(), rows],
    ["norm at zero", (a) => a.mul(0).norm(), x],
    ["gradient of norm at zero", jl.grad((a: jl.Tensor) => a.norm()), t(0, 0)],
    ["gradient of abs at zero", sumOf((a) => a.abs()), x],
    ["gradient of square", sumOf((a) => a.pow(2)), x],
    ["gradient of a cube", sumOf((a) => a.pow(3)), x],
    ["gradient of relu", sumOf((a) => a.relu()), x],
    ["gradient of a guarded root", sumOf((a) => jl.where(a.gt(0), a, 1).sqrt()), x],
    ["gradient of clamp", sumOf((a) => a.clamp({ min: 1e-6 }).log()), x],
    ["gradient of a masked softmax", sumOf((a) => a.maskedFill(a.lt(0), -Infinity).softmax(-1).square()), x],
    ["gradient of logsumexp", jl.grad((a: jl.Tensor) => a.mul(1e4).logsumexp(0)), x],
    ["gradient of softplus", sumOf((a) => a.mul(1e4).softplus()), x],
    ["gradient of amax", jl.grad((a: jl.Tensor) => a.amax()), t(1, 1)],
    ["gradient of prod with a zero", jl.grad((a: jl.Tensor) => a.prod()), x],
    ["gradient of cumprod with a zero", sumOf((a) => a.cumprod(0)), x],
    ["second derivative", jl.hessian((a: jl.Tensor) => a.pow(3).sum()), x],
    ["crossEntropy", (a) => jl.crossEntropy(a.mul(1e4), index), rows],
    ["gradient of crossEntropy", jl.grad((a: jl.Tensor) => jl.crossEntropy(a.mul(1e4), index)), rows],
    ["bceWithLogits", (a) => jl.bceWithLogits(a.mul(1e5), a.gt(0).to("float32")), x],
    ["attention", (a) => jl.scaledDotProductAttention(a, a, a, { isCausal: true }), m([1, 2], [3, 4])],
    ["maxPool2d", (a) => jl.maxPool2d(a.reshape(1, 1, 2, 3), 2, { padding: 1 }), rows],
    ["sort", (a) => a.sort().values, x],
    ["cummax", (a) => a.cummax(0).values, x],
    ["matmul", (a) => a.matmul(a.T), rows],
    ["solve", (a) => jl.linalg.solve(a, t(1, 2)), m([2, 1], [1, 3])],
    ["svd", (a) => jl.linalg.svdvals(a), rows],
    ["random numbers", () => jl.randn([1000]).add(jl.rand([1000]))],
    ["dropout", (a) => jl.dropout(a, 0.5), x],
    ["writes by index", (a) => a.clone().indexAdd_(0, index, t(1, 2)), x],
    ["gather", (a) => a.indexSelect(0, index), t(1, 2, NaN)],
    ["gather of a NaN", (a) => a.indexSelect(0, index).sum(), t(1, NaN, 2)],
    ["in place", (a) => a.clone().mul_(2).exp_(), x],
    ["memory that was never written", () => jl.empty([64]).fill_(1)],
    ["compiled", jl.compile((a: jl.Tensor) => a.exp().sum(), { replay: true }), x],
    ["mapped", jl.vmap((a: jl.Tensor) => a.softmax(-1)), rows],
    ["a training step", trainedWell, rows, m([0.1], [0.2], [0.3])],
  ];
}

function trainedWell(x: jl.Tensor, w: jl.Tensor): jl.Tensor {
  const adam = jl.optim.adam({ lr: 0.1 });
  let [own, state] = [w, adam.init(w)];
  for (let i = 0; i < 3; i++) {
    const g = jl.grad((a: jl.Tensor) => x.matmul(a).square().mean())(own);
    ({ parameters: own, state } = adam.step(own, g, state) as never);
  }
  return own;
}

const lines = readFileSync(new URL(import.meta.url), "utf8").split("\n");
const lineOf = (name: string) => lines.findIndex((line) => line.includes(`"${name}"`)) + 1;

describe("checkFinite in functions of all kinds", () => {
  it("finds the line and the operation of every planted fault", () => {
    const list = faults();
    const wrong = list.flatMap(([name, operation, text, fn, ...args], i) => {
      const found = birthOf(() => jl.checkFinite(fn)(...args));
      const made = found?.gradientOf ? `gradient of ${found.gradientOf}` : found?.operation;
      const [, line = 0, column = 0] = (/:(\d+):(\d+)$/.exec(found?.place ?? "") ?? []).map(Number);
      const there = lines[line - 1]?.slice(column - 1).replace(/^(?:jl|[a-z]+)\./, "") ?? "";
      const isOwn =
        name.includes("training") ||
        (line >= lineOf(name) && line < lineOf(list[i + 1]?.[0] ?? "arithmetic"));
      const isRight = made?.replace(/^fused.*/, "fused") === operation && there.startsWith(text) && isOwn;
      return isRight ? [] : [[name, made, found?.place, there]];
    });
    expect(wrong).toEqual([]);
    expect(list.length).toBeGreaterThanOrEqual(60);
  });
  it("finds nothing in clean ones", () => {
    const list = cleans();
    const wrong = list.flatMap(([name, fn, ...args]) => {
      const found = birthOf(() => jl.checkFinite(fn)(...args));
      return found ? [[name, found]] : [];
    });
    expect(wrong).toEqual([]);
    expect(list.length).toBeGreaterThanOrEqual(60);
  });
});

function birthOf(run: () => unknown): jl.Birth | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof jl.NotFiniteError) return error.birth;
    throw error;
  }
}

describe("checkFinite", () => {
  it("names the element, its operands and how many are wrong", () => {
    const divided = jl.checkFinite((x: jl.Tensor, y: jl.Tensor) => x.div(y));
    expect(refusal(() => divided(m([1, 2], [3, 4]), m([1, 0], [2, 0])))).toMatch(
      /^not-finite: div of \S+:\d+:\d+ made Infinity at \[0, 1\] of float32 \[2, 2\]: a = 2, b = 0\. 2 of 4 elements are such\.\n/,
    );
  });
  it("gives the range of operands of which many elements are joined", () => {
    const { operands, count, size } = birthOf(() =>
      jl.checkFinite((x: jl.Tensor) => x.sum(0))(m([big, 1], [big, 2])),
    ) as jl.Birth;
    expect(operands[0]?.range?.map(Math.fround)).toEqual([big, big].map(Math.fround));
    expect([count, size]).toEqual([1, 2]);
  });
  it("allows infinities, but no NaN", () => {
    const options = { allow: "inf" } as const;
    expect(
      jl
        .checkFinite(
          (x: jl.Tensor) => x.log(),
          options,
        )(t(0))
        .toArray(),
    ).toEqual([-Infinity]);
    expect(birthOf(() => jl.checkFinite((x: jl.Tensor) => x.log().mul(0), options)(t(0)))?.operation).toBe(
      "mul",
    );
  });
  it("passes on what the function gets, returns and throws, and changes no elements", () => {
    expect(jl.checkFinite((a: number, b: number) => a + b)(1, 2)).toBe(3);
    expect(jl.checkFinite(() => undefined)()).toBe(undefined);
    expect(() =>
      jl.checkFinite(() => {
        throw new RangeError("mine");
      })(),
    ).toThrow(RangeError);
    const draw = () => jl.randn([8]).add(jl.rand([8]));
    jl.manualSeed(3);
    const wanted = String(draw());
    jl.manualSeed(3);
    expect(String(jl.checkFinite(draw)())).toBe(wanted);
    expect(jl.compile(() => jl.ones([2]).add(1)).program()).toBe(undefined);
  });
  it("is gone after an error", () => {
    birthOf(() => jl.checkFinite((x: jl.Tensor) => x.log())(t(0)));
    expect(t(0).log().toArray()).toEqual([-Infinity]);
  });
  it("differentiates a checked function", () => {
    expect(
      jl
        .grad(jl.checkFinite((x: jl.Tensor) => x.square().sum()))(t(3))
        .toArray(),
    ).toEqual([6]);
  });
  it("refuses what it cannot check, with what to do", () => {
    expect(refusal(() => jl.checkFinite(3 as never))).toMatch(
      /^bad-argument: checkFinite: what to check is 3, not a function/,
    );
    expect(refusal(() => jl.checkFinite(async () => t(1))())).toMatch(
      /^bad-argument: checkFinite: the function is async\.\nLoad data before/,
    );
    expect(refusal(() => jl.checkFinite(() => 1, { allow: "nan" as never }))).toMatch(
      /allow is "nan".*\n.*"inf"/,
    );
    expect(refusal(() => jl.checkFinite(() => 1, { alow: "inf" } as never))).toMatch(/unknown-option/);
    const inner = jl.checkFinite((x: jl.Tensor) => x.add(1));
    expect(refusal(() => jl.compile((x: jl.Tensor) => inner(x))(t(1)))).toMatch(
      /jl\.checkFinite\(jl\.compile\(f\)\)/,
    );
    expect(refusal(() => jl.vmap((x: jl.Tensor) => inner(x))(t(1)))).toMatch(
      /jl\.checkFinite\(jl\.vmap\(f\)\)/,
    );
  });
});

describe("watchFinite", () => {
  it("checks all code until it stops, also behind an await", async () => {
    const watch = jl.watchFinite();
    try {
      await Promise.resolve();
      expect(birthOf(() => t(0).add(0).log())?.operation).toBe("log");
      expect(birthOf(() => jl.compile((x: jl.Tensor) => x.log())(t(0)))?.operation).toBe("log");
      expect(watch.operations).toBeGreaterThan(2);
    } finally {
      watch.stop();
    }
    expect(t(0).log().toArray()).toEqual([-Infinity]);
  });
});
