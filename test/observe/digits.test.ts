// jl.digits: its errors against references of 40 digits (test/support/reference/digits.py), and which operation they come from.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import golden from "../data/digits.json" with { type: "json" };
import { useDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useDevice);

type Fn = (x: jl.Tensor, y: jl.Tensor) => jl.Tensor;
const t = (...list: number[]) => jl.tensor(list);
const loss = (x: jl.Tensor) => x.logsumexp(0);

const functions: Readonly<Record<string, Fn>> = {
  absorbed: (x) => x.add(65536).sub(65536),
  "one minus cosine": (x) => x.cos().neg().add(1).div(x.square()),
  "exp minus one": (x) => x.div(1024).exp().sub(1).div(x),
  "log of one plus": (x) => x.div(4096).add(1).log().div(x),
  "difference of roots": (x) => x.add(10000).sqrt().sub(100),
  "variance by squares": (x) => {
    const moved = x.add(1000);
    return moved.square().mean().sub(moved.mean().square());
  },
  sum: (x) => x.sum(),
  softmax: (x) => x.softmax(0),
  logsumexp: (x) => x.logsumexp(0),
  cubic: (x) => x.mul(x).mul(x).sub(x.mul(3)),
  "sine of large": (x) => x.mul(128).sin(),
  tan: (x) => x.tan(),
  gaussian: (x) => x.mul(x).neg().exp(),
  share: (x, y) => x.div(x.add(y)),
  "logarithm to a base": (x, y) => x.log().div(y.log()),
  norm: (x) => x.norm(),
  cumsum: (x) => x.cumsum(0),
  cumprod: (x) => x.cumprod(0),
  dot: (x, y) => x.dot(y),
  outer: (x, y) => x.reshape(6, 1).matmul(y.reshape(1, 6)),
  contrast: (x, y) => x.sub(y).div(x.add(y)),
  tanh: (x) => x.tanh(),
  sigmoid: (x) => x.sigmoid(),
  erf: (x) => x.erf(),
  atan2: (x, y) => x.atan2(y),
  hypot: (x, y) => x.hypot(y),
  pow: (x, y) => x.pow(y),
  quadratic: jl.compile((x: jl.Tensor) => x.add(1e6).sqrt().sub(1000)),
  "gradient of exp of sin": jl.grad((x: jl.Tensor) => x.sin().exp().sum()),
  "gradient of logsumexp": jl.compile(jl.grad(loss), { replay: true }),
  variance: (x) => x.var(),
  "difference of quotients": (x) => x.reciprocal().sub(x.add(1 / 1024).reciprocal()),
  "sinh by exp": (x) => x.div(64).exp().sub(x.div(-64).exp()).div(2),
  prod: (x) => x.prod(),
  "softplus by hand": (x) => x.exp().add(1).log(),
  horner: (x) => x.sub(3).mul(x).add(3).mul(x).sub(1),
  "in place": (x, y) => x.clone().mul_(3).add_(1e5).sub_(1e5).sub_(y),
  mapped: jl.vmap((x: jl.Tensor) => x.mul(x).add(1).sqrt().sub(1)),
  "double: absorbed": (x) => x.add(1e14).sub(1e14),
  "double: sum": (x) => x.div(3).sum(),
  "double: quotient": (x, y) => x.mul(y).div(x.sub(y)),
  "double: squares": (x, y) =>
    x
      .div(3)
      .mul(x.div(3))
      .sub(y.div(7).mul(y.div(7))),
  "double: horner": (x) => {
    const third = x.div(3);
    return third.sub(3).mul(third).add(3).mul(third).sub(1);
  },
};

