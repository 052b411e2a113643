// Computations as people write them, for compiled functions. Each gets its tensors from `make` anew, so that one that writes
// to them runs twice from the same start; `scale` multiplies the extents, for calls of another size.
import * as jl from "../../dist/runtime/index.js";

type T = jl.Tensor;

/** One program of the corpus. */
export interface CorpusProgram {
  readonly make: (scale: number) => readonly T[];
  readonly run: (tensors: readonly T[], rate: number) => T | readonly T[];
}

const last = { dim: -1, keepdim: true } as const;
const first = { dim: 0, keepdim: true } as const;

function program<const N extends readonly (readonly number[])[]>(
  shapes: N,
  run: (tensors: { readonly [K in keyof N]: T }, rate: number) => T | readonly T[],
  dtype: jl.DTypeName = "float32",
): CorpusProgram {
  const make = (scale: number) =>
    shapes.map((shape, i) => {
      const extents = shape.map((extent) => (extent === 1 ? 1 : extent * scale));
      const size = extents.reduce((a, b) => a * b, 1);
      // Every value between -2 and 2, in another order for each tensor.
      const steps = jl
        .arange(size, { dtype: "float64" })
        .mul(0.37 + i)
        .add(i)
        .sin();
      return steps.mul(2).reshape(extents).to(dtype);
    });
  return { make, run: run as CorpusProgram["run"] };
}

const gelu = (x: T): T => x.mul(0.5).mul(x.mul(Math.SQRT1_2).erf().add(1));
const sigmoid = (x: T): T => x.neg().exp().add(1).reciprocal();

function softmax(x: T): T {
  const e = x.sub(x.max(last)).exp();
  return e.div(e.sum(last));
}

/** Indexes below 21. */
const places = (x: T): T => x.abs().mul(10).to("int64");

/** The cumulative normal distribution. */
const normal = (x: T): T => x.div(Math.SQRT2).erf().add(1).mul(0.5);