/** Functions whose fused kernels and separate operations may differ in most digits: the text of the line at fault, the function, another without the fault. */
const reported: Readonly<Record<string, readonly [string, Fn, Fn, jl.Tensor]>> = {
  // The squares are right to their last bit. Whether that bit is rounded (two kernels) or not (a fused multiply-add) decides the difference.
  "a variance of fused products": [
    "const apart = square.sub(mean.mul(mean));",
    (x) => {
      const mean = x.mean();
      const square = x.mul(x);
      const apart = square.sub(mean.mul(mean));
      return apart.mean();
    },
    (x) => x.sub(x.mean()).square().mean(),
    jl.linspace(0, 1, 64).add(3000),
  ],
  // 256 + 1 is 256 in bfloat16: every call of the line loses a whole part, and a kernel that keeps the total in float32 loses none.
  "small parts behind a large one": [
    "total = total.add(part);",
    (x) => {
      let total = x.at(0);
      for (let i = 1; i < 65; i++) {
        const part = x.at(i);
        total = total.add(part);
      }
      return total.mul(0.5).add(1);
    },
    (x) => x.to("float32").sum().mul(0.5).add(1),
    jl.tensor([256, ...new Array<number>(64).fill(1)], { dtype: "bfloat16" }),
  ],
  // The logarithm of the sum is 12 to seven digits, and the loss is what comes behind them.
  "the loss of a sure prediction": [
    "const gap = score.sub(x.at(0));",
    (x) => {
      const score = x.logsumexp(0);
      const gap = score.sub(x.at(0));
      return gap.mul(100);
    },
    (x) => x.at("1:").sub(x.at(0)).exp().sum().log1p().mul(100),
    t(12, 0.3, -1, -0.2),
  ],
};

/** The relative error of the worst element, from the reference. */
function trueError(result: jl.Tensor, exact: readonly (readonly number[])[]): number {
  const elements = Array.from(result.data() as Float64Array);
  return Math.max(
    ...elements.map((a, i) => {
      const [high, low] = exact[i] as readonly [number, number];
      return Math.min(1, Math.abs((a - high - low) / high));
    }),
  );
}

const code = readFileSync(new URL(import.meta.url), "utf8").split("\n");

function lineAt(place: string | undefined): string | undefined {
  return code[Number(place?.split(":")[1]) - 1]?.trim();
}

describe("digits", () => {
  it("agrees with 40 digits within a factor of 2", () => {
    expect(Object.keys(functions)).toEqual(Object.keys(golden.results));
    const wrong = Object.entries(functions).flatMap(([name, fn]) => {
      const dtype = name.startsWith("double") ? "float64" : "float32";
      const args = [jl.tensor(golden.x, { dtype }), jl.tensor(golden.y, { dtype })] as const;
      const wanted = trueError(fn(...args), (golden.results as Record<string, number[][]>)[name] ?? []);
      const report = jl.digits(fn, ...args);
      const found = 10 ** -report.digits;
      const isRight = wanted === 0 ? found === 0 : found / wanted > 0.5 && found / wanted < 2;
      return isRight && report.records.every(({ isFollowed }) => isFollowed)
        ? []
        : [[name, wanted, found, report.records]];
    });
    expect(wrong).toEqual([]);
  });

  it("names the operation in which digits are lost, the bits and the element", () => {
    const { digits, worst, records } = jl.digits((x: jl.Tensor) => x.add(1e8).sub(1e8), t(3));
    expect(digits).toBe(0);
    expect(worst).toEqual({ index: [0], value: 0, exact: 3 });
    const [add, sub] = records;
    expect(add).toMatchObject({
      operation: "add",
      dtype: "float32",
      calls: 1,
      inherited: 0,
      bitsLost: 0,
      isFollowed: true,
    });
    expect(add?.added).toBeGreaterThan(1e-9);
    expect(sub).toMatchObject({ operation: "sub", added: 0, inherited: 1 });
    expect(sub?.bitsLost).toBeCloseTo(Math.log2(1e8 / 3), 1);
    expect(add?.place).toMatch(/^digits\.test\.ts:\d+:\d+$/);
  });

  it.each(Object.keys(reported))("names the line at fault, compiled or not: %s", (name) => {
    const [line, fn, mended, x] = reported[name] as (typeof reported)[string];
    for (const one of [fn, jl.compile(fn), jl.compile(fn, { replay: true })]) {
      const { digits, records } = jl.digits(one, x, x);
      expect(digits).toBeLessThan(2);
      const first = records.find(({ added, inherited }) => Math.max(added, inherited) > 0.01);
      expect(lineAt(first?.place)).toBe(line);
    }
    expect(jl.digits(mended, x, x).digits).toBeGreaterThan(4);
  });

  it("finds what autocast should leave in float32, and measures what that brings", () => {
    jl.manualSeed(1);
    const x = jl.rand([16, 64]);
    const { digits, float32 } = jl.digits(
      jl.autocast("float16", (a: jl.Tensor) => a.matmul(a.T).sub(16).sum()),
      x,
    );
    expect(float32[0]).toMatchObject({ operation: "matmul" });
    expect(float32[0]?.digits).toBeGreaterThan(digits + 1);
  });

  it("draws the same numbers in both runs, and as many as the function alone", () => {
    const noisy = (x: jl.Tensor) => x.add(jl.rand([4])).mul(jl.randn([4]));
    jl.manualSeed(2);
    noisy(jl.ones([4]));
    const next = String(jl.rand([2]));
    jl.manualSeed(2);
    expect(jl.digits(noisy, jl.ones([4])).digits).toBeGreaterThan(5);
    expect(String(jl.rand([2]))).toBe(next);
  });

  it("follows what is written in place, into views and by indexes", () => {
    const x = t(0.1, 0.2, 0.3);
    const write = (a: jl.Tensor) => {
      a.mul_(3);
      a.at("1:").add_(1e5);
      a.indexAdd_(0, jl.tensor([0n, 2n]), a.at("1:").mul(1));
      return a.sub_(1e5);
    };
    const { digits, records } = jl.digits(write, x);
    expect(digits).toBeLessThan(4);
    expect(records.map(({ operation }) => operation)).toContain("indexAdd_");
    expect(x.toArray()).toEqual(write(t(0.1, 0.2, 0.3)).toArray());
  });

  it("says which operations are not followed", () => {
    const own = jl.jit("float own(float x) { return x / 3.0f; }");
    const { records } = jl.digits((x: jl.Tensor) => own(x).add(1), t(1, 2));
    expect(records.map(({ operation, isFollowed }) => [operation, isFollowed])).toEqual([
      ["own", false],
      ["add", true],
    ]);
  });

  it("refuses what it cannot follow, with what to do", () => {
    expect(refusal(() => jl.digits(3 as never, ...([] as never)))).toMatch(
      /^bad-argument: digits: what to run is 3, not a function/,
    );
    expect(refusal(() => jl.digits(async () => t(1)))).toMatch(
      /^bad-argument: digits: the function is async\.\nLoad data/,
    );
    expect(refusal(() => jl.digits(() => undefined))).toMatch(
      /returned undefined, in which there is no floating tensor\.\nReturn/,
    );
    expect(refusal(() => jl.digits(() => jl.tensor([1n])))).toMatch(/returned a tensor of int64/);
    expect(refusal(() => jl.digits((x: jl.Tensor) => x.expand(2 ** 28).sum(), t(1)))).toMatch(
      /^too-large: digits: sum has 268435456 elements, which take 2\.0 GiB in float64.*\nCall it with smaller/,
    );
    const inner = (x: jl.Tensor) => jl.tensor(jl.digits((a: jl.Tensor) => a.add(1), x).digits);
    expect(refusal(() => jl.compile(inner)(t(1)))).toMatch(/jl\.digits/);
    expect(refusal(() => jl.vmap(inner)(t(1)))).toMatch(/jl\.digits/);
  });

  it("follows all code until it stops, also behind an await", async () => {
    const watch = jl.watchDigits();
    const x = t(1).add(1e8);
    await Promise.resolve();
    const { digits, records } = watch.stop({ y: x.sub(1e8) });
    expect([digits, records.map(({ operation }) => operation)]).toEqual([0, ["add", "sub"]]);
    expect(jl.watchDigits().stop([]).records).toEqual([]);
  });
});