/** The corpus. */
export const corpus: Readonly<Record<string, CorpusProgram>> = {
  "chain of maps": program([[1000]], ([x], rate) => x.sin().sin().mul(rate).add(x)),
  "common parts": program([[1000]], ([x]) => x.sin().add(x.sin().mul(x.cos())).add(x.sin())),
  "bias and gelu": program([[20, 50], [50]], ([x, row], rate) => gelu(x.add(row)).mul(rate)),
  swiglu: program(
    [
      [20, 50],
      [20, 50],
    ],
    ([x, gate]) => gate.mul(sigmoid(gate)).mul(x),
  ),
  "half casts that cancel": program([[1000]], ([x], rate) =>
    x.to("float16").to("float32").mul(rate).to("float16").to("float32").add(1).to("float16"),
  ),
  "quantize to int8": program([[1000]], ([x]) => {
    const scale = x.abs().max().div(127);
    return [x.div(scale).round().clamp(-128, 127).to("int8"), scale];
  }),
  "polynomial by Horner": program([[1000]], ([x], rate) => {
    let y = x.mul(rate);
    for (let i = 1; i < 12; i++) y = y.add(1 / i).mul(x);
    return y;
  }),
  "30 steps of Mandelbrot": program(
    [
      [30, 30],
      [30, 30],
    ],
    ([re, im]) => {
      let [x, y, steps] = [re, im, jl.zeros(re.shape)];
      for (let i = 0; i < 30; i++) {
        const [xx, yy] = [x.mul(x), y.mul(y)];
        const inside = xx.add(yy).lt(4);
        steps = steps.add(inside.to("float32"));
        y = x.mul(y).mul(2).add(im);
        x = xx.sub(yy).add(re);
      }
      return steps;
    },
  ),
  "Black-Scholes": program([[1000], [1000]], ([spot, strike], rate) => {
    const [s, k] = [spot.abs().add(0.1), strike.abs().add(0.1)];
    const d1 = s
      .div(k)
      .log()
      .add(rate + 0.08)
      .div(0.4);
    const d2 = d1.sub(0.4);
    const discounted = k.mul(Math.exp(-rate));
    const call = s.mul(normal(d1)).sub(discounted.mul(normal(d2)));
    return [call, call.sub(s).add(discounted)];
  }),
  "one Adam step": program([[1000], [1000], [1000], [1000]], ([p, g, m, v], rate) => {
    m.mul_(0.9).add_(g.mul(0.1));
    v.mul_(0.999).add_(g.mul(g).mul(0.001));
    return p.sub_(m.div(0.1).div(v.abs().div(0.001).sqrt().add(1e-8)).mul(rate));
  }),
  "momentum on three tensors": program(
    [[300], [20, 30], [40], [300], [20, 30], [40]],
    ([a, b, c, x, y, z], rate) =>
      [
        [a, x],
        [b, y],
        [c, z],
      ].map(([p, velocity]) =>
        (p as T).sub_(
          (velocity as T)
            .mul_(0.9)
            .add_(p as T)
            .mul(rate),
        ),
      ),
  ),
  "an Adam step over a list": program(
    Array.from({ length: 4 }, () => Array.from({ length: 12 }, (_, i) => [50 + 7 * (i % 5)])).flat(),
    (tensors, rate) =>
      Array.from({ length: 12 }, (_, i) => {
        const [p, g, m, v] = [0, 1, 2, 3].map((k) => tensors[12 * k + i]) as [T, T, T, T];
        m.mul_(0.9).add_(g.mul(0.1));
        v.mul_(0.999).add_(g.mul(g).mul(0.001));
        return p.sub_(m.mul(rate).div(v.abs().sqrt().add(1e-8)));
      }),
  ),
  "moving average in place": program([[1000], [1000]], ([mean, x], rate) =>
    mean.mul_(1 - rate).add_(x.mul(rate)),
  ),
  "mean squared error": program([[1000], [1000]], ([x, y]) => {
    const d = x.sub(y);
    return d.mul(d).mean();
  }),
  "variance of all": program([[40, 50]], ([x]) => {
    const d = x.sub(x.mean());
    return d.mul(d).mean();
  }),
  "cross entropy": program(
    [
      [20, 50],
      [20, 1],
    ],
    ([x, place]) => {
      const most = x.max(last);
      const total = x.sub(most).exp().sum(last).log().add(most);
      const target = place.abs().mul(24).to("int64");
      const hot = jl.arange(x.shape[1] as number).eq(target);
      return total.sub(x.mul(hot.to("float32")).sum(last)).mean();
    },
  ),
  "logistic loss": program([[1000], [1000]], ([x, y]) =>
    x
      .clamp(0, 100)
      .sub(x.mul(y.gt(0).to("float32")))
      .add(x.abs().neg().exp().log1p())
      .mean(),
  ),
  softmax: program([[20, 100]], ([x]) => softmax(x)),
  "softmax of columns": program([[100, 20]], ([x]) => {
    const e = x.sub(x.max(first)).exp();
    return e.div(e.sum(first));
  }),
  "softmax of long rows": program([[2, 10_000]], ([x]) => softmax(x)),
  layernorm: program([[20, 100], [100], [100]], ([x, gain, bias]) => {
    const d = x.sub(x.mean(last));
    return d.mul(d.mul(d).mean(last).add(1e-5).rsqrt()).mul(gain).add(bias);
  }),
  rmsnorm: program([[20, 100], [100]], ([x, gain]) => x.mul(x.mul(x).mean(last).add(1e-6).rsqrt()).mul(gain)),
  "standardized columns": program([[100, 20]], ([x]) => {
    const d = x.sub(x.mean(first));
    return d.div(d.mul(d).mean(first).sqrt().add(1e-6));
  }),
  "nearest of some points": program(
    [
      [50, 1, 3],
      [1, 7, 3],
    ],
    ([points, centers]) => {
      const d = points.sub(centers);
      return d.mul(d).sum(-1).argmin(-1);
    },
  ),
  "a step of heat on a grid": program([[32, 32]], ([u], rate) => {
    const inner = u.at("1:-1", "1:-1");
    const around = u
      .at(":-2", "1:-1")
      .add(u.at("2:", "1:-1"))
      .add(u.at("1:-1", ":-2"))
      .add(u.at("1:-1", "2:"));
    inner.copy_(inner.add(around.sub(inner.mul(4)).mul(rate)));
    return u;
  }),
  "a Verlet step": program(
    [
      [500, 3],
      [500, 3],
      [500, 1],
    ],
    ([x, v, mass], rate) => {
      const force = (at: T) => at.div(at.mul(at).sum(last).add(0.1).pow(1.5)).neg();
      const half = v.add(
        force(x)
          .div(mass.abs().add(1))
          .mul(rate / 2),
      );
      const next = x.add(half.mul(rate));
      return [
        next,
        half.add(
          force(next)
            .div(mass.abs().add(1))
            .mul(rate / 2),
        ),
      ];
    },
  ),
  "rotation of complex numbers": program(
    [[500]],
    ([x], rate) => x.mul({ re: Math.cos(rate), im: Math.sin(rate) }).abs(),
    "complex64",
  ),
  dropout: program([[20, 50]], ([x], rate) => jl.where(jl.rand(x.shape).lt(rate), x.div(rate), 0)),
  "a look in the middle": program([[1000]], ([x], rate) => {
    const norm = x.mul(x).sum().sqrt();
    return (norm.item() as number) > 1 ? x.div(norm).mul(rate) : x;
  }),
  embedding: program([[40, 16], [25]], ([table, x], rate) =>
    table.indexSelect(0, places(x)).mul(rate).add(1),
  ),
  "normed embedding": program([[40, 16], [25]], ([table, x]) => {
    const rows = table.indexSelect(0, places(x));
    const centered = rows.sub(rows.mean(last));
    return centered.div(centered.mul(centered).mean(last).sqrt());
  }),
  "cross entropy of picked classes": program(
    [
      [20, 50],
      [20, 1],
    ],
    ([scores, classes]) => scores.sub(scores.exp().sum(last).log()).gather(1, places(classes)).neg().mean(),
  ),
  "a table of functions": program([[64], [20, 30]], ([table, x], rate) => {
    const at = x.abs().mul(10);
    const low = at.to("int64");
    const [a, b] = [table.take(low), table.take(low.add(1))];
    return b.sub(a).mul(at.sub(at.floor())).add(a).mul(rate);
  }),
};
